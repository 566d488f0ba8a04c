// The form that opens a room: says beside "Customise" what was changed, and leads to what is wrong.

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

for (const field of options) field.addEventListener("input", tell);
tell();
document.getElementById("errors")?.focus();
