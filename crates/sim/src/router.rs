//! The `router` section: which data path, and its numbers.

mod adaptive;

pub(crate) use adaptive::packet_flits;

use tailback_engine::adaptive::InterfaceChannels;
use tailback_engine::wormhole::{ChannelAllocator, CrossbarInputs, Sharing, SwitchAllocator};
use tailback_engine::{cut_through, wormhole};
use tailback_spec::{Entry, Fallback, Kind, Param, Resolved, Section, View};

/// The numbers of a router, by data path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Router {
    /// Whole packets move.
    CutThrough(cut_through::Router),
    /// Flits move.
    Wormhole(wormhole::Router),
    /// Whole packets move, and their heads choose.
    Adaptive(tailback_engine::adaptive::Router),
}

impl Router {
    /// Of a resolved spec.
    pub fn new(spec: &Resolved, seed: u64) -> Self {
        let view = spec.view("router");
        match view.kind() {
            "wormhole" => Router::Wormhole(of_wormhole(view, seed)),
            "adaptive_cut_through" => Router::Adaptive(adaptive::of(spec, seed)),
            _ => Router::CutThrough(of_cut_through(view, seed)),
        }
    }

    /// Virtual channels of a link.
    pub fn channels(&self) -> u32 {
        match self {
            Router::CutThrough(router) => router.channels,
            Router::Wormhole(router) => router.channels,
            Router::Adaptive(router) => router.channels,
        }
    }

    /// Buffer of a virtual channel \[flits\].
    pub fn buffer_flits(&self) -> u32 {
        match self {
            Router::CutThrough(router) => router.buffer_flits,
            Router::Wormhole(router) => router.buffer_flits,
            Router::Adaptive(router) => router.buffer_packets * router.packet_flits,
        }
    }

    /// Ejection channels of a node; `None`: one for every network input.
    pub fn ejection_channels(&self) -> Option<u32> {
        match self {
            Router::CutThrough(router) => router.ejection_channels,
            Router::Wormhole(router) => router.ejection_channels,
            Router::Adaptive(router) => router.ejection_channels,
        }
    }

    /// Flits that a node can send in a cycle.
    pub fn injection_channels(&self) -> u32 {
        match self {
            Router::CutThrough(_) => 1,
            Router::Wormhole(router) => router.injection_channels,
            Router::Adaptive(router) => match router.interface_channels {
                InterfaceChannels::Physical => router.injection_queues,
                InterfaceChannels::Virtual { .. } => 1,
            },
        }
    }

    /// Crossbar inputs of a node.
    pub fn injection_inputs(&self) -> u32 {
        match self {
            Router::Adaptive(router) => router.injection_queues,
            _ => self.injection_channels(),
        }
    }

    /// Packets that a source queue holds; `None`: any number.
    pub fn source_queue_packets(&self) -> Option<u32> {
        match self {
            Router::CutThrough(router) => router.source_queue_packets,
            Router::Wormhole(router) => router.source_queue_packets,
            Router::Adaptive(router) => router.source_queue_packets,
        }
    }

    /// Whether heads may take any of the channels that routing gives them, and not only one output.
    pub fn chooses(&self) -> bool {
        !matches!(self, Router::CutThrough(_))
    }

    /// Whether flits move, not packets.
    pub fn is_wormhole(&self) -> bool {
        matches!(self, Router::Wormhole(_))
    }
}

fn of_cut_through(view: View, seed: u64) -> cut_through::Router {
    cut_through::Router {
        channels: view.u32("virtual_channels"),
        buffer_flits: view.u32("buffer_flits"),
        header_cycles: view.u32("header_cycles"),
        credit_cycles: view.u32("credit_cycles"),
        ejection_channels: view.finite("ejection_channels").map(|v| v as u32),
        source_queue_packets: view.finite("source_queue_packets").map(|v| v as u32),
        seed,
    }
}

fn of_wormhole(view: View, seed: u64) -> wormhole::Router {
    wormhole::Router {
        channels: view.u32("virtual_channels"),
        buffer_flits: view.u32("buffer_flits"),
        routing_cycles: view.u32("routing_cycles"),
        vc_allocation_cycles: view.u32("vc_allocation_cycles"),
        switch_allocation_cycles: view.u32("switch_allocation_cycles"),
        crossbar_cycles: view.u32("crossbar_cycles"),
        credit_cycles: view.u32("credit_cycles"),
        injection_channels: view.u32("injection_channels"),
        ejection_channels: view.finite("ejection_channels").map(|v| v as u32),
        source_queue_packets: view.finite("source_queue_packets").map(|v| v as u32),
        sharing: match view.text("sharing") {
            "owned" => Sharing::Owned,
            "shared_whole" => Sharing::SharedWhole,
            _ => Sharing::Shared,
        },
        channel_allocator: match view.text("vc_allocator") {
            "central" => ChannelAllocator::Central,
            "output_first" => ChannelAllocator::OutputFirst,
            _ => ChannelAllocator::InputFirst,
        },
        switch_allocator: match view.text("switch_allocator") {
            "output_first" => SwitchAllocator::OutputFirst,
            _ => SwitchAllocator::InputFirst,
        },
        crossbar_inputs: match view.text("crossbar_inputs") {
            "channel" => CrossbarInputs::Channel,
            _ => CrossbarInputs::Port,
        },
        speculative: view.bool("speculative"),
        seed,
    }
}

/// The `router` section.
pub(crate) fn section() -> Section {
    Section {
        path: "router",
        doc: "The router: its data path, buffers and times.",
        params: SHARED,
        entries: vec![&CUT_THROUGH, &WORMHOLE, &adaptive::ENTRY],
        default_entry: Some(CUT_THROUGH.name),
    }
}

