/* A card as text ("7h"): its name in words, its value, its drawing. */

import { el, hidden, svg } from "./dom.js";
import { fill, gettext, pgettext } from "./i18n.js";

const RANKS = "A23456789TJQK";
const SUITS = "cdhs";

let sheet = "";

/** Tell where the deck's drawings lie; the page knows the address. */
export function drawnFrom(address) {
  sheet = address;
}

const RANK_NAMES = {
  A: () => gettext("ace"), 2: () => gettext("two"), 3: () => gettext("three"),
  4: () => gettext("four"), 5: () => gettext("five"), 6: () => gettext("six"),
  7: () => gettext("seven"), 8: () => gettext("eight"), 9: () => gettext("nine"),
  T: () => gettext("ten"), J: () => gettext("jack"), Q: () => gettext("queen"),
  K: () => gettext("king"),
};

const SUIT_NAMES = {
  c: () => gettext("clubs"), d: () => gettext("diamonds"),
  h: () => gettext("hearts"), s: () => gettext("spades"),
};

export const rank = (card) => RANKS.indexOf(card[0]);
export const suit = (card) => SUITS.indexOf(card[1]);
export const points = (card) => Math.min(rank(card) + 1, 10);
export const index = (card) => (french(card) ? LETTERS[card[0]] : card[0] === "T" ? "10" : card[0]);

/** "queen of diamonds" */
export const name = (card) =>
  fill(gettext("%(rank)s of %(suit)s"), {
    rank: RANK_NAMES[card[0]](), suit: SUIT_NAMES[card[1]](),
  });

/** "9", "queen": how one says the rank in a short sentence. */
export const rankWord = (card) =>
  "AJQK".includes(card[0]) ? RANK_NAMES[card[0]]() : index(card);

/* The reader may have the letters of French packs on the court cards. */
const LETTERS = { J: "V", Q: "D", K: "R" };
const french = (card) => card[0] in LETTERS && document.documentElement.dataset.courts === "french";

/** The article with its space: French needs it to agree with the rank. */
export function article(card) {
  if (card[0] === "Q") return pgettext("article before queen", "the ");
  if (card[0] === "A") return pgettext("article before ace", "the ");
  return pgettext("article before another card", "the ");
}

export const byRank = (a, b) => rank(a) - rank(b) || suit(a) - suit(b);

/* Red and black alternate, so that neighbours never look alike. */
const SUIT_ORDER = { c: 0, d: 1, s: 2, h: 3 };
export const bySuit = (a, b) => SUIT_ORDER[a[1]] - SUIT_ORDER[b[1]] || rank(a) - rank(b);

/** Whether a meld is a set (one rank) rather than a run. */
export const isSet = (cards) => cards.every((card) => card[0] === cards[0][0]);

/** "Run", "Set", "Set of four". */
export function meldName(cards) {
  if (!isSet(cards)) return gettext("Run");
  return cards.length > 3 ? gettext("Set of four") : gettext("Set");
}

const full = (card) => (french(card) ? `f${card}` : `c${card}`);
const plain = (card) => (french(card) ? `fs${card}` : `s${card}`);

function drawing(id, tone) {
  return svg("svg", { viewBox: "0 0 100 140", "aria-hidden": "true", class: tone },
    svg("use", { href: `${sheet}#${id}` }));
}

/** The face in both drawings: the style sheet shows the one that fits the width. */
export function face(card) {
  const tone = `s-${card[1]}`;
  return [
    el("span", { class: "only-desk" }, drawing(full(card), tone)),
    el("span", { class: "only-phone" }, drawing(plain(card), tone)),
  ];
}

/** The index-only face, for small cards at any width. */
export const smallFace = (card) => drawing(plain(card), `s-${card[1]}`);

export const back = () => drawing("back", null);

/** A card that is only looked at. */
export const shown = (card, label = name(card)) =>
  el("span", { class: "card", role: "img", "aria-label": label, "data-card": card }, face(card));

/** A card inside a sentence. */
export function chip(card) {
  return el("span", { class: `ci s-${card[1]}` },
    hidden(name(card)),
    el("span", { "aria-hidden": "true" }, index(card)),
    svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" },
      svg("use", { href: `${sheet}#u${card[1]}` })));
}
