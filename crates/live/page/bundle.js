// Bundles: several links from one group or cell to another one that are drawn as one lane, until somebody zooms in. Lanes are the links, then
// the bundles.

import { store } from "./store.js";

/** A lane of a bundle: its use is the mean of its links, its queue the worst of theirs. @param {Uint8Array} lanes @param {number} lane @param {number[]} links */
function sum(lanes, lane, links) {
  let [use, worst] = [0, links[0]];
  let state = 0;
  const weight = (/** @type {number} */ link) => 256 * lanes[4 * link + 1] + lanes[4 * link + 2];
  for (const link of links) {
    use += lanes[4 * link];
    state = Math.max(state, lanes[4 * link + 3] & 3);
    if (weight(link) > weight(worst)) worst = link;
  }
  lanes.set([Math.round(use / links.length), lanes[4 * worst + 1], lanes[4 * worst + 2], (lanes[4 * worst + 3] & 0xfc) | state], 4 * lane);
}

/** From so many pixels a link on the links of a bundle are drawn for themselves. */
const OPEN = 14;

/** Places with the pieces of bundles, which know those with the pieces of all links. @param {any} whole what the server sends: the pieces of both */
export function parted(whole) {
  const { bundle, curves } = whole;
  if (!bundle) return whole;
  const { links, bundles: count } = whole.counts;
  const side = (/** @type {boolean} */ open) => {
    const shown = (/** @type {number} */ lane) => (open ? lane < links : lane >= links || bundle[lane] >= count);
    const kept = Array.from({ length: curves.length / 12 }, (_, n) => n).filter((n) => shown(Math.round(curves[12 * n + 8])));
    const part = new Float32Array(12 * kept.length);
    kept.forEach((n, i) => part.set(curves.subarray(12 * n, 12 * n + 12), 12 * i));
    return { ...whole, counts: { ...whole.counts, pieces: kept.length }, curves: part, whole, open };
  };
  const [closed, opened] = [side(false), side(true)];
  [closed.other, opened.other] = [opened, closed];
  return closed;
}

/** The places that belong to a scale. @param {any} places @param {number} scale pixels a link */
export const at = (places, scale) => (places.other && places.open !== scale >= OPEN ? places.other : places);

/** The links of each bundle. @returns {number[][]} */
export function bundles() {
  const { places } = store;
  if (places.members === undefined) {
    places.members = Array.from({ length: places.counts.bundles ?? 0 }, () => []);
    places.bundle?.forEach((/** @type {number} */ of, /** @type {number} */ link) => places.members[of]?.push(link));
  }
  return places.members;
}

/** What a picture has of lanes, four bytes each as of links. @param {any} picture @returns {Uint8Array} */
export function lanes(picture) {
  if (!store.places?.bundle) return picture.links;
  if (picture.lanes === undefined) {
    const links = store.places.counts.links;
    picture.lanes = new Uint8Array(4 * (links + bundles().length));
    picture.lanes.set(picture.links);
    bundles().forEach((members, bundle) => sum(picture.lanes, links + bundle, members));
  }
  return picture.lanes;
}

/** The rank of each lane's tree in a byte: 1 to 6, 7 for others, 0 for none. @param {any} picture @returns {Uint8Array} */
export function ranks(picture) {
  if (picture.ranks === undefined) {
    const { links } = store.places.counts;
    picture.ranks = new Uint8Array(links + bundles().length);
    if (picture.trees) for (let i = 0; i < links; i += 1) picture.ranks[i] = Math.min(7, picture.trees[i]);
    bundles().forEach((members, bundle) => {
      const there = members.map((link) => picture.ranks[link]).filter((rank) => rank > 0);
      picture.ranks[links + bundle] = there.length > 0 ? Math.min(...there) : 0;
    });
  }
  return picture.ranks;
}

/** The lane in which a link is drawn. @param {number} link */
export function laneOf(link) {
  const { bundle, counts, open } = store.places;
  return bundle && !open && bundle[link] < counts.bundles ? counts.links + bundle[link] : link;
}

/** The link that a lane stands for: of a bundle the one with the longest queue. @param {number} lane */
export function linkOf(lane) {
  const { links } = store.places.counts;
  if (lane < links) return lane;
  const picture = store.now[store.read];
  const level = (/** @type {number} */ link) => (picture ? picture.links[4 * link + 1] : 0);
  return bundles()[lane - links].reduce((worst, link) => (level(link) > level(worst) ? link : worst));
}
