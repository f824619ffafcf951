//! A number that was measured with several seeds.

/// Half of an interval may be this share of the mean; a wider interval says nothing, so the seeds are drawn instead.
const WIDEST: f64 = 0.5;

/// A mean over seeds with its interval. The caller makes the interval, in the scale that suits the quantity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Mean over the seeds.
    pub mean: f64,
    /// Lower and upper end of the interval; none below three seeds.
    pub interval: Option<(f64, f64)>,
    /// The value of each seed; may be empty, and is drawn only where there is no interval that says something.
    pub seeds: Vec<f64>,
}

impl Estimate {
    /// A number without an interval.
    pub fn of(mean: f64) -> Self {
        Self { mean, ..Self::default() }
    }

    /// A number with its interval.
    pub fn with(mean: f64, low: f64, high: f64) -> Self {
        Self { mean, interval: Some((low, high)), seeds: Vec::new() }
    }

    /// The interval where it says something: not where half of it exceeds half of the mean.
    pub(crate) fn band(&self) -> Option<(f64, f64)> {
        let usable = |&(low, high): &(f64, f64)| {
            low.is_finite() && high.is_finite() && high >= low && high - low <= 2.0 * WIDEST * self.mean.abs()
        };
        self.interval.filter(usable)
    }

    /// Mean, lower and upper end; the ends are no numbers where there is no interval.
    pub(crate) fn ends(&self) -> [f64; 3] {
        let (low, high) = self.interval.unwrap_or((f64::NAN, f64::NAN));
        [self.mean, low, high]
    }

    /// The seeds, where they are drawn one by one.
    pub(crate) fn dots(&self) -> &[f64] {
        if self.seeds.len() >= 2 && self.band().is_none() { &self.seeds } else { &[] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_wider_than_its_mean_gives_way_to_the_seeds() {
        let seeds = vec![199.0, 640.0, 1087.0];
        let wide = Estimate { mean: 642.0, interval: Some((199.0, 2078.0)), seeds: seeds.clone() };
        assert_eq!((wide.band(), wide.dots()), (None, seeds.as_slice()));
        let narrow = Estimate { interval: Some((600.0, 690.0)), ..wide };
        assert_eq!((narrow.band(), narrow.dots().len()), (Some((600.0, 690.0)), 0));
        assert!(Estimate { seeds: vec![1.0], ..Estimate::of(1.0) }.dots().is_empty(), "one seed is its own mean");
    }
}
