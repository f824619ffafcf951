//! Rings without datelines lock, and the engine names the heads that wait for each other; with datelines they never do.

use crate::common::tested::{Tested, engines};
use tailback_engine::Buffers;
use tailback_engine::cut_through::CutThrough;
use tailback_engine::outcome::Deadlock;
use tailback_engine::{DataPath as _, Network as _};
use tailback_traffic::Traffic;
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{self, Admission, Arbiter, Config, Datelines, Numbering, Tie};

fn ring(k: u32, datelines: Datelines, virtual_channels: u32) -> Config {
    Config {
        graph: None,
        radix: vec![k],
        wrap: vec![true],
        nodes_per_router: 1,
        link_cycles: 1,
        virtual_channels,
        buffer_flits: 8,
        header_cycles: 1,
        credit_cycles: 1,
        ejection_channels: None,
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: Some(2),
        // Under round robin the ring of four stays clear of a lock for thousands of cycles.
        arbiter: Arbiter::Random,
        datelines,
        numbering: Numbering::Reset,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed: 1,
    }
}

/// Overload in which every packet goes `offset` routers up.
fn all_up(config: &Config, offset: u32) -> Traffic {
    let text = format!(
        "[traffic]\nload = 4.0\npattern = {{ kind = \"torn\", offset = {offset} }}\nsize = {{ kind = \"fixed\", flits = 8 }}"
    );
    bridge::traffic(config, &text).expect("possible")
}

/// Runs until nothing can move, at most `limit` cycles.
fn run_until_still(engine: &mut CutThrough<Tested>, deliveries: &mut Deliveries, limit: u64) -> bool {
    while !engine.is_still() && engine.cycle() < limit {
        engine.step(&mut AnyProbe(deliveries));
    }
    engine.is_still()
}

/// Each head of the cycle asks for a buffer whose front is the next one's.
fn assert_closed(config: &Config, deadlock: &Deadlock) {
    let cycle = &deadlock.cycle;
    assert!(!cycle.is_empty() && deadlock.blocked >= cycle.len(), "{deadlock:?}");
    for (head, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
        let there = config.neighbour(head.router as usize, usize::from(head.port));
        assert_eq!(there, Some(next.router as usize), "{head:?} does not lead to {next:?}");
        assert_eq!(next.input.0, head.port, "{head:?} does not wait for {next:?}");
        assert!(head.channels >> next.input.1 & 1 == 1, "{head:?} does not ask for the channel of {next:?}");
    }
}

#[test]
fn a_ring_without_datelines_locks_for_ever() {
    for (k, offset, channels) in [(4, 2, 1), (8, 3, 1), (8, 3, 2), (5, 2, 1)] {
        let config = ring(k, Datelines::None, channels);
        let (traffic, grid) = (all_up(&config, offset), bridge::grid(&config));
        let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
        let mut deliveries = Deliveries::default();
        assert!(run_until_still(&mut engine, &mut deliveries, 5_000), "{k} {offset} {channels}: still running");
        let deadlock = engine.deadlock().expect("a cause");
        assert_closed(&config, &deadlock);
        // With one channel the whole ring waits; with more, one channel after the other can be followed round.
        assert_eq!(deadlock.blocked, (k * channels) as usize);
        engine.audit().expect("the books balance even so");

        let (delivered, in_flight) = (engine.counters().delivered, engine.in_flight());
        for _ in 0..2_000 {
            engine.step(&mut AnyProbe(&mut deliveries));
        }
        assert!(engine.is_still());
        assert_eq!((engine.counters().delivered, engine.in_flight()), (delivered, in_flight));
        assert_eq!(engine.deadlock(), Some(deadlock));
        let expected = reference::run(&config, &traffic, engine.cycle());
        assert_eq!(deliveries.sorted(), expected.delivered);
        assert_eq!(expected.in_flight.last(), Some(&in_flight));
    }
}

#[test]
fn packets_of_two_lengths_lock_too() {
    // Room for a short packet is left nearly everywhere: it must not look as if something could still move.
    let config = Config { buffer_flits: 10, ..ring(6, Datelines::None, 1) };
    let text = "[traffic]\nload = 4.0\npattern = { kind = \"torn\", offset = 2 }\n\
                size = { kind = \"bimodal\", short_flits = 1, long_flits = 8, long_percent = 90 }";
    let traffic = bridge::traffic(&config, text).expect("possible");
    let grid = bridge::grid(&config);
    let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
    assert!(run_until_still(&mut engine, &mut Deliveries::default(), 20_000), "{:?}", engine.deadlock());
    assert_closed(&config, &engine.deadlock().expect("a cause"));
}

#[test]
fn datelines_prevent_it() {
    for datelines in [Datelines::One, Datelines::Two] {
        for (k, offset) in [(4, 2), (8, 3), (8, 4), (5, 2)] {
            let config = ring(k, datelines, 2);
            let (traffic, grid) = (all_up(&config, offset), bridge::grid(&config));
            let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
            let mut deliveries = Deliveries::default();
            let mut before = 0;
            while engine.cycle() < 10_000 {
                engine.step(&mut AnyProbe(&mut deliveries));
                assert!(!engine.is_still());
                if engine.cycle().is_multiple_of(500) {
                    assert_eq!(engine.deadlock(), None);
                    let delivered = engine.counters().delivered;
                    assert!(delivered > before + u64::from(k), "{k} {offset} {datelines:?}: no progress");
                    before = delivered;
                }
            }
        }
    }
}

#[test]
fn a_carried_class_keeps_a_torus_free() {
    let config =
        Config { radix: vec![4, 4], wrap: vec![true; 2], numbering: Numbering::Carry, ..ring(4, Datelines::Two, 3) };
    let traffic = bridge::traffic(&config, "[traffic]\nload = 4.0").expect("possible");
    let grid = bridge::grid(&config);
    let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
    while engine.cycle() < 10_000 {
        engine.step(&mut AnyProbe(&mut Deliveries::default()));
        assert!(!engine.is_still());
        if engine.cycle().is_multiple_of(500) {
            assert_eq!(engine.deadlock(), None);
        }
    }
}

#[test]
fn a_mesh_and_an_empty_network_are_not_deadlocked() {
    let config = Config { wrap: vec![false], ..ring(6, Datelines::None, 1) };
    let grid = bridge::grid(&config);
    for load in ["0.0", "4.0"] {
        let traffic = bridge::traffic(&config, &format!("[traffic]\nload = {load}")).expect("possible");
        let mut engine = engines::cut_through(&config, &grid, &traffic, Buffers::Unwatched);
        while engine.cycle() < 3_000 {
            engine.step(&mut AnyProbe(&mut Deliveries::default()));
            assert!(!engine.is_still());
        }
        assert_eq!(engine.deadlock(), None);
    }
}
