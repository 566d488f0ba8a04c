/* Cards that glide from where they were last drawn to where they are now. Input never waits: what
   is drawn anew in the middle of a glide goes on from wherever it was seen. */

import { back, face } from "./cards.js";
import { action } from "./words.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const EASE = "cubic-bezier(.2,.7,.2,1)";
const MOVE = 260;
const DEAL = 420;
const APART = 28; // between two cards dealt
const LOOK_FIRST = 650; // both hands lie open before cards are laid off
const EACH = 160;

const still = () => calm.matches || document.documentElement.dataset.animation === "off";
const place = (node) => node?.getBoundingClientRect() ?? null;

/** Remember where every card and each pile stand; a card let go stands where it was let go. */
export function snapshot(root) {
  const cards = new Map();
  for (const node of root.querySelectorAll("[data-card]")) cards.set(node.dataset.card, place(node));
  const seen = {
    cards,
    dealt: root.querySelector(".hand [data-card]") !== null,
    stock: place(root.querySelector(".stockp .card")),
    pile: place(root.querySelector(".discp .card")),
    pileCard: root.querySelector(".discp [data-card-shown]")?.dataset.cardShown ?? null,
    other: place(root.querySelector(".opp .ofan")),
    lower: place(root.querySelector(".hand .ofan")),
  };
  const ghost = document.querySelector(".lifted[data-let]");
  if (ghost) {
    const let1 = ghost.dataset.let;
    if (let1 === "draw-stock") seen.stock = place(ghost);
    else if (let1 === "draw-discard") seen.pile = place(ghost);
    else cards.set(let1, place(ghost));
  }
  return seen;
}

function glide(node, from, { lasts = MOVE, after = 0 } = {}) {
  const to = place(node);
  if (!from || !to || !node.animate) return;
  const dx = from.left + from.width / 2 - to.left - to.width / 2;
  const dy = from.top + from.height / 2 - to.top - to.height / 2;
  if (Math.abs(dx) < 2 && Math.abs(dy) < 2) return;
  node.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }],
    { duration: lasts, delay: after, easing: EASE, fill: "backwards" });
}

/** A card that is nowhere to be seen afterwards: drawn for the flight alone. */
function fly(card, from, to) {
  if (!from || !to || !document.body.animate) return;
  const node = document.createElement("div");
  node.className = card ? "card lifted" : "card back lifted";
  node.setAttribute("aria-hidden", "true");
  node.append(...[card ? face(card) : back()].flat());
  node.style.setProperty("--cw", `${from.width}px`);
  document.body.append(node);
  const dx = to.left + to.width / 2 - from.width / 2;
  const dy = to.top + to.height / 2 - from.height / 2;
  const flight = node.animate([
    { translate: `${from.left}px ${from.top}px`, opacity: 1 },
    { translate: `${dx}px ${dy}px`, scale: 0.6, opacity: 0.4 },
  ], { duration: MOVE, easing: EASE, fill: "both" });
  flight.onfinish = () => node.remove();
  flight.oncancel = () => node.remove();
}

/** What others drew goes to their cards; someone who only watches sees two closed hands. */
function drawnByOthers(root, before, fresh, lower, watching) {
  for (const entry of fresh) {
    const verb = action(entry);
    if (!verb.startsWith("draw") || (entry.seat === lower && !watching)) continue;
    const to = place(root.querySelector(entry.seat === lower ? ".hand .ofan" : ".opp .ofan"));
    if (verb === "draw stock") fly(null, before.stock, to);
    else fly(entry.card ?? before.pileCard, before.pile, to);
  }
}

function ownCards(root, before, dealt) {
  const cards = [...root.querySelectorAll(".hand [data-card]")];
  if (dealt) {
    cards.forEach((node, at) => glide(node, place(root.querySelector(".stockp .card")), { lasts: DEAL, after: at * APART }));
    return;
  }
  for (const node of cards) {
    const { card } = node.dataset;
    glide(node, before.cards.get(card) ?? (card === before.pileCard ? before.pile : before.stock));
  }
}

function thrown(root, before, fresh, lower, watching) {
  const top = root.querySelector(".discp [data-card-shown]");
  const card = top?.dataset.cardShown;
  if (!card || card === before.pileCard) return;
  const by = fresh.findLast?.((entry) => entry.move === `discard ${card}`)?.seat;
  glide(top, before.cards.get(card) ?? (watching && by === lower ? before.lower : before.other));
}

/** Move from the remembered places to the present ones. `lower`: the seat below. */
export function play(root, before, { fresh, lower, watching, dealt }) {
  if (still() || !before) return;
  if (!dealt && !before.dealt && !before.lower) return;
  ownCards(root, before, dealt);
  if (dealt) return;
  thrown(root, before, fresh, lower, watching);
  drawnByOthers(root, before, fresh, lower, watching);
}

/** From the table to both hands laid open; then what was laid off travels to its melds. */
export function layOpen(root, before) {
  if (still() || !before || !(before.dealt || before.lower)) return;
  for (const side of root.querySelectorAll(".side")) {
    for (const node of side.querySelectorAll(".slot:not(.lay) [data-card]")) {
      glide(node, before.cards.get(node.dataset.card) ?? before.other, { lasts: DEAL });
    }
  }
  const melds = [...root.querySelectorAll(".side .melds")];
  const theirs = place(melds[1]?.lastElementChild ?? null);
  [...root.querySelectorAll(".slot.lay [data-card]")].forEach((node, at) => {
    const own = before.cards.get(node.dataset.card);
    glide(node, theirs ?? own, { lasts: DEAL, after: LOOK_FIRST + at * EACH });
  });
}

/** From one moment of a replay to another: cards go to and from the piles and between them. */
export function step(root, before) {
  if (still()) return;
  for (const node of root.querySelectorAll(".side [data-card]")) {
    const { card } = node.dataset;
    glide(node, before.cards.get(card) ?? (card === before.pileCard ? before.pile : before.stock));
  }
  const top = root.querySelector(".discp [data-card]");
  if (top) glide(top, before.cards.get(top.dataset.card) ?? null);
}
