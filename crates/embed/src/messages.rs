//! The messages of a host from the call that sends them to the call that receives them.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use tailback_base::state::{Unfit, ensure};
use tailback_engine::Arrived;

/// A message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The node that sends it.
    pub source: u32,
    /// The node that receives it. A message to the own node never enters the network; it is delivered in the cycle in which it is sent.
    pub destination: u32,
    /// Its message class; there is one, 0.
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

/// A delivery that waits, with the number of its message.
type Waiting = (u64, Delivery);

/// All messages that the host has not received.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Messages {
    open: Vec<Open>,
    free: Vec<u32>,
    /// Messages sent.
    sent: u64,
    /// Messages from a node to itself, which are delivered in the cycle in which the clock stands.
    own: Vec<Waiting>,
    /// By node, in the order in which they are received.
    waiting: Vec<VecDeque<Waiting>>,
    /// Deliveries that wait, of all nodes.
    all_waiting: u64,
    /// Nodes at which one waits.
    #[serde(skip)]
    filled: BTreeSet<u32>,
}

impl Messages {
    /// None, in a network of `nodes` nodes.
    pub fn new(nodes: u32) -> Messages {
        Messages { waiting: vec![VecDeque::new(); nodes as usize], ..Messages::default() }
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
        self.own.push((self.sent, Delivery { message, sent: now, entered: now, cycle: now, hops: 0 }));
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
        let Arrived { cycle, entered, hops, .. } = arrived;
        self.free.push(arrived.name as u32);
        self.wait((number, Delivery { message, sent, entered, cycle, hops }));
    }

    /// Deliveries of a node are received in the order of their cycles, those of one cycle by their sources, then as they were sent.
    fn wait(&mut self, new: Waiting) {
        let node = new.1.message.destination;
        let queue = &mut self.waiting[node as usize];
        if queue.is_empty() {
            self.filled.insert(node);
        }
        let key = |of: &Waiting| (of.1.cycle, of.1.message.source, of.0);
        let behind = queue.iter().rev().take_while(|of| key(of) > key(&new)).count();
        queue.insert(queue.len() - behind, new);
        self.all_waiting += 1;
    }

    /// The delivery that a node receives next.
    pub fn peek(&self, node: u32) -> Option<&Delivery> {
        self.waiting[node as usize].front().map(|of| &of.1)
    }

    /// Receives it.
    pub fn receive(&mut self, node: u32) -> Option<Delivery> {
        let queue = &mut self.waiting[node as usize];
        let delivery = queue.pop_front()?.1;
        if queue.is_empty() {
            self.filled.remove(&node);
        }
        self.all_waiting -= 1;
        Some(delivery)
    }

    /// The first node at which a delivery waits.
    pub fn first_filled(&self) -> Option<u32> {
        self.filled.first().copied()
    }

    /// Finds again at which nodes deliveries wait, which no checkpoint says.
    pub fn find_filled(&mut self) {
        self.filled = (0..).zip(&self.waiting).filter(|(_, queue)| !queue.is_empty()).map(|(node, _)| node).collect();
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

    /// That the messages of a checkpoint may be those of a network of `nodes` nodes in cycle `now`.
    pub fn fits(&self, nodes: u32, now: u64) -> Result<(), Unfit> {
        ensure(self.waiting.len() == nodes as usize, "it has another number of nodes")?;
        let there = |message: &Message| message.source < nodes && message.destination < nodes;
        let mut free = vec![false; self.open.len()];
        for &name in &self.free {
            let place = free.get_mut(name as usize).ok_or_else(|| Unfit::new("a message is free that is not there"))?;
            ensure(!std::mem::replace(place, true), "a message is free twice")?;
        }
        let open =
            self.open.iter().zip(&free).all(|(of, &free)| free || there(&of.message) && of.left > 0 && of.sent <= now);
        let own = self.own.iter().all(|(_, of)| there(&of.message) && of.cycle <= now);
        let mut queues = (0..).zip(&self.waiting);
        let waits = queues.all(|(node, queue)| {
            queue.iter().all(|(_, of)| there(&of.message) && of.message.destination == node && of.cycle < now)
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
        let mut messages = Messages::new(4);
        let name = messages.send(message(1, 9), 8, 0);
        messages.arrive(arrived(name, 5, 4));
        assert!(!messages.any_waits() && messages.under_way() == 1);
        messages.arrive(arrived(name, 7, 4));
        let delivery = messages.receive(3).unwrap();
        assert_eq!((delivery.cycle, delivery.message.tag, messages.under_way()), (7, 9, 0));
        assert!(messages.receive(3).is_none());
    }

    #[test]
    fn deliveries_of_one_cycle_come_by_their_sources() {
        let mut messages = Messages::new(4);
        let names: Vec<u64> =
            [2, 0, 1].into_iter().map(|source| messages.send(message(source, source.into()), 4, 0)).collect();
        names.iter().for_each(|&name| messages.arrive(arrived(name, 6, 4)));
        let order: Vec<u64> = std::iter::from_fn(|| messages.receive(3)).map(|of| of.message.tag).collect();
        assert_eq!(order, [0, 1, 2]);
    }

    #[test]
    fn names_are_used_again() {
        let mut messages = Messages::new(4);
        let first = messages.send(message(0, 1), 4, 0);
        messages.arrive(arrived(first, 5, 4));
        assert_eq!(messages.send(message(0, 2), 4, 5), first);
        assert!(messages.fits(4, 6).is_ok() && messages.fits(3, 6).is_err() && messages.fits(4, 4).is_err());
    }
}
