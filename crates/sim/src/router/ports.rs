//! What a spec says of injection and ejection as ports: links between a node and its router, whose virtual channels have finite
//! buffers, share one flit per cycle and get credits back.

use super::{choice, integer};
use tailback_spec::{Idle, Param, SpecError, View, When};

/// How packets come from a node to its router.
pub const INJECTION: Param = choice("injection", KINDS, "channels", "How packets come from a node to its router.");

/// Buffer of an injection port.
pub const INJECTION_BUFFER_FLITS: Param = integer(
    "injection_buffer_flits",
    "flits",
    (1, 32767),
    32,
    "With injection = \"port\": size of the buffer that the router has for each injection channel of a node.",
);

/// Link of an injection port.
pub const INJECTION_LINK_CYCLES: Param = integer(
    "injection_link_cycles",
    "cycles",
    (1, 4096),
    1,
    "With injection = \"port\": time of a flit on the link from a node to its router.",
);

/// How packets come from a router to a node.
pub const EJECTION: Param = choice("ejection", KINDS, "channels", "How packets come from a router to its nodes.");

/// Buffer of an ejection port.
pub const EJECTION_BUFFER_FLITS: Param = integer(
    "ejection_buffer_flits",
    "flits",
    (1, 32767),
    32,
    "With ejection = \"port\": size of the buffer that a node has for each of its ejection channels.",
);

/// Link of an ejection port.
pub const EJECTION_LINK_CYCLES: Param = integer(
    "ejection_link_cycles",
    "cycles",
    (1, 4096),
    1,
    "With ejection = \"port\": time of a flit on the link from a router to a node.",
);

const KINDS: &[(&str, &str)] = &[
    ("channels", "every channel has one flit per cycle of its own, and no buffer between node and router"),
    ("port", "the channels are virtual channels of one link, with finite buffers; they share one flit per cycle"),
];

/// Where there is no port.
pub const IDLE: &[Idle] = &[
    Idle {
        keys: &["injection_buffer_flits", "injection_link_cycles"],
        when: &[When::Is(".injection", &["channels"])],
        because: "only a port has a link and buffers",
    },
    Idle {
        keys: &["ejection_buffer_flits", "ejection_link_cycles"],
        when: &[When::Is(".ejection", &["channels"])],
        because: "only a port has a link and buffers",
    },
];

/// Buffer of a virtual channel \[flits\] and link \[cycles\] of a node's port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Buffer of each virtual channel \[flits\].
    pub buffer_flits: u32,
    /// Time of a flit on the link \[cycles\].
    pub link_cycles: u32,
}

/// The injection port of a resolved `router` section, if it has one.
pub fn injection(view: View) -> Option<Port> {
    (view.text("injection") == "port").then(|| Port {
        buffer_flits: view.u32("injection_buffer_flits"),
        link_cycles: view.u32("injection_link_cycles"),
    })
}

/// The ejection port of a resolved `router` section, if it has one.
pub fn ejection(view: View) -> Option<Port> {
    (view.text("ejection") == "port").then(|| Port {
        buffer_flits: view.u32("ejection_buffer_flits"),
        link_cycles: view.u32("ejection_link_cycles"),
    })
}

/// The ports of a resolved `router` section whose buffers do not hold whole packets of a length.
pub fn objections(view: View, flits: u32) -> Vec<SpecError> {
    let ports = [("injection_buffer_flits", injection(view)), ("ejection_buffer_flits", ejection(view))];
    let wrong = |port: &Port| port.buffer_flits < flits || !port.buffer_flits.is_multiple_of(flits);
    let told = |(key, port): (&str, Option<Port>)| {
        let port = port.filter(wrong)?;
        let message = format!(
            "a buffer of {} flits does not hold a whole number of packets of {flits} flits, and packets move as wholes",
            port.buffer_flits
        );
        let help = format!("set router.{key} to {flits} or a multiple of it");
        Some(SpecError::at(format!("router.{key}"), message).help(help))
    };
    ports.into_iter().filter_map(told).collect()
}
