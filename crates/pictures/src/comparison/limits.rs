//! What the axes of the figure show: from zero to an end that means decide, never intervals.

use super::{Comparison, Ended};
use crate::scale::{Span, Ticks, nice_step};

/// Latency is shown up to this multiple of the largest steady mean.
const ABOVE_STEADY: f64 = 1.35;

/// A bound farther above the curves than this multiple of them is not shown.
const FAR_BOUND: f64 = 2.5;

/// An axis from zero, with its ticks.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) span: Span,
    pub(super) ticks: Ticks,
}

impl Axis {
    fn to(top: f64) -> Self {
        let top = if top.is_finite() && top > 1e-300 { top } else { 1.0 };
        let span = Span { lo: 0.0, hi: top, log: false };
        Self { span, ticks: span.ticks_at(step(top)) }
    }

    pub(super) fn end(&self) -> f64 {
        self.span.hi
    }
}

/// Step of 1, 2 or 5 times a power of ten with about five steps up to `top`; one that ends there, if possible.
fn step(top: f64) -> f64 {
    let unit = 10f64.powf((top / 5.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * unit);
    let count = |step: f64| top / step;
    let far = |step: f64| (count(step) / 5.0).ln().abs();
    let ends = |step: f64| (count(step) - count(step).round()).abs() < 1e-6 && (2.5..7.5).contains(&count(step));
    let nearest = |steps: Vec<f64>| steps.into_iter().min_by(|a, b| far(*a).total_cmp(&far(*b)));
    nearest(steps.into_iter().filter(|s| ends(*s)).collect()).or(nearest(steps.to_vec())).unwrap_or(top)
}

/// `value`, up to the next multiple of `step`.
fn up(value: f64, step: f64) -> f64 {
    (value / step - 1e-6).ceil().max(1.0) * step
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.filter(|v| v.is_finite()).fold(0.0, f64::max)
}

/// Offered load: to the next half of a tick after the largest one.
pub(super) fn offered(comparison: &Comparison) -> Axis {
    let most = largest(comparison.variants.iter().flat_map(|v| v.points.iter().map(|p| p.load)));
    if most <= 0.0 {
        return Axis::to(1.0);
    }
    Axis::to(up(most, step(most) / 2.0))
}

/// The bound, where it is near enough to be shown.
pub(super) fn near_bound(comparison: &Comparison) -> Option<f64> {
    let bound = comparison.bound.as_ref()?.load;
    (bound > 0.0 && bound <= FAR_BOUND * most_accepted(comparison)).then_some(bound)
}

fn most_accepted(comparison: &Comparison) -> f64 {
    largest(comparison.variants.iter().flat_map(|v| v.points.iter().map(|p| p.accepted.mean)))
}

/// Accepted load: to the next tick above the bound, with room for the bound's name, which is `room` of the axis.
pub(super) fn accepted(comparison: &Comparison, room: f64) -> Axis {
    let means = most_accepted(comparison);
    let most = means.max(near_bound(comparison).unwrap_or(0.0));
    if most <= 0.0 {
        return Axis::to(1.0);
    }
    let tick = nice_step(most / 6.0);
    let mut top = up(most, tick);
    while top - most < room * top {
        top += tick;
    }
    Axis::to(top)
}

/// Latency: to a round number above the largest mean of a steady point. Without one, above the smallest mean.
pub(super) fn latency(comparison: &Comparison) -> Axis {
    let points = || comparison.variants.iter().flat_map(|v| &v.points);
    let mean = |p: &super::Point| p.latency.as_ref().map(|l| l.mean).filter(|m| m.is_finite());
    let steady = largest(points().filter(|p| p.ended == Ended::Steady).filter_map(mean));
    let lowest = points().filter_map(mean).fold(f64::INFINITY, f64::min);
    let most = if steady > 0.0 { steady } else { lowest };
    if !most.is_finite() || most <= 0.0 {
        return Axis::to(1.0);
    }
    let top = ABOVE_STEADY * most;
    // Eight or fewer of 1, 2, 2.5 or 5 times a power of ten: 25 cycles below 200.
    let unit = 10f64.powf((top / 8.0).log10().floor());
    let round = [1.0, 2.5, 5.0, 10.0].into_iter().map(|m| m * unit).find(|s| up(top, *s) <= 8.0 * s);
    Axis::to(up(top, round.unwrap_or(top)))
}

#[cfg(test)]
mod tests {
    use super::super::{Bound, Point, Variant};
    use super::*;
    use crate::estimate::Estimate;

    fn study(bound: f64) -> Comparison {
        let point = |load: f64, accepted: f64, latency: f64, ended| Point {
            load,
            accepted: Estimate::with(accepted, -5.0, 5.0),
            latency: Some(Estimate::with(latency, -1e4, 1e4)),
            ended,
            ..Point::default()
        };
        let points = vec![
            point(0.05, 0.05, 17.9, Ended::Steady),
            point(0.3, 0.3, 69.0, Ended::Steady),
            point(0.6, 0.29, 3891.0, Ended::Unsteady),
        ];
        Comparison {
            variants: vec![Variant { points, ..Variant::default() }],
            bound: Some(Bound { name: "bound".into(), load: bound }),
            ..Comparison::default()
        }
    }

    fn labels(axis: &Axis) -> Vec<&str> {
        axis.ticks.major.iter().map(|tick| tick.label.as_str()).collect()
    }

    #[test]
    fn the_axes_of_the_study_end_where_its_means_and_its_bound_say() {
        let (x, y, latency) = (offered(&study(0.443)), accepted(&study(0.443), 0.09), latency(&study(0.443)));
        assert_eq!(labels(&x), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6"]);
        assert_eq!(labels(&y), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(labels(&latency), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(accepted(&study(0.498), 0.09).end(), 0.6, "the bound's name needs room");
    }

    #[test]
    fn a_far_bound_is_not_shown_and_does_not_squeeze_the_curves() {
        assert_eq!(near_bound(&study(1.0)), None);
        assert!(accepted(&study(1.0), 0.09).end() < 0.45);
    }

    #[test]
    fn intervals_set_no_axis() {
        let mut narrow = study(0.443);
        for point in &mut narrow.variants[0].points {
            point.accepted.interval = None;
            point.latency = point.latency.as_ref().map(|l| Estimate::of(l.mean));
        }
        assert_eq!(latency(&narrow).end(), latency(&study(0.443)).end());
        assert_eq!(accepted(&narrow, 0.09).end(), accepted(&study(0.443), 0.09).end());
    }

    #[test]
    fn axes_are_usable_whatever_they_show() {
        let mut odd = study(f64::NAN);
        for mean in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320, 1e250, 13.0, 250.0, 99_999.0] {
            for point in &mut odd.variants[0].points {
                point.latency = Some(Estimate::of(mean));
                point.accepted = Estimate::of(mean);
                point.load = mean;
            }
            for axis in [offered(&odd), accepted(&odd, 0.09), latency(&odd)] {
                assert!(axis.end() > 0.0 && axis.end().is_finite(), "{mean}: {axis:?}");
                assert!((2..=14).contains(&axis.ticks.major.len()), "{mean}: {axis:?}");
            }
        }
        let none = Comparison::default();
        assert_eq!((offered(&none).end(), accepted(&none, 0.09).end(), latency(&none).end()), (1.0, 1.0, 1.0));
    }
}
