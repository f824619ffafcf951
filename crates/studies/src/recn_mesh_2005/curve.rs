//! Relative throughput over injection rate: means over seeds, peaks, panels.

use super::key::{NETWORKS, Network, SCHEMES, Scheme, rate, relative, traffic};
use super::specs::NETS;
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::seeds::{Value, over_seeds, seeds, short, shown};
use crate::study::Cell;
use std::rc::Rc;
use tailback_pictures::chart::{Axis, Chart, Series, Style};
use tailback_results::statistics::Summary;

/// What roughly the maximum is, rounded to whole percent.
pub const MAXIMUM: f64 = 89.5;

/// Unit of rates.
pub const RATE: &str = "bytes/ns/node";

/// The runs of one rate.
pub struct Point<'r> {
    /// What every node is asked for \[bytes/ns\].
    pub rate: f64,
    /// A run a seed.
    pub runs: Vec<&'r Run>,
}

impl Point<'_> {
    /// Mean over the seeds with its spread.
    pub fn summary(&self, value: Value) -> Option<Summary> {
        over_seeds(self.runs.iter().copied(), value)
    }

    /// The largest of the seeds.
    pub fn most(&self, value: Value) -> Option<f64> {
        self.runs.iter().filter_map(|run| value(run)).reduce(f64::max)
    }
}

/// Points in ascending rate.
pub struct Curve<'r>(pub Vec<Point<'r>>);

impl<'r> Curve<'r> {
    /// Of runs that differ in rate and seed alone.
    pub fn of(runs: impl IntoIterator<Item = &'r Run>) -> Self {
        let mut points: Vec<Point> = Vec::new();
        for run in runs {
            let rate = rate(run);
            match points.iter_mut().find(|point| point.rate == rate) {
                Some(point) => point.runs.push(run),
                None => points.push(Point { rate, runs: vec![run] }),
            }
        }
        points.sort_by(|a, b| a.rate.total_cmp(&b.rate));
        Curve(points)
    }

    /// Relative throughput by rate, in means over seeds \[percent\].
    pub fn means(&self) -> impl Iterator<Item = (f64, f64)> {
        self.0.iter().filter_map(|point| Some((point.rate, point.summary(relative)?.mean)))
    }

    /// The highest of them, and its rate; NaN where nothing was measured.
    pub fn peak(&self) -> (f64, f64) {
        let none = (f64::NAN, f64::NAN);
        self.means().map(|(rate, mean)| (mean, rate)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or(none)
    }

    /// What it is at the highest rate; NaN where nothing was measured.
    pub fn end(&self) -> f64 {
        self.means().last().map_or(f64::NAN, |(_, mean)| mean)
    }

    /// The lowest at rates of at least `rate`.
    pub fn lowest_from(&self, rate: f64) -> Option<f64> {
        self.means().filter(|point| point.0 >= rate).map(|point| point.1).reduce(f64::min)
    }

    /// What it is at one of the measured rates.
    pub fn at(&self, rate: f64) -> Option<f64> {
        self.means().find(|point| (point.0 - rate).abs() < 1e-9).map(|point| point.1)
    }

    fn series(&self, name: &str) -> Series {
        let all: Vec<(f64, Summary)> =
            self.0.iter().filter_map(|point| Some((point.rate, point.summary(relative)?))).collect();
        let half = |summary: &Summary| summary.half_width.unwrap_or(0.0);
        Series {
            band: Some(all.iter().map(|(x, s)| (*x, (s.mean - half(s)).max(0.0), s.mean + half(s))).collect()),
            ..Series::new(name, all.iter().map(|(x, s)| (*x, s.mean)).collect()).style(Style::LineMarks)
        }
    }
}

/// The runs of one network.
pub struct Runs {
    /// Which.
    pub network: Network,
    runs: Rc<Vec<Run>>,
}

impl Runs {
    /// Of the networks with these numbers.
    pub fn of(lab: &Lab, numbers: &[u32]) -> Result<Vec<Self>, StudyError> {
        let wanted = NETWORKS.into_iter().zip(NETS).filter(|(network, _)| numbers.contains(&network.number));
        wanted.map(|(network, dataset)| Ok(Runs { network, runs: lab.runs(&dataset)? })).collect()
    }

    /// The curve of a scheme under a kind of traffic.
    pub fn curve(&self, case: u32, scheme: Scheme) -> Curve<'_> {
        Curve::of(self.runs.iter().filter(|run| traffic(run) == case && Scheme::of(run) == scheme))
    }

    /// The panel of a kind of traffic.
    pub fn panel(&self, case: u32) -> Chart {
        let series = SCHEMES.into_iter().map(|scheme| self.curve(case, scheme).series(scheme.name()));
        Chart {
            title: format!("Network {}, traffic {case}", self.network.number),
            x: Axis::new("Injection rate", RATE),
            y: Axis::new("Relative throughput", "%"),
            series: series.collect(),
            ..Chart::default()
        }
    }

    /// Peak, at the full rate, and at the end of the sweep, for every scheme and kind of traffic.
    pub fn cells(&self, lab: &Lab, item: &'static str) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (case, scheme) in (1..=3).flat_map(|case| SCHEMES.map(|scheme| (case, scheme))) {
            let curve = self.curve(case, scheme);
            let Some(last) = curve.0.last() else { continue };
            let row = format!("network {}, traffic {case}", self.network.number);
            let column = |what: &str| format!("{}, {what}{}", scheme.name(), form(lab));
            let ((peak, at), end) = (curve.peak(), last.summary(relative));
            let note = format!("{}; at {} {RATE}", seeds(end), short(last.rate));
            cells.push(
                Cell::new(item, row.clone(), column("highest"), "%", (None, Some(peak)))
                    .note(format!("at {} {RATE}", short(at))),
            );
            let end = (None, end.map(|end| end.mean));
            cells.push(Cell::new(item, row, column("at the highest rate"), "%", end).note(note));
        }
        cells
    }
}

/// What the short form is called in a column.
pub fn form(lab: &Lab) -> &'static str {
    if lab.quick() { ", short form" } else { "" }
}

/// Claim id, verdict, evidence.
pub type Verdict = (&'static str, Option<bool>, String);

/// A verdict from parts of a claim, each with its own; none in the short form.
pub fn verdict(lab: &Lab, id: &'static str, parts: &[(bool, String)]) -> Verdict {
    let told: Vec<String> = parts
        .iter()
        .map(|(holds, what)| format!("{}: {what}", if *holds { "holds" } else { "does not hold" }))
        .collect();
    let evidence = told.join("; ");
    match lab.quick() {
        true => (id, None, format!("not judged in the short form; {evidence}")),
        false => (id, Some(parts.iter().all(|part| part.0)), evidence),
    }
}

/// A number of each network, in words.
pub fn by_network(nets: &[Runs], value: impl Fn(&Runs) -> f64) -> String {
    let each = nets.iter().map(|net| format!("network {} {}", net.network.number, shown(Some(value(net)))));
    each.collect::<Vec<_>>().join(", ")
}
