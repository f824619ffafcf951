//! What is known to happen.

use super::delayed::Delayed;
use super::layout::Layout;
use super::ring::Ring;
use crate::wheel::Wheel;
use serde::{Deserialize, Serialize};

/// A head that reaches an ingress side.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Arrival {
    pub side: u32,
    pub packet: u32,
}

/// A control packet that counts.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Control {
    /// The link it came by if it is a notice, else the out side that gets credits.
    pub at: u32,
    /// The counter that gets them.
    pub counter: u32,
    /// Credits; 0 where it is a notice.
    pub credits: u32,
}

/// A packet that is through the crossbar.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Crossed {
    /// The ingress side.
    pub side: u32,
    /// The counter of credits of its place there.
    pub counter: u32,
    /// The switch.
    pub switch: u32,
    /// The ingress port.
    pub input: u8,
    /// The egress port.
    pub port: u8,
}

/// A queue of an ingress side.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Ripe {
    pub side: u32,
    pub queue: u32,
}

/// What is known to happen.
pub(super) struct Events {
    pub control: Delayed<Control>,
    pub arrivals: Delayed<Arrival>,
    /// Packets of which the tail reaches a node.
    pub deliveries: Delayed<u32>,
    /// Packets that are through the crossbar.
    pub crossed: Delayed<Crossed>,
    /// Links that fall idle.
    pub sent: Ring,
    /// Queues whose first packet may ask from then on.
    pub ripe: Wheel<Ripe>,
    /// Nodes whose adapter may take the next packet.
    pub taken: Delayed<u32>,
}

tailback_base::plain!(Arrival, Control, Crossed, Ripe);
tailback_base::state!([] Events { saved: control, arrivals, deliveries, crossed, sent, ripe, taken; });

impl Events {
    pub fn new(layout: &Layout) -> Self {
        let &Layout { link, transfer, flits, control, delay, sides, outs, all_nodes, .. } = layout;
        // In a cycle a link begins to send one thing, an ingress side and an adapter one packet.
        Events {
            control: Delayed::new(link + control, outs),
            arrivals: Delayed::new(link, outs),
            deliveries: Delayed::new(link + flits, outs),
            crossed: Delayed::new(transfer, sides),
            sent: Ring::new(flits.max(control), outs),
            ripe: Wheel::new(delay, sides * (2 + (delay / flits) as usize)),
            taken: Delayed::new(transfer, all_nodes),
        }
    }

    /// Whether what happens a fixed time after it was decided stands as it does before cycle `now`.
    pub fn are_at(&self, now: u64) -> bool {
        let packets = self.control.is_at(now) && self.arrivals.is_at(now) && self.deliveries.is_at(now);
        packets && self.crossed.is_at(now) && self.taken.is_at(now)
    }

    /// Cycles before `now` were left out, and nothing is outstanding.
    pub fn skip(&mut self, now: u64) {
        let Events { control, arrivals, deliveries, crossed, taken, .. } = self;
        control.skip(now);
        arrivals.skip(now);
        deliveries.skip(now);
        crossed.skip(now);
        taken.skip(now);
    }

    /// Events outstanding.
    pub fn pending(&self) -> usize {
        self.control.pending()
            + self.arrivals.pending()
            + self.deliveries.pending()
            + self.crossed.pending()
            + self.sent.count()
            + self.ripe.pending()
            + self.taken.pending()
    }
}
