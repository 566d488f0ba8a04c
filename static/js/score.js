/* The score panel: both points against the target, and the hand before this one. */

import { isAway, presenceMark } from "./absence.js";
import { clockOf } from "./clock.js";
import { avatar, el, hidden, put, svg } from "./dom.js";
import { dealerMark } from "./felt.js";
import { fill, gettext } from "./i18n.js";
import { lineButton, lineList } from "./line.js";
import { above, below, called, entryOf, isMe, kindOf, nameOf } from "./people.js";

/** How a scored hand ended, in a few words: "knock 3 against 24". */
export function howScored(line) {
  if (line.knocker_deadwood === undefined || line.knocker_deadwood === null) return kindName(line);
  const figures = { knocker: line.knocker_deadwood, defender: line.defender_deadwood };
  switch (line.kind) {
    case "knock": return fill(gettext("knock %(knocker)s against %(defender)s"), figures);
    case "gin": return fill(gettext("gin against %(defender)s"), figures);
    case "big_gin": return fill(gettext("big gin against %(defender)s"), figures);
    case "undercut": return fill(gettext("undercut %(defender)s against %(knocker)s"), figures);
    default: return gettext("first to knock");
  }
}

function kindName(line) {
  return {
    knock: gettext("knock"), gin: gettext("gin"), big_gin: gettext("big gin"),
    undercut: gettext("undercut"),
  }[line.kind] ?? gettext("first to knock");
}

function bar(points, target) {
  const share = Math.max(0, Math.min(100, (100 * points) / Math.max(1, target)));
  return svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "t", width: "100", height: "8" }),
    svg("rect", { class: "f", width: String(share), height: "8" }));
}

function race(view, entry, mine) {
  const target = view.game?.target ?? 100;
  return el("div", { class: mine ? "race" : "race o", "data-seat": entry.seat },
    el("span", { class: "n" }, avatar(entry.name, entry.seat),
      isAway(view, entry.seat) ? presenceMark(view, entry.seat) : null,
      el("span", { class: "who1" }, called(view, entry.seat)), el("small", { class: "kind" }, kindOf(view, entry.seat)),
      mine && view.hand?.dealer === entry.seat ? dealerMark() : null, clockOf(view, entry.seat)),
    el("b", { "data-points": entry.seat }, `${entry.points}`,
      hidden(fill(gettext(" of %(target)s"), { target }))),
    bar(entry.points, target));
}

function before(view) {
  const line = view.previous;
  const sheet = view.sheet_url ? el("a", { href: view.sheet_url }, gettext("Sheet")) : null;
  if (!line) return sheet ? el("div", { class: "last" }, el("span"), sheet) : null;
  const format = isMe(view, line.seat)
    ? gettext("Hand %(hand)s, you") : gettext("Hand %(hand)s, %(name)s");
  return el("div", { class: "last" },
    el("span", {}, fill(format, { hand: line.hand, name: nameOf(view, line.seat) }), " ",
      el("b", { class: "num" }, `+${line.points}`), el("br"), howScored(line)),
    sheet);
}

/** Draw the panel into its section. */
export function drawScore(section, view) {
  const own = entryOf(view, below(view));
  put(section,
    el("div", { class: "head" },
      el("h2", { id: "sc" }, fill(gettext("Hand %(number)s"), { number: view.at[0] })),
      el("span", { class: "small muted" },
        fill(gettext("target %(target)s"), { target: view.game?.target ?? "" }))),
    view.game ? el("p", { class: view.game.staked ? "stake small" : "stake none small" }, view.game.stakes) : null,
    own ? race(view, own, true) : null,
    above(view).map((entry) => race(view, entry, false)),
    before(view),
    lineList(view) ? el("div", { class: "next" }, lineList(view), lineButton(view, "btn-quiet")) : null);
}
