/* The first hand, a step at a time. All words are on the page: what to say of a try stands beside
   each step, so that a reader without script reads the same lesson. */

import { index } from "./cards.js";
import { el } from "./dom.js";

const SIGNS = { c: "♣", d: "♦", h: "♥", s: "♠" };

const main = document.getElementById("content");
const steps = [...main.querySelectorAll(".ls")];
const bar = main.querySelector(".ls-bar");
const told = main.querySelector(".ls-told");
const [back, show, next] = ["back", "show", "next"].map((name) => bar.querySelector(`[data-${name}]`));
const head = main.querySelector(".ls-head");
let at = 0;
let solved = false;
let chosen = null;

/** What is only looked at without script becomes a button. */
function pressable(node) {
  const button = el("button", { type: "button" });
  for (const { name, value } of node.attributes) if (name !== "role") button.setAttribute(name, value);
  button.append(...node.childNodes);
  node.replaceWith(button);
  return button;
}

for (const step of steps) {
  step.setAttribute("aria-label", step.querySelector("h2").textContent); // read out when it is shown
  const touched = step.dataset.kind === "pick" || step.querySelector("[data-throw]");
  if (touched) {
    for (const card of step.querySelectorAll(".hand .card")) pressable(card).setAttribute("aria-pressed", "false");
  }
  if (step.dataset.kind === "move") step.querySelectorAll(".pile[data-try]").forEach(pressable);
  for (const box of step.querySelectorAll(".btns")) box.hidden = !box.children.length || step.dataset.kind === "pick";
}

const here = () => steps[at];
const cards = () => [...here().querySelectorAll(".hand [data-card]")];
const wanted = () => here().dataset.right.split(" ");

function say(node, good = false) {
  told.replaceChildren(...(node ? [...node.cloneNode(true).childNodes] : []));
  told.classList.toggle("good", good);
}

/** What the step says of a try: of this very card, of cards of its kind, or of any other. */
function why(names) {
  const lines = [...here().querySelectorAll(".why li")];
  for (const name of names) {
    const line = lines.find(({ dataset }) => dataset.for === name
      || (name.length === 2 && dataset.for.split(" ").includes(name)));
    if (line) return line;
  }
  return lines.find(({ dataset }) => dataset.for === "*");
}

function drawBar() {
  const reads = ["read", undefined].includes(here().dataset.kind);
  back.hidden = at === 0;
  show.hidden = reads || solved;
  next.hidden = !(reads || solved);
  bar.hidden = at === steps.length - 1;
}

function done() {
  solved = true;
  say(here().querySelector(".done"), true);
  for (const button of here().querySelectorAll(".lf button")) button.setAttribute("aria-disabled", "true");
  drawBar();
  next.focus({ preventScroll: true });
}

function raise(card, up) {
  card.setAttribute("aria-pressed", String(up));
}

/** The button that throws says which card is raised. */
function drawThrow() {
  const button = here().querySelector("[data-throw]");
  if (!button) return;
  const [none, some] = ["none", "some"].map((name) => button.querySelector(`[data-${name}]`));
  none.hidden = Boolean(chosen);
  some.hidden = !chosen;
  button.setAttribute("aria-disabled", String(!chosen));
  if (!chosen) return;
  const chip = some.querySelector(".ci");
  const { card } = chosen.dataset;
  chip.className = `ci s-${card[1]}`;
  chip.setAttribute("role", "img");
  chip.setAttribute("aria-label", chosen.getAttribute("aria-label"));
  chip.textContent = index(card) + SIGNS[card[1]];
}

function choose(card) {
  for (const other of cards()) raise(other, other === card && chosen !== card);
  chosen = chosen === card ? null : card;
  drawThrow();
}

/** A card asked for, one of several: right ones stay raised. */
function pick(card) {
  const { card: name } = card.dataset;
  if (!wanted().includes(name)) {
    say(why([name, card.parentElement.dataset.kind]));
    return;
  }
  raise(card, true);
  const missing = cards().filter((one) => wanted().includes(one.dataset.card) && one.getAttribute("aria-pressed") !== "true");
  if (missing.length) say(null);
  else done();
}

function attempt(move) {
  if (move === here().dataset.right) done();
  else {
    const card = /^discard (..)$/.exec(move)?.[1];
    const kind = card && cards().find((one) => one.dataset.card === card).parentElement.dataset.kind;
    say(why(card ? [...(kind === "loose" ? [] : [kind]), card] : [move]));
  }
}

/** Do what is taught for the reader. */
function showMe() {
  const { kind, right } = here().dataset;
  if (kind === "pick") for (const card of cards()) raise(card, wanted().includes(card.dataset.card));
  const thrown = /^discard (..)$/.exec(right)?.[1];
  if (thrown) {
    const card = cards().find((one) => one.dataset.card === thrown);
    if (chosen !== card) choose(card);
  }
  done();
}

/** Show a step as it was at first. */
function go(to, focus = true) {
  at = Math.min(Math.max(to, 0), steps.length - 1);
  solved = false;
  chosen = null;
  steps.forEach((step, place) => { step.hidden = place !== at; });
  main.querySelector(".ls-intro").hidden = at > 0;
  for (const button of here().querySelectorAll(".lf button")) button.removeAttribute("aria-disabled");
  for (const card of here().querySelectorAll(".hand button")) raise(card, false);
  drawThrow();
  say(null);
  drawBar();
  const count = Math.min(at + 1, steps.length - 1);
  main.querySelector("[data-at]").textContent = count;
  main.querySelector("progress").value = count;
  main.querySelector(".ls-skip").hidden = at === steps.length - 1;
  if (!focus) return;
  history.replaceState(null, "", `#${here().id}`);
  here().focus({ preventScroll: true });
  if (main.offsetTop + main.offsetHeight > innerHeight) head.scrollIntoView();
  else scrollTo(0, 0);
}

main.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (event.target.closest(".ls-skip")) {
    event.preventDefault();
    go(steps.length - 1);
  } else if (!button || button.getAttribute("aria-disabled") === "true") return;
  else if (button === back) go(at - 1);
  else if (button === next) go(at + 1);
  else if (button === show) showMe();
  else if (button.dataset.try) attempt(button.dataset.try);
  else if (button.matches("[data-throw]")) attempt(`discard ${chosen.dataset.card}`);
  else if (button.dataset.card) (here().dataset.kind === "pick" ? pick : choose)(button);
});

/* The keys of the table. */
const KEYS = { 1: "draw stock", 2: "draw discard", k: "knock", g: "knock" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const key = event.key.toLowerCase();
  const deed = KEYS[key] && here().querySelector(`.lf button[data-try^="${KEYS[key]}"]:not([aria-disabled=true])`);
  if (deed) deed.click();
  else if (key === "arrowleft" || key === "arrowright") {
    const row = cards();
    const from = row.indexOf(document.activeElement);
    if (!row.length || row[0].localName !== "button") return;
    event.preventDefault();
    const by = key === "arrowleft" ? -1 : 1;
    row[from === -1 ? 0 : (from + by + row.length) % row.length].focus();
  }
});

addEventListener("hashchange", () => {
  const to = steps.findIndex((step) => `#${step.id}` === location.hash);
  if (to !== -1 && to !== at) go(to);
});

main.classList.add("on");
for (const part of main.querySelectorAll(".ls-at, progress")) part.hidden = false;
const begun = steps.findIndex((step) => `#${step.id}` === location.hash);
go(Math.max(begun, 0), false);
