//! `spth-2015`: Yokota, Ootsu, Ohkawa, Relaxing Heavy Congestion by State Propagation, 2015.
//!
//! An item a file. The rules of the verdicts stand at the functions `c1` to `c10`.

mod busy;
mod critical;
mod fig8;
mod fig9;
mod flight;
mod key;
mod length;
mod propagation;
mod ramp;
mod space_time;
mod specs;
mod table2;
mod table3;
mod tornado;
mod vcinfo;

use crate::paper::{Item, Measure, Paper};

/// The paper.
pub static PAPER: Paper = Paper {
    key: "spth-2015",
    title: "T. Yokota, K. Ootsu, T. Ohkawa: Relaxing Heavy Congestion by State Propagation, 2015",
    items: &[
        Item {
            name: "fig6",
            summary: "space-time charts below, at and above the critical load",
            run: Measure::Code(space_time::fig6),
        },
        Item { name: "critical_load", summary: "critical load of bit complement", run: Measure::Code(critical::run) },
        Item { name: "fig8", summary: "throughput and latency over load", run: Measure::Code(fig8::run) },
        Item {
            name: "fig9",
            summary: "throughput and latency relative to no throttling",
            run: Measure::Code(fig9::run),
        },
        Item { name: "fig10", summary: "packets in flight during the collective", run: Measure::Code(flight::run) },
        Item { name: "table2", summary: "duration of the collective", run: Measure::Code(table2::run) },
        Item {
            name: "tornado",
            summary: "tornado as printed and with inferred offsets",
            run: Measure::Code(tornado::run),
        },
        Item {
            name: "fig11",
            summary: "space-time charts above the critical load, three methods",
            run: Measure::Code(space_time::fig11),
        },
        Item {
            name: "fig12",
            summary: "space-time charts of the collective, three methods",
            run: Measure::Code(space_time::fig12),
        },
        Item {
            name: "table3",
            summary: "speed-up of the collective over the size of the network",
            run: Measure::Code(table3::run),
        },
        Item {
            name: "fig13",
            summary: "duration of the collective over VCinfo length",
            run: Measure::Code(length::run),
        },
        Item {
            name: "propagation",
            summary: "VCinfo over ideal and shared links, section 5.4.5",
            run: Measure::Code(propagation::run),
        },
    ],
    targets: include_str!("../../../../papers/spth-2015/targets.toml"),
    folder: "papers/spth-2015",
};
