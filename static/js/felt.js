/* The felt: the opponent, the two piles, the knock limit. */

import { awayWords, presenceMark, timeoutWords } from "./absence.js";
import { back, face, name } from "./cards.js";
import { clockOf } from "./clock.js";
import { browseButton } from "./discards.js";
import { avatar, el, hidden, put } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { above, below, entryOf, kindOf } from "./people.js";

function fan(count, label) {
  const cards = Array.from({ length: count }, () => el("div", { class: "card back" }, back()));
  return el("div", { class: `row ofan k${count}`, role: "img", "aria-label": label }, cards);
}

/** The mark of whoever dealt. */
export const dealerMark = () =>
  el("span", { class: "dealer", title: gettext("Dealer") },
    el("span", { "aria-hidden": "true" }, gettext("D")), hidden(gettext("Dealer")));

/** A seat: letter, name, dealer mark, what is known of it. */
export function seatBadge(view, entry, about = null) {
  return el("div", { class: "seat" }, avatar(entry.name, entry.seat),
    el("div", {},
      el("div", { class: "nm" }, presenceMark(view, entry.seat), el("span", { class: "who1" }, entry.name),
        view.hand?.dealer === entry.seat ? dealerMark() : null),
      about ? el("div", { class: "sub" }, about) : null));
}

const cardsHeld = (count) =>
  fill(ngettext("%(count)s card", "%(count)s cards", count), { count });

/** What is known beside a name: cards, absence, time-outs. Texts alone change with the time. */
const about = (view, seat, words = null) => [words,
  el("span", { class: `late guest ${entryOf(view, seat)?.bot ? "bot" : ""}` }, kindOf(view, seat)),
  el("span", { class: "late", "data-away": seat }, awayWords(view, seat, view.now)),
  el("span", { class: "late" }, timeoutWords(view, seat))];

export function drawOpponent(box, view) {
  const entry = above(view)[0];
  if (!entry) return put(box);
  const count = view.hand?.others.find((other) => other.seat === entry.seat)?.count ?? 0;
  const held = [entry.name, count].join("/");
  const kept = box.dataset.held === held && box.querySelector(".ofan"); // ten backs are dear to draw
  box.dataset.held = held;
  return put(box,
    seatBadge(view, entry, about(view, entry.seat, el("span", {}, cardsHeld(count)))),
    kept || fan(count, fill(ngettext("%(name)s holds %(count)s card", "%(name)s holds %(count)s cards", count),
      { name: entry.name, count })),
    clockOf(view, entry.seat) ?? el("span"));
}

/** The reader's own seat, beside the buttons. */
export const ownSeat = (view) => seatBadge(view, entryOf(view, below(view)) ?? { name: "?", seat: 0 },
  [clockOf(view, below(view)), about(view, below(view))]);

/** For someone who only watches: the lower hand, face down. */
export function drawClosedHand(box, view) {
  const count = view.hand?.others.find((other) => other.seat === below(view))?.count ?? 0;
  box.className = "hand closed";
  box.removeAttribute("aria-label");
  put(box, fan(count, cardsHeld(count)));
}

function pile(kind, { card, label, caption, key, act, busy }) {
  const drawn = card ? el("span", { class: act ? "card can" : "card", "data-card-shown": card }, face(card))
    : el("span", { class: act ? "card back can" : "card back" }, back());
  const held = kind === "discp"
    ? el("span", { class: "under" }, card ? drawn : el("span", { class: "card gone" })) : drawn;
  return el("button", {
    class: `pile ${kind}`, type: "button", "aria-label": label, disabled: !act,
    "data-act": act, "aria-disabled": act && busy ? "true" : null,
  }, held, el("span", { class: "cap" }, caption, act ? el("kbd", { "aria-hidden": "true" }, key) : null));
}

function stockPile(hand, can, busy) {
  const count = hand.stock;
  return pile("stockp", {
    label: fill(ngettext("Stock, %(count)s card", "Stock, %(count)s cards", count), { count }),
    caption: [gettext("Stock"), " ", el("b", {}, `${count}`)],
    key: "1", act: can ? "draw-stock" : null, busy,
  });
}

function discardPile(hand, can, busy) {
  const top = hand.pile[0] ?? null;
  return pile("discp", {
    card: top,
    label: top ? fill(gettext("Discard pile, on top: %(card)s"), { card: name(top) })
      : gettext("Discard pile, empty"),
    caption: gettext("Discards"), key: "2", act: can ? "draw-discard" : null, busy,
  });
}

/** The disc with the limit, and under it what else is special in this hand. */
function limit(view) {
  const hand = view.hand;
  if (hand.gin_only) {
    return el("div", { class: "limit", "data-limit": "0" }, el("b", {}, "0"),
      el("span", {}, gettext("gin only"), spades(view)));
  }
  return el("div", { class: "limit", "data-limit": hand.knock_limit },
    el("b", {}, `${hand.knock_limit}`),
    el("span", {}, hand.oklahoma ? gettext("knock limit, Oklahoma") : gettext("knock limit"),
      spades(view)));
}

const spades = (view) =>
  view.hand.spade && view.game?.doubles_spades
    ? el("span", { class: "twice" }, gettext("♠ points doubled")) : null;

export function drawMiddle(box, view, busy) {
  const hand = view.hand;
  const legal = view.seat === null || view.adjourned ? [] : hand.legal;
  put(box, browseButton(hand) ?? el("span"),
    stockPile(hand, legal.includes("draw stock"), busy),
    discardPile(hand, legal.includes("draw discard"), busy),
    limit(view));
}
