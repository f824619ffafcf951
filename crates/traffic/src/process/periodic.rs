//! Periodic: a packet each time that the load has asked for one more.

use super::{Built, Process};
use crate::source::{Source, Stream};
use crate::workload::timeline::{Phase, Timeline, UNITS_PER_FLIT};
use tailback_base::rng::{self, Purpose};
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "periodic",
    summary: "one packet every (mean packet length / load) cycles, fractions carried over without drift; at most one \
        per cycle",
    paper: "self-tuned-2001 section 5",
    ideal: false,
    params: &[Param {
        name: "phase",
        kind: Kind::Choice(&[
            ("random", "each node begins at a random point of its interval"),
            ("zero", "all nodes send at cycle 0 and in step"),
        ]),
        unit: "",
        fallback: Fallback::Text("random"),
        doc: "When nodes begin.",
    }],
};

/// Builds it.
pub(super) fn build(view: View, timeline: &Timeline, mean_flits: f64) -> Built {
    let mut begin = 0;
    let mut units_of_period = 0;
    for phase in timeline.phases() {
        units_of_period += u128::from(phase.units()) * u128::from(phase.end - begin);
        begin = phase.end;
    }
    let units_per_packet = (mean_flits * UNITS_PER_FLIT).round() as u64;
    Ok(Box::new(Periodic { units_per_packet, units_of_period, random: view.text("phase") == "random" }))
}

/// `Source::state` is what must be asked for, from the source's clock on, before the cycle of the next packet: that is
/// the first cycle at whose end more than this was asked for. All in integer units of load.
struct Periodic {
    units_per_packet: u64,
    units_of_period: u128,
    random: bool,
}

impl Periodic {
    /// Moves the source behind a packet at `cycle`, `asked` having been asked for from its clock to the cycle's end.
    fn packet(&self, source: &mut Source, cycle: u64, asked: u64) -> Option<u64> {
        // More than a packet a cycle is asked for in vain. A forged state may be of any size.
        source.state = source.state.saturating_add(self.units_per_packet).saturating_sub(asked);
        source.clock = cycle + 1;
        Some(cycle)
    }

    /// What is missing at `to`, in the same phase, when the packets until then were thrown away.
    fn after_silence(&self, phase: &Phase, source: &Source, to: u64) -> u64 {
        if !phase.rises && phase.units() > self.units_per_packet {
            // A packet in every cycle; what is asked for beyond that is asked for in vain.
            let beyond = u128::from(phase.units() - self.units_per_packet) * u128::from(to - source.clock);
            return u128::from(source.state).saturating_sub(beyond) as u64;
        }
        let asked = units_between(phase, source.clock, to) as i128;
        (i128::from(source.state) - asked).rem_euclid(i128::from(self.units_per_packet)) as u64
    }

    /// Skips the whole periods of a repeated timeline that ask for less than what is missing.
    fn skip_periods(&self, period: u64, source: &mut Source) -> Option<()> {
        let periods = u128::from(source.state).checked_div(self.units_of_period)? as u64;
        source.clock = source.clock.saturating_add(period.saturating_mul(periods));
        source.state = (u128::from(source.state) % self.units_of_period) as u64;
        Some(())
    }
}

impl Process for Periodic {
    fn start(&self, stream: Stream, source: &mut Source, at: u64) {
        source.clock = at;
        source.state = 0;
        if self.random {
            let bits = rng::draw_u64(stream.seed, Purpose::Phase, stream.node, source.draws);
            source.draws += 1;
            source.state = rng::below(bits, self.units_per_packet);
        }
    }

    fn skip(&self, _stream: Stream, timeline: &Timeline, source: &mut Source, to: u64) {
        if let Some((index, _)) = timeline.locate(source.clock) {
            source.state = self.after_silence(&timeline.phases()[index], source, to);
        }
        source.clock = to;
    }

    /// As if the packet before had been made in the cycle before `until`.
    fn resume(&self, timeline: &Timeline, source: &mut Source, until: u64) {
        source.clock = until;
        source.state = self.units_per_packet.saturating_sub(units_in(timeline, until - 1));
    }

    fn next(&self, _stream: Stream, timeline: &Timeline, source: &mut Source) -> Option<u64> {
        if let Some(period) = timeline.period() {
            self.skip_periods(period, source)?;
        }
        loop {
            let (index, end) = timeline.locate(source.clock)?;
            let phase = &timeline.phases()[index];
            let (units, cycles) = (phase.units(), end - source.clock);
            let asked = |n: u64| units_between(phase, source.clock, source.clock + n);
            let quiet = if phase.rises {
                rising_quiet(phase, source.clock, source.state)
            } else {
                source.state.checked_div(units).unwrap_or(cycles).min(cycles)
            };
            if quiet < cycles {
                return self.packet(source, source.clock + quiet, asked(quiet + 1) as u64);
            }
            source.state -= asked(cycles) as u64;
            source.clock = end;
        }
    }
}

/// What `phase` asks for from `from` up to and without `to`, both in it.
fn units_between(phase: &Phase, from: u64, to: u64) -> u128 {
    let units = u128::from(phase.units());
    if phase.rises { rising_before(phase, to) - rising_before(phase, from) } else { units * u128::from(to - from) }
}

/// What the rising `phase` asks for in all cycles before `t`, rounded down as a whole so that nothing is lost or gained.
fn rising_before(phase: &Phase, t: u64) -> u128 {
    u128::from(phase.units()) * triangle(t) / u128::from(phase.end)
}

/// The sum of all cycle numbers before `t`.
fn triangle(t: u64) -> u128 {
    u128::from(t) * u128::from(t.saturating_sub(1)) / 2
}

/// Cycles of the rising `phase` from `from` on before the one at whose end more than `state` was asked for, or all.
fn rising_quiet(phase: &Phase, from: u64, state: u64) -> u64 {
    let enough = (rising_before(phase, from) + u128::from(state) + 1) * u128::from(phase.end);
    let units = u128::from(phase.units());
    first(phase.end - from, |n| units * triangle(from + n + 1) >= enough)
}

/// What is asked for in `cycle`.
fn units_in(timeline: &Timeline, cycle: u64) -> u64 {
    let phase = timeline.locate(cycle).map(|(index, _)| &timeline.phases()[index]);
    phase.map_or(0, |phase| units_between(phase, cycle, cycle + 1) as u64)
}

/// The first of `0..bound` for which `holds`, which holds from some point on; `bound` if for none.
fn first(bound: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, bound);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { high = middle } else { low = middle + 1 }
    }
    low
}
