/* Hands entered and not yet known to be written, in the browser's own store, so that neither a
   lost network nor a closed page loses one. One queue a person and a pad; all windows share it. */

function safely(work, otherwise) {
  try {
    return work() ?? otherwise;
  } catch {
    return otherwise; // no store here: a private window, or a full one
  }
}

/** A mark no other entry has. crypto.randomUUID is missing on plain http, the dice are not. */
export function newMark() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

export class Queue {
  /** `changed()` is called whenever it differs, by another window too. */
  constructor(user, pad, changed) {
    this.key = `pad-queue:${user}:${pad}`;
    this.changed = changed;
    this.memory = [];
    this.lasting = true;
    window.addEventListener("storage", (event) => event.key === this.key && changed());
  }

  all() {
    if (!this.lasting) return this.memory;
    const found = safely(() => JSON.parse(localStorage.getItem(this.key)), []);
    return Array.isArray(found) ? found : [];
  }

  keep(entries) {
    this.memory = entries;
    this.lasting = safely(() => {
      if (entries.length) localStorage.setItem(this.key, JSON.stringify(entries));
      else localStorage.removeItem(this.key);
      return true;
    }, false);
    this.changed();
  }

  add(entry) {
    this.keep([...this.all(), entry]);
  }

  drop(marks) {
    const gone = new Set(marks);
    if (this.all().some((one) => gone.has(one.entry))) this.keep(this.all().filter((one) => !gone.has(one.entry)));
  }

  /** An entry once sent may be on the sheet although no answer came. */
  tried(marks) {
    const sent = new Set(marks);
    this.keep(this.all().map((one) => (sent.has(one.entry) ? { ...one, tried: true } : one)));
  }

  /** The same hands, as the next ones of the sheet as it is now. */
  rebase(state) {
    this.keep(this.all().map((one, at) => ({ ...one, sheet: state.sheet, number: state.hands.length + at + 1 })));
  }
}

/* The last state the server told, for a page that opens without it. Cleared at sign-out. */

const stateKey = (user, pad) => `pad-state:${user}:${pad}`;

export const keepState = (state) =>
  safely(() => localStorage.setItem(stateKey(state.user, state.pad), JSON.stringify(state)), null);

export const keptState = (user, pad) => safely(() => JSON.parse(localStorage.getItem(stateKey(user, pad))), null);

/** Whether one state of a pad is later than another. */
export function later(one, than) {
  const differs = one.at.findIndex((figure, place) => figure !== than.at[place]);
  return differs >= 0 && one.at[differs] > than.at[differs];
}
