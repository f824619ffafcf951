//! Bounds of cuts: what goes from one set of routers to the others, over the links between them.
//!
//! Any set is a cut, so each gives a bound. These are looked at: every router alone, and the first so many routers in the order of their
//! numbers; in a grid also in the order of each coordinate. The middle planes of a grid are among them, and halves of the groups of a dragonfly.

use super::messages;
use tailback_network::Network;
use tailback_traffic::Placed;

/// What crosses a cut one way.
#[derive(Clone, Copy, Debug, Default)]
struct Crossing {
    /// Flits of the program.
    flits: u64,
    /// Flits that the links carry in this many cycles.
    links: f64,
}

impl Crossing {
    /// The cycles that it takes at least.
    fn cycles(self) -> u64 {
        // Without links the program never ends, and no bound is needed.
        // Sums of halves and thirds may be off by a little, on which no cycle may hang.
        if self.links > 1e-6 { (self.flits as f64 / (self.links + 1e-9)).ceil() as u64 } else { 0 }
    }
}

/// The largest of these bounds \[cycles\].
pub(super) fn bound(network: &Network, placed: &Placed) -> u64 {
    let mut most = single(network, placed);
    most = most.max(in_order(network, placed, |router| router));
    if let Some(grid) = network.grid() {
        for dimension in 0..grid.dimensions() {
            let planes = |router: u32| grid.coordinates(router)[dimension];
            most = most.max(in_order(network, placed, planes));
        }
    }
    most
}

/// Flits in a cycle over a link.
fn width(period: u32) -> f64 {
    1.0 / f64::from(period.max(1))
}

/// Every router by itself: what it sends and what it gets.
fn single(network: &Network, placed: &Placed) -> u64 {
    let mut out = vec![Crossing::default(); network.routers()];
    let mut into = out.clone();
    for router in 0..network.routers() as u32 {
        for (_, link) in network.links_of(router).filter(|(_, link)| link.to.router != router) {
            out[router as usize].links += width(link.period);
            into[link.to.router as usize].links += width(link.period);
        }
    }
    messages(placed, |node| network.router_of(node), &mut |from, to, flits| {
        if from != to {
            out[from as usize].flits += u64::from(flits);
            into[to as usize].flits += u64::from(flits);
        }
    });
    out.into_iter().chain(into).map(Crossing::cycles).max().unwrap_or(0)
}

/// The routers up to each place of an order against those behind it. Routers may share a place.
fn in_order(network: &Network, placed: &Placed, place: impl Fn(u32) -> u32) -> u64 {
    let routers = 0..network.routers() as u32;
    let places = routers.clone().map(&place).max().map_or(0, |last| last as usize + 1);
    // Changes from one place to the next: of cuts crossed upwards, and of those crossed downwards.
    let (mut up, mut down) = (vec![(0_i64, 0.0_f64); places + 1], vec![(0_i64, 0.0_f64); places + 1]);
    let mut add = |(from, to): (u32, u32), flits: i64, links: f64| {
        let (list, low, high) = if from < to { (&mut up, from, to) } else { (&mut down, to, from) };
        list[low as usize].0 += flits;
        list[low as usize].1 += links;
        list[high as usize].0 -= flits;
        list[high as usize].1 -= links;
    };
    for router in routers {
        for (_, link) in network.links_of(router) {
            add((place(router), place(link.to.router)), 0, width(link.period));
        }
    }
    messages(placed, |node| network.router_of(node), &mut |from, to, flits| {
        add((place(from), place(to)), i64::from(flits), 0.0);
    });
    [up, down].into_iter().map(largest).max().unwrap_or(0)
}

fn largest(changes: Vec<(i64, f64)>) -> u64 {
    let (mut now, mut most) = ((0_i64, 0.0_f64), 0);
    for (flits, links) in changes {
        now = (now.0 + flits, now.1 + links);
        most = most.max(Crossing { flits: now.0.max(0) as u64, links: now.1 }.cycles());
    }
    most
}
