/* Sends what waits in the queue, in its order, until the server has said that it is written. */

const ANSWER_WITHIN = 10_000;
const FIRST_WAIT = 2_000;
const LONGEST_WAIT = 30_000;
const AT_ONCE = 50;

const cookie = (name) =>
  document.cookie.split("; ").find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";

/* After these, trying again by itself is of no use. */
const STUCK = { 400: "refused", 401: "signed-out", 403: "expired", 404: "missing" };

export class Sending {
  /** `arrived(state)` for each answer, `told(status, why)` for how it stands: "idle", "sending",
      "waiting" (no network), "refused", "signed-out", "expired", "missing". */
  constructor(address, queue, { arrived, told }) {
    Object.assign(this, { address, queue, arrived, told });
    this.status = "idle";
    this.wait = FIRST_WAIT;
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => !document.hidden && this.flush());
  }

  say(status, why = null) {
    this.status = status;
    this.told(status, why);
  }

  /** Ask for the pad as it is. Gives whether the server answered. */
  async refresh() {
    const answer = await this.ask({ method: "GET" });
    if (!answer) return false;
    if (answer.status in STUCK) this.say(STUCK[answer.status], answer.body);
    if (answer.body?.state) {
      this.arrived(answer.body.state);
      if (this.status === "waiting" && !this.queue.all().length) this.say("idle");
    }
    return answer.status === 200;
  }

  async ask(options) {
    try {
      const signal = AbortSignal.timeout?.(ANSWER_WITHIN);
      const got = await fetch(this.address, { redirect: "error", cache: "no-store", signal, ...options });
      const body = got.headers.get("Content-Type")?.includes("json") ? await got.json() : null;
      return { status: got.status, body };
    } catch {
      return null; // out of reach, or cut off in the middle
    }
  }

  /** Send all that waits. `again`: although the last try was refused. */
  async flush(again = false) {
    const stuck = !["idle", "waiting"].includes(this.status);
    if (this.busy || (stuck && !again)) return;
    this.busy = true;
    clearTimeout(this.timer);
    if (await this.reaches()) while (this.queue.all().length && (await this.sendSome()));
    this.busy = false;
  }

  /** Without a network nothing is sent: a hand that never left can still be taken back here. */
  async reaches() {
    const doubtful = !navigator.onLine || this.status === "waiting";
    if (!doubtful || !this.queue.all().length || (await this.refresh())) return true;
    return ["idle", "waiting"].includes(this.status) && this.later();
  }

  /** Gives whether there may be more to send. */
  async sendSome() {
    const waiting = this.queue.all();
    const [{ sheet }] = waiting;
    const some = waiting.filter((one) => one.sheet === sheet).slice(0, AT_ONCE);
    this.say("sending");
    this.queue.tried(some.map((one) => one.entry));
    const entries = some.map(({ entry, number, kind, winner, knocker, defender, spade, upcard }) =>
      ({ entry, number, kind, winner, knocker, defender, spade, upcard }));
    const answer = await this.ask({
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": cookie("csrftoken") },
      body: JSON.stringify({ sheet, entries }),
    });
    if (!answer || answer.status >= 500) return this.later();
    const { body } = answer;
    if (body?.written) this.queue.drop(body.written); // before the state that holds them
    if (body?.state) this.arrived(body.state);
    if (answer.status !== 200) {
      this.say(STUCK[answer.status] ?? "refused", body);
      return false;
    }
    if (body.refused) {
      this.say("refused", body.refused);
      return false;
    }
    this.wait = FIRST_WAIT;
    this.say("idle");
    return true;
  }

  later() {
    this.say("waiting");
    this.timer = setTimeout(() => this.flush(), this.wait);
    this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    return false;
  }
}
