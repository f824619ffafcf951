//! A network in a thread of its own, which does what it is told.

use super::flow::{Flow, Log, Passenger};
use super::picture::{Dot, LONG_WAIT, Look, Picture};
use super::words::{Now, Scope, Waiter, waiters};
use crate::anatomy::Dissector;
use crate::attempt::guarded;
use crate::drive::Drive;
use crate::prepare::Prepared;
use crate::trace::{Following, Story, Which};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};
use tailback_base::state::{Reader, State as _, Unfit, Writer, ensure};
use tailback_cycle::Simulated;
use tailback_engine::{Buffers, DataPath, Totals};
use tailback_probes::waits::Standing;
use tailback_probes::{Beside, Watch};
use tailback_results::{Digest, LatencyHistogram};
use tailback_traffic::Course;

/// The state of a network between two cycles, from which it can go on.
#[derive(Clone, Debug)]
pub struct State {
    cycle: u64,
    bytes: Arc<[u8]>,
}

impl State {
    /// The next cycle to be simulated.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The memory that it takes \[bytes\].
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// Counts since cycle 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sums {
    /// Flits delivered.
    pub flits: u64,
    /// Packets delivered.
    pub packets: u64,
    /// Their latency, summed \[cycles\].
    pub latency: u128,
    /// Their time in the network, summed \[cycles\].
    pub in_network: u128,
}

/// What can be asked of a network between two cycles.
pub trait Stage {
    /// The next cycle to be simulated.
    fn cycle(&self) -> u64;

    /// Simulates up to a cycle, whether anything moves or not.
    fn advance(&mut self, to: u64);

    /// Simulates up to a cycle, and looks at a line of links on the way; returns their levels of 255, look by look.
    fn sample(&mut self, to: u64, line: &Line) -> Vec<u8>;

    /// Whether its work has come to its end: nothing moves, and nothing will.
    fn is_done(&self) -> bool;

    /// The cycle in which its work came to its end, as a run has it, once it has.
    fn finished(&self) -> Option<u64>;

    /// Draws what there is now.
    fn picture(&mut self, picture: &mut Picture);

    /// The packets at some routers and on their way there.
    fn dots(&self, routers: &[u32]) -> Vec<Dot>;

    /// The outputs that a link waits for, one behind the other, to the root of its tree; none where it waits for nothing.
    fn chain(&mut self, router: u32, port: u16) -> Vec<(u32, u16)>;

    /// What was delivered since cycle 0.
    fn sums(&self) -> Sums;

    /// Latencies of all packets delivered.
    fn latencies(&self) -> &LatencyHistogram;

    /// What is to be said of it now.
    fn now(&mut self) -> Now;

    /// The packets of a router, of a flow, or one packet, where they stand; a few at most.
    fn waiters(&mut self, scope: Scope) -> Vec<Waiter>;

    /// Follows a flow from here on, or none.
    fn follow(&mut self, flow: Option<Flow>);

    /// The packets of the flow that is followed, by their numbers at the source.
    fn passengers(&mut self) -> BTreeMap<u64, Passenger>;

    /// Simulates up to a cycle, for a teller who looks at his packet in each of them.
    fn tell(&mut self, teller: &mut Teller, to: u64);

    /// Packets that wait for each other for ever; `None` where there are none.
    fn deadlock(&mut self) -> Option<Locked>;

    /// The digest that a run up to here has.
    fn digest(&self) -> String;

    /// The state.
    fn state(&self) -> State;
}

/// Links of which every state is seen, and not only that of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Their numbers in a picture.
    pub links: Arc<[u32]>,
    /// They are looked at before each cycle that is a multiple of this.
    pub every: u64,
}

/// Packets that wait for each other for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locked {
    /// A sentence for each.
    pub words: Vec<String>,
    /// Router and output that each of them waits for.
    pub outputs: Vec<(u32, u8)>,
}

/// Who tells the story of a packet.
#[derive(Clone, Debug)]
pub struct Teller(Following);

impl Teller {
    /// Of packet `number` of a node.
    pub fn new(source: u32, number: u64) -> Teller {
        Teller(Following::new(Which::Number(source, number)))
    }

    /// The story before cycle `end`; `None` where the packet has not come to the front of its source queue.
    pub fn story(self, prepared: &Prepared, end: u64) -> Option<Story> {
        self.0.story(prepared, end)
    }
}

