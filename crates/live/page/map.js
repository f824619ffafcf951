// The maps: one a variant, all moved together. Lanes come from map-gl.js or map-2d.js; what stands on them is drawn here.

import { at as shownAt, bundles, lanes, laneOf, linkOf } from "./bundle.js";
import { CELLS, drawCells } from "./cells.js";
import { dotAt, drawDots, drawRouters, drawStrands, eachDot, half, isClose, lookAnew, lookClosely, tick } from "./close.js";
import { C, ofVariant } from "./colour.js";
import { LanesGl, hasGl } from "./map-gl.js";
import { Lanes2d, along, span } from "./map-2d.js";
import { drawLens } from "./lens.js";
import { $, fitted, fullness, letter, load, make, nameOf, whole, who } from "./parts.js";
import { isCircle, isRing, turned } from "./ring.js";
import { on, smoothed, store, tell } from "./store.js";
import { say } from "./wire.js";

const PORTS = ["x+", "x−", "y+", "y−", "z+", "z−"];
/** @type {Map<number, any>} */
const maps = new Map();
const view = { x: 0, y: 0, scale: 1, w: 100, h: 100, fitted: true };
const gl = hasGl();

/** Where the pointer is on a map. @type {[number, number]|null} */
let lens = null;

/** The name of a router. @param {number} router */
export function routerName(router) {
  const radix = store.hello?.network.radix;
  if (!radix) return `router ${router}`;
  let rest = router;
  return `[${radix.map((/** @type {number} */ k) => { const at = rest % k; rest = Math.floor(rest / k); return at; }).join(", ")}]`;
}

/** The router of a node. @param {number} node @returns {number} */
export const home = (node) => store.hello.network.homes?.[node] ?? Math.floor(node / Math.max(1, store.hello.network.nodesAt));

/** The nodes of a router. @param {number} router @returns {number[]} */
function nodesOf(router) {
  const { homes, nodesAt } = store.hello.network;
  if (!homes) return Array.from({ length: nodesAt }, (_, slot) => router * nodesAt + slot);
  return homes.flatMap((/** @type {number} */ home, /** @type {number} */ node) => (home === router ? [node] : []));
}

/** The name of an output. @param {number} router @param {number} port */
export function outputName(router, port) {
  const { radix, ports } = store.hello.network;
  if (port >= ports) return `node ${nodesOf(router)[port - ports]}`;
  if (radix) return `${PORTS[port] ?? `d${port >> 1}${port % 2 === 0 ? "+" : "−"}`} of ${routerName(router)}`;
  const link = store.places.byPort.get(`${router}:${port}`);
  return link === undefined ? `port ${port} of router ${router}` : `router ${router} → router ${store.places.ends[3 * link + 1]}`;
}

/** The name of a link. @param {number} link */
export function linkName(link) {
  const [from, to, port] = store.places.ends.subarray(3 * link, 3 * link + 3);
  return store.hello.network.radix ? `${outputName(from, port)} to ${routerName(to)}` : outputName(from, port);
}

/** Shows the whole network. */
export function fit() {
  if (store.places === null) return;
  const p = store.places.curves;
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  const see = (/** @type {number} */ x, /** @type {number} */ y) => { [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)]; };
  const s = store.places.spots;
  for (let i = 0; i < s.length; i += 2) see(s[i], s[i + 1]);
  if (store.hello?.network.levels) y0 -= HOST + 0.1;
  for (let o = 0; o < p.length; o += 12) for (const t of [0, 0.25, 0.5, 0.75, 1]) see(.../** @type {[number, number]} */ (/** @type {any} */ (along(p, o, t).slice(0, 2))));
  const numbers = isCircle() ? 40 : store.hello?.network.radix ? 22 : 8;
  const [w, h] = [view.w - 20 - numbers, view.h - 12 - numbers];
  view.scale = Math.max(0.5, Math.min(w / Math.max(1, x1 - x0 + 0.3), h / Math.max(1, y1 - y0 + 0.3), 90));
  // Numbers stand at two sides of a grid, and all round a circle.
  const off = isCircle() ? 0 : numbers / 2 / view.scale;
  [view.x, view.y] = [(x0 + x1) / 2 - off, (y0 + y1) / 2 - off];
  view.fitted = true;
  whole_ = view.scale;
}

/** @param {number} x @param {number} y @returns {[number, number]} */
export const toPixel = (x, y) => [(x - view.x) * view.scale + view.w / 2, view.h / 2 - (y - view.y) * view.scale];

/** One map. @param {number} variant */
function create(variant) {
  const stats = make("div", { class: "stats" });
  const title = make("b");
  const drop = make("button", { class: "drop", title: `Drop variant ${letter(variant)}`, "aria-label": `Drop variant ${letter(variant)}`, onclick: () => say("drop", { variant }).catch(() => {}) }, "×");
  const lanes = make("canvas", { class: "lanes", "aria-hidden": "true" });
  const marks = make("canvas", {
    tabindex: "0", role: "application", "aria-roledescription": "network map", "aria-label": `Map of variant ${letter(variant)}`, "aria-describedby": "readout",
  });
  const table = make("div", { class: "visually-hidden" });
  const head = make("header", {}, who(variant), title, drop, stats);
  const figure = make("figure", { class: "map", "data-variant": String(variant) }, head, make("div", { class: "canvases" }, lanes, marks), table);
  head.addEventListener("click", () => read(variant));
  const map = { figure, title, stats, lanes: gl ? new LanesGl(lanes) : new Lanes2d(lanes), marks, table, drop };
  if (store.places) map.lanes.places(store.places);
  listen(map);
  return map;
}

