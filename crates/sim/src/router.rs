//! The `router` section: which data path, and its numbers.

mod adaptive;
pub(crate) mod buffers;
pub(crate) mod input_queued;
mod ioq;
pub(crate) mod ports;
mod wormhole;

pub(crate) use adaptive::packet_flits;

use tailback_engine::adaptive::InterfaceChannels;
use tailback_engine::cut_through;
use tailback_engine::wormhole::Local;
use tailback_mechanisms::routing;
use tailback_probes::latency_split::Ends;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, Section, Settled, View, When};
use tailback_traffic::{Cutting, Held, has_messages};

/// The numbers of a router, by data path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Router {
    /// Whole packets move.
    CutThrough(cut_through::Router),
    /// Flits move.
    Wormhole(tailback_engine::wormhole::Router),
    /// Whole packets move, and their heads choose.
    Adaptive(tailback_engine::adaptive::Router),
    /// Whole packets move, from queue to queue across a crossbar.
    Queued(tailback_engine::ioq::Router),
    /// Flits move by the rules of BookSim 2's router.
    InputQueued(tailback_engine::input_queued::Router),
}

/// What a user ought to know of the router that a spec asks for.
pub(crate) fn note(spec: &Resolved) -> Option<String> {
    let view = spec.view("router");
    if view.kind() == "input_queued" { input_queued::note(view) } else { None }
}

/// Length of a cycle \[ns\], where it follows from the router or the spec says it.
pub(crate) fn cycle_ns(spec: &Resolved) -> Option<f64> {
    let router = spec.view("router");
    match router.kind() {
        "input_output_queued" => Some(ioq::cycle_ns(router)),
        _ => Some(spec.view("clock").float("cycle_ns")).filter(|&ns| ns > 0.0),
    }
}

/// What the data path cuts messages into, where packets are not all of one length; those of a program or of a host come cut.
fn cut_flits(spec: &Resolved) -> Option<u32> {
    let flits = spec.view("traffic").u32("packet_flits");
    (flits > 0 && !has_messages(spec.view("workload"))).then_some(flits)
}

impl Router {
    /// The router that a resolved spec describes.
    pub fn new(spec: &Resolved, seed: u64) -> Self {
        let view = spec.view("router");
        match view.kind() {
            "wormhole" => Router::Wormhole(wormhole::of(spec, seed)),
            "adaptive_cut_through" => Router::Adaptive(adaptive::of(spec, seed)),
            "input_output_queued" => Router::Queued(ioq::of(spec, seed)),
            "input_queued" => Router::InputQueued(input_queued::of(spec, seed)),
            _ => Router::CutThrough(of_cut_through(view, seed)),
        }
    }

    /// Virtual channels of a link; 1 where there are none.
    pub fn channels(&self) -> u32 {
        match self {
            Router::CutThrough(router) => router.channels,
            Router::Wormhole(router) => router.channels,
            Router::Adaptive(router) => router.channels,
            Router::InputQueued(router) => router.channels,
            Router::Queued(_) => 1,
        }
    }

    /// Channels by which a routing may divide its packets. Where there are no virtual channels, it is asked for ports alone.
    pub fn channels_of_routing(&self) -> u32 {
        if self.is_queued() { 16 } else { self.channels() }
    }

    /// The router as it is for one of `classes` message classes: with the channels of that.
    pub fn of_class(self, classes: u32) -> Router {
        // With fewer channels than classes it is refused elsewhere.
        let share = |channels: u32| (channels / classes).max(1);
        match self {
            Router::CutThrough(router) => {
                Router::CutThrough(cut_through::Router { channels: share(router.channels), ..router })
            }
            Router::Wormhole(router) => {
                Router::Wormhole(tailback_engine::wormhole::Router { channels: share(router.channels), ..router })
            }
            Router::Adaptive(router) => {
                Router::Adaptive(tailback_engine::adaptive::Router { channels: share(router.channels), ..router })
            }
            Router::InputQueued(router) => Router::InputQueued(tailback_engine::input_queued::Router {
                channels: share(router.channels),
                ..router
            }),
            Router::Queued(_) => self,
        }
    }

    /// Places of the ejection buffer of a node, and what a message keeps of them until it is received; `None`: the buffer has no end.
    pub fn ejection_places(&self) -> Option<(u32, Held)> {
        match self {
            Router::CutThrough(router) => router.ejection_packets.map(|packets| (packets, Held::Packet)),
            Router::InputQueued(router) => router.ejection_flits.map(|flits| (flits, Held::Flits)),
            _ => None,
        }
    }

    /// Networks side by side.
    pub fn planes(&self) -> u32 {
        match self {
            Router::InputQueued(router) => router.planes,
            _ => 1,
        }
    }

