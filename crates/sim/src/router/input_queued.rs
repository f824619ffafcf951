//! What a spec says of an input-queued router, and its numbers.

use super::{MESSAGE_CLASSES, VIRTUAL_CHANNELS, choice, integer};
use tailback_engine::input_queued::{
    Allocator, EntryChannel, InputPorts, Matching, Needs, NodePorts, Priority, RequestOrder, Router, STEP, Sharing,
    Speculation, Stages, Types, Yields,
};
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};
use tailback_traffic::{MAX_CLASSES, has_answers, has_unanswered};

/// The kind of router.
pub static ENTRY: Entry = Entry {
    name: "input_queued",
    summary: "flits move by the rules of BookSim 2's router: any width, its allocators and speed-ups, nodes behind wires of their own",
    paper: "Jiang et al., ISPASS 2013",
    ideal: false,
    params: &[
        VIRTUAL_CHANNELS,
        MESSAGE_CLASSES,
        integer(
            "buffer_flits",
            "flits",
            (1, 32767),
            32,
            "Size of the input buffer of each virtual channel, and credits of each channel to a node.",
        ),
        integer(
            "routing_cycles",
            "cycles",
            (0, 4096),
            1,
            "Time from the moment a head comes to the front of its buffer until it may ask for an output channel. From 2 cycles on a router \
             routes one batch of heads at a time.",
        ),
        integer(
            "crossbar_cycles",
            "cycles",
            (1, 4096),
            1,
            "Time that a flit takes through the crossbar. From 2 cycles on a crossbar carries one batch of flits at a time.",
        ),
        integer(
            "credit_cycles",
            "cycles",
            (0, 4096),
            1,
            "Time from the arrival of a credit at a router until it counts; its link back takes as long as the link.",
        ),
        choice("sharing", SHARING, "shared", "When an output channel may be given to the next packet."),
        Param {
            name: "ejection_flits",
            kind: Kind::IntegerOrInfinite { min: 1, max: 1 << 20 },
            unit: "flits",
            fallback: Fallback::Text("infinite"),
            doc: "Capacity of the ejection buffer of a node that a host steps, for each message class. A packet is given a channel to the node \
                while fewer flits than this are on their way there or wait, one packet per step. A message keeps the flits of its last packet until the \
                host has received it.",
        },
        Param {
            name: "channel_needs_credit",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "Heads ask only for output channels with a credit.",
        },
        integer(
            "input_speedup",
            "inputs",
            (1, 16),
            1,
            "Crossbar inputs of a port; channel v uses input v modulo this number.",
        ),
        integer(
            "output_speedup",
            "outputs",
            (1, 16),
            1,
            "Crossbar outputs of a port; input port i uses output i modulo this number.",
        ),
        Param {
            name: "internal_speedup",
            kind: Kind::Float { min: 1.0, max: 64.0 },
            unit: "steps/cycle",
            fallback: Fallback::Float(1.0),
            doc: "Steps of a router in a cycle, on average; a link still carries a flit per cycle.",
        },
        Param {
            name: "output_queue_flits",
            kind: Kind::IntegerOrInfinite { min: 1, max: 32767 },
            unit: "flits",
            fallback: Fallback::Text("infinite"),
            doc: "Flits that wait for their link behind an output port from which on no flit asks for the switch to go there. Those in the \
                crossbar come on top.",
        },
        choice("entry_channel", ENTRIES, "next", "Which channel of the wire from a node to its router a packet takes."),
        integer(
            "planes",
            "networks",
            (1, 16),
            1,
            "Networks side by side, all alike. Every packet travels in one of them, which is drawn; a node has a port at each, and sends one flit per \
             cycle in all.",
        ),
        Param {
            name: "type_planes",
            kind: Kind::Integers { min: 0, max: 15, min_len: 0, max_len: 4 },
            unit: "",
            fallback: Fallback::Integers(&[]),
            doc: "Where receivers answer (size = \"read_write\"): the planes of read requests, write requests, read replies and write replies. Packets of classes without answers travel in any, which is drawn, and so do all if the list is empty.",
        },
        Param {
            name: "type_channels",
            kind: Kind::Integers { min: 0, max: 15, min_len: 0, max_len: 8 },
            unit: "",
            fallback: Fallback::Integers(&[]),
            doc: "Where receivers answer (size = \"read_write\"): the first and the last virtual channel of read requests, write requests, read replies and \
                write replies, at every port. Ranges may overlap. Packets of classes without answers take all channels. Empty: all channels for all.",
        },
        choice("vc_allocator", ALLOCATORS, "islip", "How heads are given output channels."),
        choice(
            "vc_requests",
            REQUESTS,
            "by_port",
            "In which order vc_allocator numbers the input channels of a router.",
        ),
        choice(
            "node_ports",
            NODE_PORTS,
            "after_links",
            "Where the ports of its nodes stand among the ports of a router, for allocators that go by numbers of ports.",
        ),
        choice(
            "input_ports",
            INPUT_PORTS,
            "as_outputs",
            "In which order the input ports of a router from other routers are numbered, for allocators that go by numbers of ports.",
        ),
        choice("switch_allocator", ALLOCATORS, "islip", "How flits get through the switch."),
        integer("vc_allocator_iterations", "rounds", (1, 64), 1, "Rounds of vc_allocator = islip, pim or select."),
        integer(
            "switch_allocator_iterations",
            "rounds",
            (1, 64),
            1,
            "Rounds of switch_allocator = islip, pim or select.",
        ),
        choice("vc_allocator_arbiter", ARBITERS, "round_robin", "Arbiters of a separable vc_allocator."),
        choice("switch_allocator_arbiter", ARBITERS, "round_robin", "Arbiters of a separable switch_allocator."),
        integer(
            "vc_allocator_groups",
            "groups",
            (1, 64),
            1,
            "Groups of an arbiter of a separable vc_allocator, whose winners compete once more.",
        ),
        integer(
            "switch_allocator_groups",
            "groups",
            (1, 64),
            1,
            "Groups of an arbiter of a separable switch_allocator, whose winners compete once more.",
        ),
        Param {
            name: "hold_switch",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "A packet keeps its way through the switch until its tail, or until it has no flit or no credit.",
        },
        choice(
            "priority",
            PRIORITIES,
            "none",
            "Which flits have the highest priority: under vc_allocator, switch_allocator and speculation_allocator = select, wavefront, \
             rr_wavefront and separable, among the channels of a crossbar input, and at nodes whose classes share a wire.",
        ),
        Param {
            name: "priority_donation",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "Flits hand their priority on to those before them in their buffer.",
        },
        Param {
            name: "class_priorities",
            kind: Kind::Integers { min: 0, max: 1 << 30, min_len: 0, max_len: MAX_CLASSES },
            unit: "",
            fallback: Fallback::Integers(&[]),
            doc: "Under router.priority = \"class\": the priority of each of traffic.classes, the highest number first.",
        },
        Param {
            name: "prefer_empty_channels",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "Heads would rather have channels whose buffers are empty, under a vc_allocator that looks at priorities.",
        },
        choice(
            "speculation",
            SPECULATION,
            "off",
            "Whether heads ask for the switch in the step in which they ask for a channel. What they are granted counts if they get a \
             channel of that port, with a credit.",
        ),
        choice(
            "speculation_needs",
            NEEDS,
            "credit",
            "What a head looks for before it asks for the switch without a channel.",
        ),
        choice(
            "speculation_yields",
            YIELDS,
            "grants",
            "When a request of a head without a channel is ignored, where these have an allocator of their own.",
        ),
        choice("speculation_allocator", ALLOCATORS, "islip", "How heads without a channel get through the switch."),
        integer(
            "speculation_allocator_iterations",
            "rounds",
            (1, 64),
            1,
            "Rounds of speculation_allocator = islip, pim or select.",
        ),
        choice(
            "speculation_allocator_arbiter",
            ARBITERS,
            "round_robin",
            "Arbiters of a separable speculation_allocator.",
        ),
        integer(
            "speculation_allocator_groups",
            "groups",
            (1, 64),
            1,
            "Groups of an arbiter of a separable speculation_allocator, whose winners compete once more.",
        ),
    ],
};