/** Makes a variant the one that is read and steered. @param {number} variant */
export function read(variant) {
  if (!maps.has(variant)) return;
  store.read = variant;
  tell("state");
}

/** A ring as a circle, or as a row again. */
export function turn() {
  if (!isRing()) return false;
  store.places = turned();
  tell("places");
  tell("draw");
  return true;
}

/** As many maps as there are variants. */
function arrange() {
  const letters = store.variants.map((/** @type {any} */ v) => v.letter);
  for (const [variant, map] of maps) {
    if (letters.includes(variant)) continue;
    map.figure.remove();
    maps.delete(variant);
  }
  for (const variant of letters) if (!maps.has(variant)) maps.set(variant, create(variant));
  const box = $("maps");
  box.dataset.count = String(letters.length);
  letters.forEach((/** @type {number} */ variant, /** @type {number} */ i) => {
    const { figure, title, drop } = maps.get(variant);
    if (box.children[i] !== figure) box.insertBefore(figure, box.children[i] ?? null);
    const of = store.variants[i];
    title.textContent = store.mode === "diff" && i > 0 ? `${kind(of)} − ${kind(store.variants[0])}` : kind(of);
    drop.hidden = letters.length < 2 || !store.steering;
    figure.dataset.read = String(variant === store.read && letters.length > 1);
  });
  measure();
}

/** @param {any} variant */
const kind = (variant) => (variant.locked ? "deadlocked" : variant.done ? `completed at ${whole(variant.done)}` : nameOf(variant));

/** Takes the size of the maps; fits again where nobody has zoomed. */
export function measure() {
  const first = maps.values().next().value;
  if (first === undefined) return;
  const box = first.marks.getBoundingClientRect();
  const changed = view.w !== box.width || view.h !== box.height;
  [view.w, view.h] = [Math.max(40, box.width), Math.max(40, box.height)];
  if (changed && view.fitted) fit();
}

/** Draws all maps. */
export function drawMaps() {
  if (store.places === null || store.hello === null) return;
  const places = shownAt(store.places, view.scale);
  if (places !== store.places) {
    store.places = places;
    lay();
  }
  const first = store.now[store.variants[0]?.letter];
  lookClosely(view);
  store.variants.forEach((/** @type {any} */ variant, /** @type {number} */ i) => {
    const map = maps.get(variant.letter);
    if (map === undefined) return;
    const picture = store.now[variant.letter];
    // Seen closely, queues stand in strands above the lanes.
    const bare = isClose(view) && store.mode === "queues";
    map.lanes.draw(view, view.scale < CELLS ? undefined : picture, i > 0 ? first : undefined, store.mode, laneWidth(), bare);
    marks(map, picture, variant.letter);
    const at = view.scale < CELLS ? lensAt() : null;
    if (at !== null && picture) drawLens(/** @type {CanvasRenderingContext2D} */ (map.marks.getContext("2d")), view, picture, i > 0 ? first : undefined, at, laneWidth());
    numbers(map, variant.letter);
  });
}

/** Where the lens is: under the pointer, or, for the keyboard, at what is selected. @returns {[number, number]|null} */
function lensAt() {
  if (lens !== null) return lens;
  const router = routerOf(store.selected);
  if (router === undefined || !document.activeElement?.matches(".map canvas:focus-visible")) return null;
  return toPixel(store.places.spots[2 * router], store.places.spots[2 * router + 1]);
}

/** The router of a thing: itself, or that from which a link leads. @param {any} thing @returns {number|undefined} */
const routerOf = (thing) => thing?.router ?? (thing?.link === undefined ? undefined : store.places.ends[3 * thing.link]);

/** @param {any} map @param {number} variant */
function numbers(map, variant) {
  const row = store.latest?.[variant];
  const inNetwork = smoothed(variant, "inNetwork");
  const parts = [["accepted", load(smoothed(variant, "accepted"))], ["in network", inNetwork === null ? "–" : whole(inNetwork)], ["trees", row ? whole(row.trees) : "–"]];
  map.stats.replaceChildren(...parts.map(([name, value]) => make("span", {}, `${name} `, make("b", {}, value))));
}

/** @param {CanvasRenderingContext2D} g @param {number} x @param {number} y @param {number} size */
function diamond(g, x, y, size) {
  g.beginPath();
  g.moveTo(x, y - size);
  g.lineTo(x + size, y);
  g.lineTo(x, y + size);
  g.lineTo(x - size, y);
  g.closePath();
}

/** What stands on the lanes. @param {any} map @param {any} picture @param {number} variant */
function marks(map, picture, variant) {
  const [g] = fitted(map.marks);
  const { spots, counts } = store.places;
  const unit = view.scale;
  const font = getComputedStyle(document.body).fontFamily;
  const close = isClose(view);
  const radius = close ? 0.8 * half(view) : Math.max(1.2, Math.min(unit * 0.11, 9));
  const scale = scaleOf(variant);
  if (close) {
    if (picture) drawStrands(paper(g), picture, scale, store.mode);
    drawRouters(paper(g), picture, shortName, font);
  } else if (unit >= 7) {
    g.fillStyle = C.router;
    g.strokeStyle = C.edge;
    g.lineWidth = 1;
    g.beginPath();
    for (let r = 0; r < counts.routers; r += 1) {
      const [x, y] = toPixel(spots[2 * r], spots[2 * r + 1]);
      if (x < -20 || y < -20 || x > view.w + 20 || y > view.h + 20) continue;
      g.roundRect(x - radius, y - radius, 2 * radius, 2 * radius, radius * 0.4);
    }
    g.fill();
    g.stroke();
  }
  if (hostsShown()) hosts(g);
  axes(g, font);
  if (picture === undefined) return;
  if (unit < CELLS) drawCells(g, picture, view);
  else rings(g, picture, variant, radius);
  if (picture.aside && store.mode !== "use") aside(g, picture);
  if (close) {
    heads(g, picture);
    drawDots(paper(g), picture, scale, store.mode);
  }
  const locked = store.variants.find((/** @type {any} */ v) => v.letter === variant)?.circle;
  if (locked) circle(g, locked, font);
  else roots(g, picture, font);
  flow(g, variant);
  story(g, variant);
  outline(g, store.hover, C.soft, 1);
  outline(g, store.selected, ofVariant(variant), 2);
}

