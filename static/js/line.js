/* Three or four at one table: who is next, and how to get in line. And who only watches. */

import { el, hidden, icon, put } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";

const ROTATIONS = {
  loser: () => gettext("The loser makes room for the next in line."),
  winner: () => gettext("The winner makes room for the next in line."),
  each: () => gettext("Each in turn makes room for the next in line."),
};

export const rotates = (view) => (view.rotation ?? "none") in ROTATIONS;

const inLine = (view) => (view.line ?? []).some((entry) => entry.you);

/** The button to get in line or to leave it; none for who plays. */
export function lineButton(view, look, busy = false) {
  if (!rotates(view) || view.seat !== null) return null;
  const act = inLine(view) ? "step-out" : "line-up";
  return el("button", { class: `btn ${look}`, type: "button", "data-act": act, "aria-disabled": busy ? "true" : null },
    inLine(view) ? gettext("Leave the line") : gettext("Get in line"));
}

/** Who waits, in order, and what makes room. */
export function lineList(view) {
  if (!rotates(view)) return null;
  const line = view.line ?? [];
  return el("div", { class: "line" },
    el("p", { class: "small" }, el("b", {}, gettext("Next in line")), " ",
      line.length ? null : gettext("nobody yet")),
    line.length ? el("ol", {}, line.map((entry) => el("li", {}, entry.you ? gettext("You") : entry.name))) : null,
    el("p", { class: "small" }, ROTATIONS[view.rotation]()));
}

/** How many watch, in the bar. */
export function drawWatching(box, view) {
  const count = view.spectators ?? 0;
  box.hidden = !count;
  put(box, icon("eye"), el("span", { "aria-hidden": "true" }, `${count}`),
    hidden(fill(ngettext("%(count)s person watches", "%(count)s people watch", count), { count })));
}
