//! The numbers of the figure as CSV, a row for each point.

use super::Comparison;
use crate::csv::Rows;
use crate::estimate::Estimate;

const HEAD: [&str; 10] = [
    "variant",
    "offered_load",
    "accepted_load",
    "accepted_load_low",
    "accepted_load_high",
    "latency_mean",
    "latency_mean_low",
    "latency_mean_high",
    "seeds",
    "status",
];

/// One row for each point of each variant, in the order of the figure.
pub(super) fn csv(comparison: &Comparison) -> String {
    let mut rows = Rows::new(&HEAD);
    for variant in &comparison.variants {
        let name = variant.label();
        for point in &variant.points {
            let latency = point.latency.clone().unwrap_or(Estimate::of(f64::NAN));
            let numbers = [&point.accepted, &latency].into_iter().flat_map(Estimate::ends);
            let row = rows.row().text(&name).number(point.load);
            let row = numbers.fold(row, |row, number| row.number(number));
            row.number(comparison.seeds as f64).text(&point.status).end();
        }
    }
    rows.finish()
}
