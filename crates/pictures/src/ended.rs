//! How a point ended, and how its mark tells that.

use crate::look::Fill;

/// How a point ended, over all of its seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// Every seed reached a steady state, or its end.
    #[default]
    Steady,
    /// Some seed saturated, or it is not known whether one did.
    Unsteady,
    /// Some seed ended in a deadlock, or starved nodes.
    Broken,
    /// Some seed was interrupted.
    Interrupted,
}

impl Ended {
    /// What a caption says of the marks that are not filled.
    pub(crate) const MARKS: [(Ended, &str); 3] = [
        (Ended::Unsteady, "Hollow: no steady state."),
        (Ended::Broken, "Crossed: deadlocked or starved."),
        (Ended::Interrupted, "Half filled: interrupted."),
    ];

    pub(crate) fn fill(self) -> Fill {
        match self {
            Ended::Steady => Fill::Full,
            Ended::Unsteady => Fill::Hollow,
            Ended::Broken => Fill::Crossed,
            Ended::Interrupted => Fill::Half,
        }
    }
}
