//! Statistics of simulation output: intervals, warm-up, batch means, smoothing, comparison, critical load.
//!
//! Everything here runs after the simulation and takes plain slices. A function answers `None` where the sample
//! cannot answer (too short, not finite), never NaN.

mod batch;
mod compare;
mod critical;
mod smooth;
mod warmup;

pub use batch::{BatchMeans, batch_means, batch_means_of_ratio, lag1_autocorrelation};
pub use compare::{Comparison, compare_paired};
pub use critical::{Critical, CriticalOptions, Reason, critical_load};
pub use smooth::{Line, Window, fit_line, moving_average};
pub use warmup::{Warmup, mser5};

use statrs::distribution::{ContinuousCDF, StudentsT};

/// Mean of a sample with the half width of its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Arithmetic mean, in the sample's unit.
    pub mean: f64,
    /// Half width of the 95 % interval by Student's t, same unit; `None` for a single value.
    pub half_width: Option<f64>,
    /// Number of values.
    pub count: usize,
}

/// Arithmetic mean; `None` for an empty sample.
pub fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    Some(values.iter().sum::<f64>() / values.len() as f64)
}

/// Unbiased variance (divisor n - 1), in two passes; `None` for fewer than two values.
pub fn variance(values: &[f64]) -> Option<f64> {
    covariance(values, values)
}

/// Unbiased covariance (divisor n - 1) of pairs; `None` for fewer than two pairs or unequal lengths.
pub fn covariance(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.len() != b.len() || a.len() < 2 {
        return None;
    }
    let (mean_a, mean_b) = (mean(a)?, mean(b)?);
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum();
    Some(sum / (a.len() - 1) as f64)
}

/// Mean and 95 % interval of independent values, such as the results of replicated seeds.
///
/// `None` for an empty sample or one with a value that is not finite.
pub fn summarise(values: &[f64]) -> Option<Summary> {
    if values.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let count = values.len();
    let half_width = variance(values).and_then(|v| Some(t95(count - 1)? * (v / count as f64).sqrt()));
    Some(Summary { mean: mean(values)?, half_width, count })
}

/// Two-sided 95 % quantile of Student's t; `None` for no degree of freedom.
pub fn t95(degrees_of_freedom: usize) -> Option<f64> {
    quantile(degrees_of_freedom, 0.975)
}

/// Two-sided 99 % quantile of Student's t; `None` for no degree of freedom.
pub fn t99(degrees_of_freedom: usize) -> Option<f64> {
    quantile(degrees_of_freedom, 0.995)
}

fn quantile(degrees_of_freedom: usize, probability: f64) -> Option<f64> {
    let distribution = StudentsT::new(0.0, 1.0, degrees_of_freedom as f64).ok()?;
    Some(distribution.inverse_cdf(probability))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn t_quantiles_are_those_of_the_tables() {
        for (n, expected) in
            [(1, 12.7062), (2, 4.30265), (4, 2.77645), (9, 2.26216), (30, 2.04227), (100, 1.98397), (10_000, 1.96020)]
        {
            let got = t95(n).unwrap();
            assert!((got - expected).abs() < 1e-4, "t({n}) = {got}, table {expected}");
        }
        assert!((t99(4).unwrap() - 4.60409).abs() < 1e-4);
        assert_eq!((t95(0), t99(0)), (None, None));
    }

    #[test]
    fn summary_of_a_known_sample() {
        // Values 1 to 5: mean 3, variance 2.5, half width 2.77645 * sqrt(2.5 / 5).
        let summary = summarise(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!((summary.mean, summary.count), (3.0, 5));
        assert!((summary.half_width.unwrap() - 1.963_243).abs() < 1e-5);
    }

    #[test]
    fn samples_that_cannot_answer() {
        assert_eq!((mean(&[]), variance(&[1.0]), summarise(&[])), (None, None, None));
        assert_eq!(summarise(&[1.0, f64::NAN]), None);
        assert_eq!(summarise(&[7.0]), Some(Summary { mean: 7.0, half_width: None, count: 1 }));
        assert_eq!(covariance(&[1.0, 2.0], &[1.0]), None);
    }

    proptest! {
        #[test]
        fn variance_agrees_with_the_pairwise_formula(values in proptest::collection::vec(-1e3..1e3, 2..40)) {
            // Naive: half the mean squared difference over all ordered pairs of distinct values.
            let n = values.len() as f64;
            let naive: f64 = values.iter().flat_map(|a| values.iter().map(move |b| (a - b) * (a - b))).sum::<f64>()
                / (2.0 * n * (n - 1.0));
            let got = variance(&values).unwrap();
            prop_assert!((got - naive).abs() <= 1e-9 * (1.0 + naive), "{} against {}", got, naive);
        }
    }
}
