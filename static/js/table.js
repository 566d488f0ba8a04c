/* The live table: holds the view, listens to the player, sends what the view calls legal. */

import { notePresence, offersSoon } from "./absence.js";
import { drawnFrom } from "./cards.js";
import { overdue } from "./clock.js";
import { drawDiscards } from "./discards.js";
import { Drag } from "./drag.js";
import { markChosen, moved, moveFocus, shownCards } from "./hand.js";
import { fill, gettext } from "./i18n.js";
import { listenKeys } from "./keys.js";
import { askKnock } from "./knock.js";
import { Order, SORTS } from "./order.js";
import { myTurn } from "./people.js";
import { askPreferences, followPreferences } from "./preferences.js";
import { announceChange, Render, timedOut } from "./render.js";
import { remember } from "./journal.js";
import { TableSocket } from "./socket.js";
import { soundOf } from "./sounds.js";
import { TalkBox } from "./talkbox.js";
import { clearTitle, tellTitle } from "./title.js";
import { copyInvite } from "./waiting.js";
import { bestKnock, bigGin, canDiscard, ginKnocks } from "./words.js";

const BUSY_AT_MOST = 3000;
const BONUS_LOOK = 3000;
const SECOND_TOUCH_AFTER = 600; // a double tap, or a key held down, throws nothing

const app = {
  view: JSON.parse(document.getElementById("first-view").textContent),
  chosen: null,
  touchedAt: 0,
  order: new Order((message) => socket?.send(message) ?? false),
  busyUntil: 0,
  line: { status: "connecting" },
  everOpen: false,
  turnSince: Date.now(),
  offset: 0,
};
let socket = null;

drawnFrom(document.body.querySelector("[data-cards]").dataset.cards);
const talk = new TalkBox((message) => socket?.send(message) ?? false);
const page = new Render(app, talk);

const busy = () => Date.now() < app.busyUntil;
const place = (view) => `${view.game?.id}/${view.at.join("/")}`;

function settled() {
  app.busyUntil = 0;
  clearTimeout(app.unbusy);
}

/** Take a view in, unless a newer one is already shown. */
function receive(view) {
  const before = app.view;
  if (view.version < before.version) return;
  app.offset = view.now - Date.now();
  const moved = place(view) !== place(before);
  const handedOver = moved && view.hand?.to_act !== before.hand?.to_act;
  if (moved) app.chosen = null;
  if (handedOver || view.at[0] !== before.at[0]) app.turnSince = Date.now();
  noteTime(view);
  settled();
  app.view = view;
  app.order.heard(view);
  const fresh = remember(view, before);
  page.draw(fresh);
  announceChange(page, before, view, fresh);
  const late = timedOut(before, view);
  if (late) page.toast(late);
  const called = tellTitle(view);
  soundOf(moved ? fresh : [], called || (handedOver && myTurn(view)));
  page.closeStale(moved);
}

/** What the view says of time and presence, by the server's clock. */
function noteTime(view) {
  notePresence(view);
  if (view.turn_since) app.turnSince = view.turn_since - app.offset;
}

function heard(message) {
  if (message.type === "table") receive(message);
  else if (message.type === "pong") {
    if (message.version > app.view.version) socket.send({ verb: "look" });
  } else if (talk.chat.receive(message)) {
    return;
  } else if (message.type === "refused") {
    settled();
    page.toast(message.sentence);
    page.draw();
  }
}

function lineChanged(line) {
  const was = app.line.status;
  app.line = line;
  if (line.status === "open") app.everOpen = true;
  if (line.why === "signed-out") {
    const here = encodeURIComponent(location.pathname);
    location.assign(`${document.body.querySelector("[data-signin]").dataset.signin}?next=${here}`);
    return;
  }
  if (line.status === "lost") settled();
  if (line.status === "open") setTimeout(() => app.order.again());
  page.drawLine();
  if (was !== line.status) page.draw();
}

