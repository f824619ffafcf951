//! Period after period, until means settle: BookSim's rule of what is measured, and when it ends.

use super::timeline::{Phase, Timeline};
use super::{Ask, MAX_CYCLES, Plan, Workload};
use crate::{Problem, problem, source::NEVER};
use tailback_spec::{Entry, Fallback, Idle, Kind, Param, View, When};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "periods",
    summary: "constant load: periods of warm-up, then periods that are measured until means settle, as in BookSim",
    paper: "Jiang et al., ISPASS 2013",
    ideal: false,
    params: &[
        Param {
            name: "period_cycles",
            kind: Kind::Integer { min: 1, max: 1_000_000_000 },
            unit: "cycles",
            fallback: Fallback::Integer(1000),
            doc: "Length of a period.",
        },
        Param {
            name: "warmup_periods",
            kind: Kind::Integer { min: 0, max: 1_000_000 },
            unit: "periods",
            fallback: Fallback::Integer(3),
            doc: "Periods of warm-up; 0: until latency and accepted load have changed by less than their limits from one period to the next.",
        },
        Param {
            name: "max_periods",
            kind: Kind::Integer { min: 1, max: 1_000_000 },
            unit: "periods",
            fallback: Fallback::Integer(10),
            doc: "Most periods, warm-up included. A run that reaches them is as good as one whose means settled.",
        },
        Param {
            name: "measures",
            kind: Kind::Choice(&[
                ("latency", "measured packets are waited for, and a run ends as unstable above latency_limit_cycles"),
                ("throughput", "neither: measurement ends with the last period"),
            ]),
            unit: "",
            fallback: Fallback::Text("latency"),
            doc: "What is of interest.",
        },
        limit(
            "latency_limit_cycles",
            "cycles",
            500.0,
            "Mean over the latencies of delivered packets and the ages of flits in flight above which a run is unstable; -1: no limit.",
        ),
        limit(
            "warmup_latency_change",
            "",
            0.05,
            "With warmup_periods = 0: relative change of the mean latency that ends the warm-up; -1: no limit.",
        ),
        limit(
            "warmup_accepted_change",
            "",
            0.05,
            "With warmup_periods = 0: relative change of the accepted load that ends the warm-up; -1: no limit.",
        ),
        limit(
            "latency_change",
            "",
            0.05,
            "Relative change of the mean latency below which a period counts as settled; three in a row end the run; -1: no limit.",
        ),
        limit("accepted_change", "", 0.05, "The same of the accepted load."),
        Param {
            name: "empties_network",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "Whether nodes cease to send at the end, and the packets are waited for that have come to the front of their source queue: those that \
                  are measured and the flits of all count. BookSim does so; under overload these are the packets that took longest.",
        },
        Param {
            name: "pairs",
            kind: Kind::Bool,
            unit: "",
            fallback: Fallback::Bool(false),
            doc: "Whether a table holds the mean latency of every pair of nodes.",
        },
        Param {
            name: "latency_from",
            kind: Kind::Choice(&[
                ("birth", "the birth of a packet"),
                (
                    "front",
                    "the cycle in which it comes to the front of its source queue, without the time behind others; an answer counts from its birth on",
                ),
            ]),
            unit: "",
            fallback: Fallback::Text("birth"),
            doc: "From where on the rule counts the latency of a packet, and its age. Columns of records count from the birth on.",
        },
    ],
};

/// Limits that decide nothing.
pub(super) const IDLE: &[Idle] = &[
    Idle {
        keys: &["warmup_latency_change", "warmup_accepted_change"],
        when: &[When::IsNot(".warmup_periods", &["0"])],
        because: "the warm-up has a fixed number of periods",
    },
    Idle {
        keys: &["latency_limit_cycles", "warmup_latency_change", "latency_change"],
        when: &[When::Is(".measures", &["throughput"])],
        because: "latency decides nothing",
    },
];

const fn limit(name: &'static str, unit: &'static str, default: f64, doc: &'static str) -> Param {
    Param {
        name,
        kind: Kind::Float { min: -1.0, max: MAX_CYCLES as f64 },
        unit,
        fallback: Fallback::Float(default),
        doc,
    }
}

/// Builds it; refused if all periods are warm-up.
pub(super) fn build(ask: &Ask) -> Result<Workload, Vec<Problem>> {
    let (warmup, most) = (ask.workload.u64("warmup_periods"), ask.workload.u64("max_periods"));
    if warmup >= most {
        let message = format!("all {most} periods are warm-up, so nothing is measured");
        return problem("workload.warmup_periods", message, Some("make it smaller than max_periods"));
    }
    let phase = Phase { end: NEVER, load: ask.traffic.float("load"), rises: false, pattern: 0 };
    Ok(Workload { patterns: vec![ask.pattern()?], plan: Plan::Load(Timeline::once(vec![phase])) })
}

/// The rule, as a spec has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Periods {
    /// Length of a period \[cycles\].
    pub cycles: u64,
    /// Periods of warm-up; 0: until means settle.
    pub warmup: u64,
    /// Most periods.
    pub most: u64,
    /// Whether latency counts, and measured packets are waited for.
    pub latency: bool,
    /// The limits, of classes that have none of their own.
    pub limits: Limits,
    /// Whether nodes cease to send at the end, and what has come to the front of their queues is waited for.
    pub empties: bool,
    /// Whether pairs of nodes are told apart.
    pub pairs: bool,
    /// From where on latency counts.
    pub from: From,
}

/// The limits of the rule. `None`: there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Mean latency above which a run is unstable \[cycles\].
    pub latency: Option<f64>,
    /// Changes of latency and accepted load that end the warm-up.
    pub warmup_changes: [Option<f64>; 2],
    /// Changes of latency and accepted load with which a period counts as settled.
    pub changes: [Option<f64>; 2],
}

impl Limits {
    /// Of five numbers in this order; a negative one is no limit.
    pub fn new(numbers: [f64; 5]) -> Limits {
        let [latency, warmup_latency, warmup_accepted, change, accepted] =
            numbers.map(|value| Some(value).filter(|&value| value >= 0.0));
        Limits { latency, warmup_changes: [warmup_latency, warmup_accepted], changes: [change, accepted] }
    }
}

/// From where on the rule counts latency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// The birth of a packet.
    Birth,
    /// Its coming to the front of its source queue.
    Front,
}

/// The keys of limits.
const LIMITS: [&str; 5] =
    ["latency_limit_cycles", "warmup_latency_change", "warmup_accepted_change", "latency_change", "accepted_change"];

impl Periods {
    pub(super) fn of(view: View) -> Periods {
        Periods {
            cycles: view.u64("period_cycles"),
            warmup: view.u64("warmup_periods"),
            most: view.u64("max_periods"),
            latency: view.text("measures") == "latency",
            limits: Limits::new(LIMITS.map(|name| view.float(name))),
            empties: view.bool("empties_network"),
            pairs: view.bool("pairs"),
            from: if view.text("latency_from") == "front" { From::Front } else { From::Birth },
        }
    }
}
