/* Text somebody wrote, as nodes: web addresses become links, everything else stays text. */

import { el } from "./dom.js";

const ADDRESS = /\bhttps?:\/\/[^\s<>"]+/gi;
const MARKS = /[.,;:!?…»”’'"\]*_]$/;

/* A full stop or a closing bracket after an address belongs to the sentence. */
function trimmed(found) {
  let text = found;
  for (;;) {
    const open = text.split("(").length;
    const unpaired = text.endsWith(")") && text.split(")").length > open;
    if (!MARKS.test(text) && !unpaired) return text;
    text = text.slice(0, -1);
  }
}

/** The address as the browser reads it, or null: http and https only, and no name in front of the
    host that makes it look like another. */
export function safeAddress(text) {
  let url;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const plain = (url.protocol === "http:" || url.protocol === "https:") && url.hostname;
  return plain && !url.username && !url.password ? url : null;
}

function link(text) {
  const url = safeAddress(text);
  if (!url) return text;
  // Letters of another alphabet can imitate a host: then it is shown as it is looked up.
  const shown = url.hostname.includes("xn--") ? url.href : text;
  return el("a", { href: url.href, target: "_blank", rel: "noopener noreferrer nofollow ugc" }, shown);
}

/** The pieces of a text: strings and links. */
export function linked(text) {
  const pieces = [];
  let from = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const address = trimmed(match[0]);
    pieces.push(text.slice(from, match.index), link(address));
    from = match.index + address.length;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece) => piece !== "");
}
