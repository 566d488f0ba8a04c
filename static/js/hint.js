/* A hint against the computer: what it would do in one's place, in a sentence, and the card it means. */

import { gettext, pgettext } from "./i18n.js";
import { myTurn } from "./people.js";
import { pieces, theCard } from "./sentence.js";

const NEARLY = 0.05; // a difference nobody would see

/** Whether hints are given here: to who plays against the computer. */
export const hintsHere = (view) => view.seat !== null && view.seats.some((entry) => entry.bot);

/** Whether one may be asked for now. */
export const mayAsk = (view) => hintsHere(view) && myTurn(view);

const withCard = (format, card) => pieces(format, { card: theCard(card) });

/** A move as pieces of a sentence. */
function moveSaid(view, move) {
  const [verb, card] = move.split(" ");
  if (move === "big gin") return [pgettext("hint", "declare big gin")];
  if (move === "pass") return [pgettext("hint", "pass")];
  if (move === "draw stock") return [pgettext("hint", "draw from the stock")];
  if (move === "draw discard") return withCard(pgettext("hint", "take %(card)s"), view.hand.pile[0] ?? view.hand.upcard);
  if (verb === "discard") return withCard(pgettext("hint", "discard %(card)s"), card);
  const gin = view.hand.knocks.find((entry) => entry.card === card)?.deadwood === 0;
  return withCard(gin ? pgettext("hint", "gin, throwing %(card)s") : pgettext("hint", "knock, throwing %(card)s"), card);
}

const number = (value) => value.toLocaleString(document.documentElement.lang || "fr", { maximumFractionDigits: 1 });

/** The hint as pieces of a sentence; the card it is about, if it is one of the hand. */
export function hintSaid(view, hint) {
  const said = pieces(gettext("Hint: %(move)s."), { move: moveSaid(view, hint.move) });
  if (hint.next && hint.lead > NEARLY) {
    said.push(" ", ...pieces(gettext("About %(points)s points better than: %(other)s."), {
      points: number(hint.lead), other: moveSaid(view, hint.next),
    }));
  } else if (hint.next) {
    said.push(" ", ...pieces(gettext("As good: %(other)s."), { other: moveSaid(view, hint.next) }));
  }
  const [verb, card] = hint.move.split(" ");
  return { said, card: verb === "discard" || verb === "knock" ? card : null };
}
