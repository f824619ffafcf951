// Answers: what is to be said now, what is selected and who waits there for whom, and how long packets take.

import { C, ofVariant, ramps } from "./colour.js";
import { $, fitted, fullness, letter, make, load, whole, who } from "./parts.js";
import { linkName, outputName, routerName, select } from "./map.js";
import { on, smoothed, store, tell } from "./store.js";
import { say } from "./wire.js";

const STATES = ["free", "contended", "stands still", "root of a tree"];
let spark = /** @type {HTMLCanvasElement|null} */ (null);
let announced = { kind: "", at: 0 };

/** The sentences, one block a variant. */
function words() {
  const blocks = store.variants.map((/** @type {any} */ v) => {
    const said = store.words.find((/** @type {any} */ w) => w.variant === v.letter);
    const row = (store.rows[v.letter] ?? []).at(-1);
    const picture = store.now[v.letter];
    const p = make("p");
    if (v.locked) {
      p.append(make("b", {}, `Deadlock since cycle ${whole(v.since)}: these packets wait for each other for ever. `), v.locked.slice(0, 12).join("; "), v.locked.length > 12 ? `; and ${v.locked.length - 12} more.` : ".");
      return make("div", { class: "why" }, who(v.letter), p);
    }
    if (!said || !row) {
      p.append("Nothing has moved yet. Space plays.");
      return make("div", { class: "why" }, who(v.letter), p);
    }
    const accepted = load(smoothed(v.letter, "accepted"));
    if (v.done) p.append(make("b", {}, `All work was done at cycle ${whole(v.done)}. `));
    p.append(make("b", {}, v.ends ? `${accepted} flits/node/cycle delivered. ` : `${accepted} of ${load(v.settings.traffic?.load)} accepted${against(v)}. `), said.text, " ");
    const top = picture?.roots[0];
    if (top) {
      const go = make("button", { class: "ref", onclick: () => selectRoot(top) }, outputName(top.router, top.port));
      p.append("Most stand behind ", make("span", { class: "nw" }, make("span", { class: "badge" }, "1"), " ", go), `: ${whole(top.branches)} ${top.branches === 1 ? "link" : "links"}.`);
    }
    return make("div", { class: "why" }, who(v.letter), p);
  });
  $("words").replaceChildren(...blocks);
  announce();
}

/** How much more a variant accepts than the first one. @param {any} v */
function against(v) {
  const [first] = store.variants;
  const [mine, its] = [smoothed(v.letter, "accepted"), smoothed(first.letter, "accepted")];
  if (v === first || mine === null || its === null) return "";
  const [name, more] = [letter(first.letter), load(Math.abs(mine - its))];
  if (Number(more) === 0) return `, as much as ${name}`;
  return `, ${more} ${mine > its ? "more" : "less"} than ${name} (${load(its)})`;
}

/** @param {any} root */
function selectRoot(root) {
  const link = store.places.byPort.get(`${root.router}:${root.port}`);
  select(link === undefined ? { router: root.router } : { link });
}

/** Says a change of kind, and seldom. */
function announce() {
  const kinds = store.variants.map((/** @type {any} */ v) => {
    const top = store.now[v.letter]?.roots[0];
    const name = store.variants.length > 1 ? `${letter(v.letter)}: ` : "";
    if (v.locked) return `${name}deadlock`;
    return name + (top === undefined ? "nothing stands still" : top.branches >= 10 ? "a large tree stands" : "small trees stand");
  });
  const kind = kinds.join("; ");
  if (kind === announced.kind || (store.playing && performance.now() - announced.at < 5000)) return;
  announced = { kind, at: performance.now() };
  $("live-region").textContent = kind;
}

/** What is selected. */
function selected() {
  const box = $("selected");
  $("clear").hidden = store.selected === null;
  spark = null;
  if (store.selected === null) {
    box.replaceChildren(make("p", { class: "note" }, "Point at a link or a router, and click it."));
    return;
  }
  const { link, router, packet } = store.selected;
  if (packet !== undefined) {
    box.replaceChildren(make("div", { class: "sel" }, `Packet ${whole(packet.number)} of node ${packet.source}`), make("div", { id: "story" }, make("p", { class: "note" }, "Its story is played once more …")));
    tellStory(packet);
    return;
  }
  const title = make("div", { class: "sel" }, link === undefined ? routerName(router).replace(/^(router )?/, "Router ") : `Link ${linkName(link)}`);
  const parts = [title];
  if (link !== undefined) {
    spark = make("canvas", { id: "spark", role: "img", "aria-label": "Level and use of the link over the last pictures" });
    parts.push(/** @type {any} */ (spark), make("dl", { class: "kv", id: "kv" }), make("div", { id: "channels" }));
  } else {
    parts.push(make("canvas", { id: "ports", role: "img" }));
  }
  parts.push(make("div", { id: "chain-words", class: "note" }), make("div", { id: "chain" }), make("div", { id: "waiting" }));
  box.replaceChildren(...parts);
  facts();
}

