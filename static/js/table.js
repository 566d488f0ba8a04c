/* The live table: holds the view, listens to the player, sends what the view calls legal. */

import { drawnFrom } from "./cards.js";
import { markChosen, moveFocus, SORTS, storedSort, storeSort } from "./hand.js";
import { fill, gettext } from "./i18n.js";
import { askKnock } from "./knock.js";
import { myTurn } from "./people.js";
import { announceChange, Render } from "./render.js";
import { remember } from "./journal.js";
import { TableSocket } from "./socket.js";
import { tellTitle } from "./title.js";
import { copyInvite } from "./waiting.js";
import { bestKnock, bigGin, canDiscard, ginKnocks } from "./words.js";

const BUSY_AT_MOST = 3000;
const BONUS_LOOK = 3000;
const SECOND_TOUCH_AFTER = 600; // a double tap, or a key held down, throws nothing

const app = {
  view: JSON.parse(document.getElementById("first-view").textContent),
  chosen: null,
  touchedAt: 0,
  sort: storedSort(),
  busyUntil: 0,
  line: { status: "connecting" },
  everOpen: false,
  turnSince: Date.now(),
  offset: 0,
};

drawnFrom(document.body.querySelector("[data-cards]").dataset.cards);
const page = new Render(app);

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
  settled();
  app.view = view;
  const fresh = remember(view, before);
  page.draw();
  announceChange(page, before, view, fresh);
  tellTitle(view);
  if (moved) page.closeStale();
}

function heard(message) {
  if (message.type === "table") receive(message);
  else if (message.type === "pong") {
    if (message.version > app.view.version) socket.send({ verb: "look" });
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
    page.toast(gettext("This card was just taken: it may not be discarded this turn."));
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

function sortBy(sort) {
  app.sort = sort;
  storeSort(sort);
  page.draw();
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
  log: () => { location.hash = "log"; },
  resign: () => page.open("resign-dialog"),
  "resign-confirm": () => send({ verb: "resign" }),
  sort: () => sortBy(SORTS[(SORTS.indexOf(app.sort) + 1) % SORTS.length]),
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

const KEYS = {
  1: () => legal("draw stock") && move("draw stock"),
  2: () => legal("draw discard") && move("draw discard"),
  k: knock,
  g: gin,
  ArrowLeft: () => moveFocus(page.hand, -1),
  ArrowRight: () => moveFocus(page.hand, 1),
  Enter: () => app.chosen && discard(),
  Escape: () => {
    if (location.hash === "#log") location.hash = "content";
    else if (app.chosen) choose(null);
  },
};

const typing = (target) => target.closest("input:not([readonly]), textarea, select, dialog, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat && event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  if (typing(event.target) || app.view.state !== "playing") return;
  if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
  const act = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (!act) return;
  if (event.key.startsWith("Arrow")) event.preventDefault();
  act();
});

document.addEventListener("visibilitychange", () => tellTitle(app.view));

/* Once a second: only texts change, nothing is drawn anew. */
setInterval(() => {
  page.tick();
  const { state, next_deal_at: dealAt, end } = app.view;
  const due = state === "between" && dealAt && Date.now() + app.offset > dealAt + 500;
  const pending = state === "finished" && end && !end.bonuses_written;
  if ((due || pending) && Date.now() - (app.lastLook ?? 0) > BONUS_LOOK) {
    app.lastLook = Date.now();
    socket.send({ verb: "look" });
  }
}, 1000);

app.offset = app.view.now - Date.now();
remember(app.view);
page.draw();
for (const note of document.querySelectorAll("#notes li")) page.toast(note.textContent);
const scheme = location.protocol === "https:" ? "wss" : "ws";
const socket = new TableSocket(`${scheme}://${location.host}/ws${app.view.table.url}`, { heard, changed: lineChanged });
