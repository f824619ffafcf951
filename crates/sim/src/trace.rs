//! One packet's story: where its head was in every cycle and what kept it there.

mod words;

use crate::drive::Drive;
use crate::prepare::Prepared;
use crate::run::Control;
use std::sync::atomic::Ordering;
use tailback_cycle::Simulated;
use tailback_engine::Buffers;
use tailback_engine::contract::census::{Name, Scope, Stand, What};
use tailback_engine::contract::queueing::Side;
use tailback_engine::packet::Packet;
use tailback_engine::{DataPath, Delivery, Network, Probe};
use tailback_network::Network as Graph;
use tailback_probes::Watch;

/// Which packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one of this number, from 0 on, among all that come to the front of a source queue, in the order of that cycle, then of
    /// their source nodes, then of their numbers there.
    Started(u64),
    /// The one of this number, from 0 on, of this source node.
    Number(u32, u64),
    /// The first of this source node that is made in this cycle or later, for this node if one is given.
    From(u32, u64, Option<u32>),
    /// The first of a message of a host, by its source and what the host calls it there.
    Message(u32, u64),
}

/// The part of a packet's mark that is the host's name of its message.
const NAME: u64 = u32::MAX as u64;

/// A packet's story.
#[derive(Clone, Debug, PartialEq)]
pub struct Story {
    /// The packet.
    pub packet: Packet,
    /// The cycle in which it came to the front of its source queue.
    pub started: u64,
    /// Cycles of the time before that in which it was in the router's pipeline, not behind others.
    pub routed: u64,
    /// Where it stopped, from its source on.
    pub stops: Vec<Stop>,
    /// The cycle in which its tail arrived; `None` where the run ended first.
    pub delivered: Option<u64>,
    /// The first cycle that was not simulated.
    pub end: u64,
    /// Whether somebody cancelled the run before the packet arrived and before its own end.
    pub cancelled: bool,
}

/// What came of looking for a packet.
#[derive(Clone, Debug, PartialEq)]
pub enum Traced {
    /// Its story, as far as it was simulated.
    Found(Box<Story>),
    /// Somebody cancelled the run before this cycle, and the packet had not come to the front of its source queue by then.
    Cancelled(u64),
}

/// A queue on a packet's way.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The router.
    pub router: u32,
    /// Port and virtual channel or queue, as in [`Stand::input`]; `None`: the source queue.
    pub input: Option<(u8, u16)>,
    /// The side, as in [`Stand::side`].
    pub side: Option<Side>,
    /// The cycle in which the head arrived, or could first leave.
    pub from: u64,
    /// What kept it, one after the other.
    pub waits: Vec<Wait>,
    /// The cycle in which the head left.
    pub left: Option<u64>,
    /// The port that it left by; `None`: to its node.
    pub port: Option<u8>,
}

/// A wait with one reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Its first cycle.
    pub from: u64,
    /// The first cycle after it.
    pub to: u64,
    /// The reason.
    pub what: What,
}

/// Looks out for the packet.
#[derive(Clone, Debug)]
pub(crate) struct Watcher {
    which: Which,
    /// Packets that have started before this cycle, and those of this cycle.
    before: u64,
    starting: Vec<Packet>,
    pub found: Option<Packet>,
    pub delivered: Option<u64>,
}

impl Watcher {
    pub fn new(which: Which) -> Self {
        Watcher { which, before: 0, starting: Vec::new(), found: None, delivered: None }
    }

    /// At the end of a cycle: is the packet among those that started?
    pub fn look(&mut self) {
        self.starting.sort_unstable_by_key(|packet| (packet.source, packet.index));
        let starting = (self.before..).zip(&self.starting);
        self.before += self.starting.len() as u64;
        if self.found.is_none() {
            let is_it = |&(number, packet): &(u64, &Packet)| match self.which {
                Which::Started(which) => number == which,
                Which::Number(source, index) => (packet.source, packet.index) == (source, index),
                Which::From(source, cycle, to) => {
                    packet.source == source && packet.birth >= cycle && to.is_none_or(|to| packet.destination == to)
                }
                Which::Message(source, name) => packet.source == source && packet.mark & NAME == name,
            };
            self.found = { starting }.find(is_it).map(|(_, packet)| *packet);
        }
        self.starting.clear();
    }
}

