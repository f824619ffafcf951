//! What distinguishes the runs of this paper.

use crate::lab::Run;
use tailback_cost::{Family, Preset};

/// A kind of traffic, a column of tables 5 and 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// Random destinations, 16 phits.
    Random,
    /// Random destinations, one message of ten 160 phits long.
    Bimodal,
    /// Transpose.
    Transpose,
    /// Bit reversal.
    BitReversal,
    /// Perfect shuffle.
    Shuffle,
}

/// All in the order of table 5.
pub const TABLE5: [Traffic; 5] =
    [Traffic::Random, Traffic::Bimodal, Traffic::Transpose, Traffic::BitReversal, Traffic::Shuffle];

/// All in the order of table 6.
pub const TABLE6: [Traffic; 5] =
    [Traffic::Random, Traffic::Bimodal, Traffic::Transpose, Traffic::Shuffle, Traffic::BitReversal];

impl Traffic {
    /// Of a run.
    pub fn of(run: &Run) -> Self {
        let size = run.point.resolved.view("traffic.size");
        match (run.pattern(), size.kind()) {
            ("trns", _) => Traffic::Transpose,
            ("brev", _) => Traffic::BitReversal,
            ("shfl", _) => Traffic::Shuffle,
            (_, "bimodal") => Traffic::Bimodal,
            _ => Traffic::Random,
        }
    }

    /// As the paper calls it.
    pub fn name(self) -> &'static str {
        match self {
            Traffic::Random => "random",
            Traffic::Bimodal => "bimodal",
            Traffic::Transpose => "transpose",
            Traffic::BitReversal => "bit reversal",
            Traffic::Shuffle => "perfect shuffle",
        }
    }
}

/// The preset of a run; every spec of this study has one.
pub fn preset(run: &Run) -> Option<&'static Preset> {
    tailback_cost::preset(run.point.resolved.get("preset")?.as_str()?)
}

/// The router of a run.
pub fn family(run: &Run) -> Option<Family> {
    preset(run).map(|preset| preset.family)
}

/// Whether a router moves whole packets.
pub fn is_bubble(family: Family) -> bool {
    matches!(family, Family::BubbleDor | Family::BubbleAdaptive)
}