/** Whether nodes are drawn: below the leaves of a tree, where there is room. */
const hostsShown = () => store.hello.network.levels === true && view.scale >= 7;

/** Nodes below the routers that they are at. @param {CanvasRenderingContext2D} g */
function hosts(g) {
  const { spots, counts } = store.places;
  const size = Math.max(1.2, Math.min(0.07 * view.scale, 4));
  g.strokeStyle = C.edge;
  g.fillStyle = C.router;
  g.lineWidth = 1;
  g.beginPath();
  const at = /** @type {[number, number][]} */ ([]);
  for (let r = 0; r < counts.routers; r += 1) {
    const nodes = nodesAt()[r] ?? 0;
    for (let i = 0; i < nodes; i += 1) {
      const [x, y] = toPixel(spots[2 * r] + (0.8 * (i + 0.5)) / nodes - 0.4, spots[2 * r + 1] - HOST);
      if (x < -9 || y < -9 || x > view.w + 9 || y > view.h + 9) continue;
      g.moveTo(...spot(r));
      g.lineTo(x, y);
      at.push([x, y]);
    }
  }
  g.stroke();
  g.beginPath();
  for (const [x, y] of at) g.rect(x - size, y - size, 2 * size, 2 * size);
  g.fill();
  g.stroke();
}

/** How far below its router a node stands. */
const HOST = 0.7;

/** How many nodes are at each router. @returns {number[]} */
function nodesAt() {
  const { network } = store.hello;
  if (network.counted === undefined) {
    network.counted = new Array(network.routers).fill(0);
    for (let node = 0; node < network.nodes; node += 1) network.counted[home(node)] += 1;
  }
  return network.counted;
}

/** What buffers of a variant hold. @param {number} variant */
const scaleOf = (variant) => store.variants.find((/** @type {any} */ v) => v.letter === variant)?.scale;

/** What is drawn above lanes, and where they are. @param {CanvasRenderingContext2D} g */
const paper = (g) => ({ g, view, gap: laneMid() - laneWide() / 2, wide: laneWide(), place: beside });

/** The name of a router on the map. @param {number} router */
const shortName = (router) => routerName(router).replaceAll(/[[\] ]|router /g, "");

/** How often a thousand cycles a packet has waited at a router to get in; 127 for more. @param {any} picture @param {number} router @returns {number} */
const waited = (picture, router) => picture.routers[2 * router + 1] >> 1;

/**
 * Routers at which admission holds packets: a ring, the thicker the longer of late. It is broken where a packet has waited long to get in.
 * In a difference, where only one of two variants holds packets: hatched.
 * @param {CanvasRenderingContext2D} g @param {any} picture @param {number} variant @param {number} radius
 */
function rings(g, picture, variant, radius) {
  const { counts } = store.places;
  const share = held(variant, picture);
  const first = store.variants[0].letter;
  const before = store.mode === "diff" && variant !== first ? store.now[first] : undefined;
  const other = before === undefined ? undefined : held(first, before);
  /** @param {number} r */
  const differs = (r) => other !== undefined && share[r] >= HELD !== other[r] >= HELD;
  g.strokeStyle = ofVariant(variant);
  for (const broken of [false, true]) {
    g.setLineDash(broken ? [radius * 0.7, radius * 0.48] : []);
    for (const [from, to, width] of [[broken ? 0 : HELD, 0.4, broken ? 1.2 : 0.8], [0.4, 0.75, 1.5], [0.75, 2, 2.4]]) {
      g.lineWidth = width * Math.max(0.7, Math.min(1.6, view.scale / 26));
      g.beginPath();
      for (let r = 0; r < counts.routers; r += 1) {
        if (share[r] < from || share[r] >= to || waited(picture, r) > 0 !== broken || differs(r)) continue;
        const [x, y] = spot(r);
        g.moveTo(x + radius * 1.5, y);
        g.arc(x, y, radius * 1.5, 0, 7);
      }
      g.stroke();
    }
  }
  g.setLineDash([]);
  if (other === undefined) return;
  for (const more of [true, false]) {
    g.strokeStyle = more ? C.more : C.less;
    g.lineWidth = Math.max(1, radius * 0.22);
    g.beginPath();
    for (let r = 0; r < counts.routers; r += 1) if (differs(r) && share[r] >= HELD === more) hatch(g, spot(r), radius * 1.7);
    g.stroke();
  }
}

/** From this share of the last pictures on a router is one at which admission holds packets. */
const HELD = 0.08;

/** Where a router stands. @param {number} router */
const spot = (router) => toPixel(store.places.spots[2 * router], store.places.spots[2 * router + 1]);

