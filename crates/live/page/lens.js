// A lens under the pointer, where links have too few pixels to be seen: 15 routers in each direction, as a map has them.

import { at as shownAt } from "./bundle.js";
import { C } from "./colour.js";
import { Lanes2d } from "./map-2d.js";
import { store } from "./store.js";

const PITCH = 14;
const SIZE = 15 * PITCH;
/** @type {Lanes2d|null} */
let lanes = null;
/** @type {any} */
let placed = null;

/** What is selected: a frame round a router, an arrow along a link. @param {CanvasRenderingContext2D} g @param {(router: number) => [number, number]} at */
function chosen(g, at) {
  const { router, link } = store.selected ?? {};
  g.lineWidth = 1.5;
  if (router !== undefined) {
    const [px, py] = at(router);
    g.strokeRect(px - 4.5, py - 4.5, 9, 9);
  } else if (link !== undefined) {
    const [[ax, ay], [bx, by]] = [at(store.places.ends[3 * link]), at(store.places.ends[3 * link + 1])];
    if (Math.hypot(bx - ax, by - ay) > 2 * PITCH) return;
    g.beginPath();
    g.moveTo(ax, ay);
    g.lineTo(bx, by);
    g.stroke();
  }
  g.lineWidth = 1;
}

/**
 * Draws the lens round a point of a map.
 * @param {CanvasRenderingContext2D} g @param {any} view @param {any} picture @param {any} other @param {[number, number]} at @param {number} lane
 */
export function drawLens(g, view, picture, other, [px, py], lane) {
  lanes ??= new Lanes2d(document.createElement("canvas"));
  const places = shownAt(store.places, PITCH);
  if (placed !== places) {
    placed = places;
    lanes.places(placed);
  }
  const [x, y] = [(px - view.w / 2) / view.scale + view.x, (view.h / 2 - py) / view.scale + view.y];
  lanes.draw({ x, y, scale: PITCH, w: SIZE, h: SIZE }, picture, other, store.mode, lane);
  const [left, top] = [Math.round(Math.max(0, Math.min(view.w - SIZE, px - SIZE / 2))), Math.round(Math.max(0, Math.min(view.h - SIZE, py - SIZE / 2)))];
  g.fillStyle = C.paper;
  g.fillRect(left, top, SIZE, SIZE);
  g.drawImage(lanes.canvas, left, top, SIZE, SIZE);
  g.fillStyle = C.router;
  g.strokeStyle = C.edge;
  g.lineWidth = 1;
  const { spots, counts } = store.places;
  g.beginPath();
  for (let r = 0; r < counts.routers; r += 1) {
    const [dx, dy] = [(spots[2 * r] - x) * PITCH, (y - spots[2 * r + 1]) * PITCH];
    if (Math.abs(dx) < SIZE / 2 - 3 && Math.abs(dy) < SIZE / 2 - 3) g.rect(left + SIZE / 2 + dx - 1.5, top + SIZE / 2 + dy - 1.5, 3, 3);
  }
  g.fill();
  g.stroke();
  g.strokeStyle = C.ink;
  chosen(g, (r) => [left + SIZE / 2 + (spots[2 * r] - x) * PITCH, top + SIZE / 2 + (y - spots[2 * r + 1]) * PITCH]);
  g.strokeRect(left + 0.5, top + 0.5, SIZE - 1, SIZE - 1);
}
