// The map from 40 pixels a link on: channels as strands beside each other, packets as dots, routers with ports and names. Both ways of
// drawing lanes have it, as it lies above them. The server tells of the packets at the routers that are in sight, and of no others.

import { C, ramps } from "./colour.js";
import { span } from "./map-2d.js";
import { store } from "./store.js";
import { say } from "./wire.js";

/** From so many pixels a link on. */
const CLOSE = 40;
/** Routers that the server tells of at most, those in the middle first. */
const MOST = 400;
/** A strand is not drawn narrower [px]. */
const NARROW = 0.9;
/** Signs of a packet, as the server has them. */
const SIGN = { head: 1, waits: 2, flies: 4, before: 8, aside: 16, held: 32 };

/**
 * @typedef {{link: number, router: number, source: number, destination: number, number: number, flits: number, position: number, channel: number, signs: number}} Dot
 * @typedef {{known: Set<number>, behind: Map<number, Dot[]>, waiting: Map<number, Dot[]>}} Detail
 * @typedef {{x: number, y: number, scale: number, w: number, h: number}} View
 */

/** Whether so much is drawn. @param {View} view */
export const isClose = (view) => view.scale >= CLOSE;

/** What the server says of the packets at some routers. @param {ArrayBuffer} buffer @param {number} from where it begins @returns {Detail|null} */
export function detail(buffer, from) {
  const view = new DataView(buffer, from);
  if (view.byteLength < 8) return null;
  const [routers, count] = [view.getUint32(0, true), view.getUint32(4, true)];
  if (view.byteLength !== 8 + 4 * routers + 28 * count) return null;
  /** @type {Detail} */
  const found = { known: new Set(), behind: new Map(), waiting: new Map() };
  for (let i = 0; i < routers; i += 1) found.known.add(view.getUint32(8 + 4 * i, true));
  for (let i = 0; i < count; i += 1) {
    const at = 8 + 4 * routers + 28 * i;
    const [link, router, source, destination, number] = [0, 4, 8, 12, 16].map((off) => view.getUint32(at + off, true));
    const dot = { link, router, source, destination, number, flits: view.getUint16(at + 20, true), position: view.getUint16(at + 22, true), channel: view.getUint8(at + 24), signs: view.getUint8(at + 25) };
    const [map, key] = link === 0xffffffff ? [found.waiting, router] : [found.behind, link];
    const list = map.get(key);
    if (list === undefined) map.set(key, [dot]);
    else list.push(dot);
  }
  return found;
}

let asked = "";
/** @type {any} */
let asks = null;

/** Tells the server which routers are in sight, where that is known closely. @param {View} view */
export function lookClosely(view) {
  const { spots, counts } = store.places;
  const key = isClose(view) ? [view.x, view.y, view.scale, view.w, view.h, store.places.turn, counts.routers].map((n) => Math.round(20 * n)).join() : "";
  if (key === asked || store.saved) return;
  asked = key;
  clearTimeout(asks);
  asks = setTimeout(() => {
    /** @type {[number, number][]} */
    const found = [];
    const [w, h] = [view.w / 2 / view.scale + 1, view.h / 2 / view.scale + 1];
    for (let r = 0; isClose(view) && r < counts.routers; r += 1) {
      const [dx, dy] = [Math.abs(spots[2 * r] - view.x), Math.abs(spots[2 * r + 1] - view.y)];
      if (dx < w && dy < h) found.push([r, dx * dx + dy * dy]);
    }
    found.sort((a, b) => a[1] - b[1]);
    say("close", { routers: found.slice(0, MOST).map(([r]) => r) }).catch(() => { asked = "?"; });
  }, 120);
}

/** Whoever connects again asks again. */
export const lookAnew = () => { asked = "?"; };

/** How far from its far end a queue stands with so many flits, of 1. @param {number} flits @param {any} scale */
const level = (flits, scale) => Math.min(1, scale.log ? Math.log1p(flits) / Math.log1p(scale.flits) : flits / scale.flits);

/** The strands of a lane: their number, none where they would be too narrow, and their width [px]. @param {any} scale @param {number} wide */
export function strands(scale, wide) {
  const count = Math.max(1, scale?.channels ?? 1);
  return wide / count < NARROW ? [1, wide] : [count, wide / count];
}

/**
 * What is drawn above lanes: `trail` draws along a link at a distance, from one part of it to another.
 * @typedef {{g: CanvasRenderingContext2D, view: View, gap: number, wide: number, place: (piece: number, part: number, out: number) => [number, number]}} Paper
 */

