//! Programs from outside: generated ones against lists made naively and against their formulas.

mod bounded;
mod faults;
mod formulas;
mod listed;
mod naive;
mod refusals;
mod round_trips;
mod same;
mod timed;
