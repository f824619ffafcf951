// Steering: controls from the server's catalogue, changes at the cycle that the server says, forks, plays that are saved.

import { $, letter, make, nameOf, short, whole, who } from "./parts.js";
import { on, store, tell } from "./store.js";
import { changeWords } from "./strip.js";
import { say } from "./wire.js";

/** Where four variants are taken, asks which gives way, and does it then. @param {any} error @param {() => void} then @returns {boolean} whether that was so */
function full(error, then) {
  if (error.code !== "full") return false;
  const dialog = $("dialog");
  const drop = (/** @type {number} */ variant) => async () => {
    dialog.close();
    try {
      await say("drop", { variant });
      then();
    } catch (refused) {
      alertOf(/** @type {Error} */ (refused).message);
    }
  };
  const words = (/** @type {any} */ v) => [nameOf(v), v.born === null ? "from cycle 0" : `of ${letter(v.born.of)} from cycle ${whole(v.born.cycle)}`].join(", ");
  dialog.replaceChildren(
    make("h2", { id: "dialog-title" }, "Four variants are there"), make("p", {}, "A fifth one needs the place of one of them. Which one is dropped?"),
    ...store.variants.map((/** @type {any} */ v) => make("div", { class: "row" }, make("button", { onclick: drop(v.letter), "data-drop": letter(v.letter) }, who(v.letter, "small"), `Drop ${letter(v.letter)}: ${words(v)}`))),
    make("div", { class: "row" }, make("button", { onclick: () => dialog.close() }, "Keep all four")));
  dialog.showModal();
  return true;
}

let drawn = "";
/** The field in which somebody types, or the slider that is dragged: it is not replaced under the hand. @type {any} */
let held = null;

/** What was set and not yet said, in that order, and what waits to be said. @type {Map<string, {timer: any, tell: () => Promise<void>}>} */
const unsaid = new Map();
/** When each value was last said. @type {Map<string, number>} */
const saidAt = new Map();
/** Values that were said and not yet answered. */
let unanswered = 0;

/** @param {string} words */
export function alertOf(words) {
  const box = $("alert");
  box.textContent = words;
  box.hidden = false;
  clearTimeout(box.timer);
  box.timer = setTimeout(() => { box.hidden = true; }, 6000);
}

/** Sets a value: at most ten times a second, the last one always. @param {string} path @param {any} value @param {number|null} variant @param {any} field */
function set(path, value, variant, field) {
  const key = `${path}|${variant}`;
  clearTimeout(unsaid.get(key)?.timer);
  unsaid.delete(key);
  const wait = (saidAt.get(key) ?? -Infinity) + 100 - performance.now();
  const tell = () => {
    saidAt.set(key, performance.now());
    return saySet(path, value, variant, field);
  };
  unsaid.set(key, { timer: wait > 0 ? setTimeout(flush, wait) : null, tell });
  if (wait <= 0) flush();
}

/** Says what was set. */
function flush() {
  const all = [...unsaid.values()];
  unsaid.clear();
  for (const { timer, tell } of all) {
    clearTimeout(timer);
    tell();
  }
}

/** @param {string} path @param {any} value @param {number|null} variant @param {any} field */
async function saySet(path, value, variant, field) {
  unanswered += 1;
  try {
    await say("set", { path, value, variant });
    field?.classList.remove("wrong");
    field?.querySelector(".problem")?.remove();
    unanswered -= 1;
    settle();
  } catch (error) {
    unanswered -= 1;
    if (full(error, () => set(path, value, variant, field))) return;
    if (field?.isConnected) {
      field.classList.add("wrong");
      field.querySelector(".problem")?.remove();
      field.append(make("p", { class: "problem", role: "alert" }, /** @type {Error} */ (error).message));
    } else alertOf(/** @type {Error} */ (error).message);
  }
}

/** Draws what was put off, where nothing is on its way that would change it again. */
function settle() {
  if (unsaid.size === 0 && unanswered === 0) draw();
}

