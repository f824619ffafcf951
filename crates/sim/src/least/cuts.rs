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
    let mut single = Single::new(network);
    let mut orders = vec![Order::new(network, |router| router)];
    if let Some(grid) = network.grid() {
        let along = |dimension: usize| Order::new(network, |router| grid.coordinates(router)[dimension]);
        orders.extend((0..grid.dimensions()).map(along));
    }
    // PERF: programs are long, so each message is asked for once.
    messages(placed, |node| network.router_of(node), &mut |from, to, flits| {
        single.add(from, to, flits);
        orders.iter_mut().for_each(|order| order.message(from, to, flits));
    });
    orders.into_iter().map(Order::bound).fold(single.bound(), u64::max)
}

/// Flits in a cycle over a link.
fn width(period: u32) -> f64 {
    1.0 / f64::from(period.max(1))
}

/// Every router by itself: what it sends and what it gets.
struct Single {
    out: Vec<Crossing>,
    into: Vec<Crossing>,
}

impl Single {
    fn new(network: &Network) -> Single {
        let mut out = vec![Crossing::default(); network.routers()];
        let mut into = out.clone();
        for router in 0..network.routers() as u32 {
            for (_, link) in network.links_of(router).filter(|(_, link)| link.to.router != router) {
                out[router as usize].links += width(link.period);
                into[link.to.router as usize].links += width(link.period);
            }
        }
        Single { out, into }
    }

    fn add(&mut self, from: u32, to: u32, flits: u32) {
        if from != to {
            self.out[from as usize].flits += u64::from(flits);
            self.into[to as usize].flits += u64::from(flits);
        }
    }

    fn bound(self) -> u64 {
        self.out.into_iter().chain(self.into).map(Crossing::cycles).max().unwrap_or(0)
    }
}

/// The routers up to each place of an order against those behind it. Routers may share a place.
struct Order {
    /// By router.
    places: Vec<u32>,
    /// Changes of flits and links from one place to the next: of cuts crossed upwards, and of those crossed downwards.
    up: Vec<(i64, f64)>,
    down: Vec<(i64, f64)>,
}

impl Order {
    fn new(network: &Network, place: impl Fn(u32) -> u32) -> Order {
        let places: Vec<u32> = (0..network.routers() as u32).map(place).collect();
        let changes = vec![(0, 0.0); places.iter().max().map_or(0, |&last| last as usize + 1) + 1];
        let mut order = Order { places, up: changes.clone(), down: changes };
        for router in 0..network.routers() as u32 {
            for (_, link) in network.links_of(router) {
                let (list, low, high) = order.between(router, link.to.router);
                list[low].1 += width(link.period);
                list[high].1 -= width(link.period);
            }
        }
        order
    }

    fn message(&mut self, from: u32, to: u32, flits: u32) {
        let (list, low, high) = self.between(from, to);
        list[low].0 += i64::from(flits);
        list[high].0 -= i64::from(flits);
    }

    /// The changes of the cuts that a way crosses, and the places of the first of these and of the first behind them.
    fn between(&mut self, from: u32, to: u32) -> (&mut [(i64, f64)], usize, usize) {
        let [from, to] = [from, to].map(|router| self.places[router as usize] as usize);
        if from < to { (&mut self.up, from, to) } else { (&mut self.down, to, from) }
    }

    fn bound(self) -> u64 {
        largest(self.up).max(largest(self.down))
    }
}

fn largest(changes: Vec<(i64, f64)>) -> u64 {
    let (mut now, mut most) = ((0_i64, 0.0_f64), 0);
    for (flits, links) in changes {
        now = (now.0 + flits, now.1 + links);
        most = most.max(Crossing { flits: now.0.max(0) as u64, links: now.1 }.cycles());
    }
    most
}
