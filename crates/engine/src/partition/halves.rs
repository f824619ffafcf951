//! Any network in parts that have about as much to do and few links between them.
//!
//! The network is halved, and so are the halves, until there are enough parts. A half begins as the routers of the lowest numbers, which
//! families give to groups, and as those around one router; then routers go over to the other side as long as that saves links
//! (Fiduccia and Mattheyses, DAC 1982), and the better of both is taken. Nothing is drawn, so the parts are the same everywhere.

use std::collections::BTreeSet;
use tailback_network::Network;

/// How often all routers of a half are looked at.
const PASSES: usize = 4;

/// How much more than its share a side may have to do: a part in so many.
const SLACK: u64 = 32;

/// The part of every router.
pub fn parts(network: &Network, parts: usize) -> Vec<u16> {
    let mut part_of = vec![0; network.routers()];
    let mut pieces = vec![((0..network.routers() as u32).collect::<Vec<u32>>(), 0, parts)];
    while let Some((routers, first, parts)) = pieces.pop() {
        if parts == 1 {
            routers.into_iter().for_each(|router| part_of[router as usize] = first as u16);
            continue;
        }
        let near_parts = parts / 2;
        let (near, far) = Halving::new(network, &routers, near_parts, parts).best();
        pieces.push((near, first, near_parts));
        pieces.push((far, first + near_parts, parts - near_parts));
    }
    part_of
}

/// Some routers of a network, which are to be halved.
struct Halving {
    routers: Vec<u32>,
    /// By place in `routers`: the places of those at the other ends of its links.
    peers: Vec<Vec<u32>>,
    /// What a router has to do: it has outputs for its links and its nodes.
    work: Vec<u64>,
    /// The least and the most that the near side has to do.
    bounds: (u64, u64),
    /// What it should have.
    share: u64,
    /// The fewest and the most routers of the near side.
    counts: (usize, usize),
}

impl Halving {
    /// For `near` of `parts` parts, each of which needs a router.
    fn new(network: &Network, routers: &[u32], near: usize, parts: usize) -> Halving {
        // Routers are in the order of their numbers.
        let place = |router: u32| routers.binary_search(&router).ok().map(|at| at as u32);
        let peers = |&router: &u32| network.links_of(router).filter_map(|(_, link)| place(link.to.router)).collect();
        let work: Vec<u64> = routers
            .iter()
            .map(|&router| network.links_of(router).count() as u64 + u64::from(network.nodes_at(router)))
            .collect();
        let all: u64 = work.iter().sum();
        let share = all * near as u64 / parts as u64;
        let bounds = (share.saturating_sub(all / SLACK), share + all / SLACK);
        let counts = (near, routers.len() - (parts - near));
        Halving { routers: routers.to_vec(), peers: routers.iter().map(peers).collect(), work, bounds, share, counts }
    }

    /// The routers of both sides.
    fn best(&self) -> (Vec<u32>, Vec<u32>) {
        let starts = [(0..self.routers.len() as u32).collect(), self.around(self.farthest(0))];
        let tried = starts.map(|order: Vec<u32>| {
            let mut near = self.filled(&order);
            (0..PASSES).take_while(|_| self.improve(&mut near)).count();
            (self.links_cut(&near), near)
        });
        let [first, second] = tried;
        let (_, near) = if second.0 < first.0 { second } else { first };
        let side =
            |of: bool| self.routers.iter().zip(&near).filter(|&(_, &near)| near == of).map(|(&r, _)| r).collect();
        (side(true), side(false))
    }

    /// All places in the order of their distance from one; those that it does not reach come last.
    fn around(&self, start: u32) -> Vec<u32> {
        let (mut order, mut known) = (Vec::with_capacity(self.routers.len()), vec![false; self.routers.len()]);
        for start in std::iter::once(start).chain(0..self.routers.len() as u32) {
            let mut next = order.len();
            if !std::mem::replace(&mut known[start as usize], true) {
                order.push(start);
            }
            while let Some(&at) = order.get(next) {
                next += 1;
                for &peer in &self.peers[at as usize] {
                    if !std::mem::replace(&mut known[peer as usize], true) {
                        order.push(peer);
                    }
                }
            }
        }
        order
    }

    fn farthest(&self, from: u32) -> u32 {
        *self.around(from).last().expect("there are routers")
    }

    /// Whether each place is on the near side: the first of an order, until these have their share.
    fn filled(&self, order: &[u32]) -> Vec<bool> {
        let mut near = vec![false; self.routers.len()];
        let (mut work, mut count) = (0, 0);
        for &at in order {
            let more = work + self.work[at as usize] / 2;
            if count >= self.counts.0 && (more >= self.share || count >= self.counts.1) {
                break;
            }
            near[at as usize] = true;
            work += self.work[at as usize];
            count += 1;
        }
        near
    }

    /// Links between both sides, each direction by itself.
    fn links_cut(&self, near: &[bool]) -> usize {
        let across =
            |(at, peers): (usize, &Vec<u32>)| peers.iter().filter(|&&peer| near[peer as usize] != near[at]).count();
        self.peers.iter().enumerate().map(across).sum()
    }

    /// The links that fewer are cut if a place goes over to the other side.
    fn gain(&self, near: &[bool], at: u32) -> i64 {
        let one = |&peer: &u32| if near[peer as usize] == near[at as usize] { -1 } else { 1 };
        self.peers[at as usize].iter().map(one).sum()
    }

