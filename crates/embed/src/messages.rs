//! The messages of a host from the call that sends them to the call that receives them.

use crate::due::Which;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Arrived;
use tailback_traffic::Hosted;

/// A message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The node that sends it.
    pub source: u32,
    /// The node that receives it. A message to the own node never enters the network; it is delivered in the cycle in which it is sent.
    pub destination: u32,
    /// Its message class, below [`crate::Network::classes`].
    pub class: u32,
    /// Its length \[flits\].
    pub flits: u32,
    /// What the host calls it; the network hands it through.
    pub tag: u64,
}

/// A message that has been delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The message.
    pub message: Message,
    /// Cycle in which it was sent.
    pub sent: u64,
    /// Cycle in which the head of its last packet left the source.
    pub entered: u64,
    /// Cycle in which its last tail was received.
    pub cycle: u64,
    /// Links between routers that its last packet took.
    pub hops: u32,
}

/// A message under way.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Open {
    message: Message,
    sent: u64,
    /// The how manyth message of the host it is.
    number: u64,
    /// Flits that have not arrived.
    left: u32,
}

/// A delivery that waits.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Waiting {
    delivery: Delivery,
    /// The how manyth message of the host it is.
    number: u64,
    /// Flits of the packet that completed it; `None` where it never was in the network.
    last: Option<u32>,
}

/// All messages that the host has not received.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Messages {
    classes: u32,
    open: Vec<Open>,
    free: Vec<u32>,
    /// Messages sent.
    sent: u64,
    /// Messages from a node to itself, which are delivered in the cycle in which the clock stands.
    own: Vec<Waiting>,
    /// By port, in the order in which they are received.
    waiting: Vec<VecDeque<Waiting>>,
    /// Deliveries that wait, of all nodes.
    all_waiting: u64,
    /// Ports at which one waits.
    #[serde(skip)]
    filled: Filled,
}

/// A set of ports, with the word of the first one: there is none before it.
#[derive(Clone, Debug, Default)]
struct Filled {
    words: Vec<u64>,
    first: usize,
}

impl Filled {
    fn new(ports: usize) -> Self {
        Filled { words: vec![0; ports.div_ceil(64)], first: 0 }
    }

    fn insert(&mut self, port: u32) {
        let word = port as usize / 64;
        self.words[word] |= 1 << (port % 64);
        self.first = self.first.min(word);
    }

    fn remove(&mut self, port: u32) {
        self.words[port as usize / 64] &= !(1 << (port % 64));
    }

    fn first(&mut self) -> Option<u32> {
        while *self.words.get(self.first)? == 0 {
            self.first += 1;
        }
        Some(self.first as u32 * 64 + self.words[self.first].trailing_zeros())
    }
}

impl Messages {
    /// None, in a network of so many nodes and message classes. A node has a port for each class.
    pub fn new(nodes: u32, classes: u32) -> Messages {
        let waiting = vec![VecDeque::new(); nodes as usize * classes as usize];
        let filled = Filled::new(waiting.len());
        Messages { classes, waiting, filled, ..Messages::default() }
    }

    /// Notes a message that takes `flits` flits on its way. Returns what the network calls it.
    pub fn send(&mut self, message: Message, flits: u32, now: u64) -> u64 {
        let open = Open { message, sent: now, number: self.sent, left: flits };
        self.sent += 1;
        if let Some(name) = self.free.pop() {
            self.open[name as usize] = open;
            return name.into();
        }
        self.open.push(open);
        self.open.len() as u64 - 1
    }

    /// Notes a message from a node to itself.
    pub fn send_own(&mut self, message: Message, now: u64) {
        let delivery = Delivery { message, sent: now, entered: now, cycle: now, hops: 0 };
        self.own.push(Waiting { delivery, number: self.sent, last: None });
        self.sent += 1;
    }

    /// The clock goes on: messages of nodes to themselves are there.
    pub fn deliver_own(&mut self) {
        for own in std::mem::take(&mut self.own) {
            self.wait(own);
        }
    }

    /// Flits of a message have arrived. A packet that belongs to none is none of this host's, and a bug.
    pub fn arrive(&mut self, arrived: Arrived) {
        let open = &mut self.open[arrived.name as usize];
        open.left = open.left.checked_sub(arrived.flits).expect("a packet is no longer than its message");
        if open.left > 0 {
            return;
        }
        let Open { message, sent, number, .. } = *open;
        let Arrived { cycle, entered, hops, flits, .. } = arrived;
        self.free.push(arrived.name as u32);
        let delivery = Delivery { message, sent, entered, cycle, hops };
        self.wait(Waiting { delivery, number, last: Some(flits) });
    }

    /// Deliveries of a node are received in the order of their cycles, those of one cycle by their sources, then as they were sent.
    fn wait(&mut self, new: Waiting) {
        let Message { destination, class, .. } = new.delivery.message;
        let port = destination * self.classes + class;
        let queue = &mut self.waiting[port as usize];
        if queue.is_empty() {
            self.filled.insert(port);
        }
        let key = |of: &Waiting| (of.delivery.cycle, of.delivery.message.source, of.number);
        let behind = queue.iter().rev().take_while(|of| key(of) > key(&new)).count();
        queue.insert(queue.len() - behind, new);
        self.all_waiting += 1;
    }

    /// The delivery that a port receives next.
    pub fn peek(&self, port: u32) -> Option<&Delivery> {
        self.waiting[port as usize].front().map(|of| &of.delivery)
    }

    /// Receives it. Tells the flits of the packet that completed it, too, unless it never was in the network.
    pub fn receive(&mut self, port: u32) -> Option<(Delivery, Option<u32>)> {
        let queue = &mut self.waiting[port as usize];
        let Waiting { delivery, last, .. } = queue.pop_front()?;
        if queue.is_empty() {
            self.filled.remove(port);
        }
        self.all_waiting -= 1;
        Some((delivery, last))
    }

