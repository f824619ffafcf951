//! Latencies in bounded memory: exact count, sum, least and greatest; percentiles to three digits.
//!
//! Buckets hold single values up to 2,047 and 0.1 percent of the value beyond. All of them exist from the start up
//! to a given limit, so that recording never allocates; what lies above the limit is counted in the top bucket.

use crate::series::{Series, SeriesColumn};
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Significant decimal digits of a bucket.
const DIGITS: u8 = 3;

/// Histogram of latencies in cycles.
#[derive(Clone, Debug)]
pub struct LatencyHistogram {
    buckets: Histogram<u64>,
    limit: u64,
    sum: u128,
    count: u64,
    min: u64,
    max: u64,
    overflow: u64,
}

/// All that a histogram has counted, to be kept elsewhere and set again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    limit: u64,
    sum: u128,
    count: u64,
    min: u64,
    max: u64,
    overflow: u64,
    /// Values and how often they, or others of their bucket, were counted.
    buckets: Vec<(u64, u64)>,
}

/// One bucket that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Least latency it holds \[cycles\].
    pub low: u64,
    /// Greatest latency it holds \[cycles\]; for the top bucket the limit, though it counts what lies above, too.
    pub high: u64,
    /// Latencies counted.
    pub count: u64,
}

/// Two histograms of different limits cannot be merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot merge histograms with limits of {0} and {1} cycles")]
pub struct LimitsDiffer(pub u64, pub u64);

/// Why a histogram cannot take over counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unset {
    /// They are of another limit.
    #[error(transparent)]
    Limits(LimitsDiffer),
    /// They contradict each other.
    #[error("the counts of a histogram contradict each other")]
    Counts,
}

impl Counts {
    /// Whether a histogram may have counted so.
    fn agree(&self) -> bool {
        let all = self.buckets.iter().try_fold(0u64, |all, &(_, count)| all.checked_add(count));
        if all != Some(self.count) || self.overflow > self.count || self.count > MOST {
            return false;
        }
        let (count, least, most) = (u128::from(self.count), u128::from(self.min), u128::from(self.max));
        if count == 0 {
            return (self.min, self.max, self.sum) == (u64::MAX, 0, 0);
        }
        self.min <= self.max && (count * least..=count * most).contains(&self.sum)
    }
}

/// More is counted by nobody.
const MOST: u64 = 1 << 60;

impl LatencyHistogram {
    /// An empty histogram with all its buckets up to `limit` cycles, clamped to 2 to 2^48.
    ///
    /// Takes about 8 KiB for each doubling of the limit beyond 1,024.
    pub fn new(limit: u64) -> Self {
        let limit = limit.clamp(2, 1 << 48);
        let buckets = Histogram::new_with_bounds(1, limit, DIGITS).expect("bounds from 1 to at least 2 are valid");
        Self { buckets, limit, sum: 0, count: 0, min: u64::MAX, max: 0, overflow: 0 }
    }

    /// What the buckets of one up to `limit` take \[bytes\].
    pub fn bytes(limit: u64) -> u64 {
        (Self::new(limit).buckets.distinct_values() * size_of::<u64>()) as u64
    }

    /// Counts one latency \[cycles\]. Never allocates.
    #[inline]
    pub fn record(&mut self, latency: u64) {
        self.buckets.saturating_record(latency.min(self.limit));
        self.sum += u128::from(latency);
        self.count += 1;
        self.min = self.min.min(latency);
        self.max = self.max.max(latency);
        self.overflow += u64::from(latency > self.limit);
    }

    /// Adds all that another histogram of the same limit counted.
    ///
    /// # Errors
    /// [`LimitsDiffer`]; nothing is changed then.
    pub fn merge(&mut self, other: &Self) -> Result<(), LimitsDiffer> {
        let differ = LimitsDiffer(self.limit, other.limit);
        if self.limit != other.limit {
            return Err(differ);
        }
        self.buckets.add(&other.buckets).map_err(|_| differ)?;
        self.sum += other.sum;
        self.count += other.count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.overflow += other.overflow;
        Ok(())
    }

