//! Nodes have made what they must, and every packet is one that its node has made.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::queues::NONE;
use super::shape::Shape;
use crate::books::{has_entered, waits_to_enter};
use crate::outcome::{AuditError, expect};
use crate::packet::Packet;
use std::collections::BTreeSet;

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// Nodes stand behind what they have made; packets are theirs, wherever these are.
    pub(super) fn audit_sources(&self) -> Result<(), AuditError> {
        let astray = self.makers.astray(self.cycle);
        expect(astray.is_none(), || format!("node {astray:?} does not stand behind its message"))?;
        let (mut waiting, mut right) = (0, true);
        let mut names: BTreeSet<_> = self.pool.live().map(|packet| (packet.source as usize, packet.index)).collect();
        right &= names.len() == self.pool.len();
        self.admittance.each_waiting(|node, _, made| {
            waiting += 1;
            right &= made.birth < self.cycle && made.index < self.makers.nodes[node].made;
            right &= names.insert((node, made.index));
        });
        let (started, made) = (self.counters.started, self.makers.made());
        expect(right && started.checked_add(waiting) == Some(made), || {
            format!("{made} packets were made, {waiting} wait, and {started} have come to the front")
        })?;
        let mut fronts = BTreeSet::new();
        self.admittance.each_front(|id| _ = fronts.insert(id));
        self.pool.live_ids().try_for_each(|(id, packet)| {
            let entered = match fronts.contains(&id) {
                true => waits_to_enter(packet, self.cycle),
                false => has_entered(packet, self.cycle),
            };
            expect(entered && id != NONE && self.has_made(packet), || format!("nobody has made {packet:?}"))
        })
    }

    /// Whether the source of a packet makes such packets.
    fn has_made(&self, packet: &Packet) -> bool {
        let router = self.grid.router_of(packet.source);
        let short = (packet.hops as usize) < super::longest_route(self.grid);
        short && self.makers.has_made(&self.parts.routing, router, packet, self.config.seed)
    }
}