type Job = Box<dyn FnOnce(&mut dyn Stage) + Send>;

/// A network that runs. It ends when it is dropped.
pub struct Running {
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<Result<(), Unfit>>>,
}

impl Running {
    /// Builds the network, in cycle 0 or in a state. `anew` says whether its admission is another one than that of the state.
    ///
    /// # Errors
    /// A state of another network, or a thread that the system refuses.
    pub fn start(prepared: Arc<Prepared>, from: Option<&State>, anew: Anew) -> Result<Running, String> {
        let (jobs, todo) = channel::<Job>();
        let from = from.cloned();
        let play = move || {
            let job = Play { prepared: &prepared, from, anew, todo };
            prepared.drive(Buffers::Watched, job)
        };
        let thread =
            Builder::new().name("network".to_owned()).spawn(play).map_err(|error| format!("no thread: {error}"))?;
        let running = Running { jobs: Some(jobs), thread: Some(thread) };
        // Who answers has been built.
        running.ask(|stage| stage.cycle()).map_err(|_| "the state does not fit the network".to_owned())?;
        Ok(running)
    }

    /// Asks the network, and waits for the answer.
    ///
    /// # Errors
    /// A network that has stopped because of a bug.
    pub fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut dyn Stage) -> T + Send + 'static,
    ) -> Result<T, String> {
        self.begin(question)()
    }

    /// Asks the network; what is returned waits for the answer.
    pub fn begin<T, Q>(&self, question: Q) -> impl FnOnce() -> Result<T, String> + use<T, Q>
    where
        T: Send + 'static,
        Q: FnOnce(&mut dyn Stage) -> T + Send + 'static,
    {
        let (answer, answered) = sync_channel(1);
        let job: Job = Box::new(move |stage| drop(answer.send(question(stage))));
        let sent = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        move || {
            let stopped = || "the network has stopped because of a bug in this program".to_owned();
            if sent { answered.recv().map_err(|_| stopped()) } else { Err(stopped()) }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What of a state is not taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anew {
    /// Nothing.
    Nothing,
    /// What admission knew: it is another one.
    Admission,
}

struct Play<'a> {
    prepared: &'a Prepared,
    from: Option<State>,
    anew: Anew,
    todo: std::sync::mpsc::Receiver<Job>,
}

impl<'a> Drive<'a> for Play<'_> {
    type Out = Result<(), Unfit>;

    fn drive<D: DataPath + Simulated + Send + 'a>(self, engine: D) -> Self::Out {
        let Play { prepared, from, anew, todo } = self;
        let mut on = On {
            prepared,
            engine,
            watch: [prepared.watch()],
            dissector: Dissector::at_will(prepared),
            look: Look::new(prepared),
            flow: None,
        };
        if let Some(from) = from {
            on.restore(&from, anew)?;
        }
        for job in todo {
            if guarded(|| job(&mut on)).is_err() {
                return Err(Unfit::new("it stopped"));
            }
        }
        Ok(())
    }
}

/// A network with those who watch it.
struct On<'a, D> {
    prepared: &'a Prepared,
    engine: D,
    watch: [Watch; 1],
    dissector: Dissector<'a>,
    look: Look,
    flow: Option<Flow>,
}

impl<D: DataPath> On<'_, D> {
    fn restore(&mut self, from: &State, anew: Anew) -> Result<(), Unfit> {
        let names: &[&str] = if anew == Anew::Admission { &["admission"] } else { &[] };
        let mut reader = Reader::new(&from.bytes, names);
        reader.section("network", |reader| self.engine.restore(reader))?;
        self.watch[0].restore(&mut reader)?;
        reader.end()?;
        ensure(self.engine.cycle() == from.cycle, "its network is of another cycle")
    }

    /// Packets that have stood long at the front of their source queues.
    fn long_waits(&self) -> Vec<Standing> {
        let before = (self.engine.cycle() + 1).checked_sub(LONG_WAIT);
        before.map_or_else(Vec::new, |before| self.watch[0].waits.standing(before))
    }
}

