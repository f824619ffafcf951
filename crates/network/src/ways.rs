//! The minimal ways of a network in a table: by router and destination, the output ports that lead on.

use crate::NONE;
use crate::family::{Built, Minimal};
use crate::graph::Network;
use std::collections::BTreeMap;

/// The most pairs of a router and a router with nodes that a table has.
pub const MOST_PAIRS: u64 = 1 << 24;

/// Pairs of a router and a router with nodes.
pub fn pairs(network: &Network) -> u64 {
    ends(network).count() as u64 * network.routers() as u64
}

/// The routers with nodes.
pub fn ends(network: &Network) -> impl Iterator<Item = u32> + '_ {
    (0..network.routers() as u32).filter(|&router| network.nodes_at(router) > 0)
}

/// Minimal ways to every router with nodes.
#[derive(Clone, Debug)]
pub struct Ways {
    routers: usize,
    /// The number of a router among those with nodes.
    end_of: Box<[u32]>,
    /// By end, then router: what most hops want to know.
    brief: Box<[Brief]>,
    /// By end, then router: the list of ports, and the links that are left.
    at: Box<[Entry]>,
    /// Where each list begins in `ports`, and one more.
    first: Vec<u32>,
    ports: Vec<u8>,
}

/// The ways from a router.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The list of their first ports.
    pub list: u32,
    /// Their links.
    pub distance: u16,
}

/// The ways from a router where there is one, and it is not long.
///
/// PERF: two bytes per pair stay in the caches, and a packet's first hop finds there what its start has read
/// (`tailback bench dragonfly-1056`).
#[derive(Clone, Copy, Debug)]
struct Brief {
    /// The port, if it is one, or [`MANY`].
    only: u8,
    /// The links, or [`FAR`].
    distance: u8,
}

/// Not one port, or the last of 256.
const MANY: u8 = u8::MAX;

/// So many links or more.
const FAR: u8 = u8::MAX;

/// The port that a number chooses among several.
#[inline]
pub fn choose(ports: &[u8], number: u32) -> u8 {
    let many = ports.len() as u32;
    let place = if many.is_power_of_two() { number & (many - 1) } else { number % many };
    ports[place as usize]
}

impl Ways {
    /// The ways of a network with at most [`MOST_PAIRS`] and at most 256 ports a router.
    pub fn new(built: &Built) -> Ways {
        let network = &built.network;
        Ways::of(network, |to, lists, at| match &built.minimal {
            Minimal::Shortest => shortest(network, to, lists, at),
            Minimal::Rule(rule) => {
                let ports = |router: u32, ports: &mut Vec<usize>| rule.ports(router, to, ports);
                ruled(network, to, ports, lists, at);
            }
        })
    }

    /// All shortest ways, whatever the family says.
    pub fn shortest(network: &Network) -> Ways {
        Ways::of(network, |to, lists, at| shortest(network, to, lists, at))
    }

    /// The ways whose entries `fill` adds for a destination, one per router.
    pub(crate) fn of(network: &Network, mut fill: impl FnMut(u32, &mut Lists, &mut Vec<Entry>)) -> Ways {
        assert!(pairs(network) <= MOST_PAIRS && network.most_ports() <= 256, "it was checked for larger networks");
        let mut end_of = vec![NONE; network.routers()];
        ends(network).zip(0..).for_each(|(router, end)| end_of[router as usize] = end);
        let mut lists = Lists { known: BTreeMap::new(), first: vec![0], ports: Vec::new() };
        let mut at = Vec::with_capacity(pairs(network) as usize);
        for to in ends(network) {
            fill(to, &mut lists, &mut at);
        }
        let short = |distance: u16| u8::try_from(distance).unwrap_or(FAR);
        let brief = |entry: &Entry| Brief { only: lists.only(entry.list), distance: short(entry.distance) };
        let brief = at.iter().map(brief).collect();
        let Lists { first, ports, .. } = lists;
        Ways { routers: network.routers(), end_of: end_of.into(), brief, at: at.into(), first, ports }
    }

    #[inline]
    fn place(&self, at: u32, to: u32) -> usize {
        self.end_of[to as usize] as usize * self.routers + at as usize
    }

    #[inline]
    fn entry(&self, at: u32, to: u32) -> Entry {
        self.at[self.place(at, to)]
    }

    /// The output ports that lead from a router to a router with nodes, in ascending order; none if that is the same.
    #[inline]
    pub fn ports(&self, at: u32, to: u32) -> &[u8] {
        self.listed(self.entry(at, to).list as usize)
    }

    #[inline]
    fn listed(&self, list: usize) -> &[u8] {
        &self.ports[self.first[list] as usize..self.first[list + 1] as usize]
    }

    /// The port that leads from a router to another one with nodes: of several the one that `number` chooses, given the links left.
    #[inline]
    pub fn port(&self, at: u32, to: u32, number: impl FnOnce(u32) -> u32) -> u8 {
        let place = self.place(at, to);
        let only = self.brief[place].only;
        if only != MANY {
            return only;
        }
        let Entry { list, distance } = self.at[place];
        choose(self.listed(list as usize), number(distance.into()))
    }

    /// The links of these ways.
    #[inline]
    pub fn distance(&self, at: u32, to: u32) -> u32 {
        let place = self.place(at, to);
        let distance = self.brief[place].distance;
        if distance != FAR { distance.into() } else { self.at[place].distance.into() }
    }