/** Has a field stay as it is until its value is there, or the focus is elsewhere. @param {any} element */
function hold(element) {
  held = element;
}

/** @param {Event} e */
function release(e) {
  if (held !== e.target) return;
  held = null;
  settle();
}

for (const id of ["traffic", "admission", "side"]) {
  $(id).addEventListener("input", (/** @type {Event} */ e) => hold(e.target));
  for (const end of ["change", "focusout"]) $(id).addEventListener(end, release);
}

/** Whether it is work that ends: nothing changes while that runs. */
const works = () => store.variants.some((/** @type {any} */ v) => v.ends);

/** A field for a parameter. @param {any} param @param {string} path @param {any} value @param {number|null} variant */
function field(param, path, value, variant) {
  const id = `set-${path.replaceAll(".", "-")}-${variant ?? "all"}`;
  const unit = param.unit === "" ? [] : [" ", make("span", { class: "unit" }, param.unit)];
  // Long names go on in a second line behind an underscore.
  const name = param.name.split("_").flatMap((/** @type {string} */ word, /** @type {number} */ i) => (i === 0 ? [word] : ["_", make("wbr"), word]));
  const label = make("label", { for: id, title: param.meaning }, ...name, ...unit);
  const box = make("div", { class: "field", title: param.meaning });
  const off = !store.steering || works();
  const change = (/** @type {any} */ v) => set(path, v, variant, box);
  if (param.kind === "bool") {
    box.append(label, make("input", { id, type: "checkbox", checked: value, disabled: off, onchange: (/** @type {any} */ e) => change(e.target.checked) }));
  } else if (param.kind === "choice") {
    box.append(label, select(id, param.choices, value, off, change));
  } else if (param.kind === "number" || param.kind === "integer") {
    number(box, label, { id, param, value, off, change });
  } else if (param.kind === "fixed") {
    box.append(label, make("input", { id, class: "box", value: JSON.stringify(value), disabled: true, title: "Set in the spec, not from the page" }));
  } else if (param.kind === "auto" || param.kind === "infinite") {
    special(box, label, { id, param, value, off, change });
  } else {
    const read = (/** @type {string} */ text) => { try { return JSON.parse(text); } catch { return text; } };
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    box.append(label, make("input", { id, class: "box", value: shown, disabled: off, onchange: (/** @type {any} */ e) => change(read(e.target.value)) }));
  }
  return box;
}

/** @param {string} id @param {string[]} choices @param {string} value @param {boolean} off @param {(v: string) => void} change */
function select(id, choices, value, off, change) {
  const options = choices.map((name) => make("option", { value: name, selected: name === value }, name));
  return make("select", { id, class: "box", disabled: off, onchange: (/** @type {any} */ e) => change(e.target.value) }, ...options);
}

