//! The load that a sending node is asked for, over time.

use crate::source::NEVER;

/// Loads in integers: this many units are one flit. Decimal, so that a load of 0.1 is exact and its packets keep exact
/// intervals; loads below half a unit a cycle count as none.
pub(crate) const UNITS_PER_FLIT: f64 = 1e12;

/// A stretch of time with one pattern and one load.
#[derive(Clone, Debug)]
pub(crate) struct Phase {
    /// First cycle after it, counted from the begin of the timeline; [`NEVER`] when it does not end.
    pub end: u64,
    /// Load, at the end of the phase where it rises, in flits/node/cycle.
    pub load: f64,
    /// Whether the load rises linearly from 0 at cycle 0, as `load * t / end`. Only a first phase may.
    pub rises: bool,
    /// Index of its pattern.
    pub pattern: usize,
}

impl Phase {
    /// The load in units a cycle.
    pub fn units(&self) -> u64 {
        (self.load * UNITS_PER_FLIT).round() as u64
    }
}

/// Phases one after the other, once or for ever.
#[derive(Clone, Debug)]
pub(crate) struct Timeline {
    phases: Vec<Phase>,
    repeat: bool,
    /// Whether there is one phase, which never ends: the steady workload.
    endless: bool,
}

impl Timeline {
    /// `phases` in order of time, at least one.
    pub fn once(phases: Vec<Phase>) -> Self {
        Timeline::new(phases, false)
    }

    /// The same, which begin again after the last, which must end.
    pub fn repeating(phases: Vec<Phase>) -> Self {
        Timeline::new(phases, true)
    }

    fn new(phases: Vec<Phase>, repeat: bool) -> Self {
        assert!(!phases.is_empty() && phases[1..].iter().all(|phase| !phase.rises));
        assert!(!repeat || phases.last().is_some_and(|phase| phase.end < NEVER));
        let endless = phases.len() == 1 && phases[0].end == NEVER;
        Timeline { phases, repeat, endless }
    }

    /// The same, which asks for nothing outside of the cycles `from..to`, where phases begin and end.
    pub fn within(&self, from: u64, to: u64) -> Self {
        let mut begin = 0;
        let phase = |phase: &Phase| {
            let inside = begin >= from && phase.end <= to;
            begin = phase.end;
            Phase { load: if inside { phase.load } else { 0.0 }, ..phase.clone() }
        };
        let phases = self.phases.iter().map(phase).collect();
        Timeline { phases, repeat: self.repeat, endless: self.endless }
    }

    /// The phases of one pass.
    pub fn phases(&self) -> &[Phase] {
        &self.phases
    }

    /// Cycles from one begin to the next, where the timeline repeats.
    pub fn period(&self) -> Option<u64> {
        self.repeat.then(|| self.last_end())
    }

    /// Cycles of one pass; [`NEVER`] when the last phase does not end.
    pub fn last_end(&self) -> u64 {
        self.phases.last().expect("a timeline has a phase").end
    }

    /// Whether there is one phase, which never ends.
    #[inline]
    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// The index of the phase of cycle `t`, and the first cycle after that phase. `None` after the last one.
    #[inline]
    pub fn locate(&self, t: u64) -> Option<(usize, u64)> {
        if t == NEVER {
            return None;
        }
        // PERF: asked for three times a packet (`tailback bench dor-16`).
        if self.endless {
            return Some((0, NEVER));
        }
        let begin = self.period().map_or(0, |period| t - t % period);
        let phase = self.phases.partition_point(|phase| phase.end <= t - begin);
        let end = self.phases.get(phase)?.end;
        Some((phase, if end == NEVER { NEVER } else { begin.saturating_add(end) }))
    }

    /// The first cycle from `t` on in a phase with any load.
    pub fn busy_from(&self, mut t: u64) -> Option<u64> {
        for _ in 0..=self.phases.len() {
            let (phase, end) = self.locate(t)?;
            if self.phases[phase].load > 0.0 {
                return Some(t);
            }
            t = end;
        }
        None
    }

    /// Mean load over the cycles `from..to`, in flits/cycle, each phase multiplied by the weight of its pattern.
    pub fn mean_load(&self, from: u64, to: u64, weights: &[f64]) -> f64 {
        if to <= from {
            return 0.0;
        }
        (self.flits_before(to, weights) - self.flits_before(from, weights)) / (to - from) as f64
    }

    fn flits_before(&self, t: u64, weights: &[f64]) -> f64 {
        let Some(period) = self.period() else { return self.flits_in_pass(t, weights) };
        (t / period) as f64 * self.flits_in_pass(period, weights) + self.flits_in_pass(t % period, weights)
    }

    fn flits_in_pass(&self, t: u64, weights: &[f64]) -> f64 {
        let mut begin = 0;
        let mut flits = 0.0;
        for phase in &self.phases {
            let cycles = (t.min(phase.end).saturating_sub(begin)) as f64;
            let share = if phase.rises { (cycles - 1.0).max(0.0) / 2.0 / phase.end as f64 } else { 1.0 };
            flits += cycles * share * phase.load * weights[phase.pattern];
            begin = phase.end;
        }
        flits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(end: u64, load: f64, pattern: usize) -> Phase {
        Phase { end, load, rises: false, pattern }
    }

    #[test]
    fn phases_follow_each_other() {
        let once = Timeline::once(vec![phase(10, 0.5, 0), phase(15, 0.0, 1), phase(20, 0.1, 0)]);
        assert_eq!(once.locate(9), Some((0, 10)));
        assert_eq!(once.locate(10), Some((1, 15)));
        assert_eq!(once.locate(20), None);
        assert_eq!((once.busy_from(3), once.busy_from(11), once.busy_from(20)), (Some(3), Some(15), None));
        let again = Timeline::repeating(once.phases().to_vec());
        assert_eq!(again.locate(40 + 12), Some((1, 55)));
        assert_eq!(again.locate(NEVER), None);
        assert!((again.mean_load(5, 25, &[1.0, 1.0]) - (5.0 * 0.5 + 0.5 + 5.0 * 0.5) / 20.0).abs() < 1e-12);
        assert!((again.mean_load(0, 20, &[0.5, 1.0]) - (5.0 + 0.5) / 40.0).abs() < 1e-12);
    }

    #[test]
    fn a_rising_load_is_summed_cycle_by_cycle() {
        let rising = Phase { end: 100, load: 0.3, rises: true, pattern: 0 };
        let ramp = Timeline::once(vec![rising, phase(NEVER, 0.3, 0)]);
        let naive = |from: u64, to: u64| (from..to).map(|t| 0.3 * t.min(100) as f64 / 100.0).sum::<f64>();
        for (from, to) in [(0, 1), (0, 100), (37, 81), (50, 150), (99, 101), (200, 300)] {
            let mean = ramp.mean_load(from, to, &[1.0]);
            assert!((mean - naive(from, to) / (to - from) as f64).abs() < 1e-12, "{from} {to}");
        }
        assert_eq!(ramp.mean_load(5, 5, &[1.0]), 0.0);
    }

    #[test]
    fn a_phase_without_an_end_holds_for_ever() {
        let endless = Timeline::once(vec![phase(NEVER, 0.5, 0)]);
        assert_eq!([0, 17, NEVER - 1].map(|t| endless.locate(t)), [Some((0, NEVER)); 3]);
        assert_eq!(endless.locate(NEVER), None);
    }

    #[test]
    fn a_timeline_without_load_is_never_busy() {
        assert_eq!(Timeline::repeating(vec![phase(1, 0.0, 0)]).busy_from(7), None);
    }
}
