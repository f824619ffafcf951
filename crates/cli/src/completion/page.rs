//! Curves of completion time for a terminal: a sentence, a table, a chart.

use super::{Curves, picture};
use crate::curves::unit_of;
use crate::show;
use crate::show::numbers::thousands;
use crate::show::table::{Column, table};
use tailback_spec::Point as Planned;
use tailback_summary::digits::{decimals, words};
use tailback_summary::names::last_word;
use tailback_summary::points::Point;
use tailback_summary::spread::Spread;
use tailback_summary::variants::{Variant, heading};

/// The page.
pub fn text(curves: &Curves, first: &Planned) -> String {
    let title = first.resolved.description().or(first.resolved.name());
    let title = title.map_or(String::new(), |title| show::bold(show::wrapped(title, 0).trim_end()) + "\n");
    let said = headline(curves);
    let said = if said.is_empty() { said } else { show::bold(show::wrapped(&said, 0).trim_end()) + "\n\n" };
    let chart = show::chart::chart(&picture::chart(curves));
    let missing = curves.runs.1 - curves.runs.0;
    let missing = if missing > 0 { format!("{missing} runs are missing.\n") } else { String::new() };
    format!("{title}{said}{}\n{}{missing}\n{chart}\n", rows(curves), show::wrapped(&seeds(curves), 0))
}

/// By which bound a program is held up at a point.
pub fn bound_by(point: &Point) -> String {
    point.finished().map(|record| record.bound_by.clone()).next().unwrap_or_default()
}

/// One row for each point.
fn rows(curves: &Curves) -> String {
    // Those whose runs are equal share a label, and a row.
    let all = || curves.drawn().flat_map(|variant| variant.points.iter().map(move |point| (variant, point)));
    let cells =
        |cell: &dyn Fn(&Variant, &Point) -> String| all().map(|(variant, point)| cell(variant, point)).collect();
    let number = |column: &str, point: &Point| point.number(column).map_or("-".to_owned(), thousands);
    let mut columns = Vec::new();
    if curves.variants.len() > 1 {
        columns.push(Column::text(heading(&curves.variants), cells(&|variant, _| variant.label.clone())));
    }
    columns.push(Column::new(last_word(curves.x), unit_of(curves.x), cells(&|_, point| number(curves.x, point))));
    columns.push(Column::new("duration", "cycles", spreads(all().map(|of| of.1), "duration")));
    columns.push(Column::new("bound", "cycles", cells(&|_, point| number("bound", point))));
    columns.push(Column::text("by", cells(&|_, point| bound_by(point))));
    columns.push(Column::new("efficiency", "", spreads(all().map(|of| of.1), "efficiency")));
    columns.push(Column::text("status", cells(&|_, point| point.statuses().to_string())));
    table(&columns, show::color())
}

/// Means with intervals, which share their decimals.
fn spreads<'a>(points: impl Iterator<Item = &'a Point<'a>>, column: &str) -> Vec<String> {
    let all: Vec<Option<Spread>> = points.map(|point| point.spread(column)).collect();
    let places = decimals(all.iter().flatten());
    all.iter().map(|spread| spread.as_ref().map_or("-".to_owned(), |spread| words(spread, places))).collect()
}

/// What stands behind the means.
fn seeds(curves: &Curves) -> String {
    let seeds = |variant: &Variant| variant.points.iter().map(Point::seeds).min().unwrap_or(0);
    let random = curves.variants.iter().any(|variant| seeds(variant) > 1);
    if random {
        return "Means over the seeds with 95 % intervals. Where one number stands alone, two seeds of the smallest point do not differ, and \
                one was run."
            .to_owned();
    }
    "Two seeds of the smallest point do not differ, so each point has one.".to_owned()
}

/// Which curve is the lowest, and where.
pub fn headline(curves: &Curves) -> String {
    if curves.variants.len() < 2 {
        return String::new();
    }
    let mut xs: Vec<f64> = curves
        .variants
        .iter()
        .flat_map(|variant| variant.points.iter().filter_map(|point| point.number(curves.x)))
        .collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let mut said: Vec<(String, f64, f64)> = Vec::new();
    for x in xs {
        let Some(fastest) = fastest(curves, x) else { continue };
        match said.last_mut() {
            Some((name, _, to)) if *name == fastest => *to = x,
            _ => said.push((fastest, x, x)),
        }
    }
    let unit = unit_of(curves.x);
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let of = |(name, from, to): &(String, f64, f64)| {
        let range = if from == to { thousands(*from) } else { format!("{} to {}", thousands(*from), thousands(*to)) };
        format!("{name} at {range}{unit}")
    };
    if said.is_empty() {
        return String::new();
    }
    format!("Fastest: {}.", said.iter().map(of).collect::<Vec<_>>().join("; "))
}

/// The variants of the least mean duration at `x`.
fn fastest(curves: &Curves, x: f64) -> Option<String> {
    let at = |variant: &Variant| {
        let point = variant.points.iter().find(|point| point.number(curves.x) == Some(x))?;
        let whole = point.values("duration").len() == point.seeds() && point.seeds() > 0;
        point.number("duration").filter(|_| whole)
    };
    let least = curves.variants.iter().filter_map(at).min_by(f64::total_cmp)?;
    let names: Vec<&str> =
        curves.drawn().filter(|variant| at(variant) == Some(least)).map(|variant| variant.label.as_str()).collect();
    Some(names.join(" and "))
}