const SHARING: &[(&str, &str)] = &[
    ("owned", "when the credit of the tail of the packet before is back"),
    ("shared", "when the tail of the packet before has been sent"),
];

const ENTRIES: &[(&str, &str)] = &[
    ("next", "the first one behind the last that a packet took which is free and has a credit"),
    ("drawn", "one that is drawn in every cycle, if it is free and has a credit"),
];

const REQUESTS: &[(&str, &str)] = &[
    ("by_port", "the channels of the first port, then those of the second, and so on"),
    ("by_channel", "the first channels of all ports, then the second ones, and so on"),
];

const NODE_PORTS: &[(&str, &str)] = &[
    ("after_links", "behind those of links"),
    ("before_links", "before those of links, as in the networks of BookSim 2 but meshes, tori and butterflies"),
];

const INPUT_PORTS: &[(&str, &str)] = &[
    ("as_outputs", "as the output ports to the routers that flits come from"),
    ("by_router", "by the routers that flits come from, as in the flattened butterflies of BookSim 2"),
];

const ALLOCATORS: &[(&str, &str)] = &[
    ("islip", "outputs grant and inputs accept behind their last match"),
    ("separable_input_first", "every input chooses an output, then every output an input"),
    ("separable_output_first", "every output chooses an input, then every input an output"),
    ("wavefront", "along the diagonals of the requests, another first one in every step"),
    ("rr_wavefront", "as wavefront; the first diagonal is the one behind the first that granted"),
    ("max_size", "as many matches as can be"),
    ("pim", "outputs grant and inputs accept at random"),
    ("loa", "every input asks for the output that fewest ask for"),
    ("select", "as islip; outputs keep grants from round to round"),
];

