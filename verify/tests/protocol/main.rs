//! Programs with message classes and finite ejection buffers: the engine beside the reference model, whose nodes the naive twin moves.
//! Every delivery and every place of a buffer is compared, cycle by cycle.

mod host;
mod script;

use crate::common::tested::engines;
use crate::programs::listed;
use crate::programs::twin;
use listed::{Draws, Listed, Step, random};
use script::Played;
use std::sync::Arc;
use tailback_engine::outcome::Blocked;
use tailback_engine::{Buffers, Driven, Network as _, Supply};
use tailback_engine::{DataPath, Delivery, Probe};
use tailback_network::Grid;
use tailback_program::{Generate, Generated, Program, Upon};
use tailback_traffic::{Classes, Cutting, Keeps, Placed};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge;
use tailback_verify::reference::{Admission, Arbiter, Config, Datelines, Delivered, Network, Numbering, Tie};
use twin::Twin;

/// A drawn network.
fn config(draws: &mut Draws, classes: u32, ejection_packets: Option<u32>) -> Config {
    let radix = [&[4u32][..], &[5], &[3, 3], &[2, 4]][draws.below(4) as usize].to_vec();
    let wrap = draws.below(2) == 0;
    let each = if wrap { 2 } else { 1 + draws.below(2) as u32 };
    Config {
        graph: None,
        wrap: vec![wrap; radix.len()],
        radix,
        nodes_per_router: classes * (1 + draws.below(2) as u32),
        link_cycles: 1 + draws.below(3) as u32,
        virtual_channels: classes * each,
        buffer_flits: 4 + draws.below(6) as u32,
        header_cycles: draws.below(3) as u32,
        credit_cycles: 1 + draws.below(3) as u32,
        ejection_channels: Some(1),
        message_classes: classes,
        cross_line: None,
        ejection_packets,
        source_queue_packets: None,
        arbiter: [Arbiter::RoundRobin, Arbiter::OldestFirst][draws.below(2) as usize],
        datelines: if wrap { Datelines::One } else { Datelines::None },
        numbering: Numbering::Reset,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed: draws.below(1000),
    }
}

/// A generated program, written down.
fn listed(program: &dyn Program) -> Listed {
    let of_rank = |rank: u32| {
        let step = |number: u32| Step { work: program.operation(rank, number).work, waits: Vec::new() };
        let mut steps: Vec<Step> = (0..program.operations(rank)).map(step).collect();
        for number in 0..program.operations(rank) {
            program.dependants(rank, number, &mut |waiting, upon| steps[waiting as usize].waits.push((number, upon)));
        }
        steps
    };
    Listed((0..program.ranks()).map(of_rank).collect())
}

/// Requests and replies of half the nodes to the other half, all at once.
fn full(ranks: u32) -> Listed {
    asked([
        ("ranks", u64::from(ranks)),
        ("servers", u64::from(ranks) / 2),
        ("window", 8),
        ("count", 16),
        ("request_flits", 8),
        ("reply_flits", 8),
        ("think_cycles", 0),
    ])
}

/// Requests and replies of drawn lengths.
fn request_reply(draws: &mut Draws, ranks: u32) -> Listed {
    asked([
        ("ranks", u64::from(ranks)),
        ("servers", 1 + draws.below(u64::from(ranks) - 1)),
        ("window", 1 + draws.below(4)),
        ("count", 1 + draws.below(8)),
        ("request_flits", 1 + draws.below(6)),
        ("reply_flits", 1 + draws.below(6)),
        ("think_cycles", draws.below(2) * draws.below(30)),
    ])
}

fn asked(values: [(&str, u64); 7]) -> Listed {
    let mut asked = Generate::new("request_reply");
    for (name, value) in values {
        asked.set(name, value).expect("the library has it");
    }
    listed(&Generated::new(&asked).expect("it can be made"))
}

#[derive(Default)]
struct Heard(Vec<Delivered>);

