/* Checks the shuffle of a replayed hand in the reader's own browser, and says so in one line. */

import { gettext } from "../i18n.js";
import { deals, wrongFor, wrongIn } from "./deal.js";
import { keptOfAny } from "./kept.js";

/** The line, and whether all is well. */
export function verdict(proof, entries) {
  const wrong = wrongIn(proof) || wrongFor(proof, entries) || (deals(proof, proof.played) ? "" : "deck");
  if (wrong === "deck") return { well: false, said: gettext("Beware: the deck these values make is not the one that was played.") };
  if (wrong) return { well: false, said: gettext("Beware: what is shown now is not what was published and given before the deal.") };
  return { well: true, said: entries.length
    ? gettext("Checked by your browser against what it kept before the deal: nobody chose this deck.")
    : gettext("Checked by your browser: nobody chose this deck.") };
}

/** What the page shows of this hand, from the door that gives its proof as a file. */
export async function proofHere() {
  const answer = await fetch(`${document.querySelector(".rp-fair a[download]").href}?seen`);
  return answer.text();
}

const line = document.querySelector("[data-fair]");
try {
  const proof = JSON.parse(await proofHere());
  const { well, said } = verdict(proof, keptOfAny(proof.game, proof.hand));
  line.textContent = said;
  line.dataset.fair = well ? "well" : "wrong";
} catch {
  // No network: the line says that it can be checked, as without script.
}
