//! The rule of periods: what a period that has ended decides.

use tailback_traffic::{Limits, Periods};

/// Settled periods in a row that end a run.
const SETTLED: u32 = 3;

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It warms up.
    WarmUp,
    /// It is measured.
    Measured,
    /// Measured packets are waited for.
    Drain,
}

/// What comes after a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another period.
    Period,
    /// Another period, the first one that is measured.
    FirstMeasured,
    /// No period: measured packets are waited for, where latency counts.
    Drain,
    /// Latency has passed its limit.
    Unstable,
}

/// What a class of packets comes to at the end of a period.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    /// The class.
    pub class: usize,
    /// Mean latency since the sums began \[cycles\].
    pub latency: f64,
    /// Accepted load since then \[flits/node/cycle\].
    pub accepted: f64,
    /// Mean over the latencies and the ages of flits in flight \[cycles\].
    pub aged: f64,
}

/// How far the rule is.
#[derive(Clone, Debug)]
pub struct Rule {
    periods: Periods,
    /// By class.
    limits: Vec<Limits>,
    /// What the run is doing.
    pub stage: Stage,
    /// Periods that have ended.
    pub ended: u64,
    settled: u32,
    /// By measured class, mean latency and accepted load at the end of the period before.
    before: Vec<[f64; 2]>,
    /// Their relative changes in the last period.
    pub changes: Vec<[f64; 2]>,
}

impl Rule {
    /// At cycle 0. Each class has its own limits, or those of the rule.
    pub fn new(periods: Periods, own: &[Option<Limits>]) -> Rule {
        let limits = own.iter().map(|own| own.unwrap_or(periods.limits)).collect();
        let (stage, before, changes) = (Stage::WarmUp, Vec::new(), Vec::new());
        Rule { periods, limits, stage, ended: 0, settled: 0, before, changes }
    }

    /// Whether sums begin anew with the next period: every second one of the warm-up.
    pub fn clears(&self) -> bool {
        self.stage == Stage::WarmUp && self.ended.is_multiple_of(2)
    }

    /// Whether a mean over latencies and ages of a class is above its limit.
    pub fn exceeds(&self, class: usize, mean: f64) -> bool {
        self.periods.latency && self.limits[class].latency.is_some_and(|limit| mean > limit)
    }