/** The numbers of what is selected. */
function facts() {
  if (store.selected === null || store.places === null || store.selected.packet !== undefined) return;
  const { link } = store.selected;
  const letters = store.variants.map((/** @type {any} */ v) => v.letter);
  if (link !== undefined) {
    const kv = $("kv");
    if (kv === null) return;
    const of = (/** @type {(p: any, scale: any) => string} */ say) => store.variants.map((/** @type {any} */ v) => { const p = store.now[v.letter]; return make("dd", { class: "abcd"[v.letter] }, p ? say(p, v.scale) : "–"); });
    const rows = /** @type {[string, (p: any, scale: any) => string][]} */ ([
      ["state", (p) => STATES[p.links[4 * link + 3] & 3]],
      ["use", (p) => (p.links[4 * link] / 255).toFixed(2)],
      ["fullest channel", (p, scale) => fullness(p.links[4 * link + 1], scale)],
      ...(store.variants.some((/** @type {any} */ v) => v.scale?.log) ? [] : /** @type {[string, (p: any) => string][]} */ ([["mean of channels", (p) => `${Math.round(p.links[4 * link + 2] / 2.55)} %`]])),
      ["heads that wait", (p) => { const n = p.links[4 * link + 3] >> 4; return n === 15 ? "15 or more" : String(n); }],
    ]);
    kv.style.gridTemplateColumns = `1fr repeat(${letters.length}, auto)`;
    kv.replaceChildren(...rows.flatMap(([name, say]) => [make("dt", {}, name), ...of(say)]));
    chain(link);
    channels();
    drawSpark(link, letters);
  } else drawPorts(store.selected.router);
  const waiting = $("waiting");
  if (waiting === null) return;
  const said = store.words.find((/** @type {any} */ w) => w.variant === store.read);
  const list = (said?.waiters ?? []).map((/** @type {any} */ w) => make("li", {},
    make("button", { class: "ref", title: "Its story so far", onclick: () => ask(w) }, make("b", {}, `packet ${w.number} of node ${w.source}`)), ` to node ${w.destination}${w.channel === null ? ", in its source queue" : `, channel ${w.channel}`}: ${w.does}`));
  // A click is not to hit what has just come in the place of what was meant.
  if (waiting.matches(":hover") && store.playing && waiting.childElementCount > 0) return;
  const kept = waiting.contains(document.activeElement) ? [...waiting.querySelectorAll("button")].indexOf(/** @type {any} */ (document.activeElement)) : -1;
  waiting.replaceChildren(make("p", { class: "note" }, list.length === 0 ? "No packet stands there." : `${letter(store.read)}: who stands there`), make("ul", { class: "waiters", tabindex: "0", "aria-label": "Packets that stand there" }, ...list));
  if (kept >= 0) waiting.querySelectorAll("button")[kept]?.focus();
}

/** Selects a packet. @param {{source: number, number: number, destination?: number}} w */
export function ask({ source, number, destination }) {
  store.story = null;
  select({ packet: { source, number, destination } });
}

on("packet", ask);

let asking = 0;

/** Asks for the story of a packet so far, and shows it. @param {any} packet */
async function tellStory(packet) {
  const mine = (asking += 1);
  const variant = store.read;
  const since = store.story?.number === packet.number && store.story?.source === packet.source ? { since: store.story.made } : {};
  try {
    const told = await say("story", { variant, source: packet.source, number: packet.number, ...since });
    if (mine !== asking || store.selected?.packet !== packet) return;
    store.story = { variant, ...told };
    showStory();
  } catch (error) {
    if (mine !== asking) return;
    const box = $("story");
    const own = store.story?.number === packet.number && store.story?.source === packet.source;
    if (box !== null && !own) box.replaceChildren(make("p", { class: "note" }, /** @type {Error} */ (error).message));
  }
  tell("draw");
}

