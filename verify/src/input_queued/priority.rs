//! Whose flits come first.

use super::config::{Config, Priority};
use super::network::Network;
use crate::wormhole::packet::{Flit, Packet};

/// Higher than all that is counted.
const HIGHEST: u64 = 1 << 60;

impl Network<'_> {
    /// By input port and channel of a router, the priority of what is at the front; 0 where there is nothing.
    pub(super) fn priorities(&self, router: usize) -> Vec<Vec<u64>> {
        let of = |flit: &Flit| of_packet(self.config, &self.packets[flit.packet]);
        let ports = self.routers[router].inputs.iter();
        let all = ports.map(|port| {
            let channels = port.iter().map(|input| match (self.config.priority, self.config.donation) {
                (Priority::Queue, _) => input.flits.len() as u64,
                (_, true) => input.flits.iter().map(of).max().unwrap_or(0),
                (_, false) => input.flits.front().map_or(0, of),
            });
            channels.collect()
        });
        all.collect()
    }
}

/// The priority of the flits of a packet, as far as it does not depend on where they are.
pub fn of_packet(config: &Config, packet: &Packet) -> u64 {
    match config.priority {
        Priority::None | Priority::Queue => 0,
        Priority::Age => HIGHEST - packet.made.cycle,
        Priority::Class => config.class_priorities[packet.source as usize % config.classes].into(),
        Priority::Sequence => HIGHEST - packet.made.index,
    }
}
