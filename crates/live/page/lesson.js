// Lessons: a text, and things to try that tick themselves when they are reached.

import { $, letter, make } from "./parts.js";
import { on, store, tell } from "./store.js";
import { say } from "./wire.js";

/** Rows since something was set. @param {number} variant @param {number} cycles */
const lately = (variant, cycles) => (store.rows[variant] ?? []).filter((row) => row.cycle > store.cycle - cycles);
/** @param {any[]} rows @param {string} of */
const mean = (rows, of) => {
  const there = rows.filter((row) => row[of] !== null);
  const weight = there.reduce((sum, row) => sum + row.covers, 0);
  return weight > 0 ? there.reduce((sum, row) => sum + row[of] * row.covers, 0) / weight : 0;
};
const loadNow = (/** @type {any} */ v) => v?.settings.traffic?.load ?? 0;
const first = () => store.variants[0];
const rowNow = (/** @type {any} */ v) => store.latest?.[v?.letter];

/** @type {{title: string, about: string, text: string[], steps: {say: string, until: () => boolean, show?: () => void}[]}[]} */
export const LESSONS = [
  {
    title: "A network that is not busy", about: "latency without congestion",
    text: ["At a low load hardly any packet waits. The map is grey: what moves is grey, what waits is warm.", "The time in the network is then the way itself: a few cycles a hop, and the length of the packet."],
    steps: [
      { say: "Set the load to 0.1 or less.", show: () => say("set", { path: "traffic.load", value: 0.1, variant: null }), until: () => loadNow(first()) <= 0.1 },
      { say: "Play for 2,000 cycles. Nothing stands still.", until: () => store.cycle >= 2000 && mean(lately(first().letter, 1000), "still") < 4 && loadNow(first()) <= 0.1 },
    ],
  },
  {
    title: "Saturation", about: "what is offered, what is accepted",
    text: ["More than a network can carry is not carried. Packets then wait at their sources, and the queues in the network grow first.", "Watch Accepted: it follows the load until it does not."],
    steps: [
      { say: "Raise the load to 0.6 or more.", show: () => say("set", { path: "traffic.load", value: 0.6, variant: null }), until: () => loadNow(first()) >= 0.6 },
      { say: "Play until less than four fifths of it is accepted.", until: () => { const rows = lately(first().letter, 1500); return loadNow(first()) >= 0.6 && rows.length > 4 && mean(rows, "accepted") < 0.8 * loadNow(first()); } },
    ],
  },
  {
    title: "A tailback has a head", about: "congestion trees",
    text: ["Links that stand still wait for other links, and these for others. Where that ends is the root: a diamond. All that wait for it are its branches.", "The three largest roots have numbers, on the map and in the words."],
    steps: [
      { say: "Make a tree of ten links or more.", until: () => (store.now[first().letter]?.roots[0]?.branches ?? 0) >= 10 },
      { say: "Show trees (key 3).", until: () => store.mode === "trees" },
    ],
  },
  {
    title: "One node that all want", about: "hot spots and innocent packets",
    text: ["If a small part of all packets goes to one node, the queue in front of it reaches far back, and stops packets that go elsewhere.", "That is why a hot spot costs more than its share."],
    steps: [
      { say: "Choose the pattern hot_spot.", show: () => say("set", { path: "traffic.pattern", value: "hot_spot", variant: null }), until: () => first().settings.traffic?.pattern?.kind === "hot_spot" },
      { say: "Play until a tree has 15 links.", until: () => first().settings.traffic?.pattern?.kind === "hot_spot" && (store.now[first().letter]?.roots[0]?.branches ?? 0) >= 15 },
    ],
  },
  {
    title: "After the rush", about: "how long a network takes to drain",
    text: ["Queues fill fast and drain slowly. When the load falls, packets that waited at the sources come first.", "Lower the load after the network was full, and count."],
    steps: [
      { say: "Fill the network: at least 100 links stand still.", until: () => (rowNow(first())?.still ?? 0) >= 100 },
      { say: "Lower the load to 0.1.", show: () => say("set", { path: "traffic.load", value: 0.1, variant: null }), until: () => loadNow(first()) <= 0.1 },
      { say: "Play until fewer than five links stand still.", until: () => loadNow(first()) <= 0.1 && (rowNow(first())?.still ?? 99) < 5 },
    ],
  },
  {
    title: "Two futures", about: "fork, and hold packets back in one",
    text: ["A fork is a copy of the whole state. The same packets are offered to both. What is different afterwards, the setting has done.", "A throttle holds packets at their sources while the network is full, so that what is in it can move."],
    steps: [
      { say: "Fork (key F).", until: () => store.variants.length >= 2 },
      { say: "Give one of them another admission.", until: () => new Set(store.variants.map((/** @type {any} */ v) => v.settings.admission?.kind)).size > 1 },
      { say: "Show the difference (key 4).", until: () => store.mode === "diff" },
    ],
  },
  {
    title: "Back in time", about: "the cause is earlier than the effect",
    text: ["States are kept as the network runs. Go back to before the tree stood, and on cycle by cycle, to see the packet with which it began."],
    steps: [
      { say: "Play to cycle 2,000 at least.", until: () => Math.max(0, ...store.variants.map((/** @type {any} */ v) => v.end)) >= 2000 },
      { say: "Go back by 500 cycles or more.", until: () => store.cycle + 500 <= Math.max(0, ...store.variants.map((/** @type {any} */ v) => v.end)) && store.cycle > 0 },
    ],
  },
  {
    title: "Who waits for whom", about: "look into a buffer",
    text: ["Click a link that stands still. You see the packets in the buffers behind it, and what each of them waits for.", "The words tell for which root it stands."],
    steps: [{ say: "Select a link that stands still.", until: () => { const link = store.selected?.link; return link !== undefined && store.variants.some((/** @type {any} */ v) => ((store.now[v.letter]?.links[4 * link + 3] ?? 0) & 3) >= 2); } }],
  },
  {
    title: "Patterns matter more than loads", about: "the same load, another pattern",
    text: ["Uniform traffic uses all links alike. Tornado sends everything half way round a ring in one direction, and leaves half of the links idle."],
    steps: [
      { say: "Choose tornado.", show: () => say("set", { path: "traffic.pattern", value: "tornado", variant: null }), until: () => /^torn/.test(first().settings.traffic?.pattern?.kind ?? "") },
      { say: "Show the use of links (key 2).", until: () => store.mode === "use" },
    ],
  },
  {
    title: "Bursts", about: "the mean hides them",
    text: ["The process on_off sends in bursts, with silence between them. The mean load is the same, and the queues are not."],
    steps: [
      { say: "Choose the process on_off.", show: () => say("set", { path: "traffic.process", value: "on_off", variant: null }), until: () => first().settings.traffic?.process?.kind === "on_off" },
      { say: "Play 2,000 cycles of it.", until: () => { const change = first().changes.findLast((/** @type {any} */ c) => "traffic.process" in c.set); return change !== undefined && store.cycle >= change.cycle + 2000 && first().settings.traffic?.process?.kind === "on_off"; } },
    ],
  },
  {
    title: "The tail of latencies", about: "who pays",
    text: ["The mean is what most packets see. The right end of the histogram is what the unlucky see: those behind a tree.", "Compare it before and after a tree has stood for a while."],
    steps: [{ say: "Play until some packets took 500 cycles or more.", until: () => (store.words.find((/** @type {any} */ w) => w.variant === first().letter)?.latencies ?? []).slice(18).reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0) > 0 }],
  },
  {
    title: "Keep it", about: "a play is a spec",
    text: ["Every change has a cycle. So a play is a spec with [[workload.changes]], and `tailback run` of it simulates the same, bit for bit.", "The digest says so."],
    steps: [
      { say: "Change something while it runs.", until: () => first().changes.length > 0 },
      { say: "Save it as a spec.", until: () => document.getElementById("digest") !== null },
    ],
  },
];

