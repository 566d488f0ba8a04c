/* Draws the view: picks the scene, keeps the focus, speaks what changed. */

import { awayWords } from "./absence.js";
import { drawActs } from "./acts.js";
import { hasClock, tickClocks, Warning } from "./clock.js";
import { canBrowse, drawDiscards } from "./discards.js";
import { el, put } from "./dom.js";
import { drawClosedHand, drawMiddle, drawOpponent, ownSeat } from "./felt.js";
import { drawHand } from "./hand.js";
import { fill, gettext } from "./i18n.js";
import { drawJournal, spoken } from "./journal.js";
import { drawWatching, lineButton, lineList } from "./line.js";
import { layOpen, play, snapshot } from "./motion.js";
import { SORTS, sortName } from "./order.js";
import { Panels, spokenPanel } from "./panels.js";
import { below, called, isMe, myTurn, nameOf, ofName } from "./people.js";
import { drawScore } from "./score.js";
import { countdownWords, drawShowdown, spokenResult } from "./showdown.js";
import { drawWaiting } from "./waiting.js";
import { elapsedWords, turnWords } from "./words.js";

const TOAST_LASTS = 6000;

export class Render {
  constructor(app, talk) {
    this.app = app;
    this.talk = talk;
    this.stage = document.getElementById("content");
    this.board = document.getElementById("board").content;
    this.live = document.getElementById("live");
    this.alert = document.getElementById("alert");
    this.conn = document.querySelector(".conn");
    this.sitForm = document.getElementById("sit");
    this.note = el("p", { class: "toast", id: "toast", hidden: true });
    this.hand = null;
    this.scene = null;
    this.dealt = "";
    this.panels = new Panels();
    this.warning = new Warning();
  }

  /** The server's time. */
  now() {
    return Date.now() + this.app.offset;
  }

  busy() {
    return Date.now() < this.app.busyUntil || this.app.line.status !== "open";
  }

  /** Draw everything the view shows; `fresh` are the moves it brings. */
  draw(fresh = []) {
    const { view } = this.app;
    document.body.dataset.state = view.state;
    document.body.dataset.phase = view.hand?.phase ?? "";
    document.body.dataset.turn = myTurn(view) ? "mine" : "";
    document.body.dataset.version = view.version;
    const scene = this.sceneOf(view);
    const held = this.talk.hold();
    document.body.classList.toggle("at-showdown", scene === "showdown");
    this.drawHead(view);
    this.keepingFocus(() => {
      if (scene === "play") this.drawPlay(view, scene, fresh);
      else if (scene === "showdown") this.drawAfter(view);
      else drawWaiting(this.stage, view, this.sitForm);
    });
    this.scene = scene;
    if (scene !== "play") this.hand = null;
    this.talk.settle(this.stage, held);
    this.talk.address(view);
    this.drawOffer();
    this.placeToast();
    this.tick();
    this.app.drag?.redrawn();
  }

  /** What asks for an answer, wherever the scene has room for it. */
  drawOffer() {
    this.panels.draw(this.find(".offer"), this.app.view, { now: this.now(), busy: this.busy() });
  }

  sceneOf(view) {
    if (view.state === "playing" && view.hand) return "play";
    if (view.state === "between" || view.state === "finished") return "showdown";
    return "waiting";
  }

  drawHead(view) {
    const game = view.game?.number
      ? fill(gettext("Game %(number)s · %(rules)s, %(target)s points"), view.game) : view.game?.rules ?? "";
    document.querySelector(".tbar .rules").textContent = game;
    const resign = document.querySelector("#menu-dialog [data-act=resign]");
    resign.hidden = view.seat === null || !["playing", "between"].includes(view.state);
    document.querySelector("#menu-dialog [data-act=call-off-offer]").hidden = resign.hidden || Boolean(view.call_off);
    document.querySelector("#menu-dialog [data-act=discards]").hidden = !canBrowse(view.hand);
    const next = document.querySelector("#menu-dialog .next");
    next.hidden = !lineList(view);
    put(next, lineList(view), lineButton(view, "btn-1"));
    drawWatching(document.querySelector(".tbar .watching"), view);
    const discards = document.getElementById("discards-dialog");
    if (discards.open) drawDiscards(discards, view.hand);
    const sheet = document.querySelector("#menu-dialog [data-act=sheet]");
    sheet.hidden = !view.sheet_url;
    if (view.sheet_url) sheet.href = view.sheet_url;
    document.querySelector("#menu-dialog [data-act=log]").hidden = view.state !== "playing";
  }

