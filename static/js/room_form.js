// The form that opens a room: says beside "Customise" what was changed, shows of the stake what
// belongs to it, and leads to what is wrong.

const changed = document.getElementById("changed");
const options = [...document.querySelectorAll(".custom .in")];

function tell() {
  const names = options
    .filter((field) => field.value !== "")
    .map((field) => document.querySelector(`label[for="${field.id}"]`).textContent);
  changed.textContent = names.length
    ? `${changed.dataset.some} ${names.join(", ")}`
    : changed.dataset.none;
}

const BUY_IN_POINTS = 200;
const stakes = document.querySelector("fieldset.stakes");
const chosen = (name) => stakes.querySelector(`[name=stakes_${name}]:checked, select[name=stakes_${name}]`)?.value;

/* Hundredths, so that nothing is rounded; NaN for what is no amount. */
function hundredths(text) {
  const parts = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? "").padEnd(2, "0")) : NaN;
}

function tellBuyIn(mode) {
  const note = document.getElementById("buy-in");
  const each = hundredths(stakes.querySelector("[name=stakes_amount]").value);
  note.hidden = mode !== "money" || !(each > 0);
  const sum = (each * BUY_IN_POINTS) / 100;
  note.textContent = note.dataset.words.replace("%s", sum.toLocaleString(document.documentElement.lang));
}

function showStakes() {
  const mode = chosen("mode") ?? "none";
  const kinds = [mode, ...(chosen("source") === "tab" ? ["tab"] : [])];
  for (const field of stakes.querySelectorAll("[data-for]")) {
    const wants = field.dataset.for.split(" ");
    field.hidden = !wants.includes(mode) || (wants.includes("tab") && !kinds.includes("tab"));
  }
  stakes.querySelector(".grid").hidden = mode === "none";
  tellBuyIn(mode);
}

for (const field of options) field.addEventListener("input", tell);
tell();
if (stakes) {
  stakes.addEventListener("input", showStakes);
  showStakes();
}
document.getElementById("errors")?.focus();
