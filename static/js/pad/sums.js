/* The arithmetic of a pad while it cannot ask: hand points, running totals, who deals.

   The figures are the sheet's own options, sent with the page; what the server answers takes the
   place of all this. Bonuses at the end are never worked out here. */

export const HIGHEST_KNOCK = 10;
export const HIGHEST_DEADWOOD = 98;

const other = (seat) => (seat === 0 ? 1 : 0);

/** The most a knock may have; `upcard` is its value, where it decides and is known. */
export function limitOf(rules, upcard = null) {
  if (rules.knock_limit === 0) return 0;
  if (rules.knock_limit !== "upcard" || upcard === null) return HIGHEST_KNOCK;
  if (upcard === 1) return rules.oklahoma_ace === "gin" ? 0 : 1;
  return Math.min(upcard, HIGHEST_KNOCK);
}

/** The hand that `finisher` ended: "knock", "gin", "big_gin", or nobody did ("void"). */
export function handOf(rules, { finisher = 0, how, knocker = 0, defender = 0, spade = false }) {
  if (how === "void") return { kind: "void", winner: null, knocker: 0, defender: 0, spade: false };
  const said = { knocker: how === "knock" ? knocker : 0, defender, spade };
  if (rules.format === "first_knock") return { kind: "first_knock", winner: finisher, ...said };
  if (how !== "knock") return { kind: how, winner: finisher, ...said };
  if (defender <= knocker) return { kind: "undercut", winner: other(finisher), ...said };
  return { kind: "knock", winner: finisher, ...said };
}

/** Its line on the sheet: points = (base + bonus) × times. A void hand has none. */
export function lineOf(rules, hand) {
  const figures = {
    knock: [hand.defender - hand.knocker, 0],
    gin: [hand.defender, rules.gin],
    big_gin: [hand.defender, rules.big_gin],
    undercut: [hand.knocker - hand.defender, rules.undercut],
    first_knock: [1, 0],
  }[hand.kind];
  if (!figures) return null;
  const [base, bonus] = figures;
  const times = rules.spades_double && hand.spade ? 2 : 1;
  return { seat: hand.winner, base, bonus, times, points: (base + bonus) * times };
}

export function nextDealer(rules, dealer, hand) {
  if (dealer === null || hand.winner === null) return dealer;
  if (rules.next_dealer === "winner") return hand.winner;
  return other(rules.next_dealer === "loser" ? hand.winner : dealer);
}

/** The pad with hands that are not on the sheet yet: what the page shows. */
export function withPending(state, pending) {
  const points = [...state.points];
  const won = [...state.won];
  let { dealer } = state;
  const hands = [];
  for (const hand of pending) {
    const line = lineOf(state.rules, hand);
    if (line) {
      points[line.seat] += line.points;
      won[line.seat] += 1;
    }
    hands.push({ ...hand, dealer, points: line?.points ?? 0, run: line ? points[line.seat] : 0, times: line?.times ?? 1 });
    dealer = nextDealer(state.rules, dealer, hand);
  }
  const reached = points.findIndex((total) => total >= state.rules.target);
  return { points, won, hands, reached: reached < 0 ? null : reached, dealer, next: state.hands.length + pending.length + 1 };
}
