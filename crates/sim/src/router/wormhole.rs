//! What a spec says of a wormhole router, and its numbers.

use super::buffers::CHANNEL_BUFFER_FLITS;
use super::{BUFFER_FLITS, CREDIT_CYCLES, EJECTION_CHANNELS, MESSAGE_CLASSES, VIRTUAL_CHANNELS, choice, integer};
use tailback_engine::wormhole::{ChannelAllocator, CrossbarInputs, Local, Router, Sharing, SwitchAllocator};
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// The kind of router.
pub static ENTRY: Entry = Entry {
    name: "wormhole",
    summary: "flits move: allocation of virtual channels and of the switch; packets may be longer than buffers",
    paper: "self-tuned-2001 section 5",
    ideal: false,
    params: &[
        VIRTUAL_CHANNELS,
        MESSAGE_CLASSES,
        BUFFER_FLITS,
        CHANNEL_BUFFER_FLITS,
        CREDIT_CYCLES,
        EJECTION_CHANNELS,
        integer(
            "routing_cycles",
            "cycles",
            (0, 4096),
            1,
            "Time from the moment a head comes to the front of its buffer (or its packet is generated) until it may \
             ask for an output channel.",
        ),
        integer(
            "vc_allocation_cycles",
            "cycles",
            (0, 4096),
            1,
            "Time from the grant of an output channel until the packet's flits may ask for the switch.",
        ),
        integer("switch_allocation_cycles", "cycles", (0, 4096), 1, "Time that a decision of the switch takes."),
        integer("crossbar_cycles", "cycles", (0, 4096), 1, "Time that a flit takes through the crossbar."),
        integer("injection_channels", "channels", (1, 64), 1, "Number of packets that a node sends at a time."),
        choice("injection", LOCAL, "channels", "What the injection channels of a node carry."),
        choice("ejection", LOCAL, "channels", "What the ejection channels of a node carry."),
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

/// Where the crossbar leaves nothing to decide.
pub const IDLE: &[Idle] = &[
    Idle {
        keys: &["buffer_flits"],
        when: &[When::Where("router.channel_buffer_flits is given", has_own_buffers)],
        because: "every channel has a size of its own",
    },
    Idle {
        keys: &["crossbar_inputs"],
        when: &[When::Is(".virtual_channels", &["1"])],
        because: "every crossbar input has one channel",
    },
    Idle {
        keys: &["switch_allocator"],
        when: &[When::Is(".virtual_channels", &["1"]), When::Is(".injection", &["channels"])],
        because: "every crossbar input has one channel, which asks for one output",
    },
    Idle {
        keys: &["injection"],
        when: &[When::Is(".injection_channels", &["1"])],
        because: "there is nothing to share",
    },
    Idle { keys: &["ejection"], when: &[When::Is(".ejection_channels", &["1"])], because: "there is nothing to share" },
    Idle {
        keys: &["switch_allocator"],
        when: &[When::Is(".crossbar_inputs", &["channel"]), When::Is(".injection", &["channels"])],
        because: "every crossbar input has one channel, which asks for one output",
    },
];

const LOCAL: &[(&str, &str)] = &[
    ("channels", "one flit per cycle each"),
    ("shared", "one flit per cycle together, as virtual channels of one physical channel"),
];

fn has_own_buffers(_spec: &Resolved, own: View<'_>) -> bool {
    super::buffers::by_channel(own).is_some()
}

const SHARING: &[(&str, &str)] = &[
    ("owned", "when the buffer downstream is empty again: it never holds flits of two packets"),
    ("shared", "when the tail of the packet before has been sent"),
    (
        "shared_whole",
        "as shared; an adaptive channel with an escape beside it only where the packet, or a buffer, fits",
    ),
];

const VC_ALLOCATORS: &[(&str, &str)] = &[
    ("central", "one head per router and cycle (self-tuned-2001)"),
    ("input_first", "every head selects a channel, then every channel picks a head"),
    ("output_first", "every free channel picks a head, then every head takes one of its channels"),
];

const SWITCH_ALLOCATORS: &[(&str, &str)] = &[
    ("input_first", "every crossbar input picks one of its channels, then every output picks an input"),
    ("output_first", "every output picks an input, then every crossbar input takes one of its outputs"),
];

const CROSSBAR_INPUTS: &[(&str, &str)] = &[
    ("port", "every network port: one flit per cycle from all of its channels"),
    ("channel", "every virtual channel"),
];

fn local(word: &str) -> Local {
    if word == "shared" { Local::Shared } else { Local::Channels }
}

/// The router that a resolved spec describes.
pub fn of(spec: &Resolved, seed: u64) -> Router {
    let view = spec.view("router");
    Router {
        packet_flits: super::cut_flits(spec),
        channels: view.u32("virtual_channels"),
        buffer_flits: super::buffers::largest(view),
        channel_buffers: super::buffers::by_channel(view),
        routing_cycles: view.u32("routing_cycles"),
        vc_allocation_cycles: view.u32("vc_allocation_cycles"),
        switch_allocation_cycles: view.u32("switch_allocation_cycles"),
        crossbar_cycles: view.u32("crossbar_cycles"),
        credit_cycles: view.u32("credit_cycles"),
        injection_channels: view.u32("injection_channels"),
        injection: local(view.text("injection")),
        ejection: local(view.text("ejection")),
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
