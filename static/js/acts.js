/* The row of buttons under the hand: only what is legal, in slots that do not move. */

import { el, put } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { lineButton } from "./line.js";
import { myTurn } from "./people.js";
import { aCard, asNodes, pieces } from "./sentence.js";
import { bestKnock, bigGin, canDiscard, ginKnocks } from "./words.js";

function button(act, look, busy, ...content) {
  return el("button", {
    class: `btn ${look}`, type: "button", "data-act": act, "aria-disabled": busy ? "true" : null,
  }, content);
}

const hint = (...content) => el("span", { class: "hint" }, content);

function upcardButtons(hand, busy) {
  const take = asNodes(pieces(gettext("Take %(card)s"), { card: aCard(hand.upcard) }));
  return [
    hand.legal.includes("draw discard") ? button("take", "btn-cream", busy, take) : null,
    hand.legal.includes("pass") ? button("pass", "btn-felt", busy, gettext("Pass")) : null,
  ];
}

function discardButton(chosen, busy) {
  const words = chosen
    ? asNodes(pieces(gettext("Discard %(card)s"), { card: aCard(chosen) }))
    : gettext("Discard…");
  return button("discard", "btn-cream", busy, words);
}

function ginHint(hand) {
  const left = hand.after_best_discard;
  if (left === null || left === undefined || left === 0) return null;
  return hint(fill(gettext("Gin: %(count)s to go"), { count: left }));
}

function knockHint(hand) {
  if (hand.gin_only) return null;
  const over = (hand.after_best_discard ?? 0) - hand.knock_limit;
  return over > 0 ? hint(fill(gettext("Knock: %(count)s to go"), { count: over })) : null;
}

function endings(hand, busy) {
  const gin = ginKnocks(hand).length > 0;
  if (bigGin(hand)) {
    return [
      gin ? button("gin", "btn-felt", busy, gettext("Gin")) : null,
      button("big-gin", "btn-brass btn-knock", busy, gettext("Big gin")),
    ];
  }
  if (gin) return [button("gin", "btn-brass btn-knock", busy, gettext("Gin"))];
  const knock = bestKnock(hand);
  if (!knock) return [knockHint(hand) ?? ginHint(hand)];
  return [
    button("knock", "btn-brass btn-knock", busy,
      fill(gettext("Knock with %(deadwood)s"), { deadwood: knock.deadwood })),
    ginHint(hand),
  ];
}

const drawHint = (hand) => (hand.legal.includes("draw discard")
  ? gettext("Touch one of the two piles") : gettext("Touch the stock"));

/** The buttons for the present view, as nodes. */
export function drawActs(box, view, { chosen, busy, line }) {
  if (line.status === "lost" || line.status === "closed") {
    return put(box,
      line.status === "lost"
        ? button("retry", "btn-felt", false, gettext("Try again")) : null,
      view.seat === null ? null : hint(gettext("You can play again once connected")));
  }
  const hand = view.hand;
  if (view.seat === null) return put(box, hint(gettext("You are watching")), lineButton(view, "btn-felt", busy));
  if (view.adjourned) return put(box, hint(gettext("Nothing is lost: the cards stay as they lie")));
  if (!myTurn(view)) return put(box, hint(gettext("Touch a card to move it")));
  if (hand.phase === "upcard") return put(box, upcardButtons(hand, busy));
  if (hand.phase === "draw") return put(box, hint(drawHint(hand)));
  return put(box, discardButton(chosen && canDiscard(hand, chosen) ? chosen : null, busy), endings(hand, busy));
}
