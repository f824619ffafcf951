//! Flits that a router counts behind each of its channels: those that it has sent there, less those whose credits have come.

use super::router::{Requests, Router};
use super::state::Layout;
use crate::occupancy::Occupancy;

/// The flits behind each channel, at the router that sends into it.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// Whether somebody asks.
    pub kept: bool,
    pub flits: Occupancy,
}

tailback_base::state!([] Counted { saved: flits; rebuilt: kept; });

impl Counted {
    /// Nothing has been sent.
    pub fn new(config: &Router, layout: &Layout, routers: usize) -> Self {
        let kept = config.requests == Requests::ShortestFlits;
        let (packet, credit) = (config.packet_flits, config.credit_cycles);
        let routers = if kept { routers } else { 0 };
        Counted { kept, flits: Occupancy::of_senders(routers, layout.ports, layout.channels, packet, credit) }
    }

    /// Flits behind a channel at the end of the cycle before.
    #[inline]
    pub fn behind(&self, router: u32, (port, channel): (u8, u8)) -> u16 {
        self.flits.level(router, port.into(), channel.into())
    }

    /// The end of a cycle.
    #[inline]
    pub fn step(&mut self, now: u64) {
        if self.kept {
            self.flits.step(now);
        }
    }
}
