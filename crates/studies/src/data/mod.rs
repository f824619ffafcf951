//! Studies as data: `papers/KEY/study.toml` says which specs an item runs, its cells, pictures and claims. `study.toml` is read once
//! ([`load`]); an item is measured ([`measure`]) by running its specs, labelling the runs ([`runs`]) and evaluating formulas over them
//! ([`scope`]).

mod bars;
mod busy;
mod check;
mod check_readings;
mod claims;
mod cost;
mod figures;
pub(crate) mod form;
mod functions;
mod lines;
mod load;
mod measure;
mod of_run;
pub(crate) mod questions;
mod readings;
mod runs;
mod scope;
mod space_time;
mod study;
mod values;

pub use load::load;
#[cfg(test)]
pub use measure::check_facts;
pub use measure::{measure, specs_of};
pub use study::{DataStudy, Fault};

#[cfg(test)]
mod each_tests;
#[cfg(test)]
mod over_time_tests;
#[cfg(test)]
mod readings_tests;
#[cfg(test)]
mod tests;