/** Lines aslant within a circle, and the circle. @param {CanvasRenderingContext2D} g @param {[number, number]} at @param {number} size */
function hatch(g, [x, y], size) {
  g.moveTo(x + size, y);
  g.arc(x, y, size, 0, 7);
  for (const off of [-0.6, 0, 0.6]) {
    const half = Math.sqrt(1 - off * off) * size;
    const [dx, dy] = [off * size * Math.SQRT1_2, half * Math.SQRT1_2];
    g.moveTo(x + dx - dy, y + dx + dy);
    g.lineTo(x + dx + dy, y + dx - dy);
  }
}

/** @type {Map<number, {of: any, share: Float32Array}>} */
const holds = new Map();

/** Of each router the share of the last pictures in which admission held a packet there. @param {number} variant @param {any} picture */
function held(variant, picture) {
  const { routers } = store.places.counts;
  let known = holds.get(variant);
  if (known === undefined || known.share.length !== routers) {
    known = { of: null, share: Float32Array.from({ length: routers }, (_, r) => picture.routers[2 * r + 1] & 1) };
    holds.set(variant, known);
  }
  if (known.of !== picture) {
    known.of = picture;
    for (let r = 0; r < routers; r += 1) known.share[r] += 0.2 * ((picture.routers[2 * r + 1] & 1) - known.share[r]);
  }
  return known.share;
}

/** A place beside a lane, on its outer side. @param {number} o @param {number} t @param {number} out @returns {[number, number]} */
function beside(o, t, out) {
  const [x, y, dx, dy] = along(store.places.curves, o, t);
  const len = Math.hypot(dx, dy) || 1;
  const [px, py] = toPixel(x, y);
  return [px + (dy / len) * out, py + (dx / len) * out];
}

/** A line along a link at some distance from its middle. @param {CanvasRenderingContext2D} g @param {number} link @param {number} out @param {number} from @param {number} to */
function trail(g, link, out, from = 0.1, to = 0.9) {
  const { curves, piecesOf } = store.places;
  for (const n of piecesOf[link]) {
    const o = 12 * n;
    const [a, b] = [curves[o + 9], curves[o + 10]];
    const [s, e] = [Math.max(0, (from - a) / (b - a)), Math.min(1, (to - a) / (b - a))];
    if (s >= e) continue;
    const steps = curves[o + 11] > 0.5 ? 12 : 1;
    for (let i = 0; i <= steps; i += 1) {
      const at = beside(o, s + ((e - s) * i) / steps, out);
      if (i === 0) g.moveTo(...at);
      else g.lineTo(...at);
    }
  }
}

/** The width of a lane; in networks that are no grid, lanes cross, so they stay thin until somebody zooms in. */
function laneWidth() {
  const { lane, radix } = store.hello.network;
  if (radix) return lane;
  const most = store.places.counts.links > 600 ? 2.2 : 3.4;
  return Math.min(lane, (most * Math.max(1, view.scale / whole_)) / view.scale);
}

/** The scale at which the whole network is seen. */
let whole_ = 1;

const laneWide = () => Math.max(laneWidth() * view.scale, 1.15);
const laneMid = () => Math.max(laneWidth() * view.scale * 0.18, 0.35) + laneWide() / 2;

/** From a set-aside queue to the congested point for whose packets it is: the root of the tree that its link stands in. @param {CanvasRenderingContext2D} g @param {any} picture @param {number} link */
function toRoot(g, picture, link) {
  const root = picture.trees === null ? undefined : picture.roots[picture.trees[link] - 1];
  if (root === undefined) return false;
  const [from, to] = [beside(12 * store.places.pieceOf[link], 0.6, laneMid()), outputAt(root.router, root.port)];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (length < 8) return true;
  const [ux, uy] = [dx / length, dy / length];
  const tip = /** @type {[number, number]} */ ([to[0] - 8 * ux, to[1] - 8 * uy]);
  g.moveTo(...from);
  g.lineTo(...tip);
  for (const side of [1, -1]) {
    g.moveTo(...tip);
    g.lineTo(tip[0] - 5 * ux + 3 * side * uy, tip[1] - 5 * uy - 3 * side * ux);
  }
  return true;
}

/** Set-aside queues: dots at the outer side of a lane, from its far end back, as far as they are full; among trees arrows to the congested points. @param {CanvasRenderingContext2D} g @param {any} picture */
function aside(g, picture) {
  g.strokeStyle = C.flow;
  const arrows = new Set();
  if (store.mode === "trees") {
    g.lineWidth = 1;
    g.beginPath();
    for (let i = 0; i < picture.aside.length; i += 1) if (picture.aside[i] > 0 && toRoot(g, picture, i)) arrows.add(i);
    g.stroke();
  }
  g.lineWidth = Math.max(1.6, Math.min(4, 0.07 * view.scale));
  g.setLineDash([g.lineWidth, g.lineWidth]);
  g.beginPath();
  for (let i = 0; i < picture.aside.length; i += 1) {
    const level = picture.aside[i] / 255;
    if (level > 0 && !arrows.has(i)) trail(g, i, laneMid() + laneWide() / 2 + g.lineWidth, 0.9 - 0.8 * Math.max(level, 0.12), 0.9);
  }
  g.stroke();
  g.setLineDash([]);
}

