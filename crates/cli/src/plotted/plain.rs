//! Curves of any columns over any column, in panels.

use super::{Asked, Asking, MOST_LINES};
use crate::compared::{About, ended};
use crate::curves::axis_of;
use crate::split::{Part, varying};
use tailback_pictures::chart::{Axis, Chart, Mark, Page, Series, Style, page};
use tailback_pictures::comparison::Columns;
use tailback_pictures::figure::Figure;
use tailback_results::{Record, Status};
use tailback_summary::points::{Point, points};
use tailback_summary::table::{Cell, Table};
use tailback_summary::variants::{Variant, variants_over};

/// Pixels in an inch.
const INCH: f64 = 96.0;

/// Curves over any column.
pub(super) struct Curves<'r> {
    /// The panels.
    pub(super) parts: Vec<Part<'r>>,
    /// Panels that are not drawn.
    pub(super) left_out: usize,
    /// Columns of the y axis.
    pub(super) ys: Vec<String>,
    /// Column of the x axis.
    pub(super) x: String,
    /// The swept number along which the points of a curve follow each other.
    pub(super) along: String,
    /// How they are drawn.
    pub(super) asked: &'r Asked,
    /// What records do not say.
    pub(super) about: &'r About,
}

impl Curves<'_> {
    /// A chart for each panel and column.
    pub(super) fn charts(&self) -> Vec<Chart> {
        self.parts.iter().flat_map(|part| self.ys.iter().map(|y| self.chart(part, y))).collect()
    }

    fn chart(&self, part: &Part<'_>, y: &str) -> Chart {
        let asking = &self.asked.y_axis;
        let axis = axis(y, asking);
        let latency = ["latency", "network_latency", "message_latency"].iter().any(|name| y.starts_with(name));
        let axis = if latency && asking.limits.is_none() && !asking.log { axis.knee() } else { axis };
        let drawn = part.variants(&self.along);
        // Variants that coincide are one curve, and its name says so.
        let named = self.parts.iter().any(|part| !varying(&part.records, &self.along).is_empty());
        let series =
            drawn.iter().map(|variant| self.series(variant, if named { &variant.label } else { "" }, y)).collect();
        let one = self.parts.len() == 1 && varying(&part.records, &self.along).is_empty();
        // Where sources are silent, the offered load is another number than the parameter.
        let offered = |r: &&Record| r.offered_load.is_some() && r.offered_load == r.number(&self.x);
        let bound = self.about.bound.filter(|_| one && part.records.iter().all(offered));
        let marks = bound.map(|x| Mark::Vertical { x, label: "channel-load bound".to_owned() });
        let x = self::axis(&self.x, &self.asked.x_axis);
        Chart { title: part.name.clone(), x, y: axis, series, marks: marks.into_iter().collect(), ..Chart::default() }
    }

    /// The curve of a variant; without a name it has no place in the legend.
    fn series(&self, variant: &Variant<'_>, name: &str, y: &str) -> Series {
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
        Series { band, ended: marks, ..Series::new(name, points).style(Style::LineMarks) }
    }

    /// The charts as one picture.
    pub(super) fn figure(&self, charts: &[Chart]) -> Figure {
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
