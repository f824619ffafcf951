// A ring of up to 64 routers as a circle, instead of a row whose last link leads round the edge.

import { store } from "./store.js";

const MOST = 64;
/** The places as the server has them, while the circle is shown. @type {any} */
let flat = null;

/** Whether the network can be drawn so. */
export const isRing = () => store.hello?.network.radix?.length === 1 && store.places !== null && store.places.counts.routers <= MOST;

/** Whether it is drawn so. */
export const isCircle = () => flat !== null;

/** The places of a circle: the first router is at the top, and the next one stands to the right of it. @param {any} places */
export function circleOf({ counts, ends, byPort }) {
  const { routers, links } = counts;
  const radius = 0.5 / Math.sin(Math.PI / Math.max(2, routers));
  const spots = new Float32Array(2 * routers);
  for (let r = 0; r < routers; r += 1) {
    const turn = Math.PI / 2 - (2 * Math.PI * r) / routers;
    [spots[2 * r], spots[2 * r + 1]] = [radius * Math.cos(turn), radius * Math.sin(turn)];
  }
  const curves = new Float32Array(12 * links);
  for (let i = 0; i < links; i += 1) {
    const [from, to] = [ends[3 * i], ends[3 * i + 1]].map((r) => [spots[2 * r], spots[2 * r + 1]]);
    curves.set([...from, ...to, ...from, ...to, i, 0, 1, 0], 12 * i);
  }
  return { counts: { routers, links, pieces: links, bundles: 0 }, spots, ends, curves, bundle: null, byPort, turn: 0 };
}

/** The other way to draw it. */
export function turned() {
  if (flat !== null) {
    const back = flat;
    flat = null;
    return back;
  }
  flat = store.places;
  return circleOf(flat);
}
