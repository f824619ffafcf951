// Stands in the place of the connection in a page that was saved: plays what was seen, and steers nothing.

import { parted } from "./bundle.js";
import { addPicture, remember, setState, store, tell } from "./store.js";

/** @type {any} */
let seen = null;
/** @type {number[]} */
let cycles = [];
let at = 0;
/** @type {any} */
let timer = null;

/** @param {string} text */
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** Shows the picture of a number. @param {number} to */
function show(to) {
  at = Math.max(0, Math.min(cycles.length - 1, to));
  store.cycle = cycles[at];
  store.latest = {};
  for (const v of store.variants) {
    const found = (store.past[v.letter] ?? []).findLast((/** @type {any} */ p) => p.cycle <= store.cycle);
    if (found) store.now[v.letter] = found;
    store.latest[v.letter] = (store.rows[v.letter] ?? []).findLast((/** @type {any} */ r) => r.cycle <= store.cycle);
  }
  store.words = store.said.findLast((/** @type {any} */ one) => one.cycle <= store.cycle)?.words ?? [];
  store.pictures += 1;
  tell("words");
  tell("picture");
}

/** @param {boolean} playing */
function play(playing) {
  clearInterval(timer);
  store.playing = playing;
  if (playing && at === cycles.length - 1) at = 0;
  if (playing) timer = setInterval(() => { show(at + 1); if (at === cycles.length - 1) play(false); }, 1000 / 20);
  tell("state");
}

/** The number of the picture at a cycle. @param {number} cycle */
const of = (cycle) => Math.max(0, cycles.findLastIndex((c) => c <= cycle));

/** What the page asks for. @param {string} op @param {any} more @returns {Promise<any>} */
export async function say(op, more = {}) {
  if (op === "run" || op === "event") play(true);
  else if (op === "pause") play(false);
  else if (op === "step") { play(false); show(at + Math.sign(more.cycles)); }
  else if (op === "seek") { play(false); show(of(more.cycle)); }
  else if (op === "strip") return { variants: [] };
  else if (op !== "select") throw new Error("This page was saved: it plays what was seen, and steers nothing.");
  return {};
}

export function acknowledge() {}

/** Takes what was seen out of the page. @param {(state: string, words: string) => void} told */
export async function connect(told) {
  seen = JSON.parse(/** @type {HTMLElement} */ (document.getElementById("recording")).textContent ?? "{}");
  const stream = new Blob([bytes(seen.deflated)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const all = new Uint8Array(await new Response(stream).arrayBuffer());
  const { counts } = seen.places;
  const [spots, curves] = [seen.places.spots, seen.places.curves].map((text) => new Float32Array(bytes(text).buffer));
  const ends = new Uint32Array(bytes(seen.places.ends).buffer);
  const byPort = new Map();
  for (let i = 0; i < counts.links; i += 1) byPort.set(`${ends[3 * i]}:${ends[3 * i + 2]}`, i);
  store.hello = seen.hello;
  store.rows = seen.rows;
  const bundle = seen.places.bundle ? new Uint32Array(bytes(seen.places.bundle).buffer) : null;
  store.places = parted({ counts, spots, ends, curves, bundle, byPort, turn: 0 });
  store.saved = true;
  setState({ variants: seen.variants, cycle: seen.cycle, playing: false, speed: 320, epoch: 1, steering: true, flow: seen.flow });
  const { links, routers } = counts;
  const each = 7 * links + 2 * routers;
  seen.pictures.forEach((/** @type {any} */ [letter, cycle, covers, roots, hasAside], /** @type {number} */ n) => {
    const from = each * n;
    addPicture(letter, {
      cycle, covers, links: all.subarray(from, from + 4 * links), routers: all.subarray(from + 4 * links, from + 4 * links + 2 * routers),
      trees: new Uint16Array(all.slice(from + 4 * links + 2 * routers, from + 6 * links + 2 * routers).buffer),
      ...(hasAside ? { aside: all.subarray(from + 6 * links + 2 * routers, from + each) } : {}),
      roots: roots.map((/** @type {number[]} */ [router, port, depth, branches]) => ({ router, port, depth, branches })),
    });
  });
  for (const one of seen.said) remember(one);
  cycles = [...new Set(/** @type {number[]} */ (seen.pictures.map((/** @type {any} */ p) => p[1])))].sort((a, b) => a - b);
  document.body.dataset.saved = "true";
  told("saved", "a saved page: what was seen");
  tell("places");
  tell("hello");
  show(cycles.length - 1);
  tell("state");
}
