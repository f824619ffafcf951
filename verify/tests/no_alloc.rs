//! The loop does not allocate: everything is there after the engine is built.

use crate::common::plain_adaptive;
use crate::common::tested::engines;
use tailback_engine::Buffers;
use tailback_engine::NoProbe;
use tailback_engine::{DataPath as _, Network as _};
use tailback_verify::adaptive::{self, CrossbarOutputs, FlowControl, InterfaceChannels, Pace, Policy, Requests, Scope};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::ioq::{self, Discipline, EgressIndex, Recn};
use tailback_verify::reference::{
    Admission, Arbiter, Config, Datelines, Level, Numbering, Propagation, Registers, Tie,
};
use tailback_verify::{bridge, input_queued, input_queued_bridge, wormhole};

const CYCLES: u64 = 5_000;

fn config() -> Config {
    Config {
        graph: None,
        radix: vec![6, 6],
        wrap: vec![true; 2],
        nodes_per_router: 1,
        link_cycles: 2,
        virtual_channels: 3,
        buffer_flits: 16,
        header_cycles: 1,
        credit_cycles: 1,
        ejection_channels: None,
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: None,
        arbiter: Arbiter::RoundRobin,
        datelines: Datelines::Two,
        numbering: Numbering::Carry,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed: 3,
    }
}

fn spth(propagation: Propagation) -> Admission {
    Admission::Spth {
        margin_flits: 8,
        inclusive: true,
        level: Level::Edge,
        register_bits: None,
        registers: Registers::Any,
        propagation,
    }
}

const BUFFERS: [Buffers; 2] = [Buffers::Watched, Buffers::Unwatched];

/// Allocations of a run after its build.
fn allocations(config: &Config, text: &str, buffers: Buffers) -> u64 {
    let traffic = bridge::traffic(config, text).expect("possible");
    let grid = bridge::grid(config);
    let mut engine = engines::cut_through(config, &grid, &traffic, buffers);
    let counted = allocation_counter::measure(|| {
        for _ in 0..CYCLES {
            engine.step(&mut AnyProbe(&mut NoProbe));
        }
    });
    assert!(engine.counters().delivered > 1_000, "so few packets are no test");
    counted.count_total
}

const OVERLOAD: &str = "[traffic]\nload = 2.0";
const SIZES: &str = "[traffic]\nload = 2.0\nsize = { kind = \"bimodal\", short_flits = 1, long_flits = 16 }";

#[test]
fn the_counter_counts() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1u8; 100])));
    assert_eq!(counted.count_total, 1);
}

#[test]
fn overload_does_not_allocate() {
    assert_eq!(allocations(&config(), OVERLOAD, Buffers::Unwatched), 0);
    assert_eq!(allocations(&config(), OVERLOAD, Buffers::Watched), 0);
    assert_eq!(allocations(&Config { credit_cycles: 9, ..config() }, OVERLOAD, Buffers::Watched), 0);
    assert_eq!(allocations(&Config { source_queue_packets: Some(3), ..config() }, OVERLOAD, Buffers::Unwatched), 0);
}

#[test]
fn variable_sizes_do_not_allocate() {
    for arbiter in [Arbiter::RoundRobin, Arbiter::Random, Arbiter::OldestFirst] {
        let config = Config { arbiter, buffer_flits: 37, credit_cycles: 5, ..config() };
        assert_eq!(allocations(&config, SIZES, Buffers::Watched), 0, "{arbiter:?}");
    }
}

#[test]
fn throttling_does_not_allocate() {
    for propagation in [Propagation::Ideal, Propagation::SharedLink] {
        for text in [OVERLOAD, SIZES] {
            let config = Config { admission: spth(propagation), ..config() };
            assert_eq!(allocations(&config, text, Buffers::Unwatched), 0, "{propagation:?} {text}");
        }
    }
}

#[test]
fn sparse_traffic_does_not_allocate() {
    let text = "[traffic]\nload = 0.1\nprocess = \"on_off\"\nsize = { kind = \"fixed\", flits = 2 }";
    assert_eq!(allocations(&config(), text, Buffers::Unwatched), 0);
}

/// Allocations of a run of adaptive cut-through routers after its build.
fn adaptive_allocations(config: &adaptive::Config, text: &str, buffers: Buffers) -> u64 {
    let traffic = bridge::traffic(&config.shared.base, text).expect("possible");
    let grid = bridge::grid(&config.shared.base);
    let mut engine = engines::adaptive(config, &grid, &traffic, buffers).expect("possible");
    let counted = allocation_counter::measure(|| {
        for _ in 0..CYCLES {
            engine.step(&mut AnyProbe(&mut NoProbe));
        }
    });
    assert!(engine.counters().delivered > 1_000, "so few packets are no test");
    counted.count_total
}

