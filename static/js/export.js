/* An archive that is being built: its part of the page is fetched again until there is no more to
   wait for. Without script the page tells the same whenever it is loaded again. */

const EVERY = 2000;
const box = document.querySelector("[data-export]");

const building = () => box.querySelector("[data-building]");

async function look() {
  try {
    const answer = await fetch(box.dataset.export, { headers: { Accept: "text/html" }, redirect: "error" });
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
      for (const hidden of page.querySelectorAll("input[name=csrfmiddlewaretoken]")) {
        if (token) hidden.value = token;
      }
      box.replaceChildren(...[...page.body.childNodes].map((node) => document.adoptNode(node)));
    }
  } catch {
    // out of reach: the next look asks again
  }
  if (building()) setTimeout(look, EVERY);
}

if (box && building()) setTimeout(look, EVERY);