/** The pieces in sight. @param {View} view @returns {number[]} */
function inSight(view) {
  const p = store.places.curves;
  const [w, h] = [view.w / 2 / view.scale + 0.5, view.h / 2 / view.scale + 0.5];
  const found = [];
  for (let o = 0; o < p.length; o += 12) {
    const apart = (/** @type {number} */ axis, /** @type {number} */ middle, /** @type {number} */ reach) => {
      const all = [p[o + axis], p[o + 2 + axis], p[o + 4 + axis], p[o + 6 + axis]];
      return Math.max(...all) < middle - reach || Math.min(...all) > middle + reach;
    };
    if (!apart(0, view.x, w) && !apart(1, view.y, h)) found.push(o);
  }
  return found;
}

/** A line along a piece, at some distance. @param {Paper} paper @param {number} o @param {number} from @param {number} to @param {number} out */
function line({ g, place }, o, from, to, out) {
  const steps = store.places.curves[o + 11] > 0.5 ? 12 : 1;
  for (let i = 0; i <= steps; i += 1) {
    const at = place(o, from + ((to - from) * i) / steps, out);
    if (i === 0) g.moveTo(...at);
    else g.lineTo(...at);
  }
}

/** Strands with their queues, and lines between them. @param {Paper} paper @param {any} picture @param {any} scale @param {string} mode */
export function drawStrands(paper, picture, scale, mode) {
  const { g, view, gap, wide } = paper;
  const [count, each] = strands(scale, wide);
  const p = store.places.curves;
  const pieces = inSight(view);
  if (mode === "queues") {
    /** @type {Map<number, [number, number, number, number][]>} */
    const byColour = new Map();
    for (const o of pieces) {
      const link = Math.round(p[o + 8]);
      const [start, end] = span(p, o);
      for (let channel = 0; channel < count; channel += 1) {
        const full = filled(picture, link, channel, scale, count);
        const head = Math.max(0, (1 - full - p[o + 9]) / (p[o + 10] - p[o + 9]));
        if (full < 0.03 || head >= 1) continue;
        const colour = Math.min(15, Math.floor(16 * full));
        const part = /** @type {[number, number, number, number]} */ ([o, start + (end - start) * head, end, gap + (channel + 0.5) * each]);
        const list = byColour.get(colour);
        if (list === undefined) byColour.set(colour, [part]);
        else list.push(part);
      }
    }
    g.lineWidth = each;
    for (const [colour, parts] of byColour) {
      g.strokeStyle = ramps.queue[colour];
      g.beginPath();
      for (const part of parts) line(paper, ...part);
      g.stroke();
    }
  }
  if (count < 2) return;
  g.strokeStyle = C.paper;
  g.lineWidth = Math.min(1.2, 0.3 * each);
  g.beginPath();
  for (const o of pieces) for (let channel = 1; channel < count; channel += 1) line(paper, o, ...span(p, o), gap + channel * each);
  g.stroke();
}

/** How full a channel is. Where nobody told, as full as the fullest. @param {any} picture @param {number} link @param {number} channel @param {any} scale @param {number} count */
function filled(picture, link, channel, scale, count) {
  const { counts, ends } = store.places;
  if (link >= counts.links || count < 2 || !picture.close?.known.has(ends[3 * link + 1])) return picture.links[4 * Math.min(link, counts.links - 1) + 1] / 255;
  let flits = 0;
  for (const dot of picture.close.behind.get(link) ?? []) if (dot.channel === channel && (dot.signs & (SIGN.waits | SIGN.before | SIGN.aside)) === SIGN.waits) flits += dot.flits;
  return level(flits, scale);
}

/**
 * Packets as dots, hollow while they wait: where each stands, and how large.
 * @param {Paper} paper @param {any} picture @param {any} scale @param {(dot: Dot, x: number, y: number, size: number) => void} then
 */
export function eachDot({ view, gap, wide, place }, picture, scale, then) {
  if (!picture.close) return;
  const [count, each] = strands(scale, wide);
  const size = Math.max(1.3, Math.min(0.42 * each, 5));
  const p = store.places.curves;
  for (const o of inSight(view)) {
    const dots = picture.close.behind.get(Math.round(p[o + 8]));
    if (dots === undefined) continue;
    const [start, end] = span(p, o);
    const [from, to] = [p[o + 9], p[o + 10]];
    const length = (Math.hypot(p[o + 2] - p[o], p[o + 3] - p[o + 1]) * view.scale * (end - start)) / (to - from);
    const before = new Map();
    for (const dot of dots) {
      const lane = dot.signs & (SIGN.before | SIGN.aside | SIGN.flies) ? 100 + dot.signs : dot.channel;
      const stood = before.get(lane) ?? 0;
      before.set(lane, stood + dot.flits);
      const [near, far] = [level(stood, scale), level(stood + dot.flits, scale)];
      // Too near to the packet before it to be told from that.
      if (dot.position > 0 && (far - near) * length < 1.6 * size) continue;
      const middle = Math.min(0.97, (near + far) / 2);
      const part = dot.signs & SIGN.before ? middle : dot.signs & SIGN.flies ? 0.22 : 1 - middle;
      if (part < from || part > to) continue;
      const out = dot.signs & SIGN.aside ? gap + wide + 1.5 * size : gap + (Math.min(dot.channel, count - 1) + 0.5) * each;
      then(dot, ...place(o, start + ((end - start) * (part - from)) / (to - from), out), size);
    }
  }
}

