//! Batch means: an honest interval from one correlated series.
//!
//! Consecutive values of a simulation are correlated, their means over long batches hardly are. The interval is
//! Student's t over the batch means; their lag-1 autocorrelation tells whether the batches were long enough.

use super::{mean, summarise};

/// Mean of a series with its interval from batch means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchMeans {
    /// Estimate over all batches, in the series' unit.
    pub mean: f64,
    /// Half width of the 95 % interval, same unit.
    pub half_width: f64,
    /// Number of batches.
    pub batches: usize,
    /// Values a batch.
    pub batch_size: usize,
    /// Lag-1 autocorrelation of the batch means, -1 to 1; 0 where they are all equal.
    pub lag1: f64,
    /// The batch means are positively correlated (lag 1 above 2 / sqrt(batches)): the interval is too narrow.
    pub correlated: bool,
}

/// Batch means of a series in `batches` equal batches.
///
/// Values that fill no batch are left out at the front, where the rest of a warm-up would be. `None` for fewer
/// than two batches, fewer values than batches or a value that is not finite.
pub fn batch_means(values: &[f64], batches: usize) -> Option<BatchMeans> {
    let size = batch_size(values.len(), batches)?;
    let tail = &values[values.len() - size * batches..];
    let means: Vec<f64> = tail.chunks_exact(size).map(|batch| mean(batch).unwrap_or(f64::NAN)).collect();
    from_means(&means, mean(&means)?, size)
}

/// Batch means of a ratio of sums, such as the mean latency from latency sums and packet counts a window.
///
/// The estimate is the ratio of the sums over all batches, the interval that of the batches' ratios. `None` as for
/// [`batch_means`], for unequal lengths, and where a batch has a sum of denominators of zero.
pub fn batch_means_of_ratio(numerators: &[f64], denominators: &[f64], batches: usize) -> Option<BatchMeans> {
    if numerators.len() != denominators.len() {
        return None;
    }
    let size = batch_size(numerators.len(), batches)?;
    let skip = numerators.len() - size * batches;
    let sums = |values: &[f64]| -> Vec<f64> { values[skip..].chunks_exact(size).map(|b| b.iter().sum()).collect() };
    let (above, below) = (sums(numerators), sums(denominators));
    let ratios: Vec<f64> = above.iter().zip(&below).map(|(a, b)| a / b).collect();
    from_means(&ratios, above.iter().sum::<f64>() / below.iter().sum::<f64>(), size)
}

/// Lag-1 autocorrelation of a series, -1 to 1; 0 for a constant one, `None` for fewer than three values.
pub fn lag1_autocorrelation(values: &[f64]) -> Option<f64> {
    if values.len() < 3 {
        return None;
    }
    let centre = mean(values)?;
    let spread: f64 = values.iter().map(|value| (value - centre) * (value - centre)).sum();
    let lagged: f64 = values.windows(2).map(|pair| (pair[0] - centre) * (pair[1] - centre)).sum();
    if !spread.is_finite() {
        return None;
    }
    Some(if spread == 0.0 { 0.0 } else { lagged / spread })
}

fn batch_size(values: usize, batches: usize) -> Option<usize> {
    if batches < 2 || values < batches { None } else { Some(values / batches) }
}

