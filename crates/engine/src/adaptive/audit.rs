//! Conservation, derived from scratch: every packet and every place for one is somewhere, exactly once, and every mask says
//! what the counters say.

use super::events::RouterPort;
use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::members::Members;
use super::state::{Input, KINDS, Mask, RouterState};
use crate::books::packets_are_found;
use crate::outcome::{AuditError, expect};
use std::collections::BTreeSet;

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Re-derives the books between two cycles.
    pub(super) fn audit(&self) -> Result<(), AuditError> {
        let coming = self.coming();
        for router in 0..self.routers.len() as u32 {
            self.audit_masks(router)?;
            self.audit_outputs(router)?;
            self.audit_fits(router)?;
        }
        self.audit_room(&coming)?;
        self.audit_rings(&coming)?;
        self.audit_packets()?;
        self.audit_places()?;
        self.audit_nodes()?;
        self.audit_levels()?;
        self.audit_home()?;
        self.audit_queues()
    }

    /// Packets that have been granted a buffer and have not arrived, by network input.
    pub(super) fn coming(&self) -> Vec<u32> {
        let all = self.layout.network;
        let mut coming = vec![0; self.routers.len() * all];
        for arrival in self.arrivals.iter() {
            coming[arrival.router as usize * all + arrival.input as usize] += 1;
        }
        for (router, state) in (0u32..).zip(&self.routers) {
            for channel in state.held.get().each() {
                coming[self.behind(router, channel)] += 1;
            }
        }
        coming
    }

    /// The buffer behind a channel, as an input number over the network.
    pub(super) fn behind(&self, router: u32, channel: usize) -> usize {
        let (peer, entry) = self.ahead::<false>(&self.routers[router as usize], router, channel);
        peer as usize * self.layout.network + entry
    }

    fn audit_masks(&self, router: u32) -> Result<(), AuditError> {
        let (state, l) = (&self.routers[router as usize], &self.layout);
        let check = |what: &str, holds: bool| expect(holds, || format!("router {router}: {what}: {state:?}"));
        let network = l.links::<W::Set>();
        let filled = network.that(|n| state.inputs[n].count > 0);
        check("a buffer with packets has one at its front", state.fronted.get() & network == filled)?;
        check(
            "only packets at the front wait or are consumed",
            !((state.waiting.get() | state.ejecting.get()) & !state.fronted.get()).any(),
        )?;
        check("closed channels are those of outputs held", !(state.held.get() & state.open.get()).any())?;
        check("a link that is idle has nothing to send", !(state.held.get() & state.idle.get()).any())?;
        let all = |set: W::Set, place: &RouterPort| set | W::Set::one(place.number.into());
        let ripe = self.ripe.iter().filter(|head| head.router == router).fold(W::Set::default(), all);
        check("a head that waits for its time does not ask", !(state.waiting.get() & ripe).any())?;
        let holding = state.fronted.get() & !state.waiting.get() & !ripe;
        let sent = self.tails.iter().filter(|tail| tail.router == router).fold(W::Set::default(), all);
        let holder = |set: W::Set, c: usize| set | W::Set::one(state.inputs[c].holder.into());
        let holders = state.held.get().each().fold(W::Set::default(), holder);
        let right = holding == sent | holders && !(sent & holders).any();
        check("who does not wait is sent, or waits for its link", right)?;
        let lost = self.could_ask(state, state.waiting.get() & network, &state.fits);
        check("a head that could be granted something is looked at", !lost || self.look.contains(router as usize))
    }

    /// Every output is open or held by one packet.
    fn audit_outputs(&self, router: u32) -> Result<(), AuditError> {
        let (state, l) = (&self.routers[router as usize], &self.layout);
        let [mut closed, mut ejecting, mut busy] = [W::Set::default(); 3];
        let mut holders = 0;
        let sent = self.tails.iter().filter(|tail| tail.router == router).map(|tail| usize::from(tail.number));
        for input in sent.chain(state.held.get().each().map(|c| usize::from(state.inputs[c].holder))) {
            let channel = usize::from(state.inputs[input].channel);
            expect(state.ejects(input) || channel < l.network, || {
                format!("router {router}: a packet holds no channel")
            })?;
            if state.ejects(input) {
                ejecting = ejecting | W::Set::one(channel);
            } else {
                closed = closed | l.closes(channel);
                if !state.held.get().has(channel) {
                    busy = busy | l.link(l.port_of(channel));
                }
            }
            holders += 1;
        }
        let all = l.links::<W::Set>();
        let outputs = (closed & all).each().map(|c| l.output[c]).collect::<BTreeSet<_>>();
        let pausing = self.pausing(router);
        let (ejecting_or_pausing, closed) = (ejecting | pausing.1, closed | pausing.0);
        for channel in pausing.0.each() {
            busy = busy | l.link(l.port_of(channel));
        }
        expect(
            state.open.get() == all & !closed
                && state.open_ejection == self.ejection_open(router, ejecting_or_pausing)
                && holders == outputs.len() + ejecting.size() as usize
                && state.idle.get() == if self.by_channel { all & !busy } else { all }
                && (self.by_channel || !state.held.get().any()),
            || format!("router {router}: outputs and who holds them: {state:?}"),
        )
    }

    fn audit_fits(&self, router: u32) -> Result<(), AuditError> {
        let state: &RouterState<W, NI, NO> = &self.routers[router as usize];
        let some = state.fits.iter().fold(W::Set::default(), |all, fits| all | fits.get());
        expect(some == state.some.get(), || format!("router {router}, channels that fit for some step: {state:?}"))?;
        for channel in 0..self.layout.network {
            let free = self.config.buffer_packets - u32::from(state.inputs[channel].count);
            let fits =
                |kind: usize| state.credits[channel] as u32 >= self.rules.room[kind] && free >= self.rules.own[kind];
            for kind in 0..KINDS {
                expect(state.fits[kind].get().has(channel) == fits(kind), || {
                    format!("router {router}, channel {channel}, kind of step {kind}: {state:?}")
                })?;
            }
        }
        Ok(())
    }

    /// Every place of a buffer is free as known upstream, or taken, or promised, or its credit is on the way.
    fn audit_room(&self, coming: &[u32]) -> Result<(), AuditError> {
        let all = self.layout.network;
        let mut back = vec![0u32; coming.len()];
        for credit in self.credits.iter() {
            back[credit.router as usize * all + usize::from(credit.number)] += 1;
        }
        for (router, state) in (0u32..).zip(&self.routers) {
            for channel in 0..all {
                if !self.leads(router, self.layout.port_of(channel)) {
                    continue;
                }
                let behind = self.behind(router, channel);
                let there = u32::from(self.routers[behind / all].inputs[behind % all].count);
                let packets = there + coming[behind] + back[router as usize * all + channel];
                let free = state.credits[channel] as u32;
                let flits = u64::from(packets) * u64::from(self.config.packet_flits);
                expect(
                    u64::from(free) + flits == u64::from(self.config.buffer_packets * self.config.packet_flits),
                    || {
                        format!(
                            "router {router}, channel {channel}: {free} flits free, {there} packets there, {} coming, and \
                         credits of {} are not the buffer's {} packets",
                            coming[behind],
                            back[router as usize * all + channel],
                            self.config.buffer_packets
                        )
                    },
                )?;
            }
        }
        Ok(())
    }

    /// The free packets of every ring.
    fn audit_rings(&self, coming: &[u32]) -> Result<(), AuditError> {
        let all = self.layout.network;
        let mut free = vec![0i64; self.rings.free.len()];
        if free.is_empty() {
            return Ok(());
        }
        for (n, &coming) in coming.iter().enumerate() {
            let (router, channel) = ((n / all) as u32, n % all);
            if self.network.behind(router, self.layout.port_of(channel)).is_some() {
                let taken = u32::from(self.routers[n / all].inputs[channel].count) + coming;
                free[self.rings.ring(router, channel)] += i64::from(self.config.buffer_packets) - i64::from(taken);
            }
        }
        let counted = self.rings.free.iter().map(|&free| i64::from(free));
        expect(counted.eq(free.iter().copied()), || {
            format!("free packets of rings: {:?}, not {free:?}", self.rings.free)
        })
    }

    /// Every packet known is found, and the counters agree.
    fn audit_packets(&self) -> Result<(), AuditError> {
        let mut seen: BTreeSet<u32> = self.arrivals.iter().map(|arrival| arrival.slot.packet).collect();
        seen.extend(self.home.landing.iter());
        for (router, state) in (0u32..).zip(&self.routers) {
            for input in state.fronted.get().each() {
                seen.insert(state.inputs[input].slot.packet);
            }
            for input in 0..self.layout.network {
                // The front packet is kept in the input itself.
                let Input { slot, count, front, .. } = state.inputs[input];
                let behind = (1..count).map(|n| self.place(router, input, front.wrapping_add(n)));
                let all = (count > 0).then_some(slot.packet).into_iter();
                let ids: BTreeSet<u32> = all.chain(behind.map(|place| self.queues[place].slot.packet)).collect();
                expect(ids.len() == usize::from(count), || format!("router {router}, input {input}: packets {ids:?}"))?;
                seen.extend(ids);
            }
        }
        packets_are_found(self.packets.len(), seen.len(), &self.counters)
    }

    /// Injection queues hold what they are said to hold, and nodes wait for full ones only.
    fn audit_queues(&self) -> Result<(), AuditError> {
        let (l, interface) = (&self.layout, &self.interface);
        for (n, (queue, &count)) in interface.queues.iter().zip(interface.counts()).enumerate() {
            let (node, (router, input)) = (n / l.queues, self.input_of(n));
            let fronted = self.routers[router as usize].fronted.get().has(input);
            let total = queue.waiting.len() as u32 + u32::from(fronted);
            let at_router = match interface.shared {
                Some(shared) => {
                    queue.at_router <= count
                        && queue.at_router + queue.owed <= shared.router_packets
                        && (queue.at_router > 0) == fronted
                }
                None => fronted == (count > 0) && queue.at_router == u32::from(fronted),
            };
            let full = interface.makers.stalled(node) != Some(n % l.queues) || count == interface.limit;
            expect(
                fronted == queue.fronted && total == count && count <= interface.limit && at_router && full,
                || format!("node {node}, queue {}: {count} packets, {queue:?}", n % l.queues),
            )?;
        }
        let mut owed = vec![0; interface.queues.len()];
        interface.credits.iter().for_each(|&at| owed[at as usize] += 1);
        let counted = interface.queues.iter().map(|queue| queue.owed).eq(owed);
        expect(counted, || "credits of injection queues are on no way".to_owned())?;
        let (packets, messages) = (self.counters.known(), interface.makers.messages.count());
        let waiting: usize = interface.queues.iter().map(|queue| queue.waiting.len()).sum();
        let most = packets as usize + waiting + interface.makers.unfinished();
        expect(messages <= most, || format!("{messages} messages are open, {most} could be"))
    }
}
