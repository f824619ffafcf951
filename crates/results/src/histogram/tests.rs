//! Latencies counted, merged, set again, and told.

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
fn the_mean_is_exact() {
    assert_eq!(of(2, &[1, 2, 6]).mean(), Some(3.0), "also of what lies above the limit");
}

#[test]
fn memory_is_known_before_it_is_taken() {
    assert_eq!(LatencyHistogram::bytes(2_047), 8 * 2_048, "a counter of 8 bytes for every latency");
    for doublings in 11..30 {
        let more = LatencyHistogram::bytes(2 << doublings) - LatencyHistogram::bytes(1 << doublings);
        assert_eq!(more, 8 << 10, "8 KiB for each doubling");
    }
}

#[test]
fn what_was_counted_can_be_set_again() {
    let histogram = of(100_000, &[0, 5, 5, 70_000, 200_000]);
    let mut other = of(100_000, &[9, 9, 300_000]);
    other.set(&histogram.counts()).unwrap();
    assert_eq!(other.counts(), histogram.counts());
    let all = |h: &LatencyHistogram| (h.count(), h.sum(), h.min(), h.max(), h.overflow(), h.percentile(60.0));
    assert_eq!(all(&other), all(&histogram));
    assert_eq!(other.buckets().collect::<Vec<_>>(), histogram.buckets().collect::<Vec<_>>());
    let mut smaller = of(100, &[7]);
    assert_eq!(smaller.set(&histogram.counts()), Err(Unset::Limits(LimitsDiffer(100, 100_000))));
    assert_eq!((smaller.count(), smaller.sum()), (1, 7), "nothing is taken over then");
}

#[test]
fn all_may_lie_beyond_the_limit() {
    let histogram = of(100, &[100, 101, 500, 600]);
    assert_eq!((histogram.count(), histogram.overflow()), (4, 3));
}

/// What is set comes from files, and is taken over only where a histogram may have counted it.
#[test]
fn counts_are_taken_up_to_the_edge_of_what_can_be() {
    let taken = |counts: &Counts| LatencyHistogram::new(counts.limit).set(counts).is_ok();
    let good = of(100, &[500, 500, 600]).counts();
    assert_eq!((good.count, good.overflow), (3, 3));
    assert!(taken(&good));
    assert!(!taken(&Counts { overflow: 4, ..good.clone() }), "more beyond the limit than there are");
    assert!(!taken(&Counts { buckets: vec![(100, 2)], ..good.clone() }), "one is in no bucket");
    assert!(!taken(&Counts { buckets: vec![(7, u64::MAX), (100, 4)], ..good.clone() }), "too many to be counted");
    // Three latencies from 500 to 600.
    for (sum, can_be) in [(1_499, false), (1_500, true), (1_800, true), (1_801, false)] {
        assert_eq!(taken(&Counts { sum, ..good.clone() }), can_be, "{sum}");
    }
    let equal = |count: u64| Counts {
        count,
        sum: u128::from(count) * 7,
        min: 7,
        max: 7,
        overflow: 0,
        buckets: vec![(7, count)],
        ..good.clone()
    };
    assert!(taken(&equal(1)) && taken(&equal(MOST)) && !taken(&equal(MOST + 1)));
    assert!(!taken(&Counts { sum: 3, ..of(100, &[]).counts() }), "none, and yet a sum");
    assert!(taken(&of(100, &[]).counts()));
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
