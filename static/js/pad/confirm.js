/* One question with two answers, in a dialog of the page. */

const dialog = document.getElementById("sure");

/** Whether the reader says yes. */
export function sure(question, yes) {
  dialog.querySelector("p").textContent = question;
  dialog.querySelector("[value=yes]").textContent = yes;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) => {
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes"), { once: true });
  });
}
