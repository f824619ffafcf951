//! `self-tuned-2001`: Thottethodi, Lebeck, Mukherjee, Self-Tuned Congestion Control for Multiprocessor Networks, 2001.
//!
//! An item a file. The rules of the verdicts stand at the functions `c1` to `c8`.

mod curve;
mod escape;
mod fig1;
mod fig2;
mod fig3;
mod fig4;
mod fig5;
mod fig6;
mod fig7;
mod gain;
mod key;
mod latency;
mod sensitivity;
mod silent;
mod specs;

use crate::paper::{Item, Measure, Paper};

/// The paper.
pub static PAPER: Paper = Paper {
    key: "self-tuned-2001",
    title: "M. Thottethodi, A. R. Lebeck, S. S. Mukherjee: Self-Tuned Congestion Control for Multiprocessor Networks, 2001",
    items: &[
        Item {
            name: "fig1",
            summary: "throughput over load without congestion control",
            run: Measure::Code(fig1::run),
        },
        Item {
            name: "fig2",
            summary: "throughput over full buffers; the paper's is a sketch",
            run: Measure::Code(fig2::run),
        },
        Item {
            name: "fig3",
            summary: "throughput and latency over load, three methods",
            run: Measure::Code(fig3::run),
        },
        Item { name: "fig4", summary: "threshold and throughput over time, self-tuned", run: Measure::Code(fig4::run) },
        Item { name: "fig5", summary: "static thresholds against tuning, two patterns", run: Measure::Code(fig5::run) },
        Item { name: "fig6", summary: "offered bursty load", run: Measure::Code(fig6::run) },
        Item { name: "fig7", summary: "delivered throughput under bursty load", run: Measure::Code(fig7::run) },
        Item {
            name: "bursty",
            summary: "average latencies under bursty load, section 5.2.3",
            run: Measure::Code(latency::run),
        },
        Item {
            name: "extrapolation",
            summary: "linear extrapolation against the last snapshot",
            run: Measure::Code(gain::run),
        },
        Item {
            name: "sensitivity",
            summary: "tuning period, steps, narrow side-band",
            run: Measure::Code(sensitivity::run),
        },
        Item { name: "escape", summary: "what the escape network does to figure 3c", run: Measure::Code(escape::run) },
        Item {
            name: "silent",
            summary: "what choices do on which the paper is silent",
            run: Measure::Code(silent::run),
        },
    ],
    targets: include_str!("../../../../papers/self-tuned-2001/targets.toml"),
    folder: "papers/self-tuned-2001",
};
