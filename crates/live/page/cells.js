// A map seen from so far away that each router is a cell, in the colour of its worst queue.
// Cells are set pixel by pixel: 25,600 rectangles take 65 ms a picture without a graphics card, these pixels less than a tenth.

import { C, ramps } from "./colour.js";
import { make } from "./parts.js";
import { store } from "./store.js";

/** Under so many pixels a link a router is a cell. */
export const CELLS = 5;

/** Colours of a ramp. */
const STEPS = 16;

/** A canvas that is only a store of pixels. @param {number} width @param {number} height */
function sheetOf(width, height) {
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", { width: String(width), height: String(height) }));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  const image = context.createImageData(width, height);
  return { canvas, context, image, pixels: new Uint32Array(image.data.buffer) };
}

let sheet = sheetOf(1, 1);
const palette = sheetOf(STEPS, 1);

/** The pixels of the ramp's colours; the lowest is that of an empty road. */
function colours() {
  const { context } = palette;
  const ramp = store.mode === "use" ? ramps.use : ramps.queue;
  context.clearRect(0, 0, STEPS, 1);
  for (let step = 0; step < STEPS; step += 1) {
    context.fillStyle = step === 0 ? C.road0 : ramp[step];
    context.fillRect(step, 0, 1, 1);
  }
  return new Uint32Array(context.getImageData(0, 0, STEPS, 1).data.buffer);
}

/** Of each router the worst level of the links to it, of 255. @param {any} picture */
function worstOf(picture) {
  const { ends, counts } = store.places;
  const worst = new Uint8Array(counts.routers);
  const { links } = picture;
  const byUse = store.mode === "use";
  for (let i = 0; i < counts.links; i += 1) {
    const level = byUse ? links[4 * i] : Math.max(links[4 * i + 2], (links[4 * i + 3] & 3) >= 2 ? 96 : 0);
    const to = ends[3 * i + 1];
    if (level > worst[to]) worst[to] = level;
  }
  return worst;
}

/** Draws them. @param {CanvasRenderingContext2D} g @param {any} picture @param {{x: number, y: number, scale: number, w: number, h: number}} view */
export function drawCells(g, picture, view) {
  const { spots, counts } = store.places;
  const { width, height } = g.canvas;
  if (sheet.canvas.width !== width || sheet.canvas.height !== height) sheet = sheetOf(width, height);
  const { canvas, context, image, pixels } = sheet;
  pixels.fill(0);
  const [ratio, colour, worst] = [g.getTransform().a, colours(), worstOf(picture)];
  const unit = view.scale * ratio;
  // From edge to edge, with a pixel between cells that are large enough: so all gaps are alike.
  const [half, gap] = [Math.max(unit, 1) / 2, unit >= 3 ? 1 : 0];
  const [x0, y0] = [(view.w * ratio) / 2 - view.x * unit, (view.h * ratio) / 2 + view.y * unit];
  for (let r = 0; r < counts.routers; r += 1) {
    const [x, y] = [x0 + spots[2 * r] * unit, y0 - spots[2 * r + 1] * unit];
    const right = Math.min(width, Math.round(x + half) - gap);
    const bottom = Math.min(height, Math.round(y + half) - gap);
    const left = Math.max(0, Math.round(x - half));
    const paint = colour[worst[r] >> 4];
    for (let row = Math.max(0, Math.round(y - half)); row < bottom; row += 1) {
      for (let at = row * width + left; at < row * width + right; at += 1) pixels[at] = paint;
    }
  }
  context.putImageData(image, 0, 0);
  g.save();
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.drawImage(canvas, 0, 0);
  g.restore();
}
