//! A list of patterns, loads and times.

use super::timeline::{Phase, Timeline};
use super::{Ask, MAX_CYCLES, MAX_LOAD, Plan, Workload};
use crate::{Problem, problem};
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, Resolved, View, When};

/// The most phases of a workload.
const MAX_PHASES: usize = 1_000;

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "phases",
    summary: "a list of phases, each with its time, load and pattern; traffic.load and traffic.pattern are not used",
    paper: "self-tuned-2001 section 5",
    ideal: false,
    params: &[
        Param {
            name: "phases",
            kind: Kind::Tables(PHASE),
            unit: "",
            fallback: Fallback::Required,
            doc: "The phases in order of time.",
        },
        Param {
            name: "repeat",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "Whether the first phase follows the last; otherwise nodes are silent after the last.",
        },
        Param {
            name: "cycles",
            kind: Kind::IntegerOrAuto { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Text("auto"),
            doc: "Length of the run; auto: every phase once.",
        },
        Param {
            name: "warmup_cycles",
            kind: Kind::Integer { min: 0, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(0),
            doc: "Time from the begin of the run that the means leave out.",
        },
        Param {
            name: "window_cycles",
            kind: Kind::Integer { min: 1, max: MAX_CYCLES },
            unit: "cycles",
            fallback: Fallback::Integer(100),
            doc: "Length of the windows in which throughput and latency are recorded.",
        },
    ],
};

/// Where no phase comes twice.
pub(super) const IDLE: Idle = Idle {
    keys: &["repeat"],
    when: &[When::Where("the run ends with the last phase, or before", ends_with_the_last)],
    because: "no phase comes twice",
};

fn ends_with_the_last(_spec: &Resolved, own: View<'_>) -> bool {
    let lengths = own.tables("phases").iter().map(|phase| phase.u64("cycles")).fold(0, u64::saturating_add);
    own.finite("cycles").is_none_or(|cycles| cycles <= lengths)
}

const PHASE: &[Param] = &[
    Param {
        name: "cycles",
        kind: Kind::Integer { min: 1, max: MAX_CYCLES },
        unit: "cycles",
        fallback: Fallback::Required,
        doc: "Length of the phase.",
    },
    Param {
        name: "load",
        kind: Kind::Float { min: 0.0, max: MAX_LOAD },
        unit: "flits/node/cycle",
        fallback: Fallback::Required,
        doc: "Load of each node that sends.",
    },
    Param {
        name: "pattern",
        kind: Kind::Component("traffic.pattern"),
        unit: "",
        fallback: Fallback::Required,
        doc: "To whom nodes send.",
    },
];

/// Builds it; refused without a phase, with a thousand, or with a pattern that the network cannot have.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    let tables = ask.workload.tables("phases");
    if tables.is_empty() || tables.len() > MAX_PHASES {
        let message = format!("{} phases; a workload has 1 to {MAX_PHASES}", tables.len());
        return problem("workload.phases", message, None);
    }
    let (mut patterns, mut phases, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut end = 0;
    for (i, table) in tables.iter().enumerate() {
        end += table.u64("cycles");
        phases.push(Phase { end, load: table.float("load"), rises: false, pattern: i });
        match ask.pattern_at(&format!("workload.phases[{i}].pattern"), table.sub("pattern")) {
            Ok(pattern) => patterns.push(pattern),
            Err(mut found) => problems.append(&mut found),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let timeline = if ask.workload.bool("repeat") { Timeline::repeating(phases) } else { Timeline::once(phases) };
    Ok(Workload { patterns, plan: Plan::Load(timeline) })
}
