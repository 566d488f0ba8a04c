/* The totals and the running sheet, drawn from the state and the hands still to be sent. */

import { el, hidden, put } from "../dom.js";
import { fill, gettext, ngettext } from "../i18n.js";
import { inWords } from "./words.js";

const pencil = "✎";

/** The two totals, with the hands won and who deals. */
export function drawTotals(box, state, view) {
  put(box, state.names.map((name, seat) => el("div", {},
    el("span", { class: "n" }, el("span", { class: "nm" }, el("span", {}, name),
      !state.over && view.dealer === seat && el("span", { class: "dealer", title: gettext("Dealer") },
        el("span", { "aria-hidden": "true" }, gettext("D")), hidden(gettext("Dealer")))), el("small", {},
      fill(ngettext("%(number)s hand", "%(number)s hands", view.won[seat]), { number: view.won[seat] }))),
    el("b", {}, String(view.points[seat])))));
}

function cells(state, hand) {
  return state.names.map((_name, seat) => el("td", { class: "c" }, hand.winner === seat
    ? el("span", { class: "cell" }, el("span", { class: "p" }, `+${hand.points}`), el("span", { class: "run" }, String(hand.run)))
    : el("span", { class: "dash" }, el("span", { "aria-hidden": "true" }, "·"), hidden(gettext("nothing")))));
}

function row(state, hand, pending) {
  const [what, rest] = pending ? inWords(hand) : [hand.what, hand.rest];
  const times = pending && hand.times > 1 ? ` × ${hand.times}` : "";
  const label = fill(gettext("Correct hand %(number)s"), { number: hand.number });
  const link = state.keeper && !pending && el("a", {
    class: "fix", href: `/pad/${state.pad}/hands/${hand.number}/`, "data-online": true, "aria-label": label, title: label,
  }, pencil);
  return el("tr", { class: [hand.kind === "void" && "void", pending && "wait"].filter(Boolean).join(" ") || null },
    el("th", { class: "n", scope: "row" }, String(hand.number)),
    el("td", { class: "e" }, el("span", { class: "row-e" }, el("span", {}, el("b", {}, what), rest && ` ${rest}${times}`,
      hand.trace && el("small", {}, hand.trace),
      pending && el("span", { class: "tag tag-you" }, gettext("waiting to be sent"))), link)),
    cells(state, hand));
}

function bonus(state, each) {
  return el("tr", { class: "bonus" }, el("td", { class: "n" }),
    el("th", { class: "e", scope: "row" }, el("b", {}, each.what), each.rest && ` ${each.rest}`),
    each.cells.map((points) => el("td", { class: "c" }, points === null
      ? el("span", { class: "dash" }, el("span", { "aria-hidden": "true" }, "–"), hidden(gettext("nothing")))
      : el("span", { class: "cell" }, el("span", { class: "run" }, String(points))))));
}

/** The rows of the sheet, pending hands last, then its end. */
export function drawPaper(body, state, view) {
  const { over } = state;
  const rows = [...state.hands.map((hand) => row(state, hand, false)), ...view.hands.map((hand) => row(state, hand, true))];
  const gone = state.gone.map((said) => el("tr", { class: "gone" }, el("td", { class: "n" }),
    el("td", { class: "e", colspan: 3 }, el("del", {}, said), el("small", {}, gettext("taken out")))));
  const none = el("tr", { class: "void" }, el("td", { class: "n" }), el("td", { class: "e", colspan: 3 }, gettext("No hand yet.")));
  put(body, rows.length ? rows : none, gone,
    over && [
      el("tr", { class: "goal" }, el("td", { class: "n" }), el("td", { colspan: 3 }, over.ending)),
      over.bonuses.map((each) => bonus(state, each)),
      over.pending && el("tr", { class: "bonus void" }, el("td", { class: "n" }), el("td", { class: "e", colspan: 3 }, gettext("bonuses being written"))),
      el("tr", { class: "tot-row" }, el("td", { class: "n" }), el("th", { scope: "row" }, gettext("Total")),
        over.totals.map((total) => el("td", { class: "c" }, el("span", { class: "cell" }, el("span", { class: "run" }, String(total)))))),
    ]);
}
