/* Sentences that hold cards: the same one is drawn with small cards and read out in words. */

import { article, chip, name } from "./cards.js";
import { el } from "./dom.js";

const MARK = /^[.,;:!?)]+/;

/** A card as a piece of a sentence. */
export const aCard = (card) => [{ card }];

/** A card with its article: "la [Q♦]". */
export const theCard = (card) => [article(card), { card }];

/** A word to set in bold. */
export const bold = (text) => [{ bold: String(text) }];

/** Fill a translated format whose values are texts, numbers or pieces; gives pieces. */
export function pieces(format, params = {}) {
  return format
    .split(/(%\(\w+\)s)/)
    .flatMap((part) => {
      const place = /^%\((\w+)\)s$/.exec(part);
      if (!place) return part === "" ? [] : [part];
      const value = params[place[1]];
      return Array.isArray(value) ? value : [String(value)];
    });
}

/** Several pieces with a text between them and another before the last. */
export function listed(items, comma, last) {
  return items.flatMap((item, at) => {
    if (at === 0) return item;
    return [at === items.length - 1 ? last : comma, ...item];
  });
}

/** The pieces as nodes; a card and the mark that follows it stay on one line. */
export function asNodes(parts) {
  return parts.map((part, at) => {
    if (typeof part === "string") {
      return document.createTextNode(at && parts[at - 1].card ? part.replace(MARK, "") : part);
    }
    if (part.card) {
      const mark = MARK.exec(typeof parts[at + 1] === "string" ? parts[at + 1] : "");
      return mark ? el("span", { class: "nowrap" }, chip(part.card), mark[0]) : chip(part.card);
    }
    return el("b", {}, part.bold);
  });
}

export function asText(parts) {
  return parts
    .map((part) => (typeof part === "string" ? part : part.card ? name(part.card) : part.bold))
    .join("");
}