/** The bell may have been lost though the move was stored: only a look can tell. */
function unanswered() {
  socket.send({ verb: "look" });
  page.draw();
}

/** Send one message and wait for its answer before another can leave. */
function send(message) {
  if (busy()) return;
  if (!socket.send(message)) {
    page.toast(gettext("Not connected: the move was not sent."));
    return;
  }
  app.busyUntil = Date.now() + BUSY_AT_MOST;
  app.unbusy = setTimeout(unanswered, BUSY_AT_MOST + 20);
  page.markBusy();
}

const move = (text) =>
  send({ move: text, at: app.view.at, ...(app.view.game?.id ? { game: app.view.game.id } : {}) });

const choosing = () => myTurn(app.view) && app.view.hand.phase === "discard";

function discard() {
  if (!choosing()) return;
  if (!app.chosen) page.toast(gettext("Choose a card first."));
  else move(`discard ${app.chosen}`);
}

function touchCard(card) {
  if (!choosing()) return;
  const hand = app.view.hand;
  if (!canDiscard(hand, card)) {
    page.toast(takenJustNow());
    return;
  }
  const meant = Date.now() - app.touchedAt > SECOND_TOUCH_AFTER;
  app.touchedAt = Date.now();
  if (app.chosen !== card) choose(card);
  else if (meant) discard();
}

function choose(card) {
  app.chosen = card;
  markChosen(page.hand, app.view.hand, card);
  page.drawActs();
}

function knock() {
  if (!choosing() || busy()) return;
  const hand = app.view.hand;
  if (ginKnocks(hand).length) return void gin();
  if (!bestKnock(hand)) return void page.toast(notYet(hand));
  askKnock(document.getElementById("knock-dialog"), hand, app.chosen, move);
}

const notYet = (hand) => (hand.gin_only
  ? fill(gettext("Not yet: %(left)s would be left, and only gin ends this hand."), { left: hand.after_best_discard })
  : fill(gettext("Not yet: %(left)s would be left, the limit is %(limit)s."),
    { left: hand.after_best_discard, limit: hand.knock_limit }));

function gin() {
  if (!choosing()) return;
  const knocks = ginKnocks(app.view.hand);
  if (knocks.length) {
    const best = knocks.find((entry) => entry.card === app.chosen) ?? knocks[0];
    move(`knock ${best.card}`);
  } else if (bigGin(app.view.hand)) move("big gin");
  else page.toast(fill(gettext("Not yet gin: %(left)s would be left."), { left: app.view.hand.after_best_discard }));
}

function sortBy(sort, cards = null) {
  app.order.ask(app.view, sort, cards);
  page.draw();
}

/** Put a card elsewhere in the hand: from now on the order is one's own. */
function reorder(card, to) {
  sortBy("own", moved(shownCards(page.hand), card, to));
}

/** One place to the left or right, for the keyboard. */
function nudge(step) {
  const card = document.activeElement?.dataset.card;
  if (!page.hand || !page.hand.contains(document.activeElement)) return;
  const at = shownCards(page.hand).indexOf(card) + step;
  if (at >= 0 && at < shownCards(page.hand).length) reorder(card, at);
}

/** Choose a card by its place, counted from the left. */
function chooseAt(place) {
  const card = choosing() ? shownCards(page.hand)[place] : undefined;
  if (card && app.chosen !== card) touchCard(card);
}

function throwDragged(card) {
  if (!choosing()) page.toast(myTurn(app.view) ? gettext("Draw first.") : gettext("It is not your turn."));
  else if (!canDiscard(app.view.hand, card)) page.toast(takenJustNow());
  else {
    app.chosen = card;
    discard();
  }
  if (!busy()) page.draw();
}

const takenJustNow = () => gettext("This card was just taken: it may not be discarded this turn.");

function answer(verb) {
  if (page.panels.meant()) send(verb);
}

