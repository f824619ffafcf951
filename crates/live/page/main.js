// Wires the modules; the only one that knows all.

import { C, colours, ramps } from "./colour.js";
import { fitPanel } from "./panel.js";
import { $, inAddress, make, toAddress, whole } from "./parts.js";
import { acknowledge, connect, say } from "./wire.js";
import { choose, end, on, store, tell } from "./store.js";
import { drawMaps, fit, home, measure, read, say1, select, turn, zoom } from "./map.js";
import { build, drawTime, moveTime } from "./strip.js";
import { alertOf, fork, undo } from "./steer.js";
import { save } from "./save.js";
import { ask, drawAsk, mark, markSelected, redrawAsk } from "./ask.js";
import { help, listen } from "./keys.js";
import { isTiled, tiles, turnTiles } from "./turn.js";
import { toggle } from "./lesson.js";

const MODES = [["queues", "Queues", "a lane is a link; its queue stands from the far end back"], ["use", "Use", "the share of cycles in which a link carries a flit"], ["trees", "Trees", "links that stand still, by the root for whose sake they do"], ["diff", "Difference", "queues that are shorter, or longer, than in A"]];
const FASTEST = 100;
let due = false;
let late = 0;

/** Draws soon, once. */
function soon() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    drawMaps();
    acknowledge();
    const now = performance.now();
    if (now - late > 90 || !store.playing) {
      late = now;
      drawTime();
      drawAsk();
    }
    if (store.hover) $("readout").textContent = say1(store.hover);
    if (document.activeElement !== $("cycle")) $("cycle").value = whole(store.cycle);
    speedWords();
    if (store.pictures === 1) performance.mark("first-picture");
    document.body.dataset.pictures = String(store.pictures);
  });
}

/** Of the slider: a cycle a second at its left end, as fast as it goes at its right; powers of ten are easy to hit. @param {number} at */
function speedOf(at) {
  if (at >= FASTEST) return null;
  const raw = 10 ** ((at / (FASTEST - 1)) * 5.5);
  const power = 10 ** Math.round(Math.log10(raw));
  return Math.abs(raw / power - 1) < 0.09 ? power : Number(raw.toPrecision(2));
}

function speedWords() {
  const asked = store.speed;
  const measured = store.playing ? store.measured : null;
  let text = asked === null ? "as fast as it goes" : `${whole(asked)} cycles/s`;
  if (measured !== null && asked === null) text = `${whole(measured)} cycles/s`;
  else if (measured !== null && measured < 0.85 * asked && store.cycle > 200) text = `${whole(measured)} of ${whole(asked)} cycles/s`;
  $("speed-text").textContent = text;
}

/** Where the slider stands at a speed. @param {number|null} speed */
const sliderOf = (speed) => (speed === null ? FASTEST : Math.round(((FASTEST - 1) * Math.log10(Math.max(1, speed))) / 5.5));

/** @param {string} name @param {string} words */
function pill(name, words) {
  document.body.dataset.state = name;
  $("pill").dataset.state = name;
  $("pill-text").textContent = words;
  // What was lost cannot be steered.
  state();
}

let droppedBefore = 0;
let [counted, since, shownRate] = [0, performance.now(), 0];
setInterval(() => {
  if (document.body.dataset.state !== "live" || store.saved) return;
  const time = (performance.now() - since) / 1000;
  shownRate = Math.round((store.pictures - counted) / Math.max(1, store.variants.length) / time);
  [counted, since] = [store.pictures, performance.now()];
  const dropped = store.dropped > 0 ? ` · ${whole(store.dropped)} dropped` : " · none dropped";
  const slow = store.playing && store.dropped > droppedBefore;
  droppedBefore = store.dropped;
  $("pill").dataset.state = slow ? "slow" : store.playing ? "live" : "paused";
  $("pill-text").textContent = !store.steering ? "steered from another page" : store.playing ? `live · ${shownRate} pictures/s${dropped}` : store.dropped > 0 ? `paused${dropped}` : "paused";
}, 1000);

/** @param {string} mode */
function setMode(mode) {
  store.mode = mode;
  for (const button of $("modes").children) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
  $("mode-words").textContent = MODES.find(([name]) => name === mode)?.[2] ?? "";
  legend();
  tell("state");
  tell("mode");
  soon();
}

/** Whether packets wait long to get in. @param {any} picture */
const starves = (picture) => picture.routers.some((/** @type {number} */ flags, /** @type {number} */ i) => i % 2 === 1 && flags > 1);

/** A sign of the legend. @param {string} kind */
const sign = (kind) => make("i", { class: `sign ${kind}` });

