//! Random small networks, specs and seeds.

use super::traffic::{Sizes, finite, fixed_sizes, process, sizes, traffic};
use proptest::option;
use proptest::prelude::*;
use tailback_verify::reference::{
    Admission, Arbiter, Config, CrossLine, Datelines, Level, Numbering, Place, Propagation, Registers, Tie, Wires,
};

/// The largest network drawn \[routers\].
const MAX_ROUTERS: usize = 72;

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

/// What once went wrong.
pub fn known_cases() -> Vec<Case> {
    let traffic = "[traffic]\nload = 0.9\nsize = { kind = \"fixed\", flits = 1 }".to_owned();
    let config = Config {
        graph: None,
        radix: vec![4],
        wrap: vec![true],
        nodes_per_router: 1,
        link_cycles: 1,
        virtual_channels: 2,
        buffer_flits: 4,
        header_cycles: 1,
        credit_cycles: 1,
        ejection_channels: None,
        message_classes: 1,
        cross_line: None,
        ejection_packets: None,
        source_queue_packets: None,
        arbiter: Arbiter::RoundRobin,
        datelines: Datelines::Two,
        numbering: Numbering::Reset,
        keeps_channel: false,
        shares_middle: false,
        tie: Tie::Plus,
        admission: Admission::Off,
        seed: 1,
    };
    // The link in the middle of a line counted as a dateline.
    let mesh = Config { wrap: vec![false], virtual_channels: 1, ..config.clone() };
    let mesh = Case { config: mesh, traffic: traffic.clone(), cycles: 300, audit_every: 1 };
    // While the head of a full source queue spent its header delay, a packet without a place counted as generated.
    let full = Config { source_queue_packets: Some(1), header_cycles: 4, ..config };
    let full = (300..310).map(|cycles| Case { config: full.clone(), traffic: traffic.clone(), cycles, audit_every: 1 });
    std::iter::once(mesh).chain(full).collect()
}

/// Any case.
pub fn any_case() -> impl Strategy<Value = Case> {
    cases(sizes())
}

/// The usual networks, most of which the engine simulates by its plain cycle: packets of one length, credits that come back
/// with the tail, no throttle.
pub fn usual_case() -> impl Strategy<Value = Case> {
    cases(fixed_sizes()).prop_map(|mut case| {
        (case.config.credit_cycles, case.config.admission) = (1, Admission::Off);
        case
    })
}

/// Any network with a finite amount of traffic.
pub fn finite_case() -> impl Strategy<Value = Case> {
    let traffic = (process(), prop_oneof!["\"uniform\"", "\"tornado\"", "\"rand\""], finite(12));
    (any_case(), sizes(), traffic).prop_map(|(case, sizes, (process, pattern, workload))| {
        let traffic = format!(
            "[traffic]\npattern = {pattern}\nprocess = {process}\nsize = {}\n\n[workload]\n{}",
            sizes.text,
            workload.replace("PATTERN", &pattern)
        );
        let mut config = case.config;
        config.buffer_flits = config.buffer_flits.max(sizes.longest);
        Case { config, traffic, ..case }
    })
}

/// Networks in which packets choose their order by the rows ahead.
pub fn cross_line_case() -> impl Strategy<Value = Case> {
    let plane = (2u32..=7, 2u32..=7, any::<bool>(), any::<bool>(), 1u32..=2);
    let plane = plane.prop_map(|(x, y, wraps_x, wraps_y, nodes)| (vec![x, y], vec![wraps_x, wraps_y], nodes));
    (sizes(), plane, cross_line())
        .prop_flat_map(|(sizes, plane, lines)| cases_of(Just(sizes), Just(plane), Just(Some(lines))))
}

fn cross_line() -> impl Strategy<Value = CrossLine> {
    let wires = prop_oneof![Just(Wires::Own), Just(Wires::Links)];
    (0u32..=20, option::of(0u32..=16), wires).prop_map(|(margin_flits, register_bits, wires)| CrossLine {
        margin_flits,
        register_bits,
        wires,
    })
}

fn cases(sizes: impl Strategy<Value = Sizes>) -> impl Strategy<Value = Case> {
    cases_of(sizes, network(), Just(None))
}

