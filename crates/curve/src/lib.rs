//! The latency-load curve: where to measure, how often, and what may be called stable.
//!
//! This crate knows no network. It asks [`Networks`], one or several variants, for runs at loads of its choice or at given
//! ones, and returns a [`Curve`] for each: the zero-load latency, the knee, the saturation point (the largest stable load,
//! with a confidence interval), the points, and the throughput that is sustained beyond saturation.
//!
//! Data flows one way: [`growth`] judges the runs of one load -> `search` finds the largest stable one -> `points` measures
//! the curve below and beyond it -> [`study()`] does so for all variants, whose runs `desk` collects into batches.

mod desk;
pub mod growth;
mod knee;
mod points;
mod runs;
mod search;
mod study;
#[cfg(test)]
mod testing;

pub use growth::{Growth, Verdict};
pub use knee::{KNEE, knee};
pub use points::Point;
pub use search::{Saturation, half_bracket};
pub use study::{Curve, Study, Variant, study};

/// One run that is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    /// Offered load, in the network's own unit.
    pub load: f64,
    /// Which independent repetition: a seed of its own for every number, the same at every load.
    pub replica: u64,
    /// The measured window is to be doubled so many times.
    pub doublings: u32,
}

/// What a run gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Load that the sources were asked for, in the unit of `accepted`. That of `generated` where sources never stall.
    pub offered: f64,
    /// Load that the sources made in the measured window.
    pub generated: f64,
    /// Load that arrived in it.
    pub accepted: f64,
    /// Mean latency; `None` where nothing arrived.
    pub latency: Option<f64>,
    /// Work that was made and has not arrived (flits, packets), at even distances from the start of the run to the end of
    /// the measured window.
    pub backlog: Vec<f64>,
    /// The run ended in a deadlock.
    pub deadlocked: bool,
    /// Equal for runs in which the same happened, bit for bit; empty where nobody knows.
    pub digest: String,
}

/// Variants of something, each of which can be measured at a load.
pub trait Networks {
    /// Why a run may fail.
    type Error;

    /// Runs all that is asked of these variants, in any order or side by side; answers in the order of `asks`. A run without
    /// an answer ends the study, which keeps all other answers.
    ///
    /// # Errors
    /// The network's own.
    fn measure(&mut self, asks: &[(usize, Ask)]) -> Result<Vec<Option<Answer>>, Self::Error>;
}

/// One of them, as a search sees it.
pub(crate) trait Network {
    /// Why a run may fail.
    type Error;

    /// Answers in the order of `asks`, or `None` to end the search with what it has.
    ///
    /// # Errors
    /// The network's own.
    fn measure(&mut self, asks: &[Ask]) -> Result<Option<Vec<Answer>>, Self::Error>;
}

/// How closely to look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// A load that is surely carried; the zero-load latency is measured here.
    pub low: f64,
    /// A load that is surely too much, such as the channel-load bound.
    pub high: f64,
    /// Loads beyond saturation go up to this one; at least `high`.
    pub highest: f64,
    /// Points below saturation, the zero-load one included: at least 3.
    pub points: usize,
    /// Half width of the 95 % interval of the mean latency over the mean at which a point needs no more seeds.
    pub precision: f64,
    /// Width of the bracket at which a search for saturation ends, over the load.
    pub tolerance: f64,
    /// Seeds of a point: at least so many, at least 2.
    pub seeds_min: u64,
    /// Seeds of a point: at most so many.
    pub seeds_max: u64,
    /// Independent searches for the saturation point: at least 2 for an interval.
    pub searches: u64,
    /// Windows are doubled so many times where shorter ones leave open whether a load is stable.
    pub doublings: u32,
}

impl Options {
    /// The defaults for a bracket of loads.
    pub fn between(low: f64, high: f64) -> Self {
        Options {
            low,
            high,
            highest: high,
            points: 12,
            precision: 0.02,
            tolerance: 0.01,
            seeds_min: 5,
            seeds_max: 20,
            searches: 3,
            doublings: 3,
        }
    }
}
