//! The verbs, a file each.

mod bench;
mod booksim;
mod check;
mod compare;
mod completions;
mod cost;
mod curve;
mod explain;
mod help;
mod list;
mod live;
mod manual;
mod plot;
mod replay;
mod reproduce;
mod resume;
mod route;
mod run;
mod saturation;
mod schema;
pub mod sweep;
mod topology;
mod trace;
mod verify;
mod view;
mod workload;

use crate::exit::{Failure, Result};
use crate::together::Lead;
use clap::{Command, Subcommand};
use sweep::Elsewhere;

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Runs all points of a spec and shows the results
    Run(run::Args),
    /// Continues a run from a checkpoint, or forks it: one state, several settings
    Resume(resume::Args),
    /// Runs the points that are missing in a folder, on this machine or on a cluster
    Sweep(sweep::Args),
    /// Checks a spec without running it, and shows what limits its network
    Check(check::Args),
    /// Prints a spec with every default filled in
    Explain(explain::Args),
    /// Lists what a spec may contain: sections, kinds, parameters with units
    List(list::Args),
    /// Plots the records of an earlier run again
    Plot(plot::Args),
    /// Searches the largest load that a network carries in a steady state
    Saturation(saturation::Args),
    /// Measures the latency-load curve of each variant: zero load, knee, saturation point with its interval, sustained throughput
    Curve(curve::Args),
    /// Compares variants of a spec under the same seeds, with an interval for each difference
    Compare(compare::Args),
    /// Runs a configuration file of BookSim 2, or says which key is in the way
    Booksim(booksim::Args),
    /// Plays a network in a browser: shows it while it runs, steers it, goes back, forks it
    Live(live::Args),
    /// Browses results on disk in a browser: tables, curves, filters, points with their pictures
    View(view::Args),
    /// Follows one packet: every queue, every wait and its reason
    Trace(trace::Args),
    /// Reproduces a paper: published numbers next to measured ones, and a verdict on every claim
    Reproduce(reproduce::Args),
    /// Runs capsules again and compares their digests
    Verify(verify::Args),
    /// Repeats the calls of another simulator that stepped a network, from their log
    Replay(replay::Args),
    /// Builds a network of any family, or reads one from a file: prints its measures, or writes it in another format
    Topology(topology::Args),
    /// Computes the routes of a network, free of deadlock, and writes them as a table
    Route(route::Args),
    /// Generates a program of messages that wait for messages, such as a collective, and writes it as GOAL; or checks such a file
    Workload(workload::Args),
    /// Calculates what a router costs: modules, area, cycle time, time per hop
    Cost(cost::Args),
    /// Measures the speed of this program on fixed scenarios
    Bench(bench::Args),
    /// Prints the JSON Schema of specs, for editors
    Schema(schema::Args),
    /// Prints the completion script of a shell
    Completions(completions::Args),
    /// Prints a manual page for `man`
    Manual(manual::Args),
    /// Prints this page, or the page of a verb
    Help(help::Args),
}

/// Runs a verb. `command` describes the command line, for manual pages; `program` is how this one was called; `elsewhere` runs
/// sweeps where this program cannot; `lead` leads other processes, where there are any.
pub fn run(verb: &Verb, command: fn() -> Command, program: &str, elsewhere: &Elsewhere, lead: Option<&Lead>) -> Result {
    if lead.is_some() && !matches!(verb, Verb::Run(_)) {
        return Err(Failure::usage("several processes simulate a network together in `tailback run` only"));
    }
    match verb {
        Verb::Sweep(args) => sweep::run(args, program, elsewhere),
        Verb::Run(args) => run::run(args, lead),
        Verb::Resume(args) => resume::run(args),
        Verb::Check(args) => check::run(args),
        Verb::Explain(args) => explain::run(args),
        Verb::List(args) => list::run(args),
        Verb::Plot(args) => plot::run(args),
        Verb::Saturation(args) => saturation::run(args),
        Verb::Curve(args) => curve::run(args),
        Verb::Compare(args) => compare::run(args),
        Verb::Booksim(args) => booksim::run(args),
        Verb::Live(args) => live::run(args),
        Verb::View(args) => view::run(args),
        Verb::Trace(args) => trace::run(args),
        Verb::Reproduce(args) => reproduce::run(args),
        Verb::Verify(args) => verify::run(args),
        Verb::Replay(args) => replay::run(args),
        Verb::Topology(args) => topology::run(args),
        Verb::Route(args) => route::run(args),
        Verb::Workload(args) => workload::run(args),
        Verb::Cost(args) => cost::run(args),
        Verb::Bench(args) => bench::run(args),
        Verb::Schema(args) => schema::run(args),
        Verb::Completions(args) => completions::run(args),
        Verb::Manual(args) => manual::run(args, command()),
        Verb::Help(args) => help::run(args, command()),
    }
}
