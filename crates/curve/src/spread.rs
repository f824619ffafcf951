//! Intervals of positive quantities: Student's t on the logarithm, put around the arithmetic mean.

use tailback_results::statistics::{mean, t95, variance};

/// A mean with an interval that cannot reach below zero and need not lie evenly around the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Arithmetic mean.
    pub mean: f64,
    /// Lower and upper bound of the 95 % interval; `None` for fewer than 3 values.
    pub interval: Option<(f64, f64)>,
    /// Values.
    pub count: usize,
}

/// With fewer values there is no interval.
pub const FEWEST: usize = 3;

impl Range {
    /// Of positive values; `widened` is a share of the mean that each value may be wrong by, which widens the interval.
    /// `None` for no value, and for one that is not positive.
    pub fn of(values: &[f64], widened: f64) -> Option<Range> {
        if !values.iter().all(|value| *value > 0.0 && value.is_finite()) {
            return None;
        }
        let (mean, count) = (mean(values)?, values.len());
        let interval = half_log_width(values).map(|half| {
            let factor = (half + widened.ln_1p()).exp();
            (mean / factor, mean * factor)
        });
        Some(Range { mean, interval, count })
    }
}

fn half_log_width(values: &[f64]) -> Option<f64> {
    let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    let count = Some(logs.len()).filter(|count| *count >= FEWEST)?;
    Some(t95(count - 1)? * (variance(&logs)? / count as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_even_in_the_logarithm() {
        // Logarithms 0, ln 2, ln 4: standard deviation ln 2, t(2) = 4.30265.
        let range = Range::of(&[1.0, 2.0, 4.0], 0.0).expect("three values");
        let factor = (4.30265 * 2f64.ln() / 3f64.sqrt()).exp();
        let (low, high) = range.interval.expect("three are enough");
        assert!((range.mean - 7.0 / 3.0).abs() < 1e-12 && range.count == 3);
        assert!((high / range.mean / factor - 1.0).abs() < 1e-4 && (range.mean / low / factor - 1.0).abs() < 1e-4);
        let wider = Range::of(&[1.0, 2.0, 4.0], 0.1).and_then(|range| range.interval).expect("an interval");
        assert!((wider.1 / high - 1.1).abs() < 1e-12 && (low / wider.0 - 1.1).abs() < 1e-12);
    }

    #[test]
    fn two_values_have_a_mean_and_no_interval() {
        assert_eq!(Range::of(&[1.0, 3.0], 0.1), Some(Range { mean: 2.0, interval: None, count: 2 }));
        assert_eq!(
            (Range::of(&[], 0.0), Range::of(&[1.0, 0.0, 2.0], 0.0), Range::of(&[f64::NAN], 0.0)),
            (None, None, None)
        );
    }
}
