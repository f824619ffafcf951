// Curves over time: uPlot without its legend, one time axis for all.

import uPlot from "./vendor/uPlot.esm.js";
import { C, ofVariant } from "./colour.js";
import { letter, ticks } from "./parts.js";

/** One track of curves, a line a variant. */
export class Curve {
  /** @param {HTMLElement} box @param {string} of the column of a row @param {any} store */
  constructor(box, of, store) {
    this.box = box;
    this.of = of;
    this.store = store;
    this.plot = null;
    this.key = "";
    /** @type {[number, number]} */
    this.range = [0, 1];
  }

  /** What is offered, as steps: from a cycle on, so much. Only of the accepted load. @returns {[number, number][]} */
  offered() {
    if (this.of !== "accepted") return [];
    const read = this.store.variants.find((/** @type {any} */ v) => v.letter === this.store.read);
    // Work has no load of its own.
    if (read?.ends) return [];
    const loads = (read?.changes ?? []).filter((/** @type {any} */ c) => typeof c.set["traffic.load"] === "number").map((/** @type {any} */ c) => [c.cycle, c.set["traffic.load"]]);
    const first = loads[0]?.[0] === 0 ? [] : [[0, this.store.hello?.offered ?? 0]];
    return [...first, ...loads];
  }

  /** The highest value beside the curves that has to be seen. */
  least() {
    return Math.max(0, ...this.offered().map(([, load]) => Math.min(load, 1)));
  }

  /** Makes the chart anew where the variants, the size or the theme are others. @param {number} width @param {number} height */
  make(width, height) {
    const letters = this.store.variants.map((/** @type {any} */ v) => v.letter);
    const key = `${letters.join()}|${width}|${height}|${C.paper}`;
    if (key === this.key && this.plot !== null) return;
    this.key = key;
    this.plot?.destroy();
    const series = letters.map((/** @type {number} */ l) => ({ stroke: ofVariant(l), width: 1.7, points: { show: false }, spanGaps: true }));
    const font = "10px sans-serif";
    this.plot = new (/** @type {any} */ (uPlot))({
      width, height, legend: { show: false }, padding: [6, 0, 2, 0], cursor: { show: false }, select: { show: false },
      scales: { x: { time: false, auto: false, range: () => this.range }, y: { range: (/** @type {any} */ _u, /** @type {number} */ _low, /** @type {number} */ high) => [0, Math.max(high, this.least()) > 0 ? Math.max(high, this.least()) * 1.12 : 1] } },
      axes: [
        { show: true, size: 0, splits: () => ticks(this.range[0], this.range[1], width / 110), grid: { stroke: C.hair, width: 1 }, ticks: { show: false }, values: () => [] },
        {
          size: 0, space: 16, grid: { stroke: C.hair, width: 1 }, ticks: { show: false }, values: () => [],
        },
      ],
      series: [{}, ...series],
      hooks: { draw: [(/** @type {any} */ u) => this.ends(u, letters, font)] },
    }, [[0], ...letters.map(() => [null])], this.box);
  }

  /** The scale at the left, and a letter at the end of every curve: their colours alone are too near without blue cones. @param {any} u @param {number[]} letters @param {string} font */
  ends(u, letters, font) {
    const g = u.ctx;
    const ratio = devicePixelRatio || 1;
    g.save();
    g.font = font.replace("10", String(10 * ratio));
    g.fillStyle = C.faint;
    g.textBaseline = "top";
    g.textAlign = "left";
    this.steps(u, ratio);
    const high = u.scales.y.max;
    this.label(g, ratio, high >= 100 ? Math.round(high).toLocaleString("en-GB") : String(Number(high.toPrecision(2))), u.bbox.left + 5 * ratio, u.bbox.top);
    if (letters.length > 1) {
      const at = /** @type {{l: number, x: number, y: number}[]} */ ([]);
      letters.forEach((l, i) => {
        const values = u.data[i + 1];
        for (let n = values.length - 1; n >= 0; n -= 1) {
          if (values[n] === null || values[n] === undefined) continue;
          at.push({ l, x: u.valToPos(u.data[0][n], "x", true), y: u.valToPos(values[n], "y", true) });
          break;
        }
      });
      at.sort((a, b) => a.y - b.y);
      // None above another one, and none outside.
      const low = g.canvas.height - 5 * ratio;
      const pitch = Math.min(11 * ratio, (low - 5 * ratio) / Math.max(1, at.length - 1));
      at.forEach((one, i) => { one.y = Math.max(one.y, i === 0 ? 5 * ratio : at[i - 1].y + pitch); });
      for (let i = at.length - 1; i >= 0; i -= 1) at[i].y = Math.min(at[i].y, i === at.length - 1 ? low : at[i + 1].y - pitch);
      g.textBaseline = "middle";
      g.font = `700 ${(at.length > 3 ? 10 : 11) * ratio}px sans-serif`;
      for (const { l, x, y } of at) {
        g.fillStyle = ofVariant(l);
        g.fillText(letter(l), Math.min(x + 5 * ratio, u.bbox.left + u.bbox.width - 10 * ratio), y);
      }
    }
    g.restore();
  }

