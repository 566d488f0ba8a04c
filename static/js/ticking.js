/* Texts that change with the clock alone, once a second. Nothing is drawn anew. */

import { awayWords } from "./absence.js";
import { hasClock, tickClocks } from "./clock.js";
import { fill, gettext } from "./i18n.js";
import { countdownWords } from "./showdown.js";
import { elapsedWords } from "./words.js";

function write(stage, selector, words) {
  const node = stage.querySelector(selector);
  if (node && node.textContent !== words) node.textContent = words;
}

function retryWords({ status, retryAt }) {
  if (status === "closed") return "";
  if (!retryAt) return gettext("Trying again…");
  return fill(gettext("Next try in %(seconds)s s"), { seconds: Math.max(0, Math.ceil((retryAt - Date.now()) / 1000)) });
}

/** Write them all; gives the warning that is due, or nothing. */
export function tick(stage, { view, line, turnSince, offset }, warning) {
  const now = Date.now() + offset;
  write(stage, "[data-elapsed]", elapsedWords(Date.now() - turnSince));
  write(stage, "[data-retry]", retryWords(line));
  write(stage, "[data-countdown]", countdownWords(view, offset));
  for (const { dataset } of stage.querySelectorAll("[data-away]")) {
    write(stage, `[data-away="${dataset.away}"]`, awayWords(view, Number(dataset.away), now));
  }
  if (!hasClock(view)) return "";
  tickClocks(stage, view, now);
  return warning.due(view, now);
}