/** The story as a line of queues, one below the other. */
function showStory() {
  const [box, told] = [$("story"), store.story];
  if (box === null || told === null) return;
  const stop = (/** @type {any} */ s) => {
    const stay = (s.left ?? told.end) - s.from;
    const waits = s.waits.filter((/** @type {any} */ w) => w.to - w.from > 0).slice(0, 6).map((/** @type {any} */ w) => make("div", { class: "note" }, `${whole(w.to - w.from)} ${w.to - w.from === 1 ? "cycle" : "cycles"}: ${w.words}`));
    const more = s.waits.length > 6 ? [make("div", { class: "note" }, `and ${s.waits.length - 6} more reasons`)] : [];
    return make("li", { class: s.left === null ? "here" : stay > 20 ? "long" : "" }, make("b", {}, whole(s.from)), ` ${s.place}`, s.left === null && told.arrived === null ? make("i", {}, " now") : "", ...waits, ...more);
  };
  const state = told.arrived === null ? `under way for ${whole(told.end - told.made)} cycles` : `arrived at cycle ${whole(told.arrived)}, after ${whole(told.arrived - told.made)} cycles`;
  box.replaceChildren(
    make("p", {}, make("span", { class: `who ${letter(told.variant)} small` }, letter(told.variant)), ` to node ${told.destination}, ${told.flits} flits, made at cycle ${whole(told.made)}; ${state}. `,
      make("button", { class: "ref", onclick: () => mark(told.source, told.destination) }, "follow its flow")),
    make("ol", { class: "story" }, ...told.stops.map(stop), ...(told.arrived === null ? [] : [make("li", { class: "end" }, make("b", {}, whole(told.arrived)), ` node ${told.destination}`)])),
  );
}

/** Follows a flow. @param {number} source @param {number} destination */
export const mark = (source, destination) => say("follow", { source, destination }).catch((/** @type {Error} */ e) => { $("flow-problem").textContent = e.message; });

/** The flow of what is selected: that of the packet, or of the first packet that waits there. */
export function markSelected() {
  const said = store.words.find((/** @type {any} */ w) => w.variant === store.read);
  const of = store.story ?? (said?.waiters ?? []).find((/** @type {any} */ w) => w.waits) ?? said?.waiters?.[0];
  if (of === undefined || of === null) return;
  mark(of.source, of.destination);
}

/** The flow whose ends the fields were given. */
let named = "";

/** What becomes of the packets of the flow that is followed: a row each, from being made over entering to arriving. */
function flow() {
  const box = $("flow");
  $("flow-end").hidden = store.flow === null;
  if (store.flow === null) return;
  if (String(store.flow) !== named) {
    // Once for each flow: what somebody types into these fields meanwhile stays.
    named = String(store.flow);
    [$("flow-from").value, $("flow-to").value] = store.flow.map(String);
  }
  const blocks = store.variants.map((/** @type {any} */ v) => {
    const packets = store.passengers[v.letter] ?? [];
    const times = packets.filter((/** @type {any} */ p) => p[3] !== null).map((/** @type {any} */ p) => p[3] - p[1]).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
    const words = times.length === 0 ? "none has arrived yet" : `${whole(times.length)} arrived; median ${whole(times[times.length >> 1])}, worst ${whole(times[times.length - 1])} cycles`;
    const waits = (store.flowAt[v.letter] ?? []).filter((/** @type {any} */ at) => at[3]);
    const now = waits.length > 0 ? `Packet ${waits[0][0]} ${waits[0][4]}.` : "";
    const canvas = make("canvas", { class: "passengers", role: "img", "aria-label": `Packets of the flow in ${letter(v.letter)}: ${words}` });
    return { letter: v.letter, packets, canvas, element: make("div", { class: "why" }, who(v.letter, "small"), make("p", {}, `${words}. ${now}`), ...(packets.length > 0 ? [canvas] : [])) };
  });
  box.replaceChildren(...blocks.map((/** @type {any} */ b) => b.element));
  const all = blocks.flatMap((/** @type {any} */ b) => b.packets.slice(0, 12));
  if (all.length === 0) return;
  const from = Math.min(...all.map((/** @type {any} */ p) => p[1]));
  const to = Math.max(store.cycle, from + 1);
  for (const { letter: l, packets, canvas } of blocks) {
    if (!canvas.isConnected) continue;
    const [g, w, h] = fitted(canvas);
    const x = (/** @type {number} */ cycle) => ((cycle - from) / (to - from)) * (w - 6) + 3;
    packets.slice(0, 12).reverse().forEach((/** @type {any} */ [, made, entered, arrived], /** @type {number} */ i) => {
      const y = 3 + i * ((h - 6) / 12);
      g.fillStyle = C.road1;
      g.fillRect(x(made), y + 1, Math.max(1, x(entered ?? store.cycle) - x(made)), 1.5);
      if (entered !== null) {
        g.fillStyle = ofVariant(l);
        g.fillRect(x(entered), y, Math.max(1.5, x(arrived ?? store.cycle) - x(entered)), 4);
      }
      if (arrived === null) { g.fillStyle = C.flow; g.fillRect(x(store.cycle) - 2, y - 0.5, 3, 5); }
    });
  }
}