/** Packets; among trees and differences those that wait, and no others. @param {Paper} paper @param {any} picture @param {any} scale @param {string} mode */
export function drawDots(paper, picture, scale, mode) {
  const { g } = paper;
  for (const waits of mode === "trees" || mode === "diff" ? [true] : [false, true]) {
    g.beginPath();
    eachDot(paper, picture, scale, (dot, x, y, size) => {
      if ((dot.signs & SIGN.waits) > 0 !== waits) return;
      g.moveTo(x + size, y);
      g.arc(x, y, size, 0, 7);
    });
    g.fillStyle = waits ? C.paper : C.ink;
    g.fill();
    g.strokeStyle = C.ink;
    g.lineWidth = 1;
    if (waits) g.stroke();
  }
}

/** The packet at a point. @param {Paper} paper @param {any} picture @param {any} scale @param {[number, number]} at @returns {Dot|null} */
export function dotAt(paper, picture, scale, [px, py]) {
  let [best, found] = [Infinity, /** @type {Dot|null} */ (null)];
  if (picture) eachDot(paper, picture, scale, (dot, x, y, size) => {
    const apart = Math.hypot(x - px, y - py);
    if (apart < Math.min(best, size + 1.5)) [best, found] = [apart, dot];
  });
  return found;
}

/** How long a tick is that stands for a head [px]. @param {View} view */
export const tick = (view) => Math.max(3, 0.07 * view.scale);

/** Half of a router's side [px]. @param {View} view */
export const half = (view) => Math.min((store.hello.network.radix ? 0.19 : 0.11) * view.scale, 44);

/**
 * Routers with their ports: where lanes begin, and, hollow, where they end; at a corner what waits in source queues; and names.
 * @param {Paper} paper @param {any} picture @param {(router: number) => string} named @param {string} font
 */
export function drawRouters({ g, view, gap, wide, place }, picture, named, font) {
  const { spots, counts, curves: p } = store.places;
  const size = half(view);
  const seen = [];
  for (let r = 0; r < counts.routers; r += 1) {
    const [x, y] = [(spots[2 * r] - view.x) * view.scale + view.w / 2, view.h / 2 - (spots[2 * r + 1] - view.y) * view.scale];
    if (x > -size && y > -size && x < view.w + size && y < view.h + size) seen.push(/** @type {[number, number, number]} */ ([r, x, y]));
  }
  g.fillStyle = C.router;
  g.strokeStyle = C.edge;
  g.lineWidth = 1;
  g.beginPath();
  for (const [, x, y] of seen) g.roundRect(x - size, y - size, 2 * size, 2 * size, Math.min(4, 0.3 * size));
  g.fill();
  g.stroke();
  const port = Math.max(2, Math.min(0.4 * wide, 6));
  for (const out of [true, false]) {
    g.beginPath();
    for (const o of inSight(view)) {
      if (out ? p[o + 9] > 0 : p[o + 10] < 1) continue;
      const [start, end] = span(p, o);
      const [x, y] = place(o, out ? start : end, gap + wide / 2);
      g.rect(x - port / 2, y - port / 2, port, port);
    }
    g.fillStyle = out ? C.soft : C.paper;
    g.fill();
    g.strokeStyle = C.soft;
    g.stroke();
  }
  g.fillStyle = C.soft;
  // Beyond the ticks of heads that wait.
  const off = size + tick(view) + 3;
  for (const [r, x, y] of seen) {
    const name = named(r);
    g.font = `${Math.max(10, Math.min(12, 0.5 * size))}px ${font}`;
    const inside = g.measureText(name).width < 2 * size - 6;
    [g.textAlign, g.textBaseline] = inside ? ["center", "middle"] : ["left", "top"];
    g.fillText(name, ...(inside ? /** @type {const} */ ([x, y]) : /** @type {const} */ ([x + size + 2, y + off])));
    const waiting = picture?.routers[2 * r] ?? 0;
    if (waiting === 0 || view.scale < 60) continue;
    g.font = `10px ${font}`;
    [g.textAlign, g.textBaseline] = ["right", "bottom"];
    g.fillText(`${waiting === 255 ? "255+" : waiting} ›`, x - size - 1, y - off + 1);
  }
}
