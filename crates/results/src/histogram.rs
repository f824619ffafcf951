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
mod tests;
