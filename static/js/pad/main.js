/* The pad: draws what the server said last and what still waits, enters hands, follows the bell. */

import { el, put } from "../dom.js";
import { fill, gettext, ngettext } from "../i18n.js";
import { TableSocket } from "../socket.js";
import { sure } from "./confirm.js";
import { drawPaper, drawTotals } from "./paper.js";
import { Queue, keepState, keptState, later, newMark } from "./queue.js";
import { Sending } from "./sending.js";
import { withPending } from "./sums.js";
import { Taps } from "./taps.js";
import { told } from "./words.js";

const at = (name) => document.getElementById(name);
const page = JSON.parse(at("pad-state").textContent);
const kept = keptState(page.user, page.pad);
let state = kept && later(kept, page) ? kept : page; // a page opened without a network is older than it
const address = `/pad/${state.pad}/state/`;

const queue = new Queue(state.user, state.pad, () => draw());
const sending = new Sending(address, queue, {
  arrived(fresh) {
    if (fresh.user !== state.user) return;
    const over = !state.over && fresh.over;
    if (later(fresh, state)) state = fresh;
    if (state.keeper) keepState(state);
    draw();
    if (over) say(fresh.over.verdict || fresh.over.ending);
  },
  told(status, why) {
    reason = why;
    draw();
  },
});
let reason = null;

const taps = state.keeper && at("taps") && new Taps(at("taps"), {
  entered(hand) {
    const view = withPending(state, queue.all());
    queue.add({ entry: newMark(), sheet: state.sheet, number: view.next, at: Date.now(), ...hand });
    say(fill(gettext("Hand %(number)s entered."), { number: view.next }));
    sending.flush();
  },
  stepped: () => foot(withPending(state, queue.all())),
});

function say(text) {
  at("said").textContent = text;
}

// --- drawing

function draw() {
  const view = withPending(state, queue.all());
  drawTotals(at("totals"), state, view);
  drawPaper(at("rows"), state, view);
  at("number").textContent = state.over
    ? gettext("Game over")
    : fill(gettext("Hand %(number)s"), { number: view.next });
  for (const field of document.querySelectorAll("input[name=sheet]")) field.value = state.sheet;
  at("to-sheet").href = `/sheets/${state.sheet}/`;
  drawLine();
  drawStuck(view);
  const waits = view.reached !== null || state.over;
  if (at("taps")) at("taps").hidden = Boolean(waits) || stuck();
  if (at("result")) drawResult(view);
  if (taps && !waits) taps.draw({ names: state.names, rules: state.rules, points: view.points, next: view.next });
  foot(view);
  for (const part of document.querySelectorAll("[data-when]")) {
    part.hidden = part.dataset.when !== (state.over ? state.over.how : "open");
  }
}

const stuck = () => !["idle", "sending", "waiting"].includes(sending.status);

function drawLine() {
  const count = queue.all().length;
  const line = at("line");
  const offline = sending.status === "waiting" || !navigator.onLine;
  line.hidden = !(offline || (count && sending.status !== "sending"));
  const waits = count ? fill(ngettext("%(count)s hand waits to be sent.", "%(count)s hands wait to be sent.", count), { count }) : "";
  const lasting = queue.lasting && globalThis.isSecureContext;
  put(line, offline && `${gettext("No network.")} `, waits, offline && count && !lasting
    ? ` ${gettext("Keep this page open until the network is back.")}` : null);
}

function drawResult(view) {
  const waits = view.reached !== null && !state.over;
  at("result").hidden = !(waits || state.over);
  if (!waits && !state.over) return;
  const said = waits
    ? fill(gettext("%(name)s reaches the target. The bonuses are added once the hands are sent."), { name: state.names[view.reached] })
    : state.over.verdict || (state.over.pending ? gettext("bonuses being written") : state.over.ending);
  put(at("verdict"), el("p", { class: "who-won" }, said),
    state.over && el("p", { class: "finals num" }, state.over.totals.join(" – ")));
}

/** What keeps hands from being written, and what can be done: none of them is lost. */
function drawStuck(view) {
  const box = at("stuck");
  if (!box) return;
  box.hidden = !stuck();
  if (box.hidden) return;
  const sentence = reason?.sentence ?? {
    expired: gettext("Somebody signed in or out in this browser since. Load the page again."),
    missing: gettext("This sheet is no longer yours to write."),
  }[sending.status] ?? gettext("The site did not take these hands.");
  const count = queue.all().length;
  const signIn = sending.status === "signed-out" || sending.status === "expired";
  put(box,
    el("p", {}, el("b", {}, sentence)),
    count > 0 && [
      el("p", {}, gettext("These hands are kept on this device until you decide:")),
      el("ul", {}, view.hands.map((hand) => el("li", {}, told(state.names, hand)))),
    ],
    el("p", { class: "acts" },
      signIn && el("a", { class: "btn btn-1", href: `/account/login/?next=/pad/${state.pad}/` }, gettext("Sign in")),
      sending.status === "refused" && !state.over && count > 0
        && el("button", { type: "button", class: "btn btn-1", "data-stuck": "rebase" }, gettext("Add them to the sheet as it is now")),
      count > 0 && el("button", { type: "button", class: "btn", "data-stuck": "copy" }, gettext("Copy")),
      sending.status === "refused" && count > 0
        && el("button", { type: "button", class: "btn btn-danger", "data-stuck": "drop" }, gettext("Throw them away"))));
}

