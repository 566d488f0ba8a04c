/* The end of a game: every bonus line, the totals, who won and why. */

import { el } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { called, isMe, nameOf, ownFirst } from "./people.js";

const MINUS = "−";
const END_KINDS = ["line", "game", "shutout", "correction"];

const signed = (number) => (number < 0 ? `${MINUS}${-number}` : `${number}`);

/** Whether the game was one hand, won by knocking first: then there is nothing to add up. */
const byFirstKnock = (view) => view.end.how === "target" && view.hand_line?.kind === "first_knock";

/** "You win the game by 200 points", whoever it is and however it came. */
export function verdict(view) {
  const { how, by, winner, totals } = view.end;
  if (how === "called_off" || how === "voided") return gettext("Game called off");
  if (winner === null || winner === undefined) return gettext("End of the game");
  const me = isMe(view, winner);
  const name = nameOf(view, winner);
  if ((how !== "target" && by !== null) || byFirstKnock(view)) {
    return me ? gettext("You win the game") : fill(gettext("%(name)s wins the game"), { name });
  }
  const other = Math.max(...totals.filter((_, seat) => seat !== winner));
  const count = totals[winner] - other;
  if (count <= 0) return me ? gettext("You win the game") : fill(gettext("%(name)s wins the game"), { name });
  return me
    ? fill(ngettext("You win the game by %(count)s point", "You win the game by %(count)s points", count), { count })
    : fill(ngettext("%(name)s wins the game by %(count)s point", "%(name)s wins the game by %(count)s points", count),
      { name, count });
}

/* One player left, and so the other wins. */
const LEFT = {
  resigned: (me, who) => (me ? gettext("You resigned.") : fill(gettext("%(name)s resigned."), who)),
  claimed: (me, who) => (me ? gettext("You left the table; the game was claimed.")
    : fill(gettext("%(name)s left the table; the game was claimed."), who)),
  time: (me, who) => (me ? gettext("Your time ran out; the game was claimed.")
    : fill(gettext("The time of %(name)s ran out; the game was claimed."), who)),
};

/** Why it is over, and why the winner is who it is. */
export function reasons(view) {
  const { how, by, reached, winner } = view.end;
  const sentences = [];
  if (how in LEFT && by !== null) sentences.push(LEFT[how](isMe(view, by), { name: nameOf(view, by) }));
  if (how === "called_off" || how === "voided") sentences.push(gettext("Nobody wins; the sheet stays readable."));
  if (byFirstKnock(view)) {
    sentences.push(isMe(view, reached) ? gettext("You knock first.")
      : fill(gettext("%(name)s knocks first."), { name: nameOf(view, reached) }));
  } else if (how === "target" && reached !== null && reached !== undefined) {
    const target = view.game?.target ?? "";
    sentences.push(isMe(view, reached)
      ? fill(gettext("You reached the target of %(target)s."), { target })
      : fill(gettext("%(name)s reached the target of %(target)s."), { name: nameOf(view, reached), target }));
    if (winner !== null && winner !== undefined && winner !== reached) {
      sentences.push(isMe(view, winner) ? gettext("But your total with the bonuses is higher.")
        : fill(gettext("But %(name)s’s total with the bonuses is higher."), { name: nameOf(view, winner) }));
    }
  }
  if (!view.end.bonuses_written) sentences.push(gettext("Bonuses are being written."));
  return sentences;
}

function lineName(kind) {
  return {
    line: gettext("Line bonus"), game: gettext("Game bonus"),
    shutout: gettext("Shutout"), correction: gettext("Correction"),
  }[kind];
}

function cells(view, values) {
  return ownFirst(view).map((entry) => el("td", { class: "r num" }, values[entry.seat] ?? "–"));
}

/** "4 × 25" under the line bonus, when it can be told. */
function detail(view, lines) {
  const parts = lines.flatMap((line) => {
    const won = view.seats.find((entry) => entry.seat === line.seat)?.hands_won;
    if (line.kind !== "line" || !won || line.base % won) return [];
    return [`${called(view, line.seat)} ${won} × ${line.base / won}`];
  });
  return parts.length ? el("small", {}, parts.join(", ")) : null;
}

function bonusRow(view, kind) {
  const lines = view.end.lines.filter((line) => line.kind === kind);
  if (!lines.length) return null;
  const values = {};
  for (const line of lines) values[line.seat] = (values[line.seat] ?? 0) + line.points;
  const texts = Object.fromEntries(Object.entries(values).map(([seat, points]) => [seat, signed(points)]));
  return el("tr", { "data-line": kind },
    el("th", { scope: "row" }, lineName(kind), detail(view, lines)), cells(view, texts));
}

/** The table of totals: points of the hands, each bonus, the sum. */
export function totalsTable(view) {
  if (byFirstKnock(view)) return null;
  const { hand_points: hands, totals, bonuses_written: written } = view.end;
  return el("table", { class: "totals" },
    el("thead", {}, el("tr", {}, el("td"),
      ownFirst(view).map((entry) => el("th", { scope: "col", class: "r" }, called(view, entry.seat))))),
    el("tbody", {},
      el("tr", {}, el("th", { scope: "row" }, gettext("Points of the hands")), cells(view, hands)),
      END_KINDS.map((kind) => bonusRow(view, kind)),
      written ? null : el("tr", { class: "pending" },
        el("th", { scope: "row", colspan: view.seats.length + 1 }, gettext("Bonuses being written…")))),
    el("tfoot", {}, el("tr", { class: "t" },
      el("th", { scope: "row" }, gettext("Total")), cells(view, totals))));
}

/** What the game came to in chips, and how: the server's words and figures, laid out. */
export function chipsOf(view) {
  const { chips } = view.end;
  if (!chips) return null;
  return el("section", { class: "chips-of", "aria-label": gettext("Chips") },
    el("h2", {}, chips.verdict),
    chips.pending ? el("p", { class: "pending" }, gettext("Bonuses being written…")) : null,
    el("dl", { class: "calc" }, chips.sums.map((sum) =>
      el("div", { class: sum.total ? "t" : null }, el("dt", {}, sum.label), el("dd", { class: "num" }, sum.amount)))));
}
