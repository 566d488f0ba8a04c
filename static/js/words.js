/* What the table says: the turn, and each move as a sentence. */

import { article, rankWord } from "./cards.js";
import { fill, gettext } from "./i18n.js";
import { isMe, myTurn, nameOf } from "./people.js";
import { bold, pieces, theCard } from "./sentence.js";

/** The best knock and whether it is gin; null when none is legal. */
export function bestKnock(hand) {
  const knocks = hand.knocks ?? [];
  return knocks.length ? knocks[0] : null;
}

export const ginKnocks = (hand) => (hand.knocks ?? []).filter((knock) => knock.deadwood === 0);

export const bigGin = (hand) => (hand.legal ?? []).includes("big gin");

export const canDiscard = (hand, card) => (hand.legal ?? []).includes(`discard ${card}`);

/* A name as long as a pill can bear. */
const short = (name) => (name.length > 16 ? `${name.slice(0, 15)}…` : name);

/** The two halves of the turn pill: who, and what to do. */
export function turnWords(view) {
  const hand = view.hand;
  if (view.adjourned) return { head: gettext("Game adjourned"), rest: "" };
  if (!hand || hand.to_act === null) return { head: gettext("End of the hand"), rest: "" };
  if (!myTurn(view)) {
    const name = short(nameOf(view, hand.to_act));
    return { head: fill(gettext("%(name)s is playing"), { name }), rest: "" };
  }
  return { head: gettext("Your turn"), rest: myTurnWords(hand) };
}

function myTurnWords(hand) {
  if (hand.phase === "upcard") {
    return fill(gettext("Take %(card)s or pass"), { card: article(hand.upcard) + rankWord(hand.upcard) });
  }
  if (hand.phase === "draw") {
    if (!hand.legal.includes("draw discard")) return gettext("Draw from the stock");
    const top = hand.pile[0];
    return fill(gettext("Draw, or take %(card)s"), { card: article(top) + rankWord(top) });
  }
  if (bigGin(hand)) return gettext("All eleven cards are melded");
  if (ginKnocks(hand).length) return gettext("Everything is melded");
  if (bestKnock(hand)) return gettext("Discard or knock");
  return gettext("Discard a card");
}

/** How long the other has been thinking: "for 12 s". */
export function elapsedWords(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return fill(gettext("for %(seconds)s s"), { seconds });
  return fill(gettext("for %(minutes)s min"), { minutes: Math.floor(seconds / 60) });
}

/** Opening line of a hand in the log. */
export function dealLine(view, number) {
  const dealer = view.hand.dealer;
  const head = bold(fill(gettext("Hand %(number)s."), { number }));
  if (isMe(view, dealer)) return pieces(gettext("%(head)s You deal."), { head });
  return pieces(gettext("%(head)s %(name)s deals."), { head, name: nameOf(view, dealer) });
}

/** A move alone, or a draw with the discard that followed it, as pieces of a sentence. */
export function moveLine(view, first, second = null) {
  const me = isMe(view, first.seat);
  const name = nameOf(view, first.seat);
  const verb = action(first);
  if (!second) return pieces(alone(me, verb), { name, card: cardOf(first) });
  const format = together(me, verb, action(second));
  return pieces(format, { name, card: cardOf(first), thrown: cardOf(second) });
}

/** "draw stock", "discard", "knock"… without the cards. */
export function action(entry) {
  if (entry.move.startsWith("draw") || entry.move === "big gin" || entry.move === "pass") {
    return entry.move;
  }
  return entry.move.split(" ")[0];
}

function cardOf(entry) {
  const written = entry.move.split(" ")[1];
  const card = entry.card ?? (/^[A23456789TJQK][cdhs]$/.test(written ?? "") ? written : null);
  return card ? theCard(card) : [];
}

function alone(me, verb) {
  switch (verb) {
    case "pass": return me ? gettext("You pass.") : gettext("%(name)s passes.");
    case "draw stock": return me ? gettext("You draw.") : gettext("%(name)s draws.");
    case "draw discard":
      return me ? gettext("You take %(card)s.") : gettext("%(name)s takes %(card)s.");
    case "discard":
      return me ? gettext("You discard %(card)s.") : gettext("%(name)s discards %(card)s.");
    case "knock": return me ? gettext("You knock.") : gettext("%(name)s knocks.");
    default: return me ? gettext("You declare big gin.") : gettext("%(name)s declares big gin.");
  }
}

function together(me, draw, end) {
  const taken = draw === "draw discard";
  if (end === "discard") {
    if (taken) {
      return me ? gettext("You take %(card)s and discard %(thrown)s.")
        : gettext("%(name)s takes %(card)s and discards %(thrown)s.");
    }
    return me ? gettext("You draw and discard %(thrown)s.")
      : gettext("%(name)s draws and discards %(thrown)s.");
  }
  if (end === "knock") {
    if (taken) {
      return me ? gettext("You take %(card)s and knock.")
        : gettext("%(name)s takes %(card)s and knocks.");
    }
    return me ? gettext("You draw and knock.") : gettext("%(name)s draws and knocks.");
  }
  if (taken) {
    return me ? gettext("You take %(card)s and declare big gin.")
      : gettext("%(name)s takes %(card)s and declares big gin.");
  }
  return me ? gettext("You draw and declare big gin.")
    : gettext("%(name)s draws and declares big gin.");
}
