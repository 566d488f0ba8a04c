/* How the player holds the hand: a card raised, put elsewhere, the whole sorted. Each is said. */

import { name } from "./cards.js";
import { markChosen, moved, shownCards } from "./hand.js";
import { fill, gettext } from "./i18n.js";
import { SORTS, sortName } from "./order.js";

export class Holding {
  constructor(app, page) {
    this.app = app;
    this.page = page;
  }

  /** Raise a card, or none. */
  raise(card) {
    const { app, page } = this;
    app.chosen = card;
    markChosen(page.hand, app.view.hand, card);
    page.drawActs();
    page.drawSort();
  }

  sortBy(sort) {
    this.hold(sort);
    this.page.say(fill(gettext("Your hand is sorted by: %(order)s."), { order: sortName(sort) }));
  }

  /** The next way to sort, for the one button of a narrow screen. */
  sortNext() {
    this.sortBy(SORTS[(SORTS.indexOf(this.app.order.of(this.app.view).sort) + 1) % SORTS.length]);
  }

  /** Put a card elsewhere in the hand: from now on the order is one's own. */
  reorder(card, to) {
    const cards = moved(shownCards(this.page.hand), card, to);
    this.hold("own", cards);
    this.page.say(fill(gettext("%(card)s, place %(place)s of %(count)s"),
      { card: name(card), place: cards.indexOf(card) + 1, count: cards.length }));
  }

  /** One place to the left or right: the card that has the focus, or else the one raised. */
  nudge(step) {
    const { app, page } = this;
    if (!page.hand) return;
    const cards = shownCards(page.hand);
    const focused = page.hand.contains(document.activeElement) ? document.activeElement.dataset.card : null;
    const card = focused ?? app.chosen;
    const to = cards.indexOf(card) + step;
    if (cards.includes(card) && to >= 0 && to < cards.length) this.reorder(card, to);
  }

  hold(sort, cards = null) {
    this.app.order.ask(this.app.view, sort, cards);
    this.page.draw();
  }
}
