/* A hand in words: on the sheet, in the footer, and its arithmetic before it is written. */

import { fill, gettext, ngettext, pgettext } from "../i18n.js";

const other = (seat) => (seat === 0 ? 1 : 0);

/** [name, rest] as the sheet writes them. */
export function inWords(hand) {
  const { knocker, defender } = hand;
  const [what, rest] = {
    knock: [pgettext("sheet", "Knock"), gettext("%(knocker)s against %(defender)s")],
    gin: [pgettext("sheet", "Gin"), gettext("against %(defender)s")],
    big_gin: [pgettext("sheet", "Big gin"), gettext("against %(defender)s")],
    undercut: [pgettext("sheet", "Undercut"), gettext("%(defender)s against %(knocker)s")],
    first_knock: [pgettext("sheet", "First to knock"), gettext("with %(knocker)s")],
  }[hand.kind] ?? [gettext("Void, the stock ran out"), ""];
  return [what, fill(rest, { knocker, defender })];
}

/** “Léo knocks with 7”: who ended the hand, and how. */
export function ended(names, { finisher, how, knocker }) {
  const name = names[finisher];
  if (how === "void") return gettext("Void hand");
  if (how === "gin") return fill(gettext("%(name)s has gin"), { name });
  if (how === "big_gin") return fill(gettext("%(name)s has big gin"), { name });
  return fill(gettext("%(name)s knocks with %(knocker)s"), { name, knocker });
}

/** “Hand 7: Léo, Knock 3 against 24”, for the footer and for copying. */
export function told(names, hand) {
  const number = fill(gettext("Hand %(number)s:"), { number: hand.number });
  const what = inWords(hand).join(" ").trim().toLocaleLowerCase();
  return `${number} ${hand.winner === null ? "" : `${names[hand.winner]}, `}${what}`;
}

/** What was added up, and to what: “Camille 21 − Léo 4”, and the line's points. */
export function sum(names, hand, line) {
  if (!line) return "";
  const [own, their] = [names[line.seat], names[other(line.seat)]];
  let left = "";
  if (hand.kind === "knock") left = `${their} ${hand.defender} − ${own} ${hand.knocker}`;
  if (hand.kind === "undercut") {
    left = `${their} ${hand.knocker} − ${own} ${hand.defender}`;
    if (line.bonus) left += ` + ${fill(gettext("%(bonus)s for the undercut"), { bonus: line.bonus })}`;
  }
  if (hand.kind === "gin") left = `${their} ${hand.defender} + ${fill(gettext("%(bonus)s for gin"), { bonus: line.bonus })}`;
  if (hand.kind === "big_gin") left = `${their} ${hand.defender} + ${fill(gettext("%(bonus)s for big gin"), { bonus: line.bonus })}`;
  if (line.times !== 1) left = `(${left}) × ${line.times}`;
  const figures = { sum: left, points: line.points, winner: own };
  if (left) return fill(gettext("%(sum)s = %(points)s for %(winner)s"), figures);
  return fill(ngettext("%(points)s point for %(winner)s", "%(points)s points for %(winner)s", line.points), figures);
}
