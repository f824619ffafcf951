//! Throttling: what switches decide on new packets, and when the adapters of their nodes hear of it.
//!
//! A throttle decides at the end of a cycle, for every network port of its switch, whether new packets may start by that port.
//! The adapters hear of it over wires as long as their links.

use super::fabric::Fabric;
use super::layout::Layout;
use super::mechanisms::Mechanisms;
use super::shape::Shape;
use crate::contract::admission::{Admission, LocalView};
use crate::contract::routing::Request;
use crate::mask::{Mask, are_below, ones_below};
use tailback_base::state::{Unfit, ensure};

/// Decisions on their way and those that adapters have heard. A decision is a set of network ports by which new packets may
/// start, as a mask.
#[derive(Clone, Debug)]
pub(super) struct Words {
    /// Those made in the last cycles, by `cycle % link_cycles * switches + switch`.
    coming: Vec<u16>,
    link_cycles: u64,
    /// By switch: what the adapters of its nodes have heard.
    heard: Vec<u16>,
    /// Network ports.
    ports: usize,
    /// Of one switch, per network port, whether its egress side is free, as a mask of one channel.
    room: Vec<u16>,
}

tailback_base::state!([] Words { saved: coming, heard; rebuilt: link_cycles, ports, room; } [fits]);

impl Words {
    /// Of so many switches that have a throttle. New packets may start everywhere.
    pub fn new(layout: &Layout, switches: usize) -> Self {
        let all = ones_below(layout.network) as u16;
        let coming = vec![all; switches * layout.link as usize];
        let (heard, room) = (vec![all; switches], vec![0; layout.network]);
        Words { coming, link_cycles: layout.link, heard, ports: layout.network, room }
    }

    /// That only ports are named that are there.
    fn fits(&self) -> Result<(), Unfit> {
        let mut words = self.coming.iter().chain(&self.heard);
        let there = words.all(|&word| are_below([word.into()], self.ports));
        ensure(there, "a throttle names a port that is not there")
    }

    /// A switch decides in a cycle. Whether its adapters hear something new for the next one.
    #[inline]
    fn decide(&mut self, cycle: u64, switch: usize, open: u16) -> bool {
        let at = (cycle % self.link_cycles) as usize * self.heard.len() + switch;
        let word = std::mem::replace(&mut self.coming[at], open);
        std::mem::replace(&mut self.heard[switch], word) != word
    }

    /// What the adapters of a switch have heard; 0 without a throttle.
    #[inline]
    pub fn heard(&self, switch: usize) -> u16 {
        self.heard.get(switch).copied().unwrap_or(0)
    }
}

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// The end of a cycle in a network with a throttle.
    ///
    /// PERF: kept out of the loop, which most networks run without one (`tailback bench recn-1`).
    #[cold]
    #[inline(never)]
    pub(super) fn throttle(&mut self, now: u64) {
        self.parts.admission.observe(now, self.occupancy.as_ref());
        for switch in 0..self.crossbars.switches.len() {
            let open = self.open_ports(switch);
            if self.words.decide(now, switch, open) {
                let nodes = switch * self.layout.nodes;
                (nodes..nodes + self.layout.nodes).for_each(|node| self.admittance.reconsider(node));
            }
        }
    }

    /// The network ports of a switch by which new packets may start, by what is known at the end of a cycle. The one channel of a
    /// port is free while the egress side has no packet.
    fn open_ports(&mut self, switch: usize) -> u16 {
        let (first, network) = (switch * self.layout.ports, self.layout.network);
        for port in 0..network {
            self.words.room[port] = u16::from(self.taken_in_all(first + port) == 0);
        }
        let idle = self.crossbars.switches[switch].idle_outputs.get() & ones_below(network);
        let view = LocalView { router: switch as u32, idle, room: &self.words.room, all: 1 };
        let admits = |port: &usize| {
            let request = Request { port: Some(*port as u8), channels: 1 };
            self.parts.admission.admits_by_any(view, request, 1 << port)
        };
        (0..network).filter(admits).fold(0, |open, port| open | 1 << port)
    }

    /// Whether the throttle lets the packet at the front of an admittance queue enter, as far as its adapter has heard. A packet for
    /// a node of the same switch needs no network port.
    #[inline]
    pub(super) fn may_start(&self, node: usize, id: u32) -> bool {
        if !self.throttled {
            return true;
        }
        let port = self.pool.port(id);
        port >= self.layout.network || self.words.heard(node / self.layout.nodes) >> port & 1 == 1
    }
}
