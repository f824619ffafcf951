//! What distinguishes the runs of this paper.

use crate::lab::Run;

/// What is done about deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Disha; all channels are adaptive.
    Recovery,
    /// Duato; with escape channels.
    Avoidance,
}

/// Both, in the order of the paper.
pub const MODES: [Mode; 2] = [Mode::Recovery, Mode::Avoidance];

impl Mode {
    /// Of a run.
    pub fn of(run: &Run) -> Self {
        if run.point.resolved.view("recovery").kind() == "disha" { Mode::Recovery } else { Mode::Avoidance }
    }

    /// As the paper's targets call it.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Recovery => "recovery",
            Mode::Avoidance => "avoidance",
        }
    }
}

/// How packets are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Always.
    Base,
    /// At least one.
    Alo,
    /// Self-tuned.
    Tune,
    /// By a constant threshold of so many buffers.
    Static(u64),
}

/// The methods of figures 3 and 7 in the order of the paper.
pub const METHODS: [Method; 3] = [Method::Base, Method::Alo, Method::Tune];

impl Method {
    /// Of a run.
    pub fn of(run: &Run) -> Self {
        let admission = run.point.resolved.view("admission");
        match admission.kind() {
            "alo" => Method::Alo,
            "self_tuned" => Method::Tune,
            "global_threshold" => Method::Static(admission.finite("threshold_buffers").unwrap_or(0)),
            _ => Method::Base,
        }
    }
}

impl std::fmt::Display for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Method::Base => write!(f, "Base"),
            Method::Alo => write!(f, "ALO"),
            Method::Tune => write!(f, "Tune"),
            Method::Static(buffers) => write!(f, "Static {buffers}"),
        }
    }
}

/// The two patterns of steady loads, and what the paper calls them.
pub const PATTERNS: [(&str, &str); 2] = [("uniform", "random"), ("butterfly", "butterfly")];

/// Whether the source queue of a run has no end.
pub fn endless_queue(run: &Run) -> bool {
    run.point.resolved.view("router").finite("source_queue_packets").is_none()
}