impl Probe for Heard {
    fn delivered(&mut self, Delivery { cycle, packet }: Delivery<'_>) {
        self.0.push(Delivered {
            source: packet.source,
            index: packet.index,
            destination: packet.destination,
            birth: packet.birth,
            entered: packet.entered,
            delivered: cycle,
            hops: packet.hops,
        });
    }
}

/// How a case ended.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Completed,
    Stuck,
    /// Whether the circle goes through nodes.
    Deadlocked(bool),
}

/// Runs both and compares.
fn compare(config: &Config, program: &Listed, classes: &Classes, draws: &mut Draws) -> End {
    let grid: Grid = bridge::grid(config);
    let nodes = grid.nodes() as u32 / classes.count;
    let mut free: Vec<u32> = (0..nodes).collect();
    let at = (0..program.ranks()).map(|_| free.remove(draws.below(free.len() as u64) as usize)).collect();
    let cutting = match config.radix[0] {
        8 => Cutting::Whole,
        _ => Cutting::Packets(1 + draws.below(u64::from(config.buffer_flits)) as u32),
    };
    let placed =
        Placed::new(Arc::new(program.clone()), at, nodes).expect("places").cut(cutting).classed(classes.clone());
    let supply = Supply::from(Driven::new(&placed));
    let mut engine = engines::cut_through(config, &grid, supply, Buffers::Watched);
    let mut twin = Twin::new(program, |flits| flits);
    let keeps = match classes.keeps {
        Keeps::Nothing => twin::Keeps::Nothing,
        Keeps::Requests(below) => twin::Keeps::Requests(below),
        Keeps::Unmatched => twin::Keeps::Unmatched,
    };
    twin.classes = twin::Classes { tags: classes.tags.clone(), keeps };
    let idle = bridge::traffic(config, "[traffic]\nload = 0.01\nsize = { kind = 'fixed', flits = 1 }\n")
        .expect("it can be made");
    let mut reference = Network::new(config, &idle);
    let mut played = Played::new(&placed, twin, nodes * classes.count);
    let mut heard = Heard::default();
    loop {
        engine.step(&mut AnyProbe(&mut heard));
        reference.step_by(&mut played);
        let cycle = engine.cycle();
        engine.audit().unwrap_or_else(|error| panic!("cycle {cycle}: {error}"));
        heard.0.sort_unstable();
        assert_eq!(heard.0, reference.delivered(), "cycle {cycle}, {config:?}");
        assert_eq!(engine.in_flight(), reference.in_flight(), "cycle {cycle}");
        let standing = engine.standing(1).expect("nodes execute a program");
        if standing.completed.is_some() && engine.in_flight() == 0 {
            return End::Completed;
        }
        if engine.in_flight() == 0 && engine.sources_wait() {
            return End::Stuck;
        }
        if engine.is_still()
            && let Some(deadlock) = engine.deadlock()
        {
            assert!(deadlock.cycle.iter().any(Blocked::is_consumer) == deadlock.is_of_protocol());
            let (all, heard) = (reference.delivered(), heard.0.len());
            (0..60).for_each(|_| reference.step_by(&mut played));
            assert_eq!((reference.delivered(), all.len()), (all, heard), "what waits for ever goes on");
            return End::Deadlocked(deadlock.is_of_protocol());
        }
        assert!(cycle < 20_000, "{standing:?}");
    }
}

