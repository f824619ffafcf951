//! Random networks, and damage to their files.

use crate::graph::{Builder, LinkKind, Network, Port, Seats, Wire};
use proptest::collection::vec;
use proptest::prelude::*;

const KINDS: [LinkKind; 6] =
    [LinkKind::Any, LinkKind::Local, LinkKind::Global, LinkKind::Up, LinkKind::Higher(3), LinkKind::Across(0)];

/// Connected networks of 1 to 40 routers with random ports, delays and nodes.
pub fn plain_networks() -> impl Strategy<Value = Network> {
    networks(false)
}

/// The same, also with parallel and narrow links.
pub fn any_networks() -> impl Strategy<Value = Network> {
    networks(true)
}

fn networks(all: bool) -> impl Strategy<Value = Network> {
    (1usize..=40).prop_flat_map(move |routers| {
        let wire = (1u32..=4096, 1u32..=4096, 1u32..=if all { 3 } else { 1 }, 0..KINDS.len());
        let link = (0..routers as u32, 0..routers as u32, wire);
        let tree = vec(any::<u32>(), routers);
        let seats = vec(0..routers as u32, 1..60);
        let holes = vec(0u32..if all { 3 } else { 1 }, routers);
        (tree, vec(link, 40 + routers), seats, holes).prop_map(move |(tree, links, seats, holes)| {
            let mut pairs: Vec<(u32, u32)> = (1..routers as u32).map(|r| (r, tree[r as usize] % r)).collect();
            pairs.extend(links[routers..].iter().map(|&(a, b, _)| (a, b)).filter(|(a, b)| a != b));
            if !all {
                pairs.iter_mut().for_each(|pair| *pair = (pair.0.max(pair.1), pair.0.min(pair.1)));
                pairs.sort_unstable();
                pairs.dedup();
            }
            let wires = links.iter().cycle().map(|&(_, _, (cycles, cycles_back, period, kind))| Wire {
                cycles,
                cycles_back,
                period,
                kind: KINDS[kind],
            });
            build(&pairs, wires, Seats::listed(routers, seats), &holes)
        })
    })
}

/// Ports are left free after the links of a router, and before its first one.
fn build(pairs: &[(u32, u32)], wires: impl Iterator<Item = Wire>, seats: Seats, holes: &[u32]) -> Network {
    let mut ports: Vec<u32> = holes.iter().map(|holes| 2 * holes).collect();
    pairs.iter().for_each(|&(a, b)| [a, b].into_iter().for_each(|router| ports[router as usize] += 1));
    let mut builder = Builder::new(&ports, seats).unwrap();
    let mut next = holes.to_vec();
    for (&(a, b), wire) in pairs.iter().zip(wires) {
        let [a, b] = [a, b].map(|router| {
            next[router as usize] += 1;
            Port { router, port: next[router as usize] - 1 }
        });
        builder.join(a, b, wire).unwrap();
    }
    builder.finish().unwrap()
}

/// What happens to a text: words of it are cut, copied, or replaced.
#[derive(Clone, Debug)]
pub struct Damage(Vec<(usize, usize, usize)>);

const WORDS: [&str; 14] = [
    "",
    "-1",
    "4294967296",
    "99999999999999999999",
    "node",
    "router",
    "routers",
    "kind",
    "trunk 32768",
    "\n",
    "#",
    "ports",
    "\u{0}",
    "S-1",
];

/// A few places of damage.
pub fn damage() -> impl Strategy<Value = Damage> {
    vec((any::<usize>(), any::<usize>(), 0..WORDS.len()), 1..6).prop_map(Damage)
}

impl Damage {
    /// The damaged text.
    pub fn apply(&self, text: &str) -> String {
        let mut text: Vec<char> = text.chars().collect();
        for &(from, length, word) in &self.0 {
            let from = from % (text.len() + 1);
            let end = text.len().min(from + length % 6);
            text.splice(from..end, WORDS[word].chars());
        }
        text.into_iter().collect()
    }
}
