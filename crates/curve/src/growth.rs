//! Whether a load is stable: does the backlog grow?
//!
//! A run of length T that starts empty has the mean backlog B1 in [T/8, T/4] and B2 in [T/2, T]. Where a steady state
//! exists and T is long against the time it takes to be reached, B2 / B1 tends to 1. At capacity the backlog is a
//! reflected random walk and grows as the square root of time: the ratio tends to 2. Beyond it the backlog grows with
//! time: 4. A load is called stable only when its repetitions show a ratio below the geometric middle of 1 and 2, and
//! nothing is missing of what was offered; all else is unstable or undecided, and neither is ever reported as stable.

use crate::Answer;
use tailback_results::statistics::{mean, t99, variance};

/// The geometric middle of 1 (a steady state) and 2 (capacity), as a logarithm.
const BETWEEN: f64 = std::f64::consts::LN_2 / 2.0;
/// The share of the generated or offered load that may be missing; the ends of the window lose or win a little.
const MISSING: f64 = 0.02;

/// What the runs at one load say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The backlog does not grow, and what is offered is accepted.
    Stable,
    /// The backlog grows, or much of what is offered is not accepted, or the network deadlocks.
    Unstable,
    /// The repetitions do not tell.
    Undecided,
}

/// The growth of the backlog over the runs at one load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Mean over the runs of the logarithm of B2 / B1, with the half width of its 99 % interval.
    pub log_ratio: Bounds,
    /// Mean over the runs of the share of the generated or offered load that did not arrive, likewise.
    pub missing: Bounds,
    /// Whether some run deadlocked.
    pub deadlocked: bool,
}

/// A mean with the half width of its 99 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The mean.
    pub mean: f64,
    /// Half the interval by Student's t.
    pub half_width: f64,
}

impl Bounds {
    /// `None` for fewer than two values or one that is not finite.
    fn of(values: &[f64]) -> Option<Self> {
        let half_width = t99(values.len().checked_sub(1)?)? * (variance(values)? / values.len() as f64).sqrt();
        let mean = mean(values)?;
        (mean.is_finite() && half_width.is_finite()).then_some(Bounds { mean, half_width })
    }

    fn below(self, limit: f64) -> bool {
        self.mean + self.half_width < limit
    }

    fn above(self, limit: f64) -> bool {
        self.mean - self.half_width > limit
    }
}

impl Growth {
    /// Sums up the repetitions at one load; `None` for fewer than two.
    pub fn of(answers: &[Answer]) -> Option<Self> {
        let ratios: Vec<f64> = answers.iter().map(|answer| log_ratio(&answer.backlog)).collect();
        let missing: Vec<f64> = answers.iter().map(missing).collect();
        let deadlocked = answers.iter().any(|answer| answer.deadlocked);
        Some(Growth { log_ratio: Bounds::of(&ratios)?, missing: Bounds::of(&missing)?, deadlocked })
    }

    /// What follows.
    pub fn verdict(&self) -> Verdict {
        if self.deadlocked || self.log_ratio.above(BETWEEN) || self.missing.above(MISSING) {
            Verdict::Unstable
        } else if self.log_ratio.below(BETWEEN) && self.missing.below(MISSING) {
            Verdict::Stable
        } else {
            Verdict::Undecided
        }
    }
}

/// The logarithm of B2 / B1. One unit is added to both, so that an idle network is not torn about by its first packets.
fn log_ratio(backlog: &[f64]) -> f64 {
    let n = backlog.len();
    let part = |from: usize, to: usize| mean(&backlog[from..to]).unwrap_or(0.0) + 1.0;
    (part(n / 2, n) / part(n / 8, n / 4)).ln()
}

