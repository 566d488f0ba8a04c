/* Who is here: the mark beside a name, what one may do when the other is gone, a game put aside. */

import { el, hidden } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { isMe, nameOf } from "./people.js";

const gone = new Map(); // seat -> when this page first saw it empty, by the server's time

/** Note who is away, so that it can be said since when. */
export function notePresence(view) {
  (view.present ?? []).forEach((here, seat) => {
    if (here) gone.delete(seat);
    else if (!gone.has(seat)) gone.set(seat, view.now);
  });
}

const counts = (view) => view.state === "playing" || view.state === "between";

export const isAway = (view, seat) => counts(view) && view.present?.[seat] === false && !isMe(view, seat);

/** "away for 2 min", or nothing. */
export function awayWords(view, seat, now) {
  if (!isAway(view, seat)) return "";
  const since = view.absence?.seat === seat ? view.absence.since : gone.get(seat) ?? now;
  const minutes = Math.floor(Math.max(0, now - since) / 60_000);
  if (!minutes) return gettext("away");
  return fill(gettext("away for %(minutes)s min"), { minutes });
}

/** The dot beside a name: full when here, a ring when away, and the word for it. */
export function presenceMark(view, seat) {
  if (!counts(view) || view.present?.[seat] === undefined) return null;
  const here = view.present[seat] || isMe(view, seat);
  return el("span", { class: here ? "here" : "here not" }, hidden(here ? gettext("present") : gettext("away")));
}

/** Moves the clock made for a seat, in a row. */
export function timeoutWords(view, seat) {
  const count = view.timeouts?.[seat] ?? 0;
  if (!count || !view.clock || view.state !== "playing") return "";
  return fill(gettext("out of time ×%(count)s"), { count });
}

const CHOICES = {
  wait: ["btn-felt", () => gettext("Wait")],
  adjourn: ["btn-felt", () => gettext("Adjourn")],
  claim: ["btn-brass", () => gettext("Claim the game")],
};

/** The panel for whoever the other has left alone. */
export function absencePanel(view, now) {
  const { absence } = view;
  if (!absence || view.seat === null || absence.seat === view.seat || view.adjourned) return null;
  const choices = (absence.choices ?? []).filter((choice) => choice in CHOICES);
  if (!choices.length) return null;
  const name = nameOf(view, absence.seat);
  const minutes = Math.floor(Math.max(0, now - absence.since) / 60_000);
  return {
    name: "absence",
    words: absence.why !== "time"
      ? fill(ngettext("%(name)s has been away for %(minutes)s minute.",
        "%(name)s has been away for %(minutes)s minutes.", minutes), { name, minutes })
      : fill(gettext("%(name)s let the clock play three turns in a row."), { name }),
    buttons: choices.map((choice) => [choice, CHOICES[choice][0], CHOICES[choice][1]()]),
  };
}

/** Whether an absence may offer something by now, which only a look can tell. */
export const offersSoon = (view, now) =>
  Boolean(view.absence_at) && !view.absence && view.state === "playing" && now > view.absence_at + 700;

/** The panel of a game put aside. */
export function adjournedPanel(view) {
  if (!view.adjourned || view.state === "finished") return null;
  return {
    name: "adjourned",
    words: gettext("Game adjourned. The clock stands still; take it up again any day."),
    buttons: view.seat === null ? [] : [
      ...(view.computer ? [["computer", "btn-felt", gettext("Against the computer")]] : []),
      ["resume", "btn-brass", gettext("Resume")],
    ],
  };
}