fn from_means(means: &[f64], estimate: f64, batch_size: usize) -> Option<BatchMeans> {
    let summary = summarise(means)?;
    let lag1 = lag1_autocorrelation(means).unwrap_or(0.0);
    let batches = means.len();
    let correlated = lag1 > 2.0 / (batches as f64).sqrt();
    Some(BatchMeans { mean: estimate, half_width: summary.half_width?, batches, batch_size, lag1, correlated })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pseudo-random numbers in \[-0.5, 0.5), enough for a test (a linear congruential generator's high bits).
    fn noise(count: usize) -> Vec<f64> {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn leftovers_are_dropped_at_the_front() {
        let batches = batch_means(&[1e9, 1.0, 3.0, 5.0, 7.0], 2).unwrap();
        assert_eq!((batches.mean, batches.batch_size, batches.batches), (4.0, 2, 2));
        // Means 2 and 6: variance 8, half width t(1) * sqrt(8 / 2).
        assert!((batches.half_width - 12.7062 * 2.0).abs() < 1e-3);
    }

    #[test]
    fn a_ratio_weighs_batches_by_their_packets() {
        let batches = batch_means_of_ratio(&[10.0, 0.0, 90.0, 0.0], &[1.0, 0.0, 3.0, 0.0], 2).unwrap();
        assert_eq!(batches.mean, 25.0);
        // Ratios 10 and 30: variance 200, half width t(1) * sqrt(200 / 2).
        assert!((batches.half_width - 12.7062 * 10.0).abs() < 1e-2, "{batches:?}");
        assert_eq!(batch_means_of_ratio(&[1.0, 1.0], &[1.0, 0.0], 2), None, "a batch without packets has no mean");
        assert_eq!(batch_means_of_ratio(&[1.0, 1.0], &[1.0], 2), None);
    }

    #[test]
    fn a_ratio_leaves_out_what_fills_no_batch_at_the_front() {
        let batches = batch_means_of_ratio(&[1e9, 1.0, 2.0, 3.0, 7.0, 8.0, 9.0], &[1.0; 7], 2).unwrap();
        assert_eq!((batches.mean, batches.batch_size, batches.batches), (5.0, 3, 2));
    }

    #[test]
    fn a_batch_may_have_one_value() {
        let batches = batch_means(&[1.0, 3.0], 2).unwrap();
        assert_eq!((batches.mean, batches.batch_size), (2.0, 1));
    }

    #[test]
    fn samples_that_cannot_answer() {
        assert_eq!(batch_means(&[1.0, 2.0], 1), None);
        assert_eq!(batch_means(&[1.0, 2.0], 3), None);
        assert_eq!(batch_means(&[1.0, f64::NAN], 2), None);
        assert_eq!(lag1_autocorrelation(&[1.0, 2.0]), None);
        assert_eq!(lag1_autocorrelation(&[4.0; 5]), Some(0.0));
    }

    #[test]
    fn correlation_is_seen_in_short_batches_and_gone_in_long_ones() {
        // First-order autoregression with a memory of about 20 values.
        let mut level = 0.0;
        let series: Vec<f64> = noise(40_000)
            .iter()
            .map(|n| {
                level = 0.95 * level + n;
                level
            })
            .collect();
        assert!(batch_means(&series, 8_000).unwrap().correlated);
        let long = batch_means(&series, 20).unwrap();
        assert!(!long.correlated, "{long:?}");
        assert!(long.half_width > batch_means(&series, 8_000).unwrap().half_width);
    }

    #[test]
    fn intervals_cover_the_truth_about_as_often_as_they_say() {
        let all = noise(400 * 100);
        let hits = all.chunks(100).filter(|run| {
            let batches = batch_means(run, 10).unwrap();
            batches.mean.abs() <= batches.half_width
        });
        // 400 runs at 95 %: 380 expected, standard deviation 4.4.
        let hits = hits.count();
        assert!((365..=394).contains(&hits), "{hits} of 400");
    }

    proptest! {
        #[test]
        fn lag1_agrees_with_the_textbook_and_stays_in_range(values in proptest::collection::vec(-1e3..1e3, 3..50)) {
            let n = values.len();
            let centre = values.iter().sum::<f64>() / n as f64;
            let mut above = 0.0;
            let mut below = 0.0;
            for i in 0..n {
                below += (values[i] - centre).powi(2);
                if i + 1 < n {
                    above += (values[i] - centre) * (values[i + 1] - centre);
                }
            }
            let lag1 = lag1_autocorrelation(&values).unwrap();
            prop_assert!((lag1 - above / below).abs() < 1e-9);
            prop_assert!(lag1.abs() <= 1.0 + 1e-12);
        }

        #[test]
        fn the_mean_of_equal_batches_is_the_mean(values in proptest::collection::vec(-1e3..1e3, 12)) {
            let batches = batch_means(&values, 4).unwrap();
            prop_assert!((batches.mean - mean(&values).unwrap()).abs() < 1e-9);
        }
    }
}
