//! Running one point: the workload's phases, the watchdog, cancellation, checkpoints.

mod breath;
mod changed;
mod periods;

pub use periods::{OfClass, Settled};

use crate::anatomy::{Dissected, Dissector};
use crate::attempt::guarded;
use crate::checkpoint::Resumed;
use crate::critical::{Critical, critical};
use crate::drive::Drive;
use crate::outcome::Outcome;
use crate::prepare::Prepared;
use crate::ranks::gathered;
use breath::Breath;
use periods::{Verdict, settled};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tailback_base::state::Unfit;
use tailback_cycle::Simulated;
use tailback_engine::Buffers;
use tailback_engine::contract::census::Scratch;
use tailback_engine::outcome::{Counters, Deadlock, Standing};
use tailback_engine::partition::ranks::sum;
use tailback_engine::{DataPath, Probe, Totals};
use tailback_probes::{CongestionTrees, Heads, Livelock, Progress, Tree, Watch};
use tailback_results::Checkpoint;
use tailback_traffic::Course;

/// Cycles between looks at the outside world.
pub(crate) const CHUNK: u64 = 512;

/// Cycles between searches for a deadlock of a part of the network. One search costs about as much as a few cycles.
pub(crate) const SEARCH: u64 = 16_384;

/// Cycles between looks at where heads wait, in the measured window. One look costs about as much as a few cycles.
pub(crate) const LOOK: u64 = 2048;

/// Receives that wait for ever and are named.
const NAMED: usize = 64;

/// How a run is watched and stopped from outside.
#[derive(Clone, Copy, Debug)]
pub struct Control<'a> {
    /// Set to stop at the next look.
    pub cancel: &'a AtomicBool,
    /// Counts simulated cycles up.
    pub cycles_done: &'a AtomicU64,
    /// Threads that the network may use; those that cannot be cut, or are small, use fewer. Results do not depend on it.
    pub threads: usize,
}

/// A run that has stopped, before it is summed up.
pub(crate) struct Finished {
    /// Cycles simulated.
    pub cycle: u64,
    /// Cycles that were simulated before, and the counters at their end.
    pub before: (u64, Counters),
    pub counters: Counters,
    /// What became of all packets since cycle 0.
    pub totals: Totals,
    pub watch: Watch,
    pub deadlock: Option<Deadlock>,
    pub livelock: Option<Livelock>,
    pub progress: Progress,
    /// Where heads waited in the measured window.
    pub heads: Heads,
    /// Congestion trees at the end of the measured window, or of the run where that was first.
    pub trees: Vec<Tree>,
    /// The anatomy of its congestion, where asked for.
    pub anatomy: Option<Dissected>,
    /// The measured window.
    pub window: (u64, u64),
    /// What the rule of periods came to, where there is one.
    pub settled: Option<Settled>,
    /// How far a program came, where nodes execute one.
    pub standing: Option<Standing>,
    /// The critical path of a program, where asked for.
    pub critical: Option<Critical>,
    pub interrupted: bool,
    /// The limit of a drain or of a collective was reached first.
    pub gave_up: bool,
    pub wall: Duration,
    /// The part of `wall` that the search for deadlock, livelock and waiting heads takes.
    pub watchdog: Duration,
}

/// Checkpoints of a run that is under way.
#[derive(Clone, Copy)]
pub struct Keep<'a> {
    /// Cycles between two of them, at the next look of the run at the outside world.
    pub every: u64,
    /// Takes them. The last one comes when the run is cancelled.
    pub keeper: &'a (dyn Fn(Checkpoint) + Sync),
}

/// Runs a point to its end, or until it is cancelled.
pub fn run(prepared: &Prepared, control: &Control) -> Outcome {
    run_in_parts(prepared, control, prepared.worthwhile_parts(control.threads))
}

/// Runs a point, as [`run`] does, and keeps checkpoints.
///
/// # Errors
/// Where the run has a state that no checkpoint holds.
pub fn run_kept(prepared: &Prepared, control: &Control, keep: Option<Keep>) -> Result<Outcome, String> {
    if let (Some(_), Some(why)) = (keep, prepared.unkept()) {
        return Err(why.to_owned());
    }
    if prepared.course() == Course::Host {
        let why = "another program steps this network: nobody else says what its nodes send (workload.kind = \"host\")";
        return Err(why.to_owned());
    }
    Ok(run_all(prepared, control, keep, prepared.worthwhile_parts(control.threads)))
}

