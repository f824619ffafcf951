// What all modules share: elements, numbers, colours of variants. Nothing from outside ever becomes markup: it is put in as text.

/** @typedef {import("./store.js").State} State */

/** @param {string} id @returns {any} */
export const $ = (id) => document.getElementById(id);

/** An element. @param {string} name @param {Record<string, any>} attributes @param {...(Node|string)} children @returns {any} */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children);
  return element;
}

/** What the address says of the page, behind `#`. @param {string} name @returns {string|null} */
export const inAddress = (name) => new URLSearchParams(location.hash.slice(1)).get(name);

/** Has the address say something of the page, for when it begins anew; or no longer. @param {string} name @param {string|null} value */
export function toAddress(name, value) {
  const shown = new URLSearchParams(location.hash.slice(1));
  if (value === null) shown.delete(name);
  else shown.set(name, value);
  const hash = shown.toString();
  history.replaceState(null, "", `${location.pathname}${location.search}${hash === "" ? "" : `#${hash}`}`);
}

/** 12,345. @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString("en-GB");

/** A number with as many digits as a reader wants. @param {number|null|undefined} value */
export function short(value) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1000) return whole(value);
  return String(Number(value.toPrecision(size >= 1 ? 4 : 3)));
}

/** @param {number|null|undefined} value */
export const load = (value) => (value === null || value === undefined ? "–" : value.toFixed(3));

/** How full a buffer is. @param {number} level of 255 @param {{flits: number, log: boolean}|undefined} scale */
export function fullness(level, scale) {
  if (!scale?.log) return `${Math.round(level / 2.55)} %`;
  return `${level === 255 ? "" : "about "}${whole(Math.expm1((level / 255) * Math.log1p(scale.flits)))} of ${whole(scale.flits)} flits`;
}

/** A, B, C, D. @param {number} variant */
export const letter = (variant) => "ABCD"[variant] ?? "?";

/** The badge of a variant. @param {number} variant @param {string} more */
export const who = (variant, more = "") => make("span", { class: `who ${letter(variant)} ${more}` }, letter(variant));

/** In few words what a variant is: what it began with, and its throttle where that may be another one than at the beginning. @param {any} variant */
export function nameOf({ label, born, changes, settings }) {
  const throttled = born !== null || changes.some((/** @type {any} */ change) => Object.keys(change.set).some((path) => path.startsWith("admission")));
  return [label, label === "" || throttled ? (settings.admission?.kind ?? "off") : ""].filter(Boolean).join(", ");
}

/** Fits a canvas to its box; draws in CSS pixels. @param {HTMLCanvasElement} canvas @returns {[CanvasRenderingContext2D, number, number]} */
export function fitted(canvas) {
  const box = canvas.getBoundingClientRect();
  const ratio = devicePixelRatio || 1;
  const [width, height] = [Math.max(1, Math.round(box.width * ratio)), Math.max(1, Math.round(box.height * ratio))];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, box.width, box.height);
  return [context, box.width, box.height];
}

/** Steps of 1, 2 or 5 between two numbers, about so many. @param {number} low @param {number} high @param {number} count */
export function ticks(low, high, count) {
  const raw = (high - low) / Math.max(1, count);
  if (!(raw > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= raw) ?? 10 * power;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high + step * 1e-9; at += step) found.push(at);
  return found;
}