const ACTIONS = {
  "draw-stock": () => move("draw stock"),
  "draw-discard": () => move("draw discard"),
  take: () => move("draw discard"),
  pass: () => move("pass"),
  discard, knock, gin,
  "big-gin": () => move("big gin"),
  ready: () => send({ verb: "ready" }),
  rematch: () => send({ verb: "rematch" }),
  retry: () => socket.retry(),
  copy: (button) => copyInvite(button, (text) => page.say(text)),
  menu: () => page.openMenu(),
  log: () => talk.open(),
  talk: () => talk.open(),
  resign: () => page.open("resign-dialog"),
  "resign-confirm": () => send({ verb: "resign" }),
  "call-off-offer": () => page.open("call-off-dialog"),
  "call-off-send": () => send({ verb: "call_off", answer: "offer" }),
  "call-off-accept": () => answer({ verb: "call_off", answer: "accept" }),
  "call-off-refuse": () => answer({ verb: "call_off", answer: "refuse" }),
  wait: () => answer({ verb: "wait" }),
  adjourn: () => answer({ verb: "adjourn" }),
  claim: () => page.panels.meant() && page.open("claim-dialog"),
  "claim-confirm": () => send({ verb: "claim" }),
  resume: () => send({ verb: "resume" }),
  "line-up": () => send({ verb: "line_up" }),
  "step-out": () => send({ verb: "step_out" }),
  preferences: () => {
    document.getElementById("menu-dialog").close();
    askPreferences(document.getElementById("preferences-dialog"), () => page.draw());
  },
  discards: () => {
    drawDiscards(document.getElementById("discards-dialog"), app.view.hand);
    page.open("discards-dialog");
  },
  sort: () => sortBy(SORTS[(SORTS.indexOf(app.order.of(app.view).sort) + 1) % SORTS.length]),
  "sort-by": (button) => sortBy(button.dataset.sort),
};

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-act]");
  if (button && ACTIONS[button.dataset.act]) {
    if (button.getAttribute("aria-disabled") !== "true") ACTIONS[button.dataset.act](button);
    return;
  }
  const card = event.target.closest(".hand [data-card]");
  if (card) touchCard(card.dataset.card);
});

const legal = (text) => app.view.hand?.legal?.includes(text) && myTurn(app.view);

listenKeys({
  playing: () => app.view.state === "playing",
  legal, move, chooseAt, knock, gin, nudge,
  step: (by) => moveFocus(page.hand, by),
  discard: () => app.chosen && discard(),
  putBack: () => {
    if (location.hash === "#log") location.hash = "content";
    else if (app.chosen) choose(null);
  },
});

document.addEventListener("visibilitychange", clearTitle);
addEventListener("focus", clearTitle);

/* Once a second: only texts change, nothing is drawn anew. */
setInterval(() => {
  page.tick();
  const { state, next_deal_at: dealAt, end } = app.view;
  const due = state === "between" && dealAt && Date.now() + app.offset > dealAt + 500;
  const pending = state === "finished" && end && !end.bonuses_written;
  const now = Date.now() + app.offset;
  if ((due || pending || overdue(app.view, now) || offersSoon(app.view, now)) && Date.now() - (app.lastLook ?? 0) > BONUS_LOOK) {
    app.lastLook = Date.now();
    socket.send({ verb: "look" });
  }
}, 1000);

app.offset = app.view.now - Date.now();
noteTime(app.view);
remember(app.view);
app.drag = new Drag(page.stage, {
  reorder, discard: throwDragged, redraw: () => page.draw(),
  draw: (act) => {
    if (ACTIONS[act]) ACTIONS[act]();
    if (!busy()) page.draw();
  },
});
page.draw();
followPreferences(() => page.draw());
for (const note of document.querySelectorAll("#notes li")) page.toast(note.textContent);
const scheme = location.protocol === "https:" ? "wss" : "ws";
socket = new TableSocket(`${scheme}://${location.host}/ws${app.view.table.url}`, { heard, changed: lineChanged });
