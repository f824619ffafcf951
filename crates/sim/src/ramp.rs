//! The critical load of a ramp, or why it shows none and what would help.

use crate::prepare::Prepared;
use crate::run::Finished;
use tailback_probes::Finding;
use tailback_results::statistics::{Critical, CriticalOptions, Reason, critical_load};
use tailback_traffic::Course;

/// A load at which the averages over a ramp should begin for a baseline slope to be known \[flits/node/cycle\].
const BEGINS: f64 = 0.02;

/// What a ramp shows.
pub(crate) struct Ramp {
    /// The critical load and how far it can be trusted, where there is one.
    pub findings: Vec<Finding>,
    /// What else is to be said of it: why there is none, or why it may be chance, and what to change.
    pub remark: Option<String>,
}

/// The ramp of a run; nothing for other workloads, and for a ramp that was not climbed to its end.
pub(crate) fn ramp(finished: &Finished, prepared: &Prepared) -> Ramp {
    let climbed = finished.cycle >= prepared.measured_window().1;
    if prepared.course() != Course::Ramp || !climbed {
        return Ramp { findings: Vec::new(), remark: None };
    }
    let options = CriticalOptions::default();
    // Load is what the sources made, window by window, so that their chance cancels.
    let series = finished.watch.windows.series(finished.cycle);
    match critical_load(&series.columns[0].values, &series.columns[1].values, &options) {
        Ok(critical) => found(critical, &options, prepared),
        Err(reason) => Ramp { findings: Vec::new(), remark: Some(missing(reason, &options, prepared)) },
    }
}

fn found(critical: Critical, options: &CriticalOptions, prepared: &Prepared) -> Ramp {
    let findings = vec![
        Finding::new("critical_load", "flits/node/cycle", critical.load),
        Finding::new("critical_load_baseline_spread", "", critical.baseline_spread),
    ];
    let doubtful = critical.baseline_spread >= (1.0 - options.slope_fraction) / 2.0;
    let remark = format!(
        "the critical load of {:.4} flits/node/cycle may be chance, for at low load the gradient scatters by {:.0} percent: make \
         workload.cycles, {} now, several times as many",
        critical.load,
        100.0 * critical.baseline_spread,
        prepared.view("workload").u64("cycles"),
    );
    Ramp { findings, remark: doubtful.then_some(remark) }
}

/// Why there is none, and what to change.
fn missing(reason: Reason, options: &CriticalOptions, prepared: &Prepared) -> String {
    let workload = prepared.view("workload");
    let (cycles, end) = (workload.u64("cycles"), workload.float("end_load_flits_per_node_cycle"));
    let higher = format!(
        "make workload.end_load_flits_per_node_cycle, {end} now, larger, and workload.cycles, {cycles} now, larger in proportion"
    );
    let advice = match reason {
        Reason::NoBaseline(from, _) if highest(prepared) < from => higher,
        Reason::TooShort { .. } | Reason::NoBaseline(..) => {
            format!("make workload.cycles, {cycles} now, {} or more", cycles_needed(options, prepared))
        }
        Reason::NotReached(_) => higher,
        _ => "look for the saturation point instead, with `tailback curve` and the workload `steady`".to_owned(),
    };
    format!("no critical load was found: {reason}; {advice}")
}

/// Cycles of a ramp to the same load that is long enough for the method, rounded up to two digits.
fn cycles_needed(options: &CriticalOptions, prepared: &Prepared) -> u64 {
    let workload = prepared.view("workload");
    let window = workload.u64("window_cycles") as f64;
    let whole = options.smoothing_windows + 2 * options.slope_reach_windows + options.hold_windows;
    // The first slope is that of so many windows into the ramp.
    let first = (options.smoothing_windows / 2 + options.slope_reach_windows + 1) as f64;
    let cycles = (window * whole as f64).max(window * first * highest(prepared) / BEGINS);
    let unit = (1..).map(|digits| 10_f64.powi(digits)).find(|unit| cycles < 100.0 * unit).unwrap_or(1.0);
    ((cycles / unit).ceil() * unit) as u64
}

/// The load at the end of the ramp, over all nodes, also those that a pattern leaves silent \[flits/node/cycle\].
fn highest(prepared: &Prepared) -> f64 {
    2.0 * prepared.offered_load().unwrap_or(0.0)
}
