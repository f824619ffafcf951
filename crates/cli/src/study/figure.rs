//! A study as the data of a picture.

use super::{Made, Row, Saturates};
use tailback_pictures::comparison::{Bound, Comparison, Ended, Point, Variant};
use tailback_pictures::estimate::Estimate;
use tailback_summary::mark::Mark;
use tailback_summary::points::Point as Summed;
use tailback_summary::spread::{NoInterval, Spread};

/// The picture of a study.
pub fn comparison(made: &Made) -> Comparison {
    Comparison {
        subject: made.subject.clone(),
        kind: format!("{}s", made.noun()),
        seeds: made.seeds().0,
        variants: made.rows.iter().map(variant).collect(),
        bound: made.bound().map(|load| Bound { name: "channel-load bound".to_owned(), load }),
        saturation_is: String::new(),
    }
}

fn variant(row: &Row) -> Variant {
    Variant {
        name: row.name.clone(),
        place: row.variant,
        twins: row.twins.clone(),
        points: row.points.iter().map(|(load, point)| self::point(*load, point)).collect(),
        zero_load: row.zero_load,
        knee: row.knee.as_ref().map(|knee| estimate(knee, &[])),
        saturation: match &row.saturates {
            Saturates::At(spread) => Some(estimate(spread, &[])),
            _ => None,
        },
    }
}

fn point(load: f64, point: &Summed) -> Point {
    let of = |column: &str| point.spread(column).map(|spread| estimate(&spread, &point.values(column)));
    Point {
        load,
        accepted: of("accepted_load").unwrap_or_default(),
        latency: of("latency_mean"),
        ended: match point.mark() {
            Mark::Filled => Ended::Steady,
            Mark::Hollow => Ended::Unsteady,
            Mark::Half => Ended::Interrupted,
            Mark::Crossed => Ended::Broken,
        },
        status: point.statuses().to_string(),
    }
}

/// A mean over seeds with its interval; of an interval that is too wide the picture shows the seeds.
pub fn estimate(spread: &Spread, seeds: &[f64]) -> Estimate {
    let interval = match spread.interval {
        Ok(interval) | Err(NoInterval::TooFew(interval)) => Some((interval.low, interval.high)),
        Err(_) => None,
    };
    Estimate { mean: spread.mean, interval, seeds: seeds.to_vec() }
}

impl Made<'_> {
    /// The channel-load bound, where all variants have the same.
    pub fn bound(&self) -> Option<f64> {
        let first = self.variants.first()?.bound?;
        self.variants.iter().all(|variant| variant.bound.is_some_and(|b| (b - first).abs() < 1e-9)).then_some(first)
    }
}