/** What the colours mean. */
function legend() {
  const bar = (/** @type {string[]} */ stops) => { const i = make("i", { class: "ramp" }); i.style.background = `linear-gradient(90deg,${stops.join(",")})`; return i; };
  const item = (/** @type {any[]} */ ...parts) => make("span", {}, ...parts);
  const covers = store.now[store.read]?.covers ?? 0;
  const root = item(sign("root"), "root");
  const log = store.variants.find((/** @type {any} */ v) => v.scale?.log)?.scale;
  const starve = Object.values(store.now).some((/** @type {any} */ p) => starves(p));
  const more = [item(sign("held"), "held by admission"), ...(starve ? [item(sign("held broken"), "waits long to get in")] : []), ...(store.flow === null ? [] : [item(sign("flow"), "followed flow")]), ...(Object.values(store.now).some((/** @type {any} */ p) => p.aside) ? [item(sign("aside"), "set-aside queue")] : [])];
  /** @type {Record<string, any[]>} */
  const sets = {
    queues: [item("link in use 0", bar([C.road0, C.road1]), "1"), item(log ? "queue, 1 flit" : "queue, empty", bar([C.road0, C.queue0, C.queue1]), log ? `${whole(log.flits)}, a logarithm` : "full"), root, ...more],
    use: [item("link in use 0", bar(ramps.useStops), `1, over ${whole(covers)} cycles`)],
    trees: [item(bar(ramps.tree.flatMap((c, i) => [`${c} ${i * 16.6}%`, `${c} ${(i + 1) * 16.6}%`])), "branches of the six largest trees"), item(bar([C.node, C.node]), "of others"), root],
    diff: [item("queue shorter", bar([C.less, C.road0, C.more]), "longer than in A"), root, item(sign("hatch less"), "held in A alone"), item(sign("hatch more"), "held, and not in A")],
  };
  $("legend").replaceChildren(...sets[store.mode]);
}

/** Dark or light; the address says so, for when the page begins anew. @param {string} name */
function theme(name) {
  document.documentElement.dataset.theme = name;
  toAddress("theme", name);
  colours();
  legend();
  redrawAsk();
  soon();
}

const quiet = (/** @type {Promise<any>} */ promise) => promise.catch((/** @type {Error} */ e) => alertOf(e.message));
const run = () => quiet(say("run", { speed: store.speed ?? "max" }));
const playPause = () => (store.playing ? quiet(say("pause")) : store.variants.some((/** @type {any} */ v) => v.locked) ? quiet(back()) : run());
/** Some cycles before the first circle closed. */
const before = () => Math.max(0, Math.min(store.cycle, ...store.variants.filter((/** @type {any} */ v) => v.locked).map((/** @type {any} */ v) => v.since)) - 500);
const back = () => say("seek", { cycle: before() });
const step = (/** @type {number} */ cycles) => quiet(say("step", { cycles }));
const seek = (/** @type {number} */ cycle) => quiet(say("seek", { cycle }));

/** @param {number} at */
function setSpeed(at) {
  $("speed").value = String(Math.max(0, Math.min(FASTEST, at)));
  choose(speedOf(Number($("speed").value)));
  speedWords();
  quiet(say("speed", { speed: store.speed ?? "max" }));
}

/** A kept state before or behind. @param {number} way */
function kept(way) {
  const cycles = store.variants.find((/** @type {any} */ v) => v.letter === store.read)?.kept ?? [];
  const found = way < 0 ? cycles.findLast((/** @type {number} */ c) => c < store.cycle) : cycles.find((/** @type {number} */ c) => c > store.cycle);
  if (found !== undefined) seek(found);
}

/** Finds `7,8`, `x+ 7,8`, `node 131`, `router 12`. @param {string} text */
function find(text) {
  const { radix } = store.hello.network;
  const numbers = (text.match(/\d+/g) ?? []).map(Number);
  if (numbers.length === 0) return alertOf("Write 7,8 or x+ 7,8 or node 131 or packet 12 of node 131.");
  if (/packet/.test(text)) return numbers.length < 2 ? alertOf("Which node's? Packets are numbered at their source: packet 12 of node 131.") : ask({ number: numbers[0], source: numbers[1] });
  if (/node/.test(text) && numbers[0] >= store.hello.network.nodes) return alertOf("There is no such node.");
  let router = /node/.test(text) ? home(numbers[0]) : numbers[0];
  if (radix && numbers.length >= radix.length && radix.length > 1) {
    const at = numbers.slice(-radix.length);
    router = at.reduceRight((/** @type {number} */ sum, n, i) => sum * radix[i] + n, 0);
  }
  if (router >= store.places.counts.routers) return alertOf("There is no such router.");
  const port = ["x+", "x-", "y+", "y-", "z+", "z-"].findIndex((name) => text.replace("−", "-").startsWith(name));
  const link = port < 0 ? undefined : store.places.byPort.get(`${router}:${port}`);
  select(link === undefined ? { router } : { link });
}

