//! Curves over offered load: means over seeds, peaks, losses.

use super::key::{Policy, Rule, load, rules};
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::{Value, over_seeds, seeds, short, shown};
use crate::study::{Cell, Figure};
use tailback_pictures::chart::{Axis, Chart, Mark, Series, Style};
use tailback_results::statistics::Summary;

/// Unit of loads.
pub const LOAD: &str = "phits/node/cycle";

/// Accepted load \[phits/node/cycle\].
pub fn accepted(run: &Run) -> Option<f64> {
    run.outcome.record.accepted_load
}

/// Mean time from a packet's generation to its delivery \[cycles\].
pub fn latency(run: &Run) -> Option<f64> {
    run.outcome.record.latency_mean
}

/// What the short form is called in a column.
pub fn form(lab: &Lab) -> &'static str {
    if lab.quick() { ", short form" } else { "" }
}

/// The runs of a request rule and an organisation.
pub fn of(runs: &[Run], rule: Rule, policy: Policy) -> impl Iterator<Item = &Run> {
    runs.iter().filter(move |run| Rule::of(run) == rule && Policy::of(run) == policy)
}

/// The runs of one load.
pub struct Point<'r> {
    /// Offered load \[phits/node/cycle\].
    pub load: f64,
    /// A run a seed.
    pub runs: Vec<&'r Run>,
}

impl Point<'_> {
    /// Mean over the seeds with its spread.
    pub fn summary(&self, value: Value) -> Option<Summary> {
        over_seeds(self.runs.iter().copied(), value)
    }

    /// Mean over the seeds.
    pub fn mean(&self, value: Value) -> Option<f64> {
        self.summary(value).map(|summary| summary.mean)
    }
}

/// Points in ascending load.
pub struct Curve<'r>(pub Vec<Point<'r>>);

impl<'r> Curve<'r> {
    /// Of runs that differ in load and seed alone.
    pub fn of(runs: impl IntoIterator<Item = &'r Run>) -> Self {
        let mut points: Vec<Point> = Vec::new();
        for run in runs {
            let load = load(run);
            match points.iter_mut().find(|point| point.load == load) {
                Some(point) => point.runs.push(run),
                None => points.push(Point { load, runs: vec![run] }),
            }
        }
        points.sort_by(|a, b| a.load.total_cmp(&b.load));
        Curve(points)
    }

    /// The highest accepted load of all points, in means over seeds \[phits/node/cycle\], and the load at which it is.
    pub fn peak(&self) -> Option<(f64, f64)> {
        let means = self.0.iter().filter_map(|point| Some((point.mean(accepted)?, point.load)));
        means.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Accepted load at the highest offered one, with its spread \[phits/node/cycle\].
    pub fn sustained(&self) -> Option<Summary> {
        self.0.last()?.summary(accepted)
    }

    /// What is lost of the peak at the highest offered load \[percent\].
    pub fn loss(&self) -> Option<f64> {
        Some(100.0 * (1.0 - self.sustained()?.mean / self.peak()?.0))
    }

    /// As points with marks and a band for the spread of `y`; `x` is the offered load where it is `None`.
    pub fn series(&self, name: impl Into<String>, x: Option<Value>, y: Value) -> Series {
        let place = |point: &Point| x.map_or(Some(point.load), |x| point.mean(x));
        let all: Vec<(f64, Summary)> =
            self.0.iter().filter_map(|point| Some((place(point)?, point.summary(y)?))).collect();
        let half = |summary: &Summary| summary.half_width.unwrap_or(0.0);
        Series {
            band: Some(all.iter().map(|(x, s)| (*x, (s.mean - half(s)).max(0.0), s.mean + half(s))).collect()),
            ..Series::new(name, all.iter().map(|(x, s)| (*x, s.mean)).collect()).style(Style::LineMarks)
        }
    }

    /// In words.
    pub fn story(&self) -> String {
        let (peak, at) = self.peak().map_or((None, None), |(peak, at)| (Some(peak), Some(at)));
        let sustained = self.sustained().map(|summary| summary.mean);
        format!("{} at {}, {} at the end, -{} %", shown(peak), shown(at), shown(sustained), shown(self.loss()))
    }

    /// Two cells: the peak, and what is sustained of it.
    pub fn cells(&self, lab: &Lab, item: &'static str, row: &str, policy: Policy) -> [Cell; 2] {
        let column = |what: &str| format!("{what}, {}{}", policy.name(), form(lab));
        let peak = self.peak();
        let note = peak.map_or(String::new(), |(_, at)| format!("at {}", short(at)));
        let sustained = self.sustained();
        [
            Cell::new(item, row, column("peak"), LOAD, (None, peak.map(|(peak, _)| peak))).note(note),
            Cell::new(item, row, column("sustained"), LOAD, (None, sustained.map(|summary| summary.mean)))
                .note(format!("{}; {} % below the peak", seeds(sustained), shown(self.loss()))),
        ]
    }
}

/// The curves of some organisations under one request rule.
pub struct Family<'r> {
    /// The rule.
    pub rule: Rule,
    /// By organisation.
    pub curves: Vec<(Policy, Curve<'r>)>,
}

impl<'r> Family<'r> {
    /// A family a rule that the runs have.
    pub fn all(runs: &'r [Run], policies: &[Policy]) -> Vec<Self> {
        let curves = |rule| policies.iter().map(|policy| (*policy, Curve::of(of(runs, rule, *policy)))).collect();
        rules(runs).into_iter().map(|rule| Family { rule, curves: curves(rule) }).collect()
    }

    /// The curve of an organisation.
    pub fn of(&self, policy: Policy) -> &Curve<'r> {
        let found = self.curves.iter().find(|(other, _)| *other == policy);
        &found.expect("a family has the organisations that it was made for").1
    }
}

/// The family of a rule.
pub fn family<'a, 'r>(families: &'a [Family<'r>], rule: Rule) -> &'a Family<'r> {
    let found = families.iter().find(|family| family.rule == rule);
    found.expect("rules are taken from the same runs as families")
}

/// The rules of families.
pub fn rules_of(families: &[Family]) -> Vec<Rule> {
    families.iter().map(|family| family.rule).collect()
}

/// Peaks and sustained loads of all families.
pub fn family_cells(lab: &Lab, item: &'static str, families: &[Family]) -> Vec<Cell> {
    let of = |family: &Family| -> Vec<Cell> {
        let row = family.rule.name();
        family.curves.iter().flat_map(|(policy, curve)| curve.cells(lab, item, row, *policy)).collect()
    };
    families.iter().flat_map(of).collect()
}

/// Accepted over offered load, a panel a rule.
pub fn family_figure(
    name: &str,
    caption: String,
    families: &[Family],
    bound: Option<f64>,
) -> Result<Figure, StudyError> {
    let charts: Vec<Chart> = families
        .iter()
        .map(|family| Chart {
            title: format!("Request rule {}", family.rule.name()),
            x: Axis::new("Offered load", LOAD),
            y: Axis::new("Accepted", LOAD),
            series: family.curves.iter().map(|(policy, curve)| curve.series(policy.name(), None, accepted)).collect(),
            marks: bound.iter().map(|y| Mark::Horizontal { y: *y, label: "bisection limit".to_owned() }).collect(),
            ..Chart::default()
        })
        .collect();
    picture::panels(name, caption, &charts, 3)
}

/// The printed limit by the bisection of a network of this radix \[phits/node/cycle\].
pub fn bisection(lab: &Lab, radix: u32) -> Option<f64> {
    lab.targets().number(&format!("common.bisection_limit_phits_per_node_cycle.{radix}x{radix}"))
}
