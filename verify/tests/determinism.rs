//! The same spec gives the same packets, whoever watches and whatever is asked on the way.

use crate::common::tested::engines;
use tailback_engine::Buffers;
use tailback_engine::contract::probe::{EndOfCycle, Grant};
use tailback_engine::packet::Packet;
use tailback_engine::{DataPath as _, Network as _};
use tailback_engine::{Delivery, NoProbe, Probe};
use tailback_traffic::Traffic;
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{
    Admission, Arbiter, Config, Datelines, Delivered, Level, Numbering, Propagation, Registers, Tie,
};

const CYCLES: u64 = 2_000;

fn config(admission: Admission) -> Config {
    Config {
        graph: None,
        radix: vec![5, 4],
        wrap: vec![true; 2],
        nodes_per_router: 2,
        link_cycles: 2,
        virtual_channels: 3,
        buffer_flits: 13,
        header_cycles: 1,
        credit_cycles: 2,
        ejection_channels: Some(2),
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: Some(4),
        arbiter: Arbiter::Random,
        datelines: Datelines::One,
        numbering: Numbering::Carry,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Random,
        admission,
        seed: 7,
    }
}

fn throttled() -> Config {
    config(Admission::Spth {
        margin_flits: 3,
        inclusive: true,
        level: Level::Edge,
        register_bits: None,
        registers: Registers::Any,
        propagation: Propagation::SharedLink,
    })
}

fn traffic(config: &Config) -> Traffic {
    let text = "[traffic]\nload = 0.7\nsize = { kind = \"bimodal\", short_flits = 2, long_flits = 9 }";
    bridge::traffic(config, text).expect("possible")
}

fn run<P: Probe + Send>(config: &Config, buffers: Buffers, other: P) -> Vec<Delivered> {
    let (grid, traffic) = (bridge::grid(config), traffic(config));
    let mut engine = engines::cut_through(config, &grid, &traffic, buffers);
    let mut probes = (Deliveries::default(), other);
    for _ in 0..CYCLES {
        engine.step(&mut AnyProbe(&mut probes));
    }
    probes.0.sorted()
}

/// A probe that uses every hook.
#[derive(Default)]
struct Busybody {
    started: u64,
    granted: u64,
    cycles: u64,
    levels: u64,
}

impl Probe for Busybody {
    fn needs_occupancy(&self) -> bool {
        true
    }

    fn started(&mut self, _packet: &Packet) {
        self.started += 1;
    }

    fn granted(&mut self, _grant: Grant) {
        self.granted += 1;
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.started += u64::from(delivery.packet.flits);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.cycles += 1;
        self.levels += end.occupancy.map_or(0, |o| u64::from(o.level(0, 0, 0)));
    }
}

#[test]
fn probes_change_nothing() {
    for config in [config(Admission::Off), throttled()] {
        let alone = run(&config, Buffers::Unwatched, NoProbe);
        assert!(alone.len() > 1_000, "{} packets are no test", alone.len());
        assert_eq!(run(&config, Buffers::Watched, Busybody::default()), alone);
        assert_eq!(run(&config, Buffers::Watched, Some(Busybody::default())), alone);
        assert_eq!(run(&config, Buffers::Unwatched, None::<Busybody>), alone);
    }
}

#[test]
fn questions_change_nothing() {
    let config = throttled();
    let (grid, traffic) = (bridge::grid(&config), traffic(&config));
    let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
    let mut deliveries = Deliveries::default();
    while engine.cycle() < CYCLES {
        engine.step(&mut AnyProbe(&mut deliveries));
        engine.audit().expect("the books balance");
        assert!(!engine.is_still() && engine.deadlock().is_none());
        engine.backlog(engine.cycle(), |_, _| {});
    }
    assert_eq!(deliveries.sorted(), run(&config, Buffers::Unwatched, NoProbe));
}

#[test]
fn another_seed_gives_other_packets() {
    let config = throttled();
    assert_ne!(
        run(&Config { seed: 8, ..config.clone() }, Buffers::Unwatched, NoProbe),
        run(&config, Buffers::Unwatched, NoProbe)
    );
}

#[test]
fn the_portable_loop_gives_the_same_packets() {
    for config in [config(Admission::Off), throttled()] {
        let (grid, traffic) = (bridge::grid(&config), traffic(&config));
        let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched).portable();
        let mut deliveries = Deliveries::default();
        for _ in 0..CYCLES {
            engine.step(&mut AnyProbe(&mut deliveries));
        }
        assert_eq!(deliveries.sorted(), run(&config, Buffers::Unwatched, NoProbe));
    }
}