impl Prepared {
    /// Why no checkpoint holds a run of it.
    pub fn unkept(&self) -> Option<&'static str> {
        if self.rule.is_some() || self.has_table {
            return Some("what comes from outside of the spec, a rule or a pattern, is in no checkpoint");
        }
        self.periods().map(|_| "a run of workload.kind = \"periods\" is in no checkpoint: it runs in one go")
    }
}

/// Goes on from a checkpoint of the point. A network that was in parts goes on in one piece.
///
/// # Errors
/// Where the state is none of this point's.
pub fn go_on(prepared: &Prepared, control: &Control, from: &Resumed, keep: Option<Keep>) -> Result<Outcome, String> {
    if !prepared.guards.is_empty() {
        let finished = changed::run(prepared, control, keep, Some(from));
        return finished
            .map(|f| f.expect(ALONE).sum_up(prepared))
            .map_err(|unfit| format!("the checkpoint does not fit: {unfit}"));
    }
    let watch = prepared.watch();
    let kept = keep.is_some_and(|_| from.has_levels());
    let buffers = if kept || watch.needs_occupancy() { Buffers::Watched } else { Buffers::Unwatched };
    let finished = prepared.drive(buffers, Whole { prepared, control, watch, keep, from: Some(from) });
    let summed = |finished: Option<Finished>| {
        let mut outcome = finished.expect(ALONE).sum_up(prepared);
        prepared.compare_jobs(&mut outcome, control);
        outcome
    };
    finished.map(summed).map_err(|unfit| format!("the checkpoint does not fit: {unfit}"))
}

/// As [`run`], with the network cut into `parts` parts of a thread each, however small; in one piece where it cannot be cut
/// ([`Prepared::indivisible`]) or is to be.
pub fn run_in_parts(prepared: &Prepared, control: &Control, parts: usize) -> Outcome {
    run_all(prepared, control, None, parts)
}

/// Runs a point, as [`run_in_parts`] does, and keeps checkpoints.
pub fn run_parts_kept(prepared: &Prepared, control: &Control, keep: Keep, parts: usize) -> Outcome {
    run_all(prepared, control, Some(keep), parts)
}

fn run_all(prepared: &Prepared, control: &Control, keep: Option<Keep>, parts: usize) -> Outcome {
    if !prepared.guards.is_empty() {
        let finished = changed::run(prepared, control, keep, None).expect("nothing is restored that may not fit");
        return finished.expect(ALONE).sum_up(prepared);
    }
    let watch = prepared.watch();
    let finished = match prepared.cut(parts, &watch, None) {
        Some(network) => run_network(Runner::new(prepared, control, watch, keep, network)),
        None => {
            // So that whoever forks the run can try a throttle that looks at them.
            let watched = watch.needs_occupancy() || keep.is_some();
            let buffers = if watched { Buffers::Watched } else { Buffers::Unwatched };
            let whole = Whole { prepared, control, watch, keep, from: None };
            prepared.drive(buffers, whole).expect("nothing is restored that may not fit")
        }
    };
    let mut outcome = finished.expect(ALONE).sum_up(prepared);
    prepared.compare_jobs(&mut outcome, control);
    outcome
}

/// Runs a network to the end of its workload.
struct Whole<'a> {
    prepared: &'a Prepared,
    control: &'a Control<'a>,
    watch: Watch,
    keep: Option<Keep<'a>>,
    from: Option<&'a Resumed>,
}

impl Drive<'_> for Whole<'_> {
    type Out = Result<Option<Finished>, Unfit>;

    fn drive<D: DataPath + Simulated>(self, engine: D) -> Self::Out {
        let mut runner = Runner::new(self.prepared, self.control, self.watch, self.keep, engine);
        if let Some(from) = self.from {
            // Of a state that was made to deceive no book may make sense.
            guarded(|| runner.restore(from)).unwrap_or_else(|_| Err(Unfit::new("its state contradicts itself")))?;
        }
        Ok(run_network(runner))
    }
}

/// A process by itself has what comes of a run.
const ALONE: &str = "only one process of several has no results";

