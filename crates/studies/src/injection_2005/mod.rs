//! `injection-2005`: Izu, Miguel-Alonso, Gregorio, Packet Injection Mechanisms and their Impact on Network Throughput, 2005.
//!
//! An item a file. The rules of the verdicts stand at the functions `c1` to `c9`; how the three request rules count in them
//! stands in [`verdict`].

mod bars;
mod channels;
mod curve;
mod fig10;
mod fig11;
mod fig3;
mod fig4;
mod fig5;
mod fig6;
mod fig7;
mod fig8;
mod fig9;
mod fsin;
mod key;
mod restricted;
mod silent;
mod specs;
mod verdict;

use crate::paper::{Item, Measure, Paper};

/// The paper.
pub static PAPER: Paper = Paper {
    key: "injection-2005",
    title: "C. Izu, J. Miguel-Alonso, J. A. Gregorio: Packet Injection Mechanisms and their Impact on Network Throughput, 2005",
    items: &[
        Item {
            name: "fig3",
            summary: "latency with four injection channels and with one, 16x16",
            run: Measure::Code(fig3::run),
        },
        Item {
            name: "fig4",
            summary: "accepted over offered load by injection organisation, 16x16",
            run: Measure::Code(fig4::run),
        },
        Item { name: "fig5", summary: "transit queues and channels at load 1.0, 16x16", run: Measure::Code(fig5::run) },
        Item {
            name: "fig6",
            summary: "transit queues over time from an empty network on, 16x16",
            run: Measure::Code(fig6::run),
        },
        Item {
            name: "fig7",
            summary: "accepted over offered load by injection organisation, 32x32",
            run: Measure::Code(fig7::run),
        },
        Item { name: "fig8", summary: "transit queues and channels at load 1.0, 32x32", run: Measure::Code(fig8::run) },
        Item { name: "fig9", summary: "restrictive injection at load 1.0, 32x32", run: Measure::Code(fig9::run) },
        Item {
            name: "fig10",
            summary: "transit queues and channels under restrictive injection, 32x32",
            run: Measure::Code(fig10::run),
        },
        Item {
            name: "fig11",
            summary: "hot region: organisations and restrictive injection, 32x32",
            run: Measure::Code(fig11::run),
        },
        Item {
            name: "fsin",
            summary: "beside FSIN, the authors' simulator in a later version",
            run: Measure::Code(fsin::run),
        },
        Item {
            name: "silent",
            summary: "what choices do on which the paper is silent",
            run: Measure::Code(silent::run),
        },
    ],
    targets: include_str!("../../../../papers/injection-2005/targets.toml"),
    folder: "papers/injection-2005",
};
