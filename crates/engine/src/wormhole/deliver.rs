//! Deliver: what was due in this cycle is there, and heads that come to the front learn where they may go.

use super::fabric::Common;
use super::state::{Mask, RouterState, add, count_up};
use super::wires::Due;
use super::{Mechanisms, Sharing};
use crate::contract::admission::Admission;
use crate::contract::probe::{Delivery, Probe};
use crate::contract::recovery::Recovery;
use crate::contract::routing::{Candidates, Head, Routing};
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// Nodes receive flits; packets whose tail is among them are delivered.
    #[inline]
    pub(super) fn receive<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let mut cursor = self.received.open(now);
        while let Some(router) = self.received.take(&mut cursor) {
            self.parts.admission.delivered(router, 1);
        }
        let mut cursor = self.deliveries.open(now);
        while let Some(id) = self.deliveries.take(&mut cursor) {
            let packet = &self.packets[id];
            probe.delivered(Delivery { cycle: now, packet });
            self.counters.delivered += 1;
            self.counters.delivered_flits += u64::from(packet.flits);
            self.packets.remove(id);
        }
    }

    /// What is due at a router.
    #[inline(always)]
    pub(super) fn deliver<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        due: Due<W>,
    ) {
        let (flits, credits, ripe) = (due.flits.get(), due.credits.get(), due.ripe.get());
        let freed = due.freed.get() & !Due::<W>::WAKE;
        count_up(&mut state.count, flits, self.lanes);
        count_up(&mut state.credits, credits, self.lanes);
        let (new, opened) = (flits & !state.fronted.get(), credits & !state.open.get());
        add(&mut state.filled, flits);
        add(&mut state.open, credits);
        add(&mut state.free, freed);
        let holding = state.holding.get();
        add(&mut state.able, ripe & holding);
        add(&mut state.asking, ripe & !holding);
        add(&mut state.look, ripe & !holding);
        if opened != 0 {
            credit_holders(state, opened);
        }
        let again = freed != 0 || self.config.sharing == Sharing::SharedWhole && credits != 0;
        if again {
            add(&mut state.look, state.asking.get());
        }
        for input in ones(new) {
            self.arrive(state, router, input);
        }
        if self.occupancy.is_some() {
            ones(flits).for_each(|input| self.fill(router, input, 1));
        }
    }

    /// A head arrives at an input that holds no packet: it is at the front at once.
    #[inline(always)]
    fn arrive<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
    ) {
        self.come_to_front(state, router, input);
        if self.layout.lane >> input & 1 == 1 && state.lane.get() >> input & 1 == 0 {
            self.parts.recovery.arrived(router);
        }
        if self.config.routing_cycles == 0 {
            add(&mut state.asking, 1 << input);
            add(&mut state.look, 1 << input);
        } else {
            self.wires.ripe(self.times.asks, router, input);
        }
    }

    /// The packet at the front of a network input is a new one: where may it go?
    #[inline]
    pub(super) fn come_to_front<const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
    ) {
        let at = self.ring(router, input, state.front[input & (NN - 1)]);
        let slot = &mut self.rings[at];
        let packet = &self.packets[slot.packet];
        let i = input & (NI - 1);
        if self.lane {
            self.attempts[router as usize * self.layout.network + input] = 0;
        }
        add(&mut state.fronted, 1 << input);
        state.after[i] = (packet.flits - 1) as u16;
        let candidates = if self.layout.lane >> input & 1 == 0 {
            let head = Head { router, input: self.layout.name(input) };
            self.parts.routing.candidates(head, packet, self.config.channels, &mut slot.word)
        } else if packet.router == router {
            Candidates::default()
        } else {
            let port = self.parts.recovery.port(router, packet);
            return self.set_lane(state, input, port);
        };
        let destination = packet.destination;
        self.set_candidates(state, router, input, destination, candidates);
    }

    /// What the head at the front of `input` may take; nothing means that its destination is here.
    #[inline(always)]
    pub(super) fn set_candidates<const NN: usize, const NI: usize>(
        &self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        input: usize,
        destination: u32,
        candidates: Candidates,
    ) {
        let i = input & (NI - 1);
        let preferred = if candidates.all() == 0 {
            let local = destination as usize - router as usize * self.layout.nodes;
            1 << self.layout.ejection_channel(local, input)
        } else {
            self.layout.numbered(candidates.preferred)
        };
        state.preferred[i] = W::of(preferred);
        state.fallback[i] = W::of(self.layout.numbered(candidates.fallback));
    }

    /// Books `by` flits more in a buffer that probes and admission see.
    pub(super) fn fill(&mut self, router: u32, input: usize, by: i16) {
        let name = self.layout.name(input).filter(|_| self.layout.lane >> input & 1 == 0);
        if let (Some((port, channel)), Some(occupancy)) = (name, &mut self.occupancy) {
            occupancy.shift(router, usize::from(port), usize::from(channel), by);
        }
    }
}

/// Channels have a credit again: their holders have one too.
#[inline]
fn credit_holders<W: Mask, const NN: usize, const NI: usize>(state: &mut RouterState<W, NN, NI>, opened: u64) {
    for channel in ones(opened) {
        let owner = usize::from(state.owner[channel & (NI - 1)]);
        let holds = state.holding.get() >> owner & 1 == 1 && usize::from(state.held[owner & (NI - 1)]) == channel;
        add(&mut state.credited, u64::from(holds) << owner);
    }
}
