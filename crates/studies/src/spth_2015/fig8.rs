//! Figure 8: throughput and latency over load; claims c1 and c4.

use super::key::{METHODS, Method};
use super::ramp::{Curve, Curves, form, shown};
use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::study::{Cell, Figure, Part};
use tailback_pictures::chart::{Axis, Chart, Series};

const ITEM: &str = "fig8";

/// Part of its peak that a pattern must lose to "fall steeply".
const STEEP: f64 = 0.10;

/// Change of a critical load that would be meaningful.
const MEANINGFUL: f64 = 0.05;

/// Measures the curves.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let curves = Curves::run(lab)?;
    let mut part = Part::default();
    for (pattern, of_pattern) in curves.by_pattern() {
        of_pattern.iter().for_each(|curve| part.cells.extend(cells(lab, pattern, curve)));
    }
    part.figures.push(figure(lab, &curves, "throughput", "Throughput", "flits/node/cycle", |curve| &curve.throughput)?);
    part.figures.push(figure(lab, &curves, "latency", "Mean packet age", "cycles", |curve| &curve.latency)?);
    let network: fn(&Curve) -> &[f64] = |curve| &curve.network_latency;
    part.figures.push(figure(lab, &curves, "network-latency", "Age since entry", "cycles", network)?);
    part.verdicts =
        [c1(&curves), c4(&curves)].map(|verdict| if lab.quick() { withheld(verdict) } else { verdict }).to_vec();
    Ok(part)
}

fn cells(lab: &Lab, pattern: &str, curve: &Curve) -> [Cell; 3] {
    let cell = |what: &str, value| {
        let column = format!("{what}, {}{}", curve.method, form(lab));
        Cell::new(ITEM, pattern, column, "flits/node/cycle", (None, value))
    };
    let critical = cell("critical load", curve.critical.as_ref().ok().map(|critical| critical.load));
    let critical = match &curve.critical {
        Ok(_) => critical,
        Err(reason) => critical.note(reason.to_string()),
    };
    [critical, cell("peak throughput", curve.peak()), cell("throughput at the end of the ramp", curve.tail())]
}

fn figure(
    lab: &Lab,
    curves: &Curves,
    name: &str,
    label: &str,
    unit: &str,
    values: fn(&Curve) -> &[f64],
) -> Result<Figure, StudyError> {
    let chart = |(pattern, of_pattern): (&'static str, [&Curve; 3])| {
        let series = of_pattern.map(|curve| Series::new(curve.method.to_string(), curve.points(values(curve))));
        let y = Axis::new(label, unit);
        Chart {
            title: pattern.to_owned(),
            x: Axis::new("Load", "flits/node/cycle"),
            y: if name == "throughput" { y } else { y.log() },
            series: series.to_vec(),
            ..Chart::default()
        }
    };
    let charts: Vec<Chart> = curves.by_pattern().map(chart).collect();
    let caption = format!("{label} over load, ramp, moving average{} (figure 8)", form(lab));
    crate::picture::panels(&format!("{ITEM}-{name}"), caption, &charts, 4)
}

/// The short form shows the numbers without a verdict.
fn withheld((id, _, evidence): (&'static str, Option<bool>, String)) -> (&'static str, Option<bool>, String) {
    let why =
        "not judged: claimed for 32x32; on 16x16 less collapses, and the critical load of a short ramp scatters by 5 %";
    (id, None, format!("{why}; {evidence}"))
}

/// Rule of c1: without throttling at least half of the patterns lose more than a tenth of their peak by the end of the
/// ramp; of these, with the better of th(0) and th(8), at least half lose no more than half as much.
fn c1(curves: &Curves) -> (&'static str, Option<bool>, String) {
    let (mut all, mut steep, mut saved) = (0, 0, 0);
    let mut evidence = Vec::new();
    for (pattern, of_pattern) in curves.by_pattern() {
        let drops = of_pattern.map(Curve::drop);
        all += 1;
        if let [Some(none), Some(th0), Some(th8)] = drops
            && none > STEEP
        {
            steep += 1;
            saved += u32::from(th0.min(th8) <= none / 2.0);
        }
        let percent = drops.map(|drop| shown(drop.map(|drop| 100.0 * drop), 1));
        evidence.push(format!("{pattern} {}", percent.join(" / ")));
    }
    let holds = 2 * steep >= all && 2 * saved >= steep && steep > 0;
    let evidence = format!(
        "{steep} of {all} patterns lose more than 10 % of their peak without throttling; SPTh at least halves the loss \
         of {saved} of them; loss in percent, no-th / th(0) / th(8): {}",
        evidence.join(", ")
    );
    ("c1", Some(holds), evidence)
}

/// Rule of c4: for every pattern whose three critical loads can be measured, th(0) and th(8) change it by at most 5 percent;
/// at least half of the patterns can be measured.
fn c4(curves: &Curves) -> (&'static str, Option<bool>, String) {
    let (mut all, mut known, mut changed) = (0, 0, 0);
    let mut evidence = Vec::new();
    for (pattern, of_pattern) in curves.by_pattern() {
        all += 1;
        let loads = of_pattern.map(|curve| curve.critical.as_ref().ok().map(|critical| critical.load));
        if let [Some(none), Some(th0), Some(th8)] = loads {
            known += 1;
            changed += u32::from([th0, th8].iter().any(|th| (th / none - 1.0).abs() > MEANINGFUL));
        }
        evidence.push(format!("{pattern} {}", loads.map(|load| shown(load, 4)).join(" / ")));
    }
    let holds = (2 * known >= all).then_some(changed == 0);
    let evidence = format!(
        "{changed} of {known} patterns change by more than 5 %; critical loads, {}: {}",
        METHODS.map(|method: Method| method.to_string()).join(" / "),
        evidence.join(", ")
    );
    ("c4", holds, evidence)
}
