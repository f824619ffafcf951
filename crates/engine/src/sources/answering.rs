//! Requests that receivers answer, as in BookSim 2 (`use_read_write`): requests are lazy traffic, and an answer goes before requests that wait.
//!
//! A node has one place for a packet. When that is empty, the first answer that waits is put there, or the next request that is due. Requests
//! come when they come, whatever happens; so a request may be made behind answers that are younger, and cycles of a node's packets go back.
//! Nothing is given ahead of its time.
//!
//! Where classes share the wire of a node, each has a port there, which counts as a node, and a place for one packet. The answers of all wait in one
//! line. A class whose packets are requests takes the first of them when its place is empty, the classes of a node in the order of their numbers: the
//! answer is one of that class, with its length. Other classes send what they send, and packets of theirs have no type.

use super::given::Given;
use super::kept;
use super::lazy::{Coming, Lazy};
use crate::contract::sources::{Ahead, Next, Sources};
use crate::packet::Packet;
use crate::totals::Amount;
use serde::{Deserialize, Serialize};
use std::collections::{VecDeque, vec_deque};
use std::ops::Range;
use tailback_base::state::{MOST, Unfit, are_counts, ensure};
use tailback_traffic::{Exchange, Generated, Traffic, Type};

/// An answer that waits.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Answer {
    /// When the request came, from whom, and its number there: the order of answers.
    cycle: u64,
    asker: u32,
    number: u64,
    /// The mark of its type.
    mark: u64,
}

/// A node, or the port of a class at one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Node {
    /// Answers that wait; those of all classes of a node are at its first port.
    answers: VecDeque<Answer>,
    given: Given,
    /// The mark of the last packet that it has given; 0 where it has no type.
    mark: u64,
}

/// Sources that send requests, and answer those of others.
pub struct Answering<'t> {
    requests: Lazy<'t>,
    traffic: &'t Traffic,
    nodes: Vec<Node>,
    /// Ports of a node.
    classes: u32,
    /// The first class that answers: what waits at a node is counted there.
    teller: u32,
}

tailback_base::state!(['t] Answering<'t> { saved: requests; by kept: nodes; rebuilt: traffic, classes, teller; } [fits]);

/// A class that answers, of so many.
#[derive(Clone, Copy)]
struct By<'t> {
    exchange: &'t Exchange,
    class: u32,
    classes: u32,
}

impl Answer {
    fn order(&self) -> (u64, u32, u64) {
        (self.cycle, self.asker, self.number)
    }

    /// The packet that a class makes of it.
    fn packet(&self, by: By<'_>, index: u64) -> Generated {
        let flits = by.exchange.flits(Type::of_mark(self.mark).unwrap_or(Type::ReadReply));
        let destination = self.asker - self.asker % by.classes + by.class;
        Generated { cycle: self.cycle, destination, flits, index }
    }
}

impl<'t> Answering<'t> {
    /// The nodes of a traffic that is answered, before cycle 0.
    ///
    /// # Panics
    /// Where it is not.
    pub fn new(traffic: &'t Traffic) -> Self {
        let classes = traffic.ports();
        let teller = (0..classes).find(|&class| traffic.exchange(class).is_some()).expect("it is answered");
        let nodes = vec![Node::default(); traffic.nodes() as usize];
        Answering { requests: traffic.into(), traffic, nodes, classes, teller }
    }

    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn class(&self, port: u32) -> u32 {
        if self.classes == 1 { 0 } else { port % self.classes }
    }

    /// Where the answers wait that a port may give.
    fn line(&self, port: u32) -> usize {
        (port - self.class(port)) as usize
    }

    /// The class of a port, if it answers.
    fn by(&self, port: u32) -> Option<By<'t>> {
        let exchange = self.traffic.exchange(port)?;
        Some(By { exchange, class: self.class(port), classes: self.classes })
    }

    fn fits(&self) -> Result<(), Unfit> {
        let (nodes, lengths) = (self.nodes.len(), (self.min_flits(), self.max_flits()));
        for (number, node) in (0u32..).zip(&self.nodes) {
            let Node { answers, given, mark } = node;
            are_counts([given.packets, given.flits])?;
            let known = |answer: &Answer| {
                let to = (answer.asker as usize) < nodes && answer.cycle <= MOST;
                to && matches!(Type::of_mark(answer.mark), Some(Type::ReadReply | Type::WriteReply))
            };
            ensure(answers.iter().all(known), "a node answers nobody")?;
            ensure(answers.is_empty() || self.class(number) == 0, "answers wait at another port than the first")?;
            let last = |last: &Generated| {
                let right = last.index + 1 == given.packets && (last.destination as usize) < nodes;
                right && self.has_type(number, *mark) && (lengths.0..=lengths.1).contains(&last.flits)
            };
            let right = given.last.as_ref().map_or(given.packets == 0, last);
            ensure(right && self.requests.taken(number) <= given.packets, "a node has given more packets than it has")?;
        }
        Ok(())
    }

    /// Whether packets of a port may have such a mark.
    fn has_type(&self, port: u32, mark: u64) -> bool {
        if self.traffic.exchange(port).is_some() { Type::of_mark(mark).is_some() } else { mark == 0 }
    }

    /// The next request of a node, if it is due.
    fn request(&mut self, node: u32, now: u64) -> Next {
        let before = self.requests.cursor(node);
        let pace = self.traffic.pace();
        let horizon = now.checked_div(pace).map_or(u64::MAX, |past| (past + 1) * pace);
        match self.requests.next(node, now) {
            Next::Packet(request) if request.cycle <= now => Next::Packet(request),
            Next::Packet(request) => {
                self.requests.put_back(node, before);
                Next::Later(request.cycle.min(horizon))
            }
            Next::Asleep if pace > 0 => Next::Later(horizon),
            none => none,
        }
    }
}

