//! When a detour is worth its hops: the comparison of UGAL, with the thresholds of simulators.

use super::detour::Way;
use tailback_spec::{Fallback, Kind, Param, View};

/// The parameter `threshold`.
pub const THRESHOLD: Param = Param {
    name: "threshold",
    kind: Kind::Choice(&[
        ("exact", "a detour where q_min H_min > q_det H_det + bias_flits, with the hops H of both ways"),
        ("booksim", "a detour where q_min > 2 q_det + 30, as BookSim 2"),
        ("booksim_ports", "the same with the flits owed to all channels of the port, as BookSim 2 counts them"),
        ("fogsim", "as \"exact\", and to another group 5 packets more, as FOGSim"),
        ("sst", "a detour where q_min > 2 q_det + bias_flits, as SST"),
    ]),
    unit: "",
    fallback: Fallback::Text("exact"),
    doc: "When a packet takes its detour: q are the flits that the router owes to the channels of the first hop of each way.",
};

/// The parameter `bias_flits`.
pub const BIAS: Param = Param {
    name: "bias_flits",
    kind: Kind::Integer { min: -(1 << 20), max: 1 << 20 },
    unit: "flits",
    fallback: Fallback::Integer(0),
    doc: "What a detour has to be better by.",
};

/// The parameter `draws`.
pub const DRAWS: Param = Param {
    name: "draws",
    kind: Kind::Integer { min: 1, max: 16 },
    unit: "detours",
    fallback: Fallback::Integer(1),
    doc: "Detours that a packet draws, of which it compares the best with the minimal way.",
};

/// A comparison.
#[derive(Clone, Copy, Debug)]
pub struct Threshold {
    /// A queue counts once for each hop of its way; else that of a detour counts twice.
    by_hops: bool,
    /// A queue is that of all channels of a port.
    pub by_port: bool,
    /// Flits, and packets to another group.
    flits: i64,
    packets: i64,
}

impl Threshold {
    /// Of a resolved `routing` section.
    pub fn new(view: View) -> Threshold {
        let exact = Threshold { by_hops: true, by_port: false, flits: view.integer("bias_flits"), packets: 0 };
        if !view.has("threshold") {
            return Threshold { by_hops: false, ..exact };
        }
        match view.text("threshold") {
            "booksim" => Threshold { by_hops: false, flits: 30, ..exact },
            "booksim_ports" => Threshold { by_hops: false, by_port: true, flits: 30, ..exact },
            "sst" => Threshold { by_hops: false, ..exact },
            "fogsim" => Threshold { packets: 5, ..exact },
            _ => exact,
        }
    }

    /// Whether a detour is worth it, with so many flits in the queues of both ways. `far`: the flits of a packet for another group,
    /// 0 of any other.
    pub fn prefers(&self, (detour, flits): (Way, u32), (minimal, least): (Way, u32), far: u32) -> bool {
        let (of_minimal, of_detour) = if self.by_hops { (minimal.hops, detour.hops) } else { (1, 2) };
        let bias = self.flits + self.packets * i64::from(far);
        i64::from(least) * i64::from(of_minimal) > i64::from(flits) * i64::from(of_detour) + bias
    }

    /// Whether a detour with so many flits on all of its way is worth it, where a minimal way has so many.
    pub fn is_less(&self, detour: u32, minimal: u32) -> bool {
        i64::from(minimal) > i64::from(detour) + self.flits
    }

    /// What a detour costs beside others \[flits\].
    pub fn cost(&self, detour: Way, flits: u32) -> u64 {
        u64::from(flits) * if self.by_hops { u64::from(detour.hops) } else { 1 }
    }
}
