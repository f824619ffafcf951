// The state of the page: what the server told, what was recorded of it, and what is picked here. Modules subscribe.

/**
 * @typedef {{cycle: number, links: Uint8Array, routers: Uint8Array, trees: Uint16Array|null, aside?: Uint8Array, roots: Root[], covers: number}} Picture
 * @typedef {{router: number, port: number, depth: number, branches: number}} Root
 * @typedef {{cycle: number, accepted: number|null, latency: number|null, inNetwork: number|null, still: number, trees: number, inFlight: number, packets: number}} Row
 * @typedef {{letter: number, born: {of: number, cycle: number}|null, changes: any[], end: number, locked: string[]|null, done: number|null, settings: any, kept: number[]}} Variant
 * @typedef {any} State
 */

/** @type {State} */
export const store = {
  hello: null,
  places: null,
  variants: [],
  cycle: 0,
  playing: false,
  speed: 320,
  measured: 0,
  epoch: 0,
  steering: true,
  words: [],
  /** Newest picture of each variant. @type {Record<number, Picture>} */
  now: {},
  /** Older ones. @type {Record<number, Picture[]>} */
  past: {},
  /** @type {Record<number, Row[]>} */
  rows: {},
  selected: null,
  hover: null,
  read: 0,
  mode: "queues",
  dropped: 0,
  pictures: 0,
  line: null,
  /** The flow that is followed, its ends. @type {[number, number]|null} */
  flow: null,
  /** Where its packets are, by variant. @type {Record<number, any[]>} */
  flowAt: {},
  /** Its packets, the newest first, by variant. @type {Record<number, any[]>} */
  passengers: {},
  /** Links that its packets were seen to take, by variant. @type {Record<number, Set<number>>} */
  flowWay: {},
  /** The story that is shown. @type {any} */
  story: null,
  /** Whether this page was saved, and plays what was seen. */
  saved: false,
  /** What was said before. @type {{cycle: number, words: any[]}[]} */
  said: [],
};

/** Bytes of pictures that are remembered. */
const MEMORY = 48e6;
/** Rows that are remembered of a variant. */
const ROWS = 6000;

/** @type {Record<string, ((message?: any) => void)[]>} */
const listeners = {};

/** The speed that was chosen here and that the server does not yet have. @type {{speed: number|null}|null} */
let chosen = null;

/** Chooses a speed; none is as fast as it goes. @param {number|null} speed */
export function choose(speed) {
  chosen = { speed };
  store.speed = speed;
}

/** @param {string} what @param {(message?: any) => void} then */
export function on(what, then) {
  (listeners[what] ??= []).push(then);
}

/** @param {string} what @param {any} [message] */
export function tell(what, message) {
  for (const then of listeners[what] ?? []) then(message);
}

/** Puts what has a cycle where it belongs; what was there of these cycles gives way. @param {any[]} list @param {any} one @param {number} covers */
function put(list, one, covers) {
  let at = list.length;
  while (at > 0 && list[at - 1].cycle >= one.cycle) at -= 1;
  let from = at;
  while (from > 0 && list[from - 1].cycle > one.cycle - covers) from -= 1;
  const to = at < list.length && list[at].cycle === one.cycle ? at + 1 : at;
  list.splice(from, to - from, one);
}

/** @param {number} variant @param {Picture} picture */
export function addPicture(variant, picture) {
  store.now[variant] = picture;
  const list = /** @type {Picture[]} */ (store.past[variant] ??= []);
  put(list, picture, Math.min(picture.covers, 1));
  const most = Math.max(64, Math.floor(MEMORY / (picture.links.length * Math.max(1, store.variants.length))));
  if (list.length > most) {
    // Every second one of the older half.
    const half = Math.floor(list.length / 2);
    store.past[variant] = list.filter((_, i) => i >= half || i % 2 === 0);
  }
}

/** @param {number} variant @param {Row & {covers: number}} row */
export function addRow(variant, row) {
  const list = /** @type {Row[]} */ (store.rows[variant] ??= []);
  put(list, row, Math.min(row.covers, 1));
  if (list.length > ROWS) store.rows[variant] = list.filter((_, i) => i >= list.length / 2 || i % 2 === 0);
}

/** Keeps what was said. @param {{cycle: number, words: any[]}} one */
export function remember(one) {
  put(store.said, one, 1);
  if (store.said.length > 1200) store.said = store.said.filter((/** @type {any} */ _, /** @type {number} */ i) => i % 2 === 0);
}

/** Takes over what the server says is played. @param {any} state */
export function setState(state) {
  const known = new Set(store.variants.map((/** @type {Variant} */ v) => v.letter));
  for (const variant of state.variants) {
    if (known.has(variant.letter)) continue;
    // Whoever had that letter before is gone. What the server remembers of a variant that was there before this page stays.
    if (variant.born === null) {
      if (known.size > 0) [store.rows[variant.letter], store.past[variant.letter]] = [[], []];
      continue;
    }
    if (known.size === 0) continue;
    const { of, cycle } = variant.born;
    store.rows[variant.letter] = (store.rows[of] ?? []).filter((/** @type {Row} */ row) => row.cycle <= cycle);
    store.past[variant.letter] = (store.past[of] ?? []).filter((/** @type {Picture} */ picture) => picture.cycle <= cycle);
  }
  // Behind the end of its work there is nothing.
  for (const { letter, done } of state.variants) {
    if (done === null) continue;
    for (const of of [store.rows, store.past]) of[letter] = (of[letter] ?? []).filter((/** @type {any} */ one) => one.cycle <= done);
  }
  store.variants = state.variants;
  store.cycle = state.cycle;
  store.playing = state.playing;
  if (chosen !== null && chosen.speed === state.speed) chosen = null;
  store.speed = chosen === null ? state.speed : chosen.speed;
  store.epoch = state.epoch;
  const flow = state.flow ?? null;
  if (JSON.stringify(flow) !== JSON.stringify(store.flow)) [store.flow, store.flowWay, store.passengers, store.flowAt] = [flow, {}, {}, {}];
  if (state.steering !== undefined) store.steering = state.steering;
  if (!store.variants.some((/** @type {Variant} */ v) => v.letter === store.read)) store.read = store.variants[0].letter;
  tell("state");
}

/** The mean of a column over the last rows. @param {number} variant @param {string} of @returns {number|null} */
export function smoothed(variant, of) {
  const rows = (store.rows[variant] ?? []).filter((/** @type {any} */ row) => row.cycle <= store.cycle).slice(-12);
  let [sum, weight] = [0, 0];
  for (const row of /** @type {any[]} */ (rows)) {
    if (row[of] === null) continue;
    sum += row[of] * row.covers;
    weight += row.covers;
  }
  return weight > 0 ? sum / weight : null;
}

/** The cycle up to which anything was simulated. */
export const end = () => Math.max(store.cycle, ...store.variants.map((/** @type {Variant} */ v) => v.end), 0);
