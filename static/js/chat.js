/* What people say, in a room and at a table: lines, writing, muting, reporting, what is unread.
   The box lives longer than the scenes around it, so a half-written line is never lost. */

import { el, put } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { linked } from "./links.js";

const SHOWN = 100;
const ANSWER_WITHIN = 4000;
const NOT_SENT = () => gettext("Not connected: the message was not sent.");

/* Refusals that answer something asked here. */
const OURS = new Set(["too_fast", "says_nothing", "too_long", "yourself", "too_many_mutes",
  "no_such_message", "reported", "too_many_reports", "members_only"]);

/** Make the children of `parent` these nodes, moving none that already stands right. */
export function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}

class Chat {
  /** `box` holds the list, the form and the places for what is said about them (_chat.html). */
  constructor(box, { send }) {
    this.box = box;
    this.send = send;
    this.list = box.querySelector("ol");
    this.form = box.querySelector("form.say");
    this.input = this.form.querySelector("input[name=text]");
    this.error = el("p", { class: "err", role: "alert", hidden: true });
    this.hushed = box.querySelector(".hushed") ?? el("div", { class: "hushed" });
    this.form.before(this.hushed, this.error);
    this.spoken = el("div", { class: "vh", role: "status", "aria-live": "polite" });
    document.body.append(this.spoken);
    this.notes = new Map(); // number of the line -> {node, mark}
    this.journal = []; // lines of the log among which those of the talk stand
    this.mark = { key: "", after: 0 };
    this.unread = 0;
    this.known = false; // whether the server has told what was said before
    this.form.addEventListener("submit", (event) => this.submit(event));
    box.addEventListener("click", (event) => this.clicked(event));
    for (const event of ["resize", "focus"]) window.addEventListener(event, () => this.look());
    window.addEventListener("hashchange", () => {
      this.toEnd();
      this.look();
    });
    document.addEventListener("visibilitychange", () => this.look());
  }

  /** Take in a message of the server; false if it is none for the talk. */
  receive(message) {
    if (message.type === "refused") return this.refused(message);
    if (message.type === "reported") {
      this.tell(gettext("Reported. An administrator will read it."));
      return true;
    }
    if (message.type !== "chat") return false;
    const atEnd = this.atEnd();
    if (!message.whole) this.known = true;
    const newest = Math.max(0, ...this.notes.keys());
    if (message.whole) this.forget(message);
    const fresh = message.messages.filter((line) => !this.notes.has(line.id));
    const news = fresh.filter((line) => this.known && (!message.whole || line.id > newest));
    for (const line of fresh) this.note(line, news.includes(line));
    this.known = true;
    this.weave();
    const own = fresh.some((line) => line.you);
    if (atEnd || own) this.toEnd();
    this.announce(news.filter((line) => !line.you));
    if (own) this.sent();
    return true;
  }

  /* Told anew as one reads it now: those who were muted go. */
  forget(message) {
    const kept = new Set(message.messages.map((line) => line.id));
    for (const number of [...this.notes.keys()]) if (!kept.has(number)) this.notes.delete(number);
    this.drawHushed(message.muted ?? []);
  }

  note(line, isNew) {
    this.notes.set(line.id, { node: drawn(line), mark: isNew ? { ...this.mark } : null });
    while (this.notes.size > SHOWN) this.notes.delete(Math.min(...this.notes.keys()));
  }

  announce(lines) {
    if (!lines.length) return;
    this.spoken.textContent = lines.map((line) =>
      (line.name ? fill(gettext("%(name)s says: %(text)s"), line) : line.text)).join(" ");
    if (!this.visible()) this.unread += lines.length;
    this.drawUnread();
  }

  /** The lines of the log to stand among: `key` names the hand they are of. */
  follow(lines, key) {
    const atEnd = this.atEnd();
    const old = this.journal;
    this.journal = lines.map((line, at) => (old[at]?.textContent === line.textContent ? old[at] : line));
    this.mark = { key, after: lines.length };
    this.weave();
    if (atEnd) this.toEnd();
  }

  /* What was said before this hand, or before this page was opened, stands above its log. */
  weave() {
    if (!this.known && !this.journal.length) return; // what the page came with stays meanwhile
    const spots = [[], ...this.journal.map((line) => [line])];
    let at = 0;
    for (const number of [...this.notes.keys()].sort((a, b) => a - b)) {
      const { node, mark } = this.notes.get(number);
      if (mark?.key === this.mark.key) at = Math.max(at, Math.min(mark.after, this.journal.length));
      spots[at].push(node);
    }
    arrange(this.list, spots.flat());
    const nothing = this.box.querySelector(".nothing");
    if (nothing) nothing.hidden = this.list.childElementCount > 0;
  }

  toEnd() {
    this.list.scrollTop = this.list.scrollHeight;
  }

  atEnd() {
    return this.list.scrollTop + this.list.clientHeight > this.list.scrollHeight - 24;
  }

  visible() {
    return !document.hidden && this.list.isConnected && this.list.getClientRects().length > 0;
  }

  /** Note what is seen now. */
  look() {
    if (!this.unread || !this.visible()) return;
    this.unread = 0;
    this.toEnd();
    this.drawUnread();
  }

