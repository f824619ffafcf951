//! Nodes make packets, which wait in admittance queues, one a destination.

use super::config::Config;
use std::collections::VecDeque;
use tailback_traffic::{Generated, Traffic};

pub use crate::adaptive::Message;

/// The message that a node is making, and the packets of it that have not been made.
#[derive(Clone, Copy, Debug)]
struct Making {
    message: Generated,
    left: u32,
}

/// A node: its generator and its admittance queues.
#[derive(Clone, Debug)]
pub struct Source {
    node: u32,
    cursor: tailback_traffic::Source,
    making: Option<Making>,
    /// Packets made.
    made: u64,
    /// Packets that wait, as places in the network's list, by destination.
    pub queues: Vec<VecDeque<usize>>,
    /// The destination served last.
    pub last_served: usize,
    /// The cycle from which on the adapter may take the next packet.
    pub free_from: u64,
}

impl Source {
    /// The node before cycle 0.
    pub fn new(node: u32, config: &Config, traffic: &Traffic) -> Self {
        let nodes = config.shared.base.nodes();
        Source {
            node,
            cursor: traffic.source(node),
            making: None,
            made: 0,
            queues: vec![VecDeque::new(); nodes],
            last_served: nodes - 1,
            free_from: 0,
        }
    }

    /// Whether the last packet has left, and there will be none any more.
    pub fn is_dry(&self, traffic: &Traffic) -> bool {
        let empty = self.making.is_none() && self.queues.iter().all(VecDeque::is_empty);
        empty && traffic.next(self.node, &mut self.cursor.clone()).is_none()
    }

    /// The packet that is made in cycle `now`, as place `packet` of the network's list, if one is due and its queue has
    /// room; and the length of the message that it begins.
    pub fn make(
        &mut self,
        config: &Config,
        now: u64,
        traffic: &Traffic,
        packet: usize,
    ) -> Option<(Generated, Option<u32>)> {
        if self.making.is_none() {
            let message = traffic.next(self.node, &mut self.cursor)?;
            assert!(message.flits.is_multiple_of(config.packet_flits), "messages are cut into whole packets");
            self.making = Some(Making { message, left: message.flits / config.packet_flits });
        }
        let Making { message, left } = self.making.filter(|making| making.message.cycle <= now)?;
        let queue = &mut self.queues[message.destination as usize];
        if config.shared.base.source_queue_packets.is_some_and(|most| queue.len() >= most as usize) {
            return None;
        }
        queue.push_back(packet);
        let made = Generated { cycle: now, flits: config.packet_flits, index: self.made, ..message };
        let first = (left * config.packet_flits == message.flits).then_some(message.flits);
        self.made += 1;
        self.making = Some(Making { message, left: left - 1 }).filter(|making| making.left > 0);
        if self.making.is_none() && now > message.cycle {
            // The gap to the next message begins when all packets of this one are made.
            traffic.stall(self.node, &mut self.cursor, now + 1);
        }
        Some((made, first))
    }
}
