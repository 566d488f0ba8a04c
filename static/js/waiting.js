/* The table before its second player: the link to send, or the seat to take. */

import { el, put } from "./dom.js";
import { fill, gettext } from "./i18n.js";

/** Where a friend reaches this site: the page knows it better than the address bar. */
const origin = () => document.querySelector("[data-origin]").dataset.origin || location.origin;

function inviting(view) {
  const link = view.room.invite ? new URL(view.room.invite, origin()).href : "";
  return [
    el("p", {}, gettext("Send this link to the person you want to play with.")),
    link ? el("div", { class: "linkrow" },
      el("input", { class: "in", id: "invite", readonly: true, value: link, "aria-label": gettext("Invitation link") }),
      el("button", { class: "btn btn-brass", type: "button", "data-act": "copy" }, gettext("Copy"))) : null,
    view.room.code ? el("p", { class: "code" }, gettext("Or the code"), " ",
      el("b", { class: "num", "data-code": "" }, view.room.code)) : null,
  ];
}

/** Usually gone within a second; a browser that is silent is waited for no longer than said. */
function shuffling(view) {
  const missing = view.seats.filter(({ seat }) => !view.shuffle.given[seat] && seat !== view.seat);
  return [el("h1", {}, gettext("The cards are being shuffled")),
    el("p", { role: "status" }, gettext("Each browser adds its share of chance: nobody can choose the order of the deck.")),
    missing.length && view.seat !== null ? el("p", { class: "small" },
      fill(gettext("Waiting for the share of %(name)s, a few seconds at most."), { name: missing[0].name })) : null];
}

function panel(view, sitForm) {
  if (view.shuffle) return shuffling(view);
  const taken = view.seats.length;
  if (view.seat === null && taken < 2) {
    sitForm.hidden = false;
    sitForm.elements.terms.value = view.game.terms; // what stands below is what is agreed to
    return [el("h1", {}, gettext("A seat is free")),
      el("p", {}, taken ? fill(gettext("%(name)s is waiting for an opponent."), { name: view.seats[0].name })
        : gettext("Nobody sits here yet.")),
      sitForm];
  }
  if (taken >= 2) return [el("h1", {}, gettext("The game is about to start"))];
  return [el("h1", {}, gettext("Waiting for an opponent")), inviting(view), computerButton(view)];
}

const computerButton = (view) => (view.computer
  ? el("p", {}, gettext("Nobody there?"), " ", el("button", { class: "btn btn-felt", type: "button", "data-act": "computer" },
    gettext("Play against the computer"))) : null);

export function drawWaiting(stage, view, sitForm) {
  stage.className = "board empty";
  put(stage, el("section", { class: "felt waiting", "aria-label": gettext("Game table") },
    el("div", { class: "waitbox" }, panel(view, sitForm),
      el("p", { class: "small rulesline" }, view.game ? fill(gettext("%(rules)s, target %(target)s, %(stakes)s"), view.game) : ""))));
}

/** Copy the link; where the browser refuses, leave it selected for the reader to copy. */
export async function copyInvite(button, told) {
  const field = document.getElementById("invite");
  field.select();
  let done = false;
  try {
    await navigator.clipboard.writeText(field.value);
    done = true;
  } catch {
    done = document.execCommand("copy");
  }
  if (!done) return;
  button.textContent = gettext("Copied");
  told(gettext("Copied"));
  setTimeout(() => {
    button.textContent = gettext("Copy");
  }, 2500);
}
