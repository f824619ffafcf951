// Lessons: a text, and things to try that tick themselves when they are reached.

import { $, letter, make } from "./parts.js";
import { on, store, tell } from "./store.js";
import { alertOf } from "./steer.js";
import { say } from "./wire.js";

/** The last rows, as many as cover so many cycles: at a high speed a row covers thousands. @param {number} variant @param {number} cycles */
function lately(variant, cycles) {
  const rows = (store.rows[variant] ?? []).filter((/** @type {any} */ row) => row.cycle <= store.cycle);
  let [from, covered] = [rows.length, 0];
  while (from > 0 && covered < cycles) covered += rows[(from -= 1)].covers;
  return { rows: rows.slice(from), covered };
}
/** @param {any[]} rows @param {string} of */
const mean = (rows, of) => {
  const there = rows.filter((row) => row[of] !== null);
  const weight = there.reduce((sum, row) => sum + row.covers, 0);
  return weight > 0 ? there.reduce((sum, row) => sum + row[of] * row.covers, 0) / weight : 0;
};
const loadNow = (/** @type {any} */ v) => v?.settings.traffic?.load ?? 0;
const first = () => store.variants[0];
const rowNow = (/** @type {any} */ v) => store.latest?.[v?.letter];

/** What is done to try it, and when it is reached. @typedef {{say: string, set?: Record<string, any>, point?: number, until: {what: string, least?: number, most?: number, is?: string, ratio?: boolean}}} Step */
/** @typedef {{spec: string, title: string, about: string, text: string[], try: Step[]}} Lesson */

/** @returns {Lesson[]} */
const lessons = () => store.hello?.lessons ?? [];
/** The largest tree. @param {any} v */
const tree = (v) => store.now[v?.letter]?.roots[0]?.branches ?? 0;

/** What a step waits for, as a number; of a variant. @type {Record<string, (v: any) => number>} */
const MEASURED = {
  cycle: () => store.cycle,
  load: (v) => loadNow(v),
  accepted: (v) => { const { rows, covered } = lately(v.letter, 2000); return covered >= 1500 ? mean(rows, "accepted") : NaN; },
  still: (v) => rowNow(v)?.still ?? 0,
  tree,
  locked: (v) => Number(v.locked !== null),
  done: (v) => Number(v.done),
  behind: () => Number(store.cycle > 0 && store.cycle < Math.max(0, ...store.variants.map((/** @type {any} */ v) => v.end)) && store.variants.every((/** @type {any} */ v) => v.locked === null)),
  selected: () => { const link = store.selected?.link; return Number(link !== undefined && store.variants.some((/** @type {any} */ v) => ((store.now[v.letter]?.links[4 * link + 3] ?? 0) & 3) >= 2)); },
};

/** Whether a step is reached. @param {Step} step */
function reached({ until }) {
  if (until.what === "mode") return store.mode === until.is;
  const of = MEASURED[until.what];
  if (of === undefined || first() === undefined) return false;
  if (until.ratio && store.variants.length < 2) return false;
  const value = until.ratio ? of(store.variants[1]) / of(first()) : of(first());
  return value >= (until.least ?? -Infinity) && value <= (until.most ?? Infinity);
}

/** Sets what a step says, in all variants, or plays from the point that it names on. @param {number} number @param {Step} step */
const doIt = (number, step) => step.point !== undefined ? play(number, step.point) : Promise.all(Object.entries(step.set ?? {}).map(([path, value]) => say("set", { path, value, variant: null })));

/** The lesson that is open stands in the address, for the page begins anew with it. */
const asked = Number(new URLSearchParams(location.hash.slice(1)).get("lesson") ?? NaN);
let open = /** @type {number|null} */ (Number.isInteger(asked) ? asked : null);
/** Steps that were reached; the page begins anew with every network of a lesson. @type {Set<string>} */
const done = new Set(kept());

/** @returns {string[]} */
function kept() {
  try {
    return JSON.parse(sessionStorage.getItem("lesson") ?? "[]");
  } catch {
    return [];
  }
}

function keep() {
  try {
    sessionStorage.setItem("lesson", JSON.stringify([...done]));
  } catch { /* A page on disk may keep nothing. */ }
}

