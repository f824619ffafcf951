//! Curves over load: means over seeds, their spread, charts.

use super::key::{Traffic, family};
use crate::lab::Run;
use crate::seeds::{Value, over_seeds};
use tailback_cost::Family;
use tailback_pictures::chart::{Axis, Chart, Series, Style};
use tailback_results::statistics::Summary;

/// Nodes of a run's network.
fn nodes(run: &Run) -> f64 {
    f64::from(run.point.resolved.view("topology").u32s("radix").iter().product::<u32>())
}

/// Phits that the whole network delivers \[phits/cycle\]. Of a deadlocked run it counts the whole window.
pub fn per_cycle(run: &Run) -> Option<f64> {
    let window = run.point.resolved.view("workload").u64("measure_cycles").max(1);
    Some(run.outcome.record.flits_delivered as f64 / window as f64)
}

/// The same \[phits/ns\].
pub fn per_ns(run: &Run) -> Option<f64> {
    Some(per_cycle(run)? / cycle_ns(run))
}

/// Length of a cycle \[ns\].
pub fn cycle_ns(run: &Run) -> f64 {
    run.point.resolved.view("clock").float("cycle_ns")
}

/// Load that the sources are asked for, the whole network's \[phits/ns\].
pub fn applied(run: &Run) -> f64 {
    let load = run.point.resolved.view("traffic").float("load");
    let offered = run.outcome.record.offered_load.unwrap_or(load);
    offered * nodes(run) / cycle_ns(run)
}

/// Mean time from a message's generation to the delivery of its last packet \[cycles\].
pub fn latency(run: &Run) -> Option<f64> {
    run.outcome.record.message_latency_mean
}

/// The same \[ns\].
pub fn latency_ns(run: &Run) -> Option<f64> {
    Some(latency(run)? * cycle_ns(run))
}

/// The runs of one load.
pub struct Point<'r> {
    /// What each sending node is asked for \[flits/node/cycle\].
    pub load: f64,
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

    /// Load of the whole network \[phits/ns\].
    pub fn applied(&self) -> f64 {
        self.runs.first().map_or(0.0, |run| applied(run))
    }
}

/// A curve: its points in ascending load.
pub struct Curve<'r>(pub Vec<Point<'r>>);

impl<'r> Curve<'r> {
    /// Of one router under one kind of traffic.
    pub fn of(runs: &'r [Run], router: Family, traffic: Traffic) -> Self {
        Curve::from(runs.iter().filter(|run| family(run) == Some(router) && Traffic::of(run) == traffic))
    }

    /// Of runs that differ in load and seed alone.
    pub fn from(runs: impl IntoIterator<Item = &'r Run>) -> Self {
        let mut points: Vec<Point> = Vec::new();
        for run in runs {
            let load = run.point.resolved.view("traffic").float("load");
            match points.iter_mut().find(|point| point.load == load) {
                Some(point) => point.runs.push(run),
                None => points.push(Point { load, runs: vec![run] }),
            }
        }
        points.sort_by(|a, b| a.load.total_cmp(&b.load));
        Curve(points)
    }

    /// The load at which most is accepted in the mean over seeds, and how much \[phits/cycle\].
    pub fn peak(&self) -> Option<(&Point<'r>, Summary)> {
        let points = self.0.iter().filter_map(|point| Some((point, point.summary(per_cycle)?)));
        points.max_by(|a, b| a.1.mean.total_cmp(&b.1.mean).then(b.0.load.total_cmp(&a.0.load)))
    }

    /// What is accepted at the highest load \[phits/cycle\].
    pub fn end(&self) -> Option<f64> {
        self.0.last()?.mean(per_cycle)
    }

    /// Latency at the lowest load \[ns\].
    pub fn base_ns(&self) -> Option<f64> {
        self.0.first()?.mean(latency_ns)
    }

    /// Latency at an applied load \[phits/ns\], on the line between the measured points around it \[ns\].
    pub fn latency_at(&self, applied: f64) -> Option<f64> {
        let right = self.0.partition_point(|point| point.applied() < applied);
        let b = self.0.get(right)?;
        let Some(a) = right.checked_sub(1).and_then(|left| self.0.get(left)) else { return b.mean(latency_ns) };
        let (x0, x1) = (a.applied(), b.applied());
        let (y0, y1) = (a.mean(latency_ns)?, b.mean(latency_ns)?);
        Some(y0 + (applied - x0) * (y1 - y0) / (x1 - x0))
    }

    /// What is accepted where the latency is `ns`, on the line between the measured loads around it \[phits/cycle\].
    pub fn accepted_at(&self, ns: f64) -> Option<f64> {
        let right = self.0.iter().position(|point| point.mean(latency_ns).is_some_and(|latency| latency >= ns))?;
        let (a, b) = (self.0.get(right.checked_sub(1)?)?, &self.0[right]);
        let (x0, x1) = (a.mean(latency_ns)?, b.mean(latency_ns)?);
        let (y0, y1) = (a.mean(per_cycle)?, b.mean(per_cycle)?);
        Some(y0 + (ns - x0) * (y1 - y0) / (x1 - x0))
    }

    /// A series of the mean of `value` over the applied load, as far as `value` stays below `most`.
    pub fn series(&self, name: &str, value: Value, most: f64) -> Series {
        let points = self.0.iter().filter_map(|point| Some((point.applied(), point.mean(value)?)));
        let points: Vec<(f64, f64)> = points.take_while(|(_, y)| *y <= most).collect();
        Series::new(name, points).style(Style::LineMarks)
    }
}

/// The curves of all four routers, in the order of the paper's tables.
pub struct Four<'r>(pub [Curve<'r>; 4]);

impl<'r> Four<'r> {
    /// Under one kind of traffic.
    pub fn of(runs: &'r [Run], traffic: Traffic) -> Self {
        Four(Family::ALL.map(|router| Curve::of(runs, router, traffic)))
    }

    /// With their routers.
    pub fn named(&self) -> impl Iterator<Item = (Family, &Curve<'r>)> {
        Family::ALL.into_iter().zip(&self.0)
    }

    /// Of a router.
    pub fn curve(&self, router: Family) -> &Curve<'r> {
        let at = Family::ALL.iter().position(|family| *family == router);
        &self.0[at.unwrap_or(0)]
    }

    /// Most phits/ns of a router.
    pub fn peak_ns(&self, router: Family) -> Option<f64> {
        let (point, _) = self.curve(router).peak()?;
        point.mean(per_ns)
    }

    /// Latency and throughput over applied load, as figures 7 and 8 draw them.
    pub fn charts(&self) -> Vec<Chart> {
        let applied = || Axis::new("Applied load", "phits/ns");
        let base = self.0.iter().filter_map(Curve::base_ns).fold(0.0, f64::max);
        let latency = self.named().map(|(family, curve)| curve.series(family.title(), latency_ns, 5.0 * base));
        let throughput = self.named().map(|(family, curve)| curve.series(family.title(), per_ns, f64::INFINITY));
        let chart = |title: &str, y: Axis, series: Vec<Series>| Chart {
            title: title.to_owned(),
            x: applied(),
            y,
            series,
            ..Chart::default()
        };
        vec![
            chart("Latency", Axis::new("Latency", "ns"), latency.collect()),
            chart("Throughput", Axis::new("Accepted load", "phits/ns"), throughput.collect()),
        ]
    }
}
