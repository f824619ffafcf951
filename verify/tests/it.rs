//! Engines beside their reference models, formulas, determinism, in one binary: the loops are compiled into it once.
//! `cargo test -p tailback-verify --test it adaptive::` runs the tests of one file.

#[path = "adaptive/main.rs"]
mod adaptive;
mod adaptive_determinism;
mod adaptive_formulas;
mod adaptive_graphs;
mod bubble;
mod by_links;
#[path = "closed_loop/main.rs"]
mod closed_loop;
mod common;
mod deadlock;
#[path = "deadlock_corpus/main.rs"]
mod deadlock_corpus;
mod determinism;
mod detours;
#[path = "differential/main.rs"]
mod differential;
mod formulas;
#[path = "graphs/main.rs"]
mod graphs;
#[path = "input_queued/main.rs"]
mod input_queued;
#[path = "ioq/main.rs"]
mod ioq;
mod ioq_graphs;
mod livelock;
mod no_alloc;
#[path = "programs/main.rs"]
mod programs;
#[path = "protocol/main.rs"]
mod protocol;
mod routing_table;
mod shapes;
mod wormhole_formulas;
mod wormhole_graphs;
mod wormhole_runs;
