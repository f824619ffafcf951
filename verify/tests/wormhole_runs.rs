//! Wormhole networks of several blocks of routers: the same packets with and without wide vectors, whoever watches, and no
//! allocation after the build.

use crate::common::tested::engines;
use tailback_engine::Buffers;
use tailback_engine::contract::probe::Grant;
use tailback_engine::{DataPath as _, Network as _};
use tailback_engine::{Delivery, NoProbe, Probe};
use tailback_traffic::Traffic;
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::wormhole::{
    ChannelAllocator, Config, CrossbarInputs, Delivered, Escape, Recovery, Routing, Selection, Sharing,
    SwitchAllocator, TokenWay,
};

const CYCLES: u64 = 2_500;

/// Dimension order with a pipelined allocator, the adaptive router with a central one, and a network that is no multiple of
/// a block with queues that packets share.
fn configs() -> [Config; 3] {
    let mut order = Config { vc_allocation_cycles: 1, crossbar_inputs: CrossbarInputs::Port, ..big(&[16, 16]) };
    order.base.virtual_channels = 4;
    let mut adaptive = Config {
        routing_cycles: 1,
        crossbar_cycles: 1,
        channel_allocator: ChannelAllocator::Central,
        routing: Routing::Adaptive(Escape::Dateline),
        selection: Selection::Random,
        ..big(&[8, 8])
    };
    adaptive.base.source_queue_packets = Some(8);
    let mut shared = Config {
        sharing: Sharing::Shared,
        channel_allocator: ChannelAllocator::OutputFirst,
        switch_allocator: SwitchAllocator::OutputFirst,
        crossbar_inputs: CrossbarInputs::Port,
        ..big(&[9, 5])
    };
    (shared.base.buffer_flits, shared.base.virtual_channels) = (37, 6);
    [order, adaptive, shared]
}

fn big(radix: &[u32]) -> Config {
    let mut config = Config::plain(radix, true);
    config.base.virtual_channels = 3;
    config
}

fn traffic(config: &Config) -> Traffic {
    let text = "[traffic]\nload = 0.35\nsize = { kind = \"bimodal\", short_flits = 2, long_flits = 16 }";
    bridge::traffic(&config.base, text).expect("possible")
}

/// Counts flits, and wants to be told of them or not.
struct Watch {
    deliveries: Deliveries,
    watches: bool,
    flits: u64,
}

impl Probe for Watch {
    fn watches_flits(&self) -> bool {
        self.watches
    }

    fn granted(&mut self, _grant: Grant) {
        self.flits += 1;
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        self.deliveries.delivered(delivery);
    }
}

/// What a network delivers.
fn run(config: &Config, portable: bool, watches: bool) -> Vec<Delivered> {
    let (grid, traffic) = (bridge::grid(&config.base), traffic(config));
    let engine = engines::wormhole(config, &grid, &traffic, Buffers::Watched).expect("possible");
    let mut engine = if portable { engine.portable() } else { engine };
    let mut watch = Watch { deliveries: Deliveries::default(), watches, flits: 0 };
    for _ in 0..CYCLES {
        engine.step(&mut AnyProbe(&mut watch));
    }
    engine.audit().expect("the books balance");
    assert_eq!(watch.flits > 0, watches);
    assert!(watch.flits == 0 || watch.flits > engine.counters().flit_hops);
    watch.deliveries.sorted()
}

#[test]
fn the_processor_and_the_watchers_change_nothing() {
    for config in configs() {
        let packets = run(&config, false, true);
        assert!(packets.len() > 2_000, "{} packets are no test", packets.len());
        for (portable, watches) in [(false, false), (true, true), (true, false)] {
            assert!(run(&config, portable, watches) == packets, "{portable} {watches} {config:?}");
        }
    }
}

#[test]
fn the_loop_does_not_allocate() {
    for mut config in configs() {
        for recovery in [Recovery::Off, Recovery::Disha { timeout: 8, token: TokenWay::Walk, lane_flits: 2 }] {
            config.recovery = recovery;
            let (grid, traffic) = (bridge::grid(&config.base), traffic(&config));
            let mut engine = engines::wormhole(&config, &grid, &traffic, Buffers::Watched).expect("possible");
            let counted =
                allocation_counter::measure(|| (0..CYCLES).for_each(|_| engine.step(&mut AnyProbe(&mut NoProbe))));
            assert!(engine.counters().delivered > 2_000, "so few packets are no test");
            assert_eq!(counted.count_total, 0, "{config:?}");
        }
    }
}
