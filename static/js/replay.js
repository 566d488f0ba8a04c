/* A hand that is over, told again. The page works without this; with it each step is instant. */

import { drawnFrom, index, name, shown } from "./cards.js";
import { el, put } from "./dom.js";
import { fill, gettext, ngettext, pgettext } from "./i18n.js";
import { deadwoodOf, side } from "./layout.js";
import { unpacked } from "./moments.js";
import { snapshot, step } from "./motion.js";
import { asNodes } from "./sentence.js";
import { account, calculation, headline, standing } from "./sums.js";

const main = document.getElementById("content");
const find = (selector) => main.querySelector(selector);
const felt = find(".rp-felt");
const slider = find("#ply");
const play = find("[data-play]");
const speed = find("[data-speed]");
const list = find(".rp-list");
const link = find("#link");
const told = JSON.parse(document.getElementById("told").textContent);
const views = unpacked(told);
const rows = new Map([...list.querySelectorAll("th a")].map((one) => [plyOf(one), one]));

let ply = Number(slider.value);
let playing = null;

drawnFrom(main.dataset.cards);

function plyOf(anchor) {
  return Number(new URLSearchParams(anchor.search).get("ply"));
}

/** The hands as they lie at a moment: at the showdown with what was laid off. */
function handsOf(view) {
  return view.hand.result?.hands ?? view.hand.hands;
}

function drawFelt(view) {
  const before = snapshot(felt);
  for (const box of felt.querySelectorAll(".side")) {
    const hand = handsOf(view).find((one) => one.seat === Number(box.dataset.seat));
    box.replaceWith(side(view, view.hand.result, hand));
  }
  const { stock, pile } = view.hand;
  find(".stockp .cap b").textContent = `${stock}`;
  find(".stockp").setAttribute("aria-label",
    fill(ngettext("Stock, %(count)s card", "Stock, %(count)s cards", stock), { count: stock }));
  put(find(".discp .under"), pile.length ? shown(pile[0], name(pile[0])) : el("span", { class: "card gone" }));
  step(felt, before);
}

/** Mark a point of the chart: where both lines are at this moment. */
function drawChart(view) {
  const chart = find(".chart[data-box]");
  if (!chart) return;
  const [left, right, top, bottom, most] = chart.dataset.box.split(" ").map(Number);
  const x = left + (right - left) * (ply / told.last);
  const y = told.seats.map(({ seat }) => {
    const hand = handsOf(view).find((one) => one.seat === seat);
    return bottom - (bottom - top) * (deadwoodOf(hand) / most);
  });
  chart.querySelector(".now").setAttribute("d", `M${x} ${top}V${bottom}`);
  chart.querySelector(".ap").setAttribute("cx", x);
  chart.querySelector(".ap").setAttribute("cy", y[0]);
  chart.querySelector(".bp").setAttribute("x", x);
  chart.querySelector(".bp").setAttribute("y", y[1]);
}

function drawSum(view) {
  const sum = find(".sum");
  sum.hidden = ply !== told.last;
  if (sum.hidden || !view.hand.result) return;
  put(sum.querySelector("#r"), headline(view));
  put(sum.querySelector("[data-calc]"), calculation(view));
  put(sum.querySelector(".say1"), asNodes(account(view)));
  put(sum.querySelector("[data-after]"), standing(view));
}

function drawControls() {
  const goals = { first: 0, "-1": ply - 1, 1: ply + 1, last: told.last };
  for (const anchor of main.querySelectorAll("[data-step]")) {
    const to = goals[anchor.dataset.step];
    const idle = to < 0 || to > told.last || to === ply;
    anchor.setAttribute("aria-disabled", String(idle));
    anchor.href = `?ply=${Math.min(Math.max(to, 0), told.last)}`;
  }
  slider.value = ply;
  link.value = link.value.replace(/ply=\d+$/, `ply=${ply}`);
  find("[data-at]").textContent = `${ply} / ${told.last}`;
}

/** The move in words, and its place in the list. */
function drawSaid() {
  const row = rows.get(ply);
  if (!row) return;
  for (const one of rows.values()) one.removeAttribute("aria-current");
  row.setAttribute("aria-current", "step");
  put(find("[data-said]"), [...row.cloneNode(true).childNodes]);
  slider.setAttribute("aria-valuetext", row.textContent);
  const line = row.closest("tr");
  const above = line.offsetTop - list.clientHeight / 2;
  list.scrollTop = Math.max(0, above);
}

function draw() {
  const view = views.get(ply);
  drawFelt(view);
  drawChart(view);
  drawSum(view);
  drawControls();
  drawSaid();
  main.dispatchEvent(new CustomEvent("moment", { detail: ply }));
}

/** Go to a moment; one the page did not bring is another page. */
function go(to) {
  const wanted = Math.min(Math.max(to, 0), told.last);
  if (wanted === ply) return;
  if (!views.has(wanted)) {
    location.assign(`?ply=${wanted}`);
    return;
  }
  ply = wanted;
  draw();
  history.replaceState(null, "", `?ply=${ply}`);
}

function rest() {
  clearInterval(playing);
  playing = null;
  drawPlay();
}

function run() {
  if (ply === told.last) go(0);
  playing = setInterval(() => {
    go(ply + 1);
    if (ply === told.last) rest();
  }, Number(speed.value));
  drawPlay();
}

function drawPlay() {
  const drawing = play.querySelector("use");
  drawing.setAttribute("href", drawing.getAttribute("href").replace(/#\w+$/, playing ? "#pause" : "#play"));
  play.querySelector("span").textContent = playing ? gettext("Pause") : pgettext("replay", "Play");
}

play.addEventListener("click", () => (playing ? rest() : run()));
speed.addEventListener("change", () => {
  if (!playing) return;
  rest();
  run();
});
slider.addEventListener("input", () => {
  rest();
  go(Number(slider.value));
});

main.addEventListener("click", (event) => {
  const anchor = event.target.closest("a[href^='?ply=']");
  if (!anchor || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  rest();
  if (anchor.getAttribute("aria-disabled") !== "true") go(plyOf(anchor));
});

const KEYS = { ArrowLeft: () => ply - 1, ArrowRight: () => ply + 1, Home: () => 0, End: () => told.last };
document.addEventListener("keydown", (event) => {
  if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input, select, textarea")) return;
  event.preventDefault();
  rest();
  go(KEYS[event.key]());
});

/* Court cards with the letters the reader chose. */
for (const chip of main.querySelectorAll("[data-chip]")) {
  chip.textContent = index(chip.dataset.chip) + chip.textContent.slice(-1);
}
for (const one of [play, speed.closest("label")]) one.hidden = false;
find("[data-go]").hidden = true;
draw();

/* The shuffle is checked once its line comes into view. */
const fair = find("[data-fair]");
if (fair) new IntersectionObserver(([seen]) => seen.isIntersecting && import("./fair/verdict.js")).observe(fair);
