/* Where a hand is entered: who finishes and with what, what the other has left, and the sum before
   it is written. Every step can be gone back on; nothing is kept until the last. */

import { el, hidden, put } from "../dom.js";
import { fill, gettext } from "../i18n.js";
import { HIGHEST_DEADWOOD, handOf, limitOf, lineOf } from "./sums.js";
import { ended, sum } from "./words.js";

const other = (seat) => (seat === 0 ? 1 : 0);
const ONE_SCREEN = 43;

const key = (label, attributes, ...more) => el("button", { type: "button", ...attributes, class: `k ${attributes.class ?? ""}` }, label, more);

export class Taps {
  /** `entered(hand)` once the sum was seen and confirmed; `stepped()` at every step. */
  constructor(box, { entered, stepped }) {
    Object.assign(this, { box, entered, stepped });
    this.upcard = null;
    this.spade = false;
    this.start();
    box.addEventListener("click", (event) => {
      const pressed = event.target.closest("[data-tap]");
      if (pressed) this.tap(pressed.dataset);
    });
    box.addEventListener("change", (event) => {
      if (event.target.name !== "upcard") return;
      this.upcard = event.target.value ? Number(event.target.value) : null;
      this.draw(this.view);
      this.box.querySelector("[name=upcard]")?.focus();
    });
  }

  start() {
    this.said = null; // {finisher, how, knocker}
    this.defender = null;
    this.more = false;
  }

  get step() {
    if (!this.said) return "who";
    return this.defender === null ? "left" : "sum";
  }

  tap({ tap, seat, value }) {
    if (tap === "spade") this.spade = !this.spade;
    if (tap === "end") this.finish(Number(seat), value);
    if (tap === "left") this.defender = Number(value);
    if (tap === "more") this.more = !this.more;
    if (tap === "change") this.start();
    if (tap === "change-left") this.defender = null;
    if (tap === "write") {
      const hand = { ...this.hand(), upcard: this.upcard };
      this.start();
      [this.upcard, this.spade] = [null, false];
      this.entered(hand); // draws
    } else this.draw(this.view);
    this.stepped(tap);
    this.box.querySelector(tap === "spade" ? "[data-tap=spade]" : "[data-ask]")?.focus({ preventScroll: true });
  }

  finish(finisher, value) {
    const how = Number.isNaN(Number(value)) ? value : "knock";
    this.said = { finisher, how, knocker: how === "knock" ? Number(value) : 0 };
    // Where one knock is the whole game nobody counts what the other has left.
    if (how === "void" || this.view.rules.format === "first_knock") this.defender = 0;
  }

  hand() {
    return handOf(this.view.rules, { ...this.said, defender: this.defender, spade: this.spade });
  }

  /** `view`: names, rules, and the totals as they stand. */
  draw(view) {
    this.view = view;
    this.box.dataset.step = this.step;
    put(this.box, { who: () => this.who(), left: () => this.left(), sum: () => this.sum() }[this.step]());
  }

  // --- tap 1

  who() {
    const { rules, names } = this.view;
    return [
      el("p", { class: "ask", tabindex: -1, "data-ask": true }, gettext("Who finishes, and with what?")),
      this.upcardRow(rules),
      el("div", { class: "pick" }, names.map((name, seat) => this.column(name, seat))),
    ];
  }

  upcardRow(rules) {
    if (rules.knock_limit !== "upcard") return null;
    const choices = [["", gettext("not noted")], [1, gettext("ace")], ...Array.from({ length: 8 }, (_, at) => [at + 2, at + 2]),
      [10, gettext("10 or a court card")]];
    return el("div", { class: "up" },
      el("label", { for: "upcard" }, gettext("Upcard")),
      el("select", { class: "in", id: "upcard", name: "upcard" },
        choices.map(([value, said]) => el("option", { value, selected: value === (this.upcard ?? "") }, String(said)))),
      rules.spades_double && el("button", { type: "button", class: "btn", "data-tap": "spade", "aria-pressed": String(this.spade) },
        el("span", { "aria-hidden": "true" }, "♠"), hidden(gettext("The upcard was a spade:")), " × 2"));
  }

