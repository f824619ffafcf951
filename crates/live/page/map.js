// The maps: one a variant, all moved together. Lanes come from map-gl.js or map-2d.js; what stands on them is drawn here.

import { C, ofVariant } from "./colour.js";
import { LanesGl, hasGl } from "./map-gl.js";
import { Lanes2d, along } from "./map-2d.js";
import { $, fitted, letter, load, make, short, whole, who } from "./parts.js";
import { on, store, tell } from "./store.js";
import { say } from "./wire.js";

const PORTS = ["x+", "x−", "y+", "y−", "z+", "z−"];
/** @type {Map<number, any>} */
const maps = new Map();
const view = { x: 0, y: 0, scale: 1, w: 100, h: 100, fitted: true };
const gl = hasGl();

/** The name of a router. @param {number} router */
export function routerName(router) {
  const radix = store.hello?.network.radix;
  if (!radix) return `router ${router}`;
  let rest = router;
  return `[${radix.map((/** @type {number} */ k) => { const at = rest % k; rest = Math.floor(rest / k); return at; }).join(", ")}]`;
}

/** The name of an output. @param {number} router @param {number} port */
export function outputName(router, port) {
  const { radix, ports, nodesAt } = store.hello.network;
  if (port >= ports) return `node ${radix ? router * nodesAt + port - ports : `${port - ports} of router ${router}`}`;
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
  for (let o = 0; o < p.length; o += 12) for (const t of [0, 0.25, 0.5, 0.75, 1]) see(.../** @type {[number, number]} */ (/** @type {any} */ (along(p, o, t).slice(0, 2))));
  const numbers = store.hello?.network.radix ? 22 : 8;
  const [w, h] = [view.w - 20 - numbers, view.h - 12 - numbers];
  view.scale = Math.max(0.5, Math.min(w / Math.max(1, x1 - x0 + 0.3), h / Math.max(1, y1 - y0 + 0.3), 90));
  view.x = (x0 + x1) / 2 - numbers / 2 / view.scale;
  view.y = (y0 + y1) / 2 - numbers / 2 / view.scale;
  view.fitted = true;
}

/** @param {number} x @param {number} y @returns {[number, number]} */
const toPixel = (x, y) => [(x - view.x) * view.scale + view.w / 2, view.h / 2 - (y - view.y) * view.scale];

/** One map. @param {number} variant */
function create(variant) {
  const stats = make("div", { class: "stats" });
  const title = make("b");
  const drop = make("button", { class: "drop", title: `Drop variant ${letter(variant)}`, onclick: () => say("drop", { variant }).catch(() => {}) }, "drop");
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
const kind = (variant) => (variant.locked ? "deadlocked" : variant.done ? "completed" : variant.label || (variant.settings.admission?.kind ?? "off"));

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
  const first = store.now[store.variants[0]?.letter];
  store.variants.forEach((/** @type {any} */ variant, /** @type {number} */ i) => {
    const map = maps.get(variant.letter);
    if (map === undefined) return;
    const picture = store.now[variant.letter];
    map.lanes.draw(view, picture, i > 0 ? first : undefined, store.mode, store.hello.network.lane);
    marks(map, picture, variant.letter);
    numbers(map, variant.letter);
  });
}