let open = /** @type {number|null} */ (null);
/** Steps that were reached. @type {Set<string>} */
const done = new Set();

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

function draw() {
  const drawer = $("drawer");
  if (drawer.hidden) return;
  const close = make("button", { onclick: toggle }, "Close");
  if (open === null) {
    const of = LESSONS.map((lesson, n) => make("button", { class: "lesson", onclick: () => { open = n; draw(); tick(); } }, make("b", {}, `${n + 1}. ${lesson.title}`), make("small", {}, lesson.about + (lesson.steps.every((_, i) => done.has(`${n}.${i}`)) ? " · done" : ""))));
    drawer.replaceChildren(make("h2", {}, "Lessons", make("span", { class: "end" }, close)), ...of);
    return;
  }
  const [n, lesson] = [open, LESSONS[open]];
  const steps = lesson.steps.map((step, i) => make("li", { class: done.has(`${n}.${i}`) ? "done" : "" }, `${done.has(`${n}.${i}`) ? "✓ " : ""}${step.say} `, step.show ? make("button", { class: "ref", onclick: () => /** @type {any} */ (step).show()?.catch?.(() => {}) }, "do it") : ""));
  drawer.replaceChildren(
    make("h2", {}, `${n + 1}. ${lesson.title}`, make("span", { class: "end" }, close)),
    ...lesson.text.map((text) => make("p", {}, text)), make("h2", {}, "Try"), make("ol", {}, ...steps),
    make("div", { class: "row" }, make("button", { onclick: () => { open = null; draw(); } }, "All lessons"), n + 1 < LESSONS.length ? make("button", { onclick: () => { open = n + 1; draw(); tick(); } }, "Next") : ""),
  );
}

/** Ticks what has been reached, in the order of the steps. */
function tick() {
  if (open === null || store.variants.length === 0) return;
  let changed = false;
  for (const [i, step] of LESSONS[open].steps.entries()) {
    if (done.has(`${open}.${i}`)) continue;
    if (!step.until()) break;
    done.add(`${open}.${i}`);
    changed = true;
  }
  if (changed) draw();
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
on("hello", hint);
on("selected", () => { tick(); tell("draw"); });
