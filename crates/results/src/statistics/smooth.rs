//! Moving averages and straight lines.

/// Which values around index `i` a moving average of `n` points takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// The value and the `n - 1` before it: what a live plot can show; lags by half a window.
    Trailing,
    /// `n / 2` before, the value, and the rest after it; no lag (half a step for an even `n`).
    Centred,
}

impl Window {
    /// First index and end of the full window of `points` at `index`; the start may lie before the series.
    pub(super) fn range(self, index: usize, points: usize) -> (isize, usize) {
        let before = match self {
            Self::Trailing => points - 1,
            Self::Centred => points / 2,
        };
        let start = index as isize - before as isize;
        (start, (start + points as isize) as usize)
    }
}

/// Moving average of the same length as the series; at the ends over the part of the window that exists.
///
/// Values that are not finite count as missing; a window without any value gives NaN. `points` of 0 counts as 1.
pub fn moving_average(series: &[f64], points: usize, window: Window) -> Vec<f64> {
    let points = points.max(1);
    let average = |index: usize| {
        let (start, end) = window.range(index, points);
        // Summed afresh: a running sum would carry rounding errors from one end of the series to the other.
        let (mut sum, mut count) = (0.0, 0_u32);
        for value in &series[start.max(0) as usize..end.min(series.len())] {
            if value.is_finite() {
                sum += value;
                count += 1;
            }
        }
        sum / f64::from(count)
    };
    (0..series.len()).map(average).collect()
}

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Rise, in units of y per unit of x.
    pub slope: f64,
    /// Value at x = 0, in units of y.
    pub intercept: f64,
}

/// Least-squares line through points.
///
/// `None` for unequal lengths, fewer than two points, all x equal, or a value that is not finite.
pub fn fit_line(x: &[f64], y: &[f64]) -> Option<Line> {
    // Compared one by one, for the mean of equal numbers may differ from them in the last bit.
    if x.len() != y.len() || x.iter().all(|value| *value == x[0]) {
        return None;
    }
    let count = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / count, y.iter().sum::<f64>() / count);
    let (mut xx, mut xy) = (0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        xx += (x - mean_x) * (x - mean_x);
        xy += (x - mean_x) * (y - mean_y);
    }
    let slope = xy / xx;
    let intercept = mean_y - slope * mean_x;
    (slope.is_finite() && intercept.is_finite()).then_some(Line { slope, intercept })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn windows_take_the_values_they_say() {
        let series = [1.0, 2.0, 4.0, 8.0, 16.0];
        assert_eq!(moving_average(&series, 2, Window::Trailing), [1.0, 1.5, 3.0, 6.0, 12.0]);
        assert_eq!(moving_average(&series, 3, Window::Centred), [1.5, 7.0 / 3.0, 14.0 / 3.0, 28.0 / 3.0, 12.0]);
        assert_eq!(moving_average(&series, 2, Window::Centred), [1.0, 1.5, 3.0, 6.0, 12.0]);
        assert_eq!(moving_average(&series, 0, Window::Centred), series);
        assert_eq!(moving_average(&series, 100, Window::Centred), [6.2; 5]);
        assert!(moving_average(&[], 3, Window::Centred).is_empty());
    }

    #[test]
    fn missing_values_are_left_out() {
        let average = moving_average(&[1.0, f64::NAN, 3.0, f64::NAN, f64::NAN], 2, Window::Trailing);
        assert_eq!(average[..4], [1.0, 1.0, 3.0, 3.0]);
        assert!(average[4].is_nan());
    }

    #[test]
    fn centred_keeps_and_trailing_delays_a_ramp() {
        let ramp: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(moving_average(&ramp, 11, Window::Centred)[50], 50.0);
        assert_eq!(moving_average(&ramp, 11, Window::Trailing)[50], 45.0);
    }

    #[test]
    fn lines_that_cannot_be_fitted() {
        assert_eq!(fit_line(&[1.0], &[1.0]), None);
        assert_eq!(fit_line(&[1.0, 2.0], &[1.0]), None);
        assert_eq!(fit_line(&[0.02; 7], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]), None);
        assert_eq!(fit_line(&[], &[]), None);
        assert_eq!(fit_line(&[1.0, 2.0], &[1.0, f64::NAN]), None);
    }

    proptest! {
        #[test]
        fn averages_agree_with_the_definition(
            series in proptest::collection::vec(-1e3..1e3, 1..60), points in 1_usize..70, centred in any::<bool>(),
        ) {
            let window = if centred { Window::Centred } else { Window::Trailing };
            let before = if centred { points / 2 } else { points - 1 };
            for (i, got) in moving_average(&series, points, window).into_iter().enumerate() {
                let inside: Vec<f64> = (0..series.len())
                    .filter(|&j| j + before >= i && j + before < i + points)
                    .map(|j| series[j])
                    .collect();
                let naive = inside.iter().sum::<f64>() / inside.len() as f64;
                prop_assert!((got - naive).abs() < 1e-9);
            }
        }

        #[test]
        fn a_line_is_found_again(slope in -10.0..10.0_f64, intercept in -10.0..10.0_f64, n in 2_u32..50) {
            let x: Vec<f64> = (0..n).map(|i| f64::from(i) * 0.5).collect();
            let y: Vec<f64> = x.iter().map(|x| slope * x + intercept).collect();
            let line = fit_line(&x, &y).unwrap();
            prop_assert!((line.slope - slope).abs() < 1e-9 && (line.intercept - intercept).abs() < 1e-8);
        }

        #[test]
        fn no_line_fits_better(y in proptest::collection::vec(-10.0..10.0, 3..20), tilt in -0.1..0.1_f64, lift in -0.1..0.1_f64) {
            let x: Vec<f64> = (0..y.len()).map(|i| i as f64).collect();
            let line = fit_line(&x, &y).unwrap();
            let error = |slope: f64, intercept: f64| -> f64 {
                x.iter().zip(&y).map(|(x, y)| (y - slope * x - intercept).powi(2)).sum()
            };
            prop_assert!(error(line.slope, line.intercept) <= error(line.slope + tilt, line.intercept + lift) + 1e-9);
        }
    }
}
