/* A deal worked out again from what was shown, and compared with what was published and played. */

import { fromHex, hmac, joined, sha256, toHex } from "./sha256.js";

const RANKS = "A23456789TJQK";
const DECK = [..."cdhs"].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const HAND = 10;
const LINKS = 256; // hands a chain is good for

const cardsIn = (text) => text.match(/../g) ?? [];

const number = (value, bytes) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(value));
  return new Uint8Array(view.buffer).slice(8 - bytes);
};

/** The draws of a hand, one after the other. */
function* draws(proof) {
  const named = joined(new TextEncoder().encode("ginrami-deal-1"), number(proof.game, 8),
    number(proof.hand, 4), ...proof.seats.map(({ value }) => fromHex(value)));
  for (let block = 0; ; block += 1) {
    const view = new DataView(hmac(fromHex(proof.secret), joined(named, number(block, 4))).buffer);
    for (let at = 0; at < 32; at += 4) yield view.getUint32(at);
  }
}

function below(count, stream) {
  const fair = Math.floor(2 ** 32 / count) * count;
  for (;;) {
    const drawn = stream.next().value;
    if (drawn < fair) return drawn % count;
  }
}

/** The deck, and in a game's first hand who deals. */
export function dealt(proof) {
  const stream = draws(proof);
  const dealer = proof.hand === 1 ? below(proof.seats.length, stream) : null;
  const deck = [...DECK];
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, stream);
    [deck[last], deck[other]] = [deck[other], deck[last]];
  }
  return { deck, dealer };
}

const hashOf = (hex) => toHex(sha256(fromHex(hex)));

/** What is wrong with a proof as it stands, as words for a reason; nothing when all is well. */
export function wrongIn(proof) {
  const steps = proof.hand - proof.first + 1; // with none the secret would be what was published
  let back = fromHex(proof.secret);
  for (let step = 0; step < Math.min(steps, LINKS); step += 1) back = sha256(back);
  if (steps < 1 || steps > LINKS || toHex(back) !== proof.commitment) return "chain";
  const bound = proof.seats.every(({ value, replaced, substitute, bound_by: by }) =>
    hashOf(value) === by && replaced === (substitute === by));
  return bound && proof.seats.length === proof.played.hands.length ? "" : "seeds";
}

/** What is wrong with a proof for a browser that kept something before the deal. */
export function wrongFor(proof, entries) {
  for (const entry of entries) {
    if (entry.first !== proof.first || entry.commitment !== proof.commitment) return "commitment";
    if (entry.substitutes.join() !== proof.seats.map(({ substitute }) => substitute).join()) return "commitment";
    if (entry.hashes && !proof.seats.every((seat, at) => seat.replaced || seat.bound_by === entry.hashes[at])) return "commitment";
    const mine = proof.seats[entry.seat];
    if (entry.bound && !mine.replaced && mine.value !== entry.bytes) return "own";
  }
  return "";
}

/** Whether a deck deals what was played: both hands, the upcard, and each card drawn in turn. */
export function deals(proof, { hands, upcard, drawn }) {
  const { deck, dealer: first } = dealt(proof);
  const { dealer } = proof;
  if (first !== null && first !== dealer) return false;
  const seats = hands.length;
  const same = hands.every((held, seat) => {
    const from = (seat - dealer - 1 + seats) % seats;
    const own = deck.slice(0, HAND * seats).filter((_card, at) => at % seats === from);
    return own.sort().join() === cardsIn(held).sort().join();
  });
  const stock = deck.slice(HAND * seats + 1);
  return same && deck[HAND * seats] === upcard && cardsIn(drawn).every((card, at) => card === stock[at]);
}