/** Packets that wait for each other for ever: all else fades, their outputs are drawn twice as wide, with numbers in the order of waiting. @param {CanvasRenderingContext2D} g @param {[number, number][]} outputs @param {string} font */
function circle(g, outputs, font) {
  g.fillStyle = C.paper;
  g.globalAlpha = 0.65;
  g.fillRect(0, 0, view.w, view.h);
  g.globalAlpha = 1;
  const links = outputs.map(([router, port]) => store.places.byPort.get(`${router}:${port}`)).filter((link) => link !== undefined);
  g.strokeStyle = C.ink;
  g.lineWidth = Math.max(3, 2 * laneWide());
  g.beginPath();
  for (const link of links) trail(g, link, laneMid(), 0.16, 0.84);
  g.stroke();
  g.textAlign = "center";
  g.textBaseline = "middle";
  links.forEach((link, i) => {
    const o = 12 * store.places.pieceOf[link];
    const [tip, back] = [beside(o, 0.9, laneMid()), beside(o, 0.74, laneMid())];
    const turn = Math.atan2(tip[1] - back[1], tip[0] - back[0]);
    const size = Math.max(6, Math.min(12, 0.3 * view.scale));
    g.fillStyle = C.ink;
    g.beginPath();
    g.moveTo(tip[0] + size * Math.cos(turn), tip[1] + size * Math.sin(turn));
    g.lineTo(tip[0] + size * Math.cos(turn + 2.3), tip[1] + size * Math.sin(turn + 2.3));
    g.lineTo(tip[0] + size * Math.cos(turn - 2.3), tip[1] + size * Math.sin(turn - 2.3));
    g.fill();
    if (links.length > 40) return;
    const at = beside(o, 0.45, laneMid() + laneWide() + 9);
    g.font = `700 10px ${font}`;
    g.fillText(String(i + 1), ...at);
  });
}

/** Source and destination of a flow, and a band under the links that its packets take. @param {CanvasRenderingContext2D} g @param {[number, number]} ends @param {Iterable<number>} way */
function band(g, ends, way) {
  g.strokeStyle = C.flow;
  g.globalAlpha = 0.3;
  g.lineWidth = Math.max(4, 0.42 * view.scale);
  g.beginPath();
  for (const link of way) trail(g, link, 0, 0, 1);
  g.stroke();
  g.globalAlpha = 1;
  const { spots } = store.places;
  const size = Math.max(4, Math.min(8, 0.22 * view.scale));
  ends.forEach((node, i) => {
    const router = home(node);
    const [x, y] = toPixel(spots[2 * router], spots[2 * router + 1]);
    g.beginPath();
    g.arc(x, y, size, 0, 7);
    g.fillStyle = i === 0 ? C.flow : C.paper;
    g.fill();
    g.lineWidth = 2;
    g.strokeStyle = i === 0 ? C.paper : C.flow;
    g.stroke();
    if (i === 0) return;
    g.beginPath();
    g.arc(x, y, size * 0.4, 0, 7);
    g.fillStyle = C.flow;
    g.fill();
  });
}

/** The flow that is followed, with its packets: dots, hollow while they wait. @param {CanvasRenderingContext2D} g @param {number} variant */
function flow(g, variant) {
  if (store.flow === null) return;
  const way = (store.flowWay[variant] ??= new Set());
  const { byPort, spots } = store.places;
  const at = store.flowAt[variant] ?? [];
  for (const [, , from] of at) if (from) { const link = byPort.get(`${from[0]}:${from[1]}`); if (link !== undefined) way.add(link); }
  band(g, store.flow, way);
  for (const [, router, from, waits] of at) {
    const link = from ? byPort.get(`${from[0]}:${from[1]}`) : undefined;
    const [x, y] = link === undefined ? toPixel(spots[2 * router], spots[2 * router + 1]) : beside(12 * store.places.pieceOf[link], 0.72, laneMid());
    g.beginPath();
    g.arc(x, y, 4, 0, 7);
    g.fillStyle = waits ? C.paper : C.flow;
    g.fill();
    g.lineWidth = 1.8;
    g.strokeStyle = C.flow;
    g.stroke();
  }
}

/** The way of the packet whose story is shown. @param {CanvasRenderingContext2D} g @param {number} variant */
function story(g, variant) {
  const told = store.story;
  if (told === null || told.variant !== variant) return;
  const way = told.stops.map((/** @type {any} */ stop) => store.places.byPort.get(`${stop.router}:${stop.port}`)).filter((/** @type {any} */ link) => link !== undefined);
  band(g, [told.source, told.destination], way);
}

/** Coordinates beside a grid. @param {CanvasRenderingContext2D} g @param {string} font */
function axes(g, font) {
  const radix = store.hello.network.radix;
  if (!radix || radix.length > 2) return;
  g.font = `11px ${font}`;
  g.fillStyle = C.soft;
  g.textBaseline = "middle";
  if (isCircle()) {
    const { spots, counts } = store.places;
    g.textAlign = "center";
    for (let r = 0; r < counts.routers && view.scale > 16; r += 1) {
      const out = 1 + 0.42 / Math.max(0.6, Math.hypot(spots[2 * r], spots[2 * r + 1]));
      g.fillText(String(r), ...toPixel(spots[2 * r] * out, spots[2 * r + 1] * out));
    }
    return;
  }
  const every = Math.max(1, [1, 2, 5, 10, 20, 50].find((n) => n * view.scale >= 26) ?? 100);
  for (let x = 0; x < radix[0]; x += every) {
    const [px, py] = toPixel(x, -0.5);
    g.textAlign = "center";
    g.fillText(String(x), px, Math.min(py + 12, view.h - 8));
  }
  for (let y = 0; y < (radix[1] ?? 1); y += every) {
    const [px, py] = toPixel(-0.5, y);
    g.textAlign = "right";
    g.fillText(String(y), Math.max(px - 7, 16), py);
  }
}

