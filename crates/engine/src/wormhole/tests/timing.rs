//! When things happen.

use super::mechanisms::Way;
use super::*;

/// Delays to try: routing, channel allocation, switch allocation, crossbar, link, credit.
const DELAYS: [[u32; 6]; 5] =
    [[0, 0, 0, 0, 1, 1], [1, 0, 0, 1, 1, 1], [0, 1, 1, 0, 1, 2], [1, 1, 1, 1, 1, 1], [2, 3, 1, 2, 4, 3]];

fn with_delays([r, a, s, x, _, c]: [u32; 6]) -> Router {
    Router {
        routing_cycles: r,
        vc_allocation_cycles: a,
        switch_allocation_cycles: s,
        crossbar_cycles: x,
        credit_cycles: c,
        buffer_flits: 32,
        ..router()
    }
}

#[test]
fn zero_load_latency_is_the_formula() {
    for delays @ [r, a, s, x, l, _] in DELAYS {
        for flits in [1, 5] {
            let grid = Grid::new(&[4, 3], &[false, false], 1, l);
            let traffic = traffic(&grid, 0.002 * f64::from(flits), &fixed(flits));
            let config = with_delays(delays);
            let mut network = Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Order), Buffers::Unwatched);
            let log = run(&mut network, 6_000);
            let formula = |hops: u32| u64::from(hops * (r + a + s + x + l) + (r + a + s + x + 1) + flits - 1);
            let late = |&&(_, _, birth, at, hops): &&(u32, u64, u64, u64, u32)| at - birth > formula(hops);
            assert!(log.delivered.len() > 100);
            assert!(log.delivered.iter().all(|&(_, _, birth, at, hops)| at - birth >= formula(hops)), "{delays:?}");
            let waited = log.delivered.iter().filter(late).count();
            assert!(waited * 5 < log.delivered.len(), "{delays:?}: {waited} of {}", log.delivered.len());
            let hops: u64 = log.delivered.iter().map(|d| u64::from(d.4)).sum();
            assert_eq!(network.counters().packet_hops, hops + in_network(&network, &log));
        }
    }
}

/// Links given to packets that have not been delivered.
fn in_network(network: &Wormhole<'_, Plain>, log: &Log) -> u64 {
    let done: u64 = log.delivered.iter().map(|d| u64::from(d.4)).sum();
    network.counters().packet_hops - done
}

#[test]
fn speculation_saves_channel_allocation_where_nobody_is_in_the_way() {
    let grid = Grid::new(&[4, 3], &[false, false], 1, 1);
    let traffic = traffic(&grid, 0.01, &fixed(1));
    let config = Router { speculative: true, vc_allocation_cycles: 2, ..router() };
    let mut network = Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Order), Buffers::Unwatched);
    let log = run(&mut network, 5_000);
    // A single flit is sent in the cycle in which it asks: a hop takes the link's cycle only.
    let fast = log.delivered.iter().filter(|d| d.3 - d.2 == u64::from(d.4) + 1).count();
    assert!(log.delivered.len() > 100 && fast * 5 > log.delivered.len() * 4, "{fast} of {}", log.delivered.len());
}

/// Share of the time in which the links between two routers are busy, whose nodes send each other all they can.
fn busy(config: Router) -> f64 {
    let grid = Grid::new(&[2], &[false], 1, 1);
    let traffic = uniform(&grid, 2.0, &fixed(8), false);
    let mut network = Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Order), Buffers::Unwatched);
    let log = run(&mut network, 4_000);
    log.link_flits as f64 / 2.0 / 4_000.0
}

#[test]
fn a_link_moves_a_flit_a_cycle_if_buffers_cover_the_round_trip() {
    let two = Router { injection_channels: 2, ejection_channels: Some(2), ..router() };
    let load = busy(Router { sharing: Sharing::Shared, ..two });
    assert!(load > 0.99, "{load}");
    // While an owned channel waits for the tail's credit, others use the link.
    let load = busy(Router { channels: 4, injection_channels: 4, ejection_channels: None, ..two });
    assert!(load > 0.99, "{load}");
    // A flit sent in t leaves the next buffer in t + 1, and its credit is back in t + 2: a buffer of one flit sends every
    // second cycle, and two channels of that kind fill the link again.
    let small = Router { sharing: Sharing::Shared, buffer_flits: 1, vc_allocation_cycles: 0, ..two };
    let load = busy(Router { channels: 1, ..small });
    assert!((load - 0.5).abs() < 0.01, "{load}");
    assert!(busy(small) > 0.99);
}

/// Cycles between tails of packets that follow each other over one link.
fn spacing(sharing: Sharing, channels: u32) -> u64 {
    let grid = Grid::new(&[2], &[false], 1, 3);
    let traffic = traffic(&grid, 1.0, "{ kind = \"fixed\", flits = 4 }");
    let config = Router { sharing, channels, buffer_flits: 16, vc_allocation_cycles: 0, ..router() };
    let mut network = Wormhole::new(&grid, &traffic, config, parts(&grid, Way::Order), Buffers::Unwatched);
    let log = run(&mut network, 2_000);
    let mut remote: Vec<u64> = log.delivered.iter().filter(|d| d.0 == 0 && d.4 == 1).map(|d| d.3).collect();
    remote.sort_unstable();
    remote.windows(2).map(|pair| pair[1] - pair[0]).min().expect("several packets went over the link")
}

#[test]
fn an_owned_channel_waits_for_the_last_credit_and_a_shared_one_does_not() {
    // Shared: the next packet follows at once. Owned: the tail sent in t arrives in t + 3, leaves at once, and its
    // credit is back in t + 4; the next head goes then, three cycles later than it could.
    assert_eq!(spacing(Sharing::Shared, 1), 4);
    assert_eq!(spacing(Sharing::SharedWhole, 1), 4);
    assert_eq!(spacing(Sharing::Owned, 1), 7);
    assert_eq!(spacing(Sharing::Owned, 2), 4);
}
