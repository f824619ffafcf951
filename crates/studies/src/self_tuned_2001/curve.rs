//! Curves over load: means over seeds, their spread, charts.

use super::key::{METHODS, Method, Mode};
use crate::lab::{Lab, Run};
pub use crate::seeds::{Value, over_seeds, seeds, short, shown};
use crate::study::Cell;
use tailback_pictures::chart::{Axis, Chart, Series, Style};
use tailback_results::Status;
use tailback_results::statistics::Summary;

/// Throughput \[flits/node/cycle\]. Of a deadlocked run it counts the whole window, for nothing arrives any more.
pub fn throughput(run: &Run) -> Option<f64> {
    let record = &run.outcome.record;
    if record.status != Status::Deadlocked {
        return record.accepted_load;
    }
    let window = run.point.resolved.view("workload").u64("measure_cycles").max(1);
    let nodes: u32 = run.point.resolved.view("topology").u32s("radix").iter().product();
    Some(record.flits_delivered as f64 / (f64::from(nodes) * window as f64))
}

/// Mean time from a packet's entry into the network to its delivery \[cycles\].
pub fn network_latency(run: &Run) -> Option<f64> {
    run.outcome.record.network_latency_mean
}

/// Mean time from a packet's generation to its delivery \[cycles\].
pub fn total_latency(run: &Run) -> Option<f64> {
    run.outcome.record.latency_mean
}

/// What the short form is called in a column.
pub fn form(lab: &Lab) -> &'static str {
    if lab.quick() { ", 15,000 cycles" } else { "" }
}

/// The runs of one load.
pub struct Point<'r> {
    /// What every sending node is asked for \[packets/node/cycle\].
    pub rate: f64,
    /// A run a seed.
    pub runs: Vec<&'r Run>,
}

impl Point<'_> {
    /// Mean over the seeds.
    pub fn mean(&self, value: Value) -> Option<f64> {
        self.summary(value).map(|summary| summary.mean)
    }

    /// Mean over the seeds with its spread.
    pub fn summary(&self, value: Value) -> Option<Summary> {
        over_seeds(self.runs.iter().copied(), value)
    }
}

/// A curve: its points in ascending load.
pub struct Curve<'r>(pub Vec<Point<'r>>);

/// The runs of this mode, method and pattern as a curve.
pub fn curve<'r>(runs: impl IntoIterator<Item = &'r Run>, mode: Mode, method: Method, pattern: &str) -> Curve<'r> {
    let wanted = |run: &&Run| Mode::of(run) == mode && Method::of(run) == method && run.pattern() == pattern;
    Curve::of(runs.into_iter().filter(wanted))
}

impl<'r> Curve<'r> {
    /// The curve of runs that differ only in load and seed.
    pub fn of(runs: impl IntoIterator<Item = &'r Run>) -> Self {
        let mut points: Vec<Point> = Vec::new();
        for run in runs {
            let traffic = run.point.resolved.view("traffic");
            let rate = traffic.float("load") / f64::from(traffic.sub("size").u32("flits"));
            match points.iter_mut().find(|point| point.rate == rate) {
                Some(point) => point.runs.push(run),
                None => points.push(Point { rate, runs: vec![run] }),
            }
        }
        points.sort_by(|a, b| a.rate.total_cmp(&b.rate));
        Curve(points)
    }

    /// The point of the highest throughput, and that throughput \[flits/node/cycle\].
    pub fn peak(&self) -> Option<(&Point<'r>, f64)> {
        let values = self.0.iter().filter_map(|point| Some((point, point.mean(throughput)?)));
        values.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The point of the highest load.
    pub fn last(&self) -> Option<&Point<'r>> {
        self.0.last()
    }

    /// Throughput at the highest load \[flits/node/cycle\].
    pub fn end(&self) -> Option<f64> {
        self.last()?.mean(throughput)
    }

    /// What is left at the highest load of the highest throughput.
    pub fn kept(&self) -> Option<f64> {
        Some(self.end()? / self.peak()?.1)
    }

    /// As points with marks and a band for the spread.
    pub fn series(&self, name: impl Into<String>, value: Value) -> Series {
        let all = || self.0.iter().filter_map(|point| Some((point.rate, point.summary(value)?)));
        let half = |summary: Summary| summary.half_width.unwrap_or(0.0);
        Series {
            band: Some(all().map(|(rate, s)| (rate, (s.mean - half(s)).max(0.0), s.mean + half(s))).collect()),
            ..Series::new(name, all().map(|(rate, s)| (rate, s.mean)).collect()).style(Style::LineMarks)
        }
    }
}

/// Axis of the load.
pub fn load_axis() -> Axis {
    Axis::new("Load", "packets/node/cycle")
}

/// A panel of curves over load.
pub fn panel(title: impl Into<String>, y: Axis, series: Vec<Series>) -> Chart {
    Chart { title: title.into(), x: load_axis(), y, series, ..Chart::default() }
}

/// Axis of throughput that is the same for all panels of uniform traffic.
pub fn uniform_axis() -> Axis {
    throughput_axis().range(0.0, 0.4)
}

/// Axis of throughput.
pub fn throughput_axis() -> Axis {
    Axis::new("Throughput", "flits/node/cycle")
}

/// The numbers of a curve: its peak, where it is, and what is left of it.
pub fn throughput_cells(item: &'static str, row: &str, what: &str, curve: &Curve) -> Vec<Cell> {
    let (peak, last) = (curve.peak(), curve.last());
    let cell = |column: &str, unit, value| Cell::new(item, row, format!("{column}, {what}"), unit, (None, value));
    let peak_note = seeds(peak.as_ref().and_then(|(point, _)| point.summary(throughput)));
    let end_note = seeds(last.and_then(|point| point.summary(throughput)));
    let at_peak = format!("{peak_note}; at {} packets/node/cycle", shown(peak.as_ref().map(|(point, _)| point.rate)));
    let at_end = format!("{end_note}; {} of the peak", shown(curve.kept()));
    vec![
        cell("peak throughput", "flits/node/cycle", peak.map(|(_, value)| value)).note(at_peak),
        cell("throughput at the highest load", "flits/node/cycle", curve.end()).note(at_end),
    ]
}

/// The curves of one mode and pattern, by method.
pub struct Three<'r>(pub [Curve<'r>; 3]);

impl<'r> Three<'r> {
    /// Base, ALO and Tune.
    pub fn of(runs: &'r [Run], mode: Mode, pattern: &str) -> Self {
        Three(METHODS.map(|method| curve(runs, mode, method, pattern)))
    }

    /// With the methods' names.
    pub fn named(&self) -> impl Iterator<Item = (Method, &Curve<'r>)> {
        METHODS.into_iter().zip(&self.0)
    }
}
