//! Jellyfish: a random regular graph, the same on every machine.
//!
//! The stubs of all links (`degree` per router) are shuffled (Fisher-Yates from the top, SplitMix64) and paired. As long as a link
//! is a loop or stands twice, the first such link swaps ends with a random one. A graph that stays so, or is not connected, is
//! made again with the next seed.

use super::params::{entry, nodes_per_router, number, refusal};
use super::{Built, Family, edges, refused, sized};
use crate::graph::{Fault, LinkKind, Network, Seats, Wire};
use std::collections::{BTreeSet, HashMap};
use tailback_base::rng::below;
use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

static ENTRY: Entry = Entry {
    paper: "Singla et al., NSDI 2012",
    ..entry(
        "jellyfish",
        "a random graph in which every router has as many links",
        &[
            number("routers", "routers", (2, 1 << 24), "Number of routers."),
            number("degree", "links", (1, 1024), "Links of each router to others."),
            Param {
                name: "seed",
                kind: Kind::Integer { min: 0, max: i64::MAX },
                unit: "",
                fallback: Fallback::Integer(1),
                doc: "Seed of the graph. Where it gives no connected graph, the next seed is tried.",
            },
        ],
    )
};

pub static FAMILY: Family = Family { entry: &ENTRY, build };

/// The most ports of all routers: each link is kept several times until the graph is made.
const MOST_PORTS: u64 = 1 << 22;

/// The most swaps before a graph is given up: about a second.
const MOST_SWAPS: u64 = 1 << 20;

/// Seeds that are tried: fewer, where a graph takes long to make.
fn tries(stubs: u64) -> u64 {
    (MOST_PORTS / 4 / stubs).clamp(4, 100)
}

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let (routers, degree) = (view.u32("routers"), view.u32("degree"));
    let nodes = nodes_per_router(view, 1);
    let stubs = u64::from(routers) * u64::from(degree);
    sized(routers.into(), u64::from(routers) * u64::from(nodes), stubs)?;
    if degree >= routers || !stubs.is_multiple_of(2) || (degree == 1 && routers > 2) {
        let message = format!(
            "there is no connected graph of {routers} routers with {degree} links each: the degree must be below the number \
             of routers and above 1, and one of the two must be even"
        );
        return Err(refusal("topology.degree", message));
    }
    if stubs > MOST_PORTS {
        return Err(refused(Fault::TooLarge { what: "ports", count: stubs, most: MOST_PORTS }));
    }
    let wire = Wire::new(view.u32("link_cycles"), LinkKind::Any);
    let mut swaps = MOST_SWAPS;
    for seed in (0..tries(stubs)).map(|n| view.u64("seed").wrapping_add(n)) {
        let Some(links) = Pairing::new(routers, degree, seed).mended(&mut swaps) else { continue };
        match network(&links, routers, nodes, wire) {
            Err(Fault::Unconnected { .. }) => {}
            result => return result.map(Built::shortest).map_err(refused),
        }
    }
    let tried = tries(stubs);
    let message =
        format!("no connected graph was found with {tried} seeds; choose a degree of 3 or more, far below {routers}");
    Err(refusal("topology.degree", message))
}

fn network(links: &[(u32, u32)], routers: u32, nodes: u32, wire: Wire) -> Result<Network, Fault> {
    edges::network(links, Seats::even(routers as usize, nodes), wire)
}

/// SplitMix64.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        below(self.next(), bound as u64) as usize
    }
}

/// Stubs that were paired, and which pairs are no links of a simple graph.
struct Pairing {
    random: SplitMix,
    links: Vec<(u32, u32)>,
    /// The positions of every pair in `links`, in order. It is looked up, never iterated.
    places: HashMap<(u32, u32), Vec<u32>>,
    /// Positions of loops, and of pairs that stand before, too.
    bad: BTreeSet<usize>,
}

