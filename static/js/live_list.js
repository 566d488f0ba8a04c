/* Pages that follow: what is marked on the page is fetched again when its socket says so.

   <div data-live="/ws/rooms/3/"> … <section id="tables" data-fragment="/rooms/3/tables/live/">

   A fragment is a page of our own, so its nodes are adopted as they are; nothing is built from texts.
   A room's page also has its talk here; a page without one does not load it. */

import { TableSocket } from "./socket.js";

const SOON = 300; // several bells at once are one fetch
const AT_MOST_EVERY = 1500;
const JUST_LOADED = 4000;
const AGAIN_AFTER = 60_000; // what no stamp tells: that time passes

const live = document.querySelector("[data-live]");
const box = document.getElementById("talk");

/* What had the focus, so that it can be found again among new nodes. */
const NAMES = ["id", "href", "action", "name", "value", "data-focus"];

function signOf(node) {
  const form = node.form?.getAttribute("action") ?? node.closest("form")?.getAttribute("action") ?? "";
  return [node.tagName, form, ...NAMES.map((name) => node.getAttribute(name) ?? "")].join("|");
}

const focusable = (region) => [...region.querySelectorAll("a, button, input, select, textarea, summary")];

/* Forms carry a token that differs each time; it stays the one already there. */
function keepToken(fresh) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  if (token) for (const field of fresh.querySelectorAll("input[name=csrfmiddlewaretoken]")) field.setAttribute("value", token);
}

const chosen = (field) => (field.matches("[type=checkbox], [type=radio]") ? "checked" : "value");

/* What was chosen in a form is chosen in the one that takes its place. */
function keepChoices(region, fresh) {
  const fields = [...region.querySelectorAll("select, input:not([type=hidden], [readonly]), textarea")];
  const taken = [...fresh.querySelectorAll("select, input, textarea")];
  for (const field of fields) {
    const next = taken.findIndex((one) => signOf(one) === signOf(field));
    if (next < 0) continue;
    const [same] = taken.splice(next, 1);
    same[chosen(field)] = field[chosen(field)];
  }
}

const writing = (region) => region.contains(document.activeElement)
  && document.activeElement.matches("input:not([type=hidden], [type=submit], [readonly]), textarea, select");

/** Put the children of `fresh` in place of those of `region`; focus and opened parts stay. */
export function swap(region, fresh) {
  keepToken(fresh);
  const open = [...region.querySelectorAll("details")].map((part) => part.open);
  [...fresh.querySelectorAll("details")].forEach((part, at) => { part.open = open[at] ?? part.open; });
  const same = fresh.childNodes.length === region.childNodes.length
    && [...fresh.childNodes].every((node, at) => node.isEqualNode(region.childNodes[at]));
  if (same) return false;
  keepChoices(region, fresh);
  const had = region.contains(document.activeElement) ? document.activeElement : null;
  const sign = had && signOf(had);
  const place = had ? focusable(region).filter((node) => signOf(node) === sign).indexOf(had) : 0;
  region.replaceChildren(...[...fresh.childNodes].map((node) => document.adoptNode(node)));
  if (had) {
    const alike = focusable(region).filter((node) => signOf(node) === sign);
    const next = alike[place] ?? alike[0] ?? focusable(region)[0];
    if (next) next.focus({ preventScroll: true });
    else {
      region.tabIndex = -1;
      region.focus({ preventScroll: true });
    }
  }
  region.dispatchEvent(new CustomEvent("swapped", { bubbles: true }));
  return true;
}

class Regions {
  constructor(regions) {
    this.regions = regions;
    this.fetchedAt = Date.now();
    this.fetching = false;
    this.wanted = false;
    document.addEventListener("focusout", () => this.held && this.ring());
    document.addEventListener("pointerdown", (event) => { this.pressed = event.target; });
    // A menu of the browser, or another window, takes the rest of a press: nobody hears its end.
    for (const over of ["pointerup", "pointercancel", "contextmenu", "blur"]) {
      addEventListener(over, () => {
        this.pressed = null;
        if (this.held) this.ring();
      });
    }
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && (this.wanted || Date.now() - this.fetchedAt > AGAIN_AFTER)) this.ring();
    });
  }

  /** Something changed: fetch soon, once, and not while nobody looks. */
  ring() {
    this.wanted = true;
    if (document.hidden || this.fetching || this.waiting) return;
    const wait = Math.max(SOON, this.fetchedAt + AT_MOST_EVERY - Date.now());
    this.waiting = setTimeout(() => this.fetch(), wait + Math.random() * SOON);
  }

  async fetch() {
    this.waiting = null;
    this.fetching = true;
    this.wanted = false;
    this.held = false;
    this.fetchedAt = Date.now();
    try {
      await Promise.all(this.regions.map((region) => this.refresh(region)));
    } catch {
      // out of reach: the next bell or pong asks again
    }
    this.fetching = false;
    if (this.wanted) this.ring();
  }

  async refresh(region) {
    const answer = await fetch(region.dataset.fragment, { headers: { Accept: "text/html" }, redirect: "error" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // Once they have finished: a button that is replaced while it is pressed makes no click.
    if (writing(region) || region.contains(this.pressed)) this.held = true;
    else swap(region, (region.id && page.getElementById(region.id)) || page.body);
  }
}

async function follow() {
  const talk = box && (await import("./chat.js")); // before the socket opens: it tells at once what was said
  const regions = new Regions([...document.querySelectorAll("[data-fragment]")]);
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  let wasLost = false;
  let { stamp } = live.dataset; // of the lists as they came, where it is known: a lost bell is made up for
  const heard = (message) => {
    const { type } = message;
    if (type !== "changed" && type !== "pong") {
      chat?.receive(message);
      return;
    }
    const late = message.stamp !== stamp || Date.now() - regions.fetchedAt > AGAIN_AFTER;
    stamp = message.stamp;
    if (late) regions.ring();
  };
  const changed = (line) => {
    document.body.dataset.line = line.status;
    if (line.status === "lost") wasLost = true;
    if (line.status === "open" && wasLost) regions.ring(); // whatever rang meanwhile
    // Signed out, or no longer let in: the page says so. One just loaded has said what it can.
    if (line.status === "closed" && performance.now() > JUST_LOADED) location.reload();
  };
  const socket = new TableSocket(`${scheme}://${location.host}${live.dataset.live}`, { heard, changed });
  const chat = talk && talk.mountChat(box, { send: (message) => socket.send(message) });
}

if (live) follow();
