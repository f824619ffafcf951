//! `recn-mesh-2005`: García, Flich, Duato, Quiles, Johnson, Naven, On the Correct Sizing on Meshes through an Effective
//! Congestion Management Strategy, Euro-Par 2005.
//!
//! An item a file. The rules of the verdicts stand at the functions `c1` to `c6`. The paper prints no numbers: what it draws
//! are curves, and what it says of them are the claims.

mod curve;
mod fig1;
mod fig2;
mod fig3;
mod key;
mod silent;
mod specs;

use crate::paper::{Item, Paper};

/// The paper.
pub static PAPER: Paper = Paper {
    key: "recn-mesh-2005",
    title: "P. J. García, J. Flich, J. Duato, F. J. Quiles, I. Johnson, F. Naven: On the Correct Sizing on Meshes, 2005",
    items: &[
        Item { name: "fig1", summary: "256 nodes on fewer and fewer switches: relative throughput", run: fig1::run },
        Item {
            name: "fig2",
            summary: "one node a switch, 16, 64 and 256 switches: relative throughput",
            run: fig2::run,
        },
        Item { name: "fig3", summary: "most set-aside queues in use, traffic 3", run: fig3::run },
        Item { name: "silent", summary: "what choices do on which the paper is silent", run: silent::run },
    ],
    targets: include_str!("../../../../papers/recn-mesh-2005/targets.toml"),
};
