//! Ways of the least delay: one from each router to every other one, by Dijkstra's algorithm from each router on its own.
//!
//! Of several routers at one distance the lowest is settled first, and a way that is as long as one found before does not replace it.
//! BookSim 2 makes its tables for networks from files so.

use crate::graph::Network;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The first port of the way from `from` to every router; none to itself.
pub fn first_ports(network: &Network, from: u32) -> Vec<Option<u8>> {
    let routers = network.routers();
    let (mut delay, mut first) = (vec![u64::MAX; routers], vec![None; routers]);
    let mut settled = vec![false; routers];
    let mut heap = BinaryHeap::from([Reverse((0, from))]);
    delay[from as usize] = 0;
    while let Some(Reverse((at, router))) = heap.pop() {
        if std::mem::replace(&mut settled[router as usize], true) {
            continue;
        }
        for (port, link) in network.links_of(router) {
            let (far, beyond) = (link.to.router as usize, at + u64::from(link.cycles));
            if beyond < delay[far] {
                delay[far] = beyond;
                first[far] = if router == from { Some(port as u8) } else { first[router as usize] };
                heap.push(Reverse((beyond, far as u32)));
            }
        }
    }
    first
}
