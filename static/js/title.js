/* The title of the tab: it calls the player when the tab is hidden. */

import { fill, gettext } from "./i18n.js";
import { myTurn } from "./people.js";

const plain = document.title;

/** "Your turn · …" while the tab is hidden and the player must act. */
export function tellTitle(view) {
  const call = document.hidden && myTurn(view);
  document.title = call ? fill(gettext("Your turn · %(title)s"), { title: plain }) : plain;
}