function state() {
  const { playing } = store;
  const locked = store.variants.some((/** @type {any} */ v) => v.locked);
  $("play-text").textContent = playing ? "Pause" : locked ? `Back to ${whole(before())}` : "Play";
  $("play-path").setAttribute("d", playing ? "M3 2h3v10H3zM8 2h3v10H8z" : "M3 1.5v11l9-5.5z");
  $("play").setAttribute("aria-pressed", String(playing));
  const steers = store.steering && document.body.dataset.state !== "loading" && document.body.dataset.state !== "lost";
  for (const id of ["play", "back", "on", "to-start", "to-end", "speed", "cycle", "fork"]) $(id).disabled = !steers;
  // The slider stands where the server's speed is, unless somebody has it in the hand.
  if (speedOf(Number($("speed").value)) !== store.speed && document.activeElement !== $("speed")) $("speed").value = String(sliderOf(store.speed));
  $("take").hidden = store.steering;
  document.body.dataset.steering = String(store.steering);
  soon();
}

function start() {
  const dark = inAddress("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = dark;
  colours();
  build();
  tiles();
  $("modes").append(...MODES.map(([mode, name]) => make("button", { "data-mode": mode, "aria-pressed": "false", onclick: () => setMode(mode) }, name)));
  on("hello", () => {
    $("name").textContent = store.hello.name;
    $("summary").textContent = store.hello.summary;
    document.title = `${store.hello.name} – Tailback live`;
    $("play").focus();
  });
  on("state", state);
  on("picture", soon);
  on("draw", soon);
  on("places", soon);
  let shown = "";
  on("words", () => {
    const key = `${store.variants[0]?.scale?.log}|${store.mode}|${store.flow}|${store.mode === "use" ? store.now[store.read]?.covers : ""}|${Object.values(store.now).some((/** @type {any} */ p) => p.aside)}|${Object.values(store.now).some((/** @type {any} */ p) => starves(p))}`;
    if (key !== shown) { shown = key; legend(); }
    soon();
  });
  on("resize", () => { measure(); soon(); });
  on("tracks", fitPanel);
  new ResizeObserver(() => { measure(); redrawAsk(); soon(); }).observe($("maps"));
  addEventListener("resize", () => { fitPanel(); measure(); redrawAsk(); soon(); setTimeout(soon, 200); });
  /** @type {Record<string, () => void>} */
  const clicks = {
    play: playPause, back: () => step(-1), on: () => step(1), "to-start": () => seek(0), "to-end": () => seek(end()), fork, save: () => save(false), "save-spec": () => save(true), undo,
    theme: () => theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"), help, lessons: toggle, fit: () => { fit(); soon(); },
    clear: () => select(null), "flow-end": () => quiet(say("follow")), take: () => quiet(say("take")),
  };
  for (const [id, then] of Object.entries(clicks)) $(id).addEventListener("click", then);
  $("speed").addEventListener("input", () => setSpeed(Number($("speed").value)));
  $("cycle").addEventListener("change", () => { const to = Number($("cycle").value.replace(/[^\d]/g, "")); $("cycle").blur(); if (Number.isFinite(to)) seek(to); });
  $("cycle").addEventListener("focus", () => $("cycle").select());
  $("flow-form").addEventListener("submit", (/** @type {Event} */ e) => { e.preventDefault(); $("flow-problem").textContent = ""; mark(Number($("flow-from").value), Number($("flow-to").value)); });
  $("find").addEventListener("change", () => { find($("find").value); $("find").blur(); });
  for (const tab of ["steer", "ask"]) {
    $(`tab-${tab}`).addEventListener("click", () => {
      document.body.dataset.tab = tab;
      for (const other of ["steer", "ask"]) $(`tab-${other}`).setAttribute("aria-selected", String(other === tab));
      redrawAsk();
    });
  }
  listen({
    " ": playPause, ArrowLeft: (e) => (e.altKey ? kept(-1) : step(e.shiftKey ? -64 : -1)), ArrowRight: (e) => (e.altKey ? kept(1) : step(e.shiftKey ? 64 : 1)),
    Home: () => seek(0), End: () => seek(end()), ",": () => setSpeed(Number($("speed").value) - 9), ".": () => setSpeed(Number($("speed").value) + 9),
    g: () => $("cycle").focus(), "/": () => { $("find").focus(); $("find").select(); }, f: fork, t: clicks.theme, "?": help, l: () => { if (isTiled()) turnTiles(); else if (!turn()) alertOf("Only a ring of up to 64 routers is drawn as a circle, and only tiles are turned."); },
    w: () => moveTime(0.6, 0), s: () => moveTime(1.6, 0), q: () => moveTime(1, -0.2), e: () => moveTime(1, 0.2),
    "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: clicks.fit, 1: () => setMode("queues"), 2: () => setMode("use"), 3: () => setMode("trees"), 4: () => setMode("diff"),
    m: markSelected, n: () => quiet(say("event")), "^z": undo,
    a: () => read(0), b: () => read(1), c: () => read(2), d: () => read(3),
    Escape: () => { select(null); if (!$("drawer").hidden) toggle(); /** @type {any} */ (document.activeElement)?.blur?.(); },
  });
  $("speed").value = String(45);
  store.speed = 320;
  setMode("queues");
  fitPanel();
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) store.speed = 64;
  matchMedia("(forced-colors: active)").addEventListener("change", () => location.reload());
  connect(pill);
}

start();
