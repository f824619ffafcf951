//! Figure 3: a node beside a busy ring; claim c7.

use super::key::family;
use super::specs::{STARVATION, STARVATION_SINK, STARVATION_TORUS};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::seeds::{over_seeds, seeds, short};
use crate::study::{Cell, Part};
use tailback_cost::Family;

const ITEM: &str = "fig3";

/// The two routers of the figure.
const ROUTERS: [Family; 2] = [Family::BubbleDor, Family::BubbleAdaptive];

/// A node starves when one of its packets waits for this part of the run.
const STARVED: f64 = 0.9;

/// A wait that is no starvation is at most this part of it.
const SERVED: f64 = 0.1;

/// Cycles of a run.
fn cycles(run: &Run) -> u64 {
    let workload = run.point.resolved.view("workload");
    workload.u64("warmup_cycles") + workload.u64("measure_cycles")
}

/// Longest wait at the front of an injection queue \[cycles\].
fn longest(run: &Run) -> Option<f64> {
    run.outcome.record.longest_wait
}

/// The same as a part of the run.
fn share(run: &Run) -> Option<f64> {
    Some(longest(run)? / cycles(run) as f64)
}

fn fairness(run: &Run) -> Option<f64> {
    run.outcome.record.jain_index
}

/// Measures the waits.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (ring, sink, torus) = (lab.runs(&STARVATION)?, lab.runs(&STARVATION_SINK)?, lab.runs(&STARVATION_TORUS)?);
    let mut part = Part::default();
    let mut lengths: Vec<u64> = ring.iter().map(cycles).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut shares = Vec::new();
    let mut beside = Vec::new();
    for router in ROUTERS {
        for &length in &lengths {
            let wanted = |run: &&Run| family(run) == Some(router) && cycles(run) == length;
            let runs: Vec<&Run> = ring.iter().filter(wanted).collect();
            part.cells.extend(cells(&format!("{}, ring of 8, {length} cycles", router.title()), &runs));
            shares.push((router, over_seeds(runs.iter().copied(), share).map_or(f64::NAN, |summary| summary.mean)));
        }
        for arbiter in ["round_robin", "random"] {
            for &length in &lengths {
                let wanted = |run: &&Run| {
                    family(run) == Some(router)
                        && cycles(run) == length
                        && run.point.resolved.view("arbiter").kind() == arbiter
                };
                let runs: Vec<&Run> = sink.iter().filter(wanted).collect();
                let row = format!("{}, ring that ends in a busy node, {arbiter}, {length} cycles", router.title());
                part.cells.extend(cells(&row, &runs));
                let part = over_seeds(runs.iter().copied(), share).map_or(f64::NAN, |summary| 100.0 * summary.mean);
                beside.push(format!("{} {arbiter} {} %", router.title(), short(part)));
            }
        }
        let runs: Vec<&Run> = torus.iter().filter(|run| family(run) == Some(router)).collect();
        part.cells.extend(cells(&format!("{}, 16x16, random, overload", router.title()), &runs));
    }
    part.verdicts.push(c7(&shares, &beside));
    part.notes.push(
        "The longest wait is that of a packet at the front of its node's injection queue; Jain's index is 1 where all nodes get the \
         same through. Figure 3 is the ring of 8: routers 3 and 4 stand beside a link that another node keeps busy. On the ring \
         that ends in a busy node room comes by turns in the adaptive and in the escape queue of the next router; of the latter \
         only packets in transit may have some, and with a pointer that both share round robin never comes to the node."
            .to_owned(),
    );
    Ok(part)
}

fn cells(row: &str, runs: &[&Run]) -> [Cell; 2] {
    let of = |value: fn(&Run) -> Option<f64>| over_seeds(runs.iter().copied(), value);
    let (wait, fair) = (of(longest), of(fairness));
    let node = runs.first().and_then(|run| run.outcome.record.longest_wait_node);
    let where_ = node.map_or(String::new(), |node| format!("; in the first run at node {node}"));
    let mean = |summary: Option<tailback_results::statistics::Summary>| summary.map(|summary| summary.mean);
    [
        Cell::new(ITEM, row, "longest wait", "cycles", (None, mean(wait))).note(format!("{}{where_}", seeds(wait))),
        Cell::new(ITEM, row, "fairness", "Jain's index", (None, mean(fair))).note(seeds(fair)),
    ]
}

/// Rule of c7, on the ring, means over seeds, for both lengths of run: under the deterministic bubble router the longest wait is
/// at least 90 percent of the run (so it grows with it), under the adaptive one at most 10 percent. What the ring that ends in
/// a busy node does is evidence beside it.
fn c7(shares: &[(Family, f64)], beside: &[String]) -> (&'static str, Option<bool>, String) {
    let holds = shares.iter().all(|(router, share)| match router {
        Family::BubbleDor => *share >= STARVED,
        _ => *share <= SERVED,
    });
    let told: Vec<String> =
        shares.iter().map(|(router, share)| format!("{} {} %", router.title(), short(100.0 * share))).collect();
    let evidence = format!(
        "longest wait, part of the run: {}; where the ring ends in a busy node, which figure 3 does not show: {}",
        told.join(", "),
        beside.join(", ")
    );
    ("c7", Some(holds && !shares.is_empty()), evidence)
}
