// Bundles: several links from one group to another one that are drawn as one lane. Lanes are the links, then the bundles.

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
  const { bundle, counts } = store.places;
  return bundle && bundle[link] < counts.bundles ? counts.links + bundle[link] : link;
}

/** The link that a lane stands for: of a bundle the one with the longest queue. @param {number} lane */
export function linkOf(lane) {
  const { links } = store.places.counts;
  if (lane < links) return lane;
  const picture = store.now[store.read];
  const level = (/** @type {number} */ link) => (picture ? picture.links[4 * link + 1] : 0);
  return bundles()[lane - links].reduce((worst, link) => (level(link) > level(worst) ? link : worst));
}