/** Ticks for heads that wait, where there is room. @param {CanvasRenderingContext2D} g @param {any} picture */
function heads(g, picture) {
  const p = store.places.curves;
  g.strokeStyle = C.ink;
  g.lineWidth = 1.2;
  g.beginPath();
  const seen = lanes(picture);
  for (let o = 0; o < p.length; o += 12) {
    const count = seen[4 * Math.round(p[o + 8]) + 3] >> 4;
    if (count === 0 || p[o + 9] > 0) continue;
    // At the outer side of the lane's start, where no queue stands as long as it is not full.
    const [start, end] = span(p, o);
    const pixels = Math.hypot(p[o + 2] - p[o], p[o + 3] - p[o + 1]) * view.scale;
    const out = laneMid() + laneWide() / 2;
    for (let i = 0; i < count; i += 1) {
      const part = start + (5 + 3 * i) / pixels;
      if (part > end) break;
      g.moveTo(...beside(o, part, out + 1));
      g.lineTo(...beside(o, part, out + 1 + tick(view)));
    }
  }
  g.stroke();
}

/** Where an output begins. @param {number} router @param {number} port @returns {[number, number]} */
function outputAt(router, port) {
  const { spots, byPort, curves, pieceOf } = store.places;
  const link = byPort.get(`${router}:${port}`);
  if (link === undefined) return toPixel(spots[2 * router], spots[2 * router + 1]);
  const o = 12 * pieceOf[link];
  const [x, y, dx, dy] = along(curves, o, 0.3);
  const len = Math.hypot(dx, dy) || 1;
  const off = 0.1 * view.scale;
  const [px, py] = toPixel(x, y);
  return [px + (dy / len) * off, py + (dx / len) * off];
}

/** @param {CanvasRenderingContext2D} g @param {any} picture @param {string} font */
function roots(g, picture, font) {
  const size = Math.max(3, Math.min(view.scale * 0.17, 7));
  const least = view.scale < 14 ? 4 : 1;
  [...picture.roots].reverse().forEach((root, i) => {
    const rank = picture.roots.length - i;
    if (root.branches < least && rank > 3) return;
    const [x, y] = outputAt(root.router, root.port);
    g.fillStyle = C.ink;
    g.strokeStyle = C.paper;
    g.lineWidth = 2.5;
    if (rank <= 3) {
      g.beginPath();
      g.arc(x, y, 7.5, 0, 7);
      g.stroke();
      g.fill();
      g.fillStyle = C.paper;
      g.font = `700 10px ${font}`;
      g.textAlign = "center";
      g.textBaseline = "middle";
      g.fillText(String(rank), x, y + 0.5);
      return;
    }
    diamond(g, x, y, size);
    g.stroke();
    g.fill();
  });
}

/** @param {CanvasRenderingContext2D} g @param {any} thing @param {string} colour @param {number} width */
function outline(g, thing, colour, width) {
  if (thing === null || thing === undefined) return;
  const { spots, curves } = store.places;
  g.strokeStyle = colour;
  g.lineWidth = width;
  if (thing.packet !== undefined || thing.dot !== undefined) return;
  if (thing.router !== undefined) {
    const [x, y] = toPixel(spots[2 * thing.router], spots[2 * thing.router + 1]);
    const r = Math.max(5, view.scale * 0.22);
    g.strokeRect(x - r, y - r, 2 * r, 2 * r);
    return;
  }
  const wide = laneWide();
  const gap = Math.max(wide * 0.18, 0.35);
  for (let o = 0; o < curves.length; o += 12) {
    if (Math.round(curves[o + 8]) !== laneOf(thing.link)) continue;
    g.beginPath();
    for (const [off, back] of [[gap - 2, false], [gap + wide + 2, true]]) {
      for (let i = 0; i <= 12; i += 1) {
        const t = 0.16 + 0.68 * ((back ? 12 - i : i) / 12);
        const [x, y, dx, dy] = along(curves, o, t);
        const len = Math.hypot(dx, dy) || 1;
        const [px, py] = toPixel(x, y);
        const at = /** @type {[number, number]} */ ([px + (dy / len) * Number(off), py + (dx / len) * Number(off)]);
        if (i === 0 && !back) g.moveTo(...at);
        else g.lineTo(...at);
      }
    }
    g.closePath();
    g.stroke();
  }
}

/** Where a packet is drawn on the map that is read, for whoever wants to point at one. @returns {any} */
export function aDot() {
  const map = maps.get(store.read);
  /** @type {any} */
  let found = null;
  eachDot(paper(map.marks.getContext("2d")), store.now[store.read], scaleOf(store.read), (dot, x, y) => {
    if (x > 40 && y > 40 && x < view.w - 40 && y < view.h - 40) found ??= { x, y, number: dot.number, source: dot.source };
  });
  return found;
}

