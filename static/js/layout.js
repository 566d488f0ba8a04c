/* Both hands laid open: melds, what was laid off on them, what was left over. At the showdown, and at
   every moment of a replay. */

import { byRank, isSet, meldName, name, points, rankWord, shown } from "./cards.js";
import { avatar, el } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { nameOf } from "./people.js";
import { asNodes, pieces, theCard } from "./sentence.js";

const layer = (view, card, seat) =>
  fill(gettext("%(card)s, laid off by %(name)s"), { card: name(card), name: nameOf(view, seat) });

/** Cards others laid off on one meld of the knocker. */
const added = (result, at) =>
  result.hands.flatMap((hand) =>
    (hand.laid_off ?? []).filter((off) => off.meld === at).map((off) => ({ card: off.card, seat: hand.seat })));

function meldCaption(cards, extra) {
  const caption = el("div", { class: "cap" }, meldName(cards));
  if (extra.length) {
    const words = extra.map(({ card }) => rankWord(card)).join(", ");
    caption.append(" ", el("span", { class: "lo" },
      `+ ${words}`));
  }
  return caption;
}

/** A card of a hand; the one just drawn is marked. */
const held = (hand, card) => (card === hand.drawn
  ? el("li", { class: "slot new" }, shown(card, `${name(card)}, ${gettext("just drawn")}`))
  : el("li", { class: "slot" }, shown(card)));

function meld(view, hand, cards, extra) {
  const off = new Map(extra.map(({ card, seat }) => [card, seat]));
  const all = isSet(cards) ? [...cards, ...off.keys()] : [...cards, ...off.keys()].sort(byRank);
  return el("div", { class: "m" },
    el("ol", { class: "row" }, all.map((card) => off.has(card)
      ? el("li", { class: "slot lay" }, shown(card, layer(view, card, off.get(card))))
      : held(hand, card))),
    meldCaption(cards, extra));
}

/* Left out where the head of the hand says it and there is no room (replay.css). */
const word = () => [el("span", { class: "w" }, gettext("Deadwood")), " "];

/** What is left over, how it adds up, or what it would be after the best discard. */
function leftOverCaption(hand, cards) {
  if (isLonger(hand)) {
    return [word(), asNodes(pieces(gettext("%(deadwood)s without %(card)s"),
      { deadwood: hand.after_best_discard, card: theCard(hand.best_discard) }))];
  }
  const sum = cards.map(points);
  const total = el("b", {}, `${hand.deadwood}`);
  return sum.length > 1 ? [`${sum.join(" + ")} `, el("span", { class: "nowrap" }, "= ", total)] : [word(), total];
}

function leftOver(hand) {
  if (!hand.loose.length) return null;
  const cards = [...hand.loose].sort(byRank);
  return el("div", { class: "m dead" },
    el("ol", { class: "row" }, cards.map((card) => held(hand, card))),
    el("div", { class: "cap" }, leftOverCaption(hand, cards)));
}

/* After a draw a hand has a card more than it may keep. */
const isLonger = (hand) => (hand.after_best_discard ?? null) !== null;

/** What counts against a hand: after the best discard while it has a card more. */
export const deadwoodOf = (hand) => (isLonger(hand) ? hand.after_best_discard : hand.deadwood);

function did(view, result, hand) {
  if (!result) return null;
  if (hand.seat === result.knocker) return el("span", { class: "what" }, asNodes(knockerDid(result)));
  const count = (hand.laid_off ?? []).length;
  if (!count) return null;
  return el("span", { class: "legend" }, el("i"),
    fill(ngettext("lays off %(count)s card on %(name)s’s melds",
      "lays off %(count)s cards on %(name)s’s melds", count),
    { count, name: nameOf(view, result.knocker) }));
}

function knockerDid(result) {
  const card = result.thrown ? theCard(result.thrown) : null;
  if (result.end === "big_gin") return [gettext("big gin, eleven cards")];
  if (result.end === "gin") {
    return card ? pieces(gettext("gin, throwing %(card)s"), { card }) : [gettext("gin")];
  }
  return card ? pieces(gettext("knocks, throwing %(card)s"), { card }) : [gettext("knocks")];
}

/** One player's cards: at the showdown, or without a result as they were held before it. */
export function side(view, result, hand) {
  const who = nameOf(view, hand.seat);
  const own = hand.seat === result?.knocker;
  return el("div", { class: "side", "data-seat": hand.seat },
    el("div", { class: "side-h" }, avatar(who, hand.seat), el("h2", {}, who),
      did(view, result, hand),
      el("span", { class: "dwn" }, gettext("deadwood"), el("b", { class: "num" }, `${deadwoodOf(hand)}`))),
    el("div", { class: "melds" },
      hand.melds.map((cards, at) => meld(view, hand, cards, own ? added(result, at) : [])),
      leftOver(hand)));
}

/** The two hands, the knocker's first; a void hand shows the reader's own first. */
export function layout(view) {
  const result = view.hand.result;
  const first = result.knocker ?? view.seat ?? 0;
  const hands = [...result.hands].sort((a, b) => (b.seat === first) - (a.seat === first));
  return hands.flatMap((hand, at) =>
    at === 0 ? [side(view, result, hand)] : [el("hr", { class: "rule" }), side(view, result, hand)]);
}
