/* Checks the shuffle of a replayed hand in the reader's own browser, and says so in one line. */

import { gettext } from "../i18n.js";
import { deals, wrongFor, wrongIn } from "./deal.js";
import { keptOfAny } from "./kept.js";

const REASONS = {
  chain: () => gettext("Beware: the secret of this hand does not belong to the chain that was published."),
  seeds: () => gettext("Beware: a value that counted is not the one whose hash was published."),
  commitment: () => gettext("Beware: this is not what was published before the deal, as this browser kept it."),
  own: () => gettext("Beware: the value said to come from this browser is not the one it gave."),
  deck: () => gettext("Beware: the deck these values make is not the one that was played."),
};

/** The line, and whether all is well. */
export function verdict(proof, entries) {
  const wrong = wrongIn(proof) || wrongFor(proof, entries) || (deals(proof, proof.played) ? "" : "deck");
  if (wrong) return { well: false, said: REASONS[wrong]() };
  if (!entries.length) return { well: true, said: gettext("Checked by your browser: nobody chose this deck. It had kept nothing of its own before the deal.") };
  const late = entries.some((entry) => entry.seat !== null && proof.seats[entry.seat].replaced);
  return { well: true, said: late
    ? gettext("Checked by your browser against what it kept before the deal: nobody chose this deck. Your own value came too late and was replaced.")
    : gettext("Checked by your browser against what it kept before the deal: nobody chose this deck.") };
}

const told = document.getElementById("proof");
const line = document.querySelector("[data-fair]");
if (told && line) {
  const proof = JSON.parse(told.textContent);
  const { well, said } = verdict(proof, keptOfAny(proof.game, proof.hand));
  line.textContent = said;
  line.dataset.fair = well ? "well" : "wrong";
}
