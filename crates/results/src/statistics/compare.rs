//! Paired comparison: the same seeds with and without a mechanism.
//!
//! Pairing by seed removes what the traffic does to both, so that few seeds show small effects.

use super::batch::moments;
use super::{Summary, mean, summarise, t95};

/// An estimate with bounds that need not lie evenly around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// Lower bound of the 95 % interval.
    pub low: f64,
    /// Upper bound of the 95 % interval.
    pub high: f64,
}

/// How sample `a` compares with sample `b`, pair by pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Mean of `a - b`, in the samples' unit.
    pub difference: Summary,
    /// Mean of `a` over mean of `b`; `None` where the mean of `b` is 0.
    pub ratio: Option<f64>,
    /// Fieller's 95 % interval of the ratio; `None` for a single pair, or where `b` may be 0 within its own interval.
    pub ratio_interval: Option<Interval>,
}

impl Comparison {
    /// The interval of the difference leaves out 0.
    pub fn significant(&self) -> bool {
        self.difference.half_width.is_some_and(|half_width| self.difference.mean.abs() > half_width)
    }
}

/// Compares paired samples, the values at one index coming from one seed.
///
/// `None` for unequal lengths, empty samples, or a value that is not finite.
pub fn compare_paired(a: &[f64], b: &[f64]) -> Option<Comparison> {
    if a.len() != b.len() {
        return None;
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let difference = summarise(&differences)?;
    let ratio = Some(mean(a)? / mean(b)?).filter(|ratio| ratio.is_finite());
    Some(Comparison { difference, ratio, ratio_interval: fieller(a, b) })
}

/// All ratios `r` for which the mean of `a - r b` may be 0: the `r` between the roots of a quadratic.
fn fieller(a: &[f64], b: &[f64]) -> Option<Interval> {
    let (mean_a, mean_b) = (mean(a)?, mean(b)?);
    let (var_a, var_b, cov) = moments(a, b)?;
    let scale = t95(a.len() - 1)?.powi(2) / a.len() as f64;
    let square = mean_b * mean_b - scale * var_b;
    let half_linear = mean_a * mean_b - scale * cov;
    let constant = mean_a * mean_a - scale * var_a;
    if square <= 0.0 {
        return None;
    }
    // Never negative but for rounding, for the estimate itself lies between the roots.
    let root = (half_linear * half_linear - square * constant).max(0.0).sqrt();
    let estimate = mean_a / mean_b;
    Some(Interval { estimate, low: (half_linear - root) / square, high: (half_linear + root) / square })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pairing_shows_what_the_spread_of_the_seeds_hides() {
        let b = [100.0, 140.0, 90.0, 180.0];
        let a = [91.0, 130.0, 79.0, 170.0];
        let comparison = compare_paired(&a, &b).unwrap();
        assert_eq!(comparison.difference.mean, -10.0);
        assert!(comparison.significant());
        let ratio = comparison.ratio_interval.unwrap();
        assert!(ratio.high < 1.0 && ratio.low < ratio.estimate && ratio.estimate < ratio.high);
        let (a_alone, b_alone) = (summarise(&a).unwrap(), summarise(&b).unwrap());
        assert!(a_alone.mean + a_alone.half_width.unwrap() > b_alone.mean, "unpaired, the two overlap");
    }

    #[test]
    fn a_constant_factor_has_no_width() {
        let b = [10.0, 11.0, 12.0];
        let ratio = compare_paired(&[20.0, 22.0, 24.0], &b).unwrap().ratio_interval.unwrap();
        // The root of a difference that should be 0 leaves the square root of the rounding error.
        assert!((ratio.low - 2.0).abs() < 1e-6 && (ratio.high - 2.0).abs() < 1e-6, "{ratio:?}");
    }

    #[test]
    fn a_ratio_to_something_near_zero_is_refused() {
        let comparison = compare_paired(&[1.0, 1.1, 0.9], &[-1.0, 1.0, 0.1]).unwrap();
        assert_eq!(comparison.ratio_interval, None);
        let comparison = compare_paired(&[1.0, 1.0], &[-1.0, 1.0]).unwrap();
        assert_eq!((comparison.ratio, comparison.ratio_interval), (None, None));
    }

    #[test]
    fn samples_that_are_the_same_do_not_differ() {
        let same = compare_paired(&[3.0, 4.0, 5.0], &[3.0, 4.0, 5.0]).unwrap();
        assert_eq!((same.difference.mean, same.difference.half_width), (0.0, Some(0.0)));
        assert!(!same.significant() && same.ratio == Some(1.0));
    }

    #[test]
    fn samples_that_cannot_be_compared() {
        assert_eq!(compare_paired(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(compare_paired(&[], &[]), None);
        assert_eq!(compare_paired(&[f64::NAN], &[1.0]), None);
        let single = compare_paired(&[1.0], &[2.0]).unwrap();
        assert_eq!((single.ratio, single.ratio_interval), (Some(0.5), None));
        assert!(!single.significant());
    }

    proptest! {
        #[test]
        fn at_the_bounds_of_the_ratio_the_t_test_turns(
            pairs in proptest::collection::vec((5.0..15.0, 5.0..15.0), 4..20),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let interval = compare_paired(&a, &b).unwrap().ratio_interval.unwrap();
            for bound in [interval.low, interval.high] {
                let residual: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - bound * b).collect();
                let summary = summarise(&residual).unwrap();
                prop_assert!((summary.mean.abs() - summary.half_width.unwrap()).abs() < 1e-6);
            }
        }
    }
}
