//! Random small wormhole networks and specs of their traffic.

use super::throttles::admission;
use super::traffic::{sizes, traffic};
use proptest::option;
use proptest::prelude::*;
use tailback_verify::reference::{self, Datelines, Numbering, Propagation, Registers, Tie};
use tailback_verify::wormhole::{
    Admission, Arbiter, ChannelAllocator, Config, CrossbarInputs, Escape, Recovery, Routing, Rule, Selection, Sharing,
    SwitchAllocator, TokenWay,
};

/// The largest network drawn \[routers\].
const MAX_ROUTERS: usize = 36;

/// One comparison.
#[derive(Clone, Debug)]
pub struct Case {
    /// The network.
    pub config: Config,
    /// The tables `traffic` and `workload` of the spec.
    pub traffic: String,
    /// Simulated time.
    pub cycles: u64,
    /// The engine's books are audited every so many cycles.
    pub audit_every: u64,
}

/// Any case.
pub fn any_case() -> impl Strategy<Value = Case> {
    (any_config(), sizes(), traffic()).prop_map(|(config, sizes, (mut cycles, audit_every, text))| {
        if config.base.routers() <= 9 {
            cycles *= 3;
        }
        Case { config, traffic: text.replace("SIZES", &sizes.text), cycles, audit_every }
    })
}

/// A finite amount of traffic, so that in the end either nothing is left or nothing moves; many of these networks lock.
pub fn any_collective() -> impl Strategy<Value = Case> {
    (any_config(), sizes(), 1u32..=30, any::<bool>(), 0u32..5).prop_map(|(mut config, sizes, packets, tornado, risk)| {
        if risk > 0 {
            take_risks(&mut config, risk > 2);
        }
        let pattern = if tornado { "tornado" } else { "uniform" };
        let traffic = format!(
            "[traffic]\npattern = \"{pattern}\"\nsize = {}\n[workload]\nkind = \"collective\"\npackets_per_node = {packets}",
            sizes.text
        );
        Case { config, traffic, cycles: 100_000, audit_every: 500 }
    })
}

/// Few channels, no recovery; long rings without datelines, or turns in any order without an escape.
fn take_risks(config: &mut Config, rings: bool) {
    config.base.virtual_channels = config.base.virtual_channels.div_ceil(3);
    config.base.datelines = Datelines::None;
    config.recovery = Recovery::Off;
    config.routing = if rings { Routing::DimensionOrder } else { Routing::Adaptive(Escape::None) };
    if rings {
        config.base.wrap.fill(true);
        config.base.radix[0] = config.base.radix[0].max(4);
    }
    fit(config);
}

fn any_config() -> impl Strategy<Value = Config> {
    (base(), stages(), allocation(), mechanisms()).prop_map(|(base, stages, allocation, mechanisms)| {
        let (routing_cycles, vc_allocation_cycles, switch_allocation_cycles, crossbar_cycles) = stages;
        let (injection_channels, sharing, channel_allocator, switch_allocator, crossbar_inputs, speculative) =
            allocation;
        let (arbiter, routing, selection, recovery, admission) = mechanisms;
        let mut config = Config {
            base,
            routing_cycles,
            vc_allocation_cycles,
            switch_allocation_cycles,
            crossbar_cycles,
            injection_channels,
            sharing,
            channel_allocator,
            switch_allocator,
            crossbar_inputs,
            speculative,
            arbiter,
            routing,
            selection,
            recovery,
            admission,
        };
        fit(&mut config);
        config
    })
}

