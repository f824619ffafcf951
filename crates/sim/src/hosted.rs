//! A run that a host steps: another program says what nodes send, and how far the clock goes.
//!
//! What a run does by itself now and then, looks for a deadlock and a livelock, it does in the same cycles however a host steps it.

use crate::checkpoint::Resumed;
use crate::drive::Drive;
use crate::outcome::Outcome;
use crate::prepare::Prepared;
use crate::run::{CHUNK, Control, Finished, LOOK, Runner, SEARCH};
use crate::trace::{Story, Watcher, Way, Which};
use crate::{anatomy::Dissector, attempt::guarded};
use std::time::{Duration, Instant};
use tailback_base::state::{Reader, State, Unfit, Writer};
use tailback_cycle::Simulated;
use tailback_engine::Amount;
use tailback_engine::outcome::Counters;
use tailback_engine::packet::Packet;
use tailback_engine::{Arrived, Buffers, DataPath, Offer, Probe};
use tailback_probes::Watch;
use tailback_results::Checkpoint;
use tailback_traffic::{Course, Hosted};

/// Cycles that are simulated of an empty network before anybody looks whether the others can be left out.
const SETTLES: u64 = 64;

/// Why the clock stands before the cycle to which the host wanted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Packets wait for each other for ever.
    Deadlock,
    /// Packets go on and on, and none arrives.
    Livelock,
    /// Somebody has cancelled the run ([`Control::cancel`]).
    Cancelled,
}

/// A network that a host steps. A bug of the program in one of its methods is a panic, and the network is of no use then.
pub trait Stepped: Send {
    /// The cycle to be simulated next.
    fn clock(&self) -> u64;

    /// Takes a message, which its node makes in the cycle in which the clock stands. It is between two nodes that are there, and as long as
    /// [`Prepared::hosted`] allows.
    fn offer(&mut self, offer: Offer);

    /// What has been offered at a node and whose tail has not left it.
    fn queued(&mut self, node: u32) -> Amount;

    /// A message has been received at a node, which gives back so many places of the ejection buffer.
    fn consumed(&mut self, node: u32, places: u32);

    /// Follows the first packet of the message that was offered last, from this port and with this name, in the place of any other. Each cycle
    /// costs a look at all packets until it has arrived.
    fn follow(&mut self, source: u32, name: u64);

    /// The story of the packet that is followed, or was last; `None` before it has come to the front of its source queue.
    fn story(&self) -> Option<Story>;

    /// Simulates all cycles before `to`, or up to a halt.
    ///
    /// # Errors
    /// What halts it; then it does not go on.
    fn advance(&mut self, to: u64) -> Result<(), Halt>;

    /// Calls `each` with what has arrived since the last call.
    fn arrivals(&mut self, each: &mut dyn FnMut(Arrived));

    /// The outcome of the run, as if it ended here. Cost: proportional to the network and to what was recorded.
    fn outcome(&self) -> Outcome;

    /// The state of the run. All that has arrived has been taken.
    fn checkpoint(&self) -> Checkpoint;
}

/// The network of a point that a host steps, from cycle 0 or from a checkpoint on.
///
/// # Errors
/// Where no host steps it, or the state of the checkpoint does not fit.
pub fn host<'a>(
    prepared: &'a Prepared,
    control: Control<'a>,
    from: Option<&Resumed>,
) -> Result<Box<dyn Stepped + 'a>, String> {
    if prepared.course() != Course::Host {
        return Err("no host steps this point: set workload.kind to \"host\"".to_owned());
    }
    let watch = prepared.watch();
    let parts = prepared.worthwhile_parts(control.threads);
    if let (None, Some(network)) = (from, prepared.cut(parts, &watch, None)) {
        return Ok(Box::new(Session::new(Runner::new(prepared, &control, watch, None, network))));
    }
    let buffers = if watch.needs_occupancy() { Buffers::Watched } else { Buffers::Unwatched };
    let made = prepared.drive(buffers, Open { prepared, control, watch, from });
    made.map_err(|unfit| format!("the checkpoint does not fit: {unfit}"))
}

impl Prepared {
    /// The bounds of what a host may send; `None` where none steps it.
    pub fn hosted(&self) -> Option<&Hosted> {
        self.traffic.hosted()
    }

    /// Places of the ejection buffer of a node in which messages wait for a host; `None`: any number.
    pub fn ejection_places(&self) -> Option<u32> {
        self.router.ejection_places().map(|(places, _)| places)
    }

    /// Packets that a node holds at most which have not left it; `None`: any number.
    pub fn source_queue_packets(&self) -> Option<u32> {
        self.router.source_queue_packets()
    }
}