const ARBITERS: &[(&str, &str)] =
    &[("round_robin", "the first one behind the last winner"), ("matrix", "the one that won least recently")];

const PRIORITIES: &[(&str, &str)] = &[
    ("none", "none has more than another"),
    ("age", "those of the packet that was made first"),
    ("sequence", "those of the packet with the lowest number at its source"),
    ("queue_length", "those of the buffer with most flits"),
    ("class", "those of the class with the highest number of class_priorities"),
];

const SPECULATION: &[(&str, &str)] = &[
    ("off", "they ask when they have a channel"),
    ("shared", "they ask the switch allocator; those that look at priorities put them last"),
    ("separate", "they have an allocator of their own, which ignores them where flits with a channel come first"),
];

const NEEDS: &[(&str, &str)] =
    &[("nothing", "nothing"), ("channel", "a free channel"), ("credit", "a free channel with a credit")];

const YIELDS: &[(&str, &str)] = &[
    ("grants", "where a flit with a channel is granted the crossbar output"),
    ("requests", "where a flit with a channel asks for it"),
];

const ROUNDS: [&str; 3] = ["islip", "pim", "select"];
/// Those that look at no priorities.
const BLIND: [&str; 4] = ["islip", "pim", "loa", "max_size"];
const STAGES: [&str; 2] = ["separable_input_first", "separable_output_first"];

