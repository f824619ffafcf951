// Time: one axis for the scrubber with its changes, the curves, and the space-time strips of a line of the network.

import { C, ofVariant, ramps } from "./colour.js";
import { Curve } from "./curves.js";
import { chosen, edge } from "./panel.js";
import { $, fitted, load, make, ticks, whole, who } from "./parts.js";
import { routerName } from "./map.js";
import { end, on, smoothed, store, tell } from "./store.js";
import { more, shown as shownTracks } from "./tracks.js";
import { say } from "./wire.js";

/** @type {{of: import("./tracks.js").Track, nums: HTMLElement, curve: Curve}[]} */
let curves = [];
/** @type {HTMLCanvasElement} */
let ruler;
/** @type {HTMLElement} */
let head;
/** @type {{canvas: HTMLCanvasElement, label: HTMLElement, variant: number}[]} */
let strips = [];
let strip0 = "";
/** What of time is shown; all of it where there is nothing. @type {[number, number]|null} */
let window_ = null;

/** The cycles that are shown. @returns {[number, number]} */
export function range() {
  if (window_ !== null) return window_;
  const last = Math.max(end(), 512);
  return [0, last * 1.06];
}

/** Makes the tracks. */
export function build() {
  const box = make("div", { class: "rows", id: "rows" });
  $("time").append(edge(), box);
  ruler = make("canvas", { tabindex: "0", role: "slider", "aria-label": "Time", "aria-valuemin": "0" });
  box.append(track("ruler", make("div", { class: "label" }, "cycle ", ...more()), make("div", { class: "plot" }, ruler)));
  head = make("div", { class: "head" });
  box.append(make("div", { id: "curves" }), make("div", { id: "strips" }), head);
  curveTracks();
  on("tracks", curveTracks);
  scrub();
}

/** @param {string} kind @param {HTMLElement} label @param {HTMLElement} plot */
const track = (kind, label, plot) => make("div", { class: `track ${kind}` }, label, plot);

/** A track for each curve that is shown. */
function curveTracks() {
  const rows = /** @type {HTMLElement[]} */ ([]);
  for (const { curve } of curves) curve.end();
  curves = shownTracks().map((of) => {
    const nums = make("div", { class: "nums" });
    const plot = make("div", { class: "plot" });
    rows.push(track("curve", make("div", { class: "label", title: of.meaning }, make("b", {}, of.name), nums, make("span", { class: "unit" }, of.unit)), plot));
    return { of, nums, curve: new Curve(plot, of.of, store) };
  });
  $("curves").replaceChildren(...rows);
}

/** The line of the strip: routers in a row, by the links of one direction; where there are no rows, the links out of a router. */
function line() {
  const { radix } = store.hello.network;
  if (store.places === null) return null;
  const picked = store.selected;
  if (!radix) return outOf(picked?.router ?? (picked?.link === undefined ? store.line?.router : store.places.ends[3 * picked.link]) ?? store.places.ends[0]);
  const { ends } = store.places;
  let [router, port] = [Math.floor((radix[1] ?? 1) / 2) * radix[0], 0];
  if (picked?.link !== undefined) [router, port] = [ends[3 * picked.link], ends[3 * picked.link + 2]];
  else if (picked?.router !== undefined) router = picked.router;
  if (store.line && picked === null) ({ router, port } = store.line);
  store.line = { router, port };
  const dimension = port >> 1;
  const stride = radix.slice(0, dimension).reduce((/** @type {number} */ a, /** @type {number} */ b) => a * b, 1);
  const first = router - (Math.floor(router / stride) % radix[dimension]) * stride;
  const links = Array.from({ length: radix[dimension] }, (_, i) => store.places.byPort.get(`${first + i * stride}:${port}`) ?? -1);
  const name = ["x+", "x−", "y+", "y−", "z+", "z−"][port] ?? `port ${port}`;
  const place = radix.length > 1 && dimension < 2 ? `${dimension === 0 ? "Row" : "Column"} ${dimension === 0 ? Math.floor(router / radix[0]) % radix[1] : router % radix[0]}` : radix.length === 1 ? "Row" : routerName(first);
  return { links, name: `${place}, ${name}`, of: "routers" };
}

/** The links out of a router. @param {number} router */
function outOf(router) {
  const { ends, counts } = store.places;
  const links = [];
  for (let link = 0; link < counts.links; link += 1) if (ends[3 * link] === router) links.push(link);
  store.line = { router, port: 0 };
  return links.length === 0 ? null : { links: links.slice(0, 256), name: `Out of ${routerName(router)}`, of: "links" };
}