  drawUnread() {
    for (const badge of document.querySelectorAll("[data-unread]")) {
      badge.hidden = this.unread === 0;
      put(badge, el("span", { "aria-hidden": "true" }, this.unread), el("span", { class: "vh" },
        fill(ngettext("%(count)s new message", "%(count)s new messages", this.unread), { count: this.unread })));
    }
  }

  submit(event) {
    const text = this.input.value.trim();
    const waits = !text || Date.now() < (this.waitsUntil ?? 0);
    const sent = !waits && this.send({ verb: "chat", text });
    if (!waits && !sent && this.form.getAttribute("action") && this.form.method === "post") return; // as without script
    event.preventDefault();
    if (waits) return;
    if (!sent) {
      this.fail(NOT_SENT());
      return;
    }
    this.waitsUntil = Date.now() + ANSWER_WITHIN;
    this.leaving = this.input.value;
  }

  /* One's own line has come back: what was typed since then stays. */
  sent() {
    this.waitsUntil = 0;
    this.error.hidden = true;
    if (this.leaving !== undefined && this.input.value.startsWith(this.leaving)) {
      this.input.value = this.input.value.slice(this.leaving.length);
    }
    this.leaving = undefined;
  }

  refused({ code, sentence }) {
    if (!OURS.has(code)) return false;
    this.waitsUntil = 0;
    this.fail(sentence);
    return true;
  }

  fail(sentence) {
    this.error.textContent = sentence;
    this.error.hidden = false;
    clearTimeout(this.failing);
    this.failing = setTimeout(() => { this.error.hidden = true; }, 6000);
  }

  /* Something done that shows nowhere else. */
  tell(sentence) {
    this.spoken.textContent = sentence;
    put(this.hushed.querySelector(".done") ?? this.hushed.appendChild(el("p", { class: "done" })), sentence);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.hushed.querySelector(".done")?.remove(), 6000);
  }

  clicked(event) {
    const button = event.target.closest("[data-talk]");
    if (!button) return;
    const { talk, user, name, message } = button.dataset;
    if (talk === "report") return this.askReason(button, message);
    const sent = talk === "send-report"
      ? this.send({ verb: "report", message: Number(message), reason: button.parentElement.querySelector("input").value.trim() })
      : this.send({ verb: "mute", user: Number(user), on: talk === "mute" });
    if (!sent) return this.fail(NOT_SENT());
    const details = button.closest("details");
    if (talk === "send-report") {
      details.open = false;
      details.querySelector(".why").remove();
      details.querySelector("[data-talk=report]").disabled = true;
      details.querySelector("summary").focus();
    } else {
      this.input.focus();
      this.tell(fill(talk === "mute" ? gettext("You no longer see what %(name)s writes.")
        : gettext("You see again what %(name)s writes."), { name }));
    }
  }

  askReason(button, message) {
    const id = `why-${message}`;
    const field = el("input", { class: "in", id, maxlength: "300", autocomplete: "off" });
    button.after(el("div", { class: "why" },
      el("label", { for: id }, gettext("What is wrong? The last lines go to the administrators too.")), field,
      el("button", { class: "btn", type: "button", "data-talk": "send-report", "data-message": message },
        gettext("Send the report"))));
    button.disabled = true;
    field.focus();
    field.parentElement.scrollIntoView({ block: "nearest" });
  }

  drawHushed(muted) {
    const open = this.hushed.querySelector("details")?.open ?? false;
    put(this.hushed, this.hushed.querySelector(".done"), muted.length > 0 && el("details", { open },
      el("summary", {}, fill(ngettext("%(count)s person hidden", "%(count)s people hidden", muted.length), { count: muted.length })),
      el("ul", {}, muted.map(({ user, name }) => el("li", {}, el("bdi", {}, name),
        el("button", { class: "btn btn-quiet", type: "button", "data-talk": "unmute", "data-user": user, "data-name": name },
          gettext("Show again"), el("span", { class: "vh" }, ` (${name})`)))))));
  }
}

/* A line: who, what, and what one can do about it. */
function drawn(line) {
  const time = new Date(line.at);
  if (!line.name) return el("li", { class: "msg told-of", title: time.toLocaleString(document.documentElement.lang) }, line.text); // the table itself
  const said = [
    line.you ? el("span", { class: "vh" }, gettext("You:"), " ") : el("b", {}, el("bdi", {}, line.name)),
    line.guest && !line.you && [" ", el("small", { class: "guest" }, gettext("guest"))],
    " ",
    el("span", { class: "what", dir: "auto" }, linked(line.text)),
  ];
  const menu = !line.you && line.user !== null && el("details", { class: "about" },
    el("summary", { "aria-label": fill(gettext("Message of %(name)s: hide or report"), line) }, "⋯"),
    el("div", {},
      el("button", { class: "btn", type: "button", "data-talk": "mute", "data-user": line.user, "data-name": line.name },
        fill(gettext("Hide %(name)s"), line)),
      el("button", { class: "btn", type: "button", "data-talk": "report", "data-message": line.id },
        gettext("Report"))));
  return el("li", { class: line.you ? "msg me" : "msg", title: time.toLocaleString(document.documentElement.lang) }, said, menu);
}

/** Take over a box (_chat.html); gives an object that wants every message of the socket. */
export const mountChat = (box, ways) => new Chat(box, ways);