/// What has no effect beside other choices.
pub const IDLE: &[Idle] = &[
    Idle {
        keys: &["vc_allocator_iterations"],
        when: &[When::IsNot(".vc_allocator", &ROUNDS)],
        because: "this allocator has no rounds",
    },
    Idle {
        keys: &["switch_allocator_iterations"],
        when: &[When::IsNot(".switch_allocator", &ROUNDS)],
        because: "this allocator has no rounds",
    },
    Idle {
        keys: &["vc_allocator_arbiter", "vc_allocator_groups"],
        when: &[When::IsNot(".vc_allocator", &STAGES)],
        because: "this allocator has no arbiters",
    },
    Idle {
        keys: &["switch_allocator_arbiter", "switch_allocator_groups"],
        when: &[When::IsNot(".switch_allocator", &STAGES)],
        because: "this allocator has no arbiters",
    },
    Idle {
        keys: &["speculation_needs"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".speculation", &["off"])],
        because: "heads ask for the switch when they have a channel",
    },
    Idle {
        keys: &[
            "speculation_yields",
            "speculation_allocator",
            "speculation_allocator_iterations",
            "speculation_allocator_arbiter",
            "speculation_allocator_groups",
        ],
        when: &[When::Is("router.kind", &["input_queued"]), When::IsNot(".speculation", &["separate"])],
        because: "heads without a channel have no allocator of their own",
    },
    Idle {
        keys: &["speculation_allocator_iterations"],
        when: &[When::IsNot(".speculation_allocator", &ROUNDS)],
        because: "this allocator has no rounds",
    },
    Idle {
        keys: &["speculation_allocator_arbiter", "speculation_allocator_groups"],
        when: &[When::IsNot(".speculation_allocator", &STAGES)],
        because: "this allocator has no arbiters",
    },
    Idle {
        keys: &["channel_needs_credit"],
        when: &[When::Is(".sharing", &["owned"])],
        because: "a channel is free only when all its credits are back",
    },
    Idle {
        keys: &[
            "input_speedup",
            "output_speedup",
            "switch_allocator",
            "switch_allocator_iterations",
            "switch_allocator_arbiter",
            "switch_allocator_groups",
            "hold_switch",
        ],
        when: &[
            When::Is("router.kind", &["input_queued"]),
            When::Is(".virtual_channels", &["1"]),
            When::Is(".speculation", &["off"]),
        ],
        because: "the packet with the one channel of a port asks alone",
    },
    Idle {
        keys: &["output_queue_flits"],
        when: &[When::Where("router.crossbar_cycles, output_speedup and internal_speedup are 1", sends_at_once)],
        because: "no flit waits behind the crossbar",
    },
    Idle {
        keys: &["vc_requests"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".virtual_channels", &["1"])],
        because: "a port has one channel, and both orders are the same",
    },
    Idle {
        keys: &["entry_channel"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".virtual_channels", &["1"])],
        because: "a wire has one channel",
    },
    Idle {
        keys: &["type_planes", "type_channels"],
        when: &[
            When::Is("router.kind", &["input_queued"]),
            When::IsNot("traffic.size.kind", &["read_write"]),
            When::Where("receivers do not answer", nobody_answers),
        ],
        because: "no packet has a type",
    },
    Idle {
        keys: &["type_channels"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".virtual_channels", &["1"])],
        because: "a wire has one channel",
    },
    Idle {
        keys: &["type_planes"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".planes", &["1"])],
        because: "there is one plane",
    },
    Idle {
        keys: &["priority_donation"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".sharing", &["owned"])],
        because: "all flits of a buffer are of one packet",
    },
    Idle {
        keys: &["prefer_empty_channels"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".sharing", &["owned"])],
        because: "channels that are free are empty",
    },
    Idle {
        keys: &["priority", "priority_donation", "class_priorities"],
        when: &[When::Where("no allocator of the router looks at priorities", is_blind)],
        because: "no two channels share an input of the crossbar, and no two classes a wire",
    },
    Idle {
        keys: &["priority_donation"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".priority", &["none", "queue_length"])],
        because: "a flit has no priority of its own",
    },
    Idle {
        keys: &["class_priorities"],
        when: &[When::Is("router.kind", &["input_queued"]), When::IsNot(".priority", &["class"])],
        because: "flits have no priority by class",
    },
    Idle {
        keys: &["prefer_empty_channels"],
        when: &[When::Is("router.kind", &["input_queued"]), When::Is(".vc_allocator", &BLIND)],
        because: "this allocator does not look at what heads prefer",
    },
    Idle {
        keys: &["prefer_empty_channels"],
        when: &[
            When::Is("router.kind", &["input_queued"]),
            When::Is(".virtual_channels", &["1"]),
            When::Is(".vc_allocator", &["select", "separable_input_first", "separable_output_first"]),
        ],
        because: "a head asks for one channel",
    },
    Idle {
        keys: &["vc_allocator_iterations"],
        when: &[When::Is(".virtual_channels", &["1"])],
        because: "a head asks for one channel",
    },
];

