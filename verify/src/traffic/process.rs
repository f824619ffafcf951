//! When a node makes messages, cycle by cycle.

use super::timeline::Timeline;
use super::{Config, Process};
use tailback_base::rng::{Purpose, draw, draw_u64, high_u64, low_u64, unit};

/// A node's generator, between two messages.
pub struct Walker<'a> {
    config: &'a Config,
    timeline: &'a Timeline,
    node: u32,
    /// The first cycle in which a message may be made.
    clock: u64,
    /// Draws made so far.
    draws: u64,
    /// Periodic: units that must be asked for before the next message.
    missing: u64,
    /// On-off: the first cycle after the latest burst drawn.
    burst_end: u64,
}

impl<'a> Walker<'a> {
    /// Before cycle 0.
    pub fn new(config: &'a Config, timeline: &'a Timeline, node: u32) -> Self {
        let mut walker = Walker { config, timeline, node, clock: 0, draws: 0, missing: 0, burst_end: 0 };
        match config.process {
            Process::Bernoulli | Process::Periodic { random: false } => {}
            Process::Periodic { random: true } => {
                let bits = u128::from(draw_u64(config.seed, Purpose::Phase, node, 0));
                walker.missing = ((bits * u128::from(walker.units_per_message())) >> 64) as u64;
            }
            Process::OnOff { on, off } => walker.draw_state(on / (on + off)),
        }
        walker
    }

    /// The cycle of the next message, if that is before `cycles`.
    pub fn next(&mut self, cycles: u64) -> Option<u64> {
        match self.config.process {
            Process::Bernoulli => self.candidates(1.0, cycles),
            Process::Periodic { .. } => (self.clock..cycles).find(|_| self.tick()),
            Process::OnOff { on, off } => self.next_in_bursts((on, off), cycles),
        }
    }

    /// Moves on to `to` as if the messages until then were made and thrown away.
    pub fn skip(&mut self, to: u64) {
        match self.config.process {
            Process::Bernoulli => {}
            Process::Periodic { .. } => {
                while self.clock < to {
                    self.tick();
                }
            }
            Process::OnOff { on, off } => {
                self.clock = to;
                self.forget_burst(on, off);
            }
        }
        self.clock = to;
    }

    /// No message is made before `until`; the gap to the next begins there.
    pub fn stall(&mut self, until: u64) {
        if until <= self.clock {
            return;
        }
        self.clock = until;
        if let Process::Periodic { .. } = self.config.process {
            // As if the message before had been made in the cycle before.
            self.missing = self.units_per_message().saturating_sub(self.timeline.units(until - 1));
        }
    }

    fn units_per_message(&self) -> u64 {
        Timeline::units_of(self.config.sizes.mean())
    }

    /// Periodic: one cycle passes; whether a message is made in it.
    fn tick(&mut self) -> bool {
        let asked = self.timeline.units(self.clock);
        self.clock += 1;
        let due = asked > self.missing;
        let owed = if due { self.missing + self.units_per_message() } else { self.missing };
        // One message a cycle is the most: what is asked for beyond that is asked for in vain.
        self.missing = owed.saturating_sub(asked);
        due
    }

    /// Two numbers of the node's next draw.
    fn draw(&mut self, purpose: Purpose) -> (f64, f64) {
        let bits = draw(self.config.seed, purpose, self.node, self.draws);
        self.draws += 1;
        (unit(low_u64(bits)), unit(high_u64(bits)))
    }

    /// Bernoulli, at `scale` times the load: the next message before `cycles`. A message is made in the first cycle in which
    /// the chance that none has been made falls below a number that is drawn once.
    fn candidates(&mut self, scale: f64, cycles: u64) -> Option<u64> {
        // Nothing is drawn for a time that is over.
        while self.clock < cycles {
            let (drawn, kept) = self.draw(Purpose::Gap);
            let mut none_so_far = 1.0;
            let cycle = (self.clock..cycles).find(|&cycle| {
                let probability = self.timeline.at(cycle).map_or(0.0, |place| self.probability(place.load, scale));
                none_so_far *= 1.0 - probability.min(1.0);
                none_so_far < drawn
            })?;
            self.clock = cycle + 1;
            let place = self.timeline.at(cycle).expect("where there is no phase no message is made");
            let Some(share) = place.rising else { return Some(cycle) };
            // While the load rises candidates come at its peak, and so many of them are kept as the load of their cycle says.
            let peak = self.probability(place.load, scale);
            if kept * peak.min(1.0) < peak * share {
                return Some(cycle);
            }
        }
        None
    }

    fn probability(&self, load: f64, scale: f64) -> f64 {
        load * scale / self.config.sizes.mean()
    }

    fn next_in_bursts(&mut self, (on, off): (f64, f64), cycles: u64) -> Option<u64> {
        loop {
            let busy = (self.clock..cycles).find(|&t| self.timeline.at(t).is_some_and(|place| place.load > 0.0))?;
            if busy > self.clock {
                self.skip(busy);
            }
            if self.clock < self.burst_end {
                let burst_end = self.burst_end;
                match self.candidates((on + off) / on, burst_end.min(cycles)) {
                    Some(cycle) => return Some(cycle),
                    None => self.clock = burst_end,
                }
            } else {
                let (silence, burst) = self.draw(Purpose::Burst);
                let begin = self.burst_end + 1 + failures(silence, 1.0 / off);
                self.burst_end = begin + 1 + failures(burst, 1.0 / on);
                self.clock = self.clock.max(begin);
            }
        }
    }

    /// On-off: draws whether there is a burst now, and its end.
    fn draw_state(&mut self, probability: f64) {
        let Process::OnOff { on, .. } = self.config.process else { return };
        let (is_on, rest) = self.draw(Purpose::Burst);
        let length = if is_on < probability { 1 + failures(rest, 1.0 / on) } else { 0 };
        self.burst_end = self.clock + length;
    }

    /// On-off, after a time that was not looked at: a burst that lasted until now goes on; else the state is drawn anew. The
    /// chance of a burst was 0 in the cycle after the last one; from cycle to cycle one begins or ends.
    fn forget_burst(&mut self, on: f64, off: f64) {
        if self.burst_end < self.clock {
            let chance =
                (self.burst_end..self.clock).fold(0.0, |chance, _| chance * (1.0 - 1.0 / on) + (1.0 - chance) / off);
            self.draw_state(chance);
        }
    }
}

/// Trials that fail before the first that succeeds: the first after which the chance of no success falls below what was drawn.
fn failures(drawn: f64, success: f64) -> u64 {
    let mut none_so_far = 1.0 - success;
    let mut count = 0;
    while none_so_far >= drawn {
        none_so_far *= 1.0 - success;
        count += 1;
    }
    count
}