/** The links that this one waits for, as small lanes with their queues, to the root. @param {any} picture @param {any} root */
function lanesToRoot(picture, root) {
  const box = $("chain");
  const said = store.words.find((/** @type {any} */ w) => w.variant === store.read);
  if (box === null) return;
  /** @type {[number, number][]} */
  const chain = said?.chain ?? [];
  const shown = chain.slice(0, 12);
  const isRoot = (/** @type {[number, number]|undefined} */ at) => at?.[0] === root?.router && at?.[1] === root?.port;
  const own = store.selected?.link !== undefined && store.places.byPort.get(`${root?.router}:${root?.port}`) === store.selected.link;
  // What lies between is not told where a chain is long, or where a queue on the way drains slowly.
  const gap = root !== undefined && !own && !isRoot(shown.at(-1));
  const steps = [...shown, ...(gap ? [/** @type {[number, number]} */ ([root.router, root.port])] : [])].map((/** @type {[number, number]} */ [router, port], /** @type {number} */ i) => {
    const link = store.places.byPort.get(`${router}:${port}`);
    const full = link === undefined ? 1 : picture.links[4 * link + 1] / 255;
    const fill = make("i");
    [fill.style.width, fill.style.background] = [`${Math.round(100 * full)}%`, ramps.queue[Math.round(15 * full)]];
    const name = outputName(router, port);
    return make("button", { class: "lane", title: name, "aria-label": `${i + 1}: ${name}, queue ${Math.round(100 * full)} %`, onclick: () => select(link === undefined ? { router } : { link }) }, make("span", {}, fill), name.split(" of ")[0]);
  });
  if (box.contains(document.activeElement) || (box.matches(":hover") && store.playing)) return;
  if (gap) steps.splice(-1, 0, make("span", { class: "note" }, "…"));
  box.replaceChildren(...steps);
}

/** How full each channel of the link is in the variant that is read, and which packet is in front of it. */
function channels() {
  const box = $("channels");
  const said = store.words.find((/** @type {any} */ w) => w.variant === store.read);
  const scale = store.variants.find((/** @type {any} */ v) => v.letter === store.read)?.scale;
  if (box === null || !said || !scale) return;
  const rows = Array.from({ length: Math.min(16, scale.channels) }, (_, channel) => {
    const here = said.waiters.filter((/** @type {any} */ w) => w.channel === channel);
    // What leaves does not stand in the way.
    const flits = here.reduce((/** @type {number} */ sum, /** @type {any} */ w) => sum + (w.waits ? w.flits : 0), 0);
    const first = here.find((/** @type {any} */ w) => w.position === 0);
    const fill = make("i");
    fill.style.width = `${Math.min(100, (100 * flits) / scale.flits)}%`;
    return make("div", { class: "lvl", title: first ? `packet ${first.number} of node ${first.source} ${first.does}` : "" }, make("span", {}, `ch ${channel}`), make("div", { class: "meter" }, fill), make("span", { class: "num" }, `${whole(flits)} fl`), make("span", { class: "owner" }, first ? `${first.number} of ${first.source}` : ""));
  });
  box.replaceChildren(...(scale.channels > 1 ? rows : []));
}

