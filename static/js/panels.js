/* What asks for an answer beside the game: an offer, an absence, a game put aside. One at a time. */

import { absencePanel, adjournedPanel } from "./absence.js";
import { el, put } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { isMe, nameOf } from "./people.js";

const SETTLES = 600; // a touch meant for what lay here before answers nothing

function callOffPanel(view) {
  const { call_off: offer } = view;
  if (!offer || !["playing", "between"].includes(view.state)) return null;
  const name = nameOf(view, offer.by);
  if (isMe(view, offer.by)) {
    return {
      name: "call-off-mine",
      words: gettext("You offer to call the game off."),
      buttons: [["call-off-refuse", "btn-felt", gettext("Take back")]],
    };
  }
  return {
    name: "call-off",
    words: fill(gettext("%(name)s offers to call the game off."), { name }),
    buttons: view.seat === null ? [] : [
      ["call-off-refuse", "btn-felt", gettext("Refuse")],
      ["call-off-accept", "btn-brass", gettext("Accept")],
    ],
  };
}

/** The panel of the present view: its name, its words, its buttons; or null. */
export function panelOf(view, now) {
  const offer = callOffPanel(view);
  if (offer?.name === "call-off" && view.seat !== null) return offer;
  return adjournedPanel(view) ?? absencePanel(view, now) ?? offer;
}

const button = ([act, look, words], busy) => el("button", {
  class: `btn ${look}`, type: "button", "data-act": act, "aria-disabled": busy ? "true" : null,
}, words);

export class Panels {
  constructor() {
    this.shown = "";
    this.since = 0;
  }

  /** Draw the panel into its box. */
  draw(box, view, { now, busy }) {
    const panel = panelOf(view, now);
    if (panel && panel.name !== this.shown) this.since = Date.now();
    this.shown = panel?.name ?? "";
    if (!box) return;
    box.hidden = !panel;
    box.dataset.panel = this.shown;
    put(box, panel ? [el("p", {}, panel.words),
      panel.buttons.length ? el("div", { class: "answers" }, panel.buttons.map((one) => button(one, busy))) : null] : null);
  }

  /** Whether a touch on a panel can have been meant. */
  meant() {
    return Date.now() - this.since > SETTLES;
  }
}

/** What a panel that has just come up says, for the screen reader. */
export function spokenPanel(before, view) {
  const panel = panelOf(view, view.now);
  if (!panel || panel.name === panelOf(before, before.now)?.name) return "";
  return panel.words;
}
