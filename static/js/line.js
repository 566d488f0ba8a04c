/* Three or four at one table: who is next, and how to get in line. And who only watches. */

import { el, hidden, icon, put } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { isMe, nameOf } from "./people.js";

const ROTATIONS = {
  loser: () => gettext("The loser makes room for the next in line."),
  winner: () => gettext("The winner makes room for the next in line."),
  each: () => gettext("Each in turn makes room for the next in line."),
};

export const rotates = (view) => (view.rotation ?? "none") in ROTATIONS;

const inLine = (view) => (view.line ?? []).some((entry) => entry.you);

/** The button to get in line or to leave it; none for who plays, nor for who is no member. */
export function lineButton(view, look, busy = false) {
  if (!rotates(view) || view.seat !== null || view.room.invite === null) return null;
  const act = inLine(view) ? "step-out" : "line-up";
  return el("button", { class: `btn ${look}`, type: "button", "data-act": act, "aria-disabled": busy ? "true" : null },
    inLine(view) ? gettext("Leave the line") : gettext("Get in line"));
}

const noted = (text) => el("p", { class: "ok-line", role: "status" }, text);

/** The button that asks for the next game, on the terms that stand beside it. */
export const again = (view, look, busy, text) => el("button", {
  class: `btn ${look}`, type: "button", "data-act": "rematch", "data-terms": view.following?.terms ?? "",
  "aria-disabled": busy ? "true" : null,
}, text);

/** What is agreed to by asking for the next game; nothing where nothing is staked, as before. */
export function following(view) {
  const next = view.following;
  if (!next || (next.same && !next.staked)) return null;
  return el("p", { class: next.same ? "small offered" : "ok-line offered", role: next.same ? null : "status" },
    fill(next.same ? gettext("The next game: %(words)s.") : gettext("The next game is not like the last one: %(words)s."), next));
}

/** After a game where turns are taken: who changes places, and what the reader can do about it. */
export function changing(view, busy) {
  const { out, name, you, ready } = view.next;
  const leaver = nameOf(view, out);
  const own = view.seats.find((entry) => isMe(view, entry.seat));
  if (you) {
    return [noted(fill(gettext("Your turn: you take the place of %(name)s."), { name: leaver })),
      following(view), ready ? noted(gettext("Noted, you are ready.")) : again(view, "btn-brass btn-lg", busy, gettext("Take the seat")),
      lineButton(view, "btn-quiet", busy)];
  }
  if (!own) return [noted(fill(gettext("%(comer)s takes the place of %(name)s."), { comer: name, name: leaver })),
    lineButton(view, "btn-1", busy)];
  if (own.seat === out) {
    return [noted(fill(gettext("You make room for %(name)s and go to the end of the line."), { name })),
      following(view), own.rematch ? noted(fill(gettext("If %(name)s does not come within a minute, ask again and you two play on."), { name }))
        : again(view, "btn-quiet", busy, fill(gettext("Play on if %(name)s does not come"), { name }))];
  }
  return [noted(fill(gettext("%(comer)s takes the place of %(name)s."), { comer: name, name: leaver })),
    following(view), ready ? noted(fill(gettext("%(name)s is ready."), { name })) : null,
    own.rematch ? noted(fill(gettext("Noted; waiting for %(name)s."), { name })) : null,
    own.rematch && ready ? null : again(view, own.rematch ? "btn-quiet" : "btn-1 btn-lg", busy, gettext("Next game"))];
}

/** Who waits, in order, and what makes room. */
export function lineList(view) {
  if (!rotates(view)) return null;
  const line = view.line ?? [];
  return el("div", { class: "line" },
    el("p", { class: "small" }, el("b", {}, gettext("Next in line")), " ",
      line.length ? null : gettext("nobody yet")),
    line.length ? el("ol", {}, line.map((entry) => el("li", {}, entry.you ? gettext("You") : entry.name,
      entry.guest && !entry.you ? [" ", el("small", { class: "guest" }, gettext("guest"))] : null))) : null,
    el("p", { class: "small" }, ROTATIONS[view.rotation]()));
}

/** How many watch, in the bar. */
export function drawWatching(box, view) {
  const count = view.spectators ?? 0;
  box.hidden = !count;
  put(box, icon("eye"), el("span", { "aria-hidden": "true" }, `${count}`),
    hidden(fill(ngettext("%(count)s person watches", "%(count)s people watch", count), { count })));
}
