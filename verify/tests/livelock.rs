//! A routing that never lets go of its packets is found out; one that does is not, however long nothing arrives.

use crate::common::tested::Tested;
use tailback_engine::Buffers;
use tailback_engine::contract::routing::{Head, Request, Routing};
use tailback_engine::cut_through::{CutThrough, Parts};
use tailback_engine::packet::Packet;
use tailback_engine::{DataPath as _, Network as _};
use tailback_probes::{Livelock, Progress};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{Admission, Arbiter, Config, Datelines, Numbering, Tie};

/// Up and up, so many times around as the word says before a packet is let go at its destination.
pub struct Round {
    times: u32,
}

impl Routing for Round {
    fn start(&self, _router: u32, packet: &mut Packet, _draw: impl FnOnce() -> u32) -> u32 {
        packet.hops = 1;
        0
    }

    fn request(&self, head: Head, packet: &Packet, word: &mut u32) -> Request {
        let arrived = head.router == packet.router && *word >= 8 * self.times;
        Request { port: (!arrived).then_some(0), channels: 1 }
    }

    fn advance(&self, _port: u8, word: u32) -> u32 {
        word.saturating_add(1)
    }

    fn fits(&self, _router: u32, _packet: &Packet, _word: u32) -> bool {
        true
    }
}

fn ring() -> Config {
    Config {
        graph: None,
        radix: vec![8],
        wrap: vec![true],
        nodes_per_router: 1,
        link_cycles: 1,
        virtual_channels: 1,
        // Room for all packets of the workload: there is always some to go on.
        buffer_flits: 16,
        header_cycles: 1,
        credit_cycles: 1,
        ejection_channels: None,
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: Some(2),
        arbiter: Arbiter::RoundRobin,
        datelines: Datelines::None,
        numbering: Numbering::Reset,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed: 1,
    }
}

/// One packet a node, each around the ring so many times; what the watchdog finds, and packets delivered.
fn found(times: u32) -> (Option<Livelock>, u64) {
    let config = ring();
    let text = "[traffic]\nload = 1.0\nsize = { kind = \"fixed\", flits = 4 }\n\
                [workload]\nkind = \"collective\"\npackets_per_node = 1";
    let (traffic, grid) = (bridge::traffic(&config, text).expect("possible"), bridge::grid(&config));
    let Parts { arbiter, flow_control, admission, .. } = bridge::parts(&config, &grid);
    let parts: Parts<Tested> = Parts { routing: Round { times }.into(), arbiter, flow_control, admission };
    let mut engine = CutThrough::new(&grid, &traffic, bridge::router(&config), parts, Buffers::Unwatched);
    let (mut progress, mut deliveries) = (Progress::new(64), Deliveries::default());
    while engine.cycle() < 20_000 {
        engine.step(&mut AnyProbe(&mut deliveries));
        if engine.cycle().is_multiple_of(512) {
            let livelock = progress.look(engine.cycle(), engine.counters(), engine.in_flight());
            assert!(!engine.is_still() && engine.deadlock().is_none(), "they go on");
            if livelock.is_some() {
                return (livelock, engine.counters().delivered);
            }
        }
    }
    (None, engine.counters().delivered)
}

#[test]
fn packets_that_never_arrive_are_a_livelock() {
    let (livelock, delivered) = found(u32::MAX / 8);
    let livelock = livelock.expect("8 packets for ever on their way");
    assert_eq!((livelock.packets, livelock.since, delivered), (8, 0, 0));
    assert!(livelock.hops > 8 * 64, "{livelock:?}");
}

#[test]
fn packets_that_arrive_late_are_none() {
    assert_eq!(found(6), (None, 8), "48 to 55 hops each, fewer than 64");
}
