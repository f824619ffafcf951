//! The engine against closed forms.

use crate::common::single;
use crate::common::tested::engines;
use single::{distances, single_packet_traffic};
use tailback_engine::Buffers;
use tailback_engine::{DataPath as _, Network as _};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{Admission, Arbiter, Config, Datelines, Delivered, Numbering, Tie};

fn config(radix: &[u32], wrap: bool) -> Config {
    Config {
        graph: None,
        radix: radix.to_vec(),
        wrap: vec![wrap; radix.len()],
        nodes_per_router: 1,
        link_cycles: 1,
        virtual_channels: 2,
        buffer_flits: 16,
        header_cycles: 1,
        credit_cycles: 1,
        ejection_channels: Some(1),
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: None,
        arbiter: Arbiter::RoundRobin,
        datelines: if wrap { Datelines::One } else { Datelines::None },
        numbering: Numbering::Reset,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed: 1,
    }
}

/// One packet from `source` to `destination` in an empty network.
fn single_packet(config: &Config, flits: u32, source: usize, destination: usize) -> Delivered {
    let traffic = single_packet_traffic(config, flits, source, destination);
    let grid = bridge::grid(config);
    let mut engine = engines::cut_through(config, &grid, &traffic, Buffers::Unwatched);
    let mut deliveries = Deliveries::default();
    while deliveries.0.is_empty() {
        assert!(engine.cycle() < 10_000, "a packet alone is delivered");
        engine.step(&mut AnyProbe(&mut deliveries));
    }
    deliveries.0[0]
}

/// hops * link + (hops + 1) * header + flits.
fn zero_load(config: &Config, flits: u32, hops: u32) -> u64 {
    u64::from(hops * config.link_cycles + (hops + 1) * config.header_cycles + flits)
}

#[test]
fn zero_load_latency_is_the_formula_at_every_distance() {
    let delays = [(1, 1, 1, 8), (1, 0, 1, 1), (3, 2, 2, 5), (2, 4, 7, 16)];
    for (shape, wrap) in [(&[8][..], true), (&[7], false), (&[5, 4], true), (&[4, 5], false), (&[3, 2, 4], true)] {
        for (link_cycles, header_cycles, credit_cycles, flits) in delays {
            let config = Config { link_cycles, header_cycles, credit_cycles, ..config(shape, wrap) };
            let sources = if wrap { 1 } else { config.routers() };
            for source in 0..sources {
                for (destination, &hops) in distances(&config, source).iter().enumerate() {
                    if hops > 0 {
                        let packet = single_packet(&config, flits, source, destination);
                        assert_eq!((packet.birth, packet.hops), (0, hops), "{config:?}");
                        assert_eq!(packet.delivered, zero_load(&config, flits, hops), "{config:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn saturated_neighbours_use_every_link_in_every_cycle() {
    // Each node sends over a link of its own, and two packets fit: the link never idles.
    let config = config(&[6], true);
    let text = "[traffic]\nload = 2.0\npattern = \"neighbour\"\nprocess = \"periodic\"\n\
                size = { kind = \"fixed\", flits = 8 }";
    let traffic = bridge::traffic(&config, text).expect("possible");
    let grid = bridge::grid(&config);
    let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
    let mut deliveries = Deliveries::default();
    while engine.cycle() < 100 {
        engine.step(&mut AnyProbe(&mut deliveries));
    }
    let before = engine.counters().delivered_flits;
    while engine.cycle() < 900 {
        engine.step(&mut AnyProbe(&mut deliveries));
    }
    assert_eq!(engine.counters().delivered_flits - before, 6 * 800);
}

#[test]
fn a_hot_node_consumes_one_flit_a_cycle_and_channel() {
    for channels in [1, 2] {
        let config = Config { ejection_channels: Some(channels), ..config(&[4, 4], true) };
        let text = "[traffic]\nload = 1.0\npattern = { kind = \"hot_spot\", nodes = [5], share_percent = 100 }";
        let traffic = bridge::traffic(&config, text).expect("possible");
        let grid = bridge::grid(&config);
        let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
        let mut deliveries = Deliveries::default();
        while engine.cycle() < 4_000 {
            engine.step(&mut AnyProbe(&mut deliveries));
        }
        let to_hot = deliveries.0.iter().filter(|p| p.destination == 5 && p.delivered > 1_000).count() as u64;
        let bound = u64::from(channels) * 3_000 / 8;
        assert!(to_hot <= bound + u64::from(channels), "{to_hot} packets are beyond {bound}");
        assert!(to_hot >= bound * 9 / 10, "{to_hot} packets, {bound} could have been");
    }
}

#[test]
fn uniform_traffic_stays_below_the_bisection() {
    for (shape, wrap) in [(&[8, 4][..], true), (&[4, 6], false)] {
        let config = Config { source_queue_packets: Some(2), ..config(shape, wrap) };
        let traffic = bridge::traffic(&config, "[traffic]\nload = 4.0").expect("possible");
        let grid = bridge::grid(&config);
        let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
        let mut deliveries = Deliveries::default();
        let mut flits = [0; 2];
        for flits in &mut flits {
            for _ in 0..5_000 {
                engine.step(&mut AnyProbe(&mut deliveries));
            }
            *flits = engine.counters().delivered_flits;
        }
        let accepted = (flits[1] - flits[0]) as f64 / 5_000.0 / config.nodes() as f64;
        let bound = tailback_network::bounds::uniform_bisection_load(&grid).min(1.0);
        assert!(accepted < bound, "{accepted} flits/node/cycle, bound {bound}");
        assert!(accepted > 0.3 * bound, "{accepted} flits/node/cycle, bound {bound}: hardly a test");
    }
}
