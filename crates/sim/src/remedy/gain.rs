//! What a change brings, seed by seed.

use serde::{Deserialize, Serialize};
use tailback_results::{Record, Status};
use tailback_summary::Difference;
use tailback_summary::paired::BySeed;

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// The load that the network accepts: more is better.
    AcceptedLoad,
    /// The cycle in which a workload that ends is complete: less is better.
    Duration,
}

impl Metric {
    /// The values of runs that have one, by seed.
    pub fn by_seed<'a>(self, records: impl IntoIterator<Item = &'a Record>) -> BySeed {
        let value = |record: &Record| match self {
            Metric::AcceptedLoad => record.accepted_load,
            Metric::Duration => record.duration,
        };
        records.into_iter().filter_map(|record| Some((record.seed, value(record).filter(|v| *v > 0.0)?))).collect()
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Metric::AcceptedLoad => "accepted load",
            Metric::Duration => "time to completion",
        }
    }
}

/// What a change brings, over seeds that the point and the changed point share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gain {
    /// What is compared.
    pub metric: Metric,
    /// The changed point's value over the point's: geometric mean over the seeds. `None` where there is no ratio.
    pub ratio: Option<f64>,
    /// The 95 % interval of that ratio; `None` below three seeds.
    pub interval: Option<(f64, f64)>,
    /// Whether a difference is shown at the 5 % level, after Holm's correction over all changes that were tried.
    pub shown: bool,
    /// Runs of each.
    pub runs: usize,
    /// Runs of the point, and of the changed point, that ended in deadlock, livelock or starvation.
    pub broken: (usize, usize),
}

impl Gain {
    /// The gain from the comparison and the records of both.
    pub fn new(metric: Metric, difference: Option<Difference>, before: &[Record], after: &[Record]) -> Gain {
        let broken = |records: &[Record]| records.iter().filter(|record| is_broken(record.status)).count();
        Gain {
            metric,
            ratio: difference.map(|difference| difference.ratio),
            interval: difference.and_then(|d| d.interval).map(|interval| (interval.low, interval.high)),
            shown: difference.is_some_and(|difference| difference.differs()),
            runs: after.len(),
            broken: (broken(before), broken(after)),
        }
    }

    /// Whether fewer runs break, or else the whole interval is better than the point.
    pub fn helps(&self) -> bool {
        self.broken.1 < self.broken.0
            || (self.broken.1 == self.broken.0 && self.excludes_none() && self.benefit() > 1.0)
    }

    /// Whether the interval excludes that there is no difference.
    fn excludes_none(&self) -> bool {
        self.interval.is_some_and(|(low, high)| low > 1.0 || high < 1.0)
    }

    /// How much better: above 1 where it is.
    pub fn benefit(&self) -> f64 {
        let ratio = self.ratio.unwrap_or(1.0);
        if self.metric == Metric::Duration { 1.0 / ratio } else { ratio }
    }

    /// `+31 %`.
    pub fn change(&self) -> Option<String> {
        self.ratio.map(percent)
    }

    /// `+31 % (11 to 54)`.
    pub fn words(&self) -> Option<String> {
        Some(format!("{} {}", self.change()?, self.interval_words()).trim_end().to_owned())
    }

    /// `(11 to 54)`, in percent; empty below three seeds.
    pub fn interval_words(&self) -> String {
        let bare = |ratio: f64| format!("{:.0}", 100.0 * (ratio - 1.0)).replace("-0", "0");
        self.interval.map_or(String::new(), |(low, high)| format!("({} to {})", bare(low), bare(high)))
    }

    /// What can be said of it: `measured`, `measured: no difference shown`.
    pub fn verdict(&self) -> String {
        match self.broken {
            (0, 0) => {}
            (before, after) => {
                return format!(
                    "measured: {after} of {} runs end in deadlock, livelock or starvation, {before} without the change",
                    self.runs
                );
            }
        }
        match (self.ratio, self.interval, self.shown) {
            (None, ..) => format!("measured, but no {} to compare", self.metric.words()),
            (_, None, _) => "measured, but with fewer than 3 seeds there is no interval".to_owned(),
            _ if !self.excludes_none() => "measured: no difference shown".to_owned(),
            (_, _, false) => "measured; among all that were tried not shown (Holm)".to_owned(),
            _ if self.benefit() < 1.0 => "measured: it makes things worse".to_owned(),
            _ => "measured".to_owned(),
        }
    }
}

fn is_broken(status: Status) -> bool {
    matches!(status, Status::Deadlocked | Status::Livelocked | Status::Starved | Status::Stuck)
}

/// A ratio as a difference in whole percent.
fn percent(ratio: f64) -> String {
    match (100.0 * (ratio - 1.0)).round() {
        0.0 => "0 %".to_owned(),
        change => format!("{change:+.0} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_summary::paired::against_first;

    fn gain(metric: Metric, before: &[f64], after: &[f64], status: Status) -> Gain {
        let records = |values: &[f64], status: Status| -> Vec<Record> {
            let of = |(seed, &value): (u64, &f64)| Record {
                accepted_load: Some(value),
                duration: Some(value),
                ..Record::empty("i", seed, "0", status)
            };
            (1..).zip(values).map(of).collect()
        };
        let (before, after) = (records(before, status), records(after, Status::Steady));
        let differences = against_first(&[metric.by_seed(&before), metric.by_seed(&after)]);
        Gain::new(metric, differences[1], &before, &after)
    }

    #[test]
    fn a_gain_has_an_interval_from_three_seeds_on() {
        let three = gain(Metric::AcceptedLoad, &[0.2, 0.21, 0.19], &[0.26, 0.28, 0.25], Status::Saturated);
        assert!(three.helps() && three.shown);
        assert_eq!((three.change().as_deref(), three.verdict().as_str()), (Some("+32 %"), "measured"));
        assert_eq!(three.interval_words(), "(28 to 36)");
        let two = gain(Metric::AcceptedLoad, &[0.2, 0.21], &[0.26, 0.28], Status::Saturated);
        assert!(!two.helps() && two.interval_words().is_empty() && two.verdict().contains("fewer than 3 seeds"));
    }

    #[test]
    fn less_time_is_better_and_less_load_is_not() {
        let faster = gain(Metric::Duration, &[900.0, 910.0, 905.0], &[600.0, 612.0, 604.0], Status::Completed);
        assert!(faster.helps() && faster.benefit() > 1.4);
        let worse = gain(Metric::AcceptedLoad, &[0.3, 0.31, 0.29], &[0.2, 0.207, 0.193], Status::Saturated);
        assert!(!worse.helps() && worse.verdict().ends_with("worse"), "{worse:?}");
        let alike = gain(Metric::AcceptedLoad, &[0.3, 0.31, 0.29], &[0.31, 0.3, 0.29], Status::Saturated);
        assert!(!alike.helps() && alike.verdict().ends_with("no difference shown"));
    }

    #[test]
    fn who_ends_a_deadlock_helps_whatever_the_load() {
        let cured = gain(Metric::AcceptedLoad, &[0.0, 0.0, 0.0], &[0.2, 0.2, 0.2], Status::Deadlocked);
        assert!(cured.helps() && cured.ratio.is_none(), "{cured:?}");
        assert!(cured.verdict().starts_with("measured: 0 of 3 runs end in deadlock"), "{}", cured.verdict());
    }
}
