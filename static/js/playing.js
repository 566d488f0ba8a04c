/* What the player does with the cards: choose, throw, knock, gin. Only what the view calls legal
   leaves; anything else is answered on the spot. */

import { moveFocus, shownCards } from "./hand.js";
import { fill, gettext } from "./i18n.js";
import { askKnock } from "./knock.js";
import { myTurn } from "./people.js";
import { bestKnock, bigGin, canDiscard, ginKnocks } from "./words.js";

const SECOND_TOUCH_AFTER = 600; // a double tap, or a key held down, throws nothing

const takenJustNow = () => gettext("This card was just taken: it may not be discarded this turn.");

const notYet = (hand) => (hand.gin_only
  ? fill(gettext("Not yet: %(left)s would be left, and only gin ends this hand."), { left: hand.after_best_discard })
  : fill(gettext("Not yet: %(left)s would be left, the limit is %(limit)s."),
    { left: hand.after_best_discard, limit: hand.knock_limit }));

export class Playing {
  /** `move(text)` sends a move, `busy()` says whether one is on its way. */
  constructor(app, page, holding, { move, busy }) {
    Object.assign(this, { app, page, holding, move, busy });
    this.touchedAt = 0;
  }

  get hand() {
    return this.app.view.hand;
  }

  choosing() {
    return myTurn(this.app.view) && this.hand.phase === "discard";
  }

  legal(text) {
    return this.hand?.legal?.includes(text) && myTurn(this.app.view);
  }

  /** Raise a card: to throw it, or when none is to be thrown, to move it. A second touch means it. */
  touch(card) {
    const again = this.app.chosen === card;
    if (!this.choosing()) return void this.holding.raise(again ? null : card);
    if (!canDiscard(this.hand, card)) this.page.toast(takenJustNow());
    const meant = Date.now() - this.touchedAt > SECOND_TOUCH_AFTER;
    this.touchedAt = Date.now();
    if (!again) this.holding.raise(card);
    else if (meant) this.discard();
    return undefined;
  }

  /** A card by its place, counted from the left. */
  chooseAt(place) {
    const card = this.choosing() ? shownCards(this.page.hand)[place] : undefined;
    if (card && this.app.chosen !== card) this.touch(card);
  }

  putBack() {
    if (this.app.chosen) this.holding.raise(null);
  }

  step(by) {
    moveFocus(this.page.hand, by);
  }

  discard() {
    if (!this.choosing()) return;
    const { chosen } = this.app;
    if (!chosen) this.page.toast(gettext("Choose a card first."));
    else if (!canDiscard(this.hand, chosen)) this.page.toast(takenJustNow());
    else this.move(`discard ${chosen}`);
  }

  /** A card dragged to the discards. */
  throwDragged(card) {
    if (!this.choosing()) {
      this.page.toast(myTurn(this.app.view) ? gettext("Draw first.") : gettext("It is not your turn."));
    } else if (!canDiscard(this.hand, card)) this.page.toast(takenJustNow());
    else {
      this.app.chosen = card;
      this.discard();
    }
    if (!this.busy()) this.page.draw();
  }

  knock() {
    if (!this.choosing() || this.busy()) return;
    const { hand } = this;
    if (ginKnocks(hand).length) this.gin();
    else if (!bestKnock(hand)) this.page.toast(notYet(hand));
    else askKnock(document.getElementById("knock-dialog"), hand, this.app.chosen, this.move);
  }

  gin() {
    if (!this.choosing()) return;
    const knocks = ginKnocks(this.hand);
    if (knocks.length) {
      const best = knocks.find((entry) => entry.card === this.app.chosen) ?? knocks[0];
      this.move(`knock ${best.card}`);
    } else if (bigGin(this.hand)) this.move("big gin");
    else this.page.toast(fill(gettext("Not yet gin: %(left)s would be left."), { left: this.hand.after_best_discard }));
  }
}