/// What did not arrive of what was made, or was not made of what was asked for: the larger share.
fn missing(answer: &Answer) -> f64 {
    let share = |whole: f64, part: f64| if whole > 0.0 { (whole - part) / whole } else { 0.0 };
    share(answer.generated, answer.accepted).max(share(answer.offered, answer.generated))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(backlog: impl Fn(f64, f64) -> f64, accepted: f64) -> Vec<Answer> {
        let one = |replica: usize| Answer {
            offered: 1.0,
            generated: 1.0,
            accepted: accepted + replica as f64 * 1e-4,
            latency: Some(10.0),
            backlog: (0..200).map(|t| backlog(f64::from(t), replica as f64)).collect(),
            deadlocked: false,
            digest: String::new(),
        };
        (0..4).map(one).collect()
    }

    fn verdict(answers: &[Answer]) -> Verdict {
        Growth::of(answers).expect("four runs").verdict()
    }

    #[test]
    fn steady_grows_not_and_the_rest_does() {
        assert_eq!(verdict(&answers(|_, r| 500.0 + r, 1.0)), Verdict::Stable);
        assert_eq!(verdict(&answers(|t, r| (500.0 + r) * t.sqrt(), 1.0)), Verdict::Unstable, "at capacity");
        assert_eq!(verdict(&answers(|t, r| (500.0 + r) * t, 1.0)), Verdict::Unstable, "beyond it");
    }

    #[test]
    fn a_network_that_refuses_work_is_unstable_though_nothing_grows() {
        assert_eq!(verdict(&answers(|_, _| 500.0, 0.9)), Verdict::Unstable);
        let mut stalled = answers(|_, _| 500.0, 0.9);
        stalled.iter_mut().for_each(|answer| answer.generated = answer.accepted);
        assert_eq!(verdict(&stalled), Verdict::Unstable, "sources that stall");
    }

    #[test]
    fn where_it_is_open_whether_load_is_missing_nothing_is_called_stable() {
        let mut answers = answers(|_, _| 500.0, 1.0);
        answers.iter_mut().zip([0.01, 0.03, 0.01, 0.03]).for_each(|(answer, lost)| answer.accepted = 1.0 - lost);
        let growth = Growth::of(&answers).expect("four runs");
        assert!(growth.log_ratio.below(BETWEEN), "nothing grows: {growth:?}");
        assert_eq!(growth.verdict(), Verdict::Undecided);
    }

    #[test]
    fn what_is_missing_is_the_larger_share_of_what_was_offered_or_made() {
        let share = |offered: f64, generated: f64, accepted: f64| {
            let backlog = Vec::new();
            let digest = String::new();
            missing(&Answer { offered, generated, accepted, latency: None, backlog, deadlocked: false, digest })
        };
        assert!((share(1.0, 0.8, 0.6) - 0.25).abs() < 1e-12, "0.2 of the 0.8 that were made did not arrive");
        assert!((share(1.0, 0.5, 0.45) - 0.5).abs() < 1e-12, "half of what was asked for was not made");
        assert_eq!(share(0.0, 0.0, 0.0), 0.0, "of nothing, nothing is missing");
    }

    #[test]
    fn the_backlog_of_the_second_half_is_set_against_that_of_the_second_eighth() {
        let backlog: Vec<f64> = (0..16).map(f64::from).collect();
        // Means 11.5 of 8 to 15, and 2.5 of 2 and 3; one unit is added to both.
        assert!((log_ratio(&backlog) - (12.5f64 / 3.5).ln()).abs() < 1e-12);
    }

    #[test]
    fn intervals_are_those_of_99_percent() {
        // Values 1 to 5: variance 2.5, t(4) = 4.60409.
        let bounds = Bounds::of(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("five values");
        assert!((bounds.half_width - 4.60409 * 0.5f64.sqrt()).abs() < 1e-4 && bounds.mean == 3.0, "{bounds:?}");
        assert_eq!(Bounds::of(&[1.0]), None);
        assert_eq!(Bounds::of(&[1.0, f64::NAN]), None);
        assert_eq!(Bounds::of(&[1e200, -1e200]), None, "the mean is finite, the spread is not");
    }

    #[test]
    fn a_bound_that_is_touched_is_not_passed() {
        let bounds = Bounds { mean: 1.0, half_width: 0.5 };
        assert!(bounds.below(1.6) && !bounds.below(1.5) && !bounds.below(0.4));
        assert!(bounds.above(0.4) && !bounds.above(0.5) && !bounds.above(1.6));
    }

    #[test]
    fn runs_that_contradict_each_other_decide_nothing() {
        assert_eq!(verdict(&answers(|t, r| if r < 1.0 { t * 100.0 } else { 500.0 }, 1.0)), Verdict::Undecided);
        assert_eq!(Growth::of(&answers(|_, _| 1.0, 1.0)[..1]), None, "one run has no interval");
    }

    #[test]
    fn a_deadlock_is_never_stable() {
        let mut answers = answers(|_, _| 500.0, 1.0);
        answers[2].deadlocked = true;
        assert_eq!(verdict(&answers), Verdict::Unstable);
    }
}
