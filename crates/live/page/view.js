// The page of `tailback view`: what is shown stands in the address behind `#`, and everything is asked for from there.

import { $, make, whole } from "./parts.js";
import { blocks, figure, keep, tableOf } from "./view-parts.js";

const KEY = new URLSearchParams(location.search).get("key") ?? "";

/** What is shown: keys and values, in the order of the address. @type {URLSearchParams} */
let state = new URLSearchParams(location.hash.slice(1));
/** What was answered last, by what was asked. @type {Map<string, any>} */
const known = new Map();
/** What there is. @type {any} */
let index = null;
/** The table, and the runs behind each row. @type {any} */
let listed = null;
/** Counts what was asked for, so that a late answer is not shown. */
let turn = 0;

/** Asks the server. @param {string} part @param {URLSearchParams} query */
async function ask(part, query) {
  const address = `data/${part}?${query}`;
  if (known.has(address)) return known.get(address);
  const answer = await fetch(`${address}${query.size > 0 ? "&" : ""}key=${encodeURIComponent(KEY)}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status === 403 ? "The server was started anew: open the address that it printed." : "There is no such part of these results.");
  const told = await answer.json();
  if (told.error !== undefined) throw new Error(told.error);
  if (known.size > 200) known.clear();
  known.set(address, told.ok);
  return told.ok;
}

/** Some keys of what is shown. @param {...string} keys */
function some(...keys) {
  const query = new URLSearchParams();
  for (const [key, value] of state) if (keys.includes(key)) query.append(key, value);
  return query;
}

/** Changes what is shown; the address says so, and Back goes back. @param {(to: URLSearchParams) => void} change */
function go(change) {
  const to = new URLSearchParams(state);
  change(to);
  history.pushState(null, "", `${location.pathname}${location.search}#${to}`);
  state = to;
  show();
}

/** Writes into the address how something is shown; Back does not go through it. @param {string} key @param {string} value */
function note(key, value) {
  state.set(key, value);
  history.replaceState(null, "", `${location.pathname}${location.search}#${state}`);
}

/** @param {string} key @param {string} value empty: none */
const set = (key, value) => go((to) => (value === "" ? to.delete(key) : to.set(key, value)));

/** @param {string} key @param {string} value @param {boolean} there */
function toggle(key, value, there) {
  go((to) => {
    const others = to.getAll(key).filter((other) => other !== value);
    to.delete(key);
    for (const one of there ? [...others, value] : others) to.append(key, one);
  });
}

/** @param {string} words */
function refused(words) {
  $("refused").textContent = words;
  $("refused").hidden = words === "";
}

/** A box to tick. @param {string} words @param {boolean} on @param {(on: boolean) => void} then @param {string} many */
const choice = (words, on, then, many = "") => make("label", { class: "choice" },
  make("input", { type: "checkbox", checked: on, onchange: (/** @type {any} */ e) => then(e.target.checked) }), make("span", { class: "what", title: words }, words), make("span", { class: "many" }, many));

/** Keeps the focus where it is while what is around it is made anew. @param {HTMLElement} box @param {() => void} fill */
function refill(box, fill) {
  const inside = [...box.querySelectorAll("input,select,button")];
  const at = inside.indexOf(/** @type {any} */ (document.activeElement));
  fill();
  if (at >= 0) /** @type {any} */ ([...box.querySelectorAll("input,select,button")][at])?.focus();
}

function folders() {
  const chosen = state.getAll("folder");
  refill($("folders"), () => $("folders").replaceChildren(...index.folders.map((/** @type {any} */ folder, /** @type {number} */ at) => {
    const on = chosen.length === 0 || chosen.includes(String(at));
    const then = (/** @type {boolean} */ there) => go((to) => {
      let now = index.folders.map((/** @type {any} */ _, /** @type {number} */ i) => String(i)).filter((/** @type {string} */ i) => (i === String(at) ? there : chosen.length === 0 || chosen.includes(i)));
      if (now.length === index.folders.length) now = [];
      to.delete("folder");
      for (const one of now) to.append("folder", one);
    });
    return choice(folder.name, on, then, folder.problem ?? `${whole(folder.runs)} run${folder.runs === 1 ? "" : "s"}`);
  })));
  $("folders-count").textContent = index.folders.length > 1 ? String(index.folders.length) : "";
}

function axes() {
  const named = (/** @type {any} */ c) => [c.name, c.unit ? `${c.name} [${c.unit}]` : c.name];
  const numbers = [...index.numbers.map((/** @type {string} */ name) => [name, name]), ...index.columns.map(named)];
  const swept = index.swept.map((/** @type {string} */ name) => [name, name]);
  /** @type {[string, string, string, string[][]][]} */
  const all = [
    ["x", "x axis", "as in the report", numbers], ["y", "y axis", "accepted, latency", numbers], ["colour", "colours", index.compares ? "folders" : "as in the report", swept],
    ["panels", "panels", "as in the report", swept], ["log", "log axes", "none", [["x", "x"], ["y", "y"], ["xy", "x and y"]]],
  ];
  refill($("axes"), () => $("axes").replaceChildren(...all.map(([key, words, none, options]) => {
    const now = state.get(key) ?? "";
    const select = make("select", { class: "box", id: `axis-${key}`, onchange: (/** @type {any} */ e) => set(key, e.target.value) },
      make("option", { value: "" }, none), ...options.map(([value, text]) => make("option", { value, selected: value === now }, text)));
    return make("div", { class: "field" }, make("label", { for: `axis-${key}` }, words), select);
  })));
}

function filters() {
  const chosen = state.getAll("where");
  $("all").hidden = chosen.length === 0;
  refill($("filters"), () => $("filters").replaceChildren(...index.filters.filter((/** @type {any} */ f) => f.values.length > 1).map((/** @type {any} */ filter) => make("fieldset", {},
    make("legend", {}, filter.name, filter.unit ? make("span", { class: "unit" }, ` [${filter.unit}]`) : ""),
    ...filter.values.map((/** @type {string} */ value) => choice(value, chosen.includes(`${filter.name}=${value}`), (on) => toggle("where", `${filter.name}=${value}`, on))),
    filter.more > 0 ? make("p", { class: "note" }, `and ${whole(filter.more)} more values`) : ""))));
  if ($("filters").children.length === 0) $("filters").replaceChildren(make("p", { class: "note" }, "Nothing differs between these runs."));
}

/** @param {any} drawn */
function drawn(drawn) {
  const made = figure(drawn.svg, drawn.caption);
  const name = "figure";
  const row = made.querySelector(".row") ?? made.appendChild(make("div", { class: "row" }));
  row.append(make("button", { onclick: () => keep(drawn.svg, `${name}.svg`, "image/svg+xml") }, "Keep as SVG"), make("button", { onclick: () => keep(drawn.csv, `${name}.csv`, "text/csv") }, "Keep as CSV"));
  $("figure").replaceWith(made);
  made.id = name;
  made.classList.add("lines");
}

/** Whether a row is the one whose report is shown. @param {number} row */
const isCurrent = (row) => listed.runs[row].some((/** @type {any} */ run) => run.id === state.get("point") && String(run.folder) === (state.get("of") ?? ""));

/** @param {any} run */
const open = (run) => go((to) => { to.set("point", run.id); to.set("of", String(run.folder)); });
const close = () => go((to) => { to.delete("point"); to.delete("of"); });

function table() {
  const sort = (state.get("sort") ?? "").match(/^(.+)([+-])$/);
  const at = sort ? listed.table.columns.findIndex((/** @type {any} */ column) => column.name === sort[1]) : -1;
  const says = (/** @type {[number, number]} */ [column, way]) => {
    note("sort", `${listed.table.columns[column].name}${way > 0 ? "+" : "-"}`);
    // Which rows are the first ones depends on it.
    if (cut !== "") show();
  };
  const cut = listed.total > listed.table.rows.length ? `. The first ${whole(listed.table.rows.length)} are shown; filters choose others.` : "";
  const made = tableOf(listed.table, { open: (row) => open(listed.runs[row][0]), current: isCurrent, sort: at < 0 ? null : [at, sort?.[2] === "+" ? 1 : -1], says });
  made.prepend(make("caption", { class: "visually-hidden" }, listed.table.caption));
  refill($("table"), () => $("table").replaceChildren(made));
  const points = `${whole(listed.total)}${listed.total < listed.all ? ` of ${whole(listed.all)}` : ""} point${listed.all === 1 ? "" : "s"}`;
  $("summary").textContent = points + cut;
  $("live-region").textContent = points;
}

async function point() {
  const id = state.get("point");
  const was = document.body.classList.contains("asks");
  document.body.classList.toggle("asks", id !== null);
  $("point").hidden = id === null;
  if (id === null) {
    if (was) $("table").querySelector("button.open")?.focus();
    return;
  }
  const found = await ask("point", new URLSearchParams({ folder: state.get("of") ?? "0", id }));
  const row = listed?.runs.find((/** @type {any[]} */ runs) => runs.some((run) => run.id === id)) ?? [];
  const seeds = row.length > 1 ? row.map((/** @type {any} */ run) => make("button", { "aria-pressed": String(run.id === id), onclick: () => open(run) }, `seed ${run.seed}`)) : [];
  const file = (/** @type {string} */ name) => make("li", {}, make("a", { href: `data/file?${new URLSearchParams({ folder: state.get("of") ?? "0", name })}&key=${encodeURIComponent(KEY)}`, download: name.split("/").at(-1) }, name));
  const head = make("h2", { class: "title", tabindex: "-1" }, found.title || "The run", make("span", { class: "end" }, make("button", { onclick: close, title: "Close (Esc)" }, "Close")));
  $("point").replaceChildren(make("div", { class: "in" }, head,
    make("p", { class: "note" }, `${found.folder} · seed ${found.seed} · ${found.status} · point ${found.id}`), make("div", { id: "runs" }, ...seeds), ...blocks(found.blocks),
    found.files.length > 0 ? make("h3", {}, "Files") : "", make("ul", { class: "files" }, ...found.files.map(file))));
  $("point").scrollTop = 0;
  if (!was) head.focus();
}

/** Shows what the address says. */
async function show() {
  const mine = ++turn;
  theme();
  refused("");
  // All is asked for at once, and shown in this order.
  const [rows, lines] = [ask("table", some("folder", "where", "sort")), ask("figure", some("folder", "where", "x", "y", "colour", "panels", "log"))];
  for (const part of [rows, lines]) part.catch(() => {});
  try {
    index = await ask("index", some("folder"));
    if (mine !== turn) return;
    $("name").textContent = index.folders.filter((/** @type {any} */ _, /** @type {number} */ at) => !state.has("folder") || state.getAll("folder").includes(String(at))).map((/** @type {any} */ f) => f.name).join(", ");
    document.title = `${$("name").textContent} – Tailback results`;
    folders();
    axes();
    filters();
    const told = await rows;
    if (mine !== turn) return;
    listed = told;
    table();
  } catch (error) {
    if (mine === turn) refused(/** @type {Error} */ (error).message);
  }
  if (mine !== turn) return;
  const quiet = (/** @type {Promise<any>} */ promise, /** @type {(error: Error) => void} */ then) => promise.catch(then);
  await Promise.all([
    quiet(lines.then((told) => { if (mine === turn) drawn(told); }),
      (error) => { if (mine === turn) $("figure").replaceChildren(make("p", { class: "note" }, error.message)); }),
    quiet(point(), (error) => { if (mine === turn) $("point").replaceChildren(make("div", { class: "in" }, make("p", {}, error.message), make("button", { onclick: close }, "Close"))); }),
  ]);
  if (mine === turn) document.body.dataset.state = "live";
}

/** Dark or light, as the address says, else as the system has it. */
function theme() {
  document.documentElement.dataset.theme = state.get("theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function start() {
  const other = () => { note("theme", document.documentElement.dataset.theme === "dark" ? "light" : "dark"); theme(); };
  const again = () => { known.clear(); show(); };
  $("theme").addEventListener("click", other);
  $("again").addEventListener("click", again);
  $("all").addEventListener("click", () => go((to) => to.delete("where")));
  const back = () => { state = new URLSearchParams(location.hash.slice(1)); show(); };
  addEventListener("popstate", back);
  addEventListener("hashchange", () => { if (location.hash.slice(1) !== state.toString()) back(); });
  addEventListener("keydown", (event) => {
    const typing = /** @type {HTMLElement} */ (event.target).matches?.("select,input:not([type=checkbox])");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, () => void>} */
    const keys = { Escape: () => { if (state.has("point")) close(); }, t: other, r: again };
    keys[event.key]?.();
  });
  show();
}

start();
