//! Random small networks, and routings that make sense on them.

use proptest::option;
use proptest::prelude::*;
use tailback_verify::reference::{self, Datelines, Numbering, Place, Propagation, Registers, Tie};
use tailback_verify::wormhole::{Arbiter, Asks, Config, Escape, OwnRouter, Passing, Routing, Rule, Selection};

/// The largest network drawn \[routers\].
const MAX_ROUTERS: usize = 36;

/// Changes the network to one on which the routing is possible, and gives it the channels that it needs.
pub fn fit_routing(config: &mut Config) {
    match config.routing {
        Routing::O1Turn => config.base = two_dimensions(&config.base),
        Routing::TurnModel(rule) => {
            if rule != Rule::NegativeFirst {
                config.base = two_dimensions(&config.base);
            }
            config.base.wrap.fill(false);
        }
        Routing::EscapeOrder(Asks::Thirds) => config.base.wrap.fill(false),
        _ => {}
    }
    if config.is_adaptive()
        && let reference::Admission::Spth { registers, .. } = &mut config.base.admission
    {
        // The channels that an adaptive packet asks for differ from port to port: such a spec is refused.
        *registers = Registers::Any;
    }
    if config.base.shares_middle {
        (config.base.datelines, config.base.numbering) = (Datelines::OneAt(Place::Entry), Numbering::Reset);
    }
    config.base.virtual_channels = config.base.virtual_channels.max(config.channels_needed());
    if config.base.shares_middle && config.base.virtual_channels.is_multiple_of(2) {
        config.base.virtual_channels = (config.base.virtual_channels + 1).min(15);
    }
}

/// The same with two dimensions, some of them new ones of three routers.
fn two_dimensions(base: &reference::Config) -> reference::Config {
    let mut base = base.clone();
    base.radix.resize(2, 3);
    base.wrap.resize(2, base.wrap[0]);
    base
}

/// The network, times of wires, channels, buffers and queues. Dimension order's choices too.
pub fn base() -> impl Strategy<Value = reference::Config> {
    let wires = (prop_oneof![8 => 1u32..=4, 1 => 5u32..=20], prop_oneof![8 => 1u32..=4, 1 => 5u32..=12]);
    let sizes = (1u32..=6, 1u32..=9);
    let queues = (option::of(1u32..=2), option::of(1u32..=4));
    let place = prop_oneof![Just(Place::Router), Just(Place::Entry)];
    let datelines = prop_oneof![
        1 => Just(Datelines::None),
        2 => Just(Datelines::One),
        2 => Just(Datelines::Two),
        1 => place.prop_map(Datelines::OneAt),
        1 => Just(Datelines::TwoAt(Place::Router)),
    ];
    let numbering = prop_oneof![Just(Numbering::Reset), Just(Numbering::Carry)];
    let tie = prop_oneof![Just(Tie::Plus), Just(Tie::Minus), Just(Tie::Sign), Just(Tie::Alternate), Just(Tie::Random)];
    (network(), wires, sizes, queues, (datelines, numbering, tie), spth(), any::<u64>()).prop_map(
        |(network, wires, sizes, queues, (datelines, numbering, tie), admission, seed)| reference::Config {
            graph: None,
            radix: network.0,
            wrap: network.1,
            nodes_per_router: network.2,
            link_cycles: wires.0,
            virtual_channels: sizes.0,
            buffer_flits: sizes.1,
            header_cycles: 0,
            credit_cycles: wires.1,
            ejection_channels: queues.0,
            message_classes: 1,
            cross_line: None,
            ejection_packets: None,
            source_queue_packets: queues.1,
            arbiter: reference::Arbiter::RoundRobin,
            numbering: if datelines == Datelines::OneAt(Place::Entry) { Numbering::Reset } else { numbering },
            keeps_channel: seed >> 32 & 3 == 0,
            shares_middle: seed >> 34 & 3 == 0,
            datelines,
            tie,
            admission,
            seed,
        },
    )
}

/// Radix, rings and nodes per router.
fn network() -> impl Strategy<Value = (Vec<u32>, Vec<bool>, u32)> {
    let shape = prop::collection::vec((2u32..=6, any::<bool>()), 1..=3);
    (shape, 0u32..7, 1u32..=2).prop_map(|(shape, kind, nodes)| {
        let (mut radix, mixed): (Vec<u32>, Vec<bool>) = shape.into_iter().unzip();
        while radix.iter().product::<u32>() as usize > MAX_ROUTERS {
            let largest = radix.iter_mut().max().expect("there is a dimension");
            *largest -= 1;
        }
        let wrap = match kind {
            0..3 => vec![true; radix.len()],
            3..6 => vec![false; radix.len()],
            _ => mixed,
        };
        (radix, wrap, nodes)
    })
}

fn spth() -> impl Strategy<Value = reference::Admission> {
    let registers = prop_oneof![Just(Registers::Any), Just(Registers::Used)];
    let propagation = prop_oneof![Just(Propagation::Ideal), Just(Propagation::SharedLink)];
    let spth = (0u32..=4, any::<bool>(), option::of(0u32..=6), registers, propagation);
    spth.prop_map(|(margin_flits, inclusive, register_bits, registers, propagation)| reference::Admission::Spth {
        margin_flits,
        inclusive,
        level: reference::Level::Edge,
        register_bits,
        registers,
        propagation,
    })
}

/// Valiant's routing.
pub fn valiant() -> impl Strategy<Value = Routing> {
    let own = prop_oneof![Just(OwnRouter::Stays), Just(OwnRouter::Travels)];
    let passing = prop_oneof![2 => Just(Passing::OfPhase), 1 => Just(Passing::All)];
    (own, passing).prop_map(|(own, passing)| Routing::Valiant(own, passing))
}

/// Routings.
pub fn routing() -> impl Strategy<Value = Routing> {
    let escape = prop_oneof![2 => Just(Escape::Dateline), 1 => Just(Escape::Mesh), 1 => Just(Escape::Ring), 1 => Just(Escape::None)];
    let rule =
        prop_oneof![Just(Rule::WestFirst), Just(Rule::NorthLast), Just(Rule::NegativeFirst), Just(Rule::OddEven)];
    prop_oneof![
        2 => Just(Routing::DimensionOrder),
        3 => escape.prop_map(Routing::Adaptive),
        2 => rule.prop_map(Routing::TurnModel),
        1 => valiant(),
        1 => Just(Routing::O1Turn),
    ]
}

/// Arbiters.
pub fn arbiter() -> impl Strategy<Value = Arbiter> {
    prop_oneof![Just(Arbiter::RoundRobin), Just(Arbiter::Random), Just(Arbiter::OldestFirst), Just(Arbiter::Matrix)]
}

/// Selections.
pub fn selection() -> impl Strategy<Value = Selection> {
    prop_oneof![
        Just(Selection::First),
        Just(Selection::Random),
        Just(Selection::MostCredits),
        Just(Selection::Straight),
        Just(Selection::Turn)
    ]
}
