//! How soon a program can be over on this network: the bounds of its library with the distances and ports of the network, and that of cuts.
//!
//! Each is a bound whatever the routing does, and none is an estimate: a way is never shorter than the shortest one, a port and a link
//! carry what they carry, and all that goes from one set of routers to the others crosses the links between them.

mod cuts;
mod distances;

use crate::prepare::Prepared;
use crate::router::Router;
use distances::Distances;
use tailback_engine::input_queued;
use tailback_program::{Carrier, bounds_on};
use tailback_traffic::Placed;

/// The largest bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    /// No run ends sooner \[cycles\].
    pub cycles: u64,
    /// Its name.
    pub by: &'static str,
}

/// What the way of a head costs at least beside wires \[cycles\].
#[derive(Clone, Copy, Debug)]
struct Passage {
    /// At every router that it passes.
    router: u64,
    /// Once, at its ends, the length of the packet not included.
    ends: u64,
    /// As much less, because the length counts a cycle that the ends count too.
    less: u64,
}

impl Prepared {
    /// The largest bound of the program that nodes execute; `None` where they execute none.
    pub fn least(&self) -> Option<Least> {
        let placed = self.traffic.program()?;
        let passage = self.passage();
        let distances = Distances::new(&self.network, placed, passage.router);
        let across = |from: u32, to: u32| {
            let routers = [from, to].map(|rank| self.network.router_of(placed.port_of(rank, 0)));
            (distances.between(routers) + passage.router + passage.ends).saturating_sub(passage.less)
        };
        let carrier = Carrier {
            across: &across,
            // A node has a port of its own for each message class.
            sends: u64::from(self.router.injection_channels() * placed.classes()).max(1),
            receives: (self.router.ejection_flits().min(f64::from(1 << 20)) as u64).max(1)
                * u64::from(placed.classes()),
            padded: &|flits| placed.on_the_way(flits),
        };
        let bounds = bounds_on(placed.program(), carrier);
        let (by, cycles) = bounds.binding();
        let cut = cuts::bound(&self.network, placed);
        Some(if cut > cycles { Least { cycles: cut, by: "cut" } } else { Least { cycles, by } })
    }

    fn passage(&self) -> Passage {
        // The recovery lane passes routers in times of its own.
        if self.lane { Passage { router: 0, ends: 0, less: 0 } } else { of_router(&self.router) }
    }
}

/// The terms of the zero-load latency (`docs/latency.md`) that no packet escapes.
fn of_router(router: &Router) -> Passage {
    match router {
        Router::CutThrough(router) => Passage { router: router.header_cycles.into(), ends: 0, less: 0 },
        Router::Wormhole(router) => {
            let allocation = if router.speculative { 0 } else { router.vc_allocation_cycles };
            let head = router.routing_cycles + allocation + router.switch_allocation_cycles + router.crossbar_cycles;
            Passage { router: head.into(), ends: 0, less: 0 }
        }
        Router::Adaptive(router) => {
            let ends = router.consumption_cycles + router.node_link_cycles();
            Passage { router: router.header_cycles.into(), ends: ends.into(), less: 0 }
        }
        Router::InputQueued(router) if router.steps > input_queued::STEP => {
            Passage { router: 0, ends: 2 * input_queued::NODE_LINK, less: 1 }
        }
        Router::InputQueued(router) => {
            let allocations = if router.speculation == input_queued::Speculation::Off { 2 } else { 1 };
            let each = router.routing_cycles + router.crossbar_cycles + allocations;
            Passage { router: each.into(), ends: 2 * input_queued::NODE_LINK + 1, less: 1 }
        }
        Router::Queued(router) => {
            let wait = router.header_cycles.max(router.packet_flits.saturating_sub(router.transfer_cycles));
            Passage { router: u64::from(wait) + 1, ends: 2 * u64::from(router.adapter_cycles) + 1, less: 0 }
        }
    }
}

impl Least {
    /// This bound as a share of how long a run took; `None` where it took no time.
    pub fn efficiency(self, duration: f64) -> Option<f64> {
        (duration > 0.0).then(|| self.cycles as f64 / duration)
    }
}

/// Calls `each` with every message that crosses the network: the routers at its ends and its flits on the way.
fn messages(placed: &Placed, router_of: impl Fn(u32) -> u32, each: &mut dyn FnMut(u32, u32, u32)) {
    for rank in 0..placed.program().ranks() {
        let from = router_of(placed.port_of(rank, 0));
        placed.messages(rank, &mut |_, to, flits| each(from, router_of(placed.port_of(to, 0)), flits));
    }
}