  /** A word that lines do not cross. @param {CanvasRenderingContext2D} g @param {number} ratio @param {string} text @param {number} x @param {number} y */
  label(g, ratio, text, x, y) {
    g.save();
    g.setLineDash([]);
    [g.strokeStyle, g.lineWidth, g.lineJoin] = [C.paper, 3.5 * ratio, "round"];
    g.strokeText(text, x, y);
    g.fillText(text, x, y);
    g.restore();
  }

  /** What is offered, as a dashed line. @param {any} u @param {number} ratio */
  steps(u, ratio) {
    const steps = this.offered();
    if (steps.length === 0) return;
    const g = u.ctx;
    const [left, right] = [u.bbox.left, u.bbox.left + u.bbox.width];
    const x = (/** @type {number} */ cycle) => Math.max(left, Math.min(right, u.valToPos(cycle, "x", true)));
    g.strokeStyle = C.faint;
    g.lineWidth = ratio;
    g.setLineDash([4 * ratio, 3 * ratio]);
    g.beginPath();
    steps.forEach(([from, load], i) => {
      const y = u.valToPos(load, "y", true);
      const end = x(Math.min(steps[i + 1]?.[0] ?? Infinity, Math.max(this.store.cycle, ...this.store.variants.map((/** @type {any} */ v) => v.end))));
      g.moveTo(x(from), y);
      g.lineTo(end, y);
    });
    g.stroke();
    g.setLineDash([]);
    const [from, load] = steps[steps.length - 1];
    const top = u.valToPos(load, "y", true) - u.bbox.top < 13 * ratio;
    g.textBaseline = top ? "top" : "bottom";
    if (right - x(from) > 90 * ratio) this.label(g, ratio, "offered", Math.max(x(from) + 4 * ratio, left + 44 * ratio), u.valToPos(load, "y", true) + (top ? 2 : -1) * ratio);
    g.textBaseline = "top";
  }

  /** Takes it away. */
  end() {
    this.plot?.destroy();
    this.plot = null;
  }

  /** @param {[number, number]} range */
  draw(range) {
    const box = this.box.getBoundingClientRect();
    if (box.width < 20) return;
    this.range = range;
    this.make(Math.round(box.width), Math.round(box.height));
    const letters = this.store.variants.map((/** @type {any} */ v) => v.letter);
    const most = Math.max(60, Math.floor(box.width));
    const tables = letters.map((/** @type {number} */ l) => smooth(this.store.rows[l] ?? [], this.of, range, most, this.store.variants.find((/** @type {any} */ v) => v.letter === l).born?.cycle ?? -1));
    const data = tables.length === 1 ? tables[0] : uPlot.join(tables);
    /** @type {any} */ (this.plot).setData(data.length > 1 ? data : [[0], ...letters.map(() => [null])], false);
    /** @type {any} */ (this.plot).setScale("x", { min: range[0], max: range[1] });
  }
}

/**
 * A column of rows, at most so many points: means, weighted by the cycles that a row covers.
 * @param {any[]} rows @param {string} of @param {[number, number]} range @param {number} most @param {number} from
 */
export function smooth(rows, of, range, most, from) {
  const [x, y] = [/** @type {number[]} */ ([]), /** @type {(number|null)[]} */ ([])];
  const step = Math.max(1, (range[1] - range[0]) / most);
  let [sum, weight, at, last] = [0, 0, 0, -1];
  for (const row of rows) {
    if (row.cycle < range[0] - step || row.cycle > range[1] || row.cycle < from) continue;
    const bin = Math.floor(row.cycle / step);
    if (bin !== last && weight > 0) {
      x.push(at);
      y.push(sum / weight);
      [sum, weight] = [0, 0];
    }
    last = bin;
    at = row.cycle;
    if (row[of] === null || row[of] === undefined) continue;
    const covers = row.covers || 1;
    sum += row[of] * covers;
    weight += covers;
  }
  if (weight > 0) {
    x.push(at);
    y.push(sum / weight);
  }
  return [x, y];
}