/// Runs to the end of the workload. Of several processes the first one has what comes of it.
pub(crate) fn run_network<N: Simulated>(mut runner: Runner<N>) -> Option<Finished> {
    let began = Began::now(&runner);
    runner.prepared.traffic.count(runner.control.cancel);
    let gave_up = match runner.prepared.course() {
        Course::Steady => runner.steady(),
        Course::Collective => runner.collective(),
        Course::Program => runner.program(),
        Course::Periods => runner.periods(),
        // A host steps it; by itself it does nothing.
        Course::Host => false,
        Course::Ramp | Course::Phases => {
            runner.until(runner.window.1);
            false
        }
    };
    finished(runner, began, gave_up)
}

/// When a run began, in this process.
struct Began {
    at: Instant,
    /// Cycles that were simulated before, and the counters at their end.
    before: (u64, Counters),
}

impl Began {
    fn now<N: Simulated>(runner: &Runner<N>) -> Began {
        Began { at: Instant::now(), before: (runner.engine.cycle(), runner.engine.counters()) }
    }
}

/// What comes of a run that has stopped.
fn finished<N: Simulated>(mut runner: Runner<N>, began: Began, gave_up: bool) -> Option<Finished> {
    runner.search_last();
    let wall = began.at.elapsed();
    let before = began.before;
    let trees = runner.trees.take().unwrap_or_else(|| runner.trees());
    let Runner {
        prepared,
        control,
        mut engine,
        watches,
        dissector,
        deadlock,
        livelock,
        progress,
        mut heads,
        interrupted,
        watchdog,
        window,
        verdict,
        settles_from,
        ..
    } = runner;
    let mut watches = watches.into_iter();
    let mut watch = watches.next().expect("a network has a part");
    watches.for_each(|part| watch.merge(&part));
    let standing = engine.standing(NAMED);
    engine.catch_up();
    engine.backlog(engine.cycle(), |_, made| {
        watch.meter.backlogged(made);
        watch.windows.backlogged(made);
    });
    let (counters, totals) = (engine.counters(), engine.totals());
    debug_assert!(totals.add_up(), "{totals:?}");
    if let Some(ranks) = engine.ranks() {
        (watch, heads) = gathered(prepared, ranks, watch, heads)?;
    }
    Some(Finished {
        cycle: engine.cycle(),
        before,
        counters,
        totals,
        gave_up: gave_up && deadlock.is_none() && !interrupted,
        anatomy: dissector.found(watch.movement.as_ref()),
        window,
        settled: settled(&watch, engine.cycle(), verdict, settles_from),
        critical: standing.as_ref().and_then(|standing| searched(prepared, standing, engine.cycle(), &control)),
        standing,
        watch,
        deadlock,
        livelock,
        progress,
        heads,
        trees,
        interrupted,
        wall,
        watchdog,
    })
}

/// The critical path of a program that has completed, where it is asked for.
fn searched(prepared: &Prepared, standing: &Standing, end: u64, control: &Control) -> Option<Critical> {
    let asked = prepared.wants_critical() && standing.completed.is_some();
    asked.then(|| critical(prepared, &standing.told, end, control.cancel)).flatten()
}

/// A run under way; see `checkpoint.rs` for what a checkpoint holds of it.
pub(crate) struct Runner<'a, N> {
    pub prepared: &'a Prepared,
    control: Control<'a>,
    pub keep: Option<Keep<'a>>,
    /// The cycle of the next checkpoint.
    pub next_kept: u64,
    /// Cycle of the last search for a deadlock, and of the last look at where heads wait.
    pub searched: u64,
    pub looked: u64,
    /// The cycle of the last look at the outside world, or that in which the run began.
    pub begun: u64,
    /// Cycles in which nobody is heard who cancels the run.
    breath: Breath,
    /// The measured window.
    pub window: (u64, u64),
    pub engine: N,
    /// One a part of the network.
    pub watches: Vec<Watch>,
    pub dissector: Dissector<'a>,
    pub progress: Progress,
    pub heads: Heads,
    pub deadlock: Option<Deadlock>,
    pub livelock: Option<Livelock>,
    /// The congestion trees at the end of the measured window of a steady run.
    pub trees: Option<Vec<Tree>>,
    /// Packets made in that window, once it has ended.
    pub made: Option<u64>,
    /// What the rule of periods says so far, and the first cycle that it measures.
    verdict: Verdict,
    settles_from: Option<u64>,
    interrupted: bool,
    /// Time spent in looks.
    watchdog: Duration,
    /// For looks at all heads.
    scratch: Scratch,
}

