//! One row for each variant that equals no earlier one.

use crate::fabric::Fabric;
use crate::loads::Variant;
use std::collections::BTreeMap;
use tailback_curve::{Curve, Study, half_bracket};
use tailback_summary::mark::Mark;
use tailback_summary::paired::{BySeed, Difference, Verdict, against_first, by_seed};
use tailback_summary::points::{Point, points};
use tailback_summary::spread::{Interval, Spread};

/// Where a variant saturates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Saturates {
    /// At this load, over the searches.
    At(Spread),
    /// Nowhere in the range: its highest load is stable.
    Never(f64),
    /// Below the range: not even its lowest load is stable.
    Below(f64),
    /// Between these loads, as far as they are known; the search did not end.
    Open(Option<f64>, Option<f64>),
}

/// What a variant showed.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    /// Its place among the variants.
    pub variant: usize,
    /// Its name.
    pub name: String,
    /// Names of the later variants that equal it, bit for bit.
    pub twins: Vec<String>,
    /// Runs in which they equal it.
    pub equal_runs: u64,
    /// Its points by ascending load.
    pub points: Vec<(f64, Point<'a>)>,
    /// Mean latency at zero load \[cycles\].
    pub zero_load: Option<f64>,
    /// The load at which latency is twice that at zero load.
    pub knee: Option<Spread>,
    /// Where it saturates.
    pub saturates: Saturates,
    /// The largest mean of the accepted load, and the load where it is reached.
    pub peak: Option<(f64, f64)>,
    /// The load accepted at the highest load, where that is beyond saturation, and that load.
    pub sustained: Option<(Spread, f64)>,
    /// The sustained load against that of the first row, seed by seed.
    pub sustained_difference: Option<Difference>,
    /// The saturation load against that of the first row, search by search.
    pub saturation_difference: Option<Difference>,
}

impl Row<'_> {
    /// `off = alo`.
    pub fn label(&self) -> String {
        let names: Vec<&str> = std::iter::once(&self.name).chain(&self.twins).map(String::as_str).collect();
        names.join(" = ")
    }

    /// How many points are steady with every seed.
    pub fn steady(&self) -> usize {
        self.points.iter().filter(|(_, point)| point.mark() == Mark::Filled).count()
    }

    /// The largest load up to which all points are steady with every seed.
    pub fn steady_up_to(&self) -> Option<f64> {
        let steady = self.points.iter().take_while(|(_, point)| point.mark() == Mark::Filled);
        steady.last().map(|(load, _)| *load)
    }

    /// What it sustains, as a share of its peak.
    pub fn share(&self) -> Option<f64> {
        Some(self.sustained.as_ref()?.0.mean / self.peak?.0)
    }
}

/// The rows of a study, in the order of the variants.
pub fn rows<'a>(variants: &[Variant], study: &Study, fabric: &'a Fabric<'a>) -> Vec<Row<'a>> {
    let distinct = (0..variants.len()).filter(|number| study.curves[*number].equals.is_none());
    let mut rows: Vec<Row> = distinct.map(|number| row(variants, study, fabric, number)).collect();
    let sustained: Vec<BySeed> = rows.iter().map(sustained_by_seed).collect();
    let centres: Vec<BySeed> = rows.iter().map(|row| by_search(&study.curves[row.variant])).collect();
    let sustained = against_first(&sustained);
    let saturation = against_first(&centres);
    let brackets =
        |row: &Row| study.curves[row.variant].saturation.as_ref().map_or(0.0, |found| half_bracket(&found.brackets));
    let widths: Vec<f64> = rows.iter().map(brackets).collect();
    for (number, row) in rows.iter_mut().enumerate() {
        row.sustained_difference = sustained[number];
        let wider = (1.0 + widths[0]) * (1.0 + widths[number]);
        row.saturation_difference = saturation[number].map(|difference| widened(difference, wider));
    }
    rows
}

/// A difference each side of which may be wrong by a factor.
fn widened(mut difference: Difference, factor: f64) -> Difference {
    difference.interval = difference.interval.map(|i| Interval { low: i.low / factor, high: i.high * factor });
    let holds_one = difference.interval.is_none_or(|interval| interval.low <= 1.0 && 1.0 <= interval.high);
    if holds_one && difference.verdict == Verdict::Differs {
        difference.verdict = Verdict::NotShown;
    }
    difference
}

fn row<'a>(variants: &[Variant], study: &Study, fabric: &'a Fabric<'a>, number: usize) -> Row<'a> {
    let curve = &study.curves[number];
    let found = |(load, seeds): (f64, usize)| Some((load, points(fabric.records(number, load, seeds)).pop()?));
    let points: Vec<(f64, Point)> =
        curve.points.iter().map(|point| (point.load, point.accepted.count)).filter_map(found).collect();
    let mean = |(load, point): &(f64, Point)| Some((point.number("accepted_load")?, *load));
    let last = curve.sustained().and_then(|last| points.iter().find(|(load, _)| *load == last.load));
    let twins = (0..variants.len()).filter(|other| study.curves[*other].equals == Some(number));
    Row {
        variant: number,
        name: variants[number].name.clone(),
        equal_runs: twins.clone().map(|twin| study.curves[twin].compared).min().unwrap_or(0),
        twins: twins.map(|twin| variants[twin].name.clone()).collect(),
        zero_load: curve.zero_load_latency,
        knee: curve.knee(),
        saturates: saturates(curve, variants[number].high),
        peak: points.iter().filter_map(mean).max_by(|a, b| a.0.total_cmp(&b.0)),
        sustained: last.and_then(|(load, point)| Some((point.spread("accepted_load")?, *load))),
        sustained_difference: None,
        saturation_difference: None,
        points,
    }
}

fn saturates(curve: &Curve, high: f64) -> Saturates {
    match &curve.saturation {
        Some(found) => Saturates::At(found.load),
        None if curve.never_saturates => Saturates::Never(high),
        None if curve.never_stable => Saturates::Below(curve.points.first().map_or(high, |point| point.load)),
        None => {
            let (low, high) = curve.open.unwrap_or((None, None));
            Saturates::Open(low, high)
        }
    }
}

/// The accepted load at the highest load by seed.
fn sustained_by_seed(row: &Row) -> BySeed {
    let last = row.sustained.and_then(|(_, load)| row.points.iter().find(|(other, _)| *other == load));
    last.map_or(BTreeMap::new(), |(_, point)| by_seed(point, "accepted_load"))
}

/// The centre of each search's bracket by the number of the search, whose seeds all variants share.
fn by_search(curve: &Curve) -> BySeed {
    let brackets = curve.saturation.iter().flat_map(|found| &found.brackets);
    (0..).zip(brackets.map(|(low, high)| low.midpoint(*high))).collect()
}
