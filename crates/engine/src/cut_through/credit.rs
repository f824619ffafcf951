//! Credits: free flits of the buffer downstream, as the router upstream knows them.
//!
//! A packet's flits leave one a cycle, so the credits that come back while it leaves are a ramp known from its grant.
//! Where packets have one length and buffers hold a whole number of them only the top of the ramp matters, and a credit
//! is one addition a packet. Otherwise the ramp itself is kept: `base` free flits, plus one for every cycle since
//! `since`, up to `length`.

use super::{CutThrough, Layout, Mechanisms, Router};
use crate::wheel::Wheel;
use tailback_network::Grid;

/// Credits of a channel that come back flit by flit.
#[derive(Clone, Copy, Debug, Default)]
struct Ramp {
    since: u64,
    length: u32,
}

/// What happens to a channel's credits in some later cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Event {
    channel: u32,
    /// Flits: of a whole packet (whole credits), or of a packet that has begun to leave (ramps); 0: look for room.
    flits: u32,
}

/// Credits of every channel of every router, by [`Layout::channel`].
#[derive(Clone, Debug)]
pub(crate) struct Credits {
    /// Free flits; negative while packets were granted against a ramp still coming.
    base: Vec<i32>,
    /// One a channel, or none when only whole packets count.
    ramps: Vec<Ramp>,
    events: Wheel<Event>,
    delay: u64,
    shortest: i64,
}

impl Credits {
    pub(super) fn new(grid: &Grid, config: &Router, layout: Layout, shortest: u32, longest: u32) -> Self {
        let channels = grid.routers() * layout.network_inputs;
        let whole = shortest == longest && config.buffer_flits.is_multiple_of(shortest);
        let delay = u64::from(config.credit_cycles);
        let bound = match (whole, delay) {
            (true, 1) => 0,
            (true, _) => channels * (2 + delay as usize / shortest as usize),
            // A notice a departing packet, a look a notice and a look a grant.
            (false, _) => channels * 3 * (2 + (delay as usize + longest as usize) / shortest as usize),
        };
        Credits {
            base: vec![config.buffer_flits as i32; channels],
            ramps: if whole { Vec::new() } else { vec![Ramp::default(); channels] },
            events: Wheel::new(delay + u64::from(longest), bound),
            delay,
            shortest: i64::from(shortest),
        }
    }

    fn whole(&self) -> bool {
        self.ramps.is_empty()
    }

    /// Whether a packet's credits come back in the very cycle in which its tail has left.
    #[inline]
    pub(super) fn whole_at_tail(&self) -> bool {
        self.delay == 1 && self.whole()
    }

    /// Free flits of `channel` in cycle `now`.
    #[inline]
    pub(super) fn free(&self, channel: usize, now: u64) -> i64 {
        let base = i64::from(self.base[channel]);
        match self.ramps.get(channel) {
            None => base,
            Some(ramp) => base + ramp_height(ramp, now),
        }
    }

    /// Whether more flits of `channel` will be free in the cycle after `now` without another event.
    #[inline]
    pub(super) fn rises(&self, channel: usize, now: u64) -> bool {
        self.ramps.get(channel).is_some_and(|ramp| ramp_height(ramp, now) < i64::from(ramp.length))
    }

    /// Free flits once everything on its way back has come, for the audit.
    pub(super) fn settled(&self, channel: usize) -> i64 {
        i64::from(self.base[channel]) + self.ramps.get(channel).map_or(0, |r| i64::from(r.length))
    }

    /// Flits of events still to come, by channel, for the audit.
    pub(super) fn outstanding(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        self.events.iter().map(|e| (e.channel as usize, e.flits))
    }

    /// Whether any credit is still on its way.
    pub(super) fn any_outstanding(&self) -> bool {
        self.events.pending() > 0
    }
}

fn ramp_height(ramp: &Ramp, now: u64) -> i64 {
    if ramp.length == 0 {
        return 0;
    }
    (now + 1 - ramp.since).min(u64::from(ramp.length)) as i64
}

impl<M: Mechanisms> CutThrough<'_, M> {
    /// The channel upstream that feeds network input `input` of `router`.
    #[inline]
    fn feeding(&self, router: u32, input: usize) -> (u32, usize, usize) {
        let (port, channel) = self.lanes.of(input);
        (self.grid.upstream(router, usize::from(port)), usize::from(port), usize::from(channel))
    }

    /// A whole packet's credits come back to the channel that feeds `input`, now.
    #[inline]
    pub(super) fn credit_whole(&mut self, router: u32, input: usize, flits: u32) {
        let (upstream, port, channel) = self.feeding(router, input);
        let at = self.layout.channel(upstream, port, channel);
        self.credits.base[at] += flits as i32;
        self.has_room(upstream, port, channel);
    }

    /// A packet begins to leave `input` now.
    #[inline]
    pub(super) fn credit_departure(&mut self, now: u64, router: u32, input: usize, flits: u32) {
        if self.credits.whole_at_tail() {
            return;
        }
        let (upstream, port, channel) = self.feeding(router, input);
        let event = Event { channel: self.layout.channel(upstream, port, channel) as u32, flits };
        let lag = if self.credits.whole() { u64::from(flits) - 1 } else { 0 };
        self.credits.events.push(now + self.credits.delay + lag, event);
    }

    /// Credits that are due in cycle `now`.
    #[inline]
    pub(super) fn return_credits(&mut self, now: u64) {
        if self.credits.events.pending() == 0 {
            return;
        }
        let mut cursor = self.credits.events.open(now);
        while let Some(event) = self.credits.events.take(&mut cursor) {
            let at = event.channel as usize;
            if self.credits.whole() {
                self.credits.base[at] += event.flits as i32;
            } else if event.flits > 0 {
                // The packet before it has left completely: one packet at a time leaves a buffer.
                let ramp = &mut self.credits.ramps[at];
                self.credits.base[at] += ramp.length as i32;
                *ramp = Ramp { since: now, length: event.flits };
            }
            self.look_for_room(now, at);
        }
    }

    #[inline]
    pub(super) fn take_credits(&mut self, now: u64, router: u32, port: usize, channel: usize, flits: u32) {
        let at = self.layout.channel(router, port, channel);
        self.credits.base[at] -= flits as i32;
        if self.credits.free(at, now) < self.credits.shortest {
            self.outputs[self.layout.output(router, port)].room &= !(1 << channel);
            if !self.credits.whole() {
                self.look_for_room(now, at);
            }
        }
    }

    /// Sets the room bit of a channel if there is room; otherwise plans to look when its ramp will be high enough.
    fn look_for_room(&mut self, now: u64, at: usize) {
        let free = self.credits.free(at, now);
        let l = &self.layout;
        let (channel, port, router) = (at % l.channels, at / l.channels % l.ports, (at / l.channels / l.ports) as u32);
        if free >= self.credits.shortest {
            self.has_room(router, port, channel);
        } else if !self.credits.whole() {
            let missing = (self.credits.shortest - free) as u64;
            let ramp = self.credits.ramps[at];
            if now + missing < ramp.since + u64::from(ramp.length) {
                self.credits.events.push(now + missing, Event { channel: at as u32, flits: 0 });
            }
        }
    }

    #[inline]
    fn has_room(&mut self, router: u32, port: usize, channel: usize) {
        let out = &mut self.outputs[self.layout.output(router, port)];
        out.room |= 1 << channel;
        let state = &mut self.routers[router as usize];
        if out.wanted >> channel & 1 == 1 && state.idle >> port & 1 == 1 {
            state.ready |= 1 << port;
            self.active.insert(router as usize);
        }
    }
}
