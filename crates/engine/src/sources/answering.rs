//! Requests that receivers answer, as in BookSim 2 (`use_read_write`): requests are lazy traffic, and an answer goes before requests that wait.
//!
//! A node has one place for a packet. When that is empty, the first answer that waits is put there, or the next request that is due. Requests
//! come when they come, whatever happens; so a request may be made behind answers that are younger, and cycles of a node's packets go back.
//! Nothing is given ahead of its time.

use super::given::Given;
use super::kept;
use super::lazy::{Coming, Lazy};
use crate::contract::sources::{Ahead, Next, Sources};
use crate::packet::Packet;
use crate::totals::Amount;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use tailback_base::state::{MOST, Unfit, are_counts, ensure};
use tailback_traffic::{Exchange, Generated, Traffic, Type};

/// An answer that waits.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Answer {
    /// When the request came, from whom, and its number there: the order of answers.
    cycle: u64,
    destination: u32,
    number: u64,
    /// The mark of its type.
    mark: u64,
}

/// A node.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Node {
    answers: VecDeque<Answer>,
    given: Given,
    /// The mark of the last packet that it has given.
    mark: u64,
}

/// Sources that send requests, and answer those of others.
pub struct Answering<'t> {
    requests: Lazy<'t>,
    traffic: &'t Traffic,
    exchange: &'t Exchange,
    nodes: Vec<Node>,
}

tailback_base::state!(['t] Answering<'t> { saved: requests; by kept: nodes; rebuilt: traffic, exchange; } [fits]);

impl Answer {
    fn order(&self) -> (u64, u32, u64) {
        (self.cycle, self.destination, self.number)
    }

    fn packet(&self, exchange: &Exchange, index: u64) -> Generated {
        let flits = exchange.flits(Type::of_mark(self.mark).unwrap_or(Type::ReadReply));
        Generated { cycle: self.cycle, destination: self.destination, flits, index }
    }
}

impl<'t> Answering<'t> {
    /// The nodes of a traffic that is answered, before cycle 0.
    ///
    /// # Panics
    /// Where it is not.
    pub fn new(traffic: &'t Traffic) -> Self {
        let exchange = traffic.exchange().expect("it is answered");
        Answering {
            requests: traffic.into(),
            traffic,
            exchange,
            nodes: vec![Node::default(); traffic.nodes() as usize],
        }
    }

    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn fits(&self) -> Result<(), Unfit> {
        let (nodes, lengths) = (self.nodes.len(), (self.min_flits(), self.max_flits()));
        for (number, node) in (0u32..).zip(&self.nodes) {
            let Node { answers, given, mark } = node;
            are_counts([given.packets, given.flits])?;
            let known = |answer: &Answer| {
                let to = (answer.destination as usize) < nodes && answer.cycle <= MOST;
                to && matches!(Type::of_mark(answer.mark), Some(Type::ReadReply | Type::WriteReply))
            };
            ensure(answers.iter().all(known), "a node answers nobody")?;
            let last = |last: &Generated| {
                let right = last.index + 1 == given.packets && (last.destination as usize) < nodes;
                right && Type::of_mark(*mark).is_some() && (lengths.0..=lengths.1).contains(&last.flits)
            };
            let right = given.last.as_ref().map_or(given.packets == 0, last);
            ensure(right && self.requests.taken(number) <= given.packets, "a node has given more packets than it has")?;
        }
        Ok(())
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
        let at = &mut self.nodes[node as usize];
        let index = at.given.packets;
        let (packet, mark) = match at.answers.front() {
            Some(answer) if answer.cycle < now => {
                let found = (answer.packet(self.exchange, index), answer.mark);
                at.answers.pop_front();
                found
            }
            waits => {
                let waits = waits.is_some();
                match self.request(node, now) {
                    Next::Packet(request) => {
                        let of = self.traffic.request_type(node, request.index).expect("it is answered");
                        (Generated { index, ..request }, of.mark())
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
        let answer = Answer { cycle: now, destination: packet.source, number: packet.index, mark };
        let answers = &mut self.nodes[packet.destination as usize].answers;
        // Only from another plane another request comes in the same cycle.
        let before = answers.iter().rposition(|other| other.order() < answer.order());
        answers.insert(before.map_or(0, |at| at + 1), answer);
        Some(now + 1)
    }

    fn mark(&self, node: u32, _index: u64) -> u64 {
        self.node(node).mark
    }

    fn has_ended(&self, node: u32) -> bool {
        self.traffic.pace() == 0 && self.node(node).answers.is_empty() && self.requests.has_ended(node)
    }

    fn taken(&self, node: u32) -> u64 {
        self.node(node).given.packets
    }

    fn ahead(&self, node: u32) -> AnsweringAhead<'_> {
        let Node { answers, given, .. } = self.node(node);
        AnsweringAhead {
            exchange: self.exchange,
            answers,
            place: 0,
            requests: self.requests.ahead(node),
            index: given.packets,
        }
    }

    fn made(&self, node: u32, packets: u64, now: u64) -> Amount {
        let Node { answers, given, .. } = self.node(node);
        let possible = (given.packets + answers.len() as u64).saturating_add(self.traffic.most_taken(now));
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
        ensure(packets.iter().all(|packet| Type::of_mark(packet.mark).is_some()), "a packet is of no type")
    }

    fn join(&mut self, part: &Self, node: u32) {
        self.requests.join(&part.requests, node);
        self.nodes[node as usize] = part.nodes[node as usize].clone();
    }

    fn expect(&self, node: u32) {
        self.requests.expect(node);
    }
}

/// What a node gives next if nothing more is delivered to it: all answers, and requests behind them.
pub struct AnsweringAhead<'s> {
    exchange: &'s Exchange,
    answers: &'s VecDeque<Answer>,
    place: usize,
    requests: Coming<'s>,
    index: u64,
}

impl Ahead for AnsweringAhead<'_> {
    fn next(&mut self) -> Option<Generated> {
        let index = self.index;
        let packet = match self.answers.get(self.place) {
            Some(answer) => {
                self.place += 1;
                answer.packet(self.exchange, index)
            }
            None => Generated { index, ..self.requests.next()? },
        };
        self.index += 1;
        Some(packet)
    }
}
