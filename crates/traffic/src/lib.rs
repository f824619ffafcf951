//! Who sends what, when, how long.
//!
//! Traffic is *lazy*: packet `k` of node `n` is a pure function of (spec, seed, n, k), so a source queue of any length is
//! a cursor, not memory, and a source that is not looked at costs nothing. The only thing that a simulation tells its
//! traffic is [`Traffic::stall`]: how long a full source queue suspended a node's generation.
//!
//! Four choices make up a traffic, one folder each: a [`pattern`] (to whom), a process (when), a size (how long) and a
//! workload (which load at which time, and when it ends). Each part is one file with an `ENTRY`, and one line in the
//! registry of its folder.

mod build;
mod catalogue;
mod classes;
mod cutting;
mod exchange;
mod hosted;
pub mod pattern;
mod placed;
mod process;
mod shape;
mod shared;
mod shares;
mod size;
mod source;
#[cfg(test)]
mod testing;
mod traffic;
mod workload;

pub use build::{has_answers, has_unanswered, is_drawn, message_flits, patterns, refuses_loads};
pub use catalogue::{nested, sections};
pub use classes::listed as listed_classes;
pub use cutting::Cutting;
pub use exchange::{Exchange, Type};
pub use hosted::{Held, Hosted};
pub use placed::{Classes, Keeps, Placed};
pub use shape::Shape;
pub use shared::{MAX_CLASSES, Shared};
pub use source::{Generated, Source};
pub use traffic::Traffic;
pub use workload::changes::{MAX_CHANGES, Stage};
pub use workload::{
    Course, LatencyFrom, Limits, Periods, course, has_messages, is_answered, is_anywhere, is_hosted, is_program, notes,
    periods,
};

/// What is wrong with a spec: the dotted path of the value, what is wrong with it, and what to write in its place.
pub type Problem = (String, String, Option<String>);

/// One problem, as a list.
pub(crate) fn problem<T>(path: &str, message: String, help: Option<&str>) -> Result<T, Vec<Problem>> {
    Err(vec![(path.to_owned(), message, help.map(str::to_owned))])
}

/// Puts `prefix` before the paths of problems that a part reported relative to itself.
pub(crate) fn under(prefix: &str, problems: Vec<Problem>) -> Vec<Problem> {
    let join = |path: String| if path.is_empty() { prefix.to_owned() } else { format!("{prefix}.{path}") };
    problems.into_iter().map(|(path, message, help)| (join(path), message, help)).collect()
}
