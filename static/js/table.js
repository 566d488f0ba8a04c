/* The live table: holds the view, listens to the player, sends what the view calls legal. */

import { notePresence, offersSoon } from "./absence.js";
import { actionsOf, listenPresses } from "./actions.js";
import { drawnFrom } from "./cards.js";
import { Seeds } from "./fair/seeds.js";
import { overdue } from "./clock.js";
import { Drag } from "./drag.js";
import { hintSaid } from "./hint.js";
import { Holding } from "./holding.js";
import { gettext } from "./i18n.js";
import { remember } from "./journal.js";
import { listenKeys } from "./keys.js";
import { Order } from "./order.js";
import { myTurn } from "./people.js";
import { Playing } from "./playing.js";
import { followPreferences } from "./preferences.js";
import { Reach } from "./reach.js";
import { Render } from "./render.js";
import { TableSocket } from "./socket.js";
import { asNodes, asText } from "./sentence.js";
import { soundOf } from "./sounds.js";
import { announceChange, askAgain, timedOut } from "./spoken.js";
import { TalkBox } from "./talkbox.js";
import { clearTitle, tellTitle } from "./title.js";

const BUSY_AT_MOST = 3000;
const BONUS_LOOK = 3000;
const HINT_LASTS = 15_000;

const app = {
  view: JSON.parse(document.getElementById("first-view").textContent),
  chosen: null,
  order: new Order((message) => socket?.send(message) ?? false),
  busyUntil: 0,
  line: { status: "connecting" },
  reach: new Reach(),
  everOpen: false,
  turnSince: Date.now(),
  offset: 0,
};
let socket = null;

drawnFrom(document.body.querySelector("[data-cards]").dataset.cards);
const talk = new TalkBox((message) => socket?.send(message) ?? false);
const page = new Render(app, talk);
const seeds = new Seeds((message) => socket?.send(message) ?? false);

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
  if (moved && !staysRaised(before, view)) app.chosen = null;
  if (handedOver || view.at[0] !== before.at[0]) app.turnSince = Date.now();
  noteTime(view);
  settled();
  app.view = view;
  app.order.heard(view);
  seeds.heard(view);
  const fresh = remember(view, before);
  page.draw(fresh);
  announceChange(page, before, view, fresh);
  const late = timedOut(before, view) || askAgain(before, view);
  if (late) page.toast(late);
  const called = tellTitle(view);
  soundOf(moved ? fresh : [], called || (handedOver && myTurn(view)));
  page.closeStale(moved);
  page.closeTip(place(view));
}

/** A card raised to be moved stays so while others play; one raised to be thrown does not. */
const staysRaised = (before, view) => view.hand?.held?.includes(app.chosen)
  && view.game?.id === before.game?.id && view.at[0] === before.at[0]
  && !isToThrow(before) && !isToThrow(view);

const isToThrow = (view) => myTurn(view) && view.hand.phase === "discard";

/** What the view says of time and presence, by the server's clock. */
function noteTime(view) {
  notePresence(view);
  if (view.turn_since) app.turnSince = view.turn_since - app.offset;
}

function heard(message) {
  if (app.reach.heard(message)) page.drawLine();
  if (message.type === "table") receive(message);
  else if (message.type === "pong") {
    if (message.version > app.view.version) socket.send({ verb: "look" });
  } else if (talk.chat.receive(message)) {
    return;
  } else if (message.type === "hint") {
    advised(message);
  } else if (message.type === "refused") {
    if (message.code.startsWith("seed_")) return; // another window was quicker: nobody asked for this
    if (message.code === "unavailable" && !busy() && !app.asked) return; // nor for this; the bar says it
    settled();
    app.asked = "";
    page.toast(message.sentence);
    page.draw();
  }
}

/** A hint for a place that is past is of no use. */
function advised(hint) {
  app.asked = "";
  if (hint.game !== app.view.game?.id || hint.at.join() !== app.view.at.join()) return;
  const { said, card } = hintSaid(app.view, hint);
  page.toast(asText(said), { nodes: asNodes(said), tip: place(app.view), lasts: HINT_LASTS });
  if (card && app.chosen !== card) holding.raise(card);
  page.drawTurn();
}

/** Nothing waits for a hint: one plays on meanwhile. */
function askHint() {
  if (app.asked === place(app.view)) return;
  app.asked = place(app.view);
  if (!socket.send({ verb: "hint", ...(app.view.game?.id ? { game: app.view.game.id } : {}) })) app.asked = "";
  page.drawTurn();
}

function lineChanged(line) {
  const was = app.line.status;
  app.line = line;
  if (line.status === "open") {
    app.everOpen = true;
    app.reach.anew();
  }
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

const holding = new Holding(app, page);
const playing = new Playing(app, page, holding, { move, busy });
const actions = actionsOf(app, page, talk, { playing, holding, send, askHint, retry: () => socket.retry() });
listenPresses(actions, (card) => playing.touch(card));

listenKeys({
  playing: () => app.view.state === "playing",
  legal: (text) => playing.legal(text),
  move,
  chooseAt: (at) => playing.chooseAt(at),
  knock: () => playing.knock(),
  gin: () => playing.gin(),
  nudge: (step) => holding.nudge(step),
  step: (by) => playing.step(by),
  discard: () => app.chosen && playing.discard(),
  putBack: () => {
    if (location.hash === "#log") location.hash = "content";
    else playing.putBack();
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
  const slow = app.view.shuffle && now > app.view.shuffle.deadline + 500;
  if ((due || pending || overdue(app.view, now) || slow || offersSoon(app.view, now)) && Date.now() - (app.lastLook ?? 0) > BONUS_LOOK) {
    app.lastLook = Date.now();
    socket.send({ verb: "look" });
  }
}, 1000);

app.offset = app.view.now - Date.now();
noteTime(app.view);
remember(app.view);
app.drag = new Drag(page.stage, {
  reorder: (card, to) => holding.reorder(card, to),
  discard: (card) => playing.throwDragged(card),
  redraw: () => page.draw(),
  draw: (act) => {
    actions[act]?.();
    if (!busy()) page.draw();
  },
});
page.draw();
followPreferences(() => page.draw());
for (const note of document.querySelectorAll("#notes li")) page.toast(note.textContent);
const scheme = location.protocol === "https:" ? "wss" : "ws";
socket = new TableSocket(`${scheme}://${location.host}/ws${app.view.table.url}`, { heard, changed: lineChanged });