    /// All that was counted.
    pub fn counts(&self) -> Counts {
        let Self { buckets, limit, sum, count, min, max, overflow } = self;
        let buckets = buckets.iter_recorded().map(|bucket| (bucket.value_iterated_to(), bucket.count_at_value()));
        let (limit, sum, count, min, max, overflow) = (*limit, *sum, *count, *min, *max, *overflow);
        Counts { limit, sum, count, min, max, overflow, buckets: buckets.collect() }
    }

    /// Forgets everything and takes over what a histogram of the same limit had counted.
    ///
    /// # Errors
    /// For another limit, and for counts that no histogram has; nothing is changed then.
    pub fn set(&mut self, counts: &Counts) -> Result<(), Unset> {
        if self.limit != counts.limit {
            return Err(Unset::Limits(LimitsDiffer(self.limit, counts.limit)));
        }
        if !counts.agree() {
            return Err(Unset::Counts);
        }
        self.buckets.reset();
        for &(value, count) in &counts.buckets {
            self.buckets.saturating_record_n(value.min(self.limit), count);
        }
        (self.sum, self.count, self.overflow) = (counts.sum, counts.count, counts.overflow);
        (self.min, self.max) = (counts.min, counts.max);
        Ok(())
    }

    /// Forgets everything, as at the end of the warm-up; keeps the memory.
    pub fn clear(&mut self) {
        self.buckets.reset();
        (self.sum, self.count, self.min, self.max, self.overflow) = (0, 0, u64::MAX, 0, 0);
    }

    /// Number of latencies.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Exact sum \[cycles\].
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// Exact mean \[cycles\] but for the rounding of one division; `None` when empty.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Exact least latency \[cycles\]; `None` when empty.
    pub fn min(&self) -> Option<u64> {
        (self.count > 0).then_some(self.min)
    }

    /// Exact greatest latency \[cycles\], also above the limit; `None` when empty.
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// Latencies above the limit; a percentile that falls among them reads as the limit.
    pub fn overflow(&self) -> u64 {
        self.overflow
    }

    /// The greatest latency with a bucket of its own \[cycles\].
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Latency that `percent` of all do not exceed \[cycles\], by nearest rank; `None` when empty.
    ///
    /// Exact up to 2,047 cycles, at most 0.1 percent too high beyond. `percent` is clamped to 0 to 100.
    pub fn percentile(&self, percent: f64) -> Option<u64> {
        if self.count == 0 {
            return None;
        }
        let value = self.buckets.value_at_quantile((percent / 100.0).clamp(0.0, 1.0));
        Some(value.min(self.limit).clamp(self.min.min(self.limit), self.max))
    }

