// Grids of three dimensions and more are tiles: which two dimensions lie inside them.

import { $, inAddress, make, toAddress } from "./parts.js";
import { on, store } from "./store.js";
import { alertOf } from "./steer.js";
import { say } from "./wire.js";

/** The name of a dimension. @param {number} of */
const named = (of) => ["x", "y", "z"][of] ?? `d${of}`;

/** How many dimensions a map of tiles has; none is 0. */
const dimensions = () => { const count = store.hello?.network.radix?.length ?? 0; return count > 2 && !store.saved ? count : 0; };

/** Whether there are tiles. */
export const isTiled = () => dimensions() > 0;

/** How often somebody has chosen. */
let choices = 0;
/** What lies inside, and the share of each dimension in what has stood. @type {{inside: number[], waited: number[]}} */
let now = { inside: [0, 1], waited: [] };

/** Puts two dimensions inside: these, or those in whose queues most has stood so far. The last choice holds. @param {number[]|null} inside */
export async function turnTiles(inside = null) {
  const choice = ++choices;
  try {
    const told = await say("turn", { inside });
    now = told;
    if (choice !== choices) return;
    toAddress("inside", told.inside.join());
    show(told.inside, told.waited);
  } catch (error) {
    if (choice === choices) show(now.inside, now.waited);
    alertOf(/** @type {Error} */ (error).message);
  }
}

/** What lies inside now, and what might. @param {number[]} inside @param {number[]} waited */
function show(inside, waited) {
  const pick = $("inside");
  const count = dimensions();
  const pairs = Array.from({ length: count * count }, (_, n) => [Math.floor(n / count), n % count]).filter(([a, b]) => a < b);
  if (!pairs.some((pair) => pair.join() === inside.join())) pairs.push(inside);
  pick.replaceChildren(...pairs.map((pair) => make("option", { value: pair.join(), selected: pair.join() === inside.join() }, `${pair.map(named).join(" ")} inside`)));
  const shares = waited.map((share, of) => `${named(of)} ${Math.round(100 * share)} %`).join(", ");
  $("turn").title = waited.some((share) => share > 0) ? `Put the two dimensions inside whose queues have stood most (L). So far: ${shares}` : "Put the two dimensions inside whose queues have stood most (L). Nothing has stood so far";
}

on("hello", () => {
  const count = dimensions();
  $("tiles").hidden = count === 0;
  if (count === 0) return;
  now = { inside: [0, 1], waited: new Array(count).fill(0) };
  show(now.inside, now.waited);
  const told = inAddress("inside")?.split(",").map(Number);
  if (told?.length === 2 && told.every(Number.isInteger)) turnTiles(told);
  else if (count > 3 && store.cycle > 0) turnTiles();
});

/** The button, and the choice beside it. */
export function tiles() {
  $("turn").addEventListener("click", () => turnTiles());
  $("inside").addEventListener("change", () => turnTiles($("inside").value.split(",").map(Number)));
}
