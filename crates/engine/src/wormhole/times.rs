//! How long things take, and where what happens then is kept.

use super::lanes::Mask;
use super::layout::Layout;
use super::router::Router;
use super::wires::{Moment, Wires, slots};

/// The cycles that a cycle has to do with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// The current cycle.
    pub now: Moment,
    /// When the flits that arrive now by the longest link were sent.
    pub flits_sent: Moment,
    /// When the flits left whose credits are due now.
    pub credits_sent: Moment,
    /// The next cycle.
    pub next: Moment,
    /// A flit sent now arrives by the longest link.
    pub flit: Moment,
    /// A flit sent now is a credit upstream.
    pub credit: Moment,
    /// A head that comes to the front now asks.
    pub asks: Moment,
    /// A head behind a tail sent now asks.
    pub asks_behind: Moment,
    /// A head given a channel now may ask for the switch.
    pub able: Moment,
}

impl Router {
    /// Virtual channels of a link, and that of a recovery lane, if its buffers have `lane_flits` flits.
    pub fn link_channels(&self, lane_flits: u32) -> usize {
        self.channels as usize + usize::from(lane_flits > 0)
    }

    /// Cycles from a flit's being sent to its arrival over a link.
    pub(super) fn flit_cycles(&self, link_cycles: u32) -> u64 {
        self.receive_cycles() - 1 + u64::from(link_cycles)
    }

    /// Cycles from a flit's being sent to a node to its being received.
    pub(super) fn receive_cycles(&self) -> u64 {
        u64::from(self.switch_allocation_cycles) + u64::from(self.crossbar_cycles) + 1
    }

    /// Cycles from a flit's being sent to its credit's use upstream.
    pub(super) fn credit_return_cycles(&self) -> u64 {
        u64::from(self.switch_allocation_cycles) + u64::from(self.credit_cycles)
    }

    /// The furthest ahead that anything is kept for.
    pub(super) fn horizon(&self, link_cycles: u32) -> u64 {
        let flit = self.flit_cycles(link_cycles);
        let stages = u64::from(self.vc_allocation_cycles).max(u64::from(self.routing_cycles) + 1);
        flit.max(self.credit_return_cycles()).max(stages)
    }

    /// Slots that [`Wires`] needs.
    pub(super) fn slots(&self, link_cycles: u32) -> usize {
        slots(self.horizon(link_cycles))
    }
}

impl Times {
    /// The times of cycle `now`.
    pub fn of<W: Mask>(wires: &Wires<W>, config: &Router, layout: &Layout, now: u64) -> Times {
        let routing = u64::from(config.routing_cycles);
        let (flit, credit) = (config.flit_cycles(layout.link_cycles), config.credit_return_cycles());
        Times {
            now: wires.moment(now),
            flits_sent: wires.moment(now.wrapping_sub(flit)),
            credits_sent: wires.moment(now.wrapping_sub(credit)),
            next: wires.moment(now + 1),
            flit: wires.moment(now + flit),
            credit: wires.moment(now + credit),
            asks: wires.moment(now + routing),
            asks_behind: wires.moment(now + 1 + routing),
            able: wires.moment(now + u64::from(config.vc_allocation_cycles)),
        }
    }
}