function foot(view) {
  const box = at("foot");
  if (!box) return;
  box.hidden = false;
  const entering = taps && !at("taps").hidden && taps.step !== "who";
  const last = view.hands.at(-1) ?? state.hands.at(-1);
  const hint = state.rules.layoffs === false ? gettext("The deadwood that is left.") : gettext("The deadwood that is left, lay-offs taken off.");
  let words = last ? [`${told(state.names, last)}${last.points ? ", " : ""}`, last.points ? el("b", { class: "num" }, `+${last.points}`) : null] : gettext("Two taps a hand.");
  if (entering) words = taps.step === "left" ? hint : gettext("Check it, then write it.");
  put(at("last"), words);
  at("undo").hidden = Boolean(entering) || !last || stuck();
  at("void").hidden = Boolean(entering) || at("taps").hidden;
}

// --- acts

async function reachable() {
  if (await sending.refresh()) return true;
  say(gettext("This needs the network: try again once it is back."));
  at("line").hidden = false;
  put(at("line"), gettext("This needs the network: try again once it is back."));
  return false;
}

/** The last hand: one that never left this device simply goes, any other by a new edition. */
async function undo() {
  const pending = queue.all().at(-1);
  const last = pending ?? state.hands.at(-1);
  const question = fill(gettext("Take this hand back? %(hand)s"), { hand: told(state.names, last) });
  if (pending?.tried) {
    await sending.flush();
    if (queue.all().length) await reachable();
    return;
  }
  if (!(await sure(question, gettext("Take it back")))) return;
  if (pending) queue.drop([pending.entry]);
  else if (await reachable()) at("undo-form").submit();
}

at("undo")?.addEventListener("click", undo);
at("void")?.addEventListener("click", () => taps.tap({ tap: "end", seat: 0, value: "void" }));

for (const form of document.querySelectorAll("form[data-sure]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { sure: question, yes } = form.dataset;
    if (question && !(await sure(question, yes))) return;
    if (queue.all().length) await sending.flush();
    if (await reachable()) form.submit();
  });
}

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-online]");
  if (!link) return;
  event.preventDefault();
  if (await reachable()) location.assign(link.href);
});

at("stuck")?.addEventListener("click", async (event) => {
  const act = event.target.closest("[data-stuck]")?.dataset.stuck;
  if (act === "rebase" && (await sending.refresh())) {
    queue.rebase(state);
    await sending.flush(true);
  }
  if (act === "copy") copy(event.target);
  if (act === "drop" && (await sure(gettext("Throw these hands away? They are written nowhere else."), gettext("Throw them away")))) {
    sending.say("idle");
    queue.keep([]);
    sending.refresh();
  }
});

/** Outside https there is no clipboard: the older command works on a selection. */
async function copy(button) {
  const text = withPending(state, queue.all()).hands.map((hand) => told(state.names, hand)).join("\n");
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = el("textarea", { class: "vh", readonly: true }, text);
    button.after(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  button.textContent = gettext("Copied");
}

// --- following

if (state.keeper) {
  keepState(state);
  window.addEventListener("offline", draw);
  window.addEventListener("online", draw);
  const workers = navigator.serviceWorker; // on plain http there is none
  workers?.register("/pad/sw.js").then(() => workers.ready)
    .then((ready) => ready.active.postMessage({ keep: `/pad/${state.pad}/` })).catch(() => null);
  workers?.addEventListener("message", () => { document.body.dataset.kept = "yes"; });
}

let stamp = null;
const scheme = location.protocol === "https:" ? "wss" : "ws";
new TableSocket(`${scheme}://${location.host}/ws/pads/${state.pad}/`, {
  heard(message) {
    if (message.stamp === stamp || !message.stamp) return;
    ({ stamp } = message);
    sending.refresh();
  },
  changed({ status }) {
    document.body.dataset.line = status;
    if (status === "open") {
      sending.flush();
      sending.refresh();
    }
  },
});

document.body.dataset.ready = "yes";
draw();
sending.flush();
