//! Credits on their way back.

use super::router::Router;
use super::share::Share;
use super::tables::Id;
use crate::wheel::Wheel;
use serde::{Deserialize, Serialize};
use tailback_base::state::{Unfit, ensure};
use tailback_network::Network;

/// Credits of a channel that come back flit by flit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ramp {
    pub since: u64,
    pub length: u32,
    /// Cycles from one flit to the next.
    pub period: u32,
}

tailback_base::plain!(Ramp);

impl Ramp {
    /// Flits that are back by cycle `now`.
    #[inline]
    pub fn height(&self, now: u64) -> u32 {
        if self.length == 0 {
            return 0;
        }
        let cycles = now + 1 - self.since;
        // PERF: hardly any packet leaves by a narrow link, and a division takes long.
        let flits = if self.period == 1 { cycles } else { cycles.div_ceil(self.period.into()) };
        flits.min(u64::from(self.length)) as u32
    }
}

/// Which levels of credits somebody looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Levels {
    /// Those at which a packet more fits.
    WholePackets,
    /// All.
    EveryFlit,
}

/// What happens to a channel's credits in some later cycle.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Event {
    pub router: Id,
    pub port: u8,
    pub channel: u8,
    /// Cycles from one flit to the next.
    pub period: u16,
    /// Flits: of a whole packet (whole credits), or of a packet that has begun to leave (ramps); 0: look for room.
    pub flits: u32,
}

/// Credits that come back, for the audit; of no flits: somebody looks for room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Credit {
    pub router: u32,
    pub port: usize,
    pub channel: usize,
    pub flits: u32,
    pub period: u32,
}

tailback_base::state!([] Event { saved: router, port, channel, period, flits; });

/// Credits on their way back.
#[derive(Clone, Debug)]
pub(crate) struct Returns {
    /// One a channel of every router, or none when only whole packets count.
    pub ramps: Vec<Ramp>,
    channels: usize,
    stride: usize,
    pub events: Wheel<Event>,
    pub delay: u64,
    whole_at_tail: bool,
}

tailback_base::state!([] Returns { saved: ramps, events; rebuilt: channels, stride, delay, whole_at_tail; });

impl Returns {
    /// `lengths`: of the shortest packet and the longest; of a `share` of a network credits come from the others, too.
    pub(super) fn new(network: &Network, config: &Router, lengths: (u32, u32), share: &Share, seen: Levels) -> Self {
        let (shortest, longest) = lengths;
        let even = shortest == longest && config.buffer_flits.is_multiple_of(shortest);
        let whole = even && seen == Levels::WholePackets;
        let delay = u64::from(config.credit_cycles);
        // Where there are ramps, there is one at least.
        let stride = (network.most_ports() * config.channels as usize).max(1);
        let channels = network.routers() * network.most_ports() * config.channels as usize;
        let bound = match (whole, delay) {
            (true, 1) if !share.is_cut() => 0,
            (true, _) => channels * (2 + delay as usize / shortest as usize),
            // A notice a departing packet, a look a notice and a look a grant.
            (false, _) => channels * 3 * (2 + (delay as usize + longest as usize) / shortest as usize),
        };
        Returns {
            ramps: if whole { Vec::new() } else { vec![Ramp::default(); network.routers() * stride] },
            channels: config.channels as usize,
            stride,
            events: Wheel::new(delay + u64::from(longest) * u64::from(network.slowest_period()), bound),
            delay,
            whole_at_tail: whole && delay == 1,
        }
    }

    /// That credits come back to ports and channels of a router with so many ports, and those of a ramp have begun to by `now`.
    pub(super) fn fit(&self, ports: usize, longest: u32, now: u64) -> Result<(), Unfit> {
        let there =
            |e: &Event| usize::from(e.port) < ports && usize::from(e.channel) < self.channels && e.flits <= longest;
        ensure(self.events.iter().all(there), "credits come back to nobody")?;
        let begun = |ramp: &Ramp| ramp.length == 0 || ramp.since <= now && ramp.length <= longest && ramp.period > 0;
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
    pub fn at(&self, router: Id, port: usize, channel: usize) -> usize {
        router.get() as usize * self.stride + port * self.channels + channel
    }

    pub fn ramp(&self, router: Id, port: usize, channel: usize) -> Ramp {
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
            period: e.period.into(),
        };
        self.events.iter_from(now).map(move |(at, event)| (at, credit(event)))
    }

    /// When the credits of a packet come back, or begin to, whose tail leaves in cycle `tail`, a flit each `period` cycles before it.
    pub(super) fn back(&self, tail: u64, flits: u32, period: u32) -> u64 {
        let lag = if self.whole() { 1 } else { 1 + u64::from(flits.saturating_sub(1)) * u64::from(period) };
        (tail + self.delay).saturating_sub(lag)
    }

    /// Whether the credits of a channel come back flit by flit since such a cycle, so many.
    pub(super) fn has_ramp(&self, router: Id, port: usize, channel: usize, expected: Ramp) -> bool {
        !self.whole() && self.ramp(router, port, channel) == expected
    }

    /// The cycle in which so many flits `more` of a channel are free than in cycle `now`, where its ramp is as high by then.
    pub(super) fn rises_by(&self, router: Id, port: usize, channel: usize, now: u64, more: u32) -> Option<u64> {
        let ramp = self.ramp(router, port, channel);
        let height = (ramp.height(now) + more).max(1);
        (height <= ramp.length).then(|| ramp.since + u64::from(height - 1) * u64::from(ramp.period))
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