/** What is at a point: a packet, a router within its square, else the nearest lane. @param {number} px @param {number} py @param {any} map @returns {any} */
function pick(px, py, map) {
  if (store.places === null) return null;
  const variant = Number(map.figure.dataset.variant);
  const dot = isClose(view) ? dotAt(paper(map.marks.getContext("2d")), store.now[variant], scaleOf(variant), [px, py]) : null;
  if (dot !== null) return { dot, variant };
  const [x, y] = [(px - view.w / 2) / view.scale + view.x, (view.h / 2 - py) / view.scale + view.y];
  const { spots, curves, counts } = store.places;
  const near = isClose(view) ? half(view) / view.scale : Math.max(0.17, 4 / view.scale);
  for (let r = 0; r < counts.routers; r += 1) if (Math.abs(spots[2 * r] - x) < near && Math.abs(spots[2 * r + 1] - y) < near) return { router: r };
  let [best, found] = [Math.max(0.3, 8 / view.scale), -1];
  const lane = laneWidth() * 0.7;
  for (let o = 0; o < curves.length; o += 12) {
    const reach = Math.hypot(curves[o + 2] - curves[o], curves[o + 3] - curves[o + 1]) + 1;
    if (curves[o + 11] < 0.5 && Math.abs(curves[o] - x) + Math.abs(curves[o + 1] - y) > 2 * reach) continue;
    const steps = curves[o + 11] > 0.5 ? 16 : 6;
    for (let i = 0; i <= steps; i += 1) {
      const [cx, cy, dx, dy] = along(curves, o, i / steps);
      const len = Math.hypot(dx, dy) || 1;
      // Along the lane nearly anything counts, across it little.
      const [ex, ey] = [x - cx - (dy / len) * lane, y - cy + (dx / len) * lane];
      const [t, n] = [Math.abs((ex * dx + ey * dy) / len), Math.abs((ex * dy - ey * dx) / len)];
      const distance = n + Math.max(0, t - len / steps);
      if (distance < best) [best, found] = [distance, Math.round(curves[o + 8])];
    }
  }
  return found < 0 ? null : { link: linkOf(found) };
}

/** What a queue has more than that of A, where differences are shown; of two buffers of one size. @param {any} v @param {number} link @param {number} full */
function difference(v, link, full) {
  const [first] = store.variants;
  const before = store.now[first.letter];
  if (store.mode !== "diff" || v === first || before === undefined) return "";
  const points = Math.round((full - before.links[4 * link + 1]) / 2.55);
  const way = points > 0 ? `${points} points longer than` : points < 0 ? `${-points} points shorter than` : "as long as";
  return ` (queue ${way} in ${letter(first.letter)})`;
}

/** How long a packet has waited there to get in, if for long. @param {any} picture @param {number} router */
function longWait(picture, router) {
  const times = waited(picture, router);
  return times > 0 ? `, a packet has waited ${whole(1000 * times)} cycles or more to get in` : "";
}

/** What is said of a packet in one line. @param {import("./close.js").Dot} dot */
function packetWords({ link, number, source, destination, flits, channel, signs }) {
  const does = signs & 4 ? "on its way over" : signs & 8 ? "before" : signs & 16 ? "set aside behind" : signs & 2 ? "waits behind" : "moves on behind";
  return `packet ${whole(number)} of node ${source} to node ${destination} · ${flits} flits here · ${does} ${linkName(link)}, channel ${channel}`;
}

/** What is said of a thing in one line. @param {any} thing */
export function say1(thing) {
  if (thing === null || thing === undefined || store.hello === null) return "";
  if (thing.dot !== undefined) return packetWords(thing.dot);
  if (thing.router !== undefined) {
    const { radix } = store.hello.network;
    const nodes = nodesOf(thing.router);
    const node = nodes.length === 0 ? "" : ` · node${nodes.length > 1 ? "s" : ""} ${nodes.length > 2 && nodes[nodes.length - 1] === nodes[0] + nodes.length - 1 ? `${nodes[0]} to ${nodes[nodes.length - 1]}` : nodes.join(", ")}`;
    const waits = store.variants.map((/** @type {any} */ v) => { const p = store.now[v.letter]; return p ? `${store.variants.length > 1 ? `${letter(v.letter)}: ` : ""}${p.routers[2 * thing.router]} in source queues${p.routers[2 * thing.router + 1] & 1 ? ", held by admission" : ""}${longWait(p, thing.router)}` : ""; });
    return `${radix ? "router " : ""}${routerName(thing.router)}${node} · ${waits.join(" · ")}`;
  }
  const words = ["free", "contended", "stands still", "root of a tree"];
  const each = store.variants.map((/** @type {any} */ v) => {
    const picture = store.now[v.letter];
    if (picture === undefined) return "";
    const [use, full, , state] = picture.links.subarray(4 * thing.link, 4 * thing.link + 4);
    return `${store.variants.length > 1 ? `${letter(v.letter)}: ` : ""}use ${(use / 255).toFixed(2)}, queue ${fullness(full, v.scale)}, ${words[state & 3]}${difference(v, thing.link, full)}`;
  });
  const lane = laneOf(thing.link);
  const many = lane === thing.link ? "" : ` · one of ${bundles()[lane - store.places.counts.links].length} links that are drawn as one`;
  return `${linkName(thing.link)}${many} · ${each.join(" · ")}`;
}

/** Takes what was clicked: of a packet its story is asked. @param {any} thing */
function picked(thing) {
  if (thing?.dot === undefined) return select(thing);
  read(thing.variant);
  tell("packet", { number: thing.dot.number, source: thing.dot.source });
}

/** @param {any} thing */
export function select(thing) {
  store.selected = thing;
  if (thing?.packet === undefined) {
    store.story = null;
    say("select", thing ?? {}).catch(() => {});
  }
  tell("selected");
}

/** @param {number} factor @param {number} px @param {number} py */
export function zoom(factor, px = view.w / 2, py = view.h / 2) {
  const [x, y] = [(px - view.w / 2) / view.scale + view.x, (view.h / 2 - py) / view.scale + view.y];
  view.scale = Math.max(0.5, Math.min(200, view.scale * factor));
  view.x = x - (px - view.w / 2) / view.scale;
  view.y = y - (view.h / 2 - py) / view.scale;
  view.fitted = false;
  tell("draw");
}

