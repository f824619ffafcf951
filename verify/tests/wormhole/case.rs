//! Random small wormhole networks and specs of their traffic.

use super::networks::{arbiter, base, fit_routing, routing, selection};
use super::throttles::admission;
use super::traffic::{finite, process, sizes, traffic};
use proptest::option;
use proptest::prelude::*;
use tailback_verify::reference::Datelines;
use tailback_verify::wormhole::{
    Admission, Arbiter, ChannelAllocator, Config, CrossbarInputs, Escape, Recovery, Routing, Selection, Sharing,
    SwitchAllocator, TokenWay,
};

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
    (any_config(), messages(), traffic()).prop_map(|(config, messages, (mut cycles, audit_every, text))| {
        if config.base.routers() <= 9 {
            cycles *= 3;
        }
        messages.case(Case { config, traffic: text, cycles, audit_every })
    })
}

/// A case of more routers than the engine has side by side, so that what crosses from block to block is compared too.
pub fn large_case() -> impl Strategy<Value = Case> {
    (any_case(), 3u32..=12, 9u32..=12).prop_map(|(mut case, columns, rows)| {
        let base = &mut case.config.base;
        base.radix = vec![columns.max(73 / rows), rows];
        base.wrap.resize(2, base.wrap[0]);
        base.nodes_per_router = 1;
        fit(&mut case.config);
        case.cycles = case.cycles.min(200);
        case
    })
}

/// A finite amount of traffic, so that in the end either nothing is left or nothing moves; many of these networks lock.
pub fn any_collective() -> impl Strategy<Value = Case> {
    let amount = (1u32..=30, any::<bool>());
    (any_config(), messages(), amount, 0u32..5).prop_map(|(mut config, messages, (packets, tornado), risk)| {
        if risk > 0 {
            take_risks(&mut config, risk > 2);
        }
        let pattern = if tornado { "tornado" } else { "uniform" };
        let traffic = format!(
            "[traffic]\npattern = \"{pattern}\"\nsize = SIZES\n[workload]\nkind = \"collective\"\npackets_per_node = {packets}"
        );
        messages.case(Case { config, traffic, cycles: 100_000, audit_every: 500 })
    })
}

/// The same networks, and phases after which all is silent; or a collective.
pub fn any_phases() -> impl Strategy<Value = Case> {
    let phases = (process(), prop_oneof!["\"tornado\"", "\"uniform\""], finite(30));
    (any_collective(), messages(), phases).prop_map(|(case, messages, (process, pattern, workload))| {
        let workload = workload.replace("PATTERN", &pattern);
        let traffic =
            format!("[traffic]\npattern = {pattern}\nprocess = {process}\nsize = SIZES\n[workload]\n{workload}");
        messages.case(Case { traffic, ..case })
    })
}

/// Lengths of messages, and how they are cut.
#[derive(Clone, Debug)]
struct Messages {
    sizes: String,
    packet_flits: Option<u32>,
}

impl Messages {
    /// A case with these messages, whose traffic has the word SIZES for the lengths.
    fn case(&self, case: Case) -> Case {
        let cut = self.packet_flits.map_or(String::new(), |flits| format!("packet_flits = {flits}\n"));
        let traffic = case.traffic.replace("SIZES", &self.sizes).replace("[traffic]\n", &format!("[traffic]\n{cut}"));
        Case { config: Config { packet_flits: self.packet_flits, ..case.config }, traffic, ..case }
    }
}

/// Messages that are packets, or that are cut into one to four.
fn messages() -> impl Strategy<Value = Messages> {
    let whole = sizes().prop_map(|sizes| Messages { sizes: sizes.text, packet_flits: None });
    let cut = (1u32..=6, 1u32..=3, option::of((1u32..=3, 0u32..=100))).prop_map(|(flits, packets, longer)| {
        let short = flits * packets;
        let sizes = match longer {
            None => format!("{{ kind = \"fixed\", flits = {short} }}"),
            Some((more, percent)) => format!(
                "{{ kind = \"bimodal\", short_flits = {short}, long_flits = {}, long_percent = {percent} }}",
                short + more * flits
            ),
        };
        Messages { sizes, packet_flits: Some(flits) }
    });
    prop_oneof![2 => whole, 1 => cut]
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
    (base(), stages(), allocation(), mechanisms(), buffers()).prop_map(
        |(base, stages, allocation, mechanisms, buffers)| {
            let (routing_cycles, vc_allocation_cycles, switch_allocation_cycles, crossbar_cycles) = stages;
            let (injection, sharing, channel_allocator, switch_allocator, crossbar_inputs, speculative) = allocation;
            let (injection_channels, shares_injection, shares_ejection) = injection;
            let (arbiter, routing, selection, recovery, admission) = mechanisms;
            let mut config = Config {
                base,
                channel_buffers: buffers,
                routing_cycles,
                vc_allocation_cycles,
                switch_allocation_cycles,
                crossbar_cycles,
                injection_channels,
                shares_injection,
                shares_ejection,
                packet_flits: None,
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
        },
    )
}

/// Buffers of their own for the channels of a link, in a third of the networks.
fn buffers() -> impl Strategy<Value = Vec<u32>> {
    prop_oneof![2 => Just(Vec::new()), 1 => prop::collection::vec(1u32..=12, 16)]
}

/// Makes what cannot be together fit.
fn fit(config: &mut Config) {
    fit_routing(config);
    if matches!(config.routing, Routing::Valiant(..)) {
        // A packet may pass its destination's router, where the lane has no port for it.
        config.recovery = Recovery::Off;
    }
    config.speculative &= config.channel_allocator == ChannelAllocator::InputFirst && config.vc_allocation_cycles > 0;
    let least = config.channels_needed();
    let too_many = |c: &Config| c.inputs() > 64 || c.outputs() > 64;
    while too_many(config) && config.base.virtual_channels > least {
        config.base.virtual_channels -= 1;
    }
    if too_many(config) {
        config.base.ejection_channels = Some(1);
    }
    if config.admission != Admission::Off {
        // They know one size of buffers: such a spec is refused.
        config.channel_buffers.clear();
    }
    config.channel_buffers.truncate(config.base.virtual_channels as usize);
    if let Some(&largest) = config.channel_buffers.iter().max() {
        config.base.buffer_flits = largest;
    }
}

/// Routing, channel allocation, switch allocation and crossbar cycles.
fn stages() -> impl Strategy<Value = (u32, u32, u32, u32)> {
    (0u32..=3, 0u32..=3, 0u32..=3, 0u32..=3)
}

type Allocation = ((u32, bool, bool), Sharing, ChannelAllocator, SwitchAllocator, CrossbarInputs, bool);

fn allocation() -> impl Strategy<Value = Allocation> {
    (
        (1u32..=3, any::<bool>(), any::<bool>()),
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
    let token = prop_oneof![Just(TokenWay::Walk), Just(TokenWay::Instant)];
    let disha = (1u32..=20, token, 1u32..=6);
    let disha = disha.prop_map(|(timeout, token, lane_flits)| Recovery::Disha { timeout, token, lane_flits });
    let recovery = prop_oneof![1 => Just(Recovery::Off), 1 => disha];
    (arbiter(), routing(), selection(), recovery, admission())
}