    /// Routers with nodes.
    pub fn ends(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.routers as u32).filter(|&router| self.end_of[router as usize] != NONE)
    }

    /// Links of the longest way between two routers with nodes.
    pub fn diameter(&self) -> u32 {
        let to = |to| self.ends().map(move |at| self.distance(at, to));
        self.ends().flat_map(to).max().unwrap_or(0)
    }
}

/// Lists of ports, each kept once.
pub(crate) struct Lists {
    known: BTreeMap<Vec<u8>, u32>,
    first: Vec<u32>,
    ports: Vec<u8>,
}

impl Lists {
    /// The entry of a list and the links of its ways.
    pub fn entry(&mut self, list: &mut Vec<u8>, distance: u16) -> Entry {
        Entry { list: self.number(list), distance }
    }

    /// The port of a list of one.
    fn only(&self, list: u32) -> u8 {
        match self.ports[self.first[list as usize] as usize..self.first[list as usize + 1] as usize] {
            [port] => port,
            _ => MANY,
        }
    }

    /// The number of a list, which is put in order.
    fn number(&mut self, list: &mut Vec<u8>) -> u32 {
        list.sort_unstable();
        if let Some(&number) = self.known.get(list) {
            return number;
        }
        let number = self.known.len() as u32;
        self.ports.extend_from_slice(list);
        self.first.push(self.ports.len() as u32);
        self.known.insert(list.clone(), number);
        number
    }
}

/// The links of every router that come closer to `to`.
fn shortest(network: &Network, to: u32, lists: &mut Lists, at: &mut Vec<Entry>) {
    let routers = network.routers() as u32;
    let mut distance = vec![u16::MAX; routers as usize];
    let mut queue = vec![to];
    distance[to as usize] = 0;
    let mut next = 0;
    while let Some(&router) = queue.get(next) {
        next += 1;
        let beyond = distance[router as usize] + 1;
        for (_, link) in network.links_of(router) {
            let far = &mut distance[link.to.router as usize];
            if *far == u16::MAX {
                *far = beyond;
                queue.push(link.to.router);
            }
        }
    }
    let mut list = Vec::new();
    for router in 0..routers {
        let here = distance[router as usize];
        list.clear();
        let closer = network.links_of(router).filter(|(_, link)| distance[link.to.router as usize] < here);
        list.extend(closer.map(|(port, _)| port as u8));
        at.push(lists.entry(&mut list, here));
    }
}

/// The links that a rule gives. Its ways between two routers are equally long, so the first port of each tells how far it is.
fn ruled(network: &Network, to: u32, rule: impl Fn(u32, &mut Vec<usize>), lists: &mut Lists, at: &mut Vec<Entry>) {
    let (mut ports, mut list, begin) = (Vec::new(), Vec::new(), at.len());
    let mut next = Vec::with_capacity(network.routers());
    for router in 0..network.routers() as u32 {
        ports.clear();
        if router != to {
            rule(router, &mut ports);
        }
        list.clear();
        list.extend(ports.iter().map(|&port| port as u8));
        next.push(
            ports.first().map_or(to, |&port| network.peer(router, port).expect("a rule leads along links").router),
        );
        at.push(lists.entry(&mut list, u16::MAX));
    }
    at[begin + to as usize].distance = 0;
    let mut trail = Vec::new();
    for router in 0..network.routers() {
        let mut here = router;
        while at[begin + here].distance == u16::MAX {
            assert!(trail.len() < network.routers(), "a rule leads to its destination");
            trail.push(here);
            here = next[here] as usize;
        }
        let known = at[begin + here].distance;
        for (more, back) in (1..).zip(trail.drain(..).rev()) {
            at[begin + back].distance = known + more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::testing::built;
    use crate::measure;

    /// Every port leads to a router that is one link closer, and the mean distance is that of the measures.
    fn check(kind: &str, sets: &str) {
        let built = built(kind, sets);
        let (network, ways) = (&built.network, Ways::new(&built));
        let (mut sum, mut pairs) = (0, 0);
        for to in ways.ends() {
            for at in 0..network.routers() as u32 {
                assert_eq!(ways.ports(at, to).is_empty(), at == to, "{kind}");
                let chosen = (0..ways.ports(at, to).len() as u32).map(|number| ways.port(at, to, |_| number));
                assert!(chosen.eq(ways.ports(at, to).iter().copied()), "{kind}: {at} to {to}");
                for &port in ways.ports(at, to) {
                    let far = network.peer(at, usize::from(port)).expect("a link").router;
                    assert_eq!(ways.distance(far, to) + 1, ways.distance(at, to), "{kind}: {at} to {to}");
                }
                let both = u64::from(network.nodes_at(at)) * u64::from(network.nodes_at(to) - u32::from(at == to));
                (sum, pairs) = (sum + both * u64::from(ways.distance(at, to)), pairs + both);
            }
        }
        let measures = measure::measure(&built);
        assert!((sum as f64 / pairs as f64 - measures.hops_mean.unwrap()).abs() < 1e-12, "{kind}");
        assert_eq!(Some(ways.diameter()), measures.diameter, "{kind}");
    }

    #[test]
    fn ways_are_minimal() {
        check("dragonfly", "routers_per_group=4 nodes_per_router=2 global_links=2");
        check("dragonfly", "routers_per_group=4 global_links=2 groups=5");
        check("hyperx", "sides=[4,3] trunks=[2,1] nodes_per_router=3");
        check("fat_tree", "arity=3 levels=3");
        check("slim_fly", "q=5");
        check("jellyfish", "routers=20 degree=4");
        check("crossbar", "nodes_per_router=5");
    }
}