    /// Buffer of a virtual channel, or what the memory before a crossbar holds \[flits\].
    pub fn buffer_flits(&self) -> u32 {
        match self {
            Router::CutThrough(router) => router.buffer_flits,
            Router::Wormhole(router) => router.buffer_flits,
            Router::Adaptive(router) => router.buffer_packets * router.packet_flits,
            Router::Queued(router) => router.ingress_packets.saturating_mul(router.packet_flits),
            Router::InputQueued(router) => router.buffer_flits,
        }
    }

    /// Ejection channels of a node; `None`: one for every network input.
    pub fn ejection_channels(&self) -> Option<u32> {
        match self {
            Router::CutThrough(router) => router.ejection_channels,
            Router::Wormhole(router) => router.ejection_channels,
            // The channels of a port share a flit a cycle.
            Router::Adaptive(router) => router.ejection_port.map_or(router.ejection_channels, |_| Some(1)),
            Router::Queued(_) | Router::InputQueued(_) => Some(1),
        }
    }

    /// Flits that a node can take in in a cycle.
    pub fn ejection_flits(&self) -> f64 {
        match self {
            Router::Wormhole(router) if router.ejection == Local::Shared => 1.0,
            _ => self.ejection_channels().map_or(f64::INFINITY, f64::from),
        }
    }

    /// Flits that a node can send in a cycle.
    pub fn injection_channels(&self) -> u32 {
        match self {
            Router::CutThrough(_) | Router::Queued(_) | Router::InputQueued(_) => 1,
            Router::Wormhole(router) if router.injection == Local::Shared => 1,
            Router::Wormhole(router) => router.injection_channels,
            Router::Adaptive(router) => match router.interface_channels {
                InterfaceChannels::Physical => router.injection_queues,
                InterfaceChannels::Virtual { .. } | InterfaceChannels::Port(_) => 1,
            },
        }
    }

    /// Crossbar inputs of a node.
    pub fn injection_inputs(&self) -> u32 {
        match self {
            Router::Adaptive(router) => router.injection_queues,
            Router::Wormhole(router) => router.injection_channels,
            _ => self.injection_channels(),
        }
    }

    /// Packets that a source queue holds; `None`: any number.
    pub fn source_queue_packets(&self) -> Option<u32> {
        match self {
            Router::CutThrough(router) => router.source_queue_packets,
            Router::Wormhole(router) => router.source_queue_packets,
            Router::Adaptive(router) => router.source_queue_packets,
            Router::Queued(router) => router.source_queue_packets,
            Router::InputQueued(router) => router.source_queue_packets,
        }
    }

    /// Whether packets may take any of the channels that routing gives them, and not only one output.
    pub fn chooses(&self) -> bool {
        matches!(self, Router::Wormhole(_) | Router::Adaptive(_) | Router::Queued(_))
    }

    /// Whether packets wait in queues of a discipline, not in virtual channels.
    pub fn is_queued(&self) -> bool {
        matches!(self, Router::Queued(_))
    }

    /// The length of the packets that messages are cut into \[flits\], where all packets have that length.
    pub fn packet_flits(&self) -> Option<u32> {
        match self {
            Router::Adaptive(router) => Some(router.packet_flits),
            Router::Queued(router) => Some(router.packet_flits),
            Router::Wormhole(router) => router.packet_flits,
            Router::InputQueued(router) => router.packet_flits,
            Router::CutThrough(_) => None,
        }
    }

    /// What becomes of the messages of a program or of a host that a spec cuts into packets of so many flits; 0: it does not.
    pub fn cutting(&self, packet_flits: u32) -> Cutting {
        match self {
            Router::Adaptive(router) => Cutting::Full(router.packet_flits),
            Router::Queued(router) => Cutting::Full(router.packet_flits),
            _ if packet_flits > 0 => Cutting::Packets(packet_flits),
            _ => Cutting::Whole,
        }
    }

    /// The times at both ends of a packet's way, as `docs/latency.md` has them.
    pub fn ends(&self) -> Ends {
        let (at_source, to_node) = match self {
            Router::CutThrough(router) => (router.header_cycles, 0),
            Router::Wormhole(router) => {
                (router.routing_cycles, router.switch_allocation_cycles + router.crossbar_cycles)
            }
            Router::Adaptive(_) => (0, 0),
            Router::Queued(router) => (0, router.adapter_cycles),
            // Its heads are told of until they are there.
            Router::InputQueued(_) => (0, 0),
        };
        Ends { at_source: at_source.into(), to_node: to_node.into() }
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
        ejection_packets: view.finite("ejection_packets").map(|v| v as u32),
        source_queue_packets: view.finite("source_queue_packets").map(|v| v as u32),
        seed,
    }
}