impl<D: DataPath + Simulated> Stage for On<'_, D> {
    fn cycle(&self) -> u64 {
        self.engine.cycle()
    }

    fn advance(&mut self, to: u64) {
        if self.engine.cycle() < to {
            self.engine.simulate(&mut self.watch, to);
        }
    }

    fn sample(&mut self, to: u64, line: &Line) -> Vec<u8> {
        let (every, mut levels) = (line.every.max(1), Vec::new());
        while self.engine.cycle() < to {
            let next = (self.engine.cycle() / every + 1) * every;
            self.advance(next.min(to));
            if self.engine.cycle() == next {
                self.look.line(&self.engine, self.prepared, &line.links, &mut levels);
            }
        }
        levels
    }

    fn is_done(&self) -> bool {
        let waits = match self.prepared.course() {
            Course::Collective => self.engine.sources_are_dry(),
            Course::Program => self.engine.sources_wait(),
            _ => false,
        };
        waits && self.engine.in_flight() == 0
    }

    fn finished(&self) -> Option<u64> {
        // What has completed ends with the last of it, as a run does.
        let last = match self.engine.standing(0) {
            Some(standing) => standing.completed,
            None => Some(self.watch[0].meter.last_delivery),
        };
        last.filter(|_| self.is_done())
    }

    fn picture(&mut self, picture: &mut Picture) {
        let links = self.watch[0].link_load.as_ref().expect("it is turned on");
        self.look.picture(&self.engine, self.prepared, links, &mut self.dissector, picture);
        Look::long_waits(&self.long_waits(), &self.prepared.network, picture);
    }

    fn dots(&self, routers: &[u32]) -> Vec<Dot> {
        self.look.dots(&self.engine, self.prepared, routers)
    }

    fn chain(&mut self, router: u32, port: u16) -> Vec<(u32, u16)> {
        let (_, look, _) = self.dissector.now(&self.engine);
        super::words::chain(&self.prepared.network, &look.standing, (router, port))
    }

    fn sums(&self) -> Sums {
        let meter = &self.watch[0].meter;
        Sums {
            flits: self.engine.counters().delivered_flits,
            packets: meter.latency.count(),
            latency: meter.latency.sum(),
            in_network: meter.network_latency_sum,
        }
    }

    fn latencies(&self) -> &LatencyHistogram {
        &self.watch[0].meter.latency
    }

    fn now(&mut self) -> Now {
        let standing = self.long_waits();
        Now::of(self.prepared, &self.engine, &mut self.dissector, &standing)
    }

    fn waiters(&mut self, scope: Scope) -> Vec<Waiter> {
        waiters(self.prepared, &self.engine, scope)
    }

    fn follow(&mut self, flow: Option<Flow>) {
        self.flow = flow;
        self.watch[0].look_beside(flow.map(|flow| Box::new(Log::new(flow)) as Box<dyn Beside>));
    }

    fn passengers(&mut self) -> BTreeMap<u64, Passenger> {
        if self.flow.is_some() { self.watch[0].watcher::<Log>().packets.clone() } else { BTreeMap::new() }
    }

    fn tell(&mut self, teller: &mut Teller, to: u64) {
        teller.0.follow(&mut self.engine, self.prepared, to, &|| true);
    }

    fn deadlock(&mut self) -> Option<Locked> {
        let deadlock = self.engine.deadlock()?;
        let outputs = deadlock.cycle.iter().map(|blocked| (blocked.router, blocked.port)).collect();
        Some(Locked { words: super::words::circle(self.prepared, &deadlock), outputs })
    }

    fn digest(&self) -> String {
        let (counters, Totals { generated, delivered, in_sources, in_network }) =
            (self.engine.counters(), self.engine.totals());
        let amounts = [generated, delivered, in_sources, in_network].map(|amount| [amount.packets, amount.flits]);
        let meter = &self.watch[0].meter;
        let end = self.finished().unwrap_or(self.engine.cycle());
        let mut digest = Digest::new();
        digest
            .u64("deliveries", meter.deliveries_hash)
            .u64("ways", meter.ways_hash)
            .u64_list("totals", amounts.as_flattened())
            .u64("packet_hops", counters.packet_hops)
            .u64("flit_hops", counters.flit_hops)
            .u64("cycles", end);
        digest.finish()
    }

    fn state(&self) -> State {
        let mut to = Writer::default();
        to.section("network", |to| self.engine.checkpoint(to));
        self.watch[0].save(&mut to);
        State { cycle: self.engine.cycle(), bytes: to.into_bytes().into() }
    }
}
