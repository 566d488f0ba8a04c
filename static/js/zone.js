/* The time zone of this device: offered where nobody has chosen one, and beside the field that does.

   Without script times are shown as in the site's zone, and any zone can be typed. */

const device = Intl.DateTimeFormat().resolvedOptions().timeZone;

for (const offer of document.querySelectorAll("[data-zone]")) {
  if (!device || device === offer.dataset.zone) continue;
  const words = offer.querySelector("[data-zone-words]");
  words.textContent = words.dataset.zoneWords.replace("%s", device);
  offer.querySelector("[data-zone-there]").value = device;
  offer.hidden = false;
}

const field = document.querySelector("input[name=time_zone]");

if (field) {
  const known = document.createElement("datalist");
  known.id = field.getAttribute("list");
  for (const name of Intl.supportedValuesOf?.("timeZone") ?? []) {
    const option = document.createElement("option");
    option.value = name;
    known.append(option);
  }
  field.after(known);
  const button = document.querySelector("[data-zone-here]");
  if (button && device) {
    field.closest(".field").append(button);
    button.hidden = false;
    button.textContent = button.dataset.zoneHere.replace("%s", device);
    button.addEventListener("click", () => {
      field.value = device;
      field.focus();
    });
  }
}
