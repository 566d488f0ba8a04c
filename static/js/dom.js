/* Building elements without ever parsing markup: names are hostile, so text stays text. */

const SVG = "http://www.w3.org/2000/svg";

function decorate(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.setAttribute("class", value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  return node;
}

/** An element; children are nodes, texts, or lists of them. Empty ones are left out. */
export function el(tag, attributes = {}, ...children) {
  const node = decorate(document.createElement(tag), attributes);
  node.append(...solid(children));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  const node = decorate(document.createElementNS(SVG, tag), attributes);
  node.append(...solid(children));
  return node;
}

function solid(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}

/** Replace what a node holds. */
export function put(node, ...children) {
  node.replaceChildren(...solid(children));
}

/** One of the line icons declared at the top of the page. */
export function icon(name) {
  return svg("svg", { class: "ico", viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("use", { href: `#i-${name}` }));
}

/** Text for screen readers only. */
export const hidden = (text) => el("span", { class: "vh" }, text);

/** A player's letter on a coloured disc. */
export function avatar(name, seat) {
  const letter = Array.from(name.trim())[0] ?? "?";
  return el("span", { class: `av av-${"abcd"[seat] ?? "a"}`, "aria-hidden": "true" },
    letter.toLocaleUpperCase());
}
