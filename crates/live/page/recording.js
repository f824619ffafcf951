// A page that needs no server: this page as it is, with its modules and what was seen inside, and `replay.js` in the place of the connection.

import { store } from "./store.js";

/** @param {string} path */
async function text(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`the server does not give ${path}`);
  return answer.text();
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  let out = "";
  for (let at = 0; at < bytes.length; at += 32768) out += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(out);
}

/** @param {Uint8Array} bytes */
async function deflated(bytes) {
  const stream = new Blob([/** @type {any} */ (bytes)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** What a module imports from another one. */
const IMPORTED = /from "\.\/([\w./-]+)\.js"/g;

/** One module as an address of its own; what it imports has names that the map of the page knows. @param {string} source */
const address = (source) => `data:text/javascript;base64,${base64(new TextEncoder().encode(source.replaceAll(IMPORTED, 'from "tailback/$1"')))}`;

/** The modules of the page, each with what it imports, as addresses by name; `replay.js` in the place of `wire.js`. @returns {Promise<Record<string, string>>} */
async function modules() {
  /** @type {Record<string, string>} */
  const found = {};
  const names = new Set(["main"]);
  // A set that grows meanwhile is walked to its new end.
  for (const name of names) {
    const source = await text(name === "wire" ? "replay.js" : `${name}.js`);
    for (const [, other] of source.matchAll(IMPORTED)) names.add(other);
    found[`tailback/${name}`] = address(source);
  }
  return found;
}

/** All that was seen at some cycles, as a page. @param {number[]} cycles @param {(words: string) => void} told @returns {Promise<Blob>} */
export async function recording(cycles, told) {
  told("Reading the page …");
  const [html, css, imports] = await Promise.all([text(`./${location.search}`), text("page.css"), modules()]);
  const { links, routers } = store.places.counts;
  const each = 7 * links + 2 * routers;
  const variants = store.variants.map((/** @type {any} */ v) => v.letter);
  const all = new Uint8Array(each * cycles.length * variants.length);
  /** @type {any[]} */
  const pictures = [];
  for (const letter of variants) {
    for (const cycle of cycles) {
      const picture = (store.past[letter] ?? []).findLast((/** @type {any} */ p) => p.cycle <= cycle);
      if (picture === undefined) continue;
      const at = each * pictures.length;
      all.set(picture.links, at);
      all.set(picture.routers, at + 4 * links);
      for (let i = 0; i < links && picture.trees; i += 1) {
        const rank = picture.trees[i];
        [all[at + 4 * links + 2 * routers + 2 * i], all[at + 4 * links + 2 * routers + 2 * i + 1]] = [rank & 255, rank >> 8];
      }
      if (picture.aside) all.set(picture.aside, at + 6 * links + 2 * routers);
      pictures.push([letter, picture.cycle, picture.covers, picture.roots.slice(0, 24).map((/** @type {any} */ r) => [r.router, r.port, r.depth, r.branches]), picture.aside !== undefined]);
    }
    told(`Variant ${"ABCD"[letter]} …`);
  }
  const { counts, spots, ends, curves, bundle } = store.places.whole ?? store.places;
  const bytes = (/** @type {any} */ list) => base64(new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
  const said = store.said.filter((/** @type {any} */ _, /** @type {number} */ i) => i % Math.ceil(store.said.length / 300 || 1) === 0).map((/** @type {any} */ one) => ({ ...one, words: one.words.map((/** @type {any} */ w) => ({ ...w, waiters: [] })) }));
  const seen = {
    hello: { ...store.hello, lessons: [], catalogue: { ...store.hello.catalogue, fixed: [] }, history: [] }, variants: store.variants, cycle: store.cycle, rows: store.rows, said, flow: store.flow,
    places: { counts, spots: bytes(spots), ends: bytes(ends), curves: bytes(curves), bundle: bundle ? bytes(bundle) : null }, pictures,
    deflated: base64(await deflated(all.subarray(0, each * pictures.length))),
  };
  const data = JSON.stringify(seen).replaceAll("<", "\\u003c");
  const head = `<style>${css}</style><script type="importmap">${JSON.stringify({ imports })}</script><script type="application/json" id="recording">${data}</script><script type="module">import "tailback/main";</script>`;
  const page = html.replace(/<link rel="stylesheet"[^>]*>\s*/, "").replace(/<script type="module"[^>]*><\/script>/, () => head);
  return new Blob([page], { type: "text/html" });
}