    /// Lets every place go over once at most, that which saves most first, and goes back to the best of all that. Returns whether that is
    /// better than before.
    fn improve(&self, near: &mut [bool]) -> bool {
        let mut gains: Vec<i64> = (0..near.len() as u32).map(|at| self.gain(near, at)).collect();
        // By side, those that have not gone over, best first.
        let of_side = |side: bool| {
            let all = (0u32..).zip(gains.iter().zip(&*near)).filter(move |&(_, (_, &near))| near == side);
            all.map(|(at, (&gain, _))| (-gain, at)).collect::<BTreeSet<(i64, u32)>>()
        };
        let mut open = [of_side(false), of_side(true)];
        let of_near = || near.iter().zip(&self.work).filter(|&(&near, _)| near).map(|(_, &work)| work);
        let (mut work, mut count) = (of_near().sum::<u64>(), of_near().count());
        let (mut moved, mut saved, mut best) = (Vec::new(), 0, (0, 0));
        loop {
            let firsts = open.iter().filter_map(|side| side.first().copied());
            let Some((loss, at)) = firsts.filter(|&(_, at)| self.may_go(near[at as usize], at, work, count)).min()
            else {
                break;
            };
            let goes = near[at as usize];
            open[usize::from(goes)].remove(&(loss, at));
            (work, count) = match goes {
                true => (work - self.work[at as usize], count - 1),
                false => (work + self.work[at as usize], count + 1),
            };
            near[at as usize] = !goes;
            moved.push(at);
            saved -= loss;
            if saved > best.0 {
                best = (saved, moved.len());
            }
            if moved.len() > best.1 + 64 + near.len() / 16 {
                break;
            }
            for &peer in &self.peers[at as usize] {
                let more = if near[peer as usize] == near[at as usize] { -2 } else { 2 };
                let (gain, side) = (&mut gains[peer as usize], &mut open[usize::from(near[peer as usize])]);
                if side.remove(&(-*gain, peer)) {
                    side.insert((-(*gain + more), peer));
                }
                *gain += more;
            }
        }
        moved[best.1..].iter().for_each(|&at| near[at as usize] = !near[at as usize]);
        best.0 > 0
    }

    /// Whether both sides have enough to do behind a move, or more evenly so than before.
    fn may_go(&self, is_near: bool, at: u32, work: u64, count: usize) -> bool {
        let ((least, most), (fewest, many)) = (self.bounds, self.counts);
        match is_near {
            true => count > fewest && (work - self.work[at as usize] >= least || work > most),
            false => count < many && (work + self.work[at as usize] <= most || work < least),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_network::graph::{Builder, LinkKind, Port, Seats, Wire};

    /// A network of these links, with a node at each router.
    fn network(routers: usize, links: &[(u32, u32)]) -> Network {
        let mut used = vec![0; routers];
        links.iter().for_each(|&(a, b)| [a, b].into_iter().for_each(|router| used[router as usize] += 1));
        let mut builder = Builder::new(&used, Seats::even(routers, 1)).expect("small");
        used.fill(0);
        for &(a, b) in links {
            let mut port = |router: u32| {
                used[router as usize] += 1;
                Port { router, port: used[router as usize] - 1 }
            };
            let ends = (port(a), port(b));
            builder.join(ends.0, ends.1, Wire::new(1, LinkKind::Any)).expect("free ports");
        }
        builder.finish().expect("connected")
    }

    fn cut(network: &Network, part_of: &[u16]) -> usize {
        let routers = 0..network.routers() as u32;
        let ends = routers.flat_map(|router| network.links_of(router).map(move |(_, link)| (router, link.to.router)));
        ends.filter(|&(a, b)| part_of[a as usize] != part_of[b as usize]).count()
    }

    /// Groups whose routers are all joined, with one link from each group to the next; numbered across the groups.
    fn groups(count: u32, size: u32) -> Network {
        let router = |group: u32, at: u32| at * count + group;
        let inside =
            |group| (0..size).flat_map(move |a| (a + 1..size).map(move |b| (router(group, a), router(group, b))));
        let mut links: Vec<(u32, u32)> = (0..count).flat_map(inside).collect();
        links.extend((0..count).map(|group| (router(group, 0), router((group + 1) % count, 1))));
        network((count * size) as usize, &links)
    }

    #[test]
    fn groups_stay_together_whatever_their_numbers() {
        let network = groups(8, 6);
        for (count, most) in [(2, 2 * 2), (4, 2 * 4), (8, 2 * 8)] {
            let part_of = parts(&network, count);
            assert!(cut(&network, &part_of) <= most, "{count} parts cut {} links", cut(&network, &part_of));
            let by_number: Vec<u16> = (0..48).map(|router| (router * count / 48) as u16).collect();
            assert!(cut(&network, &by_number) > 10 * most);
        }
    }

    #[test]
    fn every_part_has_routers_and_its_share_of_the_work() {
        let ring: Vec<(u32, u32)> = (0..30).map(|at| (at, (at + 1) % 30)).collect();
        let star: Vec<(u32, u32)> = (1..20).map(|at| (0, at)).collect();
        for network in [network(30, &ring), network(20, &star), groups(5, 4)] {
            for count in 1..=network.routers() {
                let part_of = parts(&network, count);
                let mut sizes = vec![0; count];
                part_of.iter().for_each(|&part| sizes[usize::from(part)] += 1);
                assert!(sizes.iter().all(|&size| size > 0), "{count} parts: {sizes:?}");
                assert_eq!(part_of, parts(&network, count));
            }
        }
        let part_of = parts(&network(30, &ring), 3);
        let sizes = [0, 1, 2].map(|part| part_of.iter().filter(|&&of| of == part).count());
        assert!(sizes.iter().all(|size| (8..=12).contains(size)), "{sizes:?}");
        assert_eq!(cut(&network(30, &ring), &part_of), 6);
    }
}
