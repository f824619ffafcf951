//! A study as the data of a picture.

use super::{Made, Row, Saturates};
use crate::compared::{drawn_at, estimate, of_spread};
use tailback_pictures::comparison::{Bound, Comparison, Point, Variant};
use tailback_summary::points::Point as Summed;

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
        knee: row.knee.as_ref().map(|knee| of_spread(knee, Vec::new())),
        saturation: match &row.saturates {
            Saturates::At(spread) => Some(of_spread(spread, Vec::new())),
            _ => None,
        },
    }
}

fn point(load: f64, point: &Summed) -> Point {
    drawn_at(load, estimate(point, "accepted_load").unwrap_or_default(), point)
}

impl Made<'_> {
    /// The channel-load bound, where all variants have the same.
    pub fn bound(&self) -> Option<f64> {
        let first = self.variants.first()?.bound?;
        self.variants.iter().all(|variant| variant.bound.is_some_and(|b| (b - first).abs() < 1e-9)).then_some(first)
    }
}
