//! Which picture records give: the comparison over load, curves over any column, or bars where no number is swept.

mod bars;
mod plain;

use crate::compared::{About, comparison};
use crate::curves::{check_column, is_load};
use crate::exit::{Failure, Result};
use crate::show;
use crate::split::{parts, varying};
use plain::Curves;
use tailback_pictures::chart::Chart;
use tailback_pictures::comparison::{Columns, Comparison};
use tailback_pictures::figure::Figure;
use tailback_results::Record;
use tailback_summary::variants::LOAD;

/// More panels than these are no picture any more.
const MOST_PANELS: usize = 12;

/// More lines in a panel, or bars, than these are no picture any more.
const MOST_LINES: usize = 24;

/// One axis as it was asked for.
#[derive(Clone, Debug, Default)]
pub struct Asking {
    /// Whether it is logarithmic.
    pub log: bool,
    /// Its ends.
    pub limits: Option<(f64, f64)>,
    /// Its name, in place of the column's.
    pub label: Option<String>,
}

/// What the user wants to see over what, and how.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Column of the x axis.
    pub x: Option<String>,
    /// Columns of the y axis, a panel each.
    pub y: Vec<String>,
    /// The swept parameter that has colours.
    pub colour: Option<String>,
    /// The swept parameter that has panels.
    pub panels: Option<String>,
    /// How the x axis is drawn.
    pub x_axis: Asking,
    /// How the y axis is drawn.
    pub y_axis: Asking,
    /// Printed above.
    pub title: Option<String>,
    /// Width of a paper's columns.
    pub columns: Columns,
    /// Width and height in inches.
    pub size: Option<(f64, f64)>,
}

impl Asked {
    /// Whether the figure over load serves, which has axes of its own.
    fn is_usual(&self) -> bool {
        let usual = |axis: &Asking| !axis.log && axis.limits.is_none() && axis.label.is_none();
        let named = self.x.is_some() || !self.y.is_empty() || self.colour.is_some() || self.panels.is_some();
        !named && usual(&self.x_axis) && usual(&self.y_axis) && self.title.is_none() && self.size.is_none()
    }
}

/// A picture, and what a terminal shows of it.
#[derive(Clone, Debug)]
pub struct Plotted {
    /// The picture.
    pub figure: Figure,
    /// Its curves, a chart each; none for bars.
    pub charts: Vec<Chart>,
    /// What the figure over load shows.
    pub comparison: Option<Comparison>,
}

impl Plotted {
    /// What a terminal shows of it.
    pub fn texts(&self) -> Vec<String> {
        match &self.comparison {
            Some(comparison) => vec![comparison.terminal(show::width(), show::color()).charts],
            None => self.charts.iter().map(show::chart::chart).collect(),
        }
    }
}

/// The picture of these records; none where they have nothing to draw.
///
/// # Errors
/// For columns that no record has a number in, and for parameters that are not swept.
pub fn plotted(records: &[&Record], asked: &Asked, about: &About) -> Result<Option<Plotted>> {
    check(records, asked)?;
    let Some(x) = asked.x.clone().or_else(|| best_axis(records)) else { return Ok(bars::bars(records, asked, about)) };
    let along =
        if varying(records, "").contains(&x) { x.clone() } else { best_axis(records).unwrap_or_else(|| x.clone()) };
    let mut parts = parts(records, &along, asked.colour.as_deref(), asked.panels.as_deref());
    let left_out = parts.len().saturating_sub(MOST_PANELS);
    parts.truncate(MOST_PANELS);
    let curves = Curves { parts, left_out, ys: columns(records, asked), x, along, asked, about };
    let charts = curves.charts();
    if !charts.iter().any(has_points) {
        return Ok(None);
    }
    if let ([part], true, LOAD) = (curves.parts.as_slice(), asked.is_usual(), curves.along.as_str())
        && let Some(comparison) = comparison(&part.records, about)
    {
        let figure = comparison.figure("comparison", asked.columns);
        return Ok(Some(Plotted { figure, charts, comparison: Some(comparison) }));
    }
    Ok(Some(Plotted { figure: curves.figure(&charts), charts, comparison: None }))
}

fn check(records: &[&Record], asked: &Asked) -> Result<()> {
    let all: Vec<Record> = records.iter().map(|record| (*record).clone()).collect();
    asked.x.iter().chain(&asked.y).try_for_each(|name| check_column(&all, name))?;
    let swept = varying(records, "");
    for (option, name) in [("--colour", &asked.colour), ("--panels", &asked.panels)] {
        let Some(name) = name.as_ref().filter(|name| !swept.contains(name)) else { continue };
        let known =
            if swept.is_empty() { "nothing is swept".to_owned() } else { format!("swept are {}", swept.join(", ")) };
        return Err(Failure::usage(format!(
            "{option}: `{}` does not vary here; {known}",
            tailback_base::text::shown(name)
        )));
    }
    Ok(())
}

