//! The shortest ways between routers: wires, and what a head takes at the routers on the way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tailback_network::Network;
use tailback_traffic::Placed;

/// Steps over links that may be spent on ways; beyond, every way counts as one link.
const MOST: u64 = 1 << 26;

/// Times of ways \[cycles\].
pub(super) struct Distances {
    /// By router: the number of its row; [`u32::MAX`] for routers from which nothing is sent.
    rows: Vec<u32>,
    /// By row and router.
    table: Vec<u32>,
    /// The least time of a link with the router behind it.
    link: u64,
}

impl Distances {
    /// The ways from all routers with a rank. A router that a head enters takes `router` cycles.
    pub fn new(network: &Network, placed: &Placed, router: u64) -> Distances {
        let routers = network.routers();
        let mut rows = vec![u32::MAX; routers];
        let mut from = Vec::new();
        for rank in 0..placed.program().ranks() {
            let at = network.router_of(placed.port_of(rank, 0));
            if rows[at as usize] == u32::MAX {
                rows[at as usize] = from.len() as u32;
                from.push(at);
            }
        }
        let link = u64::from(network.delays().0) + router;
        let steps = (from.len() as u64).saturating_mul((network.links() + routers) as u64);
        if steps > MOST {
            return Distances { rows, table: Vec::new(), link };
        }
        let mut table = Vec::with_capacity(from.len() * routers);
        from.into_iter().for_each(|at| table.extend(ways(network, at, router)));
        Distances { rows, table, link }
    }

    /// Between two routers, the first of which has a rank: the wires, and all routers but the first.
    pub fn between(&self, [from, to]: [u32; 2]) -> u64 {
        if self.table.is_empty() {
            return if from == to { 0 } else { self.link };
        }
        let row = self.rows[from as usize] as usize;
        u64::from(self.table[row * self.rows.len() + to as usize])
    }
}

/// The shortest ways from a router. What cannot be reached is as far as it can be: nothing is ever delivered there.
fn ways(network: &Network, from: u32, router: u64) -> Vec<u32> {
    let mut found = vec![u32::MAX; network.routers()];
    let mut open = BinaryHeap::from([Reverse((0_u32, from))]);
    found[from as usize] = 0;
    while let Some(Reverse((far, at))) = open.pop() {
        if far > found[at as usize] {
            continue;
        }
        for (_, link) in network.links_of(at) {
            let next = u64::from(far) + u64::from(link.cycles) + router;
            let next = u32::try_from(next).unwrap_or(u32::MAX);
            let known = &mut found[link.to.router as usize];
            if next < *known {
                *known = next;
                open.push(Reverse((next, link.to.router)));
            }
        }
    }
    found
}
