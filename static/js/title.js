/* The title of the tab: it calls the player once, while they look elsewhere. */

import { gettext } from "./i18n.js";
import { myTurn } from "./people.js";

const plain = document.title;
let called = "";

const away = () => document.hidden || !document.hasFocus();

/** Call when the turn comes while the tab is not looked at; says whether it has just called. */
export function tellTitle(view) {
  const turn = `${view.game?.id}/${view.at.join("/")}`;
  const mine = myTurn(view);
  if (!mine || !away()) {
    document.title = plain;
    if (mine) called = turn;
    return false;
  }
  if (called === turn) return false;
  called = turn;
  document.title = gettext("Your turn to play");
  return true;
}

/** Looked at again: the title is the table's. */
export function clearTitle() {
  if (!away()) document.title = plain;
}