  drawPlay(view, scene, fresh) {
    if (this.scene !== scene || !this.hand) this.buildBoard();
    const before = snapshot(this.stage);
    const { app } = this;
    const busy = this.busy();
    const at = (name) => this.stage.querySelector(name);
    at("h1").textContent = fill(gettext("Table: %(players)s, hand %(number)s"), {
      players: view.seats.map((entry) => entry.name).join(" – "), number: view.at[0],
    });
    drawScore(at(".score"), view);
    drawOpponent(at(".opp"), view);
    drawMiddle(at(".mid"), view, busy);
    if (view.hand.held) {
      drawHand(this.hand, view.hand, { order: app.order.of(view), chosen: app.chosen, choosing: myTurn(view) && view.hand.phase === "discard" });
    } else drawClosedHand(this.hand, view);
    put(at(".own"), ownSeat(view));
    this.drawSort();
    this.drawActs();
    drawJournal(at(".log"), view, myTurn(view) ? gettext("Your turn") : "", this.talk.chat);
    this.drawTurn();
    const hand = `${view.game?.id}/${view.at[0]}`;
    const dealt = this.dealt !== hand && view.at[1] === 0;
    this.dealt = hand;
    play(this.stage, before, { fresh, lower: below(view), watching: view.seat === null, dealt });
  }

  buildBoard() {
    this.stage.className = "board";
    this.stage.replaceChildren(this.board.cloneNode(true));
    this.hand = this.stage.querySelector(".hand");
  }

  drawAfter(view) {
    const top = this.scene !== "showdown";
    const open = [...this.stage.querySelectorAll("details")].map((one) => one.open);
    const before = top ? snapshot(this.stage) : null;
    drawShowdown(this.stage, view, this.busy());
    if (top) {
      window.scrollTo(0, 0);
      layOpen(this.stage, before);
    }
    else this.stage.querySelectorAll("details").forEach((one, at) => { one.open = open[at] ?? false; });
  }

  drawSort() {
    const { view } = this.app;
    const { sort } = this.app.order.of(view);
    const box = this.stage.querySelector(".me-r");
    if (!view.hand.held) return put(box);
    return put(box,
      el("button", { class: "btn btn-felt sort1", type: "button", "data-act": "sort",
        "aria-label": fill(gettext("Sort the hand, now by: %(order)s"), { order: sortName(sort) }) },
      gettext("Sort"), el("small", {}, sortName(sort))),
      el("span", { class: "seg", role: "group", "aria-label": gettext("Sort the hand") },
        SORTS.map((one) => el("button", { type: "button", "data-act": "sort-by", "data-sort": one,
          "aria-pressed": String(one === sort) }, sortName(one)))));
  }

  drawActs() {
    const box = this.stage.querySelector(".btns");
    if (!box) return;
    const { view, chosen, line, everOpen } = this.app;
    const shown = line.status === "connecting" && everOpen ? { status: "lost" } : line;
    drawActs(box, view, { chosen, busy: this.busy(), line: shown });
  }

  /** The turn pill; a lost line takes its place. */
  drawTurn() {
    const pill = this.stage.querySelector(".turnrow .turn");
    if (!pill) return;
    const { view, line, everOpen } = this.app;
    const down = line.status === "lost" || line.status === "closed" || (line.status === "connecting" && everOpen);
    if (down) {
      pill.className = "turn alert";
      put(pill, el("strong", {}, this.lineHead()), " ", el("span", { "data-retry": "" }));
      return;
    }
    const { head, rest } = turnWords(view);
    pill.className = myTurn(view) ? "turn" : "turn wait";
    const ticks = !myTurn(view) && !view.adjourned;
    put(pill, el("strong", {}, head), " ", el("span", { "data-elapsed": ticks ? "" : null }, rest));
  }

  lineHead() {
    const { why } = this.app.line;
    if (why === "missing" || why === "forbidden") return gettext("This table is not open to you");
    return gettext("Connection lost");
  }

  /** The line's state in the bar, and in the pill when it is down. */
  drawLine() {
    const { line, everOpen } = this.app;
    const words = line.status === "open" ? gettext("Connected")
      : line.status === "connecting" && !everOpen ? gettext("Connecting…") : this.lineHead();
    const said = this.conn.querySelector("span");
    if (said.textContent !== words) said.textContent = words;
    this.conn.dataset.line = line.status;
    this.drawTurn();
    this.drawActs();
    this.tick();
  }

  /** Texts that change with the clock alone. */
  tick() {
    const { app } = this;
    const put1 = (selector, words) => {
      const node = this.stage.querySelector(selector);
      if (node && node.textContent !== words) node.textContent = words;
    };
    put1("[data-elapsed]", elapsedWords(Date.now() - app.turnSince));
    const { retryAt } = app.line;
    put1("[data-retry]", app.line.status === "closed" ? "" : retryAt
      ? fill(gettext("Next try in %(seconds)s s"), { seconds: Math.max(0, Math.ceil((retryAt - Date.now()) / 1000)) })
      : gettext("Trying again…"));
    put1("[data-countdown]", countdownWords(app.view, app.offset));
    const now = this.now();
    for (const { dataset } of this.stage.querySelectorAll("[data-away]")) {
      put1(`[data-away="${dataset.away}"]`, awayWords(app.view, Number(dataset.away), now));
    }
    if (!hasClock(app.view)) return;
    tickClocks(this.stage, app.view, now);
    const warning = this.warning.due(app.view, now);
    if (warning) this.toast(warning);
  }

