//! Room behind channels: what is known of it upstream is so, and what is to come back comes when flits leave.

use super::audit_places::Leaving;
use super::fabric::Fabric;
use super::hot::Hot;
use super::mechanisms::Mechanisms;
use super::returns::{Credit, Ramp};
use super::tables::Id;
use crate::mask::Set;
use crate::outcome::{AuditError, expect};
use std::collections::BTreeSet;
use tailback_base::bits::ones;

/// Events of credits: when, to whom, and flits, or 0 where somebody looks for room.
type Due = BTreeSet<(u64, Credit)>;

impl<M: Mechanisms, R: Hot> Fabric<'_, M, R> {
    /// Credits come back as the packets `leaving` do, and outputs know of the room that there is.
    pub(super) fn audit_returns(&self, leaving: &Leaving) -> Result<(), AuditError> {
        let mut due: Due = self.returns.due(self.cycle).collect();
        self.audit_outputs(&due)?;
        if self.returns.whole_at_tail() {
            return expect(due.is_empty(), || "credits come back that came with tails".to_owned());
        }
        for (&(router, input), &(tail, output)) in
            leaving.iter().filter(|((_, input), _)| *input < self.layout.network_inputs)
        {
            let at = self.routers.id(router);
            let flits = self.length(self.front(at, input).packet);
            let (upstream, port, channel) = self.feeding::<false>(at, input);
            let period = if output < self.layout.ports { self.peers.period(at, output) } else { 1 };
            let credit = Credit { router: upstream.get(), port, channel, flits, period };
            let back = self.returns.back(tail, flits, period);
            let right = match back >= self.cycle {
                true => due.remove(&(back, credit)),
                false => self.returns.has_ramp(upstream, port, channel, Ramp { since: back, length: flits, period }),
            };
            expect(right, || format!("router {router}, input {input}: credits do not come back when flits leave"))?;
        }
        // Of packets whose tails have left.
        let past = due.iter().filter(|(_, credit)| credit.flits > 0);
        let mut times = past.map(|&(at, credit)| (at, self.returns.back(self.cycle, credit.flits, credit.period)));
        expect(times.all(|(at, first)| at < first), || "credits come back later than they can".to_owned())
    }

    /// Every output knows of its room, and of who could go there.
    fn audit_outputs(&self, due: &Due) -> Result<(), AuditError> {
        let Some(before) = self.cycle.checked_sub(1) else { return Ok(()) };
        for router in self.routers.ids() {
            for port in (0..self.layout.ports).filter(|&port| self.network.ahead(router.get(), port).is_some()) {
                for channel in 0..self.layout.channels {
                    let (free, shortest) = (self.free(router, port, channel, before), i32::from(self.shortest));
                    let room = self.routers.at(router).room(port) >> channel & 1 == 1;
                    let looks = room || self.is_looked_for(due, router, (port, channel), before);
                    expect(room == (free >= shortest) && looks, || {
                        format!(
                            "router {}, port {port}, channel {channel}: {free} flits free, room {room}",
                            router.get()
                        )
                    })?;
                }
            }
            for output in 0..self.layout.outputs as usize {
                let state = self.routers.at(router);
                let open = state.is_idle(output) && state.usable(output) != 0;
                let awake = state.is_ready(output) && self.active.has(router);
                let right = awake || !open || self.fits_nobody(before, router, output);
                expect(right, || format!("router {}, output {output}: nobody looks who could go there", router.get()))?;
            }
        }
        Ok(())
    }

    /// Whether somebody looks for room behind a channel in the cycle in which there will be some.
    fn is_looked_for(&self, due: &Due, router: Id, (port, channel): (usize, usize), before: u64) -> bool {
        let free = self.free(router, port, channel, before);
        let more = (i32::from(self.shortest) - free).max(0) as u32;
        let Some(then) = self.returns.rises_by(router, port, channel, before, more) else { return true };
        let credit = |flits: u32, period: u32| Credit { router: router.get(), port, channel, flits, period };
        due.range((then, credit(0, 0))..=(then, credit(u32::MAX, u32::MAX))).next().is_some()
    }

    /// Whether no packet that wants an output has room there, of several lengths, and none will have before something happens.
    fn fits_nobody(&self, before: u64, router: Id, output: usize) -> bool {
        let mixed = self.flits == 0 && output < self.layout.ports;
        let rises = |channel: usize| self.returns.rises(router, output, channel, before);
        mixed
            && self.fitting(before, router, output).is_empty()
            && !ones(self.routers.at(router).usable(output)).any(rises)
    }

    /// Flits in every buffer are those of the packets there, once those that move have moved.
    pub(super) fn audit_levels(&self) -> Result<(), AuditError> {
        let Some(occupancy) = &self.occupancy else { return Ok(()) };
        let (settled, l) = (occupancy.settled(self.cycle), &self.layout);
        let index = |router: Id, input: usize| {
            let (port, channel) = l.lane::<R>(input);
            occupancy.index(router.get(), port.into(), channel.into())
        };
        let mut due = vec![0i64; settled.len()];
        for arrival in self.arrivals.iter() {
            due[index(arrival.router, arrival.input as usize)] += i64::from(self.length(arrival.slot.packet));
        }
        for router in self.routers.ids() {
            for input in 0..l.network_inputs {
                let leaves = usize::from(!self.routers.at(router).asks(input));
                let stay = self.queued(router, input).into_iter().skip(leaves);
                due[index(router, input)] += stay.map(|packet| i64::from(self.length(packet))).sum::<i64>();
            }
        }
        expect(settled == due, || "buffers are not as full as they are said to be".to_owned())
    }
}