/** @param {any} map */
function listen(map) {
  const canvas = map.marks;
  /** @type {Map<number, PointerEvent>} */
  const fingers = new Map();
  let moved = 0;
  const at = (/** @type {PointerEvent|WheelEvent|MouseEvent} */ e) => { const box = canvas.getBoundingClientRect(); return /** @type {[number, number]} */ ([e.clientX - box.left, e.clientY - box.top]); };
  canvas.addEventListener("pointerdown", (/** @type {PointerEvent} */ e) => { fingers.set(e.pointerId, e); moved = 0; canvas.setPointerCapture(e.pointerId); });
  canvas.addEventListener("pointermove", (/** @type {PointerEvent} */ e) => {
    const before = fingers.get(e.pointerId);
    if (before !== undefined) {
      const [dx, dy] = [e.clientX - before.clientX, e.clientY - before.clientY];
      moved += Math.abs(dx) + Math.abs(dy);
      if (fingers.size === 2) {
        const other = [...fingers.values()].find((f) => f.pointerId !== e.pointerId);
        if (other) zoom(Math.hypot(e.clientX - other.clientX, e.clientY - other.clientY) / Math.max(1, Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY)), ...at(e));
      } else if (moved > 4) {
        view.x -= dx / view.scale;
        view.y += dy / view.scale;
        view.fitted = false;
        tell("draw");
      }
      fingers.set(e.pointerId, e);
      return;
    }
    store.hover = pick(...at(e), map);
    lens = at(e);
    $("readout").textContent = say1(store.hover);
    tell("draw");
  });
  const up = (/** @type {PointerEvent} */ e) => { if (fingers.delete(e.pointerId) && moved <= 4 && e.type === "pointerup") picked(pick(...at(e), map)); };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => { [store.hover, lens] = [null, null]; $("readout").textContent = ""; tell("draw"); });
  canvas.addEventListener("dblclick", () => { fit(); tell("draw"); });
  canvas.addEventListener("wheel", (/** @type {WheelEvent} */ e) => { e.preventDefault(); zoom(Math.exp(-e.deltaY * 0.0015), ...at(e)); }, { passive: false });
  canvas.addEventListener("keydown", keys);
  for (const what of ["focus", "blur"]) canvas.addEventListener(what, () => tell("draw"));
}

/** Arrows go over routers; with Shift over the links of one. @param {KeyboardEvent} e */
function keys(e) {
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const way = /** @type {Record<string, number[]>} */ (arrows)[e.key];
  if (way === undefined || store.places === null) return;
  e.preventDefault();
  e.stopPropagation();
  const { spots, ends, counts } = store.places;
  const here = routerOf(store.selected) ?? 0;
  let [best, to] = [Infinity, here];
  for (let r = 0; r < counts.routers; r += 1) {
    const [dx, dy] = [spots[2 * r] - spots[2 * here], spots[2 * r + 1] - spots[2 * here + 1]];
    const [ahead, aside] = [dx * way[0] + dy * way[1], Math.abs(dx * way[1] - dy * way[0])];
    if (ahead > 0.1 && ahead + 3 * aside < best) [best, to] = [ahead + 3 * aside, r];
  }
  if (e.shiftKey) {
    for (let i = 0; i < counts.links; i += 1) if (ends[3 * i] === here && ends[3 * i + 1] === to) select({ link: i });
  } else select({ router: to });
  // What is selected is in sight.
  const [px, py] = toPixel(spots[2 * to], spots[2 * to + 1]);
  if (px < 0 || py < 0 || px > view.w || py > view.h) [view.x, view.y, view.fitted] = [spots[2 * to], spots[2 * to + 1], false];
  tell("draw");
  $("readout").textContent = say1(store.selected);
}

/** The worst links as a table, for who cannot see the map. */
function worst() {
  for (const [variant, map] of maps) {
    const picture = store.now[variant];
    if (picture === undefined || store.places === null) continue;
    const order = Array.from({ length: store.places.counts.links }, (_, i) => i);
    const of = (/** @type {number} */ i) => picture.links[4 * i + 2] + 256 * (picture.links[4 * i + 3] & 3);
    order.sort((a, b) => of(b) - of(a));
    const rows = order.slice(0, 20).map((i) => make("tr", {}, ...[linkName(i), (picture.links[4 * i] / 255).toFixed(2), fullness(picture.links[4 * i + 1], store.variants.find((/** @type {any} */ v) => v.letter === variant)?.scale)].map((text) => make("td", {}, text))));
    map.table.replaceChildren(make("table", {}, make("caption", {}, `The twenty worst links of ${letter(variant)}`), make("tr", {}, ...["link", "use", "queue"].map((t) => make("th", {}, t))), ...rows));
  }
}

/** Where the pieces of links are. */
function lay() {
  const { curves, counts } = store.places;
  const pieceOf = new Int32Array(counts.links).fill(-1);
  store.places.pieceOf = pieceOf;
  store.places.piecesOf = Array.from({ length: counts.links }, () => /** @type {number[]} */ ([]));
  for (let n = 0; n < counts.pieces; n += 1) {
    const lane = Math.round(curves[12 * n + 8]);
    // A link of a bundle is where the bundle is.
    for (const link of lane < counts.links ? [lane] : bundles()[lane - counts.links]) {
      pieceOf[link] = pieceOf[link] < 0 ? n : pieceOf[link];
      store.places.piecesOf[link].push(n);
    }
  }
  for (const map of maps.values()) map.lanes.places(store.places);
}

on("state", arrange);
on("places", () => {
  lay();
  holds.clear();
  fit();
});
on("hello", () => {
  fit();
  lookAnew();
  // One router and no links: what there is stands in its queues.
  if (store.places?.counts.links === 0 && store.selected === null) select({ router: 0 });
});
on("words", () => { if (!store.playing) worst(); });
