//! Interfaces: the injection queues of a node and the generator behind them.

use super::config::{Config, InterfaceChannels, Policy};
use std::collections::VecDeque;
use tailback_base::rng::{self, Purpose};
use tailback_traffic::{Generated, Source, Traffic};

/// A message, cut into packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Message {
    /// Source node.
    pub source: u32,
    /// Birth of its first packet.
    pub birth: u64,
    /// Destination node.
    pub destination: u32,
    /// Its length \[flits\].
    pub flits: u32,
    /// The cycle in which its last packet was delivered.
    pub delivered: u64,
}

/// The message that a node is making.
#[derive(Clone, Copy, Debug)]
struct Making {
    message: Generated,
    /// Packets of it that have not been made.
    left: u32,
    /// The queue chosen for the next one, which was full.
    chosen: Option<usize>,
}

/// An injection queue.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    /// Its packets, as places in the network's list; the first may be partly gone.
    pub packets: VecDeque<usize>,
    /// So many of them, from the first on, are at the router.
    pub at_router: usize,
    /// When the credits of places at the router come back to the node.
    pub credits: Vec<u64>,
}

/// The interface of a node.
#[derive(Clone, Debug)]
pub struct Interface {
    node: u32,
    cursor: Source,
    making: Option<Making>,
    /// Packets made.
    made: u64,
    /// Its queues.
    pub queues: Vec<Queue>,
    /// The queue that round robin takes next, of the policy.
    next: usize,
    /// The queue that the channel to the router looks at first.
    turn: usize,
    /// The cycle from which on that channel is free.
    free_from: u64,
}

impl Interface {
    /// The interface of `node` before cycle 0.
    pub fn new(node: u32, config: &Config, traffic: &Traffic) -> Self {
        Interface {
            node,
            cursor: traffic.source(node),
            making: None,
            made: 0,
            queues: vec![Queue::default(); config.queues as usize],
            next: 0,
            turn: 0,
            free_from: 0,
        }
    }

    /// The packet that is to be made in cycle `now` if its queue has room, and the length of the message that it begins.
    pub fn due(&mut self, config: &Config, now: u64, traffic: &Traffic) -> Option<(Generated, Option<u32>)> {
        if self.making.is_none() {
            let message = traffic.next(self.node, &mut self.cursor)?;
            assert!(message.flits.is_multiple_of(config.packet_flits), "messages are cut into whole packets");
            self.making = Some(Making { message, left: message.flits / config.packet_flits, chosen: None });
        }
        let Making { message, left, .. } = self.making.filter(|making| making.message.cycle <= now)?;
        let first = (left * config.packet_flits == message.flits).then_some(message.flits);
        Some((Generated { cycle: now, flits: config.packet_flits, index: self.made, ..message }, first))
    }

    /// The queue of the packet that is due, chosen now if it has not been yet; `waiting` are the flits in each.
    pub fn queue(&mut self, config: &Config, packet: &Generated, waiting: &[u64]) -> usize {
        let before = self.making.and_then(|making| making.chosen);
        let chosen = match before {
            Some(queue) if !config.choose_again => queue,
            Some(_) => self.choose(config, packet, waiting, 1 << 63 | packet.cycle),
            None => self.choose(config, packet, waiting, packet.index),
        };
        if let Some(making) = &mut self.making {
            making.chosen = Some(chosen);
        }
        chosen
    }

    /// Whether the last packet has left, and there will be none any more.
    pub fn is_dry(&self, traffic: &Traffic) -> bool {
        let empty = self.making.is_none() && self.queues.iter().all(|queue| queue.packets.is_empty());
        empty && traffic.next(self.node, &mut self.cursor.clone()).is_none()
    }

    /// Whether a queue has room for a packet.
    pub fn has_room(&self, config: &Config, queue: usize) -> bool {
        let packets = self.queues[queue].packets.len();
        config.shared.base.source_queue_packets.is_none_or(|most| packets < most as usize)
    }

    /// The packet that is due was made in cycle `now` and joins its queue. The gap to the next message begins when all
    /// packets of this one are made.
    pub fn push(&mut self, config: &Config, packet: usize, queue: usize, now: u64, traffic: &Traffic) {
        self.queues[queue].packets.push_back(packet);
        if config.interface_channels == InterfaceChannels::Physical {
            self.queues[queue].at_router += 1;
        }
        self.made += 1;
        let making = self.making.as_mut().expect("a packet was due");
        (making.left, making.chosen) = (making.left - 1, None);
        if making.left == 0 {
            if now > making.message.cycle {
                traffic.stall(self.node, &mut self.cursor, now + 1);
            }
            self.making = None;
        }
    }

    /// From now on the first packet of a queue is gone.
    pub fn pop(&mut self, config: &Config, queue: usize, now: u64) {
        let queue = &mut self.queues[queue];
        if let InterfaceChannels::Port(_) = config.interface_channels {
            queue.credits.push(now - 1 + u64::from(config.shared.base.credit_cycles));
        }
        queue.packets.pop_front();
        queue.at_router -= 1;
    }

    /// A channel that all queues share begins to transfer a packet to the router, if it can; returns the packet.
    pub fn transfer(&mut self, config: &Config, now: u64) -> Option<usize> {
        let places = match config.interface_channels {
            InterfaceChannels::Physical => return None,
            InterfaceChannels::Virtual { router_packets } => router_packets,
            InterfaceChannels::Port(port) => port.buffer_packets,
        };
        if now < self.free_from {
            return None;
        }
        let number = self.queues.len();
        let owed = |queue: &Queue| queue.credits.iter().filter(|&&comes| comes > now).count();
        let can_go =
            |queue: &&Queue| queue.packets.len() > queue.at_router && queue.at_router + owed(queue) < places as usize;
        let next = (self.turn..self.turn + number).map(|n| n % number).find(|&n| can_go(&&self.queues[n]))?;
        self.turn = (next + 1) % number;
        self.free_from = now + u64::from(config.packet_flits);
        let queue = &mut self.queues[next];
        queue.at_router += 1;
        Some(queue.packets[queue.at_router - 1])
    }

    fn choose(&mut self, config: &Config, packet: &Generated, waiting: &[u64], number: u64) -> usize {
        let bits = rng::draw_u64(config.shared.base.seed, Purpose::Interface, self.node, number);
        let any = rng::below(bits, waiting.len() as u64) as usize;
        let number = waiting.len();
        let offsets = config.shared.offsets(self.node, packet);
        let useful = offsets.iter().enumerate().filter(|(_, hops)| **hops != 0);
        let direction = |(d, hops): (usize, &i32)| 2 * d + usize::from(*hops < 0);
        match config.policy {
            Policy::Sh => {
                (any..any + number).map(|n| n % number).min_by_key(|&n| waiting[n]).expect("a node has a queue")
            }
            Policy::Random => any,
            Policy::RoundRobin => {
                let next = self.next;
                self.next = (next + 1) % number;
                next
            }
            Policy::Shp => useful.map(direction).min_by_key(|&n| waiting[n]).unwrap_or(0),
            Policy::Lpath => useful.min_by_key(|(_, hops)| std::cmp::Reverse(hops.unsigned_abs())).map_or(0, direction),
            Policy::Dor => useful.map(direction).next().unwrap_or(0),
        }
    }
}
