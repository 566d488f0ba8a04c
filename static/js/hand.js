/* One's own hand: its groups, its order, the card chosen, the card just drawn. */

import { byRank, bySuit, face, meldName, name } from "./cards.js";
import { el, put } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { arranged } from "./order.js";
import { asNodes, pieces, theCard } from "./sentence.js";

const ORDERS = { suit: bySuit, rank: byRank };

/** Cards in groups: melds and what is left, or one row in the chosen order, the drawn card last.
    In one's own order it comes last by itself, until it is moved. */
export function groups(hand, { sort, cards = [] }) {
  if (sort === "own") return [{ kind: "dead", cards: arranged(hand.held, cards) }];
  if (sort === "melds") {
    const melds = hand.melds.map((cards) => ({ kind: "meld", cards }));
    const loose = drawnLast([...hand.loose].sort(byRank), hand.drawn);
    return loose.length ? [...melds, { kind: "dead", cards: loose }] : melds;
  }
  return [{ kind: "dead", cards: drawnLast([...hand.held].sort(ORDERS[sort]), hand.drawn) }];
}

function drawnLast(cards, drawn) {
  if (!drawn || !cards.includes(drawn)) return cards;
  return [...cards.filter((card) => card !== drawn), drawn];
}

/** Deadwood as it stands, or as it would after the best discard. */
function deadwoodCaption(hand, room) {
  if (hand.after_best_discard === null || hand.after_best_discard === undefined) {
    return el("span", { class: "cap" }, gettext("Deadwood"), " ", el("b", {}, `${hand.deadwood}`));
  }
  return el("span", { class: "cap" },
    gettext("Deadwood"), " ", el("b", {}, `${hand.after_best_discard}`),
    hand.best_discard && room
      ? el("span", { class: "only-desk" }, " ",
        asNodes(pieces(gettext("without %(card)s"), { card: theCard(hand.best_discard) })))
      : null);
}

function caption(group, hand) {
  if (group.kind === "dead") return deadwoodCaption(hand, group.cards.length > 2);
  return el("span", { class: "cap" }, meldName(group.cards));
}

function cardLabel(hand, card, chosen) {
  const parts = [name(card)];
  if (card === hand.drawn) parts.push(gettext("just drawn"));
  if (hand.locked.includes(card)) parts.push(gettext("may not be discarded this turn"));
  if (card === chosen) parts.push(gettext("chosen"));
  return parts.join(", ");
}

function slot(hand, card, chosen) {
  const states = ["slot"];
  if (card === chosen) states.push("sel");
  if (card === hand.drawn) states.push("new");
  if (hand.locked.includes(card)) states.push("locked");
  return el("li", { class: states.join(" ") },
    el("button", {
      class: "card", type: "button", "data-card": card, tabindex: "-1",
      "aria-label": cardLabel(hand, card, chosen),
      "aria-pressed": String(card === chosen),
    }, face(card)));
}

/** Draw the whole hand; `chosen` is the card raised, if any. */
export function drawHand(box, hand, { order, chosen }) {
  const parts = groups(hand, order);
  const count = hand.held.length;
  box.setAttribute("aria-label",
    fill(ngettext("Your hand, %(count)s card", "Your hand, %(count)s cards", count), { count }));
  box.className = `hand g${parts.length}`;
  put(box, parts.map((group) =>
    el("div", { class: `group ${group.kind}` },
      el("ol", { class: `row n${group.cards.length}` },
        group.cards.map((card) => slot(hand, card, chosen))),
      caption(group, hand))));
  rove(box, chosen ?? hand.drawn);
}

/** Raise the chosen card without drawing the rest again. */
export function markChosen(box, hand, chosen) {
  for (const button of box.querySelectorAll("[data-card]")) {
    const card = button.dataset.card;
    button.parentElement.classList.toggle("sel", card === chosen);
    button.setAttribute("aria-pressed", String(card === chosen));
    button.setAttribute("aria-label", cardLabel(hand, card, chosen));
  }
  if (chosen) rove(box, chosen);
}

/** One card of the hand takes part in the tab order; the arrows move among them. */
function rove(box, card) {
  const buttons = [...box.querySelectorAll("[data-card]")];
  const entry = buttons.find((button) => button.dataset.card === card) ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === entry ? 0 : -1;
}

/** Move the focus by `step` cards, round the ends; starts at the entry card. */
export function moveFocus(box, step) {
  const buttons = [...box.querySelectorAll("[data-card]")];
  if (!buttons.length) return;
  const at = buttons.indexOf(document.activeElement);
  const entry = buttons.findIndex((button) => button.tabIndex === 0);
  const next = at === -1 ? entry : (at + step + buttons.length) % buttons.length;
  for (const button of buttons) button.tabIndex = -1;
  buttons[next].tabIndex = 0;
  buttons[next].focus();
}

/** The cards as they lie, from left to right. */
export const shownCards = (box) => [...box.querySelectorAll("[data-card]")].map((button) => button.dataset.card);

/** The order after one card went to another place among the others. */
export function moved(cards, card, to) {
  const others = cards.filter((other) => other !== card);
  return [...others.slice(0, to), card, ...others.slice(to)];
}