struct Open<'a, 'r> {
    prepared: &'a Prepared,
    control: Control<'a>,
    watch: Watch,
    from: Option<&'r Resumed>,
}

/// Keeps a data path, whichever it is.
impl<'a> Drive<'a> for Open<'a, '_> {
    type Out = Result<Box<dyn Stepped + 'a>, Unfit>;

    fn drive<D: DataPath + Simulated + Send + 'a>(self, engine: D) -> Self::Out {
        let mut runner = Runner::new(self.prepared, &self.control, self.watch, None, engine);
        if let Some(from) = self.from {
            // Of a state that was made to deceive no book may make sense.
            guarded(|| runner.restore(from)).unwrap_or_else(|_| Err(Unfit::new("its state contradicts itself")))?;
        }
        Ok(Box::new(Session::new(runner)))
    }
}

/// A run under way.
struct Session<'a, N> {
    runner: Runner<'a, N>,
    /// Whether cycles may be left out in which nothing happens.
    skips: bool,
    /// The time that the host has spent in here.
    spent: Duration,
    begun: (u64, Counters),
    followed: Followed,
}

/// A packet that is followed.
#[derive(Default)]
struct Followed {
    /// Whether it has not arrived.
    goes: bool,
    /// Its way so far, when it has come to the front of its source queue, the packet, and the cycle in which it was delivered.
    way: Option<(Way, Packet, Option<u64>)>,
}

impl<'a, N: Simulated> Session<'a, N> {
    fn new(runner: Runner<'a, N>) -> Self {
        let skips = runner.dissector.next() == u64::MAX && !runner.watches.iter().any(Watch::minds_idle);
        let begun = (runner.engine.cycle(), runner.engine.counters());
        Session { runner, skips, spent: Duration::ZERO, begun, followed: Followed::default() }
    }

    fn halt(&self) -> Option<Halt> {
        let deadlock = self.runner.deadlock.as_ref().map(|_| Halt::Deadlock);
        deadlock.or_else(|| self.runner.livelock.as_ref().map(|_| Halt::Livelock))
    }

    fn is_at_rest(&self) -> bool {
        self.skips && self.runner.engine.in_flight() == 0 && self.runner.engine.is_at_rest()
    }

    /// Simulates up to cycle `end`; `false` where the run cannot go on.
    fn until(&mut self, end: u64) -> bool {
        // A host that steps cycle by cycle looks nowhere else.
        let runner = &self.runner;
        if runner.engine.cycle() + 1 == end && !end.is_multiple_of(CHUNK) && runner.dissector.next() > end {
            self.go(end);
            return true;
        }
        while self.runner.engine.cycle() < end {
            let cycle = self.runner.engine.cycle();
            if end - cycle > SETTLES && self.is_at_rest() {
                self.skip(end);
                break;
            }
            let runner = &self.runner;
            let empty = self.skips && runner.engine.in_flight() == 0;
            let look = (cycle / CHUNK + 1) * CHUNK;
            let to = end.min(look).min(runner.dissector.next()).min(if empty { cycle + SETTLES } else { u64::MAX });
            self.go(to);
            let runner = &mut self.runner;
            runner.dissector.look(&runner.engine);
            if to == look && !runner.goes_on() {
                return false;
            }
        }
        true
    }

    /// Simulates up to cycle `to`, and looks where the packet is that is followed.
    fn go(&mut self, to: u64) {
        while self.followed.goes && self.runner.engine.cycle() < to {
            let now = self.runner.engine.cycle();
            self.runner.advance(now + 1);
            self.look(now);
        }
        if self.runner.engine.cycle() < to {
            self.runner.advance(to);
        }
    }

    /// Looks where the packet is that is followed, at the end of cycle `now`.
    #[cold]
    fn look(&mut self, now: u64) {
        let prepared = self.runner.prepared;
        let Runner { engine, watches, .. } = &mut self.runner;
        let Followed { goes, way } = &mut self.followed;
        for watch in watches.iter_mut() {
            let watcher: &mut Watcher = watch.watcher();
            watcher.look();
            if way.is_none()
                && let Some(packet) = watcher.found
            {
                *way = Some((Way::new(prepared, &packet, now), packet, None));
            }
        }
        let Some((way, packet, delivered)) = way else { return };
        way.follow(&*engine, prepared, now);
        for watch in watches.iter_mut() {
            let watcher: &mut Watcher = watch.watcher();
            // Each part of a network has to know whom it waits for.
            watcher.found.get_or_insert(*packet);
            if watcher.delivered.is_some() {
                (*delivered, *goes) = (watcher.delivered, false);
                *packet = watcher.found.unwrap_or(*packet);
            }
        }
        if !*goes {
            watches.iter_mut().for_each(|watch| watch.look_beside(None));
        }
    }

