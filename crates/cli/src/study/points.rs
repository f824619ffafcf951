//! The points of a single curve: one row for each.

use super::Made;
use crate::show::numbers::short;
use crate::show::table::{self, Column};
use tailback_curve::{Curve, Verdict};
use tailback_pictures::terminal::Paint;
use tailback_summary::digits::{decimals, words};
use tailback_summary::points::Point;
use tailback_summary::spread::Spread;

/// The points of the first variant.
pub fn points(made: &Made, color: Paint) -> String {
    let Some(row) = made.rows.first() else { return String::new() };
    let curve = &made.study.curves[row.variant];
    let column = |cell: &dyn Fn(&(f64, Point)) -> String| row.points.iter().map(cell).collect::<Vec<_>>();
    table::table(
        &[
            Column::new("load", "flits/node/cycle", column(&|(load, _)| short(*load))),
            Column::new("accepted", "flits/node/cycle", column(&|(_, point)| spread(point.spread("accepted_load")))),
            Column::new("latency", "cycles", column(&|(_, point)| spread(point.spread("latency_mean")))),
            Column::new("seeds", "", column(&|(_, point)| point.seeds().to_string())),
            Column::text("load is", column(&|(load, _)| word(curve, *load).to_owned())),
            Column::text("runs ended", column(&|(_, point)| point.statuses().brief())),
        ],
        color,
    )
}

fn spread(spread: Option<Spread>) -> String {
    spread.map_or("-".to_owned(), |spread| words(&spread, decimals([&spread])))
}

/// What the backlog says of a load.
pub fn word(curve: &Curve, load: f64) -> &'static str {
    match curve.points.iter().find(|point| point.load == load).map(|point| point.verdict) {
        Some(Verdict::Stable) => "stable",
        Some(Verdict::Unstable) => "not stable",
        Some(Verdict::Undecided) | None => "undecided",
    }
}
