/* The buttons beside one's hand: sort it, or move the card that is raised, without dragging. */

import { el, hidden, icon, put } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { SORTS, sortName } from "./order.js";
import { asText, pieces, theCard } from "./sentence.js";

const step = (card, act, picture, words) => el("button", {
  class: "btn btn-felt step", type: "button", "data-act": act,
}, icon(picture), hidden(asText(pieces(words, { card: theCard(card) }))));

/** To the left, to the right: for the card chosen or raised. */
const steps = (card) => [
  step(card, "card-left", "back", gettext("Move %(card)s to the left")),
  step(card, "card-right", "on", gettext("Move %(card)s to the right")),
];

/** Draw them; there is nothing to sort for someone who only watches. */
export function drawSort(box, view, { chosen, sort }) {
  if (!view.hand.held) return put(box);
  box.classList.toggle("moving", Boolean(chosen));
  return put(box, chosen ? steps(chosen) : null,
    el("button", { class: "btn btn-felt sort1", type: "button", "data-act": "sort",
      "aria-label": fill(gettext("Sort the hand, now by: %(order)s"), { order: sortName(sort) }) },
    gettext("Sort"), el("small", {}, sortName(sort))),
    el("span", { class: "seg", role: "group", "aria-label": gettext("Sort the hand") },
      SORTS.map((one) => el("button", { type: "button", "data-act": "sort-by", "data-sort": one,
        "aria-pressed": String(one === sort) }, sortName(one)))));
}
