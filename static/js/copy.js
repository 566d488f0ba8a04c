// Buttons that copy a field's text. Without script or clipboard they stay hidden: the field can be
// selected by hand.

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // No clipboard outside https: the older command works on the selection.
      if (!document.execCommand("copy")) return;
    }
    button.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = words), 2000);
  });
}
