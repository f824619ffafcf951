//! Tests of the façade, in one binary: the loops of the engine are compiled into it once.
//! `cargo test -p tailback-sim --test it checkpoints::` runs those of one file.

mod adaptive;
mod alike;
mod anatomy;
mod answers;
mod causes;
mod changes;
mod checkpoints;
mod common;
mod completion;
mod contracts;
mod detours;
#[path = "effects/main.rs"]
mod effects;
mod latency_split;
mod names;
mod outcomes;
mod overload;
mod probes;
mod programs;
mod queued;
mod random_specs;
mod run;
mod set_aside;
mod shapes;
mod trace;
mod unmatched;
mod wormhole;