const fn integer(name: &'static str, unit: &'static str, range: (i64, i64), default: i64, doc: &'static str) -> Param {
    Param { name, kind: Kind::Integer { min: range.0, max: range.1 }, unit, fallback: Fallback::Integer(default), doc }
}

const fn choice(
    name: &'static str,
    words: &'static [(&'static str, &'static str)],
    default: &'static str,
    doc: &'static str,
) -> Param {
    Param { name, kind: Kind::Choice(words), unit: "", fallback: Fallback::Text(default), doc }
}

const SHARED: &[Param] = &[
    integer("virtual_channels", "channels", (1, 16), 2, "Virtual channels of every link between routers."),
    integer(
        "buffer_flits",
        "flits",
        (1, 32767),
        32,
        "Input buffer of each virtual channel; under cut-through a whole packet fits.",
    ),
    integer(
        "credit_cycles",
        "cycles",
        (1, 4096),
        1,
        "Time from a flit's leaving a buffer until the router upstream can use its room; under wormhole beside \
         switch_allocation_cycles.",
    ),
    Param {
        name: "ejection_channels",
        kind: Kind::IntegerOrInfinite { min: 1, max: 64 },
        unit: "channels",
        fallback: Fallback::Integer(1),
        doc: "Packets a node consumes at a time, a flit a cycle each; \"infinite\": one from every input. Input i uses \
              channel i mod this.",
    },
    Param {
        name: "source_queue_packets",
        kind: Kind::IntegerOrInfinite { min: 1, max: 1 << 20 },
        unit: "packets",
        fallback: Fallback::Text("infinite"),
        doc: "Packets a source queue holds, those being sent included; while it is full generation stalls.",
    },
];

static CUT_THROUGH: Entry = Entry {
    name: "cut_through",
    summary: "virtual cut-through: whole packets move, every virtual channel has a crossbar input",
    paper: "spth-2015 section 5.1",
    ideal: false,
    params: &[integer(
        "header_cycles",
        "cycles",
        (0, 4096),
        0,
        "Time from the arrival of a head (or its generation) until it may ask for an output.",
    )],
};

static WORMHOLE: Entry = Entry {
    name: "wormhole",
    summary: "flits move: allocation of virtual channels and of the switch; packets may be longer than buffers",
    paper: "self-tuned-2001 section 5",
    ideal: false,
    params: &[
        integer(
            "routing_cycles",
            "cycles",
            (0, 4096),
            1,
            "Time from a head's coming to the front of its buffer (or its packet's generation) until it may ask for an \
             output channel.",
        ),
        integer(
            "vc_allocation_cycles",
            "cycles",
            (0, 4096),
            1,
            "Time from being given an output channel until the packet's flits may ask the switch.",
        ),
        integer("switch_allocation_cycles", "cycles", (0, 4096), 1, "Time that a decision of the switch takes."),
        integer("crossbar_cycles", "cycles", (0, 4096), 1, "Time that a flit takes through the crossbar."),
        integer(
            "injection_channels",
            "channels",
            (1, 64),
            1,
            "Packets a node sends at a time; each of its injection channels has a crossbar input.",
        ),
        choice("sharing", SHARING, "shared_whole", "When an output channel may be given to the next packet."),
        choice("vc_allocator", VC_ALLOCATORS, "input_first", "How heads are given output channels."),
        choice("switch_allocator", SWITCH_ALLOCATORS, "input_first", "How flits get through the switch."),
        choice("crossbar_inputs", CROSSBAR_INPUTS, "port", "What has a crossbar input of its own."),
        Param {
            name: "speculative",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "Heads ask the switch in the cycle in which they ask for a channel; needs vc_allocator = \
                  \"input_first\" and vc_allocation_cycles of 1 or more.",
        },
    ],
};

const SHARING: &[(&str, &str)] = &[
    ("owned", "when the buffer downstream is empty again: it never holds flits of two packets"),
    ("shared", "when the tail of the packet before has been sent"),
    (
        "shared_whole",
        "as shared; an adaptive channel with an escape beside it only where the packet, or a buffer, fits",
    ),
];

const VC_ALLOCATORS: &[(&str, &str)] = &[
    ("central", "one head a router and cycle (self-tuned-2001)"),
    ("input_first", "every head selects a channel, then every channel picks a head"),
    ("output_first", "every free channel picks a head, then every head takes one of its channels"),
];

const SWITCH_ALLOCATORS: &[(&str, &str)] = &[
    ("input_first", "every crossbar input picks one of its channels, then every output picks an input"),
    ("output_first", "every output picks an input, then every crossbar input takes one of its outputs"),
];

const CROSSBAR_INPUTS: &[(&str, &str)] =
    &[("port", "every network port: one flit a cycle from all of its channels"), ("channel", "every virtual channel")];

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str) -> Vec<&'static str> {
        section().params_of(Some(name)).iter().map(|p| p.name).collect()
    }

    #[test]
    fn each_kind_has_its_own_times() {
        assert!(entry("cut_through").contains(&"header_cycles") && !entry("cut_through").contains(&"routing_cycles"));
        assert!(!entry("wormhole").contains(&"header_cycles") && entry("wormhole").contains(&"routing_cycles"));
        assert!(
            entry("adaptive_cut_through").contains(&"turn_cycles") && !entry("cut_through").contains(&"turn_cycles")
        );
        let kinds = ["cut_through", "wormhole", "adaptive_cut_through"];
        assert!(kinds.iter().all(|kind| entry(kind).contains(&"credit_cycles")));
    }
}