fn cases_of(
    sizes: impl Strategy<Value = Sizes>,
    network: impl Strategy<Value = (Vec<u32>, Vec<bool>, u32)>,
    cross_line: impl Strategy<Value = Option<CrossLine>>,
) -> impl Strategy<Value = Case> {
    (sizes, network, timing(), choices(), admission(), traffic(), cross_line).prop_map(
        |(sizes, network, timing, choices, admission, traffic, cross_line)| {
            let mut config = Config { admission, cross_line, ..choices };
            (config.radix, config.wrap, config.nodes_per_router) = network;
            (config.link_cycles, config.header_cycles, config.credit_cycles) = timing;
            let extra = config.buffer_flits;
            config.buffer_flits = match extra {
                0..30 => sizes.longest + extra % (2 * sizes.longest + 1),
                _ => sizes.longest * (1 + extra % 4),
            };
            if config.shares_middle && config.cross_line.is_none() {
                (config.datelines, config.numbering) = (Datelines::OneAt(Place::Entry), Numbering::Reset);
                config.virtual_channels += config.virtual_channels % 2;
            }
            config.virtual_channels += config.classes() - 1;
            fit_ports(&mut config);
            let (mut cycles, audit_every, text) = traffic;
            if config.routers() <= 10 {
                // Long enough for sources that sleep for thousands of cycles.
                cycles *= 8;
            }
            Case { config, traffic: text.replace("SIZES", &sizes.text), cycles, audit_every }
        },
    )
}

/// A router has at most 64 inputs and 64 outputs.
fn fit_ports(config: &mut Config) {
    let inputs = |c: &Config| c.ports() * c.virtual_channels as usize + c.nodes_per_router as usize;
    while inputs(config) > 64 && config.virtual_channels > config.classes() {
        config.virtual_channels -= 1;
    }
    while config.outputs() > 64 {
        config.nodes_per_router -= 1;
    }
}

/// Radix, rings and nodes per router.
fn network() -> impl Strategy<Value = (Vec<u32>, Vec<bool>, u32)> {
    let shape = prop::collection::vec((2u32..=6, any::<bool>()), 1..=3);
    (shape, 0u32..7, 1u32..=3).prop_map(|(shape, kind, nodes)| {
        let (mut radix, mixed): (Vec<u32>, Vec<bool>) = shape.into_iter().unzip();
        while radix.iter().product::<u32>() as usize > MAX_ROUTERS {
            let largest = radix.iter_mut().max().expect("there is a dimension");
            *largest -= 1;
        }
        let wrap = match kind {
            0..4 => vec![true; radix.len()],
            4..6 => vec![false; radix.len()],
            _ => mixed,
        };
        (radix, wrap, nodes)
    })
}

/// Link, header and credit delays.
fn timing() -> impl Strategy<Value = (u32, u32, u32)> {
    let link = prop_oneof![8 => 1u32..=4, 1 => 5u32..=40];
    (link, 0u32..=4, prop_oneof![3 => Just(1u32), 4 => 2u32..=4, 1 => 5u32..=20])
}

/// Everything else; `virtual_channels` counts those beyond what the routing needs, `buffer_flits` is only a die.
fn choices() -> impl Strategy<Value = Config> {
    let arbiter = prop_oneof![
        Just(Arbiter::RoundRobin),
        Just(Arbiter::Random),
        Just(Arbiter::OldestFirst),
        Just(Arbiter::TwoLevel),
        Just(Arbiter::TwoLevelNext)
    ];
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
    let queues = (option::of(1u32..=3), option::of(1u32..=4));
    (1u32..=4, 0u32..60, queues, arbiter, datelines, numbering, tie, any::<u64>()).prop_map(
        |(channels, die, (ejection_channels, source_queue_packets), arbiter, datelines, numbering, tie, seed)| Config {
            graph: None,
            radix: Vec::new(),
            wrap: Vec::new(),
            nodes_per_router: 1,
            link_cycles: 1,
            virtual_channels: channels,
            buffer_flits: die,
            header_cycles: 1,
            credit_cycles: 1,
            ejection_channels,
            message_classes: 1,
            cross_line: None,
            ejection_packets: None,
            source_queue_packets,
            arbiter,
            numbering: if datelines == Datelines::OneAt(Place::Entry) { Numbering::Reset } else { numbering },
            keeps_channel: seed >> 32 & 3 == 0,
            shares_middle: seed >> 34 & 3 == 0,
            datelines,
            tie,
            admission: Admission::Off,
            seed,
        },
    )
}

fn admission() -> impl Strategy<Value = Admission> {
    let registers = prop_oneof![Just(Registers::Any), Just(Registers::Used)];
    let propagation = prop_oneof![Just(Propagation::Ideal), Just(Propagation::SharedLink)];
    let bits = option::of(prop_oneof![4 => 0u32..=6, 1 => Just(64u32)]);
    let level = prop_oneof![2 => Just(Level::Edge), 1 => Just(Level::Departed)];
    let spth = (0u32..=12, any::<bool>(), level, bits, registers, propagation).prop_map(
        |(margin_flits, inclusive, level, register_bits, registers, propagation)| Admission::Spth {
            margin_flits,
            inclusive,
            level,
            register_bits,
            registers,
            propagation,
        },
    );
    prop_oneof![1 => Just(Admission::Off), 1 => spth]
}
