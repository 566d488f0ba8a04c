/* What this browser keeps of a shuffle: what was published before it, and its own bytes. It is
   checked against these later, not against what the site says then. */

const STORE = "ginrami.fair";
const AT_MOST = 200; // shuffles
const LINKS = 256; // hands of one

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

/** What was kept in this browser, for any seat, of the shuffle this hand is dealt from. It goes by
    the hand: where its chain began is not for the site to say afterwards. */
export function keptOfAny(game, hand) {
  return Object.entries(all()).map(([key, entry]) => {
    const [of, first, seat] = key.split("/");
    return { ...entry, game: Number(of), first: Number(first), seat: seat ? Number(seat) : null };
  }).filter((entry) => entry.game === game && entry.first <= hand && hand < entry.first + LINKS);
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
