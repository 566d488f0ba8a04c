/* Both hands laid open: melds, what was laid off on them, what was left over. */

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

function meld(view, cards, extra) {
  const off = new Map(extra.map(({ card, seat }) => [card, seat]));
  const all = isSet(cards) ? [...cards, ...off.keys()] : [...cards, ...off.keys()].sort(byRank);
  return el("div", { class: "m" },
    el("ol", { class: "row" }, all.map((card) => off.has(card)
      ? el("li", { class: "slot lay" }, shown(card, layer(view, card, off.get(card))))
      : el("li", { class: "slot" }, shown(card)))),
    meldCaption(cards, extra));
}

function leftOver(hand) {
  if (!hand.loose.length) return null;
  const cards = [...hand.loose].sort(byRank);
  const sum = cards.map(points);
  const total = el("b", {}, `${hand.deadwood}`);
  return el("div", { class: "m dead" },
    el("ol", { class: "row" }, cards.map((card) => el("li", { class: "slot" }, shown(card)))),
    el("div", { class: "cap" },
      sum.length > 1 ? [`${sum.join(" + ")} = `, total] : [gettext("Deadwood"), " ", total]));
}

function did(view, result, hand) {
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

function side(view, result, hand) {
  const who = nameOf(view, hand.seat);
  const own = hand.seat === result.knocker;
  return el("div", { class: "side", "data-seat": hand.seat },
    el("div", { class: "side-h" }, avatar(who, hand.seat), el("h2", {}, who),
      did(view, result, hand),
      el("span", { class: "dwn" }, gettext("deadwood"), el("b", { class: "num" }, `${hand.deadwood}`))),
    el("div", { class: "melds" },
      hand.melds.map((cards, at) => meld(view, cards, own ? added(result, at) : [])),
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
