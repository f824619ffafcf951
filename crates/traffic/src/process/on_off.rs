//! On-off: bursts of random length, Bernoulli within, silence of random length between.

use super::hazard::{Hazard, Hazards};
use super::{Built, Process};
use crate::problem;
use crate::source::{NEVER, Source, Stream};
use crate::workload::timeline::Timeline;
use tailback_base::rng::{self, Purpose};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Fewer packets in a mean burst than this are refused: nearly all bursts would be empty and yet have to be drawn.
const MIN_PACKETS_PER_BURST: f64 = 1e-3;

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "on_off",
    summary: "bursts of geometric length, Bernoulli at load * (on + off) / on within, silent between; the mean is the load",
    paper: "",
    ideal: false,
    params: &[
        Param {
            name: "mean_on_cycles",
            kind: Kind::Float { min: 1.0, max: 1e9 },
            unit: "cycles",
            fallback: Fallback::Float(100.0),
            doc: "Mean length of a burst.",
        },
        Param {
            name: "mean_off_cycles",
            kind: Kind::Float { min: 1.0, max: 1e9 },
            unit: "cycles",
            fallback: Fallback::Float(300.0),
            doc: "Mean length of the silence between bursts.",
        },
    ],
};

/// Builds it; refused when a burst would need more than one packet a cycle, or would hardly ever hold one.
pub(super) fn build(view: View, timeline: &Timeline, mean_flits: f64) -> Built {
    let (on, off) = (view.float("mean_on_cycles"), view.float("mean_off_cycles"));
    let share = on / (on + off);
    let scale = 1.0 / share / mean_flits;
    for load in timeline.phases().iter().map(|phase| phase.load).filter(|&load| load > 0.0) {
        let probability = load * scale;
        if probability > 1.0 {
            let message = format!(
                "a load of {load} flits/node/cycle sent in {:.3} % of the time is {} flits a cycle, more than one packet of {mean_flits} flits in a cycle",
                share * 100.0,
                load / share
            );
            return problem("", message, Some("lower the load, or make mean_off_cycles shorter"));
        }
        if probability * on < MIN_PACKETS_PER_BURST {
            let message = format!(
                "a load of {load} flits/node/cycle is only {:e} packets in a mean burst of {on} cycles",
                probability * on
            );
            return problem("", message, Some("lengthen both means, or choose process = \"bernoulli\""));
        }
    }
    let hazards = Hazards::new(timeline, scale);
    let memory = 1.0 - 1.0 / on - 1.0 / off;
    Ok(Box::new(OnOff { hazards, on: Hazard::new(1.0 / on), off: Hazard::new(1.0 / off), share, memory }))
}

/// `base` to the power of `exponent`, by multiplications alone: the same bits on every machine.
fn power(mut base: f64, mut exponent: u64) -> f64 {
    let mut result = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    result
}

/// `Source::state` is the first cycle after the latest burst drawn.
struct OnOff {
    hazards: Hazards,
    /// The end of a burst.
    on: Hazard,
    /// The end of a silence.
    off: Hazard,
    /// Share of the time in bursts.
    share: f64,
    /// What a cycle leaves of the knowledge whether there is a burst: 1 - 1/on - 1/off.
    memory: f64,
}

impl OnOff {
    /// Draws whether there is a burst at the source's clock, which has the probability `on`, and its end.
    fn draw_state(&self, stream: Stream, source: &mut Source, on: f64) {
        let bits = rng::draw(stream.seed, Purpose::Burst, stream.node, source.draws);
        source.draws += 1;
        source.state = source.clock;
        if rng::unit(rng::low_u64(bits)) < on {
            // Geometric lengths have no memory: what is left of a burst is as long as a whole one.
            source.state = source.clock.saturating_add(1).saturating_add(self.on.gap(rng::high_u64(bits)));
        }
    }

    /// Draws the next silence and the burst after it.
    fn next_burst(&self, stream: Stream, source: &mut Source) {
        let bits = rng::draw(stream.seed, Purpose::Burst, stream.node, source.draws);
        source.draws += 1;
        let begin = source.state.saturating_add(1).saturating_add(self.off.gap(rng::low_u64(bits)));
        source.state = begin.saturating_add(1).saturating_add(self.on.gap(rng::high_u64(bits)));
        source.clock = source.clock.max(begin);
    }
}

impl Process for OnOff {
    fn start(&self, stream: Stream, source: &mut Source, at: u64) {
        source.clock = at;
        self.draw_state(stream, source, self.share);
    }

    fn skip(&self, stream: Stream, _timeline: &Timeline, source: &mut Source, to: u64) {
        source.clock = to;
        if source.state < to {
            // Silent at `state`, the cycle after the burst; the chance of a burst later comes back to its mean as a
            // power of what is left of it after one cycle.
            let left = power(self.memory, to - source.state);
            self.draw_state(stream, source, self.share * (1.0 - left));
        }
    }

    fn resume(&self, _timeline: &Timeline, source: &mut Source, until: u64) {
        source.clock = until;
    }

    fn next(&self, stream: Stream, timeline: &Timeline, source: &mut Source) -> Option<u64> {
        loop {
            let busy = timeline.busy_from(source.clock)?;
            if busy > source.clock {
                // Bursts in a long phase without load need not be drawn one by one.
                self.skip(stream, timeline, source, busy);
            }
            if source.clock >= source.state {
                self.next_burst(stream, source);
                continue;
            }
            let bits = rng::draw(stream.seed, Purpose::Gap, stream.node, source.draws);
            source.draws += 1;
            let cycle = self.hazards.next(timeline, source.clock, rng::low_u64(bits)).unwrap_or(NEVER);
            if cycle >= source.state {
                source.clock = source.state;
                continue;
            }
            source.clock = cycle + 1;
            if self.hazards.accepts(timeline, cycle, rng::high_u64(bits)) {
                return Some(cycle);
            }
        }
    }
}
