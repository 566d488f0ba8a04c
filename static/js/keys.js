/* The keyboard: every action of the table has a key. Nothing is taken from a field or a dialog. */

/* The row of figures by its place on the keyboard, since not every layout types figures there:
   1 and 2 draw; once drawn, each chooses the card at its place. */
const FIGURE = /^(?:Digit|Numpad)(\d)$/;
const DRAWS = { 1: "draw stock", 2: "draw discard" };

function figureOf(event) {
  if (/^\d$/.test(event.key)) return event.key;
  return event.shiftKey ? null : FIGURE.exec(event.code)?.[1] ?? null;
}

const typing = (target) => target.closest("input:not([readonly]), textarea, select, dialog, [contenteditable]");

const arrow = (event) => event.key === "ArrowLeft" || event.key === "ArrowRight";

function deedOf(event, deeds) {
  const figure = figureOf(event);
  if (figure !== null) {
    const draws = DRAWS[figure];
    return draws && deeds.legal(draws) ? () => deeds.move(draws) : () => deeds.chooseAt((Number(figure) + 9) % 10);
  }
  const by = event.key === "ArrowLeft" ? -1 : 1;
  if (arrow(event)) return event.shiftKey ? () => deeds.nudge(by) : () => deeds.step(by);
  return { k: deeds.knock, g: deeds.gin, enter: deeds.discard, escape: deeds.putBack }[event.key.toLowerCase()];
}

/** Listen; `deeds` says whether a hand is played and what each key does. */
export function listenKeys(deeds) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (event.repeat && !arrow(event))) return;
    if (typing(event.target) || !deeds.playing()) return;
    if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
    const deed = deedOf(event, deeds);
    if (!deed) return;
    if (arrow(event)) event.preventDefault();
    deed();
  });
}
