// The colours of the page, read from its style sheet, as numbers for both ways of drawing.

/** @type {Record<string, string>} */
export const C = {};
/** @type {Record<string, [number, number, number]>} */
export const rgb = {};

const NAMES = ["ink", "soft", "faint", "line", "hair", "paper", "tint", "well", "accent", "a", "b", "c", "d", "road0", "road1", "queue0", "queue1", "node", "router", "edge", "flow", "less", "more"];
const VIRIDIS = ["#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6dcd59", "#b4de2c", "#fde725"];
const TREES = {
  light: ["#d55e00", "#0072b2", "#009e73", "#b0568f", "#b57900", "#2f9fd8"],
  dark: ["#e69f00", "#56b4e9", "#2fc79b", "#e08fc0", "#f0e442", "#ff8a5c"],
};

/** @param {string} hex @returns {[number, number, number]} */
export function numbers(hex) {
  return /** @type {[number, number, number]} */ ([1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)));
}

/** Between two colours. @param {string} one @param {string} other @param {number} part */
export function blend(one, other, part) {
  const [p, q] = [numbers(one), numbers(other)];
  return `rgb(${p.map((v, i) => Math.round(v + (q[i] - v) * part)).join(" ")})`;
}

/** The ramps of the present theme. `forced`: by the few colours that somebody has chosen. @type {{road: string[], queue: string[], use: string[], tree: string[], useStops: string[], forced: boolean}} */
export const ramps = { road: [], queue: [], use: [], tree: [], useStops: [], forced: false };

/** What stands for a colour where somebody has chosen all of them. @type {Record<string, string>} */
const FORCED = { paper: "Canvas", tint: "Canvas", well: "Canvas", router: "Canvas", road0: "GrayText", hair: "GrayText", line: "GrayText", queue0: "Highlight", queue1: "Highlight", accent: "Highlight", more: "Highlight", flow: "LinkText", less: "LinkText" };

/** Whether somebody has chosen all colours. */
export const isForced = () => matchMedia("(forced-colors: active)").matches;

/** A colour of the system in hexadecimal digits. @param {string} name */
function system(name) {
  const probe = document.createElement("i");
  probe.style.color = name;
  document.body.append(probe);
  const parts = (getComputedStyle(probe).color.match(/\d+/g) ?? ["0", "0", "0"]).slice(0, 3);
  probe.remove();
  return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Reads the colours again, after the theme has changed. */
export function colours() {
  const style = getComputedStyle(document.documentElement);
  ramps.forced = isForced();
  for (const name of NAMES) {
    C[name] = ramps.forced ? system(FORCED[name] ?? "CanvasText") : style.getPropertyValue(`--${name}`).trim();
    rgb[name] = /** @type {any} */ (numbers(C[name]).map((v) => v / 255));
  }
  const dark = document.documentElement.dataset.theme === "dark";
  const steps = Array.from({ length: 16 }, (_, i) => i / 15);
  ramps.road = steps.map((t) => blend(C.road0, C.road1, t));
  ramps.queue = steps.map((t) => blend(C.queue0, C.queue1, t));
  ramps.useStops = dark ? VIRIDIS : VIRIDIS.slice(0, 9).reverse();
  ramps.use = steps.map((t) => {
    const x = Math.min(ramps.useStops.length - 1.001, t * (ramps.useStops.length - 1));
    return blend(ramps.useStops[Math.floor(x)], ramps.useStops[Math.floor(x) + 1], x - Math.floor(x));
  });
  ramps.tree = dark ? TREES.dark : TREES.light;
  if (!ramps.forced) return;
  ramps.useStops = [C.road0, C.ink];
  ramps.use = steps.map((t) => blend(C.road0, C.ink, t));
  ramps.tree = TREES.light.map(() => C.queue1);
}

/** The colour of a variant. @param {number} variant */
export const ofVariant = (variant) => C["abcd"[variant] ?? "soft"];