impl Sources for Answering<'_> {
    type Ahead<'s>
        = AnsweringAhead<'s>
    where
        Self: 's;

    fn next(&mut self, node: u32, now: u64) -> Next {
        let (index, line) = (self.node(node).given.packets, self.line(node));
        let first = self.nodes[line].answers.front().zip(self.by(node));
        let (packet, mark) = match first {
            Some((answer, by)) if answer.cycle < now => {
                let found = (answer.packet(by, index), answer.mark);
                self.nodes[line].answers.pop_front();
                found
            }
            waits => {
                let waits = waits.is_some();
                match self.request(node, now) {
                    Next::Packet(request) => {
                        let of = self.traffic.request_type(node, request.index);
                        (Generated { index, ..request }, of.map_or(0, Type::mark))
                    }
                    _ if waits => return Next::Later(now + 1),
                    none => return none,
                }
            }
        };
        let at = &mut self.nodes[node as usize];
        at.given.add(packet);
        at.mark = mark;
        Next::Packet(packet)
    }

    fn stall(&mut self, _node: u32, _until: u64) {
        unreachable!("queues of nodes that answer have no end");
    }

    fn delivered(&mut self, now: u64, packet: &Packet, _message: Option<u64>) -> Option<u64> {
        let mark = Type::of_mark(packet.mark)?.answer()?.mark();
        let answer = Answer { cycle: now, asker: packet.source, number: packet.index, mark };
        let line = self.line(packet.destination);
        let answers = &mut self.nodes[line].answers;
        // Only from another plane another request comes in the same cycle.
        let before = answers.iter().rposition(|other| other.order() < answer.order());
        answers.insert(before.map_or(0, |at| at + 1), answer);
        Some(now + 1)
    }

    fn kin(&self, node: u32) -> Range<u32> {
        let first = node - self.class(node);
        first..first + self.classes
    }

    fn kin_take_turns(&self) -> bool {
        self.classes > 1
    }

    fn mark(&self, node: u32, _index: u64) -> u64 {
        self.node(node).mark
    }

    fn has_ended(&self, node: u32) -> bool {
        let answered = self.nodes[self.line(node)].answers.is_empty();
        self.traffic.pace() == 0 && answered && self.requests.has_ended(node)
    }

    fn taken(&self, node: u32) -> u64 {
        self.node(node).given.packets
    }

    fn ahead(&self, node: u32) -> AnsweringAhead<'_> {
        let by = self.by(node).filter(|by| by.class == self.teller);
        let answers = by.map(|by| (by, self.nodes[self.line(node)].answers.iter()));
        AnsweringAhead { answers, requests: self.requests.ahead(node), index: self.node(node).given.packets }
    }

    fn made(&self, node: u32, packets: u64, now: u64) -> Amount {
        let (given, answers) = (&self.node(node).given, self.nodes[self.line(node)].answers.len() as u64);
        let possible = (given.packets + answers).saturating_add(self.traffic.most_taken(now));
        if packets > possible {
            return Amount { packets, flits: u64::MAX };
        }
        let mut ahead = self.ahead(node);
        given.made(packets, |more| ahead.flits(more))
    }

    fn min_flits(&self) -> u32 {
        self.traffic.min_flits()
    }

    fn max_flits(&self) -> u32 {
        self.traffic.max_flits()
    }

    fn makes(&self, node: u32, packet: &Generated) -> bool {
        let there = (packet.destination as usize) < self.nodes.len();
        there && self.node(node).given.may_be(packet, (self.min_flits(), self.max_flits()))
    }

    fn stands_behind(&self, node: u32, packet: &Generated, _latest: u64) -> bool {
        self.node(node).given.stands_behind(packet)
    }

    fn know(&self, _now: u64, packets: &[Packet]) -> Result<(), Unfit> {
        ensure(packets.iter().all(|packet| self.has_type(packet.source, packet.mark)), "a packet is of another type")
    }

    fn join(&mut self, part: &Self, node: u32) {
        self.requests.join(&part.requests, node);
        self.nodes[node as usize] = part.nodes[node as usize].clone();
    }

    fn expect(&self, node: u32) {
        self.requests.expect(node);
    }
}

/// What a node gives next if nothing more is delivered to it: all answers, and requests behind them. Of several classes the first that answers gives
/// all, as nobody knows yet which one will.
pub struct AnsweringAhead<'s> {
    answers: Option<(By<'s>, vec_deque::Iter<'s, Answer>)>,
    requests: Coming<'s>,
    index: u64,
}

impl Ahead for AnsweringAhead<'_> {
    fn next(&mut self) -> Option<Generated> {
        let index = self.index;
        let answer = self.answers.as_mut().and_then(|(by, answers)| Some(answers.next()?.packet(*by, index)));
        let packet = match answer {
            Some(answer) => answer,
            None => Generated { index, ..self.requests.next()? },
        };
        self.index += 1;
        Some(packet)
    }
}
