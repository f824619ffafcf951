//! Which picture records give: the comparison over load, curves over any column, or bars where no number is swept.

use crate::compared::{About, comparison, ended, estimate};
use crate::curves::{axis_of, check_column, is_load, unit_of};
use crate::exit::{Failure, Result};
use crate::show;
use crate::split::{Part, parts, varying};
use tailback_pictures::chart::{Axis, Chart, Mark, Page, Series, Style, page};
use tailback_pictures::compared_bars::{ComparedBars, Panel, Row};
use tailback_pictures::comparison::{Columns, Comparison};
use tailback_pictures::figure::Figure;
use tailback_results::{Record, Status};
use tailback_summary::paired::{against_first, by_seed};
use tailback_summary::points::{Point, points};
use tailback_summary::table::{Cell, Table};
use tailback_summary::variants::{LOAD, Variant, variants, variants_over};

/// More panels than these are no picture any more.
const MOST_PANELS: usize = 12;

/// More lines in a panel, or bars, than these are no picture any more.
const MOST_LINES: usize = 24;

/// Pixels in an inch.
const INCH: f64 = 96.0;

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
    let Some(x) = asked.x.clone().or_else(|| best_axis(records)) else { return Ok(bars(records, asked, about)) };
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

/// Curves over any column.
struct Curves<'r> {
    parts: Vec<Part<'r>>,
    left_out: usize,
    ys: Vec<String>,
    x: String,
    /// The swept number along which the points of a curve follow each other.
    along: String,
    asked: &'r Asked,
    about: &'r About,
}

impl Curves<'_> {
    fn charts(&self) -> Vec<Chart> {
        self.parts.iter().flat_map(|part| self.ys.iter().map(|y| self.chart(part, y))).collect()
    }

    fn chart(&self, part: &Part<'_>, y: &str) -> Chart {
        let asking = &self.asked.y_axis;
        let axis = axis(y, asking);
        let latency = ["latency", "network_latency", "message_latency"].iter().any(|name| y.starts_with(name));
        let axis = if latency && asking.limits.is_none() && !asking.log { axis.knee() } else { axis };
        let drawn = part.variants(&self.along);
        let series = drawn.iter().map(|variant| self.series(variant, y)).collect();
        let one = self.parts.len() == 1 && varying(&part.records, &self.along).is_empty();
        let bound = self.about.bound.filter(|_| one && self.x == LOAD);
        let marks = bound.map(|x| Mark::Vertical { x, label: "channel-load bound".to_owned() });
        let x = self::axis(&self.x, &self.asked.x_axis);
        Chart { title: part.name.clone(), x, y: axis, series, marks: marks.into_iter().collect(), ..Chart::default() }
    }

    fn series(&self, variant: &Variant<'_>, y: &str) -> Series {
        let (mut points, mut band, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        for point in &variant.points {
            let Some(x) = point.number(&self.x) else { continue };
            points.push((x, point.number(y).unwrap_or(f64::NAN)));
            marks.push(ended(point));
            if let Some(interval) = point.spread(y).and_then(|spread| spread.interval()) {
                band.push((x, interval.low, interval.high));
            }
        }
        let band = (!band.is_empty()).then_some(band);
        Series { band, ended: marks, ..Series::new(&variant.label, points).style(Style::LineMarks) }
    }

    fn figure(&self, charts: &[Chart]) -> Figure {
        let title = self.asked.title.clone().unwrap_or_default();
        let wide = if self.asked.columns == Columns::One { 3.5 } else { 7.16 };
        let across = if self.asked.columns == Columns::One { 1 } else { self.across() };
        let rows = charts.len().div_ceil(across);
        let size = self.asked.size.unwrap_or((wide, 0.6 + 2.2 * rows as f64));
        let svg = match charts {
            [one] if self.asked.size.is_none() && title.is_empty() && across == 1 && wide > 4.0 => one.svg(),
            many => page(many, across, Page { width: size.0 * INCH, height: size.1 * INCH }, &title),
        };
        let short = |name: &str| name.rsplit('.').next().unwrap_or_default().replace('_', "-");
        let name =
            format!("{}-over-{}", self.ys.iter().map(|y| short(y)).collect::<Vec<_>>().join("-"), short(&self.x));
        Figure { name, svg, caption: self.caption(), csv: self.csv() }
    }

    /// Panels side by side: those of a part, or up to three parts.
    fn across(&self) -> usize {
        match (self.ys.len(), self.parts.len()) {
            (1, parts) => parts.min(3),
            (columns, _) => columns.min(3),
        }
    }

    fn caption(&self) -> String {
        let label = |name: &String| axis_of(name).label;
        let what: Vec<String> = self.ys.iter().map(label).collect();
        let records: Vec<&Record> = self.parts.iter().flat_map(|part| part.records.iter().copied()).collect();
        let points = points(records);
        let seeds = points.iter().map(Point::seeds).filter(|&seeds| seeds > 0).min().unwrap_or(0);
        let subject = if self.about.subject.is_empty() { String::new() } else { format!(", {}", self.about.subject) };
        let over = format!("{} over {}{subject}.", what.join(" and "), label(&self.x).to_lowercase());
        let means = match seeds {
            0 | 1 => "One seed, so there are no intervals.".to_owned(),
            2 => "Means over 2 seeds, too few for intervals.".to_owned(),
            many => format!("Means over {many} seeds; bands are 95 % intervals."),
        };
        let hollow =
            points.iter().any(|p| p.statuses().0.iter().any(|(s, _)| matches!(s, Status::Saturated | Status::Slow)));
        let hollow = if hollow { " Hollow: no steady state." } else { "" };
        let more =
            if self.left_out > 0 { format!(" {} more panels are left out.", self.left_out) } else { String::new() };
        format!("{over} {means}{hollow}{more}")
    }

    fn csv(&self) -> String {
        let mut names = vec!["panel".to_owned(), "variant".to_owned(), self.x.clone()];
        for y in &self.ys {
            names.extend([y.clone(), format!("{y}_low"), format!("{y}_high")]);
        }
        names.extend(["seeds", "status"].map(str::to_owned));
        let mut rows = Vec::new();
        for part in &self.parts {
            for variant in part.variants(&self.along) {
                rows.extend(variant.points.iter().map(|point| self.row(part, &variant, point)));
            }
        }
        Table { names, rows }.csv()
    }

    fn row(&self, part: &Part<'_>, variant: &Variant<'_>, point: &Point<'_>) -> Vec<Cell> {
        let number = |value: Option<f64>| value.map_or(Cell::Empty, Cell::Number);
        let text = |text: &str| if text.is_empty() { Cell::Empty } else { Cell::Text(text.to_owned()) };
        let mut row = vec![text(&part.name), text(&variant.label), number(point.number(&self.x))];
        for y in &self.ys {
            let interval = point.spread(y).and_then(|spread| spread.interval());
            row.extend([number(point.number(y)), number(interval.map(|i| i.low)), number(interval.map(|i| i.high))]);
        }
        row.extend([Cell::Number(point.seeds() as f64), Cell::Text(point.statuses().to_string())]);
        row
    }
}