/// The load if it is swept, else the first number that is.
pub fn best_axis(records: &[&Record]) -> Option<String> {
    let numeric = |name: &String| records.iter().all(|record| record.number(name).is_some());
    let mut numbers: Vec<String> = varying(records, "").into_iter().filter(numeric).collect();
    let load = numbers.iter().position(|name| is_load(name)).unwrap_or(0);
    (load < numbers.len()).then(|| numbers.swap_remove(load))
}

/// The columns of the y axis.
fn columns(records: &[&Record], asked: &Asked) -> Vec<String> {
    if !asked.y.is_empty() {
        return asked.y.clone();
    }
    let collective = records.iter().all(|record| record.offered_load.is_none());
    let first = if collective { "duration" } else { "accepted_load" };
    let has = |name: &&str| records.iter().any(|record| record.number(name).is_some());
    [first, "latency_mean"].into_iter().filter(has).map(str::to_owned).collect()
}

fn has_points(chart: &Chart) -> bool {
    chart.series.iter().any(|series| series.points.iter().any(|(x, y)| x.is_finite() && y.is_finite()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::{Scalar, Status};

    fn record(parameters: &[(&str, Scalar)], seed: u64, accepted: f64) -> Record {
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let id = format!("{seed}{accepted}");
        Record {
            parameters,
            accepted_load: Some(accepted),
            offered_load: Some(0.5),
            ..Record::empty(&id, seed, &id, Status::Steady)
        }
    }

    fn text(text: &str) -> Scalar {
        Scalar::Text(text.to_owned())
    }

    fn made(records: &[Record], asked: &Asked) -> Result<Option<Plotted>> {
        plotted(&records.iter().collect::<Vec<_>>(), asked, &About::default())
    }

    fn sweep() -> Vec<Record> {
        let mut records = Vec::new();
        for (at, method) in ["off", "spth"].into_iter().enumerate() {
            for load in [0.1, 0.2, 0.3] {
                for seed in 1..=3 {
                    let values = [("admission", text(method)), (LOAD, Scalar::Float(load))];
                    records.push(record(&values, seed, load + 0.001 * seed as f64 + 0.01 * at as f64));
                }
            }
        }
        records
    }

    #[test]
    fn a_sweep_of_loads_is_a_comparison_and_other_axes_are_curves() {
        let usual = made(&sweep(), &Asked::default()).unwrap().expect("drawn");
        assert_eq!((usual.figure.name.as_str(), usual.charts.len()), ("comparison", 1));
        let asked = Asked { y: vec!["accepted_load".into()], ..Asked::default() };
        let curves = made(&sweep(), &asked).unwrap().expect("drawn");
        assert_eq!(curves.figure.name, "accepted-load-over-load");
        assert_eq!(curves.charts[0].series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["off", "spth"]);
        assert!(
            curves.charts[0].series[0]
                .band
                .as_ref()
                .is_some_and(|band| band.len() == 3 && band.iter().all(|b| b.1 > 0.0))
        );
        assert!(curves.figure.csv.starts_with("panel,variant,traffic.load,accepted_load,accepted_load_low"));
    }

    #[test]
    fn panels_and_limits_are_as_asked() {
        let limited = Asking { log: true, limits: Some((0.05, 1.0)), label: Some("Load".into()) };
        let asked = Asked { panels: Some("admission".into()), x_axis: limited, ..Asked::default() };
        let made = made(&sweep(), &asked).unwrap().expect("drawn");
        assert_eq!(made.charts.iter().map(|c| c.title.as_str()).collect::<Vec<_>>(), ["off", "spth"]);
        assert_eq!((made.charts[0].x.label.as_str(), made.charts[0].x.range), ("Load", Some((0.05, 1.0))));
    }

    #[test]
    fn kinds_without_a_number_are_bars() {
        let records: Vec<Record> = ["off", "spth"]
            .into_iter()
            .flat_map(|m| {
                (1..=3).map(move |seed| {
                    record(&[("admission", text(m))], seed, if m == "off" { 0.2 } else { 0.3 } + 0.001 * seed as f64)
                })
            })
            .collect();
        let made = made(&records, &Asked::default()).unwrap().expect("drawn");
        assert_eq!(made.figure.name, "bars");
        assert!(made.charts.is_empty() && made.figure.svg.contains("differs"), "{}", made.figure.svg);
    }

    #[test]
    fn what_cannot_be_drawn_is_nothing_or_an_error() {
        assert!(made(&sweep()[..3], &Asked::default()).unwrap().is_none());
        let no = |asked: Asked| made(&sweep(), &asked).unwrap_err().to_string();
        assert!(no(Asked { colour: Some("routing".into()), ..Asked::default() }).contains("admission"));
        assert!(no(Asked { y: vec!["latency_mean".into()], ..Asked::default() }).contains("accepted_load"));
    }
}
