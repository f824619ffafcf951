// The height of the time panel: its top edge is a separator, which is dragged or moved by keys. The address keeps it.

import { $, inAddress, make, toAddress } from "./parts.js";
import { tell } from "./store.js";

/** The least height, and what a key moves [px]. */
const LEAST = 100;
const STEP = 16;
/** What stays of the maps, at least [px]. */
const MAPS = 120;
/** Pixels high; none where the panel is as high as what it shows as a rule. @type {number|null} */
let height = null;

/** The height that somebody chose, within the window. */
export const chosen = () => (height === null ? null : Math.min(height, most()));

/** The greatest height now. */
function most() {
  const [panel, maps] = [$("time"), $("maps")].map((box) => box.getBoundingClientRect().height);
  return Math.max(LEAST, Math.floor(panel + maps - MAPS));
}

/** Takes a height, or its own. @param {number|null} to */
function take(to) {
  height = to === null ? null : Math.round(Math.max(LEAST, Math.min(most(), to)));
  toAddress("time", height === null ? null : String(height));
  fitPanel();
}

/** Gives the panel its height, after the window has changed, too. */
export function fitPanel() {
  const panel = $("time");
  panel.classList.toggle("chosen", height !== null);
  panel.style.height = height === null ? "" : `${chosen()}px`;
  values();
  tell("draw");
}

/** What is said of the separator. */
function values() {
  const edge = $("time-edge");
  edge.setAttribute("aria-valuemin", String(LEAST));
  edge.setAttribute("aria-valuemax", String(most()));
  const now = Math.round($("time").getBoundingClientRect().height);
  edge.setAttribute("aria-valuenow", String(now));
  edge.setAttribute("aria-valuetext", `${now} pixels high`);
}

/** The separator. */
export function edge() {
  const bar = make("div", {
    id: "time-edge", class: "edge", role: "separator", tabindex: "0", "aria-orientation": "horizontal", "aria-controls": "time", "aria-label": "Height of the time panel",
    title: "Drag, or press ↑ ↓; a double click gives it back its own height",
  });
  let from = [0, 0];
  const now = () => $("time").getBoundingClientRect().height;
  bar.addEventListener("pointerdown", (/** @type {PointerEvent} */ e) => { bar.setPointerCapture(e.pointerId); from = [e.clientY, now()]; });
  bar.addEventListener("pointermove", (/** @type {PointerEvent} */ e) => { if (bar.hasPointerCapture(e.pointerId) && e.clientY !== from[0]) take(from[1] + from[0] - e.clientY); });
  bar.addEventListener("dblclick", () => take(null));
  bar.addEventListener("keydown", (/** @type {KeyboardEvent} */ e) => {
    const to = { ArrowUp: now() + STEP, ArrowDown: now() - STEP, PageUp: now() + 4 * STEP, PageDown: now() - 4 * STEP, Home: LEAST, End: most(), Enter: null }[e.key];
    if (to === undefined) return;
    take(to);
    e.preventDefault();
    e.stopPropagation();
  });
  // What the panel shows makes it higher or lower, too.
  new ResizeObserver(values).observe($("time"));
  const told = Number(inAddress("time"));
  height = told > 0 ? told : null;
  return bar;
}
