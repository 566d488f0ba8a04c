/* The bar above the table and its menu: what they offer follows the view. */

import { canBrowse, drawDiscards } from "./discards.js";
import { put } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { drawWatching, lineButton, lineList } from "./line.js";

const inMenu = (act) => document.querySelector(`#menu-dialog [data-act=${act}]`);

function drawMenu(view) {
  const over = view.seat === null || !["playing", "between"].includes(view.state);
  inMenu("resign").hidden = over;
  inMenu("call-off-offer").hidden = over || Boolean(view.call_off);
  inMenu("discards").hidden = !canBrowse(view.hand);
  inMenu("log").hidden = view.state !== "playing";
  const sheet = inMenu("sheet");
  sheet.hidden = !view.sheet_url;
  if (view.sheet_url) sheet.href = view.sheet_url;
  const next = document.querySelector("#menu-dialog .next");
  next.hidden = !lineList(view);
  put(next, lineList(view), lineButton(view, "btn-1"));
}

/** Draw the bar, the menu and the dialog of the discards, which may be open. */
export function drawHead(view) {
  document.querySelector(".tbar .rules").textContent = view.game?.number
    ? fill(gettext("Game %(number)s · %(rules)s, %(target)s points"), view.game) : view.game?.rules ?? "";
  document.querySelector("#menu-dialog .played-for").textContent = view.game
    ? fill(gettext("%(rules)s, target %(target)s, %(stakes)s"), view.game) : "";
  drawWatching(document.querySelector(".tbar .watching"), view);
  drawMenu(view);
  const discards = document.getElementById("discards-dialog");
  if (discards.open) drawDiscards(discards, view.hand);
}
