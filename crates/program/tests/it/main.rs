//! Programs from outside: generated ones against lists made naively and against their formulas.

mod formulas;
mod listed;
mod naive;
mod refusals;
mod same;
mod timed;
