/* The log of the hand: what the server still shows, plus what this page has seen since it opened. */

import { el, put } from "./dom.js";
import { gettext } from "./i18n.js";
import { asNodes, asText } from "./sentence.js";
import { action, dealLine, moveLine } from "./words.js";

const hands = new Map(); // hand number -> Map(ply -> entry)
let game = null;

/* The server's log begins after one's own last turn, so the move that ended it is told from the
   cards: what the hand lost, or nothing at all. */
function ownMove(before, view) {
  const hand = before?.hand;
  if (!hand || before.game?.id !== view.game?.id || before.at[0] !== view.at[0]) return [];
  const ply = before.at[1] + 1;
  if (before.seat === null || hand.to_act !== before.seat || view.at[1] < ply) return [];
  if (!view.hand?.held || view.hand.log.some((entry) => entry.ply === ply)) return [];
  const gone = hand.held.filter((card) => !view.hand.held.includes(card));
  if (hand.phase === "discard" && gone.length) return [{ ply, seat: before.seat, move: `discard ${gone[0]}` }];
  return hand.phase === "upcard" ? [{ ply, seat: before.seat, move: "pass" }] : [];
}

/** Keep the entries of a view; gives those not seen before, oldest first. */
export function remember(view, previous = null) {
  if (!view.hand) return [];
  if (view.game?.id !== game) {
    hands.clear();
    game = view.game?.id;
  }
  const number = view.at[0];
  if (!hands.has(number)) hands.set(number, new Map());
  const known = hands.get(number);
  const fresh = [];
  for (const entry of [...ownMove(previous, view), ...view.hand.log]) {
    const before = known.get(entry.ply);
    if (!before) fresh.push(entry);
    known.set(entry.ply, { ...before, ...entry });
  }
  return fresh.sort((a, b) => a.ply - b.ply);
}

const ends = (entry) => ["discard", "knock", "big gin"].includes(action(entry));

/** A draw and what the same player did next make one line; a gap in what we know shows as "…". */
function lines(view) {
  const entries = [...(hands.get(view.at[0])?.values() ?? [])].sort((a, b) => a.ply - b.ply);
  const written = [];
  let expected = entries.length ? firstPly(entries) : 0;
  for (let i = 0; i < entries.length; i += 1) {
    const entry = entries[i];
    const next = entries[i + 1];
    if (entry.ply > expected) written.push(["…"]);
    const pair = entry.move.startsWith("draw") && next && next.ply === entry.ply + 1
      && next.seat === entry.seat && ends(next);
    written.push(moveLine(view, entry, pair ? next : null));
    if (pair) i += 1;
    expected = entries[i].ply + 1;
  }
  return written;
}

/* Plies count from 0 or from 1: a hand that opens with an offer shows which. */
const firstPly = (entries) => (entries[0].ply <= 1 ? entries[0].ply : 1);

/** New entries as one spoken text. */
export const spoken = (view, fresh) =>
  fresh.map((entry) => asText(moveLine(view, entry))).join(" ");

/** The lines, the opening one first. */
export function journalLines(view) {
  const all = view.hand ? [dealLine(view, view.at[0]), ...lines(view)] : [];
  return all.map((parts) => el("li", {}, asNodes(parts)));
}

/** The lines as a list of their own. */
export const journalList = (view) =>
  el("ol", { class: "lines", tabindex: "0", "aria-label": gettext("Log of the hand") }, journalLines(view));

/** The last line alone, for the strip under the felt. */
export function lastLine(view) {
  if (!view.hand) return [];
  const all = lines(view);
  return asNodes(all.length ? all[all.length - 1] : dealLine(view, view.at[0]));
}

/** Draw the log section: the strip, its head, the lines, among which those of the talk stand. */
export function drawJournal(section, view, turn, chat) {
  put(section.querySelector(".peek .t"), lastLine(view));
  const now = section.querySelector(".tabs .now");
  now.textContent = turn;
  now.hidden = turn === "";
  chat.follow(journalLines(view), `${view.game?.id}/${view.at[0]}`);
}