/** A box and, where both ends are near, a slider. @param {any} box @param {any} label @param {any} of */
function number(box, label, { id, param, value, off, change }) {
  const whole_ = param.kind === "integer";
  const most = param.name === "load" ? 1 : (param.max ?? Infinity);
  const text = make("input", { id, class: "box", value: String(Number(Number(value).toPrecision(6))), inputmode: "decimal", disabled: off });
  box.append(label, text);
  if (!(param.name === "load") && !Number.isFinite(most)) box.append(make("div", { class: "scale" }, make("span", {}, `from ${param.min ?? 0} on`)));
  const least = param.min ?? 0;
  const ratio = most / Math.max(least, whole_ ? 1 : 1e-3);
  /** @type {any} */
  let slider = null;
  if (Number.isFinite(most) && most <= 1e6) {
    const log = ratio >= 1000 && param.name !== "load" && least >= 0;
    const to = (/** @type {number} */ v) => (log ? Math.log(Math.max(v, 1e-9) / Math.max(least, whole_ ? 1 : 1e-3)) / Math.log(ratio) : (v - least) / (most - least));
    const from = (/** @type {number} */ s) => (log ? Math.max(least, whole_ ? 1 : 1e-3) * ratio ** s : least + s * (most - least));
    slider = make("input", { id: `${id}-slider`, type: "range", min: "0", max: "1", step: param.name === "load" ? "0.005" : "any", value: String(Math.max(0, Math.min(1, to(Number(value))))), disabled: off, "aria-label": param.name, oninput: () => {
      const v = whole_ ? Math.round(from(Number(slider.value))) : Number(from(Number(slider.value)).toPrecision(3));
      text.value = String(v);
      change(v);
    } });
    box.append(slider);
    // From there on some link or node is full.
    const bound = param.name === "load" ? store.variants.find((/** @type {any} */ v) => v.letter === store.read)?.bound : null;
    if (typeof bound === "number" && bound < most) {
      const tick = make("i");
      tick.style.left = `${(100 * (bound - least)) / (most - least)}%`;
      box.append(make("div", { class: "bound", role: "img", "aria-label": `The bound of this network and pattern is ${bound.toFixed(3)}`, title: `A link or a node is full from ${bound.toFixed(3)} on, whatever the routers do` }, tick));
    }
    const end = (/** @type {number} */ v) => (Math.abs(v) >= 1e6 ? v.toExponential(0) : short(v));
    box.append(make("div", { class: "scale" }, make("span", {}, end(least)), make("span", {}, end(most))));
  }
  text.addEventListener("change", () => {
    const v = Number(text.value);
    if (!Number.isFinite(v)) return;
    change(whole_ ? Math.round(v) : v);
  });
}

/** A number that can be left to the network, or be without a bound: a switch stands before it. @param {any} box @param {any} label @param {any} of */
function special(box, label, { id, param, value, off, change }) {
  const word = param.kind === "auto" ? "auto" : "infinite";
  const named = typeof value === "string";
  const text = make("input", { id, class: "box", value: named ? "" : String(value), placeholder: named ? value : "", inputmode: "numeric", disabled: off || named, "aria-label": param.name, onchange: () => {
    const v = Number(text.value);
    if (text.value.trim() !== "" && Number.isFinite(v)) change(Math.round(v));
  } });
  const least = param.min ?? 0;
  const on = make("input", { type: "checkbox", id: `${id}-${word}`, checked: named, disabled: off, onchange: () => {
    if (on.checked) return change(word);
    // The number has to come from somebody.
    [text.disabled, text.placeholder] = [false, `from ${least} on`];
    text.focus();
    hold(text);
  } });
  box.append(label, make("span", { class: "switch" }, make("label", { for: `${id}-${word}` }, on, word), text));
}

/** A section with kinds: the kind, its meaning, and its parameters. @param {any} section @param {any} now @param {number|null} variant @param {string} name */
function kinds(section, now, variant, name) {
  const id = `kind-${section.path.replaceAll(".", "-")}-${variant ?? "all"}`;
  const label = make("label", { for: id, class: "pair" }, variant !== null && store.variants.length > 1 ? who(variant) : "", name);
  const kind = section.kinds.find((/** @type {any} */ k) => k.name === now?.kind);
  const box = make("div", { class: "field" }, label);
  box.append(select(id, section.kinds.map((/** @type {any} */ k) => k.name), now?.kind, !store.steering || works(), (v) => set(section.path, v, variant, box)));
  const own = variant === null || variant === store.read || store.variants.length < 2;
  const params = (own ? (kind?.params ?? []) : []).map((/** @type {any} */ p) => field(p, `${section.path}.${p.name}`, now?.[p.name], variant));
  const meaning = own && kind?.meaning ? [make("p", { class: "note" }, kind.meaning)] : [];
  return [box, ...params, ...meaning];
}

