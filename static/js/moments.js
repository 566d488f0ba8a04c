/* The moments of a replayed hand, unpacked into the shape of a table's view. */

const cardsIn = (text) => text.match(/../g) ?? [];

function hand(seat, [melds, loose, deadwood, drawn = null, best = null, after = null]) {
  return {
    seat, deadwood, drawn, best_discard: best, after_best_discard: after,
    melds: melds ? melds.split(" ").map(cardsIn) : [], loose: cardsIn(loose),
  };
}

/** The view of each moment the page brought, by its ply; each frame says what is new in it. */
export function unpacked(told) {
  const views = new Map();
  let now = {};
  told.frames.forEach((frame, at) => {
    now = { ...now, ...frame };
    const ply = told.first + at;
    const hands = told.seats.map(({ seat }) => hand(seat, now[`h${seat}`]));
    const result = ply === told.last ? told.result : null;
    views.set(ply, {
      seat: null, state: "between", seats: told.seats, game: told.game, at: [told.number, ply],
      hand: { ...told.hand, stock: now.stock, pile: now.top ? [now.top] : [], hands, result },
      hand_line: told.hand_line,
    });
  });
  return views;
}