/** Draws all of it. */
export function drawTime() {
  if (store.hello === null || store.variants.length === 0) return;
  const shown = range();
  drawRuler(shown);
  for (const { of, nums, curve } of curves) {
    curve.draw(shown);
    nums.classList.toggle("many", store.variants.length > 2);
    nums.replaceChildren(...store.variants.map((/** @type {any} */ v) => {
      const row = (store.rows[v.letter] ?? []).findLast((/** @type {any} */ r) => r.cycle <= store.cycle && (of.of === "headOfLine" || r[of.of] !== null));
      // The same numbers as beside the map.
      return make("span", { class: "abcd"[v.letter] }, of.say(of.mean ? smoothed(v.letter, of.of) : row?.[of.of]));
    }));
  }
  drawStrips(shown);
  const [box, rows] = [ruler.getBoundingClientRect(), $("rows")];
  const left = box.left - rows.getBoundingClientRect().left;
  const x = ruler.offsetParent === null ? 0 : left + box.width * ((store.cycle - shown[0]) / (shown[1] - shown[0]));
  head.style.left = `${x - 0.75}px`;
  head.hidden = x < left || x > left + box.width + 1;
  // As high as all of the rows, and not only as what is in sight of them.
  head.style.height = "0";
  head.style.height = `${rows.scrollHeight - 6}px`;
}

/** In few words what a change sets. @param {Record<string, any>} set */
export function changeWords(set) {
  return Object.entries(set).map(([path, value]) => {
    const name = path.replace(/^traffic\./, "");
    return [name, typeof value === "number" ? String(Number(value.toPrecision(4))) : typeof value === "string" ? value : value?.kind ?? JSON.stringify(value)];
  });
}

