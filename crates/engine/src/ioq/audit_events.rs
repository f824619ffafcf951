//! Whatever is known to happen happens once, to those who wait for it.

use super::audit::expect;
use super::events::Ripe;
use super::fabric::Fabric;
use super::layout::NODE;
use super::mechanisms::Mechanisms;
use super::notices::By;
use super::shape::Shape;
use crate::outcome::AuditError;
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
        let mut flying = vec![0usize; self.layout.outs];
        self.events.control.iter().filter(|control| control.credits == 0).for_each(|c| flying[c.at as usize] += 1);
        for (link, &flying) in flying.iter().enumerate() {
            let led = self.notices.makers(link).all(|by| self.leads_on(link, by));
            let known = self.notices.flying(link).count();
            expect(led && known == flying, || format!("link {link}: {flying} notices arrive, {known} were sent"))?;
        }
        Ok(())
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
