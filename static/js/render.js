/* Draws the view: picks the scene, keeps the focus, speaks what changed. */

import { drawActs } from "./acts.js";
import { Warning } from "./clock.js";
import { el, put } from "./dom.js";
import { drawClosedHand, drawMiddle, drawOpponent, ownSeat } from "./felt.js";
import { drawHand } from "./hand.js";
import { drawHead } from "./head.js";
import { fill, gettext } from "./i18n.js";
import { hintsHere, mayAsk } from "./hint.js";
import { drawJournal } from "./journal.js";
import { layOpen, play, snapshot } from "./motion.js";
import { Panels } from "./panels.js";
import { below, myTurn } from "./people.js";
import { drawPill, lineOf, lineWords } from "./pill.js";
import { drawScore } from "./score.js";
import { drawShowdown } from "./showdown.js";
import { drawSort } from "./sortbox.js";
import { tick } from "./ticking.js";
import { drawWaiting } from "./waiting.js";

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
    drawHead(view);
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
    if (view.shuffle) return "waiting";
    if (view.state === "playing" && view.hand) return "play";
    if (view.state === "between" || view.state === "finished") return "showdown";
    return "waiting";
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
      drawHand(this.hand, view.hand, { order: app.order.of(view), chosen: app.chosen });
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

  /** The buttons that sort the hand, or move the card that is raised. */
  drawSort() {
    const { view, chosen, order } = this.app;
    const box = this.stage.querySelector(".me-r");
    if (box) drawSort(box, view, { chosen, sort: order.of(view).sort });
  }

  drawActs() {
    const box = this.stage.querySelector(".btns");
    if (!box) return;
    const { view, chosen } = this.app;
    drawActs(box, view, { chosen, busy: this.busy(), line: lineOf(this.app) });
  }

  /** The turn pill. */
  drawTurn() {
    const pill = this.stage.querySelector(".turnrow .turn");
    if (pill) drawPill(pill, this.app);
    this.drawHint();
  }

  /** The button that asks for a hint keeps its place while the computer plays. */
  drawHint() {
    const { view, asked, line } = this.app;
    for (const ask of this.stage.querySelectorAll(".hint-me")) {
      ask.hidden = !hintsHere(view);
      ask.classList.toggle("rests", line.status !== "open" || !mayAsk(view) || Boolean(asked));
    }
  }

  /** The line's state in the bar, and in the pill when it is down. */
  drawLine() {
    const words = lineWords(this.app).join(" ");
    const said = this.conn.querySelector("span");
    if (said.textContent !== words) {
      const [first, more] = lineWords(this.app);
      put(said, first, more ? el("span", { class: "more" }, ` ${more}`) : "");
      this.conn.classList.toggle("trouble", Boolean(more));
    }
    this.conn.dataset.line = this.app.line.status;
    this.drawTurn();
    this.drawActs();
    this.tick();
  }

  /** Texts that change with the clock alone. */
  tick() {
    const warning = tick(this.stage, this.app, this.warning);
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
  toast(sentence, { nodes = sentence, tip = "", lasts = TOAST_LASTS } = {}) {
    put(this.note, nodes);
    this.note.classList.toggle("tip", Boolean(tip));
    this.note.dataset.tip = tip;
    this.note.hidden = false;
    this.placeToast();
    this.alert.textContent = "";
    this.alert.textContent = sentence;
    clearTimeout(this.toasting);
    this.toasting = setTimeout(() => { this.note.hidden = true; }, lasts);
  }

  /** A hint goes with the place it was given for. */
  closeTip(place) {
    if (this.note.dataset.tip && this.note.dataset.tip !== place) this.note.hidden = true;
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
