/* Three small sounds, made on the spot. Off unless the reader asked for them. */

let context = null;

const wanted = () => document.documentElement.dataset.sounds === "on";

/* Browsers let a page sound only after a touch: until then this does nothing. */
function ready() {
  const Context = globalThis.AudioContext ?? globalThis.webkitAudioContext;
  if (!Context) return null;
  context ??= new Context();
  if (context.state === "suspended") context.resume().catch(() => {});
  return context;
}

function fading(at, loud, lasts) {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  gain.connect(context.destination);
  return gain;
}

function tone(pitch, after, loud, lasts, type = "sine", falls = 1) {
  const at = context.currentTime + after;
  const source = context.createOscillator();
  source.type = type;
  source.frequency.setValueAtTime(pitch, at);
  source.frequency.exponentialRampToValueAtTime(pitch * falls, at + lasts);
  source.connect(fading(at, loud, lasts));
  source.start(at);
  source.stop(at + lasts);
}

/** A card on felt: a breath of noise. */
function rustle() {
  const length = Math.round(context.sampleRate * 0.07);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  buffer.getChannelData(0).forEach((_, i, samples) => { samples[i] = Math.random() * 2 - 1; });
  const source = context.createBufferSource();
  const filter = context.createBiquadFilter();
  filter.type = "bandpass";
  filter.frequency.value = 2600;
  source.buffer = buffer;
  source.connect(filter);
  filter.connect(fading(context.currentTime, 0.12, 0.07));
  source.start();
}

const SOUNDS = {
  turn: () => { tone(660, 0, 0.09, 0.18); tone(880, 0.13, 0.09, 0.3); },
  card: rustle,
  knock: () => { for (const after of [0, 0.16]) tone(170, after, 0.35, 0.12, "triangle", 0.5); },
};

/** Sound "turn", "card" or "knock", if sounds are on. */
export function hear(name) {
  if (!wanted()) return;
  try {
    if (ready()) SOUNDS[name]();
  } catch {
    // A device without sound plays on in silence.
  }
}

/** What happened between two views, as sound: the loudest event alone. */
export function soundOf(fresh, called) {
  const moves = fresh.map((entry) => entry.move);
  if (moves.some((move) => move.startsWith("knock") || move === "big gin")) hear("knock");
  else if (called) hear("turn");
  else if (moves.some((move) => move !== "pass")) hear("card");
}