/** @param {[number, number]} shown */
function drawRuler([from, to]) {
  const [g, w, h] = fitted(ruler);
  const font = getComputedStyle(document.body).fontFamily;
  const x = (/** @type {number} */ cycle) => (w * (cycle - from)) / (to - from);
  g.fillStyle = C.well;
  g.fillRect(0, h - 5, w, 3);
  g.fillStyle = C.node;
  g.fillRect(Math.max(0, x(0)), h - 5, Math.max(0, x(end()) - Math.max(0, x(0))), 3);
  g.font = `11px ${font}`;
  g.fillStyle = C.soft;
  g.textBaseline = "middle";
  g.textAlign = "left";
  for (const at of ticks(from, to, w / 110)) {
    if (x(at) < 0) continue;
    g.fillRect(x(at), h - 20, 1, 15);
    if (x(at) < w - 40) g.fillText(whole(at), x(at) + 4, h - 13);
  }
  g.fillStyle = C.faint;
  for (const cycle of store.variants.find((/** @type {any} */ v) => v.letter === store.read)?.kept ?? []) g.fillRect(x(cycle), h - 5, 1, 3);
  // Flags of changes; what two variants share stands there once.
  const seen = new Set();
  let right = -1e9;
  const flags = store.variants.flatMap((/** @type {any} */ v) => [
    ...v.changes.filter((/** @type {any} */ c) => v.born === null || c.cycle >= v.born.cycle).map((/** @type {any} */ c) => ({ cycle: c.cycle, variant: v.letter, words: changeWords(c.set).map((p) => p.join(" ")).join(", ") })),
    ...(v.born && !v.changes.some((/** @type {any} */ c) => c.cycle >= v.born.cycle && c.cycle < v.born.cycle + 65) ? [{ cycle: v.born.cycle, variant: v.letter, words: "fork" }] : []),
  ]);
  flags.sort((/** @type {any} */ a, /** @type {any} */ b) => a.cycle - b.cycle);
  for (const { cycle, variant, words } of flags) {
    const key = `${cycle}|${words}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const own = store.variants.length > 1 && variant !== store.variants[0].letter;
    g.fillStyle = own ? ofVariant(variant) : C.ink;
    if (x(cycle) < -1) continue;
    g.fillRect(x(cycle), 0, 1.5, h - 5);
    const text = own ? `${"ABCD"[variant]} ${words}` : words;
    g.font = `10.5px ${font}`;
    const wide = g.measureText(text).width + 9;
    if (x(cycle) < right || x(cycle) + wide > w) continue;
    g.beginPath();
    g.roundRect(x(cycle), 0, wide, 14, 2);
    g.fill();
    g.fillStyle = C.paper;
    g.textAlign = "left";
    g.fillText(text, x(cycle) + 5, 7.5);
    right = x(cycle) + wide + 2;
  }
  ruler.setAttribute("aria-valuemax", String(end()));
  ruler.setAttribute("aria-valuenow", String(store.cycle));
  const read = store.variants.find((/** @type {any} */ v) => v.letter === store.read);
  ruler.setAttribute("aria-valuetext", `cycle ${whole(store.cycle)}; load ${load(read?.settings.traffic?.load)}`);
}

/** How many strips there is room for: two as a rule, and as many as a panel that somebody made higher or lower has room for. */
function most() {
  const height = chosen();
  if (height === null) return matchMedia("(max-width:700px)").matches ? 4 : 2;
  const [rows, curve, strip] = [$("rows"), 35, 43];
  const others = /** @type {HTMLElement} */ (rows.firstElementChild).getBoundingClientRect().height + curve * curves.length + 12;
  return Math.max(1, Math.floor((height - others) / strip));
}

/** @param {[number, number]} shown */
function drawStrips([from, to]) {
  const of = line();
  const letters = store.variants.slice(0, most()).map((/** @type {any} */ v) => v.letter);
  const key = of === null ? "" : letters.join();
  if (key !== strip0) {
    strip0 = key;
    strips = (of === null ? [] : letters).map((/** @type {number} */ variant) => {
      const canvas = make("canvas", { role: "img", "aria-label": "Space-time strip" });
      const label = make("div", { class: "label" });
      return { canvas, label, variant };
    });
    $("strips").replaceChildren(...strips.map(({ canvas, label }) => make("div", { class: "track strip" }, label, make("div", { class: "plot" }, canvas))));
    tell("resize");
  }
  if (of !== null) askPast(of.links);
  for (const { canvas, label, variant } of strips) {
    if (of === null) return;
    const [g, w, h] = fitted(canvas);
    label.replaceChildren(make("span", { class: "pair" }, store.variants.length > 1 ? who(variant, "small") : "", of.name), `queues, ${of.links.length} ${of.of}`, make("span", { class: "top", "aria-hidden": "true" }, String(of.links.length - 1)), make("span", { class: "low", "aria-hidden": "true" }, "0"));
    g.fillStyle = C.tint;
    g.fillRect(0, 0, w, h);
    const count = of.links.length;
    const x = (/** @type {number} */ cycle) => (w * (cycle - from)) / (to - from);
    // The worst of each column of pixels. What was seen cycle by cycle goes before what was seen by pictures alone.
    const wide = Math.ceil(w);
    const worst = new Uint8Array(wide * count);
    const fine = new Uint8Array(wide);
    for (const { first, every, rows, levels } of lines.get(variant) ?? []) {
      for (let n = Math.max(0, Math.floor((from - first) / every)); n < rows; n += 1) {
        const cycle = first + every * n;
        if (cycle - every > to) break;
        const start = x(cycle - Math.min(every, REACH));
        const [x0, x1] = [Math.max(0, Math.floor(start)), Math.min(wide, Math.max(Math.floor(start) + 1, Math.ceil(x(cycle))))];
        for (let at = x0; at < x1; at += 1) {
          fine[at] = 1;
          for (let i = 0; i < count; i += 1) {
            const level = of.links[i] < 0 ? 0 : levels[n * count + i];
            if (level > worst[i * wide + at]) worst[i * wide + at] = level;
          }
        }
      }
    }
    for (let i = 0; i < worst.length; i += 1) if (worst[i] < 80) worst[i] = 0;
    const span = (/** @type {number} */ start, /** @type {number} */ end, /** @type {(i: number) => number} */ level) => {
      const [x0, x1] = [Math.max(0, Math.floor(x(start))), Math.min(wide, Math.max(Math.floor(x(start)) + 1, Math.ceil(x(end))))];
      for (let i = 0; i < count && x0 < x1; i += 1) {
        const seen = level(i);
        if (seen < 80) continue;
        for (let at = x0; at < x1; at += 1) if (fine[at] === 0) worst[i * wide + at] = Math.max(worst[i * wide + at], seen);
      }
    };
    const known = older.of.get(variant);
    known?.spans.forEach(([cycle, covers], n) => span(cycle - covers, cycle, (i) => (of.links[i] < 0 ? 0 : 17 * parseInt(known.levels[n * count + i], 16))));
    const last = known?.spans.at(-1)?.[0] ?? 0;
    let before = last;
    for (const { cycle, covers, links } of store.past[variant] ?? []) {
      if (cycle > last) span(Math.max(before, cycle - Math.min(covers || 1, 512)), cycle, (i) => (of.links[i] < 0 ? 0 : links[4 * of.links[i] + 1]));
      before = Math.max(before, cycle);
    }
    for (let i = 0; i < count; i += 1) {
      const [y, cell] = [h - ((i + 1) * h) / count, h / count];
      for (let at = 0; at < wide; at += 1) {
        const level = worst[i * wide + at];
        if (level === 0) continue;
        let end = at + 1;
        while (end < wide && worst[i * wide + end] >> 4 === level >> 4) end += 1;
        g.fillStyle = ramps.queue[level >> 4];
        g.fillRect(at, y, end - at, cell + 0.3);
        at = end - 1;
      }
    }
  }
}

/** What the server remembers of the line, by variant. @type {{key: string, of: Map<number, {spans: [number, number][], levels: string}>}} */
const older = { key: "", of: new Map() };

/** Asks for the past of a line, where it is another line or another past than before. @param {number[]} links */
function askPast(links) {
  const key = `${links.join()}|${store.epoch}|${store.variants.map((/** @type {any} */ v) => v.letter).join()}|${store.playing ? "" : store.cycle}`;
  if (key === older.key || links.length > 256) return;
  older.key = key;
  say("strip", { links: links.map((link) => Math.max(0, link)) }).then(({ variants }) => {
    older.of = new Map(variants.map((/** @type {any} */ v) => [v.variant, v]));
    lines.clear();
    for (const { variant, line: seen } of variants) if (seen) addLine(variant, seen, links.length);
    lineOf = links.length;
    tell("draw");
  }).catch(() => {});
}

/** What was seen of the line cycle by cycle, by variant: runs of equal steps. @type {Map<number, {first: number, every: number, rows: number, levels: Uint8Array}[]>} */
const lines = new Map();
/** Links of the line. */
let lineOf = 0;
/** A state of the line tells of so many cycles before it at most: where it was looked at more seldom, pictures say what was between. */
const REACH = 64;
/** States of the line that are remembered of a variant. */
const MOST_STATES = 40_000;

/** Takes over what the server has seen of the line. @param {number} variant @param {{runs: [number, number, number][], levels: string}} seen @param {number} count */
function addLine(variant, { runs, levels }, count) {
  const list = lines.get(variant) ?? [];
  lines.set(variant, list);
  let at = 0;
  for (const [first, every, rows] of runs) {
    if (levels.length < at + rows * count) return;
    list.push({ first, every, rows, levels: Uint8Array.from({ length: rows * count }, (_, i) => 17 * parseInt(levels[at + i], 16)) });
    at += rows * count;
  }
  let all = list.reduce((sum, run) => sum + run.rows, 0);
  while (all > MOST_STATES && list.length > 1) all -= /** @type {any} */ (list.shift()).rows;
}

/** Dragging shows where it would go; letting go goes there. */
function scrub() {
  const at = (/** @type {PointerEvent} */ e) => {
    const box = ruler.getBoundingClientRect();
    const [from, to] = range();
    return Math.max(0, Math.min(end(), Math.round(from + ((e.clientX - box.left) / box.width) * (to - from))));
  };
  ruler.addEventListener("pointerdown", (e) => { if (store.steering) ruler.setPointerCapture(e.pointerId); });
  ruler.addEventListener("pointermove", (e) => {
    if (!ruler.hasPointerCapture(e.pointerId)) return;
    store.cycle = at(e);
    for (const v of store.variants) {
      const list = store.past[v.letter] ?? [];
      const found = list.findLast((/** @type {any} */ p) => p.cycle <= store.cycle);
      if (found) store.now[v.letter] = found;
    }
    tell("draw");
  });
  ruler.addEventListener("pointerup", (e) => { if (ruler.hasPointerCapture(e.pointerId)) say("seek", { cycle: at(e) }).catch(() => {}); });
}

/** Zooms or moves time. @param {number} factor @param {number} shift */
export function moveTime(factor, shift) {
  const [from, to] = range();
  const span = (to - from) * factor;
  const middle = Math.max(0, store.cycle) + shift * (to - from);
  const last = Math.max(end(), 512) * 1.06;
  window_ = span >= last ? null : [Math.max(0, middle - span * 0.7), Math.max(0, middle - span * 0.7) + span];
  tell("draw");
}

on("line", (/** @type {any} */ { variants }) => { for (const { variant, line: seen } of variants) addLine(variant, seen, lineOf); });
on("state", () => { if (window_ !== null && (store.cycle > window_[1] || store.cycle < window_[0])) { const span = window_[1] - window_[0]; window_ = [Math.max(0, store.cycle - 0.8 * span), Math.max(0, store.cycle - 0.8 * span) + span]; } });