    /// Leaves out the cycles before `end` of a network at rest, and looks where a run would have looked.
    fn skip(&mut self, end: u64) {
        let runner = &mut self.runner;
        let (from, counters) = (runner.engine.cycle(), runner.engine.counters());
        let mut cycle = (from / CHUNK + 1) * CHUNK;
        while cycle <= end {
            if cycle - runner.searched >= SEARCH {
                runner.searched = cycle;
            }
            if (runner.window.0..=runner.window.1).contains(&cycle) && cycle - runner.looked >= LOOK {
                runner.looked = cycle;
                runner.heads.look();
            }
            runner.progress.look(cycle, counters, 0);
            cycle += CHUNK;
        }
        runner.watches.iter_mut().for_each(|watch| watch.idle(end));
        runner.engine.skip(end);
    }

    /// What all parts have seen.
    fn seen(&self) -> Watch {
        let (prepared, watches) = (self.runner.prepared, &self.runner.watches);
        let mut all = prepared.watch();
        match &watches[..] {
            [one] => again(one, &mut all),
            parts => parts.iter().for_each(|part| all.merge(part)),
        }
        all
    }
}

/// Copies a state into what was built alike.
fn again<S: State>(from: &S, into: &mut S) {
    let mut to = Writer::default();
    from.save(&mut to);
    into.restore(&mut Reader::new(&to.into_bytes(), &[])).expect("it was built alike");
}

impl<N: Simulated + Send> Stepped for Session<'_, N> {
    fn clock(&self) -> u64 {
        self.runner.engine.cycle()
    }

    fn offer(&mut self, offer: Offer) {
        self.runner.engine.offer(offer);
    }

    fn queued(&mut self, node: u32) -> Amount {
        self.runner.engine.queued(node)
    }

    fn consumed(&mut self, node: u32, places: u32) {
        self.runner.engine.consumed(node, places);
    }

    fn follow(&mut self, source: u32, name: u64) {
        let watcher = || Box::new(Watcher::new(Which::Message(source, name)));
        self.runner.watches.iter_mut().for_each(|watch| watch.look_beside(Some(watcher())));
        self.followed = Followed { goes: true, way: None };
    }

    fn story(&self) -> Option<Story> {
        let (way, packet, delivered) = self.followed.way.as_ref()?;
        Some(way.story(self.runner.prepared, *packet, (*delivered, self.runner.engine.cycle())))
    }

    fn advance(&mut self, to: u64) -> Result<(), Halt> {
        if let Some(halt) = self.halt() {
            return Err(halt);
        }
        let start = Instant::now();
        let goes_on = self.until(to);
        self.spent += start.elapsed();
        if goes_on { Ok(()) } else { Err(self.halt().unwrap_or(Halt::Cancelled)) }
    }

    fn arrivals(&mut self, each: &mut dyn FnMut(Arrived)) {
        self.runner.engine.arrivals(each);
    }

    fn outcome(&self) -> Outcome {
        let (runner, mut watch) = (&self.runner, self.seen());
        let engine = &runner.engine;
        engine.backlog(engine.cycle(), |_, made| {
            watch.meter.backlogged(made);
            watch.windows.backlogged(made);
        });
        let mut dissector = Dissector::new(runner.prepared);
        again(&runner.dissector, &mut dissector);
        let deadlock = runner.deadlock.clone().or_else(|| engine.deadlock());
        let totals = engine.totals();
        let finished = Finished {
            cycle: engine.cycle(),
            before: self.begun,
            counters: engine.counters(),
            // A host asks while messages are under way, or when all have come.
            gave_up: deadlock.is_none() && totals.delivered != totals.generated,
            totals,
            anatomy: dissector.found(watch.movement.as_ref()),
            window: runner.window,
            settled: None,
            critical: None,
            standing: None,
            watch,
            deadlock,
            livelock: runner.livelock,
            progress: runner.progress.clone(),
            heads: runner.heads.clone(),
            trees: runner.trees.clone().unwrap_or_else(|| runner.trees()),
            interrupted: false,
            wall: self.spent,
            watchdog: Duration::ZERO,
        };
        finished.sum_up(runner.prepared)
    }

    fn checkpoint(&self) -> Checkpoint {
        self.runner.checkpoint().expect("a run in one process has what it comes to")
    }
}
