//! Loads of links in a network without a grid, or of a routing that goes by links alone: packets between two routers take the same ways, whichever their nodes are, unless the
//! routing goes by nodes.

use super::{Flow, Loads, WORK_MAX, walk_all};
use crate::prepare::Prepared;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_engine::contract::routing::{Routing, Sight, Variety};
use tailback_mechanisms::routing::{self, Routes};
use tailback_network::{Network, ways};

/// What the nodes of a router send to those of another.
#[derive(Clone, Copy)]
struct Sent {
    from: u32,
    to: u32,
    /// Nodes of theirs: any where the routing goes by routers.
    nodes: (u32, u32),
    /// Flits per cycle when every node makes one.
    share: f64,
    pairs: u64,
}

/// As [`Loads::walk`]. Gives up where there is too much to count, and where nothing is known of how packets choose.
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
        slow_mean: 0.0,
        sharers: None,
    };
    let sent = sent(prepared, &mut loads, cancel)?;
    let work = sent.len() as f64 * variety.draws.len() as f64 * variety.indices as f64;
    if variety.draws.is_empty() || work > WORK_MAX {
        evenly(prepared, sent, &mut loads, cancel)?;
    } else {
        by_draws(prepared, &variety, &sent, &mut loads, cancel)?;
    }
    loads.hops_mean /= loads.active.max(1) as f64;
    loads.turns_mean /= loads.active.max(1) as f64;
    loads.wires_mean /= loads.active.max(1) as f64;
    loads.slow_mean /= loads.active.max(1) as f64;
    Some(loads)
}

/// What routers send to each other. Counts who sends and what nodes receive.
fn sent(prepared: &Prepared, loads: &mut Loads, cancel: &AtomicBool) -> Option<Vec<Sent>> {
    let network = prepared.network();
    let by_nodes = routing::goes_by_nodes(prepared.view("routing"));
    let (mut all, mut received) = (Vec::new(), vec![0.0; network.nodes()]);
    for from in 0..network.routers() as u32 {
        let nothing = Sent { from, to: from, nodes: (0, 0), share: 0.0, pairs: 0 };
        let mut by_router = vec![nothing; network.routers()];
        for (_, source) in network.seats().of(from) {
            let mut sends = false;
            prepared.traffic.flows(source, &mut |destination, share| {
                sends = true;
                received[destination as usize] += share;
                let to = network.router_of(destination);
                if by_nodes {
                    all.push(Sent { from, to, nodes: (source, destination), share, pairs: 1 });
                    return;
                }
                let sent = &mut by_router[to as usize];
                sent.nodes = (source, destination);
                sent.share += share;
                sent.pairs += 1;
            });
            loads.active += u64::from(sends);
        }
        let sent = (0u32..).zip(by_router).filter(|(_, sent)| sent.share > 0.0);
        all.extend(sent.map(|(to, sent)| Sent { to, ..sent }));
        if all.len() as f64 > WORK_MAX / 4.0 || cancel.load(Ordering::Relaxed) {
            return None;
        }
    }
    loads.ejection_max = received.into_iter().fold(0.0, f64::max);
    Some(all)
}

/// Along the ways of all draws.
fn by_draws(
    prepared: &Prepared,
    variety: &Variety,
    sent: &[Sent],
    loads: &mut Loads,
    cancel: &AtomicBool,
) -> Option<()> {
    let flow = |sent: &Sent| Flow { source: sent.nodes.0, destination: sent.nodes.1, share: sent.share };
    for one in sent {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let link = &mut loads.link;
        let way = walk_all(prepared, variety, flow(one), |at, part| link[at] += part);
        loads.hops_mean += one.share * way.hops;
        loads.turns_mean += one.share * way.turns;
        loads.wires_mean += one.share * way.cycles;
        loads.slow_mean += one.share * way.slow;
    }
    // One router alone has no links.
    let Some((busiest, _)) = loads.busiest() else { return Some(()) };
    let mut pairs = 0;
    for one in sent {
        let mut crosses = false;
        walk_all(prepared, variety, flow(one), |at, _| crosses |= at == busiest);
        pairs += if crosses { one.pairs } else { 0 };
    }
    loads.sharers = Some(pairs);
    Some(())
}

/// Along the minimal ways of the family, at every router evenly over the ports that lead on: what the default routing draws hop by hop
/// where there are more ways than draws that can be told apart, or visited one by one.
fn evenly(prepared: &Prepared, mut sent: Vec<Sent>, loads: &mut Loads, cancel: &AtomicBool) -> Option<()> {
    let network = prepared.network();
    if prepared.view("routing").kind() != routing::WITHOUT_GRID || ways::pairs(network) > ways::MOST_PAIRS {
        return None;
    }
    let ways = ways::Ways::new(prepared.family.as_ref()?);
    sent.sort_by_key(|one| (one.to, one.from));
    let (mut order, mut flow): (Vec<u32>, Vec<f64>) =
        ((0..network.routers() as u32).collect(), vec![0.0; network.routers()]);
    for to_one in sent.chunk_by(|a, b| a.to == b.to) {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let to = to_one[0].to;
        to_one.iter().for_each(|one| flow[one.from as usize] += one.share);
        order.sort_unstable_by_key(|&router| (std::cmp::Reverse(ways.distance(router, to)), router));
        pour(network, &ways, (to, &order), &mut flow, loads);
    }
    Some(())
}

/// Lets what routers have for one of them flow down to it, from the farthest on.
fn pour(network: &Network, ways: &ways::Ways, (to, order): (u32, &[u32]), flow: &mut [f64], loads: &mut Loads) {
    let width = network.most_ports();
    for &router in order {
        let here = std::mem::take(&mut flow[router as usize]);
        if here == 0.0 || router == to {
            continue;
        }
        let ports = ways.ports(router, to);
        let part = here / ports.len() as f64;
        for &port in ports {
            let link = network.link(router, usize::from(port)).expect("ways lead along links");
            loads.link[router as usize * width + usize::from(port)] += part * f64::from(link.period);
            loads.hops_mean += part;
            loads.wires_mean += part * f64::from(link.cycles);
            loads.slow_mean += part * f64::from(link.period - 1);
            flow[link.to.router as usize] += part;
        }
    }
}
