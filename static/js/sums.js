/* The arithmetic of a hand and of a game, on score paper. */

import { rankWord, article } from "./cards.js";
import { el } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { called, isMe, nameOf, ofName, ownFirst } from "./people.js";
import { listed, pieces, theCard } from "./sentence.js";

const minus = (number) => `− ${number}`;
const plus = (number) => `+ ${number}`;

const row = (label, value, { small = null, total = false } = {}) =>
  el("div", { class: total ? "t" : null },
    el("dt", {}, label, small ? el("small", {}, small) : null), el("dd", {}, value));

const deadwoodOf = (view, seat) =>
  isMe(view, seat) ? gettext("Your deadwood")
    : fill(gettext("Deadwood %(of_name)s"), { of_name: ofName(view, seat) });

/** "33 before laying off the 9 and the jack" */
function laidOffNote(hand) {
  const off = hand.laid_off ?? [];
  if (!off.length) return null;
  const cards = listed(off.map(({ card }) => [article(card) + rankWord(card)]), ", ", gettext(" and ")).join("");
  return fill(gettext("%(before)s before laying off %(cards)s"), { before: hand.before, cards });
}

const TOTALS = {
  knock: () => gettext("Points for the knock"), gin: () => gettext("Points for gin"),
  big_gin: () => gettext("Points for big gin"), undercut: () => gettext("Points for the undercut"),
};

function bonusName(kind) {
  return { gin: gettext("Gin"), big_gin: gettext("Big gin"), undercut: gettext("Undercut") }[kind];
}

/** The sum of one scored hand, line by line; null where there is nothing to add up. */
export function calculation(view) {
  const line = view.hand_line;
  const result = view.hand.result;
  if (!line || !result || line.kind === "first_knock") return null;
  const knocker = result.hands.find((hand) => hand.seat === result.knocker);
  const defender = result.hands.find((hand) => hand.seat !== result.knocker);
  const rows = [];
  if (line.kind === "undercut") {
    rows.push(row(deadwoodOf(view, knocker.seat), `${knocker.deadwood}`));
    rows.push(row(deadwoodOf(view, defender.seat), minus(defender.deadwood), { small: laidOffNote(defender) }));
  } else {
    rows.push(row(deadwoodOf(view, defender.seat), `${defender.deadwood}`, { small: laidOffNote(defender) }));
    if (line.kind === "knock") rows.push(row(deadwoodOf(view, knocker.seat), minus(knocker.deadwood)));
  }
  if (line.bonus) rows.push(row(bonusName(line.kind) ?? gettext("Bonus"), plus(line.bonus)));
  if (line.multiplier > 1) {
    rows.push(row(gettext("Spade turned up, points doubled"), `× ${line.multiplier}`));
  }
  rows.push(row(TOTALS[line.kind]?.() ?? gettext("Points"), `${line.points}`, { total: true }));
  return el("dl", { class: "calc" }, rows);
}

/** The head of the result: "You score 7 points". */
export function headline(view) {
  const line = view.hand_line;
  if (!line) return gettext("Void hand");
  const values = { count: line.points, name: nameOf(view, line.seat) };
  if (line.kind === "first_knock") {
    return isMe(view, line.seat) ? gettext("You win the hand")
      : fill(gettext("%(name)s wins the hand"), values);
  }
  if (line.points === 0) {
    return isMe(view, line.seat) ? gettext("You win the hand, without points")
      : fill(gettext("%(name)s wins the hand, without points"), values);
  }
  return isMe(view, line.seat)
    ? fill(ngettext("You score %(count)s point", "You score %(count)s points", line.points), values)
    : fill(ngettext("%(name)s scores %(count)s point", "%(name)s scores %(count)s points", line.points), values);
}

/** What happened, in sentences, as pieces. */
export function account(view) {
  const result = view.hand.result;
  if (result.end === "void") return voidAccount(view);
  const me = isMe(view, result.knocker);
  const name = nameOf(view, result.knocker);
  const deadwood = result.knocker_deadwood;
  if (result.end === "big_gin") return pieces(me ? gettext("You declare big gin.") : gettext("%(name)s declares big gin."), { name });
  if (result.end === "gin") return pieces(me ? gettext("You go gin.") : gettext("%(name)s goes gin."), { name });
  if (result.end === "first_knock") {
    return pieces(me ? gettext("You knock first.") : gettext("%(name)s knocks first."), { name });
  }
  return [
    ...pieces(me ? gettext("You knock with %(deadwood)s.") : gettext("%(name)s knocks with %(deadwood)s."),
      { name, deadwood }),
    ...defence(view, result),
  ];
}

function defence(view, result) {
  const hand = result.hands.find((other) => other.seat !== result.knocker);
  const me = isMe(view, hand.seat);
  const values = { name: nameOf(view, hand.seat), left: hand.deadwood };
  const parts = [];
  if (hand.laid_off?.length) {
    const cards = listed(hand.laid_off.map(({ card }) => theCard(card)), ", ", gettext(" and "));
    parts.push(" ", ...pieces(me ? gettext("You lay off %(cards)s.") : gettext("%(name)s lays off %(cards)s."),
      { ...values, cards }));
  }
  parts.push(" ", ...pieces(me ? gettext("You are left with %(left)s.") : gettext("%(name)s is left with %(left)s."), values));
  if (result.end === "undercut") {
    parts.push(" ", result.knocker_deadwood === result.defender_deadwood
      ? gettext("It is a tie: the defender scores.")
      : gettext("That is an undercut: the defender scores."));
  }
  return parts;
}

function voidAccount(view) {
  const why = view.hand.stock <= 2 ? gettext("The stock is used up: nobody scores.")
    : gettext("Fifty turns without drawing from the stock: nobody scores.");
  const dealer = view.hand.dealer;
  const next = isMe(view, dealer) ? gettext("You deal again.")
    : fill(gettext("%(name)s deals again."), { name: nameOf(view, dealer) });
  return [why, " ", next];
}

/** Both players' points after the hand, the gain beside. */
export function standing(view) {
  const line = view.hand_line;
  return el("div", { class: "after num" }, ownFirst(view).map((entry) =>
    el("div", { "data-after": entry.seat },
      el("span", { class: "small" }, called(view, entry.seat)),
      el("b", {}, `${entry.points}`,
        line && line.seat === entry.seat ? el("span", { class: "up" }, `+${line.points}`) : null))));
}