    /// A period ends with these means of the classes that are measured.
    pub fn close(&mut self, classes: &[Means]) -> Next {
        self.before.resize(classes.len(), [0.0; 2]);
        let now = || classes.iter().map(|class| [class.latency, class.accepted]);
        let change = |(now, before): ([f64; 2], &[f64; 2])| [0, 1].map(|i| ((now[i] - before[i]) / now[i]).abs());
        self.changes = now().zip(&self.before).map(change).collect();
        self.before = now().collect();
        if classes.iter().any(|class| self.exceeds(class.class, class.aged)) {
            self.stage = Stage::Drain;
            return Next::Unstable;
        }
        let calm = |of: fn(&Limits) -> [Option<f64>; 2]| {
            // Where nothing was delivered there is no change, and nothing to wait for.
            let calm = |change: f64, limit: Option<f64>| change.is_nan() || limit.is_none_or(|limit| change <= limit);
            let within = |(class, changes): (&Means, &[f64; 2])| {
                let limits = of(&self.limits[class.class]);
                (!self.periods.latency || calm(changes[0], limits[0])) && calm(changes[1], limits[1])
            };
            classes.iter().zip(&self.changes).all(within)
        };
        let settles = calm(|limits| limits.changes);
        let warm = match self.periods.warmup {
            0 => calm(|limits| limits.warmup_changes),
            warmup => self.ended + 1 >= warmup,
        };
        self.ended += 1;
        let first = self.stage == Stage::WarmUp && warm;
        match self.stage {
            Stage::WarmUp if warm => self.stage = Stage::Measured,
            Stage::Measured => self.settled = if settles { self.settled + 1 } else { 0 },
            Stage::WarmUp | Stage::Drain => {}
        }
        let over = self.ended >= self.periods.most || self.settled >= SETTLED;
        match (self.stage, over) {
            // Nothing settled during a warm-up without end.
            (Stage::WarmUp, true) => {
                self.stage = Stage::Drain;
                Next::Unstable
            }
            (_, true) => {
                self.stage = Stage::Drain;
                Next::Drain
            }
            (_, false) if first => Next::FirstMeasured,
            (_, false) => Next::Period,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(warmup: u64, most: u64) -> Rule {
        rule_of(warmup, most, &[None; 2])
    }

    fn rule_of(warmup: u64, most: u64, own: &[Option<Limits>]) -> Rule {
        let periods = Periods {
            cycles: 1000,
            warmup,
            most,
            latency: true,
            limits: Limits::new([500.0, 0.05, 0.05, 0.05, 0.05]),
            empties: false,
            pairs: false,
            from: tailback_traffic::LatencyFrom::Birth,
        };
        Rule::new(periods, own)
    }

    fn means(latency: f64) -> Means {
        of_class(0, latency)
    }

    fn of_class(class: usize, latency: f64) -> Means {
        Means { class, latency, accepted: 0.1, aged: latency }
    }

    #[test]
    fn a_class_has_limits_of_its_own() {
        let patient = Some(Limits::new([-1.0, 0.5, 0.05, 0.5, 0.05]));
        for (own, settles) in [([None, patient], true), ([patient, None], false)] {
            let mut rule = rule_of(0, 20, &own);
            let latencies = [1000.0, 1200.0, 1000.0, 1200.0, 1000.0, 1200.0];
            let two = latencies.iter().map(|&other| rule.close(&[of_class(0, 20.0), of_class(1, other)]));
            let next: Vec<Next> = two.collect();
            match settles {
                true => assert_eq!((next[1], next[4]), (Next::FirstMeasured, Next::Drain)),
                false => assert_eq!(next[0], Next::Unstable),
            }
        }
    }

    #[test]
    fn all_classes_have_to_settle_and_one_may_be_unstable() {
        let mut restless = rule(1, 20);
        let latencies = [20.0, 30.0, 40.0, 50.0, 60.0];
        let next: Vec<Next> =
            latencies.iter().map(|&other| restless.close(&[means(20.0), of_class(1, other)])).collect();
        assert_eq!(next[1..], [Next::Period; 4]);
        assert_eq!(restless.changes, [[0.0, 0.0], [10.0 / 60.0, 0.0]]);
        assert_eq!(restless.close(&[means(20.0), of_class(1, 501.0)]), Next::Unstable);
    }

    /// What comes after each of these periods, which differ in nothing but their latency.
    fn ends(rule: &mut Rule, latencies: &[f64]) -> Vec<Next> {
        latencies.iter().map(|&latency| rule.close(&[means(latency)])).collect()
    }

    #[test]
    fn warm_up_is_so_many_periods_and_three_calm_ones_end_the_run() {
        let next = ends(&mut rule(3, 10), &[20.0; 6]);
        assert_eq!(next, [Next::Period, Next::Period, Next::FirstMeasured, Next::Period, Next::Period, Next::Drain]);
    }

    #[test]
    fn a_period_that_is_not_calm_begins_the_count_anew() {
        let next = ends(&mut rule(1, 20), &[20.0, 20.0, 20.0, 30.0, 30.0, 30.5, 30.0]);
        assert_eq!(
            next[..6],
            [Next::FirstMeasured, Next::Period, Next::Period, Next::Period, Next::Period, Next::Period]
        );
        assert_eq!(next[6], Next::Drain);
    }

    #[test]
    fn the_most_periods_end_it_too() {
        let next = ends(&mut rule(1, 3), &[20.0, 30.0, 40.0]);
        assert_eq!(next, [Next::FirstMeasured, Next::Period, Next::Drain]);
    }

    #[test]
    fn without_periods_of_warm_up_it_lasts_until_means_settle() {
        let next = ends(&mut rule(0, 10), &[20.0, 30.0, 30.0, 30.0]);
        assert_eq!(next, [Next::Period, Next::Period, Next::FirstMeasured, Next::Period]);
        assert_eq!(ends(&mut rule(0, 3), &[20.0, 30.0, 40.0]).last(), Some(&Next::Unstable));
    }

    #[test]
    fn latency_above_the_limit_is_unstable_unless_throughput_counts() {
        assert_eq!(ends(&mut rule(3, 10), &[501.0]), [Next::Unstable]);
        let mut throughput = rule(3, 10);
        throughput.periods.latency = false;
        assert_eq!(ends(&mut throughput, &[501.0]), [Next::Period]);
    }

    #[test]
    fn sums_begin_anew_with_every_second_period_of_the_warm_up() {
        let mut rule = rule(4, 10);
        let mut clears = Vec::new();
        for _ in 0..6 {
            clears.push(rule.clears());
            rule.close(&[means(20.0)]);
        }
        assert_eq!(clears, [true, false, true, false, false, false], "the first measured one begins by another rule");
    }
}
