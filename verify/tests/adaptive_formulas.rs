//! The adaptive cut-through engine against closed forms.

use crate::common::tested::engines;
use crate::common::{plain_adaptive, single};
use plain_adaptive::plain;
use single::{distances, single_packet_traffic};
use tailback_engine::Buffers;
use tailback_engine::{DataPath as _, Network as _};
use tailback_traffic::Traffic;
use tailback_verify::adaptive::{Config, CrossbarOutputs, FlowControl, InterfaceChannels, Policy, Requests, Scope};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::Delivered;
use tailback_verify::wormhole::{Escape, Routing, Selection};

const RULES: [Requests; 5] =
    [Requests::Parallel, Requests::InTurn, Requests::Smart, Requests::Random, Requests::Shortest];

/// Link, header, turn, consumption and credit cycles, flits.
type Delays = [u32; 6];

fn config(radix: &[u32], wrap: bool, [link, header, turn, consumption, credit, flits]: Delays) -> Config {
    let mut config = Config {
        packet_flits: flits,
        turn_cycles: turn,
        consumption_cycles: consumption,
        flow_control: FlowControl::Bubble { escape_packets: 2, new_packets: 1, scope: Scope::Local },
        ..plain(radix, wrap)
    };
    let base = &mut config.shared.base;
    (base.link_cycles, base.header_cycles, base.credit_cycles, base.buffer_flits) = (link, header, credit, 3 * flits);
    config
}

/// What the engine delivers in so many cycles.
fn run(config: &Config, traffic: &Traffic, cycles: u64) -> Vec<Delivered> {
    let grid = bridge::grid(&config.shared.base);
    let mut engine = engines::adaptive(config, &grid, traffic, Buffers::Unwatched).expect("the routing is possible");
    let mut deliveries = Deliveries::default();
    while engine.cycle() < cycles {
        engine.step(&mut AnyProbe(&mut deliveries));
    }
    deliveries.sorted()
}

/// Routers at which a packet has no way left in the dimension by which it came, its destination aside: after the last hop in
/// every dimension but the last one, whatever the order.
fn turns(config: &Config, source: usize, destination: usize) -> u32 {
    let base = &config.shared.base;
    let (a, b) = (base.coordinates(source), base.coordinates(destination));
    (a.iter().zip(&b).filter(|(a, b)| a != b).count() as u32).saturating_sub(1)
}

/// hops * link + (hops + 1) * header + turns * turn + consumption + flits.
fn zero_load(hops: u32, turns: u32, [link, header, turn, consumption, _, flits]: Delays) -> u64 {
    u64::from(hops * link + (hops + 1) * header + turns * turn + consumption + flits)
}

/// Every distance from every source, or from one where all are alike.
fn check_distances(config: &Config, delays: Delays) {
    let base = &config.shared.base;
    let sources = if base.wrap.contains(&false) { base.routers() } else { 1 };
    for source in 0..sources {
        for (destination, &hops) in distances(base, source).iter().enumerate().filter(|(_, hops)| **hops > 0) {
            let traffic = single_packet_traffic(base, config.packet_flits, source, destination);
            let expected = zero_load(hops, turns(config, source, destination), delays);
            let packets = run(config, &traffic, expected + 1);
            let times: Vec<_> = packets.iter().map(|p| (p.birth, p.hops, p.delivered)).collect();
            assert_eq!(times, [(0, hops, expected)], "{config:?}, from {source} to {destination}");
        }
    }
}

#[test]
fn zero_load_latency_is_the_formula_at_every_distance() {
    let delays = [[1, 0, 0, 0, 1, 1], [1, 3, 1, 1, 1, 16], [3, 2, 0, 2, 2, 5], [2, 1, 4, 0, 7, 4]];
    for (shape, wrap) in [(&[8][..], true), (&[7], false), (&[5, 4], true), (&[4, 3], false), (&[3, 2, 4], true)] {
        for (n, delays) in delays.into_iter().enumerate() {
            let config = config(shape, wrap, delays);
            let crossbar_outputs = if n % 2 == 0 { CrossbarOutputs::Link } else { CrossbarOutputs::Channel };
            check_distances(&Config { crossbar_outputs, ..config }, delays);
        }
    }
}

#[test]
fn zero_load_latency_is_the_formula_under_every_rule_and_routing() {
    let delays = [2, 1, 3, 2, 1, 6];
    for requests in RULES {
        for routing in [Routing::DimensionOrder, Routing::Adaptive(Escape::Ring), Routing::Adaptive(Escape::None)] {
            for selection in [Selection::Random, Selection::Straight, Selection::Turn] {
                let mut config = Config { requests, escape_first: true, ..config(&[4, 5], true, delays) };
                (config.shared.routing, config.shared.selection) = (routing, selection);
                check_distances(&config, delays);
            }
        }
    }
}

#[test]
fn queues_and_channels_of_the_interface_cost_a_packet_alone_nothing() {
    let delays = [1, 2, 1, 1, 1, 4];
    for policy in [Policy::Sh, Policy::Shp, Policy::Lpath, Policy::Dor, Policy::Random, Policy::RoundRobin] {
        for interface_channels in [InterfaceChannels::Physical, InterfaceChannels::Virtual { router_packets: 1 }] {
            let config = Config { queues: 4, policy, interface_channels, ..config(&[4, 4], true, delays) };
            check_distances(&config, delays);
        }
    }
}

#[test]
fn saturated_neighbours_use_every_link_in_every_cycle() {
    for crossbar_outputs in [CrossbarOutputs::Link, CrossbarOutputs::Channel] {
        // Each node sends over a link of its own, and two packets fit: the link never idles.
        let config = Config { crossbar_outputs, ..config(&[6], true, [1, 0, 0, 0, 1, 8]) };
        let text = "[traffic]\nload = 2.0\npattern = \"neighbour\"\nsize = { kind = \"fixed\", flits = 8 }";
        let traffic = bridge::traffic(&config.shared.base, text).expect("possible");
        let late = |packets: &[Delivered]| packets.iter().filter(|p| p.delivered > 200).count();
        assert_eq!(late(&run(&config, &traffic, 1_001)), 6 * 100);
    }
}
