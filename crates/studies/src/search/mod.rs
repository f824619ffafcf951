//! Searches for the reading under which most of a paper is met: one change at a time, then combinations, then the best ones whole.
//!
//! The score and the cells that are held back are written in the study before the search. Every reading tried is kept and shown.

mod ahead;
mod plan;
mod run;
mod score;

#[cfg(test)]
pub(crate) use ahead::unkept;
#[cfg(test)]
pub(crate) use run::check_candidates;
pub use run::{Ended, Refused, Search, SearchSettings, Tried, search};
pub use score::{SCORED, Tally, check_score};
