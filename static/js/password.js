// A button beside each password field that shows what is typed. Without script: a plain field.
for (const box of document.querySelectorAll(".secret")) {
  const field = box.querySelector("input");
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-quiet";
  button.setAttribute("aria-controls", field.id);
  const say = () => {
    button.textContent = field.type === "password" ? box.dataset.show : box.dataset.hide;
  };
  button.addEventListener("click", () => {
    field.type = field.type === "password" ? "text" : "password";
    say();
  });
  // A shown password must not be kept by the browser as ordinary text.
  field.form.addEventListener("submit", () => {
    field.type = "password";
    say();
  });
  say();
  box.append(button);
}