/// The `router` section.
pub(crate) fn section() -> Section {
    Section {
        path: "router",
        doc: "The router: its data path, buffers and times.",
        params: SHARED,
        entries: vec![&CUT_THROUGH, &wormhole::ENTRY, &adaptive::ENTRY, &ioq::ENTRY, &input_queued::ENTRY],
        default_entry: Some(CUT_THROUGH.name),
        idle: IDLE
            .iter()
            .chain(wormhole::IDLE)
            .chain(adaptive::IDLE)
            .chain(ports::IDLE)
            .chain(input_queued::IDLE)
            .collect(),
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

const MOST_CHANNELS: i64 = 16;

const VIRTUAL_CHANNELS: Param = integer(
    "virtual_channels",
    "channels",
    (1, MOST_CHANNELS),
    2,
    "Virtual channels of every link between routers. By default as many as minimal routing needs on a network without a grid, and 2 at \
     least.",
);

/// What has no effect whatever the router.
const IDLE: &[Idle] = &[Idle {
    keys: &["virtual_channels"],
    when: &[
        When::IsNot("router.kind", &["input_queued"]),
        When::Where("the routing takes fewer channels of a link than there are", has_spare_channels),
    ],
    because: "no packet takes the others",
}];

/// Whether links have channels that no packet takes. Ports of nodes use all.
fn has_spare_channels(spec: &Resolved, own: View) -> bool {
    let used = routing::channels_used(spec.view("routing"), spec.view("topology"));
    let has_port = |key: &str| own.has(key) && own.text(key) == "port";
    own.has("virtual_channels")
        && used.is_some_and(|used| own.u32("virtual_channels") / crate::classes::count(spec) > used)
        && !has_port("injection")
        && !has_port("ejection")
}

/// A spec that names a network alone runs, so its minimal ways have the channels that they need.
pub(crate) const CHANNELS: Settled = Settled { path: "router.virtual_channels", value: channels_needed };

fn channels_needed(spec: &Resolved) -> Option<i64> {
    let needed = i64::from(routing::channels_needed(spec.view("routing"), spec.view("topology"))?);
    let router = spec.view("router");
    let classes = if router.has("message_classes") { i64::from(router.u32("message_classes")) } else { 1 };
    Some(needed * classes).filter(|&channels| channels <= MOST_CHANNELS)
}

const BUFFER_FLITS: Param = integer(
    "buffer_flits",
    "flits",
    (1, 32767),
    32,
    "Size of the input buffer of each virtual channel. Under cut-through it must hold a whole packet.",
);

const CREDIT_CYCLES: Param = integer(
    "credit_cycles",
    "cycles",
    (1, 4096),
    1,
    "Time from the moment a flit leaves a buffer until the router upstream can use its space. Under wormhole, \
     switch_allocation_cycles is added.",
);

/// Message classes, of routers with virtual channels.
const MESSAGE_CLASSES: Param = integer(
    "message_classes",
    "classes",
    (1, 16),
    1,
    "Classes of messages of a program or a host, such as requests and replies. Each has virtual_channels / message_classes channels of every \
     link, and a port of its own at every node, with a source queue and an ejection buffer. workload.class_tags says which message of \
     a program is of which class; a host says it of each message.",
);

/// Finite ejection buffers.
const EJECTION_PACKETS: Param = Param {
    name: "ejection_packets",
    kind: Kind::IntegerOrInfinite { min: 1, max: 1 << 20 },
    unit: "packets",
    fallback: Fallback::Text("infinite"),
    doc: "Capacity of the ejection buffer of a node, for each message class. A packet of a program keeps its \
        place until a receive asks for its message, a request of workload.generate = \"request_reply\" until the reply to it has left the \
        node, a message of a host until the host has received it. A full buffer holds packets back in the network.",
};

const EJECTION_CHANNELS: Param = Param {
    name: "ejection_channels",
    kind: Kind::IntegerOrInfinite { min: 1, max: 64 },
    unit: "channels",
    fallback: Fallback::Integer(1),
    doc: "Number of packets that a node consumes at a time, one flit per cycle each; \"infinite\": one packet from \
        every input. Input i uses channel i modulo this number.",
};

const SHARED: &[Param] = &[Param {
    name: "source_queue_packets",
    kind: Kind::IntegerOrInfinite { min: 1, max: 1 << 20 },
    unit: "packets",
    fallback: Fallback::Text("infinite"),
    doc: "Capacity of a source queue (or an admittance queue), including the packets that are being sent. While the \
        queue is full, its node generates nothing.",
}];

static CUT_THROUGH: Entry = Entry {
    name: "cut_through",
    summary: "virtual cut-through: whole packets move, every virtual channel has a crossbar input",
    paper: "spth-2015 section 5.1",
    ideal: false,
    params: &[
        VIRTUAL_CHANNELS,
        BUFFER_FLITS,
        CREDIT_CYCLES,
        EJECTION_CHANNELS,
        MESSAGE_CLASSES,
        EJECTION_PACKETS,
        integer(
            "header_cycles",
            "cycles",
            (0, 4096),
            0,
            "Time from the arrival of a head (or its generation) until it may ask for an output.",
        ),
    ],
};

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
        let queued = entry("input_output_queued");
        assert!(queued.contains(&"link_gbps") && queued.contains(&"source_queue_packets"));
        assert!(!queued.contains(&"virtual_channels") && !queued.contains(&"buffer_flits"));
    }
}
