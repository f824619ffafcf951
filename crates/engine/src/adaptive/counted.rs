//! Flits that a router counts behind each of its channels: those that it has sent there, less those whose credits have come.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::router::{Requests, Router};
use super::state::{Layout, Mask};
use crate::occupancy::Occupancy;

/// The flits behind each channel, at the router that sends into it.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    /// Whether somebody asks.
    pub kept: bool,
    flits: Occupancy,
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

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// A packet is sent from an input into a channel: flits go, and credits go back.
    pub(super) fn count(&mut self, now: u64, router: u32, input: usize, channel: Option<(u8, u8)>) {
        let flits = self.config.packet_flits;
        if let Some((port, channel)) = self.layout.name(input) {
            let upstream = self.grid.upstream(router, port.into());
            let buffer = self.counted.flits.index(upstream, port.into(), channel.into());
            self.counted.flits.departs_at(buffer, now + u64::from(self.config.credit_cycles) - 1, flits);
        }
        if let Some((port, channel)) = channel {
            let buffer = self.counted.flits.index(router, port.into(), channel.into());
            self.counted.flits.arrives(buffer, now, flits);
        }
    }
}
