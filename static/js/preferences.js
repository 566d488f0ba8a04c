/* The dialog of preferences: each shows at once, and is kept in the account, for every device. */

import { el, put } from "./dom.js";
import { gettext } from "./i18n.js";
import { hear } from "./sounds.js";

const settings = () => globalThis.tableSettings;

const CHOICES = () => [
  ["deck4", gettext("Four colours"), gettext("Diamonds blue, clubs green")],
  ["large", gettext("Large cards"), null],
  ["french", gettext("French court letters"), gettext("R D V instead of K Q J")],
  ["sounds", gettext("Sounds"), gettext("Your turn, a card, a knock")],
  ["animation", gettext("Moving cards"), null],
];

const KEYS = () => [
  ["1 · 2", gettext("draw from the stock, from the discards")],
  ["1 … 9 · 0", gettext("choose a card by its place")],
  ["← →", gettext("go from card to card")],
  [gettext("Shift + ← →"), gettext("move the card within the hand")],
  [gettext("Enter"), gettext("discard the chosen card")],
  ["K · G", gettext("knock, gin")],
  [gettext("Esc"), gettext("put the card back")],
];

function choice([name, label, about], now) {
  return el("label", { class: "opt" },
    el("input", { type: "checkbox", name, checked: now[name] }),
    el("span", {}, label, about ? el("small", {}, about) : null));
}

const keyboard = () => el("details", { class: "keys" }, el("summary", {}, gettext("Keyboard")),
  el("dl", {}, KEYS().map(([key, deed]) => el("div", {}, el("dt", {}, el("kbd", {}, key)), el("dd", {}, deed)))));

/* One after the other, so that the last choice is what the account keeps. */
let keeping = Promise.resolve();

/** Tell the account; `failed()` is called where it could not be told. */
function tellAccount(dialog, form, failed) {
  const body = new URLSearchParams(new FormData(form));
  body.set("csrfmiddlewaretoken", document.querySelector("input[name=csrfmiddlewaretoken]").value);
  keeping = keeping.then(async () => {
    const answer = await fetch(dialog.dataset.keep,
      { method: "POST", body, redirect: "manual", headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.statusText);
  }).catch(failed);
}

/** Open the dialog; `changed()` is called after each change, `told(words)` with what went wrong. */
export function askPreferences(dialog, changed, told) {
  const form = el("form", { method: "dialog" },
    el("h3", { id: "preferences-title" }, gettext("Preferences")),
    el("div", { class: "prefs" }, CHOICES().map((one) => choice(one, settings().read()))),
    keyboard(),
    el("div", { class: "rowx" }, el("button", { class: "btn btn-1", value: "close" }, gettext("Close"))));
  form.addEventListener("change", (event) => {
    settings().keep({ ...settings().read(), [event.target.name]: event.target.checked });
    tellAccount(dialog, form, () => told(gettext("Kept in this browser only: your account was out of reach.")));
    if (event.target.name === "sounds" && event.target.checked) hear("turn");
    changed();
  });
  put(dialog, form);
  dialog.showModal();
}

/** Follow what another tab of this browser chooses. */
export function followPreferences(changed) {
  addEventListener("storage", (event) => {
    if (event.key !== settings().STORE) return;
    settings().show(settings().told(event.newValue));
    changed();
  });
}
