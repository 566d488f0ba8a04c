/* Cards that glide from where they were last drawn to where they are now. Input never waits. */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const LASTS = 260;

const place = (node) => node?.getBoundingClientRect() ?? null;

/** Remember where every card of the hand and each pile stand. */
export function snapshot(root) {
  const cards = new Map();
  for (const node of root.querySelectorAll(".hand [data-card]")) cards.set(node.dataset.card, place(node));
  return {
    cards,
    stock: place(root.querySelector(".stockp .card")),
    pile: place(root.querySelector(".discp .card")),
    pileCard: root.querySelector(".discp [data-card-shown]")?.dataset.cardShown ?? null,
    other: place(root.querySelector(".ofan")),
  };
}

function glide(node, from) {
  const to = place(node);
  if (!from || !to || !node.animate) return;
  const dx = from.left + from.width / 2 - to.left - to.width / 2;
  const dy = from.top + from.height / 2 - to.top - to.height / 2;
  if (Math.abs(dx) < 2 && Math.abs(dy) < 2) return;
  node.animate([{ translate: `${dx}px ${dy}px` }, { translate: "0 0" }],
    { duration: LASTS, easing: "cubic-bezier(.2,.7,.2,1)" });
}

/** Move from the remembered places to the present ones. */
export function play(root, before) {
  if (still.matches || !before || before.cards.size === 0) return;
  for (const node of root.querySelectorAll(".hand [data-card]")) {
    const card = node.dataset.card;
    const source = card === before.pileCard ? before.pile : before.stock;
    glide(node, before.cards.get(card) ?? source);
  }
  const top = root.querySelector(".discp [data-card-shown]");
  if (top && top.dataset.cardShown !== before.pileCard) {
    glide(top, before.cards.get(top.dataset.cardShown) ?? before.other);
  }
}
