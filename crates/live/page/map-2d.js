// The same lanes without WebGL: rectangles and curves, by colour.

import { lanes, ranks } from "./bundle.js";
import { C, ramps, blend } from "./colour.js";

/** The place and the direction of a part of a piece. @param {Float32Array} p @param {number} o @param {number} t @returns {[number, number, number, number]} */
export function along(p, o, t) {
  const [x0, y0, x1, y1] = [p[o], p[o + 1], p[o + 2], p[o + 3]];
  if (p[o + 11] < 0.5) return [x0 + (x1 - x0) * t, y0 + (y1 - y0) * t, x1 - x0, y1 - y0];
  const [bx, by, cx, cy] = [p[o + 4], p[o + 5], p[o + 6], p[o + 7]];
  const u = 1 - t;
  return [
    u * u * u * x0 + 3 * u * u * t * bx + 3 * u * t * t * cx + t * t * t * x1,
    u * u * u * y0 + 3 * u * u * t * by + 3 * u * t * t * cy + t * t * t * y1,
    3 * u * u * (bx - x0) + 6 * u * t * (cx - bx) + 3 * t * t * (x1 - cx),
    3 * u * u * (by - y0) + 6 * u * t * (cy - by) + 3 * t * t * (y1 - cy),
  ];
}

/** The parts of a piece between routers. @param {Float32Array} p @param {number} o @returns {[number, number]} */
export function span(p, o) {
  const len = Math.hypot(p[o + 2] - p[o], p[o + 3] - p[o + 1]);
  let [a, b] = [p[o + 9] <= 0 ? 0.2 / Math.max(len, 0.01) : 0, p[o + 10] >= 1 ? 0.2 / Math.max(len, 0.01) : 0];
  if (len < 0.5) [a, b] = [Math.min(a, 0.45), Math.min(b, 0.45)];
  if (p[o + 11] > 0.5) [a, b] = [0.6 * a, 0.6 * b];
  return [a, 1 - b];
}

/** Whether a piece lies outside of what is shown; one that bends is not sorted out. @param {Float32Array} p @param {number} o @param {any} view */
function far(p, o, view) {
  if (p[o + 11] > 0.5) return false;
  const [w, h] = [view.w / 2 / view.scale + 1, view.h / 2 / view.scale + 1];
  const out = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ middle, /** @type {number} */ reach) => Math.max(a, b) < middle - reach || Math.min(a, b) > middle + reach;
  return out(p[o], p[o + 2], view.x, w) || out(p[o + 1], p[o + 3], view.y, h);
}

/** Dashes instead of shades, where a browser has two colours only: the fuller, the longer. */
const DASHES = [[2, 4], [4, 3], [8, 2], []];

/** Draws lanes on a canvas. */
export class Lanes2d {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.at = null;
  }

  /** @param {any} places */
  places(places) {
    this.at = places;
  }

  /** @param {any} view @param {any} picture @param {any} other @param {string} mode @param {number} lane @param {boolean} bare whether queues are left out */
  draw(view, picture, other, mode, lane, bare = false) {
    const ratio = devicePixelRatio || 1;
    const [w, h] = [Math.max(1, Math.round(view.w * ratio)), Math.max(1, Math.round(view.h * ratio))];
    if (this.canvas.width !== w || this.canvas.height !== h) [this.canvas.width, this.canvas.height] = [w, h];
    const g = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, view.w, view.h);
    if (picture === undefined || this.at === null) return;
    const p = /** @type {any} */ (this.at).curves;
    const pieces = p.length / 12;
    const width = Math.max(lane * view.scale, 1.15);
    const off = Math.max(lane * view.scale * 0.18, 0.35) + width / 2;
    const roads = /** @type {Map<string, [number, number, number][]>} */ (new Map());
    const queues = /** @type {Map<string, [number, number, number][]>} */ (new Map());
    const put = (/** @type {Map<string, any[]>} */ map, /** @type {string} */ colour, /** @type {any} */ part) => {
      const list = map.get(colour);
      if (list === undefined) map.set(colour, [part]);
      else list.push(part);
    };
    const [rank, seen, before] = [ranks(picture), lanes(picture), other ? lanes(other) : null];
    for (let n = 0; n < pieces; n += 1) {
      const o = 12 * n;
      if (far(p, o, view)) continue;
      const link = Math.round(p[o + 8]);
      const [use, full, mean] = [seen[4 * link], seen[4 * link + 1] / 255, seen[4 * link + 2]];
      const [from, to] = span(p, o);
      let road = ramps.road[use >> 4];
      if (mode === "use") road = use < 1 ? C.road0 : ramps.use[use >> 4];
      if (mode === "trees") road = C.road0;
      if (mode === "diff" && before) {
        const d = full - before[4 * link + 1] / 255;
        road = Math.abs(d) < 0.2 ? C.road0 : blend(C.road0, d < 0 ? C.less : C.more, Math.min(1, 0.25 + Math.abs(d)));
      }
      put(roads, road, [o, from, to]);
      const level = mode === "queues" || (mode === "diff" && !before) ? full : mode === "trees" && rank[link] > 0 ? Math.max(full, 0.35) : 0;
      if (bare || level < 0.03) continue;
      const head = Math.max(0, (1 - level - p[o + 9]) / (p[o + 10] - p[o + 9]));
      if (head >= 1) continue;
      const colour = mode === "trees" ? (rank[link] < 7 ? ramps.tree[rank[link] - 1] : C.node) : ramps.queue[mean >> 4];
      put(queues, ramps.forced ? `${colour}|${mode === "trees" ? rank[link] % 4 : mean >> 6}` : colour, [o, from + (to - from) * head, to]);
    }
    g.lineCap = "butt";
    for (const map of [roads, queues]) {
      // Of two colours a road is a thin line, so that what stands on it is seen.
      g.lineWidth = ramps.forced && map === roads ? Math.max(1, 0.25 * width) : width;
      for (const [colour, parts] of map) {
        g.strokeStyle = colour.split("|")[0];
        g.setLineDash(DASHES[Number(colour.split("|")[1] ?? 3)]);
        g.beginPath();
        for (const [o, from, to] of parts) {
          const steps = p[o + 11] > 0.5 ? 10 : 1;
          for (let i = 0; i <= steps; i += 1) {
            const [x, y, dx, dy] = along(p, o, from + ((to - from) * i) / steps);
            const len = Math.hypot(dx, dy) || 1;
            const px = (x - view.x) * view.scale + view.w / 2 + (dy / len) * off;
            const py = view.h / 2 - (y - view.y) * view.scale + (dx / len) * off;
            if (i === 0) g.moveTo(px, py);
            else g.lineTo(px, py);
          }
        }
        g.stroke();
      }
    }
  }
}
