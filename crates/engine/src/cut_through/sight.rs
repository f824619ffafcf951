//! What routings see of queues: those of a router at the end of the cycle before, and signals of other routers.
//!
//! Nothing of it is kept for a routing that looks at nothing. For others credits come back flit by flit (`returns.rs`), so that the
//! level of a cycle that has passed can still be told.

use super::deliver::outcome;
use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::tables::Id;
use crate::contract::queues::Queues;
use crate::contract::routing::{Head, Routing};
use crate::mask::Set;

/// The queues of a router at the end of the cycle before `now`.
struct Seen<'f, 'a, M: Mechanisms, R: Hot> {
    fabric: &'f Fabric<'a, M, R>,
    router: Id,
    now: u64,
}

impl<M: Mechanisms, R: Hot> Queues for Seen<'_, '_, M, R> {
    fn owed(&self, port: u8, channel: u8) -> u32 {
        self.owed_by(self.router, port, channel)
    }

    fn owed_by_port(&self, port: u8) -> u32 {
        (0..self.fabric.config.channels as u8).map(|channel| self.owed(port, channel)).sum()
    }

    fn free(&self, port: u8, channel: u8) -> u32 {
        self.fabric.config.buffer_flits - self.owed(port, channel)
    }

    fn waiting(&self, port: u8) -> u32 {
        let state = self.fabric.routers.at(self.router);
        let asking = state.asking(port.into()).without(&self.fabric.kept.fresh(self.router, self.now));
        asking.members().map(|input| self.fabric.length(state.input(input).slot.packet)).sum()
    }

    fn owed_at(&self, router: u32, port: u8, channel: u8) -> u32 {
        assert!(self.fabric.kept.is_everywhere(), "the routing said that it looks at its own router only");
        self.owed_by(self.fabric.routers.id(router), port, channel)
    }

    fn signal(&self, router: u32, cycles: u32) -> u64 {
        self.fabric.kept.signal(router, cycles, self.now)
    }

    /// An output is held from the grant on until after the cycle in which the last flit leaves.
    fn carried(&self, router: u32, port: u8) -> bool {
        let routers = &self.fabric.routers;
        !routers.at(routers.id(router)).is_idle(port.into())
    }
}

impl<M: Mechanisms, R: Hot> Seen<'_, '_, M, R> {
    /// Nothing has been granted in cycle `now` yet where it is asked, and credits of that cycle are not counted.
    fn owed_by(&self, router: Id, port: u8, channel: u8) -> u32 {
        let free = self.fabric.free(router, port.into(), channel.into(), self.now.saturating_sub(1));
        (i64::from(self.fabric.config.buffer_flits) - i64::from(free)) as u32
    }
}

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// The packet at the front of an input may ask from now on: output and channels that its routing decides on.
    #[inline(never)]
    pub(super) fn decide(&mut self, now: u64, router: Id, input: usize) -> (usize, u16) {
        let mut slot = self.front(router, input);
        let mut packet = self.packets[slot.packet];
        let lane = (input < self.layout.network_inputs).then(|| self.layout.lane::<R>(input));
        let seen = Seen { fabric: self, router, now };
        let head = Head { router: router.get(), input: lane };
        let request = self.parts.routing.decide(head, &mut packet, &mut slot.word, &seen);
        self.packets[slot.packet] = packet;
        self.routers.at_mut(router).input_mut(input).slot = slot;
        self.kept.asks(router, input, now);
        outcome(&self.layout, packet.destination, input, request)
    }

    /// Every router signals what its queues are at the end of cycle `now`.
    pub(super) fn send_signals(&mut self, now: u64) {
        for router in self.routers.ids() {
            let seen = Seen { fabric: self, router, now: now + 1 };
            let signal = self.parts.routing.signal(router.get(), &seen);
            self.kept.put(router, now, signal);
        }
    }
}
