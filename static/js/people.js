/* Who sits where, as the reader sees it: "you" below, the others above. */

import { gettext, pgettext } from "./i18n.js";

export const nameOf = (view, seat) =>
  view.seats.find((entry) => entry.seat === seat)?.name ?? gettext("Player");

/** "of Camille"; French elides before a vowel. */
export function ofName(view, seat) {
  const name = nameOf(view, seat);
  const vowel = /^[aeiouyh]/i.test(name.normalize("NFD"));
  return (vowel ? pgettext("before a vowel", "of ") : pgettext("before a consonant", "of ")) + name;
}

export const isMe = (view, seat) => view.seat !== null && view.seat === seat;

/** "You" for the reader, the name for anyone else. */
export const called = (view, seat) =>
  isMe(view, seat) ? gettext("You") : nameOf(view, seat);

/** The seat drawn below: the reader's own, or the first for someone who only watches. */
export const below = (view) => view.seat ?? view.seats[0]?.seat ?? 0;

export const above = (view) => view.seats.filter((entry) => entry.seat !== below(view));

/** Everybody, the reader (or the lower seat) first. */
export const ownFirst = (view) =>
  [...view.seats.filter((entry) => entry.seat === below(view)), ...above(view)];

export const entryOf = (view, seat) => view.seats.find((entry) => entry.seat === seat);

/** What tells a guest and the computer from others. */
export function kindOf(view, seat) {
  const entry = entryOf(view, seat);
  if (entry?.bot) return gettext("computer");
  return entry?.guest && !isMe(view, seat) ? gettext("guest") : "";
}

export const myTurn = (view) =>
  view.state === "playing" && view.seat !== null && !view.adjourned && view.hand?.to_act === view.seat;
