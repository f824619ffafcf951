//! A network that a host steps.

use crate::due::Expected;
use crate::error::{Error, Refusal};
use crate::files;
use crate::log::Log;
use crate::messages::{Delivery, Message, Messages};
use self_cell::self_cell;
use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_engine::Offer;
use tailback_results::Inputs;
use tailback_sim::{Control, Halt, Outcome, Prepared, Resumed, Stepped, host, quietly};
use tailback_traffic::Hosted;

/// The clock goes no further: at 1 GHz it is seventeen seconds.
pub const LAST_CYCLE: u64 = 1 << 34;

/// Nobody cancels a network that a host steps.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// What the run of a network borrows.
pub(crate) struct Ground {
    pub prepared: Prepared,
    cycles: AtomicU64,
}

type Running<'a> = Box<dyn Stepped + 'a>;

self_cell!(
    struct Cell {
        owner: Box<Ground>,
        #[not_covariant]
        dependent: Running,
    }
);

/// A network in the hands of a host. It may go from one thread to another, and is used by one at a time.
pub struct Network {
    cell: Cell,
    pub(crate) messages: Messages,
    /// When messages under way can be received at the earliest, once somebody has asked.
    expected: OnceCell<Expected>,
    bounds: Hosted,
    /// Packets of a node and class that have not left it, at most.
    limit: Option<u64>,
    /// Places of the ejection buffer of a node and class.
    places: Option<u32>,
    nodes: u32,
    clock: u64,
    halted: Option<Refusal>,
    broken: bool,
    log: Option<Log>,
    /// The files that it was made of.
    pub(crate) inputs: Inputs,
    /// The tag of a message that is to be followed when it is sent.
    wanted: Option<u64>,
    /// The message that is followed, or was last, with the cycle in which it was sent.
    followed: Option<(Message, u64)>,
}

