//! A run by the rule of periods.

use super::Runner;
use tailback_cycle::Simulated;
use tailback_probes::periods::{Block, Next};
use tailback_probes::{PeriodStats, Watch};
use tailback_traffic::Periods;

/// Cycles of the drain between two looks at the mean latency.
const BETWEEN: u64 = 1000;

/// Cycles of the drain between two looks at what is still under way.
const STEP: u64 = 50;

/// What a run by the rule of periods comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Settled {
    /// Whether latency stayed below its limit.
    pub stable: bool,
    /// The periods, in their order.
    pub periods: Vec<Block>,
    /// All that was measured.
    pub overall: Block,
    /// What each class came to, where several share the wires of nodes; `None` where it is not measured.
    pub classes: Vec<Option<OfClass>>,
    /// The class whose mean latency passed its limit, where that ended the run.
    pub exceeded: Option<usize>,
    /// The first measured cycle, and the first one after the last period; `None` where the warm-up did not end.
    pub measured: Option<(u64, u64)>,
}

/// What the rule of periods came to in a class.
#[derive(Clone, Debug, PartialEq)]
pub struct OfClass {
    /// The periods, in their order.
    pub periods: Vec<Block>,
    /// All that was measured.
    pub overall: Block,
}

/// How far a run by the rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Open,
    Stable,
    Unstable,
}

impl<N: Simulated> Runner<'_, N> {
    /// Periods up to the end of the last, then on until all measured packets are delivered. Returns whether it is unstable.
    pub(super) fn periods(&mut self) -> bool {
        let Some(rule) = self.prepared.periods() else { return false };
        loop {
            let now = self.engine.cycle();
            self.stats(|stats| stats.begin(now));
            if !self.until(now + rule.cycles) {
                return false;
            }
            let now = self.engine.cycle();
            let Some(next) = self.stats(|stats| stats.close(now)) else { return false };
            match next {
                Next::Period => {}
                Next::FirstMeasured => self.measures_from(now),
                Next::Unstable => {
                    self.ends_measuring(now);
                    self.verdict = Verdict::Unstable;
                    return true;
                }
                Next::Drain => {
                    self.ends_measuring(now);
                    break;
                }
            }
        }
        self.verdict = if rule.latency { self.drain() } else { Verdict::Stable };
        if rule.empties && self.verdict == Verdict::Stable {
            self.verdict = self.empty();
        }
        self.verdict == Verdict::Unstable
    }

    /// The warm-up is over. It may have been longer than was expected.
    fn measures_from(&mut self, now: u64) {
        if now != self.window.0 {
            self.window.0 = now;
            let window = self.window;
            let fresh = self.prepared.watch_in(window);
            self.watches[0].measure_anew(fresh);
            self.looked = now;
        }
        self.settles_from = Some(now);
    }

    fn ends_measuring(&mut self, now: u64) {
        self.window = (self.window.0.min(now), now);
        self.watches.iter_mut().for_each(|watch| watch.close(now));
        self.trees = Some(self.trees());
    }

    /// Waits for measured packets. Latency may pass its limit on the way.
    fn drain(&mut self) -> Verdict {
        let from = self.engine.cycle();
        while self.awaits(from) {
            let now = self.engine.cycle();
            let looks = now > from && (now - from).is_multiple_of(BETWEEN);
            if looks && self.stats(|stats| stats.exceeds(now)).flatten().is_some() {
                return Verdict::Unstable;
            }
            if !self.until(now + STEP) {
                return Verdict::Open;
            }
        }
        Verdict::Stable
    }

    /// Waits for all that has come to the front of source queues, while nothing more does.
    fn empty(&mut self) -> Verdict {
        self.engine.cease();
        let mut counters = self.engine.counters();
        while counters.delivered < counters.started {
            if !self.until(self.engine.cycle() + STEP) {
                return Verdict::Open;
            }
            counters = self.engine.counters();
        }
        Verdict::Stable
    }

    /// Whether measured packets are on their way, or wait behind others since before cycle `from`. Who of several classes sends an answer that waits
    /// is not known before it does, so those that wait are counted anew.
    fn awaits(&mut self, from: u64) -> bool {
        let Some(stats) = &self.watches[0].periods else { return false };
        let (begun, arrived) = stats.measured();
        if arrived < begun || !stats.measures_waiting() {
            return arrived < begun;
        }
        let mut waits = false;
        self.engine.backlog(from, |port, lot| waits |= stats.measures(port) && lot.amount.packets > 0);
        waits
    }

    fn stats<T>(&mut self, ask: impl FnOnce(&mut PeriodStats) -> T) -> Option<T> {
        self.watches[0].periods.as_mut().map(ask)
    }
}

/// What the rule of periods came to; `None` under another workload.
pub(super) fn settled(watch: &Watch, cycle: u64, verdict: Verdict, from: Option<u64>) -> Option<Settled> {
    let stats = watch.periods.as_ref()?;
    let end = stats.blocks.last().map_or(cycle, |block| block.cycle);
    let shares = stats.of_classes.len() > 1;
    let of_classes = stats.overall_of_classes(cycle).into_iter().zip(&stats.of_classes);
    let class = |(overall, periods): (Option<Block>, &Vec<Block>)| {
        overall.map(|overall| OfClass { periods: periods.clone(), overall })
    };
    Some(Settled {
        classes: of_classes.map(class).filter(|_| shares).collect(),
        exceeded: if verdict == Verdict::Unstable { stats.exceeds(cycle) } else { None },
        stable: verdict == Verdict::Stable,
        periods: stats.blocks.clone(),
        overall: stats.overall(cycle),
        measured: from.map(|from| (from, end)),
    })
}

impl crate::Prepared {
    /// The rule of periods, under a workload that has it.
    pub(crate) fn periods(&self) -> Option<Periods> {
        let workload = self.view("workload");
        (self.course() == tailback_traffic::Course::Periods).then(|| tailback_traffic::periods(workload))
    }
}
