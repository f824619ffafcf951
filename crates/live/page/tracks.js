// The curves that are shown: four as a rule, more by `+`. The address keeps which.

import { $, inAddress, letter, load, make, short, toAddress, whole } from "./parts.js";
import { store, tell } from "./store.js";

/** @param {number|null|undefined} value */
const counted = (value) => (value === undefined || value === null ? "–" : whole(value));
/** @param {number|null|undefined} value */
const percent = (value) => (value === undefined || value === null ? "–" : `${Math.round(100 * value)} %`);

/** @typedef {{of: string, name: string, unit: string, meaning: string, say: (value: any) => string, mean?: boolean}} Track */

/** All curves there are; `mean`: its number is a mean over cycles. @type {Track[]} */
const TRACKS = [
  { of: "accepted", name: "Accepted", unit: "flits/node/cycle", meaning: "flits delivered per node and cycle; dashed: offered", say: load, mean: true },
  { of: "latency", name: "Latency", unit: "cycles", meaning: "mean latency of the packets delivered", say: short, mean: true },
  { of: "inFlight", name: "In flight", unit: "packets", meaning: "packets in the network", say: counted },
  { of: "still", name: "Standing still", unit: "links", meaning: "links that stand still", say: counted },
  { of: "inNetwork", name: "In network", unit: "cycles", meaning: "mean time in the network of the packets delivered", say: short, mean: true },
  { of: "full", name: "Full buffers", unit: "channels", meaning: "channels behind links in which waiting packets leave no room for another one", say: counted },
  { of: "held", name: "Held", unit: "packets", meaning: "packets that admission holds", say: counted },
  { of: "trees", name: "Trees", unit: "trees", meaning: "congestion trees", say: counted },
  { of: "headOfLine", name: "Head of line", unit: "of packets behind", meaning: "of the packets behind a blocked front, the part that nothing else blocks", say: percent },
];
const USUAL = ["accepted", "latency", "inFlight", "still"];

/** The curves that are shown. @returns {Track[]} */
export function shown() {
  const told = inAddress("curves")?.split(",") ?? USUAL;
  const found = TRACKS.filter(({ of }) => told.includes(of));
  return found.length > 0 ? found : TRACKS.filter(({ of }) => USUAL.includes(of));
}

/** Shows a curve, or no longer; one stays. @param {string} of @param {boolean} on */
function show(of, on) {
  const now = shown().map((track) => track.of);
  const then = TRACKS.map((track) => track.of).filter((one) => (one === of ? on : now.includes(one)));
  if (then.length > 0) toAddress("curves", then.join() === USUAL.join() ? null : then.join());
  for (const box of $("tracks-menu").querySelectorAll("input")) box.checked = shown().some((track) => track.of === box.value);
  tell("tracks");
}

/** The last values of the curves that are shown, for who reads numbers rather than lines. */
function values() {
  const dialog = $("dialog");
  const tracks = shown();
  const cells = (/** @type {string[]} */ texts, /** @type {string} */ kind) => make("tr", {}, ...texts.map((text) => make(kind, {}, text)));
  const tables = store.variants.map((/** @type {any} */ v) => {
    const rows = (store.rows[v.letter] ?? []).filter((/** @type {any} */ row) => row.cycle <= store.cycle).slice(-60);
    return make("table", {}, make("caption", {}, `${letter(v.letter)}, the last ${rows.length} values`), cells(["cycle", ...tracks.map((of) => `${of.name} [${of.unit}]`)], "th"),
      ...rows.map((/** @type {any} */ row) => cells([whole(row.cycle), ...tracks.map((of) => (row[of.of] === null || row[of.of] === undefined ? "–" : of.say(row[of.of])))], "td")));
  });
  dialog.replaceChildren(make("h2", { id: "dialog-title" }, "Values of the curves"), make("div", { class: "values", tabindex: "0", role: "region", "aria-label": "Values of the curves" }, ...tables), make("div", { class: "row" }, make("button", { onclick: () => dialog.close() }, "Close")));
  dialog.showModal();
}

/** The button with its list. */
export function more() {
  const items = TRACKS.map(({ of, name, unit, meaning }) => make("label", { title: meaning },
    make("input", { type: "checkbox", value: of, checked: shown().some((track) => track.of === of), onchange: (/** @type {any} */ e) => show(of, e.target.checked) }),
    make("b", {}, name), " ", make("span", { class: "unit" }, unit)));
  items.push(make("button", { id: "values", onclick: () => { list.hidePopover(); values(); } }, "Values as a table"));
  const list = make("div", { id: "tracks-menu", popover: "", role: "group", "aria-label": "Curves that are shown" }, ...items);
  const button = make("button", { id: "more-tracks", popovertarget: "tracks-menu", "aria-label": "More curves", title: "More curves" }, "+");
  list.addEventListener("toggle", (/** @type {any} */ e) => {
    if (e.newState !== "open") return;
    const at = button.getBoundingClientRect();
    list.style.left = `${Math.max(8, at.left)}px`;
    list.style.top = `${Math.max(8, at.top - list.getBoundingClientRect().height - 6)}px`;
    list.querySelector("input")?.focus();
  });
  return [button, list];
}