/** @param {any} map @param {number} variant */
function numbers(map, variant) {
  const row = store.latest?.[variant];
  const last = (store.rows[variant] ?? []).at(-1);
  const parts = [["accepted", load(last?.accepted)], ["in network", short(last?.inNetwork)], ["trees", row ? whole(row.trees) : "–"]];
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
  const { spots, ends, counts } = store.places;
  const unit = view.scale;
  const font = getComputedStyle(document.body).fontFamily;
  const radius = Math.max(1.2, Math.min(unit * 0.11, 9));
  if (unit >= 7) {
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
  axes(g, font);
  if (picture === undefined) return;
  // Held by admission: a ring.
  g.strokeStyle = ofVariant(variant);
  g.lineWidth = Math.max(1, unit * 0.05);
  g.beginPath();
  for (let r = 0; r < counts.routers; r += 1) {
    if ((picture.routers[2 * r + 1] & 1) === 0) continue;
    const [x, y] = toPixel(spots[2 * r], spots[2 * r + 1]);
    g.moveTo(x + radius * 1.6, y);
    g.arc(x, y, radius * 1.6, 0, 7);
  }
  g.stroke();
  if (unit >= 40) heads(g, picture);
  roots(g, picture, font);
  outline(g, store.hover, C.soft, 1);
  outline(g, store.selected, ofVariant(variant), 2);
}

/** Coordinates beside a grid. @param {CanvasRenderingContext2D} g @param {string} font */
function axes(g, font) {
  const radix = store.hello.network.radix;
  if (!radix || radix.length > 2) return;
  g.font = `11px ${font}`;
  g.fillStyle = C.soft;
  g.textBaseline = "middle";
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
  g.lineWidth = 1.4;
  g.beginPath();
  for (let o = 0; o < p.length; o += 12) {
    const count = picture.links[4 * Math.round(p[o + 8]) + 3] >> 4;
    if (count === 0 || p[o + 10] < 1) continue;
    for (let i = 0; i < Math.min(count, 6); i += 1) {
      const [x, y, dx, dy] = along(p, o, 0.78 - (i * 4) / view.scale);
      const [px, py] = toPixel(x, y);
      const len = Math.hypot(dx, dy) || 1;
      const [nx, ny] = [dy / len, dx / len];
      const [near, far] = [0.03 * view.scale, 0.19 * view.scale];
      g.moveTo(px + nx * near, py + ny * near);
      g.lineTo(px + nx * far, py + ny * far);
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
  if (thing.router !== undefined) {
    const [x, y] = toPixel(spots[2 * thing.router], spots[2 * thing.router + 1]);
    const r = Math.max(5, view.scale * 0.22);
    g.strokeRect(x - r, y - r, 2 * r, 2 * r);
    return;
  }
  const wide = Math.max(store.hello.network.lane * view.scale, 1.15);
  const gap = Math.max(wide * 0.18, 0.35);
  for (let o = 0; o < curves.length; o += 12) {
    if (Math.round(curves[o + 8]) !== thing.link) continue;
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

/** What is at a point: a router within its square, else the nearest lane. @param {number} px @param {number} py */
function pick(px, py) {
  if (store.places === null) return null;
  const [x, y] = [(px - view.w / 2) / view.scale + view.x, (view.h / 2 - py) / view.scale + view.y];
  const { spots, curves, counts } = store.places;
  const near = Math.max(0.17, 4 / view.scale);
  for (let r = 0; r < counts.routers; r += 1) if (Math.abs(spots[2 * r] - x) < near && Math.abs(spots[2 * r + 1] - y) < near) return { router: r };
  let [best, found] = [Math.max(0.3, 8 / view.scale), -1];
  const lane = store.hello.network.lane * 0.7;
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
  return found < 0 ? null : { link: found };
}

/** What is said of a thing in one line. @param {any} thing */
export function say1(thing) {
  if (thing === null || thing === undefined || store.hello === null) return "";
  if (thing.router !== undefined) return routerName(thing.router);
  const words = ["free", "contended", "stands still", "root of a tree"];
  const each = store.variants.map((/** @type {any} */ v) => {
    const picture = store.now[v.letter];
    if (picture === undefined) return "";
    const [use, full, , state] = picture.links.subarray(4 * thing.link, 4 * thing.link + 4);
    return `${store.variants.length > 1 ? `${letter(v.letter)}: ` : ""}use ${(use / 255).toFixed(2)}, ${Math.round(full / 2.55)} % full, ${words[state & 3]}`;
  });
  return `${linkName(thing.link)} · ${each.join(" · ")}`;
}

/** @param {any} thing */
export function select(thing) {
  store.selected = thing;
  say("select", thing ?? {}).catch(() => {});
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
    store.hover = pick(...at(e));
    $("readout").textContent = say1(store.hover);
    tell("draw");
  });
  const up = (/** @type {PointerEvent} */ e) => { if (fingers.delete(e.pointerId) && moved <= 4 && e.type === "pointerup") select(pick(...at(e))); };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", () => { store.hover = null; $("readout").textContent = ""; tell("draw"); });
  canvas.addEventListener("dblclick", () => { fit(); tell("draw"); });
  canvas.addEventListener("wheel", (/** @type {WheelEvent} */ e) => { e.preventDefault(); zoom(Math.exp(-e.deltaY * 0.0015), ...at(e)); }, { passive: false });
  canvas.addEventListener("keydown", keys);
}

/** Arrows go over routers; with Shift over the links of one. @param {KeyboardEvent} e */
function keys(e) {
  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const way = /** @type {Record<string, number[]>} */ (arrows)[e.key];
  if (way === undefined || store.places === null) return;
  e.preventDefault();
  e.stopPropagation();
  const { spots, ends, counts } = store.places;
  const here = store.selected?.router ?? (store.selected ? ends[3 * store.selected.link] : 0);
  let [best, to] = [Infinity, here];
  for (let r = 0; r < counts.routers; r += 1) {
    const [dx, dy] = [spots[2 * r] - spots[2 * here], spots[2 * r + 1] - spots[2 * here + 1]];
    const [ahead, aside] = [dx * way[0] + dy * way[1], Math.abs(dx * way[1] - dy * way[0])];
    if (ahead > 0.1 && ahead + 3 * aside < best) [best, to] = [ahead + 3 * aside, r];
  }
  if (e.shiftKey) {
    for (let i = 0; i < counts.links; i += 1) if (ends[3 * i] === here && ends[3 * i + 1] === to) select({ link: i });
  } else select({ router: to });
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
    const rows = order.slice(0, 20).map((i) => make("tr", {}, ...[linkName(i), (picture.links[4 * i] / 255).toFixed(2), `${Math.round(picture.links[4 * i + 1] / 2.55)} %`].map((text) => make("td", {}, text))));
    map.table.replaceChildren(make("table", {}, make("caption", {}, `The twenty worst links of ${letter(variant)}`), make("tr", {}, ...["link", "use", "queue"].map((t) => make("th", {}, t))), ...rows));
  }
}

on("state", arrange);
on("places", () => {
  const { curves, counts } = store.places;
  const pieceOf = new Int32Array(counts.links).fill(-1);
  for (let n = counts.pieces - 1; n >= 0; n -= 1) pieceOf[Math.round(curves[12 * n + 8])] = n;
  store.places.pieceOf = pieceOf;
  for (const map of maps.values()) map.lanes.places(store.places);
  fit();
});
on("hello", () => { fit(); });
on("words", () => { if (!store.playing) worst(); });
