//! Up to which load variants cannot be told apart.

use super::{Comparison, Ended, Point};
use crate::estimate::Estimate;

/// Number of loads, from the first one, at which all variants are steady and their means are closer than their widest
/// interval, in accepted load and in latency; or closer than can be seen. None for a single variant.
pub(super) fn alike(comparison: &Comparison) -> usize {
    let [first, others @ ..] = comparison.variants.as_slice() else { return 0 };
    if others.is_empty() {
        return 0;
    }
    let same = |at: usize| {
        let here: Option<Vec<&Point>> = comparison.variants.iter().map(|v| v.points.get(at)).collect();
        here.is_some_and(|points| together(&points))
    };
    (0..first.points.len()).take_while(|&at| same(at)).count()
}

/// Means this share apart are no farther apart than a curve is thick.
const UNSEEN: f64 = 0.003;

fn together(points: &[&Point]) -> bool {
    let load = points[0].load;
    let steady = points.iter().all(|p| p.ended == Ended::Steady && (p.load - load).abs() <= 1e-9 * load.abs());
    let accepted: Vec<&Estimate> = points.iter().map(|p| &p.accepted).collect();
    let latency: Option<Vec<&Estimate>> = points.iter().map(|p| p.latency.as_ref()).collect();
    steady && close(&accepted) && latency.is_none_or(|latency| close(&latency))
}

fn close(values: &[&Estimate]) -> bool {
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v.mean), h.max(v.mean)));
    let widest = values.iter().filter_map(|v| v.interval).map(|(low, high)| high - low).fold(0.0, f64::max);
    high - low <= widest.max(UNSEEN * high.abs())
}

/// What the variants share at a load: the mean of their means, between the ends of all intervals.
pub(super) fn shared(values: impl Iterator<Item = Estimate> + Clone) -> Estimate {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().map(|v| v.mean).sum::<f64>() / count;
    let interval = values.filter_map(|v| v.interval).reduce(|(low, high), other| (low.min(other.0), high.max(other.1)));
    Estimate { mean, interval, seeds: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::super::Variant;
    use super::*;

    fn variant(latencies: &[(f64, f64)], ended: Ended) -> Variant {
        let point = |(at, &(mean, half)): (usize, &(f64, f64))| Point {
            load: 0.1 * (at + 1) as f64,
            accepted: Estimate::of(0.1 * (at + 1) as f64),
            latency: Some(Estimate::with(mean, mean - half, mean + half)),
            ended: if at == 2 { ended } else { Ended::Steady },
            ..Point::default()
        };
        Variant { points: latencies.iter().enumerate().map(point).collect(), ..Variant::default() }
    }

    fn compared(variants: Vec<Variant>) -> usize {
        alike(&Comparison { variants, ..Comparison::default() })
    }

    #[test]
    fn variants_part_where_their_means_leave_the_widest_interval() {
        let first = variant(&[(20.0, 0.1), (30.0, 1.0), (50.0, 1.0)], Ended::Steady);
        let near = variant(&[(20.01, 0.1), (31.9, 0.5), (53.0, 1.0)], Ended::Steady);
        assert_eq!(compared(vec![first.clone(), near.clone()]), 2);
        assert_eq!(compared(vec![first.clone(), near, first.clone()]), 2);
        assert_eq!(compared(vec![first.clone(), first.clone()]), 3);
        assert_eq!(compared(vec![first]), 0, "one variant is like no other");
    }

    #[test]
    fn what_is_not_steady_is_not_alike() {
        let saturated = variant(&[(20.0, 1.0), (30.0, 1.0), (500.0, 1.0)], Ended::Unsteady);
        assert_eq!(compared(vec![saturated.clone(), saturated]), 2);
        assert_eq!(compared(Vec::new()), 0);
    }

    #[test]
    fn what_is_shared_lies_between_all_intervals() {
        let values = [Estimate::with(10.0, 9.0, 11.0), Estimate::with(12.0, 11.5, 12.5)];
        assert_eq!(shared(values.into_iter()), Estimate::with(11.0, 9.0, 12.5));
    }
}
