//! Where every packet is and what keeps it there.

use super::events::Arrival;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::state::{KINDS, Mask, RouterState};
use crate::contract::census::{Name, Scope, Stand, What};
use crate::mask::ones_below;
use tailback_base::bits::ones;

/// A router, with what is derived of it once for all its inputs.
struct Local<'s, W: Mask, const NI: usize, const NO: usize> {
    router: u32,
    state: &'s RouterState<W, NI, NO>,
    /// By kind of step, the channels that fit.
    fits: [W; KINDS],
    /// Inputs whose packet is being sent.
    sending: W::Set,
    /// New packets that admission holds back.
    held_back: W::Set,
}

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Calls `each` with every queue that a packet is in which has come to the front of its injection queue.
    pub(super) fn census(&self, _: Scope, each: &mut dyn FnMut(Stand)) {
        let mut sending = vec![W::Set::default(); self.routers.len()];
        for tail in self.tails.iter() {
            let of = &mut sending[tail.router as usize];
            *of = *of | W::Set::one(tail.number.into());
        }
        for (router, state) in (0u32..).zip(&self.routers) {
            let (fits, held_back) = (self.fits(state, router), self.held_back(state, router));
            let at = Local { router, state, fits, sending: sending[router as usize], held_back };
            // In the order of their queues, sources before links.
            let (fronted, network) = (state.fronted.get(), self.layout.links::<W::Set>());
            let inputs = (fronted & !network).each().chain((fronted & network).each());
            inputs.for_each(|input| self.stands_in(&at, input, each));
        }
        for &Arrival { router, input, slot } in self.arrivals.iter() {
            each(self.stand(slot.packet, router, input as usize, What::Flying));
        }
        for &packet in self.home.landing.iter() {
            let (router, nowhere) = (self.packets[packet].router, self.layout.network);
            each(Stand { head: false, ..self.stand(packet, router, nowhere, What::Leaves(None)) });
        }
    }

    /// The packets in the queue of an input, of an injection queue only the front one.
    fn stands_in(&self, at: &Local<'_, W, NI, NO>, input: usize, each: &mut dyn FnMut(Stand)) {
        let of = at.state.at(input);
        let what = self.doing(at, input);
        let head = !matches!(what, What::Leaves(_));
        each(Stand { head, ..self.stand(of.slot.packet, at.router, input, what) });
        if input < self.layout.network {
            let behind = What::Behind(self.name(of.slot.packet));
            for position in 1..of.count {
                let queued = &self.queues[self.place(at.router, input, of.front.wrapping_add(position))];
                let stand = self.stand(queued.slot.packet, at.router, input, behind);
                each(Stand { position: position.into(), ..stand });
            }
        }
    }

    fn stand(&self, packet: u32, router: u32, input: usize, what: What) -> Stand {
        let input = self.layout.name(input).map(|(port, channel)| (port, channel.into()));
        Stand::of(&self.packets[packet], router, input, what)
    }

    pub(super) fn name(&self, packet: u32) -> Name {
        Name::of(&self.packets[packet])
    }

    /// What the packet at the front of an input does.
    fn doing(&self, at: &Local<'_, W, NI, NO>, input: usize) -> What {
        let state = at.state;
        if !state.waiting.get().has(input) {
            let channel = usize::from(state.at(input).channel);
            let port = (!state.ejects(input)).then(|| self.layout.port_of(channel) as u8);
            if at.sending.has(input) {
                return What::Leaves(port);
            }
            let holds = state.held.get().each().any(|c| usize::from(state.at(c).holder) == input);
            return if holds { self.busy(at, port, |i| self.sends_to(at, i, port)) } else { What::Routing };
        }
        match (at.held_back.has(input), state.ejects(input)) {
            (true, _) => What::Admission,
            (_, true) => self.busy(at, None, |i| state.ejects(i) && state.at(i).channel == state.at(input).channel),
            _ => self.what_keeps(at, input),
        }
    }

    /// An output that the first sending input for which `uses` holds keeps busy, or whose turn will come.
    fn busy(&self, at: &Local<'_, W, NI, NO>, port: Option<u8>, uses: impl Fn(usize) -> bool) -> What {
        match at.sending.each().find(|&input| uses(input)) {
            Some(user) => What::Output(port, self.name(at.state.at(user).slot.packet)),
            None => What::Turn(port),
        }
    }

    fn sends_to(&self, at: &Local<'_, W, NI, NO>, input: usize, port: Option<u8>) -> bool {
        !at.state.ejects(input) && Some(self.layout.port_of(usize::from(at.state.at(input).channel)) as u8) == port
    }

    /// What keeps a head that asks for channels between routers: all of them are held, none of those that fit is open, or none
    /// fits.
    fn what_keeps(&self, at: &Local<'_, W, NI, NO>, input: usize) -> What {
        let (state, l, begin) = (at.state, &self.layout, at.state.first(input));
        let fit = self.fitting(state, &at.fits, input);
        let (candidates, open) = (state.candidates(input), state.window(state.open, input));
        let fits = fit.preferred | fit.fallback;
        let first = |channels: u64, preferred: u64| {
            let preferred = channels & preferred;
            l.port_of(begin + if preferred != 0 { preferred } else { channels }.trailing_zeros() as usize)
        };
        let preferred = state.preferred(input);
        if fits & open != 0 {
            return What::Turn(Some(first(fits & open, preferred) as u8));
        }
        let closed = if candidates & open == 0 { candidates } else { fits };
        if closed == 0 {
            let port = first(candidates, preferred);
            let channels = candidates >> (port * l.channels - begin) & ones_below(l.channels);
            let room = |channel: usize| state.credits[port * l.channels + channel].max(0);
            let (channels, room) = (channels as u16, ones(channels).map(room).max().unwrap_or(0));
            return What::Room { port: port as u8, channels, flits: room as u32 };
        }
        if self.by_channel {
            let ports = ones(closed).fold(0, |mask, c| mask | 1 << l.port_of(begin + c));
            return What::Channel { ports, free: false };
        }
        let port = Some(first(closed, preferred) as u8);
        self.busy(at, port, |i| self.sends_to(at, i, port))
    }
}