impl Pairing {
    fn new(routers: u32, degree: u32, seed: u64) -> Pairing {
        let mut random = SplitMix(seed);
        let mut stubs: Vec<u32> = (0..routers).flat_map(|r| std::iter::repeat_n(r, degree as usize)).collect();
        for i in (1..stubs.len()).rev() {
            stubs.swap(i, random.below(i + 1));
        }
        let mut pairing = Pairing { random, links: Vec::new(), places: HashMap::new(), bad: BTreeSet::new() };
        for (place, pair) in stubs.chunks_exact(2).enumerate() {
            pairing.links.push((0, 0));
            pairing.put(place, (pair[0], pair[1]));
        }
        pairing
    }

    /// The links, when all loops and doubles could be swapped away within the swaps that are left.
    fn mended(mut self, swaps: &mut u64) -> Option<Vec<(u32, u32)>> {
        for _ in 0..200 * self.links.len() {
            let Some(&bad) = self.bad.first() else { return Some(self.links) };
            *swaps = swaps.checked_sub(1)?;
            let other = self.random.below(self.links.len());
            let ((u, v), (x, y)) = (self.links[bad], self.links[other]);
            [(bad, (u, x)), (other, (v, y))].into_iter().for_each(|(place, pair)| {
                self.take(place);
                self.put(place, pair);
            });
        }
        None
    }

    fn put(&mut self, place: usize, (a, b): (u32, u32)) {
        let pair = (a.min(b), a.max(b));
        self.links[place] = pair;
        let places = self.places.entry(pair).or_default();
        let before = places.first().map(|&first| first as usize);
        places.insert(places.partition_point(|&other| (other as usize) < place), place as u32);
        if a == b || before.is_some_and(|first| first < place) {
            self.bad.insert(place);
        } else if let Some(later) = before {
            self.bad.insert(later);
        }
    }

    fn take(&mut self, place: usize) {
        let pair = self.links[place];
        self.bad.remove(&place);
        let places = self.places.get_mut(&pair).expect("every pair has its places");
        places.retain(|&other| other as usize != place);
        match places.first() {
            Some(&first) if pair.0 != pair.1 => drop(self.bad.remove(&(first as usize))),
            Some(_) => {}
            None => drop(self.places.remove(&pair)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, refused};
    use super::SplitMix;

    #[test]
    fn check_values() {
        let row = |sets, counts, mean, bound| check("jellyfish", sets, counts, (mean, bound, bound));
        row("routers=64 degree=6 nodes_per_router=2", (64, 128, 384, 4), 2.441929, 0.785135);
        row("routers=20 degree=4 nodes_per_router=2", (20, 40, 80, 4), 2.051282, 0.702703);
    }

    /// Published outputs of SplitMix64 with seed 1234567.
    #[test]
    fn random_numbers_are_those_of_splitmix64() {
        let mut random = SplitMix(1234567);
        assert_eq!([random.next(), random.next()], [6457827717110365317, 3203168211198807973]);
    }

    #[test]
    fn graphs_are_simple_and_differ_by_seed() {
        let peers = |seed: u32| {
            let network = built("jellyfish", &format!("routers=30 degree=5 seed={seed}")).network;
            let of = |r| network.links_of(r).map(|(_, link)| link.to.router).collect::<Vec<u32>>();
            (0..30).map(of).collect::<Vec<_>>()
        };
        for (router, peers) in peers(7).iter().enumerate() {
            let mut sorted = peers.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert!(sorted.len() == 5 && !sorted.contains(&(router as u32)));
        }
        assert!(peers(7) == peers(7) && peers(7) != peers(8));
    }

    #[test]
    fn graphs_that_do_not_exist_are_refused() {
        assert!(refused("jellyfish", "routers=5 degree=3").contains("no connected graph"));
        assert!(refused("jellyfish", "routers=4 degree=4").contains("no connected graph"));
        assert!(refused("jellyfish", "routers=4 degree=1").contains("no connected graph"));
        // Rings of which there are nearly always several, and a graph that has every link but a few.
        assert!(refused("jellyfish", "routers=50000 degree=2").contains("no connected graph was found with"));
        assert!(refused("jellyfish", "routers=40 degree=36").contains("no connected graph was found with"));
        assert_eq!(built("jellyfish", "routers=2 degree=1").network.links(), 2);
        assert_eq!(built("jellyfish", "routers=6 degree=5").network.links(), 30);
    }
}
