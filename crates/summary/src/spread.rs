//! The mean over seeds with its 95 % interval, or the reason why there is none.

use crate::scale::Scale;
use tailback_results::statistics::{mean, summarise};

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// Half of its width, which is what stands behind a ±.
    pub fn half(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// Why a mean has no interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoInterval {
    /// Fewer than [`FEWEST`] values.
    Fewer,
    /// Every value is 0.
    AllZero,
    /// Half of the interval exceeds half of the mean: the seeds are too few to say where the mean lies.
    TooFew(Interval),
}

/// Fewer seeds than these make no interval.
pub const FEWEST: usize = 3;

/// Values of several seeds, summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Arithmetic mean.
    pub mean: f64,
    /// Number of values.
    pub n: usize,
    /// The 95 % interval of the mean, or the reason why there is none.
    pub interval: Result<Interval, NoInterval>,
}

impl Spread {
    /// The spread of these values, one per seed. `None` where there are none, or one is not finite.
    pub fn of(values: &[f64], scale: Scale) -> Option<Spread> {
        let summary = summarise(values)?;
        let (mean, n) = (summary.mean, values.len());
        let interval = match around(values, mean, summary.half_width.unwrap_or(0.0), scale) {
            _ if n < FEWEST => Err(NoInterval::Fewer),
            _ if values.iter().all(|value| *value == 0.0) => Err(NoInterval::AllZero),
            wide if wide.half() > mean.abs() / 2.0 => Err(NoInterval::TooFew(wide)),
            interval => Ok(interval),
        };
        Some(Spread { mean, n, interval })
    }

    /// The interval, where there is one that may be drawn.
    pub fn interval(&self) -> Option<Interval> {
        self.interval.ok()
    }

    /// Half of the interval's width.
    pub fn half(&self) -> Option<f64> {
        self.interval().map(|interval| interval.half())
    }
}

fn around(values: &[f64], mean: f64, half: f64, scale: Scale) -> Interval {
    let (lowest, highest) = match scale {
        Scale::Logarithm if values.iter().all(|value| *value > 0.0) => {
            let factor = half_of_logarithms(values).exp();
            return Interval { low: mean / factor, high: mean * factor };
        }
        Scale::Logarithm => (0.0, f64::INFINITY),
        Scale::Plain { low, high } => (low, high),
        Scale::None => (f64::NEG_INFINITY, f64::INFINITY),
    };
    Interval { low: (mean - half).max(lowest), high: (mean + half).min(highest) }
}

/// Half width of the interval of the values' logarithms.
fn half_of_logarithms(values: &[f64]) -> f64 {
    // Equal values have no width; that of their logarithms would be the rounding error of a mean.
    if values.iter().all(|value| *value == values[0]) {
        return 0.0;
    }
    let logarithms: Vec<f64> = values.iter().map(|value| value.ln()).collect();
    summarise(&logarithms).and_then(|summary| summary.half_width).unwrap_or(0.0)
}

/// The mean of values that need no interval; `None` where there are none.
pub fn plain_mean(values: &[f64]) -> Option<f64> {
    mean(values).filter(|mean| mean.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FROM_ZERO: Scale = Scale::Plain { low: 0.0, high: f64::INFINITY };

    #[test]
    fn the_logarithm_keeps_latencies_positive() {
        // Mean latencies of seeds 1 to 3 just beyond saturation (16 x 16 torus, uniform, load 0.35, 2,000 cycles of warm-up).
        let values = [480.232_713_599_331_53, 426.802_464_997_943_3, 1_019.971_989_966_555_2];
        let plain = Spread::of(&values, Scale::None).expect("values");
        let Err(NoInterval::TooFew(plain)) = plain.interval else { panic!("{plain:?}") };
        assert_eq!([plain.low, plain.high].map(f64::round), [-173.0, 1457.0], "the plain t reaches below 0");
        let spread = Spread::of(&values, Scale::Logarithm).expect("values");
        let Err(NoInterval::TooFew(wide)) = spread.interval else { panic!("{spread:?}") };
        assert_eq!([wide.low, wide.high].map(f64::round), [199.0, 2078.0]);
        assert!((wide.low * wide.high - spread.mean.powi(2)).abs() < 1e-6, "mean times and over one factor");
        assert_eq!(spread.interval(), None, "too wide to be drawn");
    }

    #[test]
    fn a_known_interval_of_logarithms() {
        // ln: 0, 1, 2; their half width is t95(2) / sqrt(3) = 4.302653 * 0.577350.
        let values = [1.0, std::f64::consts::E, std::f64::consts::E.powi(2)];
        let spread = Spread::of(&values, Scale::Logarithm).expect("values");
        let Err(NoInterval::TooFew(interval)) = spread.interval else { panic!("{spread:?}") };
        assert!(((interval.high / spread.mean).ln() - 2.484_138).abs() < 1e-4, "{interval:?}");
    }

    #[test]
    fn natural_bounds_cut_a_plain_interval() {
        let fair = Spread::of(&[0.90, 0.99, 1.0], Scale::Plain { low: 0.0, high: 1.0 }).expect("values");
        assert_eq!(fair.interval().expect("narrow").high, 1.0);
        let zero_among = Spread::of(&[0.0, 0.3, 0.3], Scale::Logarithm).expect("values");
        let Err(NoInterval::TooFew(interval)) = zero_among.interval else { panic!("{zero_among:?}") };
        assert_eq!(interval.low, 0.0, "no logarithm of 0: the plain t, cut there");
    }

    #[test]
    fn reasons_for_no_interval() {
        let reason = |values: &[f64]| Spread::of(values, FROM_ZERO).expect("values").interval;
        assert_eq!(reason(&[1.0, 2.0]), Err(NoInterval::Fewer));
        assert_eq!(reason(&[0.0; 5]), Err(NoInterval::AllZero));
        assert!(matches!(reason(&[1.0, 2.0, 9.0]), Err(NoInterval::TooFew(_))));
        assert_eq!(reason(&[7.0; 3]), Ok(Interval { low: 7.0, high: 7.0 }));
        assert_eq!(Spread::of(&[], FROM_ZERO), None);
        assert_eq!(Spread::of(&[1.0, f64::NAN], FROM_ZERO), None);
    }

    proptest! {
        #[test]
        fn the_mean_lies_in_its_interval_and_that_is_positive(values in proptest::collection::vec(1e-3..1e4, 3..12)) {
            let spread = Spread::of(&values, Scale::Logarithm).expect("values");
            let (Ok(interval) | Err(NoInterval::TooFew(interval))) = spread.interval else { panic!("{spread:?}") };
            prop_assert!(0.0 <= interval.low && interval.low <= spread.mean && spread.mean <= interval.high);
        }
    }
}
