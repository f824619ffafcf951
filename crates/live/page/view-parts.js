// The parts of a report, put together from data: figures, tables, lines. Nothing becomes markup: text is put in as text.

import { make } from "./parts.js";
import { liveCharts, liveFilm } from "./report-live.js";

/** @typedef {{text: string, value?: number, behind?: string}} Cell */
/** @typedef {{caption: string, columns: {name: string, unit: string}[], rows: Cell[][]}} Table */

const ENTITIES = /** @type {Record<string, string>} */ ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" });

/** The numbers behind a picture, as the report has them. @param {string} svg @returns {any} */
function numbersOf(svg) {
  const found = svg.match(/<metadata>([^<]*)<\/metadata>/);
  try {
    return JSON.parse(found?.[1].replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => ENTITIES[name]) ?? "null");
  } catch {
    return null;
  }
}

/**
 * A picture on a sheet; no script can run in it. What carries its numbers is played if it is a film, or can be read and zoomed.
 * @param {string} svg @param {string} caption @returns {HTMLElement}
 */
export function figure(svg, caption) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = make("img", { src: url, alt: caption, onload: () => URL.revokeObjectURL(url) });
  const made = make("figure", { class: "sheet" }, image, make("figcaption", {}, caption));
  const numbers = numbersOf(svg);
  if (!numbers?.film && !numbers?.charts) return made;
  const live = make("div", { class: "live" });
  if (numbers.film) liveFilm(live, numbers.film);
  else liveCharts(live, numbers.charts);
  /** @param {boolean} on */
  const turn = (on) => made.replaceChild(on ? live : image, made.firstChild);
  if (numbers.film) {
    turn(true);
    return made;
  }
  const explore = make("button", { class: "explore", "aria-pressed": "false" }, "Explore");
  explore.addEventListener("click", () => {
    const on = explore.getAttribute("aria-pressed") !== "true";
    explore.setAttribute("aria-pressed", String(on));
    explore.textContent = on ? "Show the picture" : "Explore";
    turn(on);
  });
  made.append(make("div", { class: "row" }, explore));
  return made;
}

/** A file of a folder, to be kept. @param {string} text @param {string} name @param {string} kind */
export function keep(text, name, kind) {
  const url = URL.createObjectURL(new Blob([text], { type: kind }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Rows of a table that are made in one go. */
const AT_ONCE = 200;

/** Whether a column has words, which stand to the left. @param {Table} table @param {number} at */
const words = (table, at) => table.rows.every((row) => row[at]?.value === undefined);

/** In the order of a column; what has no number comes last. @param {Table} table @param {number} at @param {number} way */
export function sorted(table, at, way) {
  const order = table.rows.map((_, row) => row);
  /** @param {number} row */
  const key = (row) => table.rows[row][at];
  return order.sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x?.value !== undefined && y?.value !== undefined) return way * (x.value - y.value) || a - b;
    if (x?.value !== undefined || y?.value !== undefined) return x?.value !== undefined ? -1 : 1;
    return way * (x?.text ?? "").localeCompare(y?.text ?? "", "en", { numeric: true }) || a - b;
  });
}

/**
 * A table that a click on a head sorts. `open` makes a row one that opens something; `says` is told what is sorted.
 * @param {Table} table
 * @param {{open?: (row: number) => void, current?: (row: number) => boolean, sort?: [number, number] | null, says?: (sort: [number, number]) => void}} more
 */
export function tableOf(table, more = {}) {
  let sort = more.sort ?? null;
  /** How often it was filled. */
  let filled = 0;
  const body = make("tbody");
  const kinds = table.columns.map((_, at) => (words(table, at) ? "words" : ""));
  const heads = table.columns.map((column, at) => make("th", { scope: "col", class: kinds[at] }, make("button", {
    onclick: () => {
      sort = [at, sort !== null && sort[0] === at ? -sort[1] : 1];
      more.says?.(sort);
      fill();
    },
  }, column.name, column.unit ? make("span", { class: "unit" }, `[${column.unit}]`) : "")));
  /** @param {Cell} cell @param {number} at @param {number} row @param {boolean} opens */
  const shown = (cell, at, row, opens) => {
    const isStatus = table.columns[at].name === "status";
    const text = opens ? make("button", { class: "open", onclick: (/** @type {Event} */ e) => { e.stopPropagation(); more.open?.(row); } }, cell.text) : cell.text;
    const inner = isStatus ? make("span", { class: `status ${cell.text.replace(/[^a-z]+/g, " ").trim()}` }, text) : text;
    return make("td", { class: kinds[at] }, inner, cell.behind ? make("span", { class: "behind" }, cell.behind) : "");
  };
  const fill = () => {
    const order = sort === null ? table.rows.map((_, row) => row) : sorted(table, ...sort);
    heads.forEach((head, at) => {
      if (sort !== null && sort[0] === at) head.setAttribute("aria-sort", sort[1] > 0 ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    const made = (/** @type {number} */ row) => {
      const cells = table.rows[row].map((cell, at) => shown(cell, at, row, at === 0 && more.open !== undefined));
      return make("tr", { onclick: more.open && (() => more.open?.(row)), "aria-current": more.current?.(row) ? "true" : undefined }, ...cells);
    };
    // The first rows at once, the others behind them.
    const mine = (filled += 1);
    const rest = (/** @type {number} */ from) => {
      if (mine !== filled) return;
      body.append(...order.slice(from, from + AT_ONCE).map(made));
      if (from + AT_ONCE < order.length) setTimeout(() => rest(from + AT_ONCE), 0);
    };
    body.replaceChildren();
    rest(0);
  };
  fill();
  return make("table", { class: "points" }, make("thead", {}, make("tr", {}, ...heads)), body);
}

/** Parts one below the other. @param {any[]} parts @returns {HTMLElement[]} */
export function blocks(parts) {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case "paragraph": return [make("p", {}, part.text)];
      case "note": return part.text ? [make("p", { class: "note" }, part.text)] : [];
      case "list": return [make("ul", {}, ...part.items.map((/** @type {string} */ item) => make("li", {}, item)))];
      case "code": return [make("pre", { tabindex: "0" }, part.text)];
      case "figure": return [figure(part.svg, part.caption)];
      case "lines": return [make("dl", { class: "lines" }, ...part.lines.flatMap((/** @type {any} */ line) => [make("dt", {}, line.label), make("dd", {}, ...blocks(line.blocks))]))];
      case "table": return [make("p", { class: "cap" }, part.table.caption), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": part.table.caption || "Table" }, tableOf(part.table))];
      default: return [];
    }
  });
}