#[test]
fn requests_that_keep_places_go_as_the_reference_model_says() {
    let mut ends = Vec::new();
    for seed in 0..80 {
        let mut draws = Draws(seed);
        // On a full ring, with packets that fill a buffer.
        let hard = seed % 16 == 0;
        let count = if hard { 1 } else { 1 + draws.below(2) as u32 };
        let places = if hard { 1 } else { 1 + draws.below(3) as u32 };
        let mut config = config(&mut draws, count, Some(places));
        if hard {
            (config.radix, config.wrap, config.nodes_per_router) = (vec![8], vec![true], 1);
            (config.virtual_channels, config.buffer_flits, config.datelines) = (2, 8, Datelines::One);
        }
        let nodes = bridge::grid(&config).nodes() as u32 / count;
        let ranks = if hard { nodes } else { 2 + draws.below(u64::from(nodes) - 1) as u32 };
        let program = if hard { full(ranks) } else { request_reply(&mut draws, ranks) };
        let tags = if count == 2 { vec![1] } else { Vec::new() };
        let end = compare(&config, &program, &Classes { count, tags, keeps: Keeps::Requests(1) }, &mut draws);
        assert!(count == 1 || end == End::Completed, "with classes of their own replies always leave: seed {seed}");
        assert_ne!(end, End::Deadlocked(false), "the routing is free by itself");
        ends.push(end);
    }
    let locked = ends.iter().filter(|&&end| end == End::Deadlocked(true)).count();
    assert!(locked > 0 && locked < 60, "{locked}");
}

/// Any program on a network whose ejection buffers keep what no receive asks for, with places for so many packets.
fn unmatched(seed: u64, places: Option<u32>) -> End {
    let mut draws = Draws(seed);
    let count = 1 + draws.below(2) as u32;
    let few = 1 + draws.below(3) as u32;
    let config = config(&mut draws, count, Some(places.unwrap_or(few)));
    let nodes = bridge::grid(&config).nodes() as u32 / count;
    let ranks = 2 + draws.below(u64::from(nodes) - 1) as u32;
    let program = random(&mut draws, ranks, 3 * (seed % 2));
    let tags = (1..count).map(|class| if seed.is_multiple_of(2) { class * 8 } else { class }).collect();
    compare(&config, &program, &Classes { count, tags, keeps: Keeps::Unmatched }, &mut draws)
}

#[test]
fn packets_that_no_receive_asks_for_go_as_the_reference_model_says() {
    let ends: Vec<End> = (0..160).map(|seed| unmatched(seed, None)).collect();
    let count = |end: End| ends.iter().filter(|&&other| other == end).count();
    assert_eq!(count(End::Deadlocked(false)), 0, "the routing is free by itself");
    // Without jokers every message has a receive that comes to ask for it.
    assert!(ends.iter().step_by(2).all(|&end| end != End::Stuck));
    let [locked, completed] = [count(End::Deadlocked(true)), count(End::Completed)];
    assert!(locked > 10 && completed > 40, "{locked} locked, {completed} completed");
}

#[test]
fn with_places_for_all_nothing_locks() {
    let ends: Vec<End> = (0..60).map(|seed| unmatched(seed, Some(10_000))).collect();
    assert!(ends.iter().step_by(2).all(|&end| end == End::Completed), "{ends:?}");
    assert!(!ends.contains(&End::Deadlocked(true)), "{ends:?}");
}

#[test]
fn classes_of_random_programs_go_as_the_reference_model_says() {
    for seed in 0..60 {
        let mut draws = Draws(seed);
        let count = 1 + draws.below(3) as u32;
        let config = config(&mut draws, count, None);
        let nodes = bridge::grid(&config).nodes() as u32 / count;
        let ranks = 2 + draws.below(u64::from(nodes) - 1) as u32;
        let program = random(&mut draws, ranks, 3 * (seed % 2));
        let tags = (1..count).map(|class| if seed % 2 == 0 { class * 8 } else { class }).collect();
        let end = compare(&config, &program, &Classes { count, tags, keeps: Keeps::Nothing }, &mut draws);
        assert!(end == End::Completed || seed % 2 == 1, "seed {seed}: {end:?}");
    }
}

#[test]
fn a_listed_program_waits_as_the_generated_one_does() {
    let mut draws = Draws(1);
    let program = request_reply(&mut draws, 4);
    let waits = program.0.iter().flatten().flat_map(|step| &step.waits);
    assert!(waits.clone().count() > 0 && waits.clone().all(|wait| wait.1 == Upon::Finish));
}
