//! Where the warm-up ends: MSER-5 (White, 1997).
//!
//! The series is averaged in groups of five; the truncation point minimises the squared standard error of what is
//! left, `sum (x - mean)^2 / (groups left)^2`. A minimum in the second half means that the series had not settled.

/// Values averaged into one group.
const GROUP: usize = 5;

/// Groups below which no verdict is trusted.
const GROUPS_MIN: usize = 10;

/// Verdict on the warm-up of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warmup {
    /// Index of the first value to keep, a multiple of five.
    pub truncate: usize,
    /// The minimum lies in the first half of at least ten groups; else run longer.
    pub trusted: bool,
}

/// Truncation point of a series by MSER-5.
///
/// A series shorter than one group, or with a value that is not finite, gets `truncate: 0, trusted: false`.
pub fn mser5(series: &[f64]) -> Warmup {
    let groups: Vec<f64> = series.chunks_exact(GROUP).map(|group| group.iter().sum::<f64>() / GROUP as f64).collect();
    let mut best = (f64::INFINITY, 0);
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    // Backwards, so that the sums over what is left grow by one group a step (Welford's update).
    for (index, value) in groups.iter().enumerate().rev() {
        count += 1.0;
        let step = value - mean;
        mean += step / count;
        squares += step * (value - mean);
        // The last few groups agree with each other by chance; leave at least five.
        if count >= GROUP as f64 && squares / (count * count) <= best.0 {
            best = (squares / (count * count), index);
        }
    }
    let settled = best.0.is_finite() && squares.is_finite();
    let trusted = settled && groups.len() >= GROUPS_MIN && best.1 <= groups.len() / 2;
    Warmup { truncate: if settled { best.1 * GROUP } else { 0 }, trusted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Alternates around a level after an exponential approach from zero.
    fn approach(length: usize, memory: f64) -> Vec<f64> {
        let mut gap = 100.0;
        (0..length)
            .map(|i| {
                gap *= 1.0 - 1.0 / memory;
                100.0 - gap + if (i / 7) % 2 == 0 { 0.5 } else { -0.5 }
            })
            .collect()
    }

    #[test]
    fn a_transient_is_cut_and_a_steady_series_kept() {
        let warmup = mser5(&approach(2_000, 40.0));
        assert!(warmup.trusted);
        assert!((150..500).contains(&warmup.truncate), "{warmup:?}");
        assert_eq!(mser5(&[3.7; 100]), Warmup { truncate: 0, trusted: true });
    }

    #[test]
    fn a_series_that_never_settles_is_not_trusted() {
        let ramp: Vec<f64> = (0..1_000).map(f64::from).collect();
        assert!(!mser5(&ramp).trusted);
        assert!(!mser5(&approach(200, 400.0)).trusted);
    }

    #[test]
    fn short_or_broken_series_are_not_trusted() {
        assert_eq!(mser5(&[]), Warmup { truncate: 0, trusted: false });
        assert_eq!(mser5(&[1.0; 49]), Warmup { truncate: 0, trusted: false });
        assert_eq!(mser5(&[f64::NAN; 100]), Warmup { truncate: 0, trusted: false });
        let mut broken = vec![1.0; 100];
        broken[10] = f64::INFINITY;
        assert!(!mser5(&broken).trusted);
    }

    proptest! {
        #[test]
        fn agrees_with_the_naive_formula(series in proptest::collection::vec(0.0..100.0, 50..200)) {
            let groups: Vec<f64> = series.chunks_exact(5).map(|g| g.iter().sum::<f64>() / 5.0).collect();
            let error = |d: usize| {
                let left = &groups[d..];
                let mean = left.iter().sum::<f64>() / left.len() as f64;
                left.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (left.len() as f64).powi(2)
            };
            let smallest = (0..=groups.len() - 5).map(error).fold(f64::INFINITY, f64::min);
            let found = error(mser5(&series).truncate / 5);
            prop_assert!((found - smallest).abs() <= 1e-9 * (1.0 + smallest), "{} against {}", found, smallest);
        }
    }
}
