/* Where the talk of a table stands: in the panel of the log while a hand is played, else in a dialog
   of its own. The box is moved, never drawn anew, so a half-written line goes along. */

import { mountChat } from "./chat.js";
import { fill, gettext } from "./i18n.js";

export class TalkBox {
  constructor(send) {
    this.box = document.getElementById("talk");
    this.dialog = document.getElementById("talk-dialog");
    this.input = this.box.querySelector("input[name=text]");
    this.stage = null;
    this.chat = mountChat(this.box, { send });
    this.dialog.addEventListener("close", () => this.settle(this.stage));
    window.addEventListener("resize", () => this.settle(this.stage));
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && location.hash === "#log") location.hash = "content";
    });
  }

  /** What of the box has the focus, before the scene around it is drawn. */
  hold() {
    return this.box.contains(document.activeElement) ? document.activeElement : null;
  }

  /** Stand where the present scene has a place, with the focus that was held. */
  settle(stage, held = this.hold()) {
    this.stage = stage;
    const panel = stage?.querySelector(".log");
    if (!panel) this.chat.follow([], ""); // the hand's log lies open elsewhere then
    const shown = panel && panel.getClientRects().length > 0;
    const host = shown && !this.dialog.open ? panel : this.dialog;
    if (this.box.parentElement === host) return;
    host.append(this.box);
    this.chat.toEnd();
    this.chat.look();
    if (held && host === panel) held.focus({ preventScroll: true });
  }

  /** Write to whoever sits opposite; who is no member of the room only watches. */
  address(view) {
    this.input.form.hidden = view.room.invite === null;
    const others = view.seats.filter((one) => !one.you && !one.bot).map((one) => one.name);
    this.input.placeholder = view.seat !== null && others.length
      ? fill(gettext("Write to %(name)s"), { name: others.join(", ") }) : gettext("Write to the table");
  }

  /** Open the talk where it stands now. */
  open() {
    const peek = this.stage?.querySelector(".log .peek");
    if (peek?.getClientRects().length) {
      location.hash = "log";
      return;
    }
    if (this.box.parentElement === this.dialog && !this.dialog.open) this.dialog.showModal();
    this.chat.toEnd();
    this.chat.look();
    this.input.focus();
  }
}
