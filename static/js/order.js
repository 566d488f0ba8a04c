/* How one holds one's hand. The server keeps it; what was just asked shows until it answers. */

import { gettext } from "./i18n.js";

const STORE = "ginrami.sort";
const ANSWER_WITHIN = 4000;
export const SORTS = ["melds", "suit", "rank", "own"];

export const sortName = (sort) => ({
  melds: gettext("Melds"), suit: gettext("Suit"), rank: gettext("Rank"), own: gettext("Own order"),
})[sort];

/** The sort last chosen in this browser: what a game begins with. */
function storedSort() {
  try {
    const kept = localStorage.getItem(STORE);
    return SORTS.includes(kept) ? kept : "melds";
  } catch {
    return "melds";
  }
}

function storeSort(sort) {
  try {
    localStorage.setItem(STORE, sort);
  } catch {
    // A browser that keeps nothing still sorts.
  }
}

/** The cards held, in this order; those it does not name come last, as they came. */
export const arranged = (held, order) => {
  const known = order.filter((card) => held.includes(card));
  return [...known, ...held.filter((card) => !known.includes(card))];
};

export class Order {
  /** `send(message)` tells whether the message left. */
  constructor(send) {
    this.send = send;
    this.asked = null;
  }

  /** The sort and, for one's own order, the cards. */
  of(view) {
    return this.asked ?? view.order ?? { sort: storedSort(), cards: [] };
  }

  /** Hold the hand so from now on. */
  ask(view, sort, cards = null) {
    storeSort(sort);
    const message = { verb: "sort", sort, ...(cards ? { cards } : {}) };
    this.asked = {
      sort, cards: cards ?? view.order?.cards ?? [], hand: view.at[0], message,
      until: Date.now() + ANSWER_WITHIN, sent: this.send(message),
    };
  }

  /** Take in what the server says: it has the last word. */
  heard(view) {
    const { asked } = this;
    if (!asked) return;
    const held = view.hand?.held ?? [];
    const same = view.order?.sort === asked.sort
      && (asked.sort !== "own" || view.order.cards.join() === arranged(held, asked.cards).join());
    if (same || asked.hand !== view.at[0] || (asked.sent && Date.now() > asked.until)) this.asked = null;
  }

  /** The line is open again: say what could not be said. */
  again() {
    if (this.asked && !this.asked.sent) {
      this.asked.sent = this.send(this.asked.message);
      this.asked.until = Date.now() + ANSWER_WITHIN;
    }
  }
}
