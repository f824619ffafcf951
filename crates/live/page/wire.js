// The connection: messages in both directions, pictures from bytes, and trying again.

import { parted } from "./bundle.js";
import { detail } from "./close.js";
import { store, addPicture, addRow, remember, setState, tell } from "./store.js";

const HEADER = 32;
const KINDS = { places: 0, picture: 1, changes: 2, trees: 3, detail: 7, aside: 8 };
/** Links in a block of changes. */
const BLOCK = 64;

/** @type {WebSocket|null} */
let socket = null;
let next = 1;
let tries = 0;
/** @type {Map<number, {ok: (v: any) => void, no: (e: Error) => void}>} */
const waiting = new Map();
let drawn = 0;
let got = 0;
/** The last picture of each variant as it came, to which changes refer. @type {Map<number, {epoch: number, bytes: Uint8Array}>} */
const last = new Map();

/** Says something to the server; resolves with its answer. @param {string} op @param {any} more @returns {Promise<any>} */
export function say(op, more = {}) {
  return new Promise((ok, no) => {
    if (socket === null || socket.readyState !== WebSocket.OPEN) return no(new Error("not connected"));
    tell("asks", op);
    const id = next++;
    waiting.set(id, { ok, no });
    socket.send(JSON.stringify({ id, op, ...more }));
  });
}

/** Connects, and again whenever the connection is lost. @param {(state: string, words: string) => void} told */
export function connect(told) {
  const key = new URLSearchParams(location.search).get("key") ?? "";
  socket = new WebSocket(`ws://${location.host}/socket`, ["tailback.1", `key.${key}`]);
  socket.binaryType = "arraybuffer";
  socket.onopen = async () => {
    tries = 0;
    [drawn, got] = [0, 0];
    last.clear();
    try {
      store.hello = await say("hello", { versions: [1] });
      store.steering = store.hello.steering;
      history();
      told("live", "live");
      tell("hello");
      tell("state");
    } catch (error) {
      told("lost", /** @type {Error} */ (error).message);
    }
  };
  socket.onmessage = ({ data }) => (typeof data === "string" ? text(data, told) : binary(data));
  socket.onclose = () => {
    for (const { no } of waiting.values()) no(new Error("the connection is lost"));
    waiting.clear();
    tries += 1;
    told("lost", `Connection lost at cycle ${store.cycle.toLocaleString("en-GB")}; trying again (${tries})`);
    setTimeout(() => connect(told), Math.min(4000, 250 * 2 ** Math.min(tries, 4)));
  };
}

/** @param {string} data @param {(state: string, words: string) => void} told */
function text(data, told) {
  /** @type {any} */
  let message;
  try { message = JSON.parse(data); } catch { return; }
  if (message.id !== undefined && message.id !== null) {
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) asked?.no(Object.assign(new Error(message.error.text), { code: message.error.code }));
    else asked?.ok(message.ok);
    return;
  }
  if (message.event === "state") setState(message);
  else if (message.event === "look") look(message);
  else if (message.event === "line") tell("line", message);
  else if (message.event === "anew") tell("anew", message);
  else if (message.event === "bye") told("lost", "The server has ended.");
}

/** Takes over what the server remembers. */
function history() {
  for (const { variant, rows } of store.hello.history) store.rows[variant] = rows.map(rowOf);
  store.hello.history = [];
}

let catching = false;

/** Asks for the past: what was simulated in one go was looked at by the server alone. */
async function catchUp() {
  if (catching) return;
  catching = true;
  try {
    store.hello = await say("hello", { versions: [1] });
    history();
    tell("words");
    tell("draw");
  } catch {
    // Whoever has lost the connection asks again when it is there.
  }
  catching = false;
}

/** A row of numbers as it comes. @param {any[]} row */
export function rowOf([cycle, covers, accepted, latency, inNetwork, still, trees, inFlight, packets, full, held, headOfLine]) {
  return { cycle, covers, accepted, latency, inNetwork, still, trees, inFlight, packets, full, held, headOfLine };
}

/** Takes over what was seen at one time. @param {any} message */
export function look(message) {
  store.cycle = message.cycle;
  store.measured = message.speed;
  for (const { variant, row, flow } of message.variants) {
    const named = rowOf(row);
    if (named.covers > 0) addRow(variant, named);
    else if (named.cycle > (store.rows[variant]?.at(-1)?.cycle ?? 0)) catchUp();
    store.latest = { ...(store.latest ?? {}), [variant]: named };
    store.flowAt[variant] = flow?.at ?? [];
    if (flow?.packets) store.passengers[variant] = flow.packets;
  }
  if (message.words) {
    store.words = message.words;
    remember({ cycle: message.cycle, words: message.words });
    tell("words");
  }
  if (store.playing !== message.playing) {
    store.playing = message.playing;
    tell("state");
  }
}

/** The header of a message; nothing where it is none of this version. @param {ArrayBuffer} buffer */
export function header(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEADER || view.getUint8(0) !== 0x54 || view.getUint8(1) !== 1) return null;
  return {
    kind: view.getUint8(2), variant: view.getUint8(3), number: view.getUint32(4, true), cycle: Number(view.getBigUint64(8, true)),
    covers: view.getUint32(16, true), dropped: view.getUint32(20, true), bytes: view.getUint32(24, true), epoch: view.getUint32(28, true),
  };
}

