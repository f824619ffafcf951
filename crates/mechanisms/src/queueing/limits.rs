//! What disciplines with set-aside queues cannot do in some networks, and their thresholds in packets.

use crate::Refusal;
use tailback_engine::contract::queueing::TURNS_MAX;
use tailback_network::Network;
use tailback_spec::{Fallback, Kind, Param, View};

/// The largest number of queues of a side: they are bits of a mask.
pub const QUEUES_MAX: u32 = 64;

/// The parameter of [`Thresholds::detection`].
pub const DETECTION: Param = bytes(
    "detection_bytes",
    0,
    1310,
    "An ordinary queue that holds more than this is congested (1 % of the port's memory in the paper).",
);

/// The parameter of [`Thresholds::notification`].
pub const NOTIFICATION: Param = bytes(
    "notification_bytes",
    0,
    1310,
    "A set-aside queue that holds more than this tells the senders upstream to set packets aside, too.",
);

/// The parameter of [`Thresholds::xoff`].
pub const XOFF: Param =
    bytes("xoff_bytes", 1, 1310, "A set-aside queue that holds more than this stops the set-aside queues upstream.");

/// The parameter of [`Thresholds::xon`].
pub const XON: Param =
    bytes("xon_bytes", 1, 640, "A set-aside queue that holds less than this lets the queues upstream send again.");

const fn bytes(name: &'static str, min: i64, default: i64, doc: &'static str) -> Param {
    Param { name, kind: Kind::Integer { min, max: 1 << 31 }, unit: "bytes", fallback: Fallback::Integer(default), doc }
}

/// Thresholds \[packets\]. A queue exceeds one with more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thresholds {
    /// An ordinary queue that exceeds it is congested.
    pub detection: u32,
    /// A set-aside queue that exceeds it makes the tree grow.
    pub notification: u32,
    /// A set-aside queue that exceeds it stops those that send to it.
    pub xoff: u32,
    /// Fewer than these let them go on.
    pub xon: u32,
}

impl Thresholds {
    /// From a resolved `queueing` section with `detection_bytes`, `notification_bytes`, `xoff_bytes` and `xon_bytes`.
    ///
    /// # Errors
    /// Thresholds upside down.
    pub fn new(view: View, packet_bytes: u32) -> Result<Self, Refusal> {
        let (xoff, xon) = (view.u32("xoff_bytes"), view.u32("xon_bytes"));
        if xon > xoff {
            let message = format!(
                "a queue between {xoff} and {xon} bytes would have to stop those that send to it and let them go on"
            );
            let help = format!("set queueing.xon_bytes to {xoff} or less, or raise queueing.xoff_bytes");
            return Err(Refusal { path: "queueing.xon_bytes", message, help });
        }
        Ok(Thresholds {
            detection: view.u32("detection_bytes") / packet_bytes,
            notification: view.u32("notification_bytes") / packet_bytes,
            xoff: xoff / packet_bytes,
            xon: xon.div_ceil(packet_bytes),
        })
    }

    /// With no more packets than these nothing comes of an arrival.
    pub fn least(self) -> u32 {
        self.detection.min(self.notification).min(self.xoff)
    }
}

/// Ports of a switch that has room for `lines` set-aside queues a side, where every place can be named by the way to it.
///
/// # Errors
/// More queues than a mask has bits, routes longer than what a notice can name.
pub fn ports(network: &Network, lines: u32) -> Result<u32, Refusal> {
    let ports = super::ports(network);
    if ports + lines > QUEUES_MAX {
        let message = format!(
            "an ingress side has a detection queue for each of the {ports} ports and {lines} set-aside queues, and \
             at most \
             {QUEUES_MAX} queues are supported"
        );
        let help = match QUEUES_MAX.checked_sub(ports) {
            Some(most @ 1..) => format!("set queueing.set_aside_queues to {most} or less"),
            _ => "attach fewer nodes to a router".to_owned(),
        };
        return Err(Refusal { path: "queueing.set_aside_queues", message, help });
    }
    let Some(grid) = network.grid().filter(|_| network.has_computed_links()) else {
        return Err(Refusal {
            path: "queueing.kind",
            message:
                "recn names a congested point by the way there, and on a network without a grid that is not simulated"
                    .to_owned(),
            help: "take queueing = \"voq_net\" or \"voq_sw\"".to_owned(),
        });
    };
    let of_dimension = |(&k, &wrap): (&u32, &bool)| if wrap { k / 2 } else { k - 1 };
    let longest = 1 + grid.radix().iter().zip(grid.wrap()).map(of_dimension).map(u64::from).sum::<u64>();
    if longest > TURNS_MAX as u64 {
        let message = format!(
            "the longest route has output ports at {longest} switches, and a notice can name a congested point by \
             {TURNS_MAX}"
        );
        return Err(Refusal {
            path: "queueing.kind",
            message,
            help: "take smaller radices, or \"voq_net\"".to_owned(),
        });
    }
    Ok(ports)
}