/** Draws the controls, where they are others than before. */
function draw() {
  if (store.hello === null || store.variants.length === 0) return;
  changes();
  const key = JSON.stringify([store.steering, store.read, store.variants.map((/** @type {any} */ v) => [v.letter, v.settings, v.bound])]);
  if (key === drawn) return;
  // Who is typing or sliding is not interrupted.
  if (held?.isConnected) return;
  const focused = document.activeElement?.id;
  drawn = key;
  const { catalogue } = store.hello;
  const read = store.variants.find((/** @type {any} */ v) => v.letter === store.read) ?? store.variants[0];
  const traffic = read.settings.traffic ?? {};
  const several = store.variants.length > 1;
  const all = several ? store.variants.map((/** @type {any} */ v) => letter(v.letter)).join(" and ") : "";
  const [pattern, process, admission] = catalogue.sections;
  $("traffic").replaceChildren(
    make("h2", {}, "Traffic", make("span", { class: "end" }, all)),
    ...(works() ? [make("p", { class: "note" }, "The traffic is that of the work, and nothing changes while the work runs.")] : [
      field(catalogue.load, "traffic.load", traffic.load ?? 0, null),
      ...kinds(pattern, traffic.pattern, null, "pattern"),
      ...kinds(process, traffic.process, null, "process"),
    ]),
  );
  $("admission").replaceChildren(
    make("h2", {}, "Admission", make("span", { class: "end" }, several ? "each its own" : "")),
    ...(store.hello.network.unthrottled === null ? store.variants.flatMap((/** @type {any} */ v) => kinds(admission, v.settings.admission, v.letter, "kind")) : [make("p", { class: "note" }, store.hello.network.unthrottled)]),
  );
  side();
  if (focused) document.getElementById(focused)?.focus();
}

/** The list of changes. */
function changes() {
  const rows = [];
  for (const v of store.variants) {
    for (const change of v.changes) {
      if (v.born !== null && change.cycle < v.born.cycle) continue;
      rows.push({ cycle: change.cycle, variant: v.letter, parts: changeWords(change.set), fork: false });
    }
    if (v.born !== null) rows.push({ cycle: v.born.cycle, variant: v.letter, parts: [[`of ${letter(v.born.of)}`, ""]], fork: true });
  }
  rows.sort((a, b) => a.cycle - b.cycle || a.variant - b.variant);
  const seen = new Set();
  const shown = rows.filter((row) => { const key = `${row.cycle}|${row.fork ? row.variant : ""}|${JSON.stringify(row.parts)}`; return !seen.has(key) && seen.add(key); });
  $("changes-count").textContent = shown.length === 0 ? "" : String(shown.length);
  $("changes").replaceChildren(...shown.map(({ cycle, variant, parts, fork }) => make("li", { class: fork ? "fork" : "" },
    make("button", { class: "cy ref", title: `Go to cycle ${whole(cycle)}`, onclick: () => say("seek", { cycle }).catch(() => {}) }, whole(cycle)),
    make("span", {}, ...(fork ? ["fork ", who(variant, "small"), " "] : store.variants.length > 1 && variant !== store.variants[0].letter ? [who(variant, "small"), " "] : []),
      ...parts.flatMap(([name, value], i) => [i > 0 ? ", " : "", `${name} `, make("b", {}, value)])))));
  if (shown.length === 0) $("changes").replaceChildren(make("li", { class: "note none" }, "None so far. What is set stands here, with its cycle."));
}

/** Forks the variant that is read. */
export async function fork() {
  try {
    const { variant } = await say("fork", { of: store.read, set: {} });
    store.read = variant;
    tell("state");
  } catch (error) {
    if (!full(error, fork)) alertOf(/** @type {Error} */ (error).message);
  }
}

/** Takes the last change back. */
export const undo = () => say("undo").then(({ cycle }) => {
  // What followed is not what follows now.
  for (const v of store.variants) {
    store.rows[v.letter] = (store.rows[v.letter] ?? []).filter((/** @type {any} */ row) => row.cycle <= cycle);
    store.past[v.letter] = (store.past[v.letter] ?? []).filter((/** @type {any} */ picture) => picture.cycle <= cycle);
  }
  tell("draw");
}).catch((/** @type {Error} */ e) => alertOf(e.message));

