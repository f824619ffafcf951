//! What sets and masks say is so, and nothing that could be done is overlooked.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::shape::{Row, Shape};
use super::work::{DUE, KINDS, NOTICE, OWED, PACKET};
use crate::contract::queueing::Queueing;
use crate::mask::{Mask, ones_below};
use crate::outcome::{AuditError, expect};

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Masks, and work that nobody looks at.
    pub(super) fn audit_work(&self) -> Result<(), AuditError> {
        self.audit_busy()?;
        let [asking, sending] = self.audit_parked()?;
        for side in 0..self.layout.sides {
            self.audit_asking(side, &asking)?;
            self.audit_owing(side)?;
        }
        for out in 0..self.layout.outs {
            self.audit_link(out, &sending)?;
        }
        for node in 0..self.layout.all_nodes {
            let lost = self.admittance.is_idle(node) && !self.admittance.look.contains(node) && self.could_admit(node);
            expect(!lost, || format!("node {node}: its adapter could take a packet"))?;
        }
        (0..self.crossbars.switches.len()).try_for_each(|switch| {
            let lost = !self.crossbars.look.contains(switch) && self.could_grant(switch);
            expect(!lost, || format!("switch {switch}: something could be granted"))
        })
    }

    /// What is busy falls idle some day.
    fn audit_busy(&self) -> Result<(), AuditError> {
        let ports = self.layout.ports;
        let mut idle = vec![(ones_below(ports), ones_below(ports)); self.crossbars.switches.len()];
        for crossed in self.events.crossed.iter() {
            let (switch, input) = (crossed.side as usize / ports, crossed.side as usize % ports);
            idle[switch].0 &= !(1 << input);
            idle[switch].1 &= !(1 << crossed.port);
        }
        for (switch, state) in self.crossbars.switches.iter().enumerate() {
            let known = (state.idle_inputs.get(), state.idle_outputs.get());
            expect(known == idle[switch], || format!("switch {switch}: {known:?}, not {:?}", idle[switch]))?;
        }
        let work = &self.notices.work;
        let busy = (0..self.layout.outs).filter(|&out| !work.is_idle(out)).count();
        let known = |out: usize| work.is_idle(out) != self.events.sent.contains(out);
        let sending = (0..self.layout.outs).all(|out| !work.is_sending(out) || !work.is_idle(out));
        expect(sending && (0..self.layout.outs).all(known), || format!("{busy} links are busy"))?;
        expect(busy == self.events.sent.count(), || format!("{busy} links are busy, some of them twice"))?;
        let taking = (0..self.layout.all_nodes).filter(|&node| !self.admittance.is_idle(node)).count();
        expect(taking == self.events.taken.pending(), || format!("{taking} adapters are busy"))
    }

    /// The first packets that may ask do, and no others.
    fn audit_asking(&self, side: usize, parked: &[bool]) -> Result<(), AuditError> {
        let (ports, state) = (self.layout.ports, &self.ingress[side]);
        let queues = &state.queues;
        let (switch, input) = (side / ports, side % ports);
        let said = (queues.held(), queues.deferred(), queues.set_aside());
        expect(said == (state.held.get(), state.deferred.get(), state.set_aside), || {
            format!("ingress side {side}: not {said:?}")
        })?;
        for port in 0..ports {
            let words = self.in_words();
            for (queue, list) in self.in_lists_of(side).iter().enumerate() {
                let may = |id: u32| self.pool.asks(id) < self.cycle && self.pool.port(id) == port;
                let asking = state.asks.at(port * words + queue / 64).get() >> (queue % 64) & 1 == 1;
                let parked = parked[side * self.in_stride + queue];
                expect(asking == (list.level > 0 && may(list.first) && !parked), || {
                    format!("ingress side {side}, queue {queue}, port {port}: asks is {asking}")
                })?;
            }
            for class in 0..2 {
                let askers = self.crossbars.switches[switch].askers.at(port)[class].get();
                let some = (0..words).any(|word| state.ready(port, words, word)[class] != 0);
                let wanted = self.crossbars.switches[switch].wanted[class].get() >> port & 1 == 1;
                expect(askers >> input & 1 == u64::from(some) && wanted == (askers != 0), || {
                    format!("ingress side {side}, port {port}: askers {askers:b}, wanted is {wanted}")
                })?;
            }
        }
        Ok(())
    }

    /// Whether a counter is said to be owed credits, and whether they are said to be due.
    fn owes(&self, side: usize, counter: usize) -> (bool, bool) {
        if S::SHARED {
            let kinds = self.notices.work.of(side);
            return (kinds[OWED], kinds[DUE]);
        }
        let (word, bit) = (side * self.counter_words + counter / 64, counter % 64);
        (self.owing[word] >> bit & 1 == 1, self.due[word] >> bit & 1 == 1)
    }

    /// Counters that are owed credits are known.
    fn audit_owing(&self, side: usize) -> Result<(), AuditError> {
        for counter in 0..self.counters_of(side) {
            let owed = self.owed(side, counter);
            let (owing, due) = self.owes(side, counter);
            expect(owing == (owed > 0) && due == (owed >= self.memory[side].batch), || {
                format!("ingress side {side}, counter {counter}: {owed} owed, {owing}, {due}")
            })?;
        }
        Ok(())
    }

    /// A link that is idle and is not looked at has nothing to send.
    fn audit_link(&self, out: usize, parked: &[bool]) -> Result<(), AuditError> {
        let state = &self.outs[out];
        let said = (state.queues.held(), state.queues.set_aside());
        expect(said == (state.held.get(), state.set_aside), || format!("out side {out}: not {said:?}"))?;
        for (queue, list) in self.out_lists_of(out).iter().enumerate() {
            let filled = state.filled.at(queue / 64).get() >> (queue % 64) & 1 == 1;
            expect(filled == (list.level > 0 && !parked[out * self.out_stride + queue]), || {
                format!("out side {out}, queue {queue}: {list:?}")
            })?;
        }
        let in_sides = out < self.layout.sides;
        let owes =
            |due: bool| (0..self.counters_of(out)).any(|n| if due { self.owes(out, n).1 } else { self.owes(out, n).0 });
        let mut kinds = [false; KINDS];
        kinds[NOTICE] = self.notices.waits(out);
        kinds[DUE] = in_sides && owes(true);
        kinds[PACKET] = state.is_ready();
        kinds[OWED] = in_sides && owes(false);
        let known = self.notices.work.of(out);
        expect(known == kinds, || format!("out side {out}: its link has {kinds:?} to send, not {known:?}"))?;
        let nowhere = state.to_node() && in_sides && out % self.layout.ports < self.layout.network;
        let work = kinds[NOTICE] || kinds[DUE] || kinds[OWED] || self.could_send(out);
        expect(!(nowhere && work), || format!("out side {out}: traffic over the edge of the network"))?;
        // With several counters it is the queues that know whether there are credits.
        let paid = !S::SHARED || state.to_node() || self.credits(out, 0) > 0;
        expect(self.notices.work.is_paid(out) == paid, || format!("out side {out}: its credits are not known"))?;
        let lost = work && self.notices.work.is_idle(out) && !self.notices.work.is_looked_at(out);
        expect(!lost, || format!("out side {out}: its link could send something"))
    }
}
