/* The knock dialog: which card goes, face down, and which of several equal arrangements stays. */

import { byRank, chip, name, smallFace } from "./cards.js";
import { el, put } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";

/** Cards as written in a move: "3d3h3s". */
const written = (meld) => (Array.isArray(meld) ? meld.join("") : meld);

const cardsOf = (meld) => (Array.isArray(meld) ? meld : meld.match(/../g));

/** The move for a knock; the arrangement is named only when it is not the proposed one. */
export function knockMove(knock, arrangement = 0) {
  if (arrangement === 0) return `knock ${knock.card}`;
  return ["knock", knock.card, ...knock.arrangements[arrangement].melds.map(written)].join(" ");
}

function throwable(knocks, chosen) {
  return el("div", { class: "row throws", role: "radiogroup", "aria-label": gettext("Card to throw") },
    knocks.map((knock) => el("label", { class: "throw" },
      el("input", {
        class: "vh", type: "radio", name: "thrown", value: knock.card,
        checked: knock === chosen, "aria-label": throwLabel(knock),
      }),
      el("span", { class: "card", "data-throw": knock.card }, smallFace(knock.card)))));
}

const throwLabel = (knock) =>
  fill(gettext("%(card)s, leaving %(deadwood)s"), { card: name(knock.card), deadwood: knock.deadwood });

function arrangementLine(arrangement) {
  const melds = arrangement.melds.map((meld) =>
    el("span", { class: "meldline" }, cardsOf(meld).map((card) => chip(card))));
  const loose = [...arrangement.loose].sort(byRank).map((card) => chip(card));
  return [melds, loose.length ? el("span", { class: "meldline loose" }, gettext("left over"), " ", loose) : null];
}

function arrangements(knock) {
  if (knock.arrangements.length < 2) return null;
  const several = fill(ngettext("%(count)s arrangement leaves as little.",
    "%(count)s arrangements leave as little.", knock.arrangements.length),
  { count: knock.arrangements.length });
  return [
    el("label", { class: "opt" },
      el("input", { type: "checkbox", name: "proposed", checked: true }),
      gettext("Keep the proposed arrangement")),
    el("fieldset", { class: "arrs", hidden: true }, el("legend", { class: "small muted" }, several),
      knock.arrangements.map((arrangement, at) => el("label", { class: "opt" },
        el("input", { type: "radio", name: "arrangement", value: at, checked: at === 0 }),
        el("span", { class: "arr" }, arrangementLine(arrangement))))),
  ];
}

/** Fill and open the dialog; `send(move)` is called when the player confirms. */
export function askKnock(dialog, hand, wanted, send) {
  const knocks = hand.knocks;
  let chosen = knocks.find((knock) => knock.card === wanted) ?? knocks[0];
  const title = () => fill(gettext("Knock with %(deadwood)s"), { deadwood: chosen.deadwood });
  const form = el("form", { method: "dialog" });

  const arrangement = () => {
    const box = form.elements.namedItem("proposed");
    if (!box || box.checked) return 0;
    return Number(new FormData(form).get("arrangement") ?? 0);
  };
  const below = el("div", { class: "arrbox" });
  const heading = el("h3", { id: "knock-title" }, title());
  const go = el("button", { class: "btn btn-brass", type: "submit", value: "go", "data-act": "knock-confirm" }, title());
  // Not a submit button: Enter in the form is for the knock, which is what opened it.
  const back = el("button", { class: "btn btn-quiet", type: "button" }, gettext("Back"));
  back.addEventListener("click", () => dialog.close());
  put(form, heading, el("p", {}, gettext("Which card do you throw, face down?")),
    throwable(knocks, chosen), below,
    el("div", { class: "rowx" },
      back, go));
  const refresh = () => {
    heading.textContent = title();
    go.textContent = title();
    put(below, arrangements(chosen));
  };
  form.addEventListener("change", (event) => {
    if (event.target.name === "thrown") {
      chosen = knocks.find((knock) => knock.card === event.target.value);
      refresh();
    }
    if (event.target.name === "proposed") form.querySelector(".arrs").hidden = event.target.checked;
  });
  form.addEventListener("submit", () => send(knockMove(chosen, arrangement())));
  refresh();
  put(dialog, form);
  dialog.showModal();
  form.querySelector("input:checked")?.focus();
}
