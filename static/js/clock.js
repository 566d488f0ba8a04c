/* Clocks: what each player has left, by the server's time. A turn first, then the reserve. */

import { el, hidden, icon } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { isMe, nameOf } from "./people.js";

const LOW = 10_000;
const LOW_OF_A_DAY = 3_600_000;
const A_DAY = "day";

const two = (number) => String(number).padStart(2, "0");

/** "0:42", "3:05"; "23 h 05" from an hour on. */
export function timeWords(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  return fill(gettext("%(hours)s h %(minutes)s"),
    { hours: Math.floor(seconds / 3600), minutes: two(Math.floor((seconds % 3600) / 60)) });
}

export const hasClock = (view) => Boolean(view.clock) && view.state === "playing";

/** What a seat has left at the server's time `now`: null without a clock. */
export function left(view, seat, now) {
  if (!hasClock(view)) return null;
  const { clock } = view;
  const reserve = clock.reserve_ms?.[seat] ?? 0;
  const runs = clock.seat === seat && clock.deadline !== null && !view.adjourned;
  if (!runs) return { runs, turn: null, reserve, low: false };
  const whole = Math.max(0, clock.deadline - now);
  const turn = Math.max(0, clock.turn_from + clock.turn_ms - now);
  const low = whole <= (view.pace === A_DAY ? LOW_OF_A_DAY : LOW);
  return turn > 0 ? { runs, turn, reserve, low } : { runs, turn: null, reserve: whole, low };
}

/** Whether the time is over: then whoever looks finds the move the server made. */
export const overdue = (view, now) =>
  hasClock(view) && !view.adjourned && Boolean(view.clock.deadline) && now > view.clock.deadline + 700;

function words(view, seat, now) {
  const time = left(view, seat, now);
  if (time.turn === null) return { main: timeWords(time.reserve), more: "", time };
  return { main: timeWords(time.turn), more: time.reserve ? `+ ${timeWords(time.reserve)}` : "", time };
}

/** A clock for one seat, or nothing where there is none to show. */
export function clockOf(view, seat) {
  if (!hasClock(view) || (view.clock.seat !== seat && view.pace === A_DAY)) return null;
  const whose = isMe(view, seat) ? gettext("Your time:") : fill(gettext("Time of %(name)s:"), { name: nameOf(view, seat) });
  return el("span", { class: "clock num", "data-clock": seat },
    el("span", { class: "mark" }, icon("clock"), icon("late")), hidden(`${whose} `),
    el("b", { class: "t" }), el("small", { class: "more" }));
}

/** Write the present times; only texts and classes change. */
export function tickClocks(root, view, now) {
  for (const node of root.querySelectorAll("[data-clock]")) {
    const seat = Number(node.dataset.clock);
    if (!hasClock(view)) return;
    const { main, more, time } = words(view, seat, now);
    node.classList.toggle("on", time.runs);
    node.classList.toggle("low", time.low);
    node.classList.toggle("reserve", time.runs && time.turn === null);
    for (const [selector, text] of [[".t", main], [".more", more]]) {
      const place = node.querySelector(selector);
      if (place.textContent !== text) place.textContent = text;
    }
  }
}

/** The warning, once a turn: few seconds are left to the reader. */
export class Warning {
  constructor() {
    this.said = "";
  }

  /** The sentence to say now, or none. */
  due(view, now) {
    const time = view.seat === null ? null : left(view, view.seat, now);
    const turn = `${view.game?.id}/${view.at.join("/")}`;
    if (!time?.low || !time.runs || this.said === turn || view.pace === A_DAY) return "";
    this.said = turn;
    return gettext("Ten seconds left.");
  }
}