/** Shows or hides the drawer. */
export function toggle() {
  const drawer = $("drawer");
  drawer.hidden = !drawer.hidden;
  $("lessons").setAttribute("aria-expanded", String(!drawer.hidden));
  if (!drawer.hidden) {
    draw();
    drawer.querySelector("button")?.focus();
  }
}

/** Says why something was not done. @param {Error} error */
const failed = (error) => alertOf(error.message);

/** Plays a lesson instead of what is played: from its beginning, or another network of it. @param {number} number */
function play(number, point = 0) {
  if (point === 0) for (const step of [...done]) if (step.startsWith(`${number}.`)) done.delete(step);
  keep();
  return say("lesson", { number, point }).catch(failed);
}

/** The page begins anew, with the lesson in its address. @param {{lesson: number}} message */
function anew({ lesson }) {
  const to = new URLSearchParams(location.hash.slice(1));
  to.set("lesson", String(lesson));
  history.replaceState(null, "", `${location.pathname}${location.search}#${to}`);
  location.reload();
}

function draw() {
  const drawer = $("drawer");
  if (drawer.hidden) return;
  const close = make("button", { onclick: toggle }, "Close");
  if (open === null) {
    const of = lessons().map((lesson, n) => make("button", { class: "lesson", onclick: () => play(n), disabled: !store.steering }, make("b", {}, `${n + 1}. ${lesson.title}`), make("small", {}, lesson.about)));
    drawer.replaceChildren(make("h2", {}, "Lessons", make("span", { class: "end" }, close)), ...of);
    return;
  }
  const [n, lesson] = [open, lessons()[open]];
  if (lesson === undefined) return;
  const steps = lesson.try.map((step, i) => make("li", { class: done.has(`${n}.${i}`) ? "done" : "" }, `${done.has(`${n}.${i}`) ? "✓ " : ""}${step.say} `, step.set || step.point !== undefined ? make("button", { class: "ref", onclick: () => doIt(n, step).catch(failed) }, "do it") : ""));
  drawer.replaceChildren(
    make("h2", {}, `${n + 1}. ${lesson.title}`, make("span", { class: "end" }, close)),
    ...lesson.text.map((text) => make("p", {}, text)), make("h2", {}, "Try"), make("ol", {}, ...steps),
    make("div", { class: "row" }, make("button", { onclick: () => { open = null; draw(); } }, "All lessons"), n + 1 < lessons().length ? make("button", { onclick: () => play(n + 1), disabled: !store.steering }, "Next") : ""),
  );
}

/** Ticks what has been reached, in the order of the steps. */
function tick() {
  if (open === null || store.variants.length === 0) return;
  let changed = false;
  for (const [i, step] of (lessons()[open]?.try ?? []).entries()) {
    if (done.has(`${open}.${i}`)) continue;
    if (!reached(step)) break;
    done.add(`${open}.${i}`);
    changed = true;
  }
  if (!changed) return;
  keep();
  draw();
}

/** A word on what to do next, from what there is. */
function hint() {
  const [v, row] = [first(), rowNow(first())];
  if (v === undefined) return;
  const still = row?.still ?? 0;
  let text = "Raise the load until queues stand. Where does the first one begin?";
  if (store.cycle === 0) text = "Play, then raise the load until queues stand.";
  else if (store.variants.length > 1) text = `Lower the load to 0.1 in all. Which of ${store.variants.map((/** @type {any} */ x) => letter(x.letter)).join(", ")} drains first?`;
  else if (still > 100) text = "Fork, and give B another admission. Does it accept more?";
  else if (still > 10) text = "Click a link that stands still. Whom does it wait for?";
  if ($("try").textContent !== text) $("try").textContent = text;
}

on("words", () => { tick(); hint(); });
on("state", () => { tick(); hint(); });
on("mode", tick);
on("hello", () => {
  hint();
  // Who comes with a lesson in the address, and plays that, sees its text.
  if (open !== null && lessons()[open] !== undefined && store.hello.name === `${lessons()[open].spec}.toml` && $("drawer").hidden) toggle();
});
on("anew", anew);
on("selected", () => { tick(); tell("draw"); });
