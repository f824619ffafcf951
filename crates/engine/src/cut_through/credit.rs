//! Credits: free flits of the buffer downstream, as the router upstream knows them.
//!
//! A packet's flits leave one a cycle, so the credits that come back while it leaves are a ramp known from its grant.
//! Where packets have one length and buffers hold a whole number of them only the top of the ramp matters, and a credit
//! is one addition a packet. Otherwise the ramp itself is kept: the free flits in the router's state, plus one for every
//! cycle since `since`, up to `length`.

use super::compact::Inputs;
use super::fabric::Fabric;
use super::share::What;
use super::tables::Id;
use super::{Mechanisms, Router};
use crate::wheel::Wheel;
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, ensure};
use tailback_network::Grid;

/// Credits of a channel that come back flit by flit.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Ramp {
    since: u64,
    length: u32,
}

tailback_base::plain!(Ramp);

impl Ramp {
    /// Flits that are back by cycle `now`.
    #[inline]
    fn height(&self, now: u64) -> u32 {
        if self.length == 0 { 0 } else { (now + 1 - self.since).min(u64::from(self.length)) as u32 }
    }
}

/// What happens to a channel's credits in some later cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Event {
    router: Id,
    port: u8,
    channel: u8,
    /// Flits: of a whole packet (whole credits), or of a packet that has begun to leave (ramps); 0: look for room.
    flits: u32,
}

/// Credits that come back, for the audit; of no flits: somebody looks for room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Credit {
    pub router: u32,
    pub port: usize,
    pub channel: usize,
    pub flits: u32,
}

tailback_base::state!([] Event { saved: router, port, channel, flits; });

/// Credits on their way back.
#[derive(Clone, Debug)]
pub(crate) struct Returns {
    /// One a channel of every router, or none when only whole packets count.
    ramps: Vec<Ramp>,
    channels: usize,
    stride: usize,
    events: Wheel<Event>,
    delay: u64,
    whole_at_tail: bool,
}

tailback_base::state!([] Returns { saved: ramps, events; rebuilt: channels, stride, delay, whole_at_tail; });

impl Returns {
    /// `lengths`: of the shortest packet and the longest; `stride`: ramps a router; `cut`: credits come from other parts of the
    /// network, too.
    pub(super) fn new(grid: &Grid, config: &Router, lengths: (u32, u32), stride: usize, cut: bool) -> Self {
        let (shortest, longest) = lengths;
        let whole = shortest == longest && config.buffer_flits.is_multiple_of(shortest);
        let delay = u64::from(config.credit_cycles);
        let channels = grid.routers() * grid.ports() * config.channels as usize;
        let bound = match (whole, delay) {
            (true, 1) if !cut => 0,
            (true, _) => channels * (2 + delay as usize / shortest as usize),
            // A notice a departing packet, a look a notice and a look a grant.
            (false, _) => channels * 3 * (2 + (delay as usize + longest as usize) / shortest as usize),
        };
        Returns {
            ramps: if whole { Vec::new() } else { vec![Ramp::default(); grid.routers() * stride] },
            channels: config.channels as usize,
            stride,
            events: Wheel::new(delay + u64::from(longest), bound),
            delay,
            whole_at_tail: whole && delay == 1,
        }
    }

    /// That credits come back to ports and channels of a router with so many ports, and those of a ramp have begun to by `now`.
    pub(super) fn fit(&self, ports: usize, longest: u32, now: u64) -> Result<(), Unfit> {
        let there =
            |e: &Event| usize::from(e.port) < ports && usize::from(e.channel) < self.channels && e.flits <= longest;
        ensure(self.events.iter().all(there), "credits come back to nobody")?;
        let begun = |ramp: &Ramp| ramp.length == 0 || ramp.since <= now && ramp.length <= longest;
        ensure(self.ramps.iter().all(begun), "credits come back faster than flits leave")
    }

    /// Whether credits come back by whole packets.
    #[inline]
    pub(super) fn whole(&self) -> bool {
        self.ramps.is_empty()
    }

    /// Whether a packet's credits come back in the very cycle in which its tail has left.
    #[inline]
    pub(super) fn whole_at_tail(&self) -> bool {
        self.whole_at_tail
    }

