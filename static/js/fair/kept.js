/* What this browser keeps of a shuffle: what was published before it, and its own bytes. It is
   checked against these later, not against what the site says then. */

const STORE = "ginrami.fair";
const AT_MOST = 200; // shuffles

function all() {
  try {
    return JSON.parse(localStorage.getItem(STORE)) ?? {};
  } catch {
    return {};
  }
}

const name = (game, first, seat) => `${game}/${first}/${seat ?? ""}`;

/** What was kept for this seat (null: who watches), if anything. */
export const kept = (game, first, seat) => all()[name(game, first, seat)] ?? null;

/** What was kept for any seat of this shuffle in this browser. */
export function keptOfAny(game, first) {
  return Object.entries(all()).filter(([key]) => key.startsWith(`${game}/${first}/`))
    .map(([key, entry]) => ({ ...entry, seat: key.endsWith("/") ? null : Number(key.split("/")[2]) }));
}

/** Keep it; the oldest go when there are many. A browser that keeps nothing still plays. */
export function keep(game, first, seat, entry) {
  const entries = Object.entries(all()).filter(([key]) => key !== name(game, first, seat));
  entries.push([name(game, first, seat), entry]);
  try {
    localStorage.setItem(STORE, JSON.stringify(Object.fromEntries(entries.slice(-AT_MOST))));
  } catch {
    // Full, or forbidden: the bytes are held by the page alone.
  }
}
