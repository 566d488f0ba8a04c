/* This browser's part of the shuffle: 32 bytes of its own, first their hash, then the bytes. */

import { keep, kept } from "./kept.js";
import { fromHex, sha256, toHex } from "./sha256.js";

const BYTES = 32;

export class Seeds {
  /** `send(message)` tells whether the message left. */
  constructor(send) {
    this.send = send;
    this.entry = null; // of the shuffle that goes on, held though nothing can be stored
    this.of = "";
  }

  /** Answer a view: say what the shuffle waits for from this seat. Saying it twice does no harm. */
  heard(view) {
    const { shuffle, seat, game } = view;
    if (!shuffle || !game) return;
    const entry = this.entryFor(game.id, shuffle, seat);
    const hash = seat === null ? "" : toHex(sha256(fromHex(entry.bytes)));
    const there = seat === null ? "" : shuffle.hashes[seat];
    if (there && there !== hash) return; // another window's bytes are bound, and it keeps them
    const bound = shuffle.hashes.every((one, at) => one || shuffle.replaced[at]);
    if (bound && !entry.hashes) { // by what each is bound, before anybody's bytes are known
      entry.hashes = shuffle.hashes;
      keep(game.id, shuffle.first, seat, entry);
    }
    if (seat === null || shuffle.replaced[seat] || shuffle.given[seat]) return;
    if (!there) this.send({ verb: "seed", hash, game: game.id });
    else {
      entry.bound = true;
      keep(game.id, shuffle.first, seat, entry); // another window may have kept other bytes
      if (bound) this.send({ verb: "seed", bytes: entry.bytes, game: game.id });
    }
  }

  /** What was first published, and one's own bytes: from this page, an earlier one, or new. */
  entryFor(game, shuffle, seat) {
    const of = `${game}/${shuffle.first}/${seat}`;
    if (this.of !== of) {
      this.of = of;
      this.entry = kept(game, shuffle.first, seat);
      if (!this.entry) {
        const bytes = seat === null ? "" : toHex(crypto.getRandomValues(new Uint8Array(BYTES)));
        this.entry = { commitment: shuffle.commitment, substitutes: shuffle.substitutes, bytes };
        keep(game, shuffle.first, seat, this.entry);
      }
    }
    return this.entry;
  }
}