    /// The buckets that are not empty, in rising order.
    pub fn buckets(&self) -> impl Iterator<Item = Bucket> + '_ {
        self.buckets.iter_recorded().map(|step| {
            let value = step.value_iterated_to();
            Bucket {
                low: self.buckets.lowest_equivalent(value),
                high: self.buckets.highest_equivalent(value).min(self.limit),
                count: step.count_at_value(),
            }
        })
    }

    /// The buckets as a table: `latency_low` against `latency_high` and `packets`.
    pub fn series(&self, name: impl Into<String>) -> Series {
        let buckets: Vec<Bucket> = self.buckets().collect();
        let column = |name: &str, unit: &str, value: fn(&Bucket) -> u64| SeriesColumn {
            name: name.into(),
            unit: unit.into(),
            values: buckets.iter().map(|bucket| value(bucket) as f64).collect(),
        };
        Series {
            name: name.into(),
            unit: "packets".into(),
            x_name: "latency_low".into(),
            x_unit: "cycles".into(),
            x: buckets.iter().map(|bucket| bucket.low as f64).collect(),
            columns: vec![column("latency_high", "cycles", |b| b.high), column("packets", "packets", |b| b.count)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(limit: u64, latencies: &[u64]) -> LatencyHistogram {
        let mut histogram = LatencyHistogram::new(limit);
        latencies.iter().for_each(|&latency| histogram.record(latency));
        histogram
    }

    #[test]
    fn empty_answers_nothing() {
        let empty = LatencyHistogram::new(0);
        assert_eq!((empty.mean(), empty.min(), empty.max(), empty.percentile(50.0)), (None, None, None, None));
        assert_eq!((empty.count(), empty.buckets().count(), empty.limit()), (0, 0, 2));
    }

    #[test]
    fn overflow_goes_to_the_top_bucket_and_the_maximum_stays_exact() {
        let histogram = of(10_000, &[0, 5, 10_000, 10_001, u64::MAX]);
        assert_eq!((histogram.count(), histogram.overflow()), (5, 2));
        assert_eq!((histogram.min(), histogram.max()), (Some(0), Some(u64::MAX)));
        assert_eq!(histogram.sum(), u128::from(u64::MAX) + 20_006);
        assert_eq!(histogram.percentile(100.0), Some(10_000));
        assert_eq!(histogram.percentile(0.0), Some(0));
        let buckets: Vec<Bucket> = histogram.buckets().collect();
        assert_eq!(buckets[2].count, 3);
        assert_eq!(buckets[2].high, 10_000);
    }

    #[test]
    fn all_latencies_above_the_limit_still_give_an_answer() {
        let histogram = of(100, &[5_000, 6_000]);
        assert_eq!((histogram.percentile(50.0), histogram.min()), (Some(100), Some(5_000)));
    }

    #[test]
    fn recording_never_grows_the_buckets() {
        let mut histogram = LatencyHistogram::new(1 << 20);
        let before = histogram.buckets.distinct_values();
        (0..64).for_each(|bit| histogram.record(1 << bit));
        assert_eq!(histogram.buckets.distinct_values(), before);
    }

    #[test]
    fn only_equal_limits_merge() {
        let mut histogram = of(100, &[1]);
        assert_eq!(histogram.merge(&of(200, &[2])), Err(LimitsDiffer(100, 200)));
        assert_eq!(histogram.count(), 1);
    }

    #[test]
    fn the_series_has_a_row_a_bucket() {
        let series = of(100_000, &[3, 3, 7, 50_000]).series("latency");
        series.check().unwrap();
        assert_eq!(series.x[..2], [3.0, 7.0]);
        assert_eq!(series.columns[1].values, [2.0, 1.0, 1.0]);
    }

    proptest! {
        #[test]
        fn agrees_with_the_sorted_sample(
            mut latencies in proptest::collection::vec(prop_oneof![0_u64..3_000, 0_u64..10_000_000], 1..200),
            percent in 0.0..=100.0_f64,
        ) {
            let histogram = of(10_000_000, &latencies);
            latencies.sort_unstable();
            let rank = ((percent / 100.0 * latencies.len() as f64).ceil() as usize).max(1);
            let exact = latencies[rank - 1];
            let got = histogram.percentile(percent).unwrap();
            prop_assert!(got >= exact && got - exact <= exact / 1_000, "{} against {}", got, exact);
            prop_assert!(exact >= 2_048 || got == exact);
            prop_assert_eq!(histogram.sum(), latencies.iter().map(|&l| u128::from(l)).sum::<u128>());
            prop_assert_eq!(histogram.min(), latencies.first().copied());
            prop_assert_eq!(histogram.max(), latencies.last().copied());
            prop_assert_eq!(histogram.buckets().map(|b| b.count).sum::<u64>(), histogram.count());
            for bucket in histogram.buckets() {
                let inside = latencies.iter().filter(|&&l| (bucket.low..=bucket.high).contains(&l)).count() as u64;
                prop_assert_eq!(bucket.count, inside);
            }
        }

        #[test]
        fn merging_equals_recording_all(
            a in proptest::collection::vec(0_u64..200_000, 0..50), b in proptest::collection::vec(0_u64..200_000, 0..50),
        ) {
            let mut merged = of(100_000, &a);
            merged.merge(&of(100_000, &b)).unwrap();
            let all = of(100_000, &[a, b].concat());
            prop_assert_eq!(merged.buckets().collect::<Vec<_>>(), all.buckets().collect::<Vec<_>>());
            prop_assert_eq!(
                (merged.sum(), merged.min(), merged.max(), merged.overflow(), merged.percentile(95.0)),
                (all.sum(), all.min(), all.max(), all.overflow(), all.percentile(95.0))
            );
            merged.clear();
            prop_assert_eq!((merged.count(), merged.overflow(), merged.buckets().count()), (0, 0, 0));
        }
    }
}
