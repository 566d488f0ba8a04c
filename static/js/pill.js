/* The pill that says whose turn it is; a lost line takes its place. */

import { el, put } from "./dom.js";
import { gettext } from "./i18n.js";
import { myTurn } from "./people.js";
import { turnWords } from "./words.js";

/** The line as the player knows it: while it is opened again, it is lost. */
export const lineOf = ({ line, everOpen }) =>
  (line.status === "connecting" && everOpen ? { ...line, status: "lost" } : line);

/** What is wrong with the line, in a few words. */
export function lineHead({ why }) {
  if (why === "missing" || why === "forbidden") return gettext("This table is not open to you");
  return gettext("Connection lost");
}

/** The line's state for the bar; a second sentence where the site itself is in trouble. */
export function lineWords(app) {
  const { status } = lineOf(app);
  const trouble = app.reach.words();
  if (trouble.length && (status === "open" || !app.reach.database)) return trouble;
  if (status === "open") return [gettext("Connected")];
  return [status === "connecting" ? gettext("Connecting…") : lineHead(app.line)];
}

export function drawPill(pill, app) {
  const { view } = app;
  if (["lost", "closed"].includes(lineOf(app).status)) {
    pill.className = "turn alert";
    put(pill, el("strong", {}, lineHead(app.line)), " ", el("span", { "data-retry": "" }));
    return;
  }
  if (!app.reach.database) {
    pill.className = "turn alert";
    put(pill, el("strong", {}, gettext("Play pauses")), " ", el("span", {}, gettext("and goes on by itself")));
    return;
  }
  const { head, rest } = turnWords(view);
  pill.className = myTurn(view) ? "turn" : "turn wait";
  const ticks = !myTurn(view) && !view.adjourned;
  put(pill, el("strong", {}, head), " ", el("span", { "data-elapsed": ticks ? "" : null }, rest));
}
