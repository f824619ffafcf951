// What is kept of a play: a spec with timed changes, a film, pictures, a page that needs no server.

import { C, ofVariant } from "./colour.js";
import { drawMaps } from "./map.js";
import { lanes } from "./bundle.js";
import { along, span } from "./map-2d.js";
import { animated } from "./apng.js";
import { $, letter, load, make, whole } from "./parts.js";
import { smoothed, store, tell } from "./store.js";
import { alertOf } from "./steer.js";
import { recording } from "./recording.js";
import { say } from "./wire.js";

/** Hands a file to whoever looks. @param {Blob} blob @param {string} name */
function keep(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The name of what is saved, without what a file may not be called. @param {string} end */
const named = (end) => `${(store.hello.name.replace(/\.toml$/, "").replace(/[^\w-]+/g, "-") || "play").slice(0, 60)}-${store.cycle}.${end}`;

/** Asks what is to be saved. @param {boolean} download whether the spec is downloaded at once */
export async function save(download) {
  const dialog = $("dialog");
  const parts = [];
  try {
    const saved = await say("save", { variant: store.read });
    const down = () => keep(new Blob([saved.spec], { type: "application/toml" }), saved.name);
    if (download) down();
    parts.push(
      make("p", {}, saved.written ? "Written into the folder of --out. " : "", "A spec with timed changes. Run it, and it gives the same digest:"),
      make("pre", { id: "command" }, `tailback run ${saved.name}`), make("p", {}, "digest ", make("code", { id: "digest" }, saved.digest)),
      make("details", {}, make("summary", {}, "The spec"), make("pre", { id: "spec-text", tabindex: "0" }, saved.spec)),
      make("div", { class: "row" }, make("button", { id: "save-toml", onclick: down }, `Save ${saved.name}`)));
  } catch (error) {
    parts.push(make("p", { class: "note" }, `No spec: ${/** @type {Error} */ (error).message}.`));
  }
  const progress = make("p", { class: "note", id: "save-progress", role: "status" });
  const busy = (/** @type {(told: (words: string) => void) => Promise<void>} */ job) => async (/** @type {any} */ e) => {
    const buttons = /** @type {HTMLButtonElement[]} */ ([...dialog.querySelectorAll(".kept button")]);
    for (const button of buttons) button.disabled = true;
    try {
      await job((words) => { progress.textContent = words; });
    } catch (error) {
      progress.textContent = /** @type {Error} */ (error).message;
    }
    for (const button of buttons) button.disabled = false;
    e.target.focus();
  };
  const frames = moments().length;
  dialog.replaceChildren(
    make("h2", { id: "dialog-title" }, `The play of ${letter(store.read)}, up to cycle ${whole(store.cycle)}`), ...parts,
    make("h3", {}, "What was seen"),
    make("p", { class: "note" }, `${whole(frames)} pictures are remembered, of all variants, and are filmed as the maps stand now.`),
    make("div", { class: "row kept" },
      make("button", { id: "save-film", disabled: frames < 2, onclick: busy(film) }, "Film"),
      make("button", { id: "save-png", onclick: busy(async () => keep(await png(compose(screen())), named("png"))) }, "Picture (PNG)"),
      make("button", { id: "save-svg", onclick: busy(async () => keep(new Blob([svg()], { type: "image/svg+xml" }), named("svg"))) }, "Picture (SVG)"),
      make("button", { id: "save-page", disabled: frames < 1, onclick: busy(async (told) => keep(await recording(moments(), told), named("html"))) }, "Page without a server")),
    progress, make("div", { class: "row" }, make("button", { onclick: () => dialog.close() }, "Close")),
  );
  dialog.showModal();
}

/** The cycles of which all variants have a picture, at most so many. @param {number} most @returns {number[]} */
export function moments(most = 600) {
  const read = (store.past[store.variants[0].letter] ?? []).map((/** @type {any} */ p) => p.cycle);
  const step = Math.max(1, Math.ceil(read.length / most));
  return read.filter((/** @type {number} */ _, /** @type {number} */ i) => i % step === 0 || i === read.length - 1);
}

/** Shows pictures of the past. @param {number} cycle */
export function show(cycle) {
  store.cycle = cycle;
  for (const v of store.variants) {
    const list = store.past[v.letter] ?? [];
    const found = list.findLast((/** @type {any} */ p) => p.cycle <= cycle);
    if (found) store.now[v.letter] = found;
  }
  const said = store.said.findLast((/** @type {any} */ one) => one.cycle <= cycle);
  if (said) store.words = said.words;
  drawMaps();
}

/** A canvas that takes all maps with their heads. */
function screen() {
  const box = $("maps").getBoundingClientRect();
  const ratio = Math.min(2, devicePixelRatio || 1);
  const even = (/** @type {number} */ n) => 2 * Math.ceil((n * ratio) / 2);
  return make("canvas", { width: even(box.width), height: even(box.height + 30) });
}

/** Puts all maps onto a canvas, as they stand. @param {HTMLCanvasElement} canvas */
function compose(canvas) {
  const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const box = $("maps").getBoundingClientRect();
  const ratio = canvas.width / box.width;
  const font = getComputedStyle(document.body).fontFamily;
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.fillStyle = C.paper;
  g.fillRect(0, 0, canvas.width, canvas.height);
  g.textBaseline = "middle";
  for (const v of store.variants) {
    const figure = document.querySelector(`.map[data-variant="${v.letter}"]`);
    if (figure === null) continue;
    const head = /** @type {HTMLElement} */ (figure.querySelector("header"))?.getBoundingClientRect();
    const [x, y] = [head.left - box.left, head.top - box.top + head.height / 2];
    g.font = `700 13px ${font}`;
    g.fillStyle = ofVariant(v.letter);
    g.textAlign = "left";
    g.fillText(letter(v.letter), x + 12, y);
    g.fillStyle = C.ink;
    g.fillText(figure.querySelector("header b")?.textContent ?? "", x + 28, y);
    g.font = `12.5px ${font}`;
    g.textAlign = "right";
    g.fillText(`accepted ${load(smoothed(v.letter, "accepted"))}`, x + head.width - 12, y);
    for (const part of /** @type {NodeListOf<HTMLCanvasElement>} */ (figure.querySelectorAll("canvas"))) {
      const at = part.getBoundingClientRect();
      g.drawImage(part, at.left - box.left, at.top - box.top, at.width, at.height);
    }
  }
  g.font = `12.5px ${font}`;
  g.fillStyle = C.soft;
  g.textAlign = "left";
  g.fillText(`${store.hello.name} · cycle ${whole(store.cycle)}`, 12, box.height + 15);
  return canvas;
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
const png = (canvas) => new Promise((ok, no) => canvas.toBlob((blob) => (blob === null ? no(new Error("the browser makes no picture")) : ok(blob)), "image/png"));

/** Films what is remembered: WebM, and an animated picture where the browser has no recorder. @param {(words: string) => void} told */
async function film(told) {
  if (store.playing) await say("pause");
  const [back, canvas] = [store.cycle, screen()];
  const cycles = moments();
  const type = typeof MediaRecorder === "undefined" ? undefined : ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((kind) => MediaRecorder.isTypeSupported(kind));
  try {
    if (type === undefined || new URLSearchParams(location.hash.slice(1)).get("film") === "png") {
      const pictures = [];
      for (const [i, cycle] of cycles.slice(-240).entries()) {
        show(cycle);
        pictures.push(await png(compose(canvas)));
        told(`Picture ${i + 1} of ${Math.min(240, cycles.length)}`);
      }
      keep(await animated(pictures, 30), named("png"));
    } else {
      const stream = canvas.captureStream(30);
      const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
      const parts = /** @type {Blob[]} */ ([]);
      recorder.ondataavailable = (e) => parts.push(e.data);
      const over = new Promise((ok) => { recorder.onstop = ok; });
      recorder.start();
      for (const [i, cycle] of cycles.entries()) {
        show(cycle);
        compose(canvas);
        told(`Picture ${i + 1} of ${cycles.length}`);
        await new Promise((ok) => setTimeout(ok, 33));
      }
      recorder.stop();
      await over;
      keep(new Blob(parts, { type: "video/webm" }), named("webm"));
    }
    told("The film is saved.");
  } finally {
    show(back);
    tell("draw");
  }
}

/** The map of the variant that is read, as lines. */
function svg() {
  const picture = store.now[store.read];
  const { curves, spots, counts } = store.places;
  const figure = document.querySelector(`.map[data-variant="${store.read}"] canvas.lanes`);
  const box = /** @type {Element} */ (figure).getBoundingClientRect();
  const unit = 24;
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  const see = (/** @type {number} */ x, /** @type {number} */ y) => { [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)]; };
  for (let r = 0; r < counts.routers; r += 1) see(spots[2 * r], spots[2 * r + 1]);
  for (let o = 0; o < curves.length; o += 12) for (const t of [0, 0.5, 1]) { const [x, y] = along(curves, o, t); see(x, y); }
  const size = [Math.ceil((x1 - x0 + 1) * unit), Math.ceil((y1 - y0 + 1) * unit)];
  const at = (/** @type {number} */ x, /** @type {number} */ y) => [(x - x0 + 0.5) * unit, size[1] - (y - y0 + 0.5) * unit];
  const lane = store.hello.network.lane * unit;
  const lines = /** @type {string[]} */ ([]);
  const line = (/** @type {number} */ o, /** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ colour) => {
    const steps = curves[o + 11] > 0.5 ? 10 : 1;
    const points = Array.from({ length: steps + 1 }, (_, i) => {
      const [x, y, dx, dy] = along(curves, o, from + ((to - from) * i) / steps);
      const len = Math.hypot(dx, dy) || 1;
      const [px, py] = at(x, y);
      return `${(px + (dy / len) * lane * 0.68).toFixed(1)},${(py + (dx / len) * lane * 0.68).toFixed(1)}`;
    });
    lines.push(`<polyline points="${points.join(" ")}" stroke="${colour}"/>`);
  };
  const hex = (/** @type {string} */ a, /** @type {string} */ b, /** @type {number} */ t) => `#${[1, 3, 5].map((i) => Math.round(parseInt(a.slice(i, i + 2), 16) * (1 - t) + parseInt(b.slice(i, i + 2), 16) * t).toString(16).padStart(2, "0")).join("")}`;
  const seen = lanes(picture);
  for (let o = 0; o < curves.length; o += 12) {
    const link = Math.round(curves[o + 8]);
    const [use, full, mean] = [seen[4 * link] / 255, seen[4 * link + 1] / 255, seen[4 * link + 2] / 255];
    const [from, to] = span(curves, o);
    line(o, from, to, hex(C.road0, C.road1, use));
    const head = Math.max(0, (1 - full - curves[o + 9]) / (curves[o + 10] - curves[o + 9]));
    if (full >= 0.03 && head < 1) line(o, from + (to - from) * head, to, hex(C.queue0, C.queue1, mean));
  }
  const roots = picture.roots.slice(0, 64).map((/** @type {any} */ root, /** @type {number} */ i) => {
    const [x, y] = at(spots[2 * root.router], spots[2 * root.router + 1]);
    return i < 3 ? `<circle cx="${x}" cy="${y}" r="7" fill="${C.ink}"/><text x="${x}" y="${y + 3.5}" font-size="10" font-weight="700" text-anchor="middle" fill="${C.paper}">${i + 1}</text>` : `<path d="M${x} ${y - 5}l5 5-5 5-5-5z" fill="${C.ink}"/>`;
  });
  const words = `${store.hello.name}, variant ${letter(store.read)}, cycle ${whole(store.cycle)}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size[0]} ${size[1] + 20}" width="${Math.round(box.width)}" font-family="sans-serif"><title>${words}</title><rect width="100%" height="100%" fill="${C.paper}"/><g fill="none" stroke-width="${lane.toFixed(2)}">${lines.join("")}</g>${roots.join("")}<text x="8" y="${size[1] + 13}" font-size="11" fill="${C.soft}">${words}</text></svg>`;
}