/** What is chosen for a variant that begins beside the others: a section, and a parameter of it. @type {{path: string, value: any}} */
let chosen = { path: "", value: null };

/** Controls for what a router is: a variant that has it otherwise begins in cycle 0, beside the others. */
function side() {
  const read = store.variants.find((/** @type {any} */ v) => v.letter === store.read) ?? store.variants[0];
  /** @type {{path: string, param: any, now: any, options?: string[]}[]} */
  const all = [];
  for (const section of store.hello.catalogue.fixed) {
    const now = read.fixed[section.path];
    if (now === undefined) continue;
    const kind = typeof now === "string" ? now : now.kind;
    if (section.kinds.length > 1) all.push({ path: section.path, param: { name: section.path, kind: "choice", choices: section.kinds.map((/** @type {any} */ k) => k.name), meaning: section.meaning, unit: "" }, now: kind });
    const own = section.kinds.find((/** @type {any} */ k) => k.name === kind)?.params ?? [];
    for (const param of [...section.params, ...own]) if (param.kind !== "fixed" && now[param.name] !== undefined) all.push({ path: `${section.path}.${param.name}`, param, now: now[param.name] });
  }
  const found = all.find((one) => one.path === chosen.path) ?? all.find((one) => one.path === "router.virtual_channels") ?? all[0];
  if (found === undefined) return;
  if (found.path !== chosen.path) chosen = { path: found.path, value: found.now };
  const { param } = found;
  const id = "side-value";
  const off = !store.steering;
  const pick = make("select", { class: "box wide", id: "side-path", disabled: off, "aria-label": "What is different", onchange: (/** @type {any} */ e) => { chosen = { path: e.target.value, value: null }; chosen.value = all.find((one) => one.path === chosen.path)?.now; side(); $("side-path").focus(); } },
    ...all.map((one) => make("option", { value: one.path, selected: one.path === found.path }, one.path)));
  const to = (/** @type {any} */ v) => { chosen.value = v; };
  const range = param.min !== null && param.min !== undefined ? `${param.min}${param.max === null || param.max === undefined ? " and more" : ` to ${param.max}`}` : "";
  const read_ = (/** @type {string} */ text) => { try { return JSON.parse(text); } catch { return text; } };
  const control = param.kind === "choice" ? select(id, param.choices, chosen.value, off, to)
    : param.kind === "bool" ? make("input", { id, type: "checkbox", checked: chosen.value, disabled: off, onchange: (/** @type {any} */ e) => to(e.target.checked) })
    : make("input", { id, class: "box", value: typeof chosen.value === "string" ? chosen.value : JSON.stringify(chosen.value), disabled: off, oninput: (/** @type {any} */ e) => to(read_(e.target.value)) });
  $("side").replaceChildren(
    make("h2", {}, "Side by side", make("span", { class: "end" }, "from cycle 0")),
    make("p", { class: "note" }, "What a router is cannot change while it runs. A variant that has it otherwise starts in cycle 0, beside the others, under the same traffic."),
    pick, make("div", { class: "field" }, make("label", { for: id }, "value ", make("span", { class: "unit" }, [param.unit, range].filter(Boolean).join(", "))), control),
    make("p", { class: "note" }, param.meaning ?? ""),
    make("div", { class: "row" }, make("button", { id: "side-start", disabled: off || store.variants.length > 3, onclick: start }, "Start side by side")),
    make("p", { class: "problem", id: "side-problem", role: "alert" }),
  );
}

async function start() {
  try {
    const { variant } = await say("beside", { of: store.read, set: { [chosen.path]: chosen.value } });
    store.read = variant;
    tell("state");
  } catch (error) {
    $("side-problem").textContent = /** @type {Error} */ (error).message;
  }
}

on("hello", () => { drawn = ""; draw(); });
on("state", draw);
// What was set holds before whatever is asked for next.
on("asks", (op) => { if (op !== "set") flush(); });
