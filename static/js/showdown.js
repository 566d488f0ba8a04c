/* The scene after a hand or a game: hands laid open at the left, the sum on paper at the right. */

import { isAway } from "./absence.js";
import { el, put } from "./dom.js";
import { chipsOf, reasons, totalsTable, verdict } from "./ending.js";
import { fill, gettext } from "./i18n.js";
import { journalList } from "./journal.js";
import { layout } from "./layout.js";
import { isMe } from "./people.js";
import { again, changing, following, lineButton, lineList } from "./line.js";
import { asNodes, asText } from "./sentence.js";
import { account, calculation, headline, standing } from "./sums.js";

const others = (view) => view.seats.filter((entry) => !isMe(view, entry.seat));

function hands(view) {
  const box = el("section", { class: "hands", "aria-label": gettext("Both hands") });
  if (view.hand?.result) {
    put(box, layout(view), el("details", { class: "sdlog" },
      el("summary", {}, gettext("Log of the hand")), journalList(view)));
  } else {
    put(box, el("p", { class: "unplayed" }, gettext("This hand was not played to its end.")));
  }
  return box;
}

function act(name, look, busy, text) {
  return el("button", {
    class: `btn ${look}`, type: "button", "data-act": name, "aria-disabled": busy ? "true" : null,
  }, text);
}

const sheetLink = (view) =>
  view.sheet_url ? el("a", { class: "btn btn-quiet", href: view.sheet_url, "data-act": "sheet" }, gettext("View the sheet")) : null;

/** "Camille is ready." and the countdown; the countdown alone changes each second. */
function readiness(view) {
  const ready = others(view).filter((entry) => entry.ready);
  const words = ready.map((entry) => fill(gettext("%(name)s is ready."), { name: entry.name }));
  const gone = others(view).filter((entry) => isAway(view, entry.seat) && !entry.ready);
  words.push(...gone.map((entry) => fill(gettext("%(name)s is away."), { name: entry.name })));
  return el("p", { class: "wait" }, words.join(" "), " ", el("span", { "data-countdown": "" }));
}

const offers = () => el("div", { class: "offer", role: "group", "aria-label": gettext("Answer"), hidden: true });

function nextHand(view, busy) {
  const own = view.seats.find((entry) => isMe(view, entry.seat));
  if (view.seat === null) return null;
  if (own?.ready) return el("p", { class: "ok-line", role: "status" }, gettext("Noted, you are ready."));
  return act("ready", "btn-1 btn-lg", busy, gettext("Next hand"));
}

function handSum(view, busy) {
  const calc = calculation(view);
  return el("section", { class: "sum", "aria-labelledby": "r" },
    el("p", { class: "over" }, fill(gettext("Hand %(number)s"), { number: view.at[0] })),
    el("h1", { id: "r" }, headline(view)),
    calc,
    el("p", { class: "say1" }, view.hand?.result ? asNodes(account(view)) : null),
    standing(view),
    el("div", { class: "go" }, offers(), nextHand(view, busy), sheetLink(view), readiness(view)));
}

function rematch(view, busy) {
  if (view.seat === null) return null;
  const own = view.seats.find((entry) => isMe(view, entry.seat));
  const asking = others(view).filter((entry) => entry.rematch);
  const asked = asking.map((entry) =>
    el("p", { class: "ok-line", role: "status" }, fill(gettext("%(name)s asks for a rematch."), { name: entry.name })));
  if (own?.rematch) {
    return [el("p", { class: "ok-line", role: "status" }, gettext("You asked for a rematch; the other has to accept.")), asked];
  }
  return [asked, following(view), again(view, asking.length ? "btn-brass btn-lg" : "btn-1 btn-lg", busy,
    asking.length ? gettext("Accept the rematch") : gettext("Rematch"))];
}

/** Where a friend has left, the computer plays on: another game by the same rules. */
const instead = (view) => (view.computer ? el("button", { class: "btn btn-quiet instead", type: "button", "data-act": "computer" },
  gettext("Play on against the computer")) : null);

function lastHand(view) {
  if (!view.hand?.result || !view.hand_line) return null;
  return el("details", { class: "lasthand" },
    el("summary", {}, fill(gettext("Hand %(number)s: %(result)s"), { number: view.at[0], result: headline(view) })),
    calculation(view), el("p", { class: "say1" }, asNodes(account(view))));
}

/** A guest who has just played is told how the game stays theirs. */
function keepGames() {
  const way = document.querySelector(".tbar")?.dataset.keep;
  return way ? el("p", { class: "keep" }, gettext("You play as a guest."), " ",
    el("a", { href: way }, gettext("Choose a password and keep this game"))) : null;
}

/** Whom one has just played with can become a friend: a form, after which this page comes again. */
function befriend(view) {
  const action = document.querySelector(".tbar")?.dataset.friends;
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  const field = (name, value) => el("input", { type: "hidden", name, value });
  return !action || !token ? null : (view.befriend ?? []).map((name) =>
    el("form", { class: "befriend", method: "post", action },
      field("csrfmiddlewaretoken", token), field("next", location.pathname), field("name", name),
      el("button", { class: "btn btn-quiet", name: "do", value: "ask" }, fill(gettext("Add %(name)s as a friend"), { name }))));
}

function gameSum(view, busy) {
  return el("section", { class: "sum", "aria-labelledby": "r" },
    el("p", { class: "over" }, gettext("End of the game")),
    el("h1", { id: "r" }, verdict(view)),
    el("p", { class: "say1 why" }, reasons(view).join(" ")),
    totalsTable(view),
    chipsOf(view),
    lastHand(view),
    lineList(view),
    el("div", { class: "go" }, view.next ? changing(view, busy) : rematch(view, busy) ?? lineButton(view, "btn-1", busy), el("div", { class: "links" }, sheetLink(view),
      view.room?.url ? el("a", { class: "btn btn-quiet", href: view.room.url }, gettext("Back to the room")) : null, instead(view))),
    befriend(view),
    view.seat === null ? null : keepGames());
}

/** Draw the scene into the stage. */
export function drawShowdown(stage, view, busy) {
  stage.className = "sd";
  const told = view.state === "finished" ? verdict(view) : headline(view);
  const chips = view.state === "finished" && view.end.chips ? el("small", {}, view.end.chips.verdict) : null;
  put(stage, el("p", { class: "told", "aria-hidden": "true" }, told, chips), hands(view), view.state === "finished" ? gameSum(view, busy) : handSum(view, busy));
}

/** The result as one spoken text. */
export function spokenResult(view) {
  if (view.state === "finished") return [`${verdict(view)}.`, ...reasons(view), view.end.chips?.verdict ?? ""].join(" ").trim();
  return [headline(view), view.hand?.result ? asText(account(view)) : ""].join(". ");
}

/** "The next hand starts in 18 s." */
export function countdownWords(view, offset) {
  if (view.state !== "between" || !view.next_deal_at) return "";
  const seconds = Math.max(0, Math.ceil((view.next_deal_at - Date.now() - offset) / 1000));
  const number = view.at[0] + 1;
  if (seconds > 120) return fill(gettext("Hand %(number)s starts when both are ready."), { number });
  return fill(gettext("Hand %(number)s starts in %(seconds)s s."), { number, seconds });
}
