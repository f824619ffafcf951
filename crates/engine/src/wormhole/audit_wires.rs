//! Who has something to do is visited for it, and sources have made what they must.

use super::fabric::Fabric;
use super::lanes::{LANES, Mask, lane};
use super::mechanisms::Mechanisms;
use crate::outcome::{AuditError, expect};

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Flits and credits on their way, and what blocks have set themselves, are heard of when they are due.
    pub(super) fn audit_wires(&self) -> Result<(), AuditError> {
        let (common, wires) = (&self.common, &self.common.wires);
        let slots = common.config.slots(common.layout.link_cycles) as u64;
        for (block, ahead) in (0..self.blocks.len()).flat_map(|block| (0..slots).map(move |ahead| (block, ahead))) {
            let then = wires.moment(common.cycle + ahead);
            let right = wires.is_sent(then, block, common.layout.links) && !wires.sleeps_through(then, block);
            expect(right, || format!("block {block}, {ahead} cycles ahead: nobody looks at what is due"))?;
        }
        let delays = [common.config.flit_cycles(common.layout.link_cycles), common.config.credit_return_cycles()];
        for (block, delay) in (0..self.blocks.len()).flat_map(|block| delays.map(|delay| (block, delay))) {
            for ago in 1..=delay.min(common.cycle) {
                let (sent, due) = (wires.moment(common.cycle - ago), wires.moment(common.cycle - ago + delay));
                let mut all = common.neighbours[block].iter();
                let heard = !wires.has_written(sent, block) || all.all(|&some| wires.are_awake(due, some));
                expect(heard, || format!("block {block}: nobody hears of what it sent {ago} cycles ago"))?;
            }
        }
        self.audit_sooner()?;
        if !common.lane {
            return Ok(());
        }
        let waiting = |router: usize| common.waiting.contains(router) || self.stranded(router as u32) == 0;
        let attempts = common.attempts.iter().all(|&attempts| u64::from(attempts) <= common.cycle);
        let known = attempts && (0..common.network.routers()).all(waiting);
        expect(known, || "recovery does not know who waits".to_owned())
    }

    /// Flits on links that are shorter than the longest are heard of.
    fn audit_sooner(&self) -> Result<(), AuditError> {
        let (common, wires) = (&self.common, &self.common.wires);
        for block in 0..self.blocks.len() {
            for &(some, cycles) in common.links.sooner(block) {
                let heard = (1..=cycles.min(common.cycle)).all(|ago| {
                    let (sent, due) = (wires.moment(common.cycle - ago), wires.moment(common.cycle - ago + cycles));
                    !wires.has_written(sent, block) || wires.are_awake(due, some)
                });
                expect(heard, || format!("block {block}: nobody hears of what it sent over a short link"))?;
            }
        }
        Ok(())
    }

    fn stranded(&self, router: u32) -> u64 {
        self.common.stranded(&self.blocks[router as usize / LANES], router)
    }

    /// Every source stands behind the packet that it has made last, and every injection channel is free or has one packet.
    pub(super) fn audit_sources(&self) -> Result<(), AuditError> {
        let (common, l) = (&self.common, &self.common.layout);
        let busy = |node: usize| {
            let router = common.network.router_of(node as u32);
            let local = common.seat(router, node as u32);
            let fronted = self.blocks[router as usize / LANES].fronted[lane(router)].get();
            let first = l.network + local * l.injection;
            let own = |channel: usize| {
                let there = fronted >> (first + channel) & 1 == 1;
                let block = &self.blocks[router as usize / LANES];
                there && common.packet(block, router, first + channel).source as usize == node
            };
            (
                fronted >> first & u64::MAX >> (64 - l.injection),
                (0..l.injection).filter(|&channel| own(channel)).count(),
            )
        };
        let started = common.sources.audit(common.cycle, busy).map_err(AuditError)?;
        let counted = common.counters.started;
        expect(counted == started, || format!("{started} packets have come to the front, the counters say {counted}"))
    }
}