/// More hops than any packet makes: no routing leads further than twice across the network.
fn longest_way(prepared: &Prepared) -> u64 {
    match prepared.network.grid() {
        Some(grid) => 2 * grid.radix().iter().map(|&k| u64::from(k)).sum::<u64>(),
        None => 2 * prepared.network.routers() as u64,
    }
}

impl<'a, N: Simulated> Runner<'a, N> {
    pub fn new(prepared: &'a Prepared, control: &Control<'a>, watch: Watch, keep: Option<Keep<'a>>, engine: N) -> Self {
        let (window, network) = (prepared.measured_window(), &prepared.network);
        let mut watches = vec![watch];
        watches.resize_with(engine.watchers(), || prepared.watch());
        Runner {
            prepared,
            control: *control,
            keep,
            next_kept: keep.map_or(u64::MAX, |keep| keep.every),
            searched: 0,
            looked: window.0,
            begun: engine.cycle(),
            breath: match engine.ranks() {
                None => Breath::by_the_clock(network.routers()),
                Some(_) => Breath::agreed(network.routers()),
            },
            window,
            engine,
            watches,
            dissector: Dissector::new(prepared),
            progress: Progress::new(longest_way(prepared)),
            heads: Heads::new(network),
            deadlock: None,
            livelock: None,
            trees: None,
            made: None,
            verdict: Verdict::Open,
            settles_from: None,
            interrupted: false,
            watchdog: Duration::ZERO,
            scratch: Scratch::default(),
        }
    }

    /// Simulates up to cycle `end`; `false` when the run has to stop before.
    fn until(&mut self, end: u64) -> bool {
        while self.engine.cycle() < end {
            let to = end.min(self.next_look());
            while self.engine.cycle() < to {
                if self.is_given_up() {
                    self.interrupted = true;
                    self.keep_now();
                    return false;
                }
                self.breathe(to);
            }
            self.begun = to;
            let look = Instant::now();
            let goes_on = self.goes_on();
            self.watchdog += look.elapsed();
            if !goes_on {
                return false;
            }
        }
        true
    }

    /// Simulates for about as long as nobody needs to be heard who cancels the run, to cycle `to` at most.
    fn breathe(&mut self, to: u64) {
        let (cycle, began) = (self.engine.cycle(), Instant::now());
        self.advance(to.min(cycle + self.breath.cycles()).min(self.dissector.next()));
        self.breath.took(self.engine.cycle() - cycle, began.elapsed());
        self.dissector.look(&self.engine);
        self.control.cycles_done.fetch_add(self.engine.cycle() - cycle, Ordering::Relaxed);
    }

    /// The cycle of the next look at the outside world. Whoever goes on from a checkpoint looks in the same cycles.
    fn next_look(&self) -> u64 {
        self.begun + CHUNK
    }

    /// Whether somebody has cancelled the run. Processes agree about that when they look.
    fn is_given_up(&self) -> bool {
        self.engine.ranks().is_none() && self.control.cancel.load(Ordering::Relaxed)
    }

    /// Cycles that somebody has simulated before.
    pub fn counts(&self, cycles: u64) {
        self.control.cycles_done.fetch_add(cycles, Ordering::Relaxed);
    }

    pub fn advance(&mut self, stop: u64) {
        if self.watches[0].latency_split.is_none() {
            return self.engine.simulate(&mut self.watches, stop);
        }
        for cycle in self.engine.cycle()..stop {
            self.engine.simulate(&mut self.watches, cycle + 1);
            if let Some(split) = self.watches[0].latency_split.as_mut().filter(|split| split.waits()) {
                let engine = &self.engine;
                split.started_since(&mut self.scratch.started);
                engine.fronts(&mut self.scratch, |front| split.front(front, || engine.name_of(front.id)));
            }
        }
    }

