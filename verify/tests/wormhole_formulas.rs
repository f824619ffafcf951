//! The wormhole engine against closed forms, and against its reference model where there is none.

use crate::common::single;
use crate::common::tested::engines;
use single::{distances, single_packet_traffic};
use tailback_engine::Buffers;
use tailback_engine::Network as _;
use tailback_engine::{DataPath, NoProbe};
use tailback_traffic::Traffic;
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::wormhole::{Config, Delivered, Network, Sharing};

/// r, a, s, x, l, c.
type Delays = [u32; 6];

fn config(radix: &[u32], wrap: bool, [r, a, s, x, l, c]: Delays) -> Config {
    let mut config = Config {
        routing_cycles: r,
        vc_allocation_cycles: a,
        switch_allocation_cycles: s,
        crossbar_cycles: x,
        sharing: Sharing::Shared,
        ..Config::plain(radix, wrap)
    };
    // Far more than a credit's round trip.
    (config.base.link_cycles, config.base.credit_cycles, config.base.buffer_flits) = (l, c, 64);
    config
}

/// What the engine delivers in so many cycles.
fn run(config: &Config, traffic: &Traffic, cycles: u64) -> Vec<Delivered> {
    let grid = bridge::grid(&config.base);
    let mut engine = engines::wormhole(config, &grid, traffic, Buffers::Watched).expect("the routing is possible");
    let mut deliveries = Deliveries::default();
    while engine.cycle() < cycles {
        engine.step(&mut AnyProbe(&mut deliveries));
    }
    deliveries.sorted()
}

/// hops * (r + a + s + x + l) + (r + a + s + x + 1) + flits - 1.
fn zero_load(hops: u32, flits: u32, [r, a, s, x, l, _]: Delays) -> u64 {
    u64::from(hops * (r + a + s + x + l) + (r + a + s + x + 1) + flits - 1)
}

#[test]
fn zero_load_latency_is_the_formula_at_every_distance() {
    let delays = [
        ([0, 0, 0, 0, 1, 1], 1),
        ([1, 1, 1, 0, 1, 1], 16),
        ([1, 0, 0, 1, 1, 2], 5),
        ([2, 3, 1, 2, 4, 3], 7),
        ([0, 2, 3, 1, 2, 1], 40),
    ];
    for (shape, wrap) in [(&[8][..], true), (&[7], false), (&[5, 4], true), (&[4, 5], false), (&[3, 2, 4], true)] {
        for (delays, flits) in delays {
            let config = config(shape, wrap, delays);
            let sources = if wrap { 1 } else { config.base.routers() };
            for source in 0..sources {
                for (destination, &hops) in
                    distances(&config.base, source).iter().enumerate().filter(|(_, hops)| **hops > 0)
                {
                    let traffic = single_packet_traffic(&config.base, flits, source, destination);
                    let expected = zero_load(hops, flits, delays);
                    let packets = run(&config, &traffic, expected + 1);
                    let times: Vec<_> = packets.iter().map(|p| (p.birth, p.hops, p.delivered)).collect();
                    assert_eq!(times, [(0, hops, expected)], "{delays:?} {flits}");
                }
            }
        }
    }
}

/// Bernoulli traffic of packets of `flits`.
fn traffic(config: &Config, pattern: &str, load: f64, flits: u32) -> Traffic {
    let text =
        format!("[traffic]\nload = {load:?}\npattern = \"{pattern}\"\nsize = {{ kind = \"fixed\", flits = {flits} }}");
    bridge::traffic(&config.base, &text).expect("possible")
}

/// Mean wait of a packet at its source, in cycles, if nothing but the packets before it delays it.
///
/// The source and its one injection channel are a queue. Time is counted in cycles; in each of them a packet arrives with
/// probability p = load / flits (Bernoulli). A packet occupies the injection channel for S cycles at least: from the cycle in
/// which it takes it the `a` cycles of channel allocation, then one for each flit; the channel is free again in the cycle
/// after the tail was sent. So this is the queue Geo/D/1, the discrete-time sister of M/D/1. By Pollaczek and Khinchine
///
/// ```text
/// wait = p E[S (S - 1)] / (2 (1 - p S)) = rho (S - 1) / (2 (1 - rho)),   rho = p S,   S = a + flits
/// ```
///
/// (M/D/1 has rho S / (2 (1 - rho)): there a packet may arrive at any time, also between two cycles.) Links, allocators and
/// ejection channels that are shared with other packets can only add to it.
fn least_wait(load: f64, flits: u32, [_, a, ..]: Delays) -> f64 {
    let service = f64::from(a + flits);
    let busy = load / f64::from(flits) * service;
    busy * (service - 1.0) / (2.0 * (1.0 - busy))
}