    #[inline]
    fn at(&self, router: Id, port: usize, channel: usize) -> usize {
        router.get() as usize * self.stride + port * self.channels + channel
    }

    fn ramp(&self, router: Id, port: usize, channel: usize) -> Ramp {
        self.ramps.get(self.at(router, port, channel)).copied().unwrap_or_default()
    }

    /// Whether more flits of a channel will be free in the cycle after `now` without another event.
    #[inline]
    pub(super) fn rises(&self, router: Id, port: usize, channel: usize, now: u64) -> bool {
        let ramp = self.ramp(router, port, channel);
        ramp.height(now) < ramp.length
    }

    /// Flits of the current ramp, back or not, for the audit.
    pub(super) fn promised(&self, router: Id, port: usize, channel: usize) -> i64 {
        i64::from(self.ramp(router, port, channel).length)
    }

    /// Credits announced for later cycles, as (router, port, channel, flits).
    pub(super) fn outstanding(&self) -> impl Iterator<Item = (u32, usize, usize, u32)> + '_ {
        self.events.iter().map(|e| (e.router.get(), usize::from(e.port), usize::from(e.channel), e.flits))
    }

    /// The same with the cycles in which they are due, from `now` on.
    pub(super) fn due(&self, now: u64) -> impl Iterator<Item = (u64, Credit)> + '_ {
        let credit = |e: &Event| Credit {
            router: e.router.get(),
            port: usize::from(e.port),
            channel: usize::from(e.channel),
            flits: e.flits,
        };
        self.events.iter_from(now).map(move |(at, event)| (at, credit(event)))
    }

    /// When the credits of a packet come back, or begin to, whose tail leaves in cycle `tail`.
    pub(super) fn back(&self, tail: u64, flits: u32) -> u64 {
        let lag = if self.whole() { 1 } else { u64::from(flits) };
        (tail + self.delay).saturating_sub(lag)
    }

    /// Whether the credits of a channel come back flit by flit since such a cycle, so many.
    pub(super) fn has_ramp(&self, router: Id, port: usize, channel: usize, (since, length): (u64, u32)) -> bool {
        let ramp = self.ramp(router, port, channel);
        !self.whole() && (ramp.since, ramp.length) == (since, length)
    }

    /// Whether more flits of a channel come back after cycle `then`.
    pub(super) fn rises_until(&self, router: Id, port: usize, channel: usize, then: u64) -> bool {
        let ramp = self.ramp(router, port, channel);
        then < ramp.since + u64::from(ramp.length)
    }

    /// Takes over the ramps of a router's channels.
    pub(super) fn take_ramps(&mut self, from: &Self, router: Id) {
        if !self.whole() {
            let of_router = router.get() as usize * self.stride..(router.get() as usize + 1) * self.stride;
            self.ramps[of_router.clone()].copy_from_slice(&from.ramps[of_router]);
        }
    }

    /// Takes over the credits on their way. Those that a tail brings with it were told ahead, and come with the tail.
    pub(super) fn take_events(&mut self, from: &Self, now: u64) {
        if !self.whole_at_tail {
            from.events.iter_from(now).for_each(|(then, &event)| self.events.push(then, event));
        }
    }

    /// Whether any credit is still on its way.
    pub(super) fn any_outstanding(&self) -> bool {
        self.events.pending() > 0
    }
}