/// Whether at most one flit per cycle comes to an output, and none waits there.
fn sends_at_once(_spec: &Resolved, own: View<'_>) -> bool {
    own.u32("crossbar_cycles") == 1 && own.u32("output_speedup") == 1 && own.float("internal_speedup") == 1.0
}

/// Whether no flit ever comes before another one because of its priority.
fn is_blind(spec: &Resolved, own: View<'_>) -> bool {
    if own.kind() != "input_queued" {
        return false;
    }
    let looks = |key: &str| allocator(own, key).looks_at_priorities();
    let speculates = own.text("speculation") != "off";
    // The packet with the one channel of a port asks for the switch alone.
    let alone = own.u32("virtual_channels") == 1 && !speculates;
    let switch = looks("switch_allocator") && !alone;
    let hopes = own.text("speculation") == "separate" && looks("speculation_allocator");
    let shares = own.u32("virtual_channels") > own.u32("input_speedup");
    !(looks("vc_allocator") || switch || hopes || shares || crate::classes::sharing(spec) > 1)
}

/// Why classes have no priorities, where these are asked for.
pub fn refused_priorities(spec: &Resolved, own: View<'_>) -> Option<String> {
    let (classes, named) = (crate::classes::sharing(spec) as usize, own.u32s("class_priorities").len());
    let asks = own.text("priority") == "class";
    (asks && named != classes)
        .then(|| format!("router.priority = class needs a number for each of {classes} classes, not {named}"))
}

/// That heads without hope may keep flits from the switch for ever, where they can.
pub fn note(view: View<'_>) -> Option<String> {
    let [speculation, needs, allocator] =
        ["speculation", "speculation_needs", "switch_allocator"].map(|key| view.text(key));
    let unfair = speculation == "shared" && needs == "nothing" && ["max_size", "loa"].contains(&allocator);
    unfair.then(|| {
        format!(
            "under router.speculation = shared and router.switch_allocator = {allocator}, router.speculation_needs = nothing may stop a \
             part of the network: a head without hope of a channel may be chosen in every step before a flit that could go; channel \
             avoids it"
        )
    })
}

