//! What a spec says of an adaptive cut-through router, and its numbers.

use super::ports::{self, Port as Given};
use super::{BUFFER_FLITS, CREDIT_CYCLES, EJECTION_CHANNELS, MESSAGE_CLASSES, VIRTUAL_CHANNELS, choice, integer};
use tailback_engine::adaptive::{CrossbarOutputs, InterfaceChannels, Pace, Port, Requests, Router};
use tailback_network::topology::is_of_one_dimension;
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// The kind of router.
pub static ENTRY: Entry = Entry {
    name: "adaptive_cut_through",
    summary: "whole packets of one length move; heads choose again in every cycle, rings may have bubbles, nodes \
        several queues",
    paper: "bubble-1999 section 3; injection-2005 section 2",
    ideal: false,
    params: &[
        VIRTUAL_CHANNELS,
        MESSAGE_CLASSES,
        BUFFER_FLITS,
        CREDIT_CYCLES,
        EJECTION_CHANNELS,
        ports::INJECTION,
        ports::INJECTION_BUFFER_FLITS,
        ports::INJECTION_LINK_CYCLES,
        ports::EJECTION,
        ports::EJECTION_BUFFER_FLITS,
        ports::EJECTION_LINK_CYCLES,
        integer(
            "header_cycles",
            "cycles",
            (0, 4096),
            0,
            "Time from the arrival of a head (or its generation) until it may ask for an output.",
        ),
        integer(
            "turn_cycles",
            "cycles",
            (0, 4096),
            0,
            "Additional time for a head with no hops left in the dimension in which it arrived (bubble-1999 in 2-D: \
             1).",
        ),
        integer(
            "consumption_cycles",
            "cycles",
            (0, 4096),
            0,
            "Additional time for a head at the router of its destination (bubble-1999 in 2-D: 1 with dimension \
             order, 2 adaptive).",
        ),
        choice("crossbar_outputs", CROSSBAR_OUTPUTS, "link", "What a packet holds from its grant to its tail."),
        choice("requests", REQUESTS, "parallel", "Which one of the outputs that it may take a head asks for."),
        flag("escape_first", "With requests = \"parallel\": escape channels before the preferred ones."),
        flag("transit_first", "At every output packets in the network come before new ones (the rotary rule)."),
        integer(
            "output_gap_cycles",
            "cycles",
            (0, 4096),
            0,
            "Time that an output sends nothing after a tail (bubble-1999: 1 with dimension order, 4 adaptive, from its table 5).",
        ),
        integer("input_gap_cycles", "cycles", (0, 4096), 0, "Time that a crossbar input sends nothing after a tail."),
        integer(
            "refusal_cycles",
            "cycles",
            (1, 4096),
            1,
            "Time from a request that is not granted to the head's next request (SICOSYS: 2).",
        ),
        flag(
            "first_come",
            "At every output the head that might ask first comes first; `arbiter` decides among equals.",
        ),
    ],
};

/// Where heads do not do what it is about.
pub const IDLE: &[Idle] = &[
    Idle {
        keys: &["escape_first"],
        when: &[When::IsNot(".requests", &["parallel"])],
        because: "only requests = parallel has one order of channels for all heads",
    },
    Idle {
        keys: &["escape_first"],
        when: &[When::Where("the routing has no escape channels", has_no_escape)],
        because: "there is nothing to take first",
    },
    Idle {
        keys: &["crossbar_outputs"],
        when: &[When::Is(".virtual_channels", &["1"])],
        because: "the one channel of a link is the link",
    },
    Idle {
        keys: &["turn_cycles"],
        when: &[When::Where("the network has one dimension", is_of_one_dimension)],
        because: "no packet turns",
    },
];

fn has_no_escape(spec: &Resolved, _own: View<'_>) -> bool {
    !crate::prepare::has_escape(spec.view("routing"))
}

const CROSSBAR_OUTPUTS: &[(&str, &str)] = &[
    ("link", "the link"),
    ("channel", "a virtual channel; the link takes one packet after the other from its channels, round robin"),
];

const REQUESTS: &[(&str, &str)] = &[
    ("parallel", "any of those that fit and are open, preferred channels before the escape: `selection` picks one"),
    ("in_turn", "one step per cycle: the dimension it came by, the next dimensions, the escape (bubble-1999)"),
    ("smart", "the first step whose channel fits, open or not, from the one after the last that fitted on (FSIN)"),
    ("random", "a random one of the preferred channels that fit, open or not; else the escape (FSIN)"),
    ("shortest", "of the preferred channels that fit, open or not, the one with most room; else the escape (FSIN)"),
    (
        "shortest_flits",
        "as shortest, by the flits that were sent into a channel and whose credits have not come (FSIN)",
    ),
    ("stay", "the channel that it is in straight on, else a random preferred one, open or not; else the escape (FSIN)"),
];

const fn flag(name: &'static str, doc: &'static str) -> Param {
    Param { name, kind: Kind::Bool, unit: "", fallback: Fallback::Bool(false), doc }
}

/// The length of all packets, where the spec fixes one.
pub fn packet_flits(traffic: View) -> Option<u32> {
    match traffic.u32("packet_flits") {
        0 => (traffic.sub("size").kind() == "fixed").then(|| traffic.sub("size").u32("flits")),
        flits => Some(flits),
    }
}

/// Of a resolved spec. A buffer that is no whole number of packets is rounded down, and lengths that vary are taken for 1
/// flit: both are refused.
pub fn of(spec: &Resolved, seed: u64) -> Router {
    let (view, interface) = (spec.view("router"), spec.view("interface"));
    let packet_flits = packet_flits(spec.view("traffic")).unwrap_or(1);
    let port = |of: Given| Port { buffer_packets: of.buffer_flits / packet_flits, link_cycles: of.link_cycles };
    Router {
        channels: view.u32("virtual_channels"),
        buffer_packets: view.u32("buffer_flits") / packet_flits,
        packet_flits,
        header_cycles: view.u32("header_cycles"),
        turn_cycles: view.u32("turn_cycles"),
        consumption_cycles: view.u32("consumption_cycles"),
        credit_cycles: view.u32("credit_cycles"),
        crossbar_outputs: match view.text("crossbar_outputs") {
            "channel" => CrossbarOutputs::Channel,
            _ => CrossbarOutputs::Link,
        },
        requests: match view.text("requests") {
            "in_turn" => Requests::InTurn,
            "smart" => Requests::Smart,
            "random" => Requests::Random,
            "shortest" => Requests::Shortest,
            "shortest_flits" => Requests::ShortestFlits,
            "stay" => Requests::Stay,
            _ => Requests::Parallel,
        },
        escape_first: view.bool("escape_first"),
        transit_first: view.bool("transit_first"),
        pace: Pace {
            output_gap_cycles: view.u32("output_gap_cycles"),
            input_gap_cycles: view.u32("input_gap_cycles"),
            refusal_cycles: view.u32("refusal_cycles"),
            first_come: view.bool("first_come"),
        },
        ejection_channels: view.finite("ejection_channels").map(|v| v as u32),
        injection_queues: interface.u32("queues"),
        source_queue_packets: view.finite("source_queue_packets").map(|v| v as u32),
        ejection_port: ports::ejection(view).map(port),
        interface_channels: match (ports::injection(view), interface.text("channels")) {
            (Some(of), _) => InterfaceChannels::Port(port(of)),
            (None, "virtual") => InterfaceChannels::Virtual { router_packets: interface.u32("router_packets") },
            _ => InterfaceChannels::Physical,
        },
        choose_again: interface.bool("choose_again"),
        seed,
    }
}