/** The ports of a router as a ring: outside how much each output carries, inside how full the queue behind each input is. @param {number} router */
function drawPorts(router) {
  const canvas = $("ports");
  const picture = store.now[store.read];
  if (canvas === null || !picture) return;
  const [g, w, h] = fitted(canvas);
  const { ends, counts } = store.places;
  const [outs, ins] = [/** @type {number[]} */ ([]), /** @type {Map<number, number>} */ (new Map())];
  for (let i = 0; i < counts.links; i += 1) {
    if (ends[3 * i] === router) outs.push(i);
    if (ends[3 * i + 1] === router && !ins.has(ends[3 * i])) ins.set(ends[3 * i], i);
  }
  const [x, y, large, small] = [w / 2, h / 2, 44, 30];
  const spots = store.places.spots;
  // Where its neighbour stands on the map, there is the port; several in one direction stand side by side.
  const ways = outs.map((link, n) => {
    const to = ends[3 * link + 1];
    const port = ends[3 * link + 2];
    const turn = store.hello.network.radix ? [0, Math.PI, -Math.PI / 2, Math.PI / 2][port] ?? (port * 2 * Math.PI) / outs.length + 0.4 : Math.atan2(-(spots[2 * to + 1] - spots[2 * router + 1]), spots[2 * to] - spots[2 * router]);
    return { link, n, turn, back: ins.get(to) };
  }).sort((a, b) => a.turn - b.turn);
  const each = Math.min(0.9, (2 * Math.PI) / Math.max(1, ways.length) - 0.06);
  const evenly = !store.hello.network.radix || ways.length > 4;
  g.font = "10px sans-serif";
  g.textBaseline = "middle";
  const words = ways.map(({ link, turn, back }, i) => {
    const at = evenly ? (2 * Math.PI * i) / ways.length - Math.PI / 2 : turn;
    const [use, full] = [picture.links[4 * link] / 255, back === undefined ? 0 : picture.links[4 * back + 1] / 255];
    for (const [radius, colour] of /** @type {[number, string][]} */ ([[large, use < 0.004 ? C.road0 : ramps.use[Math.round(15 * use)]], [small, full < 0.03 ? C.road0 : ramps.queue[Math.round(15 * full)]]])) {
      g.strokeStyle = colour;
      g.lineWidth = 10;
      g.beginPath();
      g.arc(x, y, radius, at - each / 2, at + each / 2);
      g.stroke();
    }
    const name = store.hello.network.radix ? outputName(router, ends[3 * link + 2]).split(" ")[0] : String(ends[3 * link + 1]);
    if (ways.length <= 24) {
      g.fillStyle = C.soft;
      g.textAlign = Math.cos(at) > 0.3 ? "left" : Math.cos(at) < -0.3 ? "right" : "center";
      g.fillText(name, x + (large + 10) * Math.cos(at), y + (large + 12) * Math.sin(at));
    }
    return `${name}: output in use ${use.toFixed(2)}, queue at the input ${Math.round(100 * full)} %`;
  });
  g.fillStyle = C.ink;
  g.textAlign = "center";
  const waiting = picture.routers[2 * router];
  g.font = "600 13px sans-serif";
  g.fillText(waiting === 255 ? "255+" : String(waiting), x, y - 3);
  g.font = "10px sans-serif";
  g.fillStyle = C.soft;
  g.fillText("to get in", x, y + 10);
  canvas.setAttribute("aria-label", `Ports: ${words.join("; ")}`);
}

/** For whose sake the link stands still. @param {number} link */
function chain(link) {
  const picture = store.now[store.read];
  const box = $("chain-words");
  if (!picture?.trees || box === null) return;
  const rank = picture.trees[link];
  lanesToRoot(picture, picture.roots[rank - 1]);
  if (rank === 0) {
    box.textContent = `It waits for nothing${store.variants.length > 1 ? ` in ${letter(store.read)}` : ""}.`;
    return;
  }
  const root = picture.roots[rank - 1];
  if (root === undefined) {
    box.textContent = `It is in tree ${rank} by size.`;
    return;
  }
  const own = store.places.byPort.get(`${root.router}:${root.port}`) === link;
  box.replaceChildren(own ? `The root of tree ${rank}: ` : `Stands in tree ${rank}, behind `, own ? `${whole(root.branches)} links stand behind it, up to ${root.depth} in a row.` : make("button", { class: "ref", onclick: () => selectRoot(root) }, outputName(root.router, root.port)), own ? "" : ` with ${whole(root.branches)} others.`);
}

/** Level and use over the last pictures. @param {number} link @param {number[]} letters */
function drawSpark(link, letters) {
  if (spark === null) return;
  const [g, w, h] = fitted(spark);
  const each = h / letters.length;
  letters.forEach((l, n) => {
    const past = (store.past[l] ?? []).slice(-72);
    const [base, high] = [each * (n + 1) - 3, each - 8];
    g.fillStyle = C.line;
    g.fillRect(14, base, w - 14, 1);
    const wide = (w - 16) / 72;
    past.forEach((/** @type {any} */ p, /** @type {number} */ i) => {
      const full = p.links[4 * link + 1] / 255;
      if (full < 0.03) return;
      g.fillStyle = ramps.queue[p.links[4 * link + 2] >> 4];
      g.fillRect(16 + i * wide, base - full * high, wide + 0.4, full * high);
    });
    g.strokeStyle = ofVariant(l);
    g.lineWidth = 1.5;
    g.beginPath();
    past.forEach((/** @type {any} */ p, /** @type {number} */ i) => {
      const y = base - (p.links[4 * link] / 255) * high;
      if (i === 0) g.moveTo(16, y);
      else g.lineTo(16 + (i + 0.5) * wide, y);
    });
    g.stroke();
    g.font = "700 10px sans-serif";
    g.fillStyle = ofVariant(l);
    g.textBaseline = "bottom";
    g.fillText(letter(l), 1, base + 2);
  });
}