/// Makes what cannot be together fit.
fn fit(config: &mut Config) {
    match config.routing {
        Routing::O1Turn => config.base = two_dimensions(&config.base),
        Routing::TurnModel(rule) => {
            if rule != Rule::NegativeFirst {
                config.base = two_dimensions(&config.base);
            }
            config.base.wrap.fill(false);
        }
        _ => {}
    }
    if config.routing == Routing::Valiant {
        // A packet may pass its destination's router, where the lane has no port for it.
        config.recovery = Recovery::Off;
    }
    config.speculative &= config.channel_allocator == ChannelAllocator::InputFirst && config.vc_allocation_cycles > 0;
    if config.is_adaptive()
        && let reference::Admission::Spth { registers, .. } = &mut config.base.admission
    {
        // The channels that an adaptive packet asks for differ from port to port: such a spec is refused.
        *registers = Registers::Any;
    }
    let least = config.channels_needed();
    config.base.virtual_channels = config.base.virtual_channels.max(least);
    let too_many = |c: &Config| c.inputs() > 64 || c.outputs() > 64;
    while too_many(config) && config.base.virtual_channels > least {
        config.base.virtual_channels -= 1;
    }
    if too_many(config) {
        config.base.ejection_channels = Some(1);
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
fn base() -> impl Strategy<Value = reference::Config> {
    let wires = (prop_oneof![8 => 1u32..=4, 1 => 5u32..=20], prop_oneof![8 => 1u32..=4, 1 => 5u32..=12]);
    let sizes = (1u32..=6, 1u32..=9);
    let queues = (option::of(1u32..=2), option::of(1u32..=4));
    let datelines = prop_oneof![1 => Just(Datelines::None), 2 => Just(Datelines::One), 2 => Just(Datelines::Two)];
    let numbering = prop_oneof![Just(Numbering::Reset), Just(Numbering::Carry)];
    let tie = prop_oneof![Just(Tie::Plus), Just(Tie::Minus), Just(Tie::Sign), Just(Tie::Alternate), Just(Tie::Random)];
    (network(), wires, sizes, queues, (datelines, numbering, tie), spth(), any::<u64>()).prop_map(
        |(network, wires, sizes, queues, (datelines, numbering, tie), admission, seed)| reference::Config {
            radix: network.0,
            wrap: network.1,
            nodes_per_router: network.2,
            link_cycles: wires.0,
            virtual_channels: sizes.0,
            buffer_flits: sizes.1,
            header_cycles: 0,
            credit_cycles: wires.1,
            ejection_channels: queues.0,
            source_queue_packets: queues.1,
            arbiter: reference::Arbiter::RoundRobin,
            datelines,
            numbering,
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
        register_bits,
        registers,
        propagation,
    })
}

/// Routing, channel allocation, switch allocation and crossbar cycles.
fn stages() -> impl Strategy<Value = (u32, u32, u32, u32)> {
    (0u32..=3, 0u32..=3, 0u32..=3, 0u32..=3)
}

type Allocation = (u32, Sharing, ChannelAllocator, SwitchAllocator, CrossbarInputs, bool);

fn allocation() -> impl Strategy<Value = Allocation> {
    (
        1u32..=3,
        prop_oneof![Just(Sharing::Owned), Just(Sharing::Shared), Just(Sharing::SharedWhole)],
        prop_oneof![
            1 => Just(ChannelAllocator::Central),
            2 => Just(ChannelAllocator::InputFirst),
            1 => Just(ChannelAllocator::OutputFirst)
        ],
        prop_oneof![Just(SwitchAllocator::InputFirst), Just(SwitchAllocator::OutputFirst)],
        prop_oneof![Just(CrossbarInputs::Port), Just(CrossbarInputs::Channel)],
        any::<bool>(),
    )
}

type Mechanisms = (Arbiter, Routing, Selection, Recovery, Admission);

fn mechanisms() -> impl Strategy<Value = Mechanisms> {
    let arbiter = prop_oneof![
        Just(Arbiter::RoundRobin),
        Just(Arbiter::Random),
        Just(Arbiter::OldestFirst),
        Just(Arbiter::Matrix)
    ];
    let selection = prop_oneof![
        Just(Selection::First),
        Just(Selection::Random),
        Just(Selection::MostCredits),
        Just(Selection::Straight)
    ];
    let token = prop_oneof![Just(TokenWay::Walk), Just(TokenWay::Instant)];
    let disha = (1u32..=20, token, 1u32..=6);
    let disha = disha.prop_map(|(timeout, token, lane_flits)| Recovery::Disha { timeout, token, lane_flits });
    let recovery = prop_oneof![1 => Just(Recovery::Off), 1 => disha];
    (arbiter, routing(), selection, recovery, admission())
}

fn routing() -> impl Strategy<Value = Routing> {
    let escape = prop_oneof![2 => Just(Escape::Dateline), 1 => Just(Escape::Mesh), 1 => Just(Escape::Ring), 1 => Just(Escape::None)];
    let rule =
        prop_oneof![Just(Rule::WestFirst), Just(Rule::NorthLast), Just(Rule::NegativeFirst), Just(Rule::OddEven)];
    prop_oneof![
        2 => Just(Routing::DimensionOrder),
        3 => escape.prop_map(Routing::Adaptive),
        2 => rule.prop_map(Routing::TurnModel),
        1 => Just(Routing::Valiant),
        1 => Just(Routing::O1Turn),
    ]
}