/** Bytes of the bits of all blocks. @param {number} links */
const bitsOf = (links) => Math.ceil(Math.ceil(links / BLOCK) / 8);

/** The last picture with what has changed; nothing where that does not fit. @param {{variant: number, epoch: number}} head @param {Uint8Array} sent @param {number} links @param {number} routers */
export function changed({ variant, epoch }, sent, links, routers) {
  const before = last.get(variant);
  if (before?.epoch !== epoch || before.bytes.length !== 4 * links + 2 * routers) return null;
  const bytes = before.bytes.slice();
  let at = bitsOf(links);
  for (let block = 0; BLOCK * block < links; block += 1) {
    if (((sent[block >> 3] >> (block & 7)) & 1) === 0) continue;
    const [from, to] = [4 * BLOCK * block, Math.min(4 * BLOCK * (block + 1), 4 * links)];
    if (at + to - from > sent.length) return null;
    bytes.set(sent.subarray(at, at + to - from), from);
    at += to - from;
  }
  if (at === sent.length) return bytes;
  if (at + 2 * routers !== sent.length) return null;
  bytes.set(sent.subarray(at), 4 * links);
  return bytes;
}

/** @param {ArrayBuffer} buffer */
export function binary(buffer) {
  const head = header(buffer);
  if (head === null) return;
  if (head.kind === KINDS.places) return places(buffer);
  if (store.places === null) return;
  const { links, routers } = store.places.counts;
  // What is not of this network comes from before another one was begun.
  const least = { [KINDS.picture]: 4 * links + 2 * routers, [KINDS.changes]: bitsOf(links), [KINDS.aside]: links, [KINDS.detail]: 8, [KINDS.trees]: 2 * links }[head.kind];
  if (least === undefined || head.bytes !== buffer.byteLength - HEADER || head.bytes < least) return;
  if (head.kind === KINDS.picture || head.kind === KINDS.changes) {
    const bytes = head.kind === KINDS.picture ? new Uint8Array(buffer, HEADER, 4 * links + 2 * routers) : changed(head, new Uint8Array(buffer, HEADER), links, routers);
    if (bytes === null) return;
    last.set(head.variant, { epoch: head.epoch, bytes });
    const picture = { cycle: head.cycle, covers: head.covers, links: bytes.subarray(0, 4 * links), routers: bytes.subarray(4 * links), trees: null, roots: [] };
    store.dropped += head.variant === store.variants[0]?.letter ? head.dropped : 0;
    addPicture(head.variant, picture);
    got = head.number;
  } else if (head.kind === KINDS.aside) {
    const picture = store.now[head.variant];
    if (picture !== undefined) picture.aside = new Uint8Array(buffer, HEADER, links);
  } else if (head.kind === KINDS.detail) {
    const picture = store.now[head.variant];
    if (picture !== undefined) picture.close = detail(buffer, HEADER);
  } else if (head.kind === KINDS.trees) {
    const picture = store.now[head.variant];
    if (picture === undefined) return;
    const view = new DataView(buffer, HEADER + 2 * links);
    picture.trees = new Uint16Array(buffer.slice(HEADER, HEADER + 2 * links));
    for (let at = 0; at + 12 <= view.byteLength; at += 12) {
      picture.roots.push({ router: view.getUint32(at, true), port: view.getUint16(at + 4, true), depth: view.getUint16(at + 6, true), branches: view.getUint32(at + 8, true) });
    }
    store.pictures += 1;
    tell("picture");
  }
}

/** Tells the server which picture was drawn. */
export function acknowledge() {
  if (got !== drawn && socket?.readyState === WebSocket.OPEN) {
    drawn = got;
    socket.send(JSON.stringify({ op: "ack", n: got }));
  }
}

/** @param {ArrayBuffer} buffer */
function places(buffer) {
  if (buffer.byteLength < HEADER + 16) return;
  const view = new DataView(buffer, HEADER);
  const [routers, links, pieces, bundles] = [0, 4, 8, 12].map((at) => view.getUint32(at, true));
  if (view.byteLength !== 16 + 8 * routers + 12 * links + 48 * pieces + (bundles > 0 ? 4 * links : 0)) return;
  const spots = new Float32Array(buffer, HEADER + 16, 2 * routers);
  const ends = new Uint32Array(buffer, HEADER + 16 + 8 * routers, 3 * links);
  const curves = new Float32Array(buffer, HEADER + 16 + 8 * routers + 12 * links, 12 * pieces);
  const bundle = bundles > 0 ? new Uint32Array(buffer, HEADER + 16 + 8 * routers + 12 * links + 48 * pieces, links) : null;
  const byPort = new Map();
  for (let i = 0; i < links; i += 1) byPort.set(`${ends[3 * i]}:${ends[3 * i + 2]}`, i);
  const known = store.places?.counts;
  const { number } = /** @type {any} */ (header(buffer));
  const same = known?.routers === routers && known.links === links;
  store.places = parted({ counts: { routers, links, pieces, bundles }, spots, ends, curves, bundle, byPort, turn: number });
  if (!same) store.now = {};
  tell("places");
}