#[test]
fn adaptive_routers_do_not_allocate() {
    let rules = [
        Requests::Parallel,
        Requests::InTurn,
        Requests::Smart,
        Requests::Random,
        Requests::Shortest,
        Requests::ShortestFlits,
        Requests::Stay,
    ];
    for (n, requests) in rules.into_iter().enumerate() {
        let scope = if n % 2 == 0 { Scope::Local } else { Scope::Ring };
        let mut config = adaptive::Config {
            requests,
            flow_control: FlowControl::Bubble { escape_packets: 2, new_packets: 1, scope },
            crossbar_outputs: if n % 2 == 0 { CrossbarOutputs::Channel } else { CrossbarOutputs::Link },
            ..plain_adaptive::plain(&[6, 6], true)
        };
        config.shared.base.credit_cycles = 3;
        config.shared.base.source_queue_packets = Some(4);
        let text = "[traffic]\nload = 2.0\nsize = { kind = \"fixed\", flits = 4 }";
        assert_eq!(adaptive_allocations(&config, text, BUFFERS[n % 2]), 0, "{requests:?}");
        // Several queues, and messages cut into packets.
        let interface_channels = InterfaceChannels::Virtual { router_packets: 2 };
        let config = adaptive::Config { queues: 4, policy: Policy::Lpath, interface_channels, ..config };
        let text = "[traffic]\nload = 2.0\npacket_flits = 4\nsize = { kind = \"fixed\", flits = 12 }";
        assert_eq!(adaptive_allocations(&config, text, Buffers::Watched), 0, "{requests:?}");
        let pace = Pace { output_gap: 2, input_gap: 1, refusal: 3, first_come: true };
        let config = adaptive::Config { policy: Policy::RoundRobin, pace, ..config };
        assert_eq!(adaptive_allocations(&config, text, Buffers::Watched), 0, "{requests:?}, round robin");
    }
}

/// Allocations of a run of input-queued routers after its build.
fn input_queued_allocations(config: &input_queued::Config, text: &str) -> u64 {
    let base = &config.shared.base;
    let (traffic, grid) = (bridge::traffic(base, text).expect("possible"), bridge::grid(base));
    let routing = input_queued_bridge::routing(config, &grid).expect("possible");
    let mut engine = engines::input_queued(config, &grid, &traffic, routing, Buffers::Watched);
    let counted = allocation_counter::measure(|| {
        for _ in 0..CYCLES {
            engine.step(&mut AnyProbe(&mut NoProbe));
        }
    });
    assert!(engine.counters().delivered > 1_000, "so few packets are no test");
    counted.count_total
}

#[test]
fn input_queued_routers_do_not_allocate() {
    use input_queued::{Allocator, Arbiter, Needs, Speculation, Yields};
    let allocators = [
        Allocator::Islip { iterations: 2 },
        Allocator::SeparableInputFirst(Arbiter::Matrix),
        Allocator::SeparableOutputFirst(Arbiter::RoundRobin),
        Allocator::Wavefront,
        Allocator::RoundRobinWavefront,
        Allocator::MaxSize,
        Allocator::Pim { iterations: 2 },
        Allocator::Loa,
        Allocator::Select { iterations: 2 },
    ];
    let text = "[traffic]\nload = 0.9\nsize = { kind = \"fixed\", flits = 3 }";
    for (n, allocator) in allocators.into_iter().enumerate() {
        let mut config = input_queued::Config {
            vc_allocator: allocator,
            switch_allocator: allocator,
            crossbar_cycles: 1 + n as u32 % 3,
            internal_speedup: 1.0 + (n % 2) as f64 / 2.0,
            output_queue_flits: (n > 4).then_some(1),
            hold_switch: n % 2 == 1,
            speculation: match n % 3 {
                0 => Speculation::Shared(Needs::Nothing),
                1 => Speculation::Separate { needs: Needs::Credit, yields: Yields::Requests, allocator },
                _ => Speculation::Off,
            },
            ..input_queued::Config::plain(&[4, 4], false)
        };
        config.shared.base.source_queue_packets = Some(3);
        assert_eq!(input_queued_allocations(&config, text), 0, "{allocator:?}");
    }
}

/// Allocations of a run of input-output-queued switches after its build.
fn ioq_allocations(config: &ioq::Config, text: &str, buffers: Buffers) -> u64 {
    let traffic = bridge::traffic(&config.shared.base, text).expect("possible");
    let grid = bridge::grid(&config.shared.base);
    let mut engine = engines::ioq(config, &grid, &traffic, buffers).expect("possible");
    let counted = allocation_counter::measure(|| {
        for _ in 0..CYCLES {
            engine.step(&mut AnyProbe(&mut NoProbe));
        }
    });
    assert!(engine.counters().delivered > 1_000, "so few packets are no test");
    counted.count_total
}

#[test]
fn input_output_queued_switches_do_not_allocate() {
    let recn =
        Recn { set_aside_queues: 4, detection_bytes: 192, notification_bytes: 192, xoff_bytes: 192, xon_bytes: 128 };
    let disciplines = [
        Discipline::Single,
        Discipline::VoqSw(EgressIndex::NextTurn),
        Discipline::VoqNet,
        Discipline::Dbbm(4),
        Discipline::Damq,
        Discipline::Recn(recn),
        Discipline::Recn(Recn { set_aside_queues: 1, detection_bytes: 64, notification_bytes: 0, ..recn }),
    ];
    for (n, discipline) in disciplines.into_iter().enumerate() {
        let mut config = ioq::Config {
            shared: wormhole::Config::plain(&[6, 6], false),
            packet_flits: 4,
            packet_bytes: 64,
            ingress_packets: 72,
            egress_packets: 72,
            transfer_cycles: 3,
            control_flits: 1,
            credit_batch_packets: 4,
            classes: 1,
            discipline,
        };
        config.shared.base.source_queue_packets = Some(3);
        let traffic = |size: u32| {
            format!(
                "[traffic]\nload = 2.0\nsize = {{ kind = \"fixed\", flits = {size} }}\n\
                 pattern = {{ kind = \"hot_spot\", nodes = [7, 20], share_percent = 20 }}"
            )
        };
        assert_eq!(ioq_allocations(&config, &traffic(4), BUFFERS[n % 2]), 0, "{discipline:?}");
        // Messages of several packets.
        assert_eq!(ioq_allocations(&config, &traffic(12), Buffers::Watched), 0, "{discipline:?}");
    }
}
