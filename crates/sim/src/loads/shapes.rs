//! Loads of links in a network without a grid: packets between two routers take the same ways, whichever their nodes are, unless the
//! routing goes by nodes.

use super::{Flow, Loads, WORK_MAX, walk_all};
use crate::prepare::Prepared;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_engine::contract::routing::{Routing, Sight, Variety};
use tailback_mechanisms::routing::{self, Routes};

/// As [`Loads::walk`]. Gives up where draws cannot be told apart as well.
pub(super) fn walk(prepared: &Prepared, cancel: &AtomicBool) -> Option<Loads> {
    let network = prepared.network();
    // Nobody knows where packets go that look at queues.
    if prepared.routing.sight() != Sight::Nothing {
        return None;
    }
    let variety = Variety { draws: prepared.routing.even_draws(), ..prepared.routing.variety() };
    let mut loads = Loads {
        link: vec![0.0; network.routers() * network.most_ports()],
        routes: Routes::Few,
        ejection_max: 0.0,
        active: 0,
        hops_mean: 0.0,
        turns_mean: 0.0,
        wires_mean: 0.0,
    };
    let mut received = vec![0.0; network.nodes()];
    let mut work = 0.0;
    let by_nodes = routing::goes_by_nodes(prepared.view("routing"));
    let first = |router: u32| network.seats().node(router, 0);
    for router in 0..network.routers() as u32 {
        let (mut flows, mut shares) = (Vec::new(), vec![0.0; network.routers()]);
        for (_, source) in network.seats().of(router) {
            let mut sends = false;
            prepared.traffic.flows(source, &mut |destination, share| {
                sends = true;
                received[destination as usize] += share;
                match by_nodes {
                    true => flows.push(Flow { source, destination, share }),
                    false => shares[network.router_of(destination) as usize] += share,
                }
            });
            loads.active += u64::from(sends);
        }
        let of_router =
            |(to, share): (usize, f64)| Flow { source: first(router), destination: first(to as u32), share };
        flows.extend(shares.into_iter().enumerate().filter(|&(_, share)| share > 0.0).map(of_router));
        for flow in flows {
            let share = flow.share;
            work += variety.draws.len() as f64 * variety.indices as f64;
            if variety.draws.is_empty() || work > WORK_MAX || cancel.load(Ordering::Relaxed) {
                return None;
            }
            let (hops, wires) = walk_all(prepared, &variety, flow, &mut loads.link);
            loads.hops_mean += share * hops;
            loads.wires_mean += share * wires;
        }
    }
    loads.hops_mean /= loads.active.max(1) as f64;
    loads.wires_mean /= loads.active.max(1) as f64;
    loads.ejection_max = received.into_iter().fold(0.0, f64::max);
    Some(loads)
}