    /// Packets made in the measured window that have come to the front of their queue, and those of them that were delivered.
    fn measured(&self) -> (u64, u64) {
        let meters = || self.watches.iter().map(|watch| &watch.meter);
        let (made, delivered) = (meters().map(|meter| meter.made_packets), meters().map(|meter| meter.latency.count()));
        let [made, delivered] = sum(self.engine.ranks(), [made.sum(), delivered.sum()]);
        (made, delivered)
    }

    /// Looks for a cancellation, a deadlock and a livelock.
    pub fn goes_on(&mut self) -> bool {
        let cycle = self.engine.cycle();
        let cancelled = u64::from(self.control.cancel.load(Ordering::Relaxed));
        self.interrupted = sum(self.engine.ranks(), [cancelled]) != [0];
        // A checkpoint is taken behind the looks of its cycle, so that whoever goes on from it does not miss them.
        if self.interrupted && self.keep.is_none() {
            return false;
        }
        if cycle - self.searched >= SEARCH || self.engine.is_still() {
            self.searched = cycle;
            self.deadlock = self.engine.deadlock();
        }
        if (self.window.0..=self.window.1).contains(&cycle) && cycle - self.looked >= LOOK {
            self.looked = cycle;
            self.heads.look();
            let heads = &mut self.heads;
            self.engine.waiting(&mut |head| heads.add(head));
        }
        self.livelock = self.progress.look(cycle, self.engine.counters(), self.engine.in_flight());
        let goes_on = self.deadlock.is_none() && self.livelock.is_none();
        if goes_on && (self.interrupted || cycle >= self.next_kept) {
            self.keep_now();
        }
        goes_on && !self.interrupted
    }

    /// Looks once more for a deadlock of a part of the network, where it would be taken for slowness.
    fn search_last(&mut self) {
        if self.deadlock.is_none() && !self.interrupted && self.searched < self.engine.cycle() {
            self.deadlock = self.engine.deadlock();
        }
    }

    /// The congestion trees there are now.
    pub fn trees(&self) -> Vec<Tree> {
        let Some(grid) = self.prepared.network.grid() else { return Vec::new() };
        let mut trees = CongestionTrees::new(grid);
        self.engine.points(&mut |point| trees.add(&point));
        trees.trees()
    }

    /// Warm-up and measurement, then on until every packet made in the window is delivered. Returns whether the drain's
    /// limit came first.
    fn steady(&mut self) -> bool {
        let (from, to) = self.prepared.measured_window();
        if !self.until(to) {
            return false;
        }
        // A run may go on from a checkpoint behind the window.
        if self.trees.is_none() {
            self.trees = Some(self.trees());
        }
        let made = self.made.unwrap_or_else(|| {
            let mut waiting = 0;
            self.engine.backlog(to, |_, lot| {
                waiting += if (from..to).contains(&lot.cycle) { lot.amount.packets } else { 0 };
            });
            let [waiting] = sum(self.engine.ranks(), [waiting]);
            self.measured().0 + waiting
        });
        self.made = Some(made);
        let limit = to + self.prepared.view("workload").u64("drain_cycles");
        self.until_done(limit, |run| run.measured().1 >= made)
    }

    /// Until every source has sent its last packet and all are delivered. Returns whether the limit came first.
    fn collective(&mut self) -> bool {
        let limit = self.prepared.view("workload").u64("limit_cycles");
        self.until_done(limit, |run| run.engine.in_flight() == 0 && run.engine.sources_are_dry())
    }

    /// Until all operations have finished, or none ever will any more. Returns whether the limit came first.
    fn program(&mut self) -> bool {
        let limit = self.prepared.view("workload").u64("limit_cycles");
        self.until_done(limit, |run| run.engine.in_flight() == 0 && run.engine.sources_wait())
    }

    /// Simulates until `done` holds or the run has to stop; returns whether cycle `limit` came first.
    fn until_done(&mut self, limit: u64, done: impl Fn(&Self) -> bool) -> bool {
        // Whoever goes on from a checkpoint between two looks asks no earlier than a run that was never interrupted.
        while self.begun < self.engine.cycle() || !done(self) {
            if self.engine.cycle() == limit {
                return true;
            }
            if !self.until(self.next_look().min(limit)) {
                return false;
            }
        }
        false
    }
}