/** Latencies of all packets delivered, in buckets of a third of a doubling. */
function histogram() {
  const canvas = $("histo");
  const [g, w, h] = fitted(canvas);
  const font = getComputedStyle(document.body).fontFamily;
  const letters = store.variants.map((/** @type {any} */ v) => v.letter);
  const tables = letters.map((/** @type {number} */ l) => store.words.find((/** @type {any} */ s) => s.variant === l)?.latencies ?? []);
  const sums = tables.map((/** @type {number[]} */ t) => t.reduce((a, b) => a + b, 0));
  $("latency-key").replaceChildren(...letters.map((/** @type {number} */ l, /** @type {number} */ i) => make("span", { class: "abcd"[l] }, make("b", {}, letter(l)), ` ${whole(sums[i])} packets`)));
  $("since").textContent = "since cycle 0";
  if (sums.every((/** @type {number} */ s) => s === 0)) return;
  let last = 12;
  for (const table of tables) table.forEach((/** @type {number} */ n, /** @type {number} */ i) => { if (n > 0) last = Math.max(last, i + 1); });
  const [base, high] = [h - 18, h - 26];
  const x = (/** @type {number} */ i) => 1 + (i / last) * (w - 2);
  g.font = `10px ${font}`;
  g.textBaseline = "middle";
  for (const v of [10, 100, 1000, 10000]) {
    const at = Math.log2(v / 8) * 3;
    if (at > last - 1) continue;
    g.fillStyle = C.line;
    g.fillRect(x(at), base, 1, 4);
    g.fillStyle = C.soft;
    g.textAlign = "center";
    if (x(at) < w - 56) g.fillText(whole(v), Math.max(8, x(at)), base + 11);
  }
  g.textAlign = "right";
  g.fillText("cycles", w - 1, base + 11);
  const top = Math.max(...tables.map((/** @type {number[]} */ t, /** @type {number} */ i) => Math.max(...t) / Math.max(1, sums[i])));
  letters.forEach((/** @type {number} */ l, /** @type {number} */ n) => {
    if (sums[n] === 0) return;
    const y = (/** @type {number} */ i) => base - (tables[n][i] / sums[n] / top) * high;
    g.beginPath();
    g.moveTo(x(0), base);
    for (let i = 0; i < last; i += 1) {
      g.lineTo(x(i), y(i));
      g.lineTo(x(i + 1), y(i));
    }
    g.lineTo(x(last), base);
    g.globalAlpha = 0.13;
    g.fillStyle = ofVariant(l);
    g.fill();
    g.globalAlpha = 1;
    g.strokeStyle = ofVariant(l);
    g.lineWidth = 1.5;
    g.stroke();
  });
  g.fillStyle = C.line;
  g.fillRect(0, base, w, 1);
  const most = letters.map((/** @type {number} */ l, /** @type {number} */ i) => `${letter(l)}: ${whole(sums[i])} packets`);
  canvas.setAttribute("aria-label", `Histogram of latencies. ${most.join("; ")}`);
}

/** Draws what changes with every picture. */
export function drawAsk() {
  facts();
}

/** Draws all of it anew. */
export function redrawAsk() {
  words();
  selected();
  histogram();
  flow();
}

on("words", () => {
  words();
  histogram();
  facts();
  flow();
  const packet = store.selected?.packet;
  if (packet !== undefined && store.story !== null && store.story.arrived === null && store.story.end !== store.cycle) tellStory(packet);
});
on("hello", () => {
  const nodes = store.hello.network.nodes;
  for (const id of ["flow-from", "flow-to"]) { $(id).max = String(nodes - 1); $(id).title = `A node, 0 to ${nodes - 1}`; }
});
on("selected", () => { selected(); tell("draw"); });
on("state", () => { words(); flow(); if (store.selected) facts(); });
