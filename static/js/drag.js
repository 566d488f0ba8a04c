/* Dragging: a card to the discards or to another place of the hand, a pile to the hand.
   Pointer events serve mouse, finger and pen. A drag never ends in a click; one given up goes back. */

const FAR = 8; // pixels before a press is a drag
const AROUND = 28; // how far beside a target one may let go
const ABOVE_FINGER = 34;
const CLICK_WITHIN = 80;

const near = (rect, x, y, by = AROUND) =>
  x > rect.left - by && x < rect.right + by && y > rect.top - by && y < rect.bottom + by;

export class Drag {
  /** `deeds`: `reorder(card, to)`,
      `discard(card)`, `draw(act)`, `redraw()`. */
  constructor(stage, deeds) {
    this.stage = stage;
    this.deeds = deeds;
    this.press = null; // a pointer that is down
    this.ghost = null; // the card under it, or where it was let go until the page is drawn anew
    this.swallow = false;
    const on = (name, work, options) => addEventListener(name, (event) => work.call(this, event), options);
    stage.addEventListener("pointerdown", (event) => this.down(event));
    on("pointermove", this.move);
    on("pointerup", this.up);
    on("pointercancel", this.giveUp);
    on("blur", this.giveUp);
    on("click", this.click, { capture: true });
    on("keydown", this.key, { capture: true });
    stage.addEventListener("dragstart", (event) => event.preventDefault());
  }

  get lifted() {
    return this.press?.lifted ?? false;
  }

  down(event) {
    if (!event.isPrimary) return void this.giveUp();
    this.swallow = false;
    if (event.button !== 0 || this.press) return;
    const card = event.target.closest(".hand [data-card]");
    const pile = event.target.closest(".pile[data-act]:not([aria-disabled=true])");
    if (!card && !pile) return;
    this.press = {
      id: event.pointerId, x: event.clientX, y: event.clientY, touch: event.pointerType !== "mouse",
      card: card?.dataset.card ?? null, act: pile?.dataset.act ?? null, lifted: false,
    };
  }

  /** What lies under the finger, as the page shows it now. */
  source() {
    const { card, act } = this.press;
    return card ? this.stage.querySelector(`.hand [data-card="${card}"]`)
      : this.stage.querySelector(`.pile[data-act="${act}"] .card`);
  }

  move(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    if (!press.lifted) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < FAR) return;
      if (!this.lift(event)) return;
    }
    event.preventDefault();
    this.place(event.clientX, event.clientY);
    this.aim(event.clientX, event.clientY);
  }

  lift(event) {
    const node = this.source();
    if (!node) {
      this.press = null;
      return false;
    }
    this.dropGhost();
    const rect = node.getBoundingClientRect();
    const width = node.offsetWidth;
    const height = node.offsetHeight;
    const ghost = document.createElement("div");
    ghost.className = `${node.className.replace(/\bcan\b/, "")} lifted`;
    ghost.setAttribute("aria-hidden", "true");
    ghost.append(...[...node.childNodes].map((child) => child.cloneNode(true)));
    ghost.style.setProperty("--cw", `${width}px`);
    document.body.append(ghost);
    Object.assign(this.press, {
      lifted: true, ghost, width, height,
      dx: Math.min(this.press.x - rect.left, width),
      dy: Math.min(this.press.y - rect.top, height) + (this.press.touch ? ABOVE_FINGER : 0),
    });
    this.ghost = ghost;
    this.swallow = true;
    node.closest(".slot, .pile").classList.add("away");
    document.body.classList.add("dragging");
    try {
      this.stage.setPointerCapture(event.pointerId);
    } catch {
      // The pointer is gone already: its end will be told all the same.
    }
    return true;
  }

  place(x, y) {
    const { dx, dy, ghost } = this.press;
    ghost.style.translate = `${x - dx}px ${y - dy}px`;
  }

  /** Find what the card is over, and mark it. */
  aim(x, y) {
    const { press } = this;
    this.unmark();
    press.target = press.card ? this.cardTarget(x, y) : this.pileTarget(y);
    const { target } = press;
    if (!target) return;
    if (target.throw) this.stage.querySelector(".discp")?.classList.add("drop");
    else if (target.draw) this.stage.querySelector(".hand").classList.add("drop");
    else target.slot?.classList.add(target.after ? "drop-after" : "drop-before");
  }

  cardTarget(x, y) {
    const { press } = this;
    const pile = this.stage.querySelector(".discp .under, .discp .card");
    const middle = [x - press.dx + press.width / 2, y - press.dy + press.height / 2];
    if (pile) {
      const rect = pile.getBoundingClientRect();
      if (near(rect, x, y) || near(rect, ...middle, 0)) return { throw: true };
    }
    const hand = this.stage.querySelector(".hand")?.getBoundingClientRect();
    if (!hand || !(near(hand, x, y) || near(hand, ...middle))) return null;
    return this.among(x);
  }

  among(x) {
    const slots = [...this.stage.querySelectorAll(".hand .slot")].filter((slot) => !slot.classList.contains("away"));
    const lefts = slots.map((slot) => slot.getBoundingClientRect());
    const to = lefts.filter((rect, at) => {
      const right = lefts[at + 1]?.left ?? rect.right;
      return (rect.left + Math.max(right, rect.left)) / 2 < x;
    }).length;
    const after = to >= slots.length;
    return { to, after, slot: slots[after ? slots.length - 1 : to] };
  }

  pileTarget(y) {
    const hand = this.stage.querySelector(".hand")?.getBoundingClientRect();
    return hand && y > hand.top - AROUND ? { draw: true } : null;
  }

  unmark() {
    for (const name of ["drop", "drop-before", "drop-after"]) {
      this.stage.querySelector(`.${name}`)?.classList.remove(name);
    }
  }

  up(event) {
    const { press } = this;
    if (!press || event.pointerId !== press.id) return;
    if (!press.lifted) {
      this.press = null;
      return;
    }
    this.aim(event.clientX, event.clientY);
    const { target, card, act } = press;
    this.end();
    if (target?.throw) this.deeds.discard(card);
    else if (target?.draw) this.deeds.draw(act);
    else if (target) this.deeds.reorder(card, target.to);
    else this.deeds.redraw();
  }

  /** The drag is over; the card stays where it was let go until the page is drawn anew. */
  end() {
    const { press } = this;
    this.press = null;
    this.unmark();
    this.stage.querySelectorAll(".away").forEach((node) => node.classList.remove("away"));
    document.body.classList.remove("dragging");
    press.ghost.dataset.let = press.card ?? press.act;
    setTimeout(() => { this.swallow = false; }, CLICK_WITHIN);
  }

  giveUp() {
    if (!this.press) return;
    if (!this.press.lifted) {
      this.press = null;
      return;
    }
    this.end();
    this.deeds.redraw();
  }

  click(event) {
    if (!this.swallow) return;
    this.swallow = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  key(event) {
    if (event.key !== "Escape" || !this.lifted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.giveUp();
  }

  /** The page was drawn anew: a card let go is home; one still held keeps its place, if it has one. */
  redrawn() {
    if (!this.lifted) return void this.dropGhost();
    const node = this.source();
    if (node) {
      node.closest(".slot, .pile").classList.add("away");
      return;
    }
    this.end();
    this.dropGhost();
  }

  dropGhost() {
    this.ghost?.remove();
    this.ghost = null;
  }
}
