//! The same under adaptive cut-through: packets of one length, several injection queues, heads that choose again.

use crate::listed::{Draws, Listed, random};
use crate::{End, full, idle, placed, play, played, request_reply};
use tailback_engine::{Adaptive, Buffers, Driven, Supply};
use tailback_mechanisms::Bundle;
use tailback_program::Program;
use tailback_traffic::{Classes, Cutting};
use tailback_verify::adaptive::{
    Config, CrossbarOutputs, FlowControl, InterfaceChannels, Network, Pace, Policy, Requests,
};
use tailback_verify::reference::{Arbiter, Datelines};
use tailback_verify::wormhole::{self, Escape, Routing};
use tailback_verify::{adaptive_bridge, bridge};

/// Flits of every packet.
const FLITS: u32 = 3;

/// A drawn network of drawn routers.
fn config(draws: &mut Draws, classes: u32, places: Option<u32>) -> Config {
    let radix = [&[4u32][..], &[5], &[3, 3], &[2, 4]][draws.below(4) as usize].to_vec();
    let wrap = draws.below(2) == 0;
    let mut shared = wormhole::Config::plain(&radix, wrap);
    let adaptive = wrap && draws.below(2) == 0;
    let base = &mut shared.base;
    base.nodes_per_router = classes * (1 + draws.below(2) as u32);
    base.virtual_channels = classes * if adaptive { 3 } else { 2 };
    base.buffer_flits = FLITS * (1 + draws.below(3) as u32);
    (base.link_cycles, base.header_cycles) = (1 + draws.below(3) as u32, draws.below(3) as u32);
    (base.credit_cycles, base.message_classes) = (1 + draws.below(3) as u32, classes);
    (base.ejection_channels, base.ejection_packets) = (Some(1), places);
    base.datelines = if wrap && !adaptive { Datelines::One } else { Datelines::None };
    base.arbiter = [Arbiter::RoundRobin, Arbiter::OldestFirst][draws.below(2) as usize];
    base.seed = draws.below(1000);
    shared.routing = if adaptive { Routing::Adaptive(Escape::Ring) } else { Routing::DimensionOrder };
    Config {
        shared,
        packet_flits: FLITS,
        turn_cycles: draws.below(2) as u32,
        consumption_cycles: draws.below(2) as u32,
        crossbar_outputs: [CrossbarOutputs::Link, CrossbarOutputs::Channel][draws.below(2) as usize],
        requests: [Requests::Parallel, Requests::Random, Requests::Smart][draws.below(3) as usize],
        escape_first: false,
        transit_first: draws.below(2) == 0,
        flow_control: FlowControl::VirtualCutThrough,
        queues: 1 + draws.below(2) as u32,
        policy: Policy::RoundRobin,
        interface_channels: InterfaceChannels::Physical,
        ejection_port: None,
        choose_again: false,
        pace: Pace { output_gap: draws.below(2) as u32, ..Pace::default() },
    }
}

/// Runs both and compares.
fn compare(config: &Config, program: &Listed, classes: &Classes, draws: &mut Draws) -> End {
    let base = &config.shared.base;
    let grid = bridge::grid(base);
    let nodes = grid.nodes() as u32 / classes.count;
    let placed = placed(program, nodes, Cutting::Full(FLITS), classes, draws);
    let supply = Supply::from(Driven::new(&placed));
    let parts = adaptive_bridge::parts(config, &grid).expect("the routing is possible");
    let mut engine: Adaptive<'_, Bundle> =
        Adaptive::new(&grid, supply, adaptive_bridge::router(config), parts, Buffers::Watched);
    let idle = idle(base, FLITS);
    let mut reference = Network::new(config, &idle);
    let on_the_way = |flits: u32| flits.div_ceil(FLITS) * FLITS;
    play(&mut engine, &mut reference, &mut played(&placed, program, (classes, nodes), on_the_way), base)
}

#[test]
fn requests_that_keep_places_go_as_the_reference_model_says() {
    let mut ends = Vec::new();
    for seed in 0..48 {
        let mut draws = Draws(seed);
        let hard = seed % 16 == 0;
        let count = if hard { 1 } else { 1 + draws.below(2) as u32 };
        let places = if hard { 1 } else { 1 + draws.below(3) as u32 };
        let mut config = config(&mut draws, count, Some(places));
        if hard {
            let base = &mut config.shared.base;
            (base.radix, base.wrap, base.nodes_per_router) = (vec![8], vec![true], 1);
            (base.virtual_channels, base.buffer_flits, base.datelines) = (2, FLITS, Datelines::One);
            (config.shared.routing, config.queues) = (Routing::DimensionOrder, 1);
        }
        let nodes = bridge::grid(&config.shared.base).nodes() as u32 / count;
        let ranks = if hard { nodes } else { 2 + draws.below(u64::from(nodes) - 1) as u32 };
        let program = if hard { full(ranks) } else { request_reply(&mut draws, ranks) };
        let tags = if count == 2 { vec![1] } else { Vec::new() };
        let end = compare(&config, &program, &Classes { count, tags, requests: 1 }, &mut draws);
        assert!(count == 1 || end == End::Completed, "with classes of their own replies always leave: seed {seed}");
        assert_ne!(end, End::Deadlocked(false), "the routing is free by itself: seed {seed}");
        ends.push(end);
    }
    let locked = ends.iter().filter(|&&end| end == End::Deadlocked(true)).count();
    assert!(locked > 0 && locked < 40, "{locked}");
}

#[test]
fn classes_of_random_programs_go_as_the_reference_model_says() {
    for seed in 0..60 {
        let mut draws = Draws(seed);
        let count = 1 + draws.below(3) as u32;
        let config = config(&mut draws, count, None);
        let nodes = bridge::grid(&config.shared.base).nodes() as u32 / count;
        let ranks = 2 + draws.below(u64::from(nodes) - 1) as u32;
        let program = random(&mut draws, ranks, 3 * (seed % 2));
        assert!(program.ranks() == ranks);
        let tags = (1..count).map(|class| if seed % 2 == 0 { class * 8 } else { class }).collect();
        let end = compare(&config, &program, &Classes { count, tags, requests: 0 }, &mut draws);
        assert!(end == End::Completed || seed % 2 == 1, "seed {seed}: {end:?}");
    }
}
