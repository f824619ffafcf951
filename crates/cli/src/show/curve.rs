//! A latency-load curve as text, as JSON and as charts.

use super::numbers::{count, maybe, short};
use super::table::{Column, table};
use super::{bold, chart};
use serde_json::{Value, json};
use tailback_curve::{Curve, Point, Verdict};
use tailback_pictures::chart::{Axis, Chart, Mark, Series, Style};
use tailback_results::statistics::Summary;

const UNIT: &str = "flits/node/cycle";

/// The points, the charts, and what they say.
pub fn text(curve: &Curve, bound: Option<f64>) -> String {
    let charts: Vec<String> = charts(curve, bound).iter().map(|drawn| chart::chart(drawn) + "\n").collect();
    let said: String = statements(curve, bound).iter().map(|line| format!("{}\n", bold(line))).collect();
    format!("{}\n{}{said}", points(curve), charts.concat())
}

fn points(curve: &Curve) -> String {
    let column = |cell: &dyn Fn(&Point) -> String| curve.points.iter().map(cell).collect::<Vec<_>>();
    let half = |summary: Option<Summary>| maybe(summary.and_then(|summary| summary.half_width));
    table(
        &[
            Column::new("load", UNIT, column(&|p| short(p.load))),
            Column::new("accepted", UNIT, column(&|p| short(p.accepted.mean))),
            Column::new("+-", UNIT, column(&|p| half(Some(p.accepted)))),
            Column::new("latency", "cycles", column(&|p| maybe(p.latency.map(|latency| latency.mean)))),
            Column::new("+-", "cycles", column(&|p| half(p.latency))),
            Column::new("seeds", "", column(&|p| p.accepted.count.to_string())),
            Column::text("load is", column(&|p| word(p.verdict).to_owned())),
        ],
        super::color(),
    )
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Stable => "stable",
        Verdict::Unstable => "not stable",
        Verdict::Undecided => "undecided",
    }
}

/// What the curve says, a sentence each.
fn statements(curve: &Curve, bound: Option<f64>) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(latency) = curve.points.first().and_then(|zero| zero.latency) {
        said.push(format!("zero-load latency: {} cycles", interval(latency)));
    }
    if let Some(knee) = curve.knee {
        said.push(format!("knee (latency twice that at zero load): {} {UNIT}", short(knee)));
    }
    let bound = bound.map_or(String::new(), |bound| format!("; the channel-load bound is {}", short(bound)));
    said.push(match &curve.saturation {
        Some(found) => format!("saturation point (largest stable load): {} {UNIT}{bound}", interval(found.load)),
        None if curve.never_saturates => format!("every load of the range is stable{bound}"),
        None if curve.complete => "not even the lowest load is stable; give a smaller --low".to_owned(),
        None => "saturation point: not found yet".to_owned(),
    });
    if let (Some(peak), Some(sustained)) = (curve.peak(), curve.sustained()) {
        let share = 100.0 * sustained.accepted.mean / peak.accepted.mean;
        let at = format!("{} {UNIT} at load {}", interval(sustained.accepted), short(sustained.load));
        let most = format!("{} at load {}", short(peak.accepted.mean), short(peak.load));
        said.push(format!("sustained beyond it: {at}, {share:.1} % of the most ({most})"));
    }
    let runs = count(curve.runs, "run");
    said.push(if curve.complete { runs } else { format!("{runs}; ended early, so some points are missing or wide") });
    said
}

/// `0.4120 +- 0.0031 (95 %)`.
fn interval(summary: Summary) -> String {
    let half = summary.half_width.map_or(String::new(), |half| format!(" +- {} (95 %)", short(half)));
    format!("{}{half}", short(summary.mean))
}

/// Accepted load and latency over load.
pub fn charts(curve: &Curve, bound: Option<f64>) -> Vec<Chart> {
    let load = || Axis::new("Offered load", UNIT);
    let mut marks = Vec::new();
    if let Some(found) = &curve.saturation {
        marks.push(Mark::Vertical { x: found.load.mean, label: "saturation".to_owned() });
    }
    let bound = bound.map(|x| Mark::Vertical { x, label: "channel bound".to_owned() });
    let line = |value: &dyn Fn(&Point) -> Option<Summary>| {
        let values = || curve.points.iter().filter_map(|point| Some((point.load, value(point)?)));
        let band = values().filter_map(|(x, y)| y.half_width.map(|half| (x, y.mean - half, y.mean + half))).collect();
        let points = values().map(|(x, y)| (x, y.mean)).collect();
        Series { band: Some(band), ..Series::new("", points).style(Style::LineMarks) }
    };
    let accepted = line(&|point| Some(point.accepted));
    let latency = line(&|point| point.latency);
    let throughput = Axis::new("Accepted load", UNIT);
    let with_bound = marks.iter().cloned().chain(bound).collect();
    vec![
        Chart { x: load(), y: throughput, series: vec![accepted], marks: with_bound, ..Chart::default() },
        Chart {
            x: load(),
            y: Axis::new("Mean latency", "cycles").knee(),
            series: vec![latency],
            marks,
            ..Chart::default()
        },
    ]
}

/// One object with everything.
pub fn json(curve: &Curve, bound: Option<f64>) -> String {
    let points: Vec<Value> = curve.points.iter().map(point_json).collect();
    json!({
        "unit": UNIT,
        "zero_load_latency_cycles": curve.points.first().and_then(|zero| zero.latency).map(summary),
        "knee": curve.knee,
        "saturation": curve.saturation.as_ref().map(|found| summary(found.load)),
        "saturation_brackets": curve.saturation.as_ref().map(|found| &found.brackets),
        "never_saturates": curve.never_saturates,
        "peak": curve.peak().map(point_json),
        "sustained": curve.sustained().map(point_json),
        "channel_load_bound": bound,
        "points": points,
        "runs": curve.runs,
        "complete": curve.complete,
    })
    .to_string()
}

fn point_json(point: &Point) -> Value {
    json!({
        "load": point.load,
        "accepted_load": summary(point.accepted),
        "latency_cycles": point.latency.map(summary),
        "verdict": word(point.verdict),
    })
}

fn summary(summary: Summary) -> Value {
    json!({ "mean": summary.mean, "ci95": summary.half_width, "seeds": summary.count })
}
