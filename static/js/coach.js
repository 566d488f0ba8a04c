/* The coach on the page of a replayed hand: progress until it is done, then its parts of the page. */

const EVERY = 2000;
const main = document.getElementById("content");
const part = (name) => main.querySelector(`[data-coach="${name}"]`);

async function fetched(where) {
  const answer = await fetch(where, { headers: { Accept: "text/html" }, redirect: "error" });
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

function renew(page) {
  for (const old of main.querySelectorAll("[data-coach]")) {
    const fresh = page.querySelector(`[data-coach="${old.dataset.coach}"]`);
    if (fresh) old.replaceWith(document.importNode(fresh, true));
  }
}

async function look() {
  const waiting = main.querySelector("[data-building]");
  try {
    const progress = await fetched(part("all").dataset.progress);
    const now = progress?.querySelector(".co-wait");
    if (now?.matches("[data-building]")) waiting.replaceWith(document.adoptNode(now));
    else if (now) renew((await fetched(location.href.split("#")[0])) ?? document);
  } catch {
    // out of reach: asked again
  }
  if (main.querySelector("[data-building]")) setTimeout(look, EVERY);
}

/** Open the choice that the move shown was, and no other. */
function openAt(ply) {
  const all = main.querySelector(".co-all");
  if (!all) return;
  for (const one of all.querySelectorAll("[data-ply]")) one.open = Number(one.dataset.ply) === ply;
  for (const anchor of main.querySelectorAll(".co-moments a")) {
    const here = anchor.search === `?ply=${ply}`;
    if (here) anchor.setAttribute("aria-current", "step");
    else anchor.removeAttribute("aria-current");
  }
}

/* The cards lie far above what is said of them. */
main.addEventListener("click", (event) => {
  if (event.target.closest("#coach a[href^='?ply=']")) main.querySelector(".rp-felt").scrollIntoView({ block: "nearest" });
});
main.addEventListener("moment", (event) => openAt(event.detail));
if (main.querySelector("[data-building]")) setTimeout(look, EVERY);
