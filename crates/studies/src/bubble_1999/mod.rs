//! `bubble-1999`: Puente, Beivide, Gregorio, Prellezo, Duato, Izu, Adaptive Bubble Router, ICPP 1999.
//!
//! An item a file. The rules of the verdicts stand at the functions `c1` to `c7`.

mod base;
mod curve;
mod fig7;
mod fig8;
mod key;
mod peak;
mod silent;
mod specs;
mod starvation;
mod tables;

use crate::paper::{Item, Measure, Paper};

/// The paper.
pub static PAPER: Paper = Paper {
    key: "bubble-1999",
    title: "V. Puente, R. Beivide, J. A. Gregorio, J. M. Prellezo, J. Duato, C. Izu: Adaptive Bubble Router, 1999",
    items: &[
        Item { name: "fig3", summary: "starvation beside a busy ring", run: Measure::Code(starvation::run) },
        Item { name: "table1", summary: "modules of the adaptive bubble router", run: Measure::Code(tables::table1) },
        Item { name: "table2", summary: "modules of the other routers", run: Measure::Code(tables::table2) },
        Item {
            name: "table3",
            summary: "routers for two dimensions: area, cycle, hop",
            run: Measure::Code(tables::table3),
        },
        Item {
            name: "table4",
            summary: "routers for three dimensions: crossbar, cycle",
            run: Measure::Code(tables::table4),
        },
        Item { name: "table5", summary: "base latency, two dimensions; three as well", run: Measure::Code(base::run) },
        Item { name: "table6", summary: "maximum throughput", run: Measure::Code(peak::run) },
        Item {
            name: "fig7",
            summary: "latency and throughput under transpose, two dimensions",
            run: Measure::Code(fig7::run),
        },
        Item {
            name: "fig8",
            summary: "latency and throughput under transpose, three dimensions",
            run: Measure::Code(fig8::run),
        },
        Item {
            name: "silent",
            summary: "what choices do on which the paper is silent",
            run: Measure::Code(silent::run),
        },
    ],
    targets: include_str!("../../../../papers/bubble-1999/targets.toml"),
    folder: "papers/bubble-1999",
};