/// Mean latency of the packets born in `from..to`, all of which must be there, and what the formula of an empty network
/// gives for them.
fn means(packets: &[Delivered], from: u64, to: u64, flits: u32, delays: Delays) -> (f64, f64) {
    let counted: Vec<&Delivered> = packets.iter().filter(|p| (from..to).contains(&p.birth)).collect();
    let mean =
        |of: &dyn Fn(&Delivered) -> u64| counted.iter().map(|p| of(p)).sum::<u64>() as f64 / counted.len() as f64;
    (mean(&|p| p.delivered - p.birth), mean(&|p| zero_load(p.hops, flits, delays)))
}

#[test]
fn links_of_ones_own_leave_the_queue_at_the_source_alone() {
    // Each node sends to the next one, over links and to an ejection channel that nobody else uses: the bound is reached.
    let delays = [0, 0, 1, 1, 1, 1];
    let config = config(&[8], true, delays);
    for load in [0.1, 0.3, 0.5, 0.7, 0.8] {
        let packets = run(&config, &traffic(&config, "neighbour", load, 8), 150_000);
        let (latency, empty) = means(&packets, 0, 149_000, 8, delays);
        let wait = least_wait(load, 8, delays);
        assert!(
            (latency - empty - wait).abs() < 0.03 * wait,
            "load {load}: waits {} cycles, not {wait}",
            latency - empty
        );
    }
}

#[test]
fn latency_is_above_the_bound_and_equal_in_the_reference_model() {
    let delays = [1, 1, 1, 0, 1, 1];
    for wrap in [true, false] {
        let config = config(&[4, 4], wrap, delays);
        let mut before = 0.0;
        for load in [0.05, 0.1, 0.2, 0.3, 0.4] {
            let (traffic, cycles) = (traffic(&config, "uniform", load, 4), 4_000);
            let packets = run(&config, &traffic, cycles);
            let mut reference = Network::new(&config, &traffic);
            (0..cycles).for_each(|_| reference.step());
            assert_eq!(packets, reference.delivered(), "load {load}");

            let (latency, empty) = means(&packets, 0, cycles - 500, 4, delays);
            let bound = empty + least_wait(load, 4, delays);
            assert!(latency >= bound, "load {load}, rings {wrap}: {latency} cycles, at least {bound}");
            assert!(latency > before, "load {load}, rings {wrap}: {latency} cycles, less than at the load before");
            // Otherwise the bound would say nothing about it.
            assert!(load > 0.1 || latency < 1.2 * bound, "load {load}, rings {wrap}: {latency} cycles, bound {bound}");
            before = latency;
        }
    }
}

#[test]
fn a_hot_node_receives_one_flit_a_cycle_and_ejection_channel() {
    let delays = [1, 1, 1, 0, 1, 1];
    for channels in [1, 2] {
        let mut config = config(&[4, 4], true, delays);
        config.base.ejection_channels = Some(channels);
        let text = "[traffic]\nload = 1.0\npattern = { kind = \"hot_spot\", nodes = [5], share_percent = 100 }\n\
                    size = { kind = \"fixed\", flits = 8 }";
        let traffic = bridge::traffic(&config.base, text).expect("possible");
        let packets = run(&config, &traffic, 4_000);
        let late = packets.iter().filter(|p| p.destination == 5 && p.delivered > 1_000).count() as u64;
        // A packet holds the ejection channel for a cycle of channel allocation beside its flits.
        let bound = u64::from(channels) * 3_000 / 9;
        assert!(late <= bound + u64::from(channels), "{late} packets are beyond {bound}");
        assert!(late >= bound * 9 / 10, "{late} packets, {bound} could have been");
    }
}

#[test]
fn an_empty_network_does_nothing() {
    let config = config(&[4, 4], true, [1, 1, 1, 0, 1, 1]);
    let traffic = traffic(&config, "uniform", 0.0, 4);
    let grid = bridge::grid(&config.base);
    let mut engine = engines::wormhole(&config, &grid, &traffic, Buffers::Watched).expect("the routing is possible");
    for _ in 0..100 {
        DataPath::step(&mut engine, &mut NoProbe);
    }
    assert_eq!((engine.in_flight(), engine.counters().started, engine.deadlock()), (0, 0, None));
    assert!(!engine.is_still());
    engine.audit().expect("the books of an empty network balance");
}
