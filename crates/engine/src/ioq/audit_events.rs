//! Whatever is known to happen happens once, to those who wait for it.

use super::events::Ripe;
use super::fabric::Fabric;
use super::layout::NODE;
use super::mechanisms::Mechanisms;
use super::notices::By;
use super::queues::NONE;
use super::shape::Shape;
use crate::contract::queueing::Queueing;
use crate::outcome::{AuditError, expect};
use std::collections::{BTreeMap, BTreeSet};

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Heads that may ask later do, notices that fly arrive, and nothing happens twice.
    pub(super) fn audit_events(&self) -> Result<(), AuditError> {
        let ports = self.layout.ports;
        let inputs: BTreeSet<u32> = self.events.crossed.iter().map(|crossed| crossed.side).collect();
        let outputs: BTreeSet<_> =
            self.events.crossed.iter().map(|c| c.switch as usize * ports + usize::from(c.port)).collect();
        let nodes: BTreeSet<u32> = self.events.taken.iter().copied().collect();
        let crossed = self.events.crossed.pending();
        let once = inputs.len() == crossed && outputs.len() == crossed && nodes.len() == self.events.taken.pending();
        let idle = nodes.iter().any(|&node| self.admittance.is_idle(node as usize));
        expect(once && !idle, || "something falls free twice".to_owned())?;
        self.audit_ripe()?;
        self.audit_times()?;
        let right = (0..self.layout.all_nodes).all(|node| self.is_refused(node));
        expect(right, || "a packet is refused admittance that is none".to_owned())?;
        let mut flying = vec![0usize; self.layout.outs];
        self.events.control.iter().filter(|control| control.credits == 0).for_each(|c| flying[c.at as usize] += 1);
        for (link, &flying) in flying.iter().enumerate() {
            let led = self.notices.makers(link).all(|by| self.leads_on(link, by));
            let known = self.notices.flying(link).count();
            expect(led && known == flying, || format!("link {link}: {flying} notices arrive, {known} were sent"))?;
        }
        Ok(())
    }

    /// Packets that are on links have been sent one after the other, the last one by a link that still sends it.
    fn audit_times(&self) -> Result<(), AuditError> {
        let (l, mut flying) = (&self.layout, vec![Vec::new(); self.layout.outs]);
        for (at, arrival) in self.events.arrivals.iter_from(self.cycle) {
            let out = self.memory[arrival.side as usize].upstream as usize;
            flying[out].push(((at + l.flits).wrapping_sub(self.link_of(out)), arrival.packet));
        }
        for (at, &packet) in self.events.deliveries.iter_from(self.cycle) {
            let (switch, port) = l.home(self.pool.packet(packet).destination);
            let out = switch * l.ports + port;
            flying[out].push((at.wrapping_sub(self.link_of(out)), packet));
        }
        for (out, flying) in flying.iter().enumerate() {
            let apart = flying.windows(2).all(|pair| pair[0].0 + l.flits <= pair[1].0);
            let sends = self.notices.work.is_sending(out).then(|| self.events.sent.due(self.cycle, out)).flatten();
            let last = match (sends, flying.last()) {
                // It is through with the packet in that cycle.
                (Some(end), Some(&last)) if last.0 >= self.cycle => last == (end, self.outs[out].packet),
                (Some(end), _) => end.wrapping_sub(l.flits) + self.link_of(out) < self.cycle,
                (None, last) => last.is_none_or(|last| last.0 < self.cycle),
            };
            let soon = sends.is_none_or(|end| end < self.cycle + l.flits);
            expect(apart && last && soon, || format!("out side {out}: {flying:?} fly, and it sends until {sends:?}"))?;
        }
        Ok(())
    }

    /// Cycles on the link of an out side.
    fn link_of(&self, out: usize) -> u64 {
        self.layout.link - u64::from(self.outs[out].sooner)
    }

    /// Whether the discipline or the throttle refuses all packets of a node that are known to be refused.
    fn is_refused(&self, node: usize) -> bool {
        let queues = &self.outs[self.layout.sides + node].queues;
        self.admittance.refused(node, queues.answers()).all(|destination| {
            let front = self.admittance.line(node, destination).front;
            front != NONE && !(queues.accepts(self.pool.route(front)) && self.may_start(node, front))
        })
    }

    /// Whether there is somebody at the other end of a link for a notice of this side.
    fn leads_on(&self, link: usize, by: By) -> bool {
        match by {
            By::Ingress => link < self.layout.sides && (self.memory[link].upstream as usize) < self.layout.outs,
            By::Out => self.outs[link].to != NODE,
        }
    }

    /// The first packets that may not ask yet do so later.
    fn audit_ripe(&self) -> Result<(), AuditError> {
        let mut due = BTreeMap::new();
        for side in 0..self.layout.sides {
            for (queue, list) in self.in_lists_of(side).iter().enumerate().filter(|(_, list)| list.level > 0) {
                let asks = self.pool.asks(list.first);
                if asks >= self.cycle {
                    due.insert((side as u32, queue as u32), asks);
                }
            }
        }
        let mut ripe = BTreeMap::new();
        for (at, &Ripe { side, queue }) in self.events.ripe.iter_from(self.cycle) {
            let before = ripe.insert((side, queue), at);
            expect(before.is_none(), || format!("ingress side {side}, queue {queue}: asks twice"))?;
        }
        expect(due == ripe, || format!("heads may ask as {ripe:?}, and have to as {due:?}"))
    }
}
