//! Source queues: the packets of a node that have not left it.

use std::collections::VecDeque;
use tailback_traffic::{Generated, Source, Traffic};

/// The source queue of a node and the generator behind it.
#[derive(Clone, Debug)]
pub struct SourceQueue {
    node: u32,
    length: Option<usize>,
    cursor: Source,
    /// Length of the packets that messages are cut into; `None`: a message is a packet.
    packet_flits: Option<u32>,
    /// The last message, and packets of it that have not been asked for.
    message: Option<(Generated, u32)>,
    /// Messages asked for.
    messages: usize,
    /// The next packet, while it is known and its cycle has not come.
    next: Option<Generated>,
    /// Index of the packet after `next`, or of `next` while there is none.
    asked: usize,
    /// Packets generated that have not left completely, as their places in the network's list; the front one, or several
    /// where a node sends several packets at a time, may be partly gone.
    waiting: VecDeque<usize>,
    /// The cycles from which on a packet was gone, first to last.
    left: Vec<u64>,
}

impl SourceQueue {
    /// The queue of `node`, for `length` packets.
    pub fn new(node: u32, length: Option<u32>, traffic: &Traffic) -> Self {
        SourceQueue {
            node,
            length: length.map(|packets| packets as usize),
            cursor: traffic.source(node),
            packet_flits: None,
            message: None,
            messages: 0,
            next: None,
            asked: 0,
            waiting: VecDeque::new(),
            left: Vec::new(),
        }
    }

    /// The same with messages cut into packets of so many flits.
    pub fn cutting(self, packet_flits: Option<u32>) -> Self {
        SourceQueue { packet_flits, ..self }
    }

    /// The number of the message to which the packet generated last belongs, and the flits of that message.
    pub fn message(&self) -> (usize, u32) {
        let (message, _) = self.message.expect("a packet was generated");
        (self.messages - 1, message.flits)
    }

    /// The node.
    pub fn node(&self) -> u32 {
        self.node
    }

    /// The next packet that is generated in cycle `now`; call it until there is none.
    pub fn generate(&mut self, now: u64, traffic: &Traffic) -> Option<Generated> {
        if self.next.is_none() && self.has_place() {
            self.next = self.ask(traffic);
        }
        self.next.take_if(|packet| packet.cycle <= now)
    }

    /// Whether the last packet has left, and there will be none any more.
    pub fn is_dry(&self, traffic: &Traffic) -> bool {
        let made = self.message.is_none_or(|(_, left)| left == 0);
        let empty = self.waiting.is_empty() && self.next.is_none() && made;
        empty && traffic.next(self.node, &mut self.cursor.clone()).is_none()
    }

    /// Whether so many packets are gone that the next one finds a place.
    fn has_place(&self) -> bool {
        self.length.is_none_or(|length| self.asked < self.left.len() + length)
    }

    /// Asks the traffic for the next packet. While the queue was full generation was suspended.
    fn ask(&mut self, traffic: &Traffic) -> Option<Generated> {
        let (mut packet, last) = self.cut(traffic)?;
        let place_since = match self.length {
            Some(length) if self.asked >= length => self.left[self.asked - length],
            _ => 0,
        };
        if place_since > packet.cycle {
            packet.cycle = place_since;
            // It is made in that cycle; the next gap begins after the last packet of its message.
            if last {
                traffic.stall(self.node, &mut self.cursor, place_since + 1);
            }
        }
        self.asked += 1;
        Some(packet)
    }

    /// The next packet as the traffic has it, and whether it is the last of its message.
    fn cut(&mut self, traffic: &Traffic) -> Option<(Generated, bool)> {
        let (message, left) = match self.message.filter(|&(_, left)| left > 0) {
            Some(begun) => begun,
            None => {
                let message = traffic.next(self.node, &mut self.cursor)?;
                self.messages += 1;
                (message, self.packet_flits.map_or(1, |flits| message.flits / flits))
            }
        };
        self.message = Some((message, left - 1));
        let flits = self.packet_flits.unwrap_or(message.flits);
        Some((Generated { flits, index: self.asked as u64, ..message }, left == 1))
    }

    /// A generated packet joins the queue.
    pub fn push(&mut self, packet: usize) {
        self.waiting.push_back(packet);
    }

    /// The packet at the head of the queue.
    pub fn front(&self) -> Option<usize> {
        self.waiting.front().copied()
    }

    /// The cycle from which on the packet at the head has been there, if another one was before it.
    pub fn front_since(&self) -> u64 {
        self.left.last().copied().unwrap_or(0)
    }

    /// The packets in the queue, the one being sent included.
    pub fn waiting(&self) -> impl Iterator<Item = usize> + '_ {
        self.waiting.iter().copied()
    }

    /// From cycle `now` on the packet at the head is gone.
    pub fn pop(&mut self, now: u64) {
        let front = self.front().expect("a packet was sent");
        self.remove(front, now);
    }

    /// From cycle `now` on a packet of the queue is gone.
    pub fn remove(&mut self, packet: usize, now: u64) {
        self.waiting.retain(|&waiting| waiting != packet);
        self.left.push(now);
    }
}