impl Probe for Watcher {
    fn started(&mut self, packet: &Packet) {
        self.starting.push(*packet);
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        let packet = delivery.packet;
        if self.found.is_some_and(|found| (found.source, found.index) == (packet.source, packet.index)) {
            self.found = Some(*packet);
            self.delivered = Some(delivery.cycle);
        }
    }
}

/// Runs a point until a packet has arrived, `limit` cycles at most, or until it is cancelled, and tells its story.
///
/// # Errors
/// Why there is none: there is no such node, or no such packet in that time.
pub fn trace(prepared: &Prepared, which: Which, limit: u64, control: &Control) -> Result<Traced, String> {
    let nodes = prepared.network.nodes();
    let source = match which {
        Which::Started(_) => None,
        Which::Number(source, _) | Which::From(source, ..) | Which::Message(source, _) => Some(source),
    };
    if let Some(source) = source.filter(|&source| source as usize >= nodes) {
        return Err(format!("there is no node {source}: they are numbered from 0 to {}", nodes - 1));
    }
    prepared.drive(Buffers::Unwatched, Tracer { prepared, which, limit, control })
}

struct Tracer<'a> {
    prepared: &'a Prepared,
    which: Which,
    limit: u64,
    control: &'a Control<'a>,
}

impl Drive<'_> for Tracer<'_> {
    type Out = Result<Traced, String>;

    fn drive<D: DataPath + Simulated>(self, mut engine: D) -> Self::Out {
        let mut following = Following::new(self.which);
        let goes_on = || {
            self.control.cycles_done.fetch_add(1, Ordering::Relaxed);
            !self.control.cancel.load(Ordering::Relaxed)
        };
        following.follow(&mut engine, self.prepared, self.limit, &goes_on);
        let end = engine.cycle();
        let cancelled = !following.has_arrived() && end < self.limit;
        match following.story(self.prepared, end) {
            Some(story) => Ok(Traced::Found(Box::new(Story { cancelled, ..story }))),
            None if cancelled => Ok(Traced::Cancelled(end)),
            None => Err(self.absent(end)),
        }
    }
}

/// Who follows a packet, from one network to the next where its settings change on the way.
#[derive(Clone, Debug)]
pub(crate) struct Following {
    watcher: Watcher,
    way: Option<Way>,
}

impl Following {
    /// Nothing has been seen of it yet.
    pub fn new(which: Which) -> Following {
        Following { watcher: Watcher::new(which), way: None }
    }

    /// Simulates until the packet has arrived, up to `stop`, and as long as it may go on.
    pub fn follow<D: DataPath + Simulated>(
        &mut self,
        engine: &mut D,
        prepared: &Prepared,
        stop: u64,
        goes_on: &dyn Fn() -> bool,
    ) {
        let mut watch = Watch::with(&prepared.site(), self.watcher.clone());
        while !self.has_arrived() && engine.cycle() < stop && goes_on() {
            let now = engine.cycle();
            engine.simulate(std::slice::from_mut(&mut watch), now + 1);
            let watcher: &mut Watcher = watch.watcher();
            watcher.look();
            (self.watcher.found, self.watcher.delivered) = (watcher.found, watcher.delivered);
            if let Some(packet) = watcher.found {
                self.way.get_or_insert_with(|| Way::new(prepared, &packet, now)).follow(engine, prepared, now);
            }
        }
        self.watcher.clone_from(watch.watcher());
    }

    /// Whether its tail has arrived.
    pub fn has_arrived(&self) -> bool {
        self.watcher.delivered.is_some()
    }

