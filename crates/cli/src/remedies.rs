//! `tailback run --remedies`: what would help the point, tried and measured.

use crate::exit::{Failure, Result};
use crate::interrupt;
use crate::points::{Points, Source};
use crate::runner::{Done, Watcher, run_points};
use crate::session::Session;
use crate::show::progress::Bar;
use crate::show::{self, numbers::count, progress::Progress};
use std::sync::atomic::{AtomicU64, Ordering};
use tailback_sim::remedy::Trial;
use tailback_sim::{Cause, Diagnosis};

/// How remedies are tried.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct RemedyArgs {
    /// Try a list of changes to the point, each of one parameter, and say what each gains; for specs of one point
    #[arg(long)]
    remedies: bool,
    /// With --remedies: run the point and every change with this many seeds, from the point's own on; intervals need 3
    #[arg(long, value_name = "N", requires = "remedies", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..=1000))]
    remedy_seeds: u64,
}

impl RemedyArgs {
    /// The number of seeds, where remedies are asked for.
    ///
    /// # Errors
    /// For a spec of several points.
    pub fn seeds(&self, points: &Points) -> Result<Option<u64>> {
        match (self.remedies, points.count()) {
            (false, _) => Ok(None),
            (true, 1) => Ok(Some(self.remedy_seeds)),
            (true, many) => Err(Failure::usage(format!(
                "--remedies tries changes to one point, and this spec has {}; choose one with --set, as in --set traffic.load=0.4, and \
                 --set run.replicas=1",
                count(many as u64, "run")
            ))),
        }
    }
}

/// Runs the only point, tries what would help it, and then tells the session of both.
pub fn run_point(points: &Points, threads: usize, seeds: u64, session: &mut Session<'_>) -> Result<()> {
    let mut held = Held { done: None, session };
    run_points(points, &[0], threads, &mut held)?;
    let Held { done, session } = held;
    let Some(mut done) = done else { return Ok(()) };
    if !interrupt::requested() {
        try_all(&mut done, threads, seeds);
    }
    session.done(done)
}

/// Tries the changes and puts what came of them into the point's why.
fn try_all(done: &mut Done, threads: usize, seeds: u64) {
    if done.outcome.why.cause == Cause::Nothing && !matches!(done.outcome.diagnosis, Diagnosis::Completed) {
        show::note("no remedies were tried: the point carries what it is offered");
        return;
    }
    let Some(trial) = Trial::new(&done.prepared, seeds, interrupt::flag()) else { return };
    let (runs, cycles) = (trial.runs(), AtomicU64::new(0));
    let each = done.outcome.record.cycles.max(1);
    let progress = Progress::new(runs as u64 * each, Bar::Shown);
    let found = trial.run(threads, interrupt::flag(), &cycles, |ended| {
        progress.at(cycles.load(Ordering::Relaxed), format!("remedies, {ended} of {}", count(runs as u64, "run")));
    });
    if let Some(reason) = found.failed {
        show::note(&format!("a remedy could not be run: {reason}"));
    }
    done.outcome.why.remedies = found.all;
}

/// Keeps the point until its remedies have been tried.
struct Held<'a, 'b> {
    done: Option<Done>,
    session: &'a mut Session<'b>,
}

impl Watcher for Held<'_, '_> {
    fn done(&mut self, done: Done) -> Result<()> {
        self.done = Some(done);
        Ok(())
    }

    fn failed(&mut self, index: usize, reason: String) -> Result<()> {
        self.session.failed(index, reason)
    }

    fn tick(&mut self, cycles: u64) {
        self.session.tick(cycles);
    }
}