impl<'r> Part<'r> {
    /// The variants that are drawn: of those whose runs are equal, the first.
    fn variants(&self, along: &str) -> Vec<Variant<'r>> {
        let all = variants_over(points(self.records.iter().copied()), along);
        all.into_iter().filter(|variant| variant.same_as.is_none()).take(MOST_LINES).collect()
    }
}

fn axis(column: &str, asking: &Asking) -> Axis {
    let mut axis = axis_of(column);
    if let Some(label) = &asking.label {
        axis = Axis::new(label.clone(), "");
    }
    let axis = if asking.log { axis.log() } else { axis };
    asking.limits.map_or(axis.clone(), |(low, high)| axis.range(low, high))
}

/// Bars of variants that differ in no number.
fn bars(records: &[&Record], asked: &Asked, about: &About) -> Option<Plotted> {
    let all = variants(points(records.iter().copied()));
    if all.len() < 2 {
        return None;
    }
    let drawn: Vec<(usize, &Variant)> =
        all.iter().enumerate().filter(|(_, v)| v.same_as.is_none()).take(MOST_LINES).collect();
    let firsts: Vec<&Point> = drawn.iter().filter_map(|(_, variant)| variant.points.first()).collect();
    let panels: Vec<Panel> = columns(records, asked).iter().map(|column| panel(column, &firsts)).collect();
    if !panels.iter().any(|panel| panel.bars.iter().any(Option::is_some)) {
        return None;
    }
    let row = |&(place, variant): &(usize, &Variant)| {
        let point = variant.points.first();
        Row {
            name: variant.label.clone(),
            place,
            ended: point.map(ended).unwrap_or_default(),
            status: point.map(|point| point.statuses().to_string()).unwrap_or_default(),
        }
    };
    let compared = panels.iter().any(|panel| panel.notes.len() > 1);
    let remark = if compared {
        format!("Differences from {} under common seeds, tested at 5 % with Holm's correction.", drawn[0].1.label)
    } else {
        String::new()
    };
    let seeds = firsts.iter().map(|point| point.seeds()).min().unwrap_or(0);
    let made =
        ComparedBars { subject: about.subject.clone(), seeds, rows: drawn.iter().map(row).collect(), panels, remark };
    Some(Plotted { figure: made.figure("bars"), charts: Vec::new(), comparison: None })
}

fn panel(column: &str, points: &[&Point]) -> Panel {
    let axis = axis_of(column);
    let samples: Vec<_> = points.iter().map(|point| by_seed(point, column)).collect();
    let compared = against_first(&samples);
    let known = compared.iter().flatten().any(|difference| difference.interval.is_some());
    let note = |(at, difference): (usize, &Option<tailback_summary::Difference>)| match difference {
        _ if at == 0 => vec!["reference".to_owned()],
        None => Vec::new(),
        Some(difference) if difference.differs() => {
            let words = difference.words().trim_end_matches(" *").to_owned();
            vec![format!("{words} ({})", difference.interval_words()), "differs".to_owned()]
        }
        Some(_) => vec!["no difference".to_owned(), "shown".to_owned()],
    };
    Panel {
        title: axis.label,
        unit: unit_of(column).to_owned(),
        column: column.to_owned(),
        bars: points.iter().map(|point| estimate(point, column)).collect(),
        notes: if known { compared.iter().enumerate().map(note).collect() } else { Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::Scalar;

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