/// The router that a resolved spec describes.
pub fn of(spec: &Resolved, seed: u64) -> Router {
    let view = spec.view("router");
    Router {
        channels: view.u32("virtual_channels"),
        buffer_flits: view.u32("buffer_flits"),
        routing_cycles: view.u32("routing_cycles"),
        crossbar_cycles: view.u32("crossbar_cycles"),
        credit_cycles: view.u32("credit_cycles"),
        sharing: if view.text("sharing") == "owned" { Sharing::Owned } else { Sharing::Shared },
        needs_credit: view.bool("channel_needs_credit"),
        input_speedup: view.u32("input_speedup"),
        output_speedup: view.u32("output_speedup"),
        steps: (view.float("internal_speedup") * f64::from(STEP)).round() as u32,
        output_queue_flits: view.finite("output_queue_flits").map(|v| v as u32),
        request_order: match view.text("vc_requests") {
            "by_channel" => RequestOrder::ByChannel,
            _ => RequestOrder::ByPort,
        },
        node_ports: if view.text("node_ports") == "before_links" { NodePorts::First } else { NodePorts::Last },
        input_ports: if view.text("input_ports") == "by_router" { InputPorts::ByRouter } else { InputPorts::AsOutputs },
        channel_allocator: allocator(view, "vc_allocator"),
        switch_allocator: allocator(view, "switch_allocator"),
        holds_switch: view.bool("hold_switch"),
        speculation: speculation(view),
        ejection_flits: view.finite("ejection_flits").map(|v| v as u32),
        entry_channel: match view.text("entry_channel") {
            "drawn" => EntryChannel::Drawn,
            _ => EntryChannel::Next,
        },
        types: types(spec),
        planes: view.u32("planes"),
        classes: crate::classes::sharing(spec),
        priority: priority(view),
        donates_priority: view.bool("priority_donation"),
        prefers_empty: view.bool("prefer_empty_channels"),
        source_queue_packets: view.finite("source_queue_packets").map(|v| v as u32),
        packet_flits: super::cut_flits(spec),
        seed,
    }
}

fn nobody_answers(spec: &Resolved, _: View<'_>) -> bool {
    !has_answers(spec.view("traffic"), spec.view("workload"))
}

/// What packets of each type have for themselves. Lists of other lengths are refused elsewhere.
fn types(spec: &Resolved) -> Types {
    if !has_answers(spec.view("traffic"), spec.view("workload")) {
        return Types::default();
    }
    let (planes, channels) = (spec.view("router").u32s("type_planes"), spec.view("router").u32s("type_channels"));
    let range = |pair: &[u32]| (pair[0] as u8, (pair[1] + 1).saturating_sub(pair[0]) as u8);
    let ranges: Vec<(u8, u8)> = channels.chunks_exact(2).map(range).collect();
    let planes: Vec<u8> = planes.iter().map(|&plane| plane as u8).collect();
    let untyped = has_unanswered(spec.view("traffic"));
    Types { planes: planes.try_into().ok(), channels: ranges.try_into().ok(), untyped }
}

fn priority(view: View<'_>) -> Priority {
    match view.text("priority") {
        "age" => Priority::Age,
        "sequence" => Priority::Sequence,
        "queue_length" => Priority::Queue,
        "class" => {
            let of = view.u32s("class_priorities");
            Priority::Class(std::array::from_fn(|class| of.get(class).copied().unwrap_or(0)))
        }
        _ => Priority::None,
    }
}

fn speculation(view: View<'_>) -> Speculation {
    let needs = match view.text("speculation_needs") {
        "nothing" => Needs::Nothing,
        "channel" => Needs::Channel,
        _ => Needs::Credit,
    };
    let yields = if view.text("speculation_yields") == "requests" { Yields::Requests } else { Yields::Grants };
    match view.text("speculation") {
        "shared" => Speculation::Shared(needs),
        "separate" => Speculation::Separate { needs, yields, allocator: allocator(view, "speculation_allocator") },
        _ => Speculation::Off,
    }
}

fn allocator(view: View<'_>, key: &str) -> Allocator {
    Allocator {
        matching: match view.text(key) {
            "separable_input_first" => Matching::InputFirst,
            "separable_output_first" => Matching::OutputFirst,
            "wavefront" => Matching::Wavefront,
            "rr_wavefront" => Matching::SkippingWavefront,
            "max_size" => Matching::Maximum,
            "pim" => Matching::Drawn,
            "loa" => Matching::Lonely,
            "select" => Matching::Select,
            _ => Matching::Islip,
        },
        rounds: view.u32(&format!("{key}_iterations")),
        stages: match view.text(&format!("{key}_arbiter")) {
            "matrix" => Stages::Matrix,
            _ => Stages::RoundRobin,
        },
        groups: view.u32(&format!("{key}_groups")),
    }
}