  column(name, seat) {
    const { rules } = this.view;
    const limit = limitOf(rules, this.upcard);
    const said = fill(gettext("%(name)s knocks with"), { name });
    const knocks = rules.knock_limit === 0 ? [] : Array.from({ length: 10 }, (_, at) => at + 1);
    const big = rules.big_gin !== null;
    const wide = big ? "" : "w";
    return el("section", { class: "col", "aria-label": fill(gettext("%(name)s finishes the hand"), { name }) },
      el("h2", {}, knocks.length ? said : name),
      knocks.map((value) => (value <= limit
        ? key([hidden(`${said} `), String(value)], { "data-tap": "end", "data-seat": seat, "data-value": value, class: value === 10 ? wide : "" })
        : el("span", { class: `k off ${value === 10 ? wide : ""}` }, String(value)))),
      big && key([gettext("Big gin"), hidden(` (${name})`)], { "data-tap": "end", "data-seat": seat, "data-value": "big_gin", class: knocks.length ? "gg" : "g2" }),
      key([gettext("Gin"), hidden(` (${name})`)], { "data-tap": "end", "data-seat": seat, "data-value": "gin", class: "g" }));
  }

  // --- tap 2

  left() {
    const { names } = this.view;
    const { finisher, how, knocker } = this.said;
    const undercut = how === "knock" ? knocker : -1;
    const name = names[other(finisher)];
    const from = this.more ? ONE_SCREEN + 1 : 0;
    const to = this.more ? HIGHEST_DEADWOOD : ONE_SCREEN;
    const legend = undercut >= 0 && !this.more && el("span", { class: "small" }, el("span", { class: "leg" }), " ",
      fill(gettext("undercut, 0 to %(knocker)s"), { knocker }));
    return [
      el("div", {}, this.chosen(ended(names, this.said), "change"),
        el("p", { class: "ask", tabindex: -1, "data-ask": true }, fill(gettext("%(name)s is left with…"), { name }), " ", legend)),
      el("div", { class: "n7" },
        Array.from({ length: to - from + 1 }, (_, at) => from + at).map((value) =>
          key([String(value), value <= undercut && hidden(`, ${gettext("undercut")}`)],
            { "data-tap": "left", "data-value": value, class: value <= undercut ? "u" : "" })),
        key(this.more ? gettext("43 and less…") : gettext("44 and more…"), { "data-tap": "more", class: "rest" })),
    ];
  }

  chosen(text, tap) {
    return el("p", { class: "sel" }, text,
      el("button", { type: "button", class: "btn-link", "data-tap": tap }, gettext("Change"), hidden(` (${text})`)));
  }

  // --- the sum

  sum() {
    const { names, rules, points, next } = this.view;
    const hand = this.hand();
    const line = lineOf(rules, hand);
    const name = names[other(this.said.finisher)];
    const asksLeft = this.said.how !== "void" && rules.format !== "first_knock";
    const total = line && points[line.seat] + line.points;
    const now = line && fill(gettext("%(name)s: %(before)s, then %(after)s"),
      { name: names[line.seat], before: points[line.seat], after: total });
    return [
      el("div", {}, this.chosen(ended(names, this.said), "change"),
        asksLeft && this.chosen(fill(gettext("%(name)s is left with %(defender)s"), { name, defender: this.defender }), "change-left")),
      el("div", { class: "sum", tabindex: -1, "data-ask": true },
        el("p", { class: "what" }, line
          ? sum(names, hand, line)
          : gettext("Void hand: nothing is scored, the same dealer deals again.")),
        hand.kind === "undercut" && el("p", { class: "tag tag-you" }, gettext("Undercut")),
        line && el("p", { class: "big num" }, `+${line.points}`),
        now && el("p", {}, now),
        line && total >= rules.target && el("p", { class: "tag tag-ok" },
          fill(gettext("%(name)s reaches the target"), { name: names[line.seat] }))),
      el("p", { class: "go" }, el("button", { type: "button", class: "btn btn-brass btn-lg", "data-tap": "write" },
        fill(gettext("Write hand %(number)s"), { number: next }))),
    ];
  }
}
