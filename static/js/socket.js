/* The wire to the server: one socket, kept alive, reopened by itself, never queueing a move. */

const PING_EVERY = 10_000;
const ANSWER_WITHIN = 5_000;
const CONNECT_WITHIN = 8_000;
const FIRST_WAIT = 200; // a process that died was one of several: another takes over at once
const LONGEST_WAIT = 20_000;
const FLOOD_WAIT = 15_000;
/* The site cannot say now whose the line is: it turns away at once, and is soon asked again. */
const CANNOT_TELL = 4500;
const CANNOT_TELL_WAIT = 1_500;
/* A server that makes way for a newer one lets all its tables go at once. */
const MADE_WAY = 4503; // 4504, to the process that is the table's own, is a line that was cut like any other
const SPREAD = 2_000;

/* Codes after which trying again is of no use. */
const FINAL = { 4401: "signed-out", 4403: "forbidden", 4404: "missing" };

export class TableSocket {
  /** `heard(message)` for each message, `changed({status, retryAt, why})` for the line's state.
      Status: "connecting", "open", "lost", "closed" (for good). */
  constructor(address, { heard, changed }) {
    this.address = address;
    this.heard = heard;
    this.changed = changed;
    this.attempt = 0;
    this.missed = 0;
    this.status = "connecting";
    window.addEventListener("online", () => this.retry());
    window.addEventListener("offline", () => this.socket && this.giveUp(this.socket));
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      if (this.status !== "open") this.retry();
      else if (!this.missed) this.ping(); // flicking between tabs is no missed answer
    });
    this.open();
  }

  open() {
    this.tell("connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener("open", () => this.opened(socket));
    socket.addEventListener("message", (event) => this.message(socket, event));
    socket.addEventListener("close", (event) => this.closed(socket, event.code));
    this.connecting = setTimeout(() => this.giveUp(socket), CONNECT_WITHIN);
  }

  /** Leave a socket that does not answer; its own close event then counts for nothing. */
  giveUp(socket) {
    this.closed(socket, 1006);
    socket.close();
  }

  opened(socket) {
    if (socket !== this.socket) return;
    clearTimeout(this.connecting);
    this.missed = 0;
    this.tell("open"); // the server sends the view first, unasked
    this.schedulePing(PING_EVERY);
  }

  message(socket, event) {
    if (socket !== this.socket) return;
    let message;
    try {
      message = JSON.parse(event.data);
    } catch {
      return;
    }
    if (message.type !== "refused") this.attempt = 0;
    this.missed = 0;
    this.heard(message);
  }

  closed(socket, code) {
    if (socket !== this.socket) return;
    clearTimeout(this.pinging);
    clearTimeout(this.connecting);
    this.socket = null;
    if (code in FINAL) {
      this.tell("closed", { why: FINAL[code] });
      return;
    }
    if (code === MADE_WAY) this.retryAfter(SPREAD * Math.random());
    else if (code === CANNOT_TELL) this.retryAfter(CANNOT_TELL_WAIT * (0.7 + 0.6 * Math.random()));
    else this.waitAndRetry(code === 4408 ? FLOOD_WAIT : FIRST_WAIT);
  }

  waitAndRetry(first) {
    this.retryAfter(
      Math.min(LONGEST_WAIT, first * 2 ** this.attempt) * (0.7 + 0.6 * Math.random()),
    );
    this.attempt += 1;
  }

  retryAfter(wait) {
    this.retrying = setTimeout(() => this.open(), wait);
    this.tell("lost", { retryAt: Date.now() + wait });
  }

  /** Try at once, when the line is down; does nothing otherwise. */
  retry() {
    if (this.status !== "lost") return;
    clearTimeout(this.retrying);
    this.open();
  }

  schedulePing(after) {
    clearTimeout(this.pinging);
    this.pinging = setTimeout(() => this.ping(), after);
  }

  /** Two unanswered pings in a row, and the line is held to be lost. */
  ping() {
    if (this.status !== "open") return;
    if (this.missed >= 2) {
      this.giveUp(this.socket);
      return;
    }
    this.missed += 1;
    this.send({ verb: "ping" });
    this.schedulePing(this.missed > 1 ? ANSWER_WITHIN : PING_EVERY);
  }

  /** Whether the message left; a message that cannot leave now is not kept for later. */
  send(message) {
    if (!this.socket || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  tell(status, more = {}) {
    this.status = status;
    this.changed({ status, ...more });
  }
}