impl Network {
    /// Makes the network of a point that a host steps, from cycle 0 or from a checkpoint on.
    pub(crate) fn new(
        prepared: Prepared,
        (threads, cancel): (usize, &'static AtomicBool),
        from: Option<&Resumed>,
    ) -> Result<Network, Error> {
        let bounds = *prepared.hosted().ok_or_else(|| Error::Spec("no host steps this spec".to_owned()))?;
        let inputs = files::named(&prepared);
        let (nodes, limit) = (prepared.nodes() as u32, prepared.source_queue_packets().map(u64::from));
        let places = prepared.ejection_places();
        let ground = Box::new(Ground { prepared, cycles: AtomicU64::new(0) });
        let cell = Cell::try_new(ground, |ground| {
            let control = Control { cancel, cycles_done: &ground.cycles, threads };
            host(&ground.prepared, control, from)
        });
        let cell = cell.map_err(Error::Damaged)?;
        let messages = Messages::new(nodes, bounds.classes());
        let (messages, clock) = (messages, cell.with_dependent(|_, running| running.clock()));
        let halted = None;
        let (broken, log, wanted, followed) = (false, None, None, None);
        Ok(Network {
            cell,
            messages,
            expected: OnceCell::new(),
            bounds,
            limit,
            places,
            nodes,
            clock,
            halted,
            broken,
            log,
            inputs,
            wanted,
            followed,
        })
    }

    /// Nodes of the network, numbered from 0.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The cycle in which the clock stands: all cycles before it have been simulated.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Message classes, numbered from 0. Each has source queues, channels and ejection buffers of its own.
    pub fn classes(&self) -> u32 {
        self.bounds.classes()
    }

    /// The port of a node for a class: to the engine it is a node.
    fn port(&self, node: u32, class: u32) -> u32 {
        node * self.bounds.classes() + class
    }

    /// The shortest and the longest message that may be sent \[flits\].
    pub fn message_flits(&self) -> (u32, u32) {
        self.bounds.messages()
    }

    /// The point that is simulated.
    pub fn prepared(&self) -> &Prepared {
        &self.cell.borrow_owner().prepared
    }

    /// Whether a message of so many flits can be sent from `node` now. `false` for what is not there.
    pub fn can_send(&mut self, node: u32, class: u32, flits: u32) -> bool {
        self.may_send(node, class, flits).is_ok()
    }

    fn may_send(&mut self, node: u32, class: u32, flits: u32) -> Result<(), Refusal> {
        self.is_there(node, class)?;
        let (shortest, longest) = self.bounds.messages();
        if !(shortest..=longest).contains(&flits) {
            return Err(Refusal::Length);
        }
        let Some(limit) = self.limit else { return Ok(()) };
        let packets = u64::from(self.bounds.packets(flits));
        if packets > limit {
            return Err(Refusal::Length);
        }
        let port = self.port(node, class);
        let queued = self.cell.with_dependent_mut(|_, running| running.queued(port)).packets;
        if queued + packets > limit { Err(Refusal::Full) } else { Ok(()) }
    }

    /// Flits of a node and class that have been sent and whose packet has not left the node: a packet counts until its tail has left. 0 for
    /// what is not there.
    pub fn queued_flits(&mut self, node: u32, class: u32) -> u64 {
        if self.is_there(node, class).is_err() {
            return 0;
        }
        let port = self.port(node, class);
        self.cell.with_dependent_mut(|_, running| running.queued(port)).flits
    }

    fn is_there(&self, node: u32, class: u32) -> Result<(), Refusal> {
        match (self.broken, node < self.nodes, class < self.classes()) {
            (true, ..) => Err(Refusal::Broken),
            (_, false, _) => Err(Refusal::NoNode),
            (.., false) => Err(Refusal::NoClass),
            _ => Ok(()),
        }
    }

    /// Sends a message: its source makes it in the cycle in which the clock stands, behind those of earlier calls.
    ///
    /// # Errors
    /// Where a node or the class is not there, the length is not allowed, or the source queue has no room. Then nothing is sent.
    pub fn send(&mut self, message: Message) -> Result<(), Refusal> {
        let sent = self.send_unlogged(message);
        if let Some(log) = &mut self.log {
            log.sent(&message, sent);
        }
        sent
    }

    fn send_unlogged(&mut self, message: Message) -> Result<(), Refusal> {
        self.is_there(message.destination, message.class)?;
        let Message { source, destination, class, flits, .. } = message;
        if source == destination {
            self.is_there(source, class)?;
            let (shortest, longest) = self.bounds.messages();
            if !(shortest..=longest).contains(&flits) {
                return Err(Refusal::Length);
            }
            self.messages.send_own(message, self.clock);
            return Ok(());
        }
        self.may_send(source, class, flits)?;
        let name = self.messages.send(message, self.bounds.on_the_way(flits), self.clock);
        if let Some(expected) = self.expected.get_mut() {
            expected.send((self.messages.sent() - 1, name), &message, self.clock, &self.messages);
        }
        let (source, destination) = (self.port(source, class), self.port(destination, class));
        self.cell.with_dependent_mut(|_, running| running.offer(Offer { source, destination, flits, name }));
        if self.wanted == Some(message.tag) {
            (self.wanted, self.followed) = (None, Some((message, self.clock)));
            self.cell.with_dependent_mut(|_, running| running.follow(source, name));
        }
        Ok(())
    }

    /// Follows the next message with this tag that is sent to another node: [`Network::story`] tells of its first packet. Until that has
    /// arrived, each cycle costs a look at all packets. One message at a time is followed, and no checkpoint holds which.
    pub fn follow(&mut self, tag: u64) {
        self.wanted = Some(tag);
    }

    /// Where the packet that is followed was in every cycle so far, and what kept it, in lines as of `tailback trace`. `None` before it has come
    /// to the front of its source queue.
    pub fn story(&self) -> Option<String> {
        let (message, sent) = self.followed?;
        let network = self.prepared().network();
        let told = self.cell.with_dependent(|_, running| {
            quietly(|| running.story().map(|story| story.lines(network).join("\n"))).ok().flatten()
        })?;
        let Message { source, destination, class, flits, tag } = message;
        Some(format!(
            "Message with tag {tag}: {flits} flits from node {source} to node {destination}, class {class}, sent in cycle {sent}\n{told}\n"
        ))
    }

    /// Simulates all cycles before `to`. An empty network leaves out cycles in which nothing happens.
    ///
    /// # Errors
    /// Where `to` is behind the clock or beyond [`LAST_CYCLE`], or the network is found deadlocked or livelocked: then the clock stands where
    /// that was found, and goes on no more.
    pub fn advance(&mut self, to: u64) -> Result<(), Refusal> {
        let advanced = self.advance_unlogged(to);
        if let Some(log) = &mut self.log {
            log.advanced(to, advanced);
        }
        advanced
    }

    /// Simulates cycle after cycle until some node has a delivery to receive, up to cycle `to`.
    ///
    /// # Errors
    /// Those of [`Network::advance`].
    pub fn advance_until_delivery(&mut self, to: u64) -> Result<(), Refusal> {
        if to < self.clock || to > LAST_CYCLE {
            return Err(Refusal::Time);
        }
        while self.clock < to && !self.messages.any_waits() {
            self.advance(self.next_delivery().map_or(to, |next| next.min(to)))?;
        }
        Ok(())
    }

    fn advance_unlogged(&mut self, to: u64) -> Result<(), Refusal> {
        if self.broken {
            return Err(Refusal::Broken);
        }
        if to < self.clock || to > LAST_CYCLE {
            return Err(Refusal::Time);
        }
        if to == self.clock {
            return Ok(());
        }
        if let Some(halted) = self.halted {
            return Err(halted);
        }
        self.messages.deliver_own();
        let (cell, messages) = (&mut self.cell, &mut self.messages);
        let simulated = cell.with_dependent_mut(|_, running| {
            let work = || {
                let halt = running.advance(to);
                running.arrivals(&mut |arrived| messages.arrive(arrived));
                (halt, running.clock())
            };
            quietly(work)
        });
        let Ok((halt, clock)) = simulated else {
            self.broken = true;
            return Err(Refusal::Broken);
        };
        self.clock = clock;
        if let Some(expected) = self.expected.get_mut() {
            expected.settle(&self.messages);
        }
        self.halted = halt.err().map(|halt| match halt {
            Halt::Deadlock => Refusal::Deadlocked,
            Halt::Livelock => Refusal::Livelocked,
            // Whoever cancels a replay knows.
            Halt::Cancelled => Refusal::Broken,
        });
        self.halted.map_or(Ok(()), Err)
    }

    /// Unless more is sent, no delivery can be received before the clock stands in this cycle; `None` where nothing is under way or waits.
    ///
    /// Each message under way counts with the time that it would take in an empty network, so one that waits its turn may come later. One that
    /// is late already may come in any cycle.
    pub fn next_delivery(&self) -> Option<u64> {
        if self.messages.any_waits() {
            return Some(self.clock);
        }
        let expected = || self.expected.get_or_init(|| Expected::of(self.prepared(), self.classes(), &self.messages));
        let soonest = if self.messages.any_own() { Some(0) } else { expected().first() };
        soonest.map(|cycle| cycle.max(self.clock + 1))
    }

    /// The delivery that a node receives next, if there is one.
    ///
    /// # Errors
    /// Where the node or the class is not there.
    pub fn peek(&self, node: u32, class: u32) -> Result<Option<&Delivery>, Refusal> {
        self.is_there(node, class)?;
        Ok(self.messages.peek(self.port(node, class)))
    }

    /// Receives the next delivery of a node: what was delivered in cycle `t` once the clock stands at `t + 1`, in the order of the cycles,
    /// within a cycle by their sources. `None` where there is none, and for a node or class that is not there.
    pub fn receive(&mut self, node: u32, class: u32) -> Option<Delivery> {
        self.is_there(node, class).ok()?;
        let port = self.port(node, class);
        let (delivery, last) = self.messages.receive(port)?;
        // A message to the own node has never been in the ejection buffer.
        if let Some(last) = last.filter(|_| self.places.is_some()) {
            let places = self.bounds.places(last);
            self.cell.with_dependent_mut(|_, running| running.consumed(port, places));
        }
        if let Some(log) = &mut self.log {
            log.received(node, class, &delivery);
        }
        Some(delivery)
    }

    /// Receives the next delivery of the first node that has one; `None` where no node has any.
    pub fn receive_any(&mut self) -> Option<Delivery> {
        let (port, classes) = (self.messages.first_filled()?, self.bounds.classes());
        self.receive(port / classes, port % classes)
    }

    /// Whether no message is under way and none waits to be received.
    pub fn is_idle(&self) -> bool {
        self.messages.under_way() == 0 && !self.messages.any_waits()
    }

    /// Messages that have been sent and not been delivered.
    pub fn under_way(&self) -> u64 {
        self.messages.under_way()
    }

    /// The outcome of the run, as if it ended here: the record of `tailback run`, its tables, and why the network was the bottleneck.
    ///
    /// # Errors
    /// [`Refusal::Broken`].
    pub fn outcome(&self) -> Result<Outcome, Refusal> {
        if self.broken {
            return Err(Refusal::Broken);
        }
        let summed = self.cell.with_dependent(|_, running| quietly(|| running.outcome()));
        let mut outcome = summed.map_err(|_| Refusal::Broken)?;
        let full = self.places.map_or(0, |places| self.messages.full_ports(places, &self.bounds));
        if full > 0 {
            outcome.explanation.insert_str(0, &host_holds_up(full));
        }
        Ok(outcome)
    }

    pub(crate) fn engine_checkpoint(&self) -> Result<tailback_results::Checkpoint, Refusal> {
        if self.broken {
            return Err(Refusal::Broken);
        }
        let kept = self.cell.with_dependent(|_, running| quietly(|| running.checkpoint()));
        kept.map_err(|_| Refusal::Broken)
    }

    /// Keeps a log of all calls from now on, in the place of any other; see [`crate::replay()`]. Where something has happened already, the
    /// log begins with a checkpoint, and the version that wrote it repeats it.
    ///
    /// # Errors
    /// Where the file cannot be written or is there and no call log, or where the network is broken.
    pub fn log(&mut self, path: &std::path::Path) -> Result<(), Error> {
        if self.log.is_some() {
            self.end_log()?;
        }
        let checkpoint = match self.clock > 0 || self.messages.sent() > 0 {
            true => Some(self.kept().map_err(|refusal| Error::Bug(refusal.to_string()))?.to_bytes()),
            false => None,
        };
        self.log = Some(Log::new(path, self.prepared(), &self.inputs, checkpoint.as_deref())?);
        Ok(())
    }

    /// Ends the log with the digest of what was simulated.
    ///
    /// # Errors
    /// Where some of it could not be written, or there is none.
    pub fn end_log(&mut self) -> Result<(), Error> {
        let Some(log) = self.log.take() else { return Err(Error::File("no call log is kept".to_owned())) };
        let outcome = self.outcome().map_err(|refusal| Error::Bug(refusal.to_string()))?;
        log.end(self.clock, &outcome.record.digest)
    }
}

/// What is said where ejection buffers are full of messages that the host has not received.
fn host_holds_up(ports: usize) -> String {
    let of = if ports == 1 { "1 ejection buffer is".to_owned() } else { format!("{ports} ejection buffers are") };
    format!("The host holds the network up: {of} full of messages that it has not received. ")
}

impl Drop for Network {
    fn drop(&mut self) {
        if self.log.is_some() {
            // Whoever minds ends it.
            let _ = self.end_log();
        }
    }
}
