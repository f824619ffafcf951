//! Settings that change while a steady workload runs: from a cycle on, nodes send at another load, to other nodes, or by another process.

use super::timeline::{Phase, Timeline};
use super::{Ask, MAX_CYCLES, Plan, Workload};
use crate::pattern::Pattern;
use crate::source::NEVER;
use crate::{Problem, under};
use tailback_spec::{Fallback, Kind, Param, View};

/// The most changes of a workload.
pub const MAX_CHANGES: usize = 1_000;

/// The parameter that lists them.
pub(super) const PARAM: Param = Param {
    name: "changes",
    kind: Kind::Tables(CHANGE),
    unit: "",
    fallback: Fallback::Empty,
    doc: "Settings that change while the run goes on, in order of time; at most 1000. See `docs/live.md`.",
};

const CHANGE: &[Param] = &[
    Param {
        name: "cycle",
        kind: Kind::Integer { min: 1, max: MAX_CYCLES },
        unit: "cycles",
        fallback: Fallback::Required,
        doc: "The first cycle with the new settings.",
    },
    Param {
        name: "set",
        kind: Kind::Settings,
        unit: "",
        fallback: Fallback::Required,
        doc: "What is set, by dotted path: `traffic.load`, `traffic.pattern`, `traffic.process` and what is below them; `admission` and what \
              is below it. What is not named stays as it was.",
    },
];

/// What nodes send from a cycle on.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// Its first cycle.
    pub from: u64,
    /// The section `traffic` as it is then.
    pub traffic: View<'a>,
}

/// The path in a spec of the settings of change number `number`.
fn path(number: usize) -> String {
    format!("workload.changes[{number}].set")
}

/// Builds a workload whose traffic changes: the phases between the changes, in order of time.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    let mut patterns: Vec<Box<dyn Pattern>> = vec![ask.pattern()?];
    let mut phases = vec![Phase { end: NEVER, load: ask.traffic.float("load"), rises: false, pattern: 0 }];
    let mut before = ask.traffic;
    for (number, stage) in ask.stages.iter().enumerate() {
        if stage.traffic.sub("pattern").table() != before.sub("pattern").table() {
            let at = Ask { traffic: stage.traffic, ..*ask };
            let whole = |problems| of_change(number, problems);
            patterns.push(at.pattern().map_err(whole)?);
        }
        let load = stage.traffic.float("load");
        phases.last_mut().expect("there is a first one").end = stage.from;
        phases.push(Phase { end: NEVER, load, rises: false, pattern: patterns.len() - 1 });
        before = stage.traffic;
    }
    Ok(Workload { patterns, plan: Plan::Load(Timeline::once(phases)) })
}

/// The processes, each from a cycle on, and the number of the change that brings it.
pub(crate) fn processes<'a>(traffic: View<'a>, stages: &[Stage<'a>]) -> (Vec<(u64, View<'a>)>, Vec<usize>) {
    let (mut all, mut numbers) = (vec![(0, traffic.sub("process"))], vec![0]);
    for (number, stage) in stages.iter().enumerate() {
        let process = stage.traffic.sub("process");
        if process.table() != all.last().expect("there is a first one").1.table() {
            all.push((stage.from, process));
            numbers.push(number);
        }
    }
    (all, numbers)
}

/// What is wrong with a process: at `traffic.process`, or at the change that brings it.
pub(crate) fn of_process(number: usize, numbers: &[usize], problems: Vec<Problem>) -> Vec<Problem> {
    if number == 0 { under("traffic.process", problems) } else { of_change(numbers[number], problems) }
}

fn of_change(number: usize, problems: Vec<Problem>) -> Vec<Problem> {
    problems.into_iter().map(|(_, message, help)| (path(number), message, help)).collect()
}