impl<M: Mechanisms, W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize>
    Fabric<'_, M, W, NI, NO, NP, NV>
{
    /// Free flits of a channel in cycle `now`; negative while packets were granted against a ramp still coming.
    #[inline]
    pub(super) fn free(&self, router: Id, port: usize, channel: usize, now: u64) -> i32 {
        let base = i32::from(self.routers.at(router).credits(port, channel));
        if self.returns.whole() { base } else { base + self.returns.ramp(router, port, channel).height(now) as i32 }
    }

    /// The channel upstream that feeds a network input.
    #[inline(always)]
    pub(super) fn feeding(&self, router: Id, input: usize) -> (Id, usize, usize) {
        let (port, channel) = (self.layout.port_of[input & 63], self.layout.channel_of[input & 63]);
        (self.peers.upstream(router, usize::from(port)), usize::from(port), usize::from(channel))
    }

    #[inline]
    fn add_credits(&mut self, router: Id, port: usize, channel: usize, flits: u32) {
        self.routers.at_mut(router).add_credits(port, channel, flits as i16);
    }

    /// A whole packet's credits come back to the channel of `upstream` that feeds `input`, now.
    #[inline(always)]
    pub(super) fn credit_whole(&mut self, upstream: Id, input: usize, flits: u32) {
        let l = &self.layout;
        let (port, channel) = (usize::from(l.port_of[input & 63]), usize::from(l.channel_of[input & 63]));
        let state = self.routers.at_mut(upstream);
        state.add_credits(port, channel, flits as i16);
        state.add_room(port, channel);
        let ready = state.wake(port);
        self.active.insert_if(upstream, ready);
    }

    /// A packet begins to leave `input` now.
    pub(super) fn credit_departure(&mut self, now: u64, router: Id, input: usize, flits: u32) {
        let (upstream, port, channel) = self.feeding(router, input);
        let lag = if self.returns.whole() { u64::from(flits) - 1 } else { 0 };
        let event = Event { router: upstream, port: port as u8, channel: channel as u8, flits };
        let then = now + self.returns.delay + lag;
        if self.share.owns(upstream) {
            self.returns.events.push(then, event);
        } else {
            self.post_credit(then, event);
        }
    }

    /// A packet begins to leave `input` now, and its credits will be back upstream in the cycle in which its tail has left:
    /// told now where another part of the network has to know in time.
    pub(super) fn credit_ahead(&mut self, now: u64, router: Id, input: usize, flits: u32) {
        let (upstream, port, channel) = self.feeding(router, input);
        if !self.share.owns(upstream) {
            let event = Event { router: upstream, port: port as u8, channel: channel as u8, flits };
            self.post_credit(now + u64::from(flits), event);
        }
    }

    fn post_credit(&mut self, then: u64, event: Event) {
        let Event { router, port, channel, flits } = event;
        self.share.post(router, then, What::Credit { port, channel, flits });
    }

    /// Credits of another part of the network come back in cycle `then`.
    pub(super) fn credit_from_afar(&mut self, then: u64, router: Id, port: u8, channel: u8, flits: u32) {
        self.returns.events.push(then, Event { router, port, channel, flits });
    }

    /// Credits that are due in cycle `now`.
    #[inline(always)]
    pub(super) fn return_credits(&mut self, now: u64) {
        if self.returns.events.pending() == 0 {
            return;
        }
        let mut cursor = self.returns.events.open(now);
        while let Some(event) = self.returns.events.take(&mut cursor) {
            let (router, port, channel) = (event.router, usize::from(event.port), usize::from(event.channel));
            if self.returns.whole() {
                self.add_credits(router, port, channel, event.flits);
            } else if event.flits > 0 {
                // The packet before it has left completely: one packet at a time leaves a buffer.
                let at = self.returns.at(router, port, channel);
                let before = std::mem::replace(&mut self.returns.ramps[at], Ramp { since: now, length: event.flits });
                self.add_credits(router, port, channel, before.length);
            }
            self.look_for_room(now, router, port, channel);
        }
    }

    /// Sets the room bit of a channel if there is room; otherwise plans to look when its ramp will be high enough.
    pub(super) fn look_for_room(&mut self, now: u64, router: Id, port: usize, channel: usize) {
        let free = self.free(router, port, channel, now);
        if free >= i32::from(self.shortest) {
            self.has_room(router, port, channel);
        } else if !self.returns.whole() {
            let then = now + (i32::from(self.shortest) - free) as u64;
            let ramp = self.returns.ramp(router, port, channel);
            if then < ramp.since + u64::from(ramp.length) {
                let look = Event { router, port: port as u8, channel: channel as u8, flits: 0 };
                self.returns.events.push(then, look);
            }
        }
    }

    #[inline]
    fn has_room(&mut self, router: Id, port: usize, channel: usize) {
        let state = self.routers.at_mut(router);
        state.add_room(port, channel);
        let ready = state.wake(port);
        self.active.insert_if(router, ready);
    }
}