  markBusy() {
    for (const node of this.stage.querySelectorAll(".acts .btns [data-act], .pile[data-act], .go button[data-act], .offer [data-act]")) {
      node.setAttribute("aria-disabled", "true");
    }
  }

  /** Run `work`, then give the focus back to whatever took the place of what had it. */
  keepingFocus(work) {
    const had = this.stage.contains(document.activeElement) ? document.activeElement : null;
    const { card, act, sort } = had?.dataset ?? {};
    work();
    if (!had || had.isConnected) return;
    const same = (card && this.find(`.hand [data-card="${card}"]`))
      || (sort && this.find(`[data-sort="${sort}"]`))
      || (act && this.find(`[data-act="${act}"]:not([disabled])`));
    const next = same || this.find(".hand [data-card][tabindex='0']") || this.find(".go [data-act]") || this.stage;
    next.focus({ preventScroll: true });
  }

  find(selector) {
    return this.stage.querySelector(selector);
  }

  /** A sentence near the turn pill, and read out at once. */
  toast(sentence) {
    this.note.textContent = sentence;
    this.note.hidden = false;
    this.placeToast();
    this.alert.textContent = "";
    this.alert.textContent = sentence;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => { this.note.hidden = true; }, TOAST_LASTS);
  }

  placeToast() {
    const host = this.find(".turnrow") ?? this.find(".go") ?? this.stage;
    if (this.note.parentElement !== host) host.append(this.note);
  }

  say(text) {
    if (text) this.live.textContent = text;
  }

  open(id) {
    document.getElementById("menu-dialog").close();
    document.getElementById(id).showModal();
  }

  openMenu() {
    document.getElementById("menu-dialog").showModal();
  }

  /** A knock prepared for a place that has passed is of no use any more. */
  closeStale(moved) {
    const { view } = this.app;
    const over = view.state === "finished";
    const stale = { "knock-dialog": moved, "resign-dialog": over, "call-off-dialog": over, "claim-dialog": !view.absence };
    for (const [id, useless] of Object.entries(stale)) {
      const dialog = document.getElementById(id);
      if (dialog.open && useless) dialog.close();
    }
  }
}

/** Read out what happened between two views, each event as a sentence, then whose turn it is. */
export function announceChange(page, before, view, fresh) {
  const said = [];
  if (view.hand && fresh.length && view.at[0] >= before.at[0]) said.push(spoken(view, fresh));
  if (view.state !== "playing") {
    if (before.state !== view.state || before.end?.bonuses_written !== view.end?.bonuses_written) {
      if (view.state !== "waiting") said.push(spokenResult(view));
    }
    for (const entry of view.seats) {
      const was = before.seats.find((other) => other.seat === entry.seat);
      if (isMe(view, entry.seat) || !was) continue;
      if (entry.ready && !was.ready) said.push(fill(gettext("%(name)s is ready."), { name: entry.name }));
      if (entry.rematch && !was.rematch) said.push(fill(gettext("%(name)s asks for a rematch."), { name: entry.name }));
    }
  } else if (before.at.join() !== view.at.join() || before.state !== view.state) {
    if (before.at[0] !== view.at[0]) {
      said.push(fill(gettext("Hand %(number)s. %(name)s: dealer."), { number: view.at[0], name: called(view, view.hand.dealer) }));
    }
    const { head, rest } = turnWords(view);
    said.push(rest ? `${head}. ${rest}.` : `${head}.`);
  }
  said.push(...beside(before, view));
  page.say(said.filter(Boolean).join(" "));
}

/** What happened beside the cards: offers, comings and goings, moves made by the clock. */
function beside(before, view) {
  const said = [spokenPanel(before, view)];
  if (before.call_off && !view.call_off && isMe(view, before.call_off.by) && view.state !== "finished") {
    said.push(gettext("The offer to call the game off no longer stands."));
  }
  if (before.adjourned && !view.adjourned && view.state === "playing") said.push(gettext("The game goes on."));
  view.present?.forEach((here, seat) => {
    const was = before.present?.[seat];
    if (isMe(view, seat) || was === undefined || was === here || view.state === "waiting") return;
    const name = nameOf(view, seat);
    said.push(here ? fill(gettext("%(name)s is back."), { name }) : fill(gettext("%(name)s is away."), { name }));
  });
  return said;
}

/** Moves the clock made since the last view, said to everybody. */
export function timedOut(before, view) {
  if (before.game?.id !== view.game?.id) return "";
  const seat = (view.timeouts ?? []).findIndex((count, at) => count > (before.timeouts?.[at] ?? 0));
  if (seat === -1) return "";
  return isMe(view, seat) ? gettext("Your time was up: the clock played for you.")
    : fill(gettext("The time %(of_name)s was up: the clock played."), { of_name: ofName(view, seat) });
}