    /// Ports at which messages wait that keep all of so many places of an ejection buffer.
    pub fn full_ports(&self, places: u32, bounds: &Hosted) -> usize {
        let kept = |of: &Waiting| u64::from(of.last.map_or(0, |flits| bounds.places(flits)));
        let is_full = |queue: &&VecDeque<Waiting>| queue.iter().map(kept).sum::<u64>() >= u64::from(places);
        self.waiting.iter().filter(is_full).count()
    }

    /// The first port at which a delivery waits.
    pub fn first_filled(&mut self) -> Option<u32> {
        self.filled.first()
    }

    /// Finds again at which nodes deliveries wait, which no checkpoint says.
    pub fn find_filled(&mut self) {
        self.filled = Filled::new(self.waiting.len());
        let filled = (0..).zip(&self.waiting).filter(|(_, queue)| !queue.is_empty());
        filled.for_each(|(port, _)| self.filled.insert(port));
    }

    /// Whether a message, the how manyth it is and what the network calls it, is under way.
    pub fn is_open(&self, (number, name): Which) -> bool {
        self.open.get(name as usize).is_some_and(|of| of.number == number && of.left > 0)
    }

    /// The messages that are in the network, with the cycles in which they were sent.
    pub fn each_open(&self) -> impl Iterator<Item = (Which, &Message, u64)> {
        let mut is_free = vec![false; self.open.len()];
        self.free.iter().for_each(|&name| is_free[name as usize] = true);
        let open = (0..).zip(&self.open).zip(is_free).filter(|(_, is_free)| !is_free);
        open.map(|((name, of), _)| ((of.number, name), &of.message, of.sent))
    }

    /// Whether a node has sent itself something in the cycle in which the clock stands.
    pub fn any_own(&self) -> bool {
        !self.own.is_empty()
    }

    /// Messages under way.
    pub fn under_way(&self) -> u64 {
        (self.open.len() - self.free.len() + self.own.len()) as u64
    }

    /// Whether a delivery waits at some node.
    pub fn any_waits(&self) -> bool {
        self.all_waiting > 0
    }

    /// Messages sent so far.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// That the messages of a checkpoint may be those of a network of `nodes` nodes and `classes` classes in cycle `now`.
    pub fn fits(&self, (nodes, classes): (u32, u32), now: u64) -> Result<(), Unfit> {
        let ports = nodes as usize * classes as usize;
        ensure(self.waiting.len() == ports && self.classes == classes, "it has another number of nodes or classes")?;
        let there = |of: &Message| of.source < nodes && of.destination < nodes && of.class < classes;
        let mut free = vec![false; self.open.len()];
        for &name in &self.free {
            let place = free.get_mut(name as usize).ok_or_else(|| Unfit::new("a message is free that is not there"))?;
            ensure(!std::mem::replace(place, true), "a message is free twice")?;
        }
        let open =
            self.open.iter().zip(&free).all(|(of, &free)| free || there(&of.message) && of.left > 0 && of.sent <= now);
        let own = self.own.iter().all(|of| there(&of.delivery.message) && of.delivery.cycle <= now);
        let mut queues = (0..).zip(&self.waiting);
        let waits = queues.all(|(port, queue)| {
            let here = |of: &Message| there(of) && of.destination * classes + of.class == port;
            queue.iter().all(|of| here(&of.delivery.message) && of.delivery.cycle < now)
        });
        ensure(open && own && waits, "a message is none of this network")?;
        ensure(
            self.waiting.iter().map(|queue| queue.len() as u64).sum::<u64>() == self.all_waiting,
            "deliveries are missing",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(source: u32, tag: u64) -> Message {
        Message { source, destination: 3, class: 0, flits: 4, tag }
    }

    fn arrived(name: u64, cycle: u64, flits: u32) -> Arrived {
        Arrived { cycle, name, flits, hops: 1, entered: 1 }
    }

    #[test]
    fn a_message_is_there_with_its_last_flit() {
        let mut messages = Messages::new(4, 1);
        let name = messages.send(message(1, 9), 8, 0);
        messages.arrive(arrived(name, 5, 4));
        assert!(!messages.any_waits() && messages.under_way() == 1);
        messages.arrive(arrived(name, 7, 4));
        let (delivery, last) = messages.receive(3).unwrap();
        assert_eq!(last, Some(4));
        assert_eq!((delivery.cycle, delivery.message.tag, messages.under_way()), (7, 9, 0));
        assert!(messages.receive(3).is_none());
    }

    #[test]
    fn deliveries_of_one_cycle_come_by_their_sources() {
        let mut messages = Messages::new(4, 1);
        let names: Vec<u64> =
            [2, 0, 1].into_iter().map(|source| messages.send(message(source, source.into()), 4, 0)).collect();
        names.iter().for_each(|&name| messages.arrive(arrived(name, 6, 4)));
        let order: Vec<u64> = std::iter::from_fn(|| messages.receive(3)).map(|(of, _)| of.message.tag).collect();
        assert_eq!(order, [0, 1, 2]);
    }

    #[test]
    fn names_are_used_again() {
        let mut messages = Messages::new(4, 1);
        let first = messages.send(message(0, 1), 4, 0);
        messages.arrive(arrived(first, 5, 4));
        assert_eq!(messages.send(message(0, 2), 4, 5), first);
        assert!(messages.fits((4, 1), 6).is_ok() && messages.fits((3, 1), 6).is_err());
        assert!(messages.fits((4, 1), 4).is_err() && messages.fits((2, 2), 6).is_err());
    }
}