    /// What there is to tell before cycle `end`; `None` where it has not come to the front of its source queue.
    pub fn story(self, prepared: &Prepared, end: u64) -> Option<Story> {
        let (packet, way) = self.watcher.found.zip(self.way)?;
        Some(way.story(prepared, packet, (self.watcher.delivered, end)))
    }
}

impl Tracer<'_> {
    fn absent(&self, cycles: u64) -> String {
        match self.which {
            Which::Started(number) => {
                format!("fewer than {} packets came to the front of their source queue in {cycles} cycles", number + 1)
            }
            Which::Number(source, _) | Which::From(source, ..) | Which::Message(source, _) => {
                format!("no such packet of node {source} came to the front of its source queue in {cycles} cycles")
            }
        }
    }
}

/// The way of a packet's head so far.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    name: Name,
    started: u64,
    stops: Vec<Stop>,
}

impl Way {
    pub fn new(prepared: &Prepared, packet: &Packet, started: u64) -> Self {
        let name = Name { source: packet.source, index: packet.index };
        let side = prepared.router.is_queued().then_some(Side::Adapter);
        let router = prepared.network.router_of(packet.source);
        let source = Stop { router, input: None, side, from: started, waits: Vec::new(), left: None, port: None };
        Way { name, started, stops: vec![source] }
    }

    /// The story so far, of a packet that was delivered in a cycle or has not been by the end.
    pub fn story(&self, prepared: &Prepared, packet: Packet, (delivered, end): (Option<u64>, u64)) -> Story {
        let routed = (self.started - packet.birth).min(prepared.router.ends().at_source);
        let (started, stops) = (self.started, self.stops.clone());
        Story { packet, started, routed, stops, delivered, end, cancelled: false }
    }

    /// The port by which a head came that is in a queue now. In a grid an input port has the number of the output port that feeds it.
    fn left_by(network: &Graph, head: &Stand) -> Option<u8> {
        let (port, _) = head.input.filter(|&(port, _)| usize::from(port) < network.most_ports())?;
        match network.grid() {
            Some(_) => Some(port),
            None if head.side == Some(Side::Egress) => Some(port),
            None => network.behind(head.router, usize::from(port)).map(|from| from.port as u8),
        }
    }

    /// Adds what is seen at the end of cycle `now`.
    pub fn follow(&mut self, engine: &impl Network, prepared: &Prepared, now: u64) {
        let mut head = None;
        let in_network = self.stops.last().is_some_and(|stop| stop.input.is_some());
        engine.census(Scope::All, &mut |stand| {
            // Who is on the way from the last router to its node is in no queue.
            let arrives = stand.what == What::Flying && stand.input.is_none() && in_network;
            if stand.packet == self.name && stand.head && !arrives {
                head = Some(stand);
            }
        });
        let left_by = head.and_then(|head| Way::left_by(&prepared.network, &head));
        let stop = self.stops.last_mut().expect("the source is the first");
        let stays =
            head.is_some_and(|head| (head.router, head.input, head.side) == (stop.router, stop.input, stop.side));
        if !stays && stop.left.is_none() {
            stop.left = Some(now);
            stop.port = left_by;
        }
        let Some(Stand { router, input, side, what, .. }) = head else { return };
        if !stays {
            self.stops.push(Stop { router, input, side, from: now, waits: Vec::new(), left: None, port: None });
        }
        let stop = self.stops.last_mut().expect("the source is the first");
        match what {
            What::Flying if stop.waits.is_empty() => stop.from = now + 1,
            what => match stop.waits.last_mut() {
                Some(wait) if same(wait.what, what) => wait.to = now + 1,
                _ => stop.waits.push(Wait { from: now, to: now + 1, what }),
            },
        }
    }
}

/// Whether two reasons are one: how much room is too little changes nothing.
fn same(a: What, b: What) -> bool {
    match (a, b) {
        (What::Room { port: a, channels: c, .. }, What::Room { port: b, channels: d, .. }) => (a, c) == (b, d),
        (a, b) => a == b,
    }
}
