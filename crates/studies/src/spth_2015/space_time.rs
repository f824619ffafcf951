//! Figures 6, 11 and 12: space-time charts of bit complement; claims c5 and c6.

use super::busy::{self, Drift};
use super::key::{METHODS, Method};
use super::ramp::shown;
use super::specs::{FIG6, FIG11, FIG12};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};

/// Busy cells from which on a panel shows a movement.
const FEW: u64 = 100;

/// Charts of figure 6: letter and what the load is.
const LOADS: [(char, &str); 3] = [
    ('a', "90 % of the printed critical load"),
    ('b', "the printed critical load"),
    ('c', "110 % of the printed critical load"),
];

fn form(lab: &Lab) -> &'static str {
    if lab.quick() { ", ramp twenty times as fast" } else { "" }
}

fn busy_cell(item: &'static str, row: &str, column: String, run: &Run) -> Cell {
    let share = busy::share(run).map(|share| 100.0 * share);
    Cell::new(item, row, column, "% of routers and cycles", (None, share))
}

/// Figure 6: below, at and above the critical load, without throttling.
pub fn fig6(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG6)?;
    let mut part = Part::default();
    for (run, (letter, load)) in runs.iter().zip(LOADS) {
        let column = format!("full buffers, no-th{}", form(lab));
        part.cells.push(busy_cell("fig6", load, column, run));
        let title = format!("bcmp, no-th, {load}");
        let caption = format!("{title}{}: full input buffers of row and column N/3 (figure 6{letter})", form(lab));
        part.figures.push(crate::picture::space_time(&format!("fig6-{letter}"), caption, &busy::drawn(run, &title))?);
    }
    part.verdicts.push(c5(&runs));
    Ok(part)
}

/// Rule of c5, from the charts at and above the critical load: of panels with at least 100 busy cells, three quarters have
/// more pairs of busy cells (1 to 3 routers, 8, 16 and 24 cycles apart) whose later one lies upstream than downstream, and
/// all panels together have at least 5 percent more.
fn c5(runs: &[Run]) -> (&'static str, Option<bool>, String) {
    let (mut all, mut against) = (0, 0);
    let mut sum = Drift::default();
    let mut evidence = Vec::new();
    for (run, (letter, _)) in runs.iter().zip(LOADS).skip(1) {
        for panel in busy::panels(run) {
            let forward = ["N", "E"].contains(&panel.name);
            let count = panel.cells.iter().filter(|cell| **cell != 0).count() as u64;
            if count < FEW {
                continue;
            }
            let drift = busy::drift(&panel.cells, panel.width(), forward);
            let shift = busy::likeliest_shift(&panel.cells, panel.width(), forward);
            sum.upstream += drift.upstream;
            sum.downstream += drift.downstream;
            all += 1;
            against += u32::from(drift.upstream > drift.downstream);
            let (up, down, name) = (drift.upstream, drift.downstream, panel.name);
            evidence.push(format!("{letter}-{name} {up} / {down} (likeliest shift in 16 cycles {shift:+})"));
        }
    }
    let verdict = 4 * against >= 3 * all && sum.upstream as f64 > 1.05 * sum.downstream as f64;
    let evidence = format!(
        "{against} of {all} panels move upstream, pairs upstream / downstream {} / {} in all; by chart of figure 6 and \
         direction: {}; shifts in routers, negative against the packets",
        sum.upstream,
        sum.downstream,
        evidence.join(", ")
    );
    if all == 0 {
        return ("c5", None, "not judged: no panel has 100 busy cells".to_owned());
    }
    ("c5", Some(verdict), evidence)
}

fn of_method(runs: &[Run], method: Method) -> Option<&Run> {
    runs.iter().find(|run| Method::of(run) == method)
}

/// Figure 11: above the critical load, three methods.
pub fn fig11(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG11)?;
    let mut part = Part::default();
    for (method, letter) in METHODS.into_iter().zip(['a', 'b', 'c']) {
        let Some(run) = of_method(&runs, method) else { continue };
        part.cells.push(busy_cell(
            "fig11",
            "110 % of the printed critical load",
            format!("full buffers, {method}{}", form(lab)),
            run,
        ));
        let title = format!("bcmp, {method}, 110 % of the printed critical load");
        let caption = format!("{title}{}: full input buffers (figure 11{letter})", form(lab));
        part.figures.push(crate::picture::space_time(&format!("fig11-{letter}"), caption, &busy::drawn(run, &title))?);
    }
    part.verdicts.push(c6(&runs));
    Ok(part)
}

/// Rule of c6: at 1.1 critical loads the share of full buffers falls from no-th to th(0) to th(8), and th(8) leaves less
/// than half of what no-th has.
fn c6(runs: &[Run]) -> (&'static str, Option<bool>, String) {
    let shares = METHODS.map(|method| of_method(runs, method).and_then(busy::share));
    let holds = match shares {
        [Some(none), Some(th0), Some(th8)] => none > th0 && th0 > th8 && 2.0 * th8 < none,
        _ => false,
    };
    let percent = shares.map(|share| shown(share.map(|share| 100.0 * share), 2));
    ("c6", Some(holds), format!("full buffers, no-th / th(0) / th(8): {} % of routers and cycles", percent.join(" / ")))
}

/// Figure 12: the collective, three methods.
pub fn fig12(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG12)?;
    let printed = lab.targets().number("collective.first_busy_cycle_without_throttling");
    let mut part = Part::default();
    for (method, letter) in METHODS.into_iter().zip(['a', 'b', 'c']) {
        let Some(run) = of_method(&runs, method) else { continue };
        let paper = printed.filter(|_| method != Method::Th(8));
        let first = busy::first_busy(run).map(|cycle| cycle as f64);
        let column = format!("first full E or W buffer, {method}");
        part.cells.push(Cell::new("fig12", "bcmp", column, "cycles", (paper, first)));
        part.cells.push(busy_cell("fig12", "bcmp", format!("full buffers, {method}"), run));
        let title = format!("bcmp, collective, {method}");
        let caption = format!("{title}: full input buffers until the last delivery (figure 12{letter})");
        part.figures.push(crate::picture::space_time(&format!("fig12-{letter}"), caption, &busy::drawn(run, &title))?);
    }
    Ok(part)
}
