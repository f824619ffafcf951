//! The shortest time that a message takes, before anybody is in its way: what a host may count on (`docs/embedding.md`).

use crate::alone::Alone;
use crate::prepare::Prepared;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tailback_network::Network;
use tailback_traffic::Hosted;

/// The most pairs of routers of which times are kept. In a larger network that is no grid, a message counts with one link.
const MOST_PAIRS: usize = 1 << 24;

/// The shortest times of messages of a host.
#[derive(Clone, Debug)]
pub struct Soonest {
    network: Network,
    bounds: Hosted,
    alone: Alone,
    /// The longest packet that the data path cuts messages into \[flits\].
    packet: u32,
    /// By router of the source, as far as one has sent: the time to each router. None where they would be too many.
    times: Vec<Option<Box<[u32]>>>,
}

impl Soonest {
    /// Those of a network; `None` where no host steps it.
    pub fn new(prepared: &Prepared) -> Option<Soonest> {
        let network = prepared.network().clone();
        let kept = if network.routers() * network.routers() <= MOST_PAIRS { network.routers() } else { 0 };
        Some(Soonest {
            bounds: *prepared.hosted()?,
            alone: Alone::of(&prepared.router),
            packet: prepared.router.packet_flits().unwrap_or(u32::MAX),
            times: vec![None; kept],
            network,
        })
    }

    /// Cycles from that in which a message of so many flits is sent to that in which it is delivered, at least. Ports as the engine numbers
    /// them, one a node and class. A message of several packets counts with one of them: the others may be beside it.
    pub fn cycles(&mut self, source: u32, destination: u32, flits: u32) -> u64 {
        let (from, to) = (self.network.router_of(source), self.network.router_of(destination));
        let flits = self.bounds.next_packet(self.bounds.on_the_way(flits)).min(self.packet);
        u64::from(self.way(from, to)) + u64::from(self.alone.ends) + u64::from(flits)
    }

    fn way(&mut self, from: u32, to: u32) -> u32 {
        let link = self.network.delays().0 + self.alone.link;
        match self.network.grid().filter(|_| self.network.is_plain_grid()) {
            Some(grid) => grid.distance(from, to) * link,
            None if self.times.is_empty() => u32::from(from != to) * link,
            None => {
                let (network, alone) = (&self.network, self.alone);
                self.times[from as usize].get_or_insert_with(|| times(network, alone, from))[to as usize]
            }
        }
    }
}

/// The shortest times from a router to all others.
fn times(network: &Network, alone: Alone, from: u32) -> Box<[u32]> {
    let mut all = vec![u32::MAX; network.routers()].into_boxed_slice();
    all[from as usize] = 0;
    let mut next = BinaryHeap::from([Reverse((0, from))]);
    while let Some(Reverse((time, router))) = next.pop() {
        if time > all[router as usize] {
            continue;
        }
        for (_, link) in network.links_of(router) {
            let (there, far) = (time + link.cycles + alone.link, link.to.router);
            if there < all[far as usize] {
                all[far as usize] = there;
                next.push(Reverse((there, far)));
            }
        }
    }
    all
}
