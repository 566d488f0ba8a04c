/* What each button of the page does, by its `data-act`; pressed, it does it once. */

import { drawDiscards } from "./discards.js";
import { askPreferences } from "./preferences.js";
import { copyInvite } from "./waiting.js";

/** The deeds by name. `send(message)` waits for its answer, `retry()` opens the line. */
export function actionsOf(app, page, talk, { playing, holding, send, askHint, retry }) {
  const answer = (message) => page.panels.meant() && send(message);
  // Each names the game it was pressed for: what comes too late counts for no later one.
  const about = (verb) => ({ verb, ...(app.view.game?.id ? { game: app.view.game.id } : {}) });
  return {
    "draw-stock": () => playing.move("draw stock"),
    "draw-discard": () => playing.move("draw discard"),
    take: () => playing.move("draw discard"),
    pass: () => playing.move("pass"),
    discard: () => playing.discard(),
    knock: () => playing.knock(),
    gin: () => playing.gin(),
    "big-gin": () => playing.move("big gin"),
    "card-left": () => holding.nudge(-1),
    "card-right": () => holding.nudge(1),
    sort: () => holding.sortNext(),
    "sort-by": (button) => holding.sortBy(button.dataset.sort),
    ready: () => send({ ...about("ready"), hand: app.view.at[0] }),
    rematch: (button) => send({ ...about("rematch"), terms: button.dataset.terms }),
    resume: () => send(about("resume")),
    "line-up": () => send({ verb: "line_up" }),
    "step-out": () => send({ verb: "step_out" }),
    wait: () => answer(about("wait")),
    adjourn: () => answer(about("adjourn")),
    claim: () => page.panels.meant() && page.open("claim-dialog"),
    "claim-confirm": () => send(about("claim")),
    resign: () => page.open("resign-dialog"),
    "resign-confirm": () => send(about("resign")),
    "call-off-offer": () => page.open("call-off-dialog"),
    "call-off-send": () => send({ ...about("call_off"), answer: "offer" }),
    "call-off-accept": () => answer({ ...about("call_off"), answer: "accept" }),
    "call-off-refuse": () => answer({ ...about("call_off"), answer: "refuse" }),
    hint: askHint,
    computer: () => page.open("computer-dialog"),
    retry,
    copy: (button) => copyInvite(button, (text) => page.say(text)),
    menu: () => page.openMenu(),
    log: () => talk.open(),
    talk: () => talk.open(),
    preferences: () => {
      document.getElementById("menu-dialog").close();
      askPreferences(document.getElementById("preferences-dialog"), () => page.draw(), (words) => page.toast(words));
    },
    discards: () => {
      drawDiscards(document.getElementById("discards-dialog"), app.view.hand);
      page.open("discards-dialog");
    },
  };
}

/** Do what is pressed, unless it waits for an answer; a card of the hand is touched. */
export function listenPresses(actions, touch) {
  const act = (button) => {
    if (button.getAttribute("aria-disabled") !== "true") actions[button.dataset.act](button);
  };
  followMouse(act);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-act]");
    if (button && actions[button.dataset.act]) {
      act(button);
      return;
    }
    const card = event.target.closest(".hand [data-card]");
    if (card) touch(card.dataset.card);
  });
}

/** A view that comes in while the mouse is down draws its button anew, and the browser then makes a
    click on neither. A finger clicks on what lies under it when it is lifted. Not where the button
    says another thing by then, and not what was dragged (drag.js holds the pointer meanwhile). */
function followMouse(act) {
  const says = (button) => button && JSON.stringify({ ...button.dataset });
  let pressed = null;
  document.addEventListener("gotpointercapture", () => { pressed = null; });
  document.addEventListener("pointerdown", (event) => {
    const mouse = event.pointerType === "mouse" && event.button === 0;
    pressed = mouse ? event.target.closest("button[data-act]") : null;
  });
  document.addEventListener("pointerup", (event) => {
    const gone = pressed && !pressed.isConnected ? pressed : null;
    pressed = null;
    const now = document.elementFromPoint(event.clientX, event.clientY)?.closest("button[data-act]");
    if (gone && says(now) === says(gone)) act(now);
  });
}
