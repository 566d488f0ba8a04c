/* The discards, where the room lets everybody look through them: the last one first. */

import { name, shown } from "./cards.js";
import { el, put } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";

/** Whether the whole pile may be seen, and there is more than its top. */
export const canBrowse = (hand) => (hand?.pile?.length ?? 0) > 1;

/** The button beside the pile. */
export function browseButton(hand) {
  if (!canBrowse(hand)) return null;
  return el("button", { class: "btn btn-felt browse", type: "button", "data-act": "discards", "aria-haspopup": "dialog" },
    fill(gettext("See all %(count)s"), { count: hand.pile.length }));
}

/** Fill the dialog with the pile; it may be open. */
export function drawDiscards(dialog, hand) {
  const pile = hand?.pile ?? [];
  put(dialog, el("form", { method: "dialog" },
    el("h3", { id: "discards-title" }, fill(ngettext("%(count)s discarded card", "%(count)s discarded cards", pile.length), { count: pile.length })),
    el("p", { class: "small" }, gettext("The card on top comes first.")),
    el("ol", { class: "pilelist", tabindex: "0", "aria-labelledby": "discards-title" },
      pile.map((card) => el("li", {}, shown(card, name(card))))),
    el("div", { class: "rowx" }, el("button", { class: "btn btn-1", value: "close" }, gettext("Close")))));
}
