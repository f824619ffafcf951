//! Where one packet is and what keeps it there, looked up from the state: for telling its story, not for the cycle loop.

use super::Mechanisms;
use super::fabric::Fabric;
use super::state::Inputs;
use tailback_base::bits::ones;

/// A packet by its source node and its number among the packets of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Source node.
    pub source: u32,
    /// Number, from 0 on.
    pub index: u64,
}

/// A queue that a packet, or a part of it, is in at the end of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The router.
    pub router: u32,
    /// Network port and virtual channel, by the direction in which packets come; `None`: its source queue.
    pub input: Option<(u8, u8)>,
    /// What it does there.
    pub what: What,
}

/// What a packet does in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// It leaves, flit by flit, by this port; `None`: to its node.
    Leaves(Option<u8>),
    /// It stands behind the packet at the front.
    Behind(Name),
    /// Admission holds it.
    Admission,
    /// Another packet holds the output that it asks for (`None`: that of its node).
    Output(Option<u8>, Name),
    /// No channel that it may take has room for it.
    Room {
        /// The port it asks for.
        port: u8,
        /// The channels it asks for, as a mask.
        channels: u16,
        /// Flits of room in the one with most.
        flits: u32,
    },
    /// It may go, and will when its turn comes.
    Turn(Option<u8>),
}

impl<M: Mechanisms, W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize>
    Fabric<'_, M, W, NI, NO, NP, NV>
{
    /// Every queue that a packet is in which has come to the front of its source queue. While its tail is still upstream
    /// these are two or more. Cost: proportional to the buffers of the network.
    pub(super) fn places(&self, name: Name) -> Vec<Place> {
        let mut places = Vec::new();
        let node = name.source as usize;
        if self.at_head.contains(node) && self.upcoming[node].index == name.index {
            let (router, input) = (self.grid.router_of(name.source), self.injection_input(name.source));
            let what = match self.routers.at(self.routers.id(router)).asks(input) {
                true => self.obstacle(router, input),
                false if self.throttled && self.waiting.contains(node) => What::Admission,
                false => What::Leaves(self.port(router, input)),
            };
            places.push(Place { router, input: None, what });
        }
        let of_network = self.layout.network_inputs;
        for n in 0..self.routers.len() * of_network {
            let (router, input) = ((n / of_network) as u32, n % of_network);
            let queued = self.queued(self.routers.id(router), input);
            let Some(position) = queued.iter().position(|&id| self.name(id) == name) else { continue };
            let what = match position {
                0 if self.routers.at(self.routers.id(router)).asks(input) => self.obstacle(router, input),
                0 => What::Leaves(self.port(router, input)),
                _ => What::Behind(self.name(queued[0])),
            };
            places.push(Place { router, input: Some(self.lane(input)), what });
        }
        places
    }

    fn name(&self, packet: u32) -> Name {
        let packet = &self.packets[packet];
        Name { source: packet.source, index: packet.index }
    }

    fn lane(&self, input: usize) -> (u8, u8) {
        (self.layout.port_of[input], self.layout.channel_of[input])
    }

    fn injection_input(&self, node: u32) -> usize {
        self.layout.network_inputs + self.layout.local(node)
    }

    /// The network port that the front packet of an input asks for, or leaves by.
    fn port(&self, router: u32, input: usize) -> Option<u8> {
        let output = self.routers.at(self.routers.id(router)).inputs[input].output;
        (usize::from(output) < self.layout.ports).then_some(output)
    }

    /// What keeps a head that asks.
    fn obstacle(&self, router: u32, input: usize) -> What {
        let id = self.routers.id(router);
        let (state, port) = (self.routers.at(id), self.port(router, input));
        let asked = state.inputs[input];
        if let Some(holder) = self.holder(router, asked.output) {
            return What::Output(port, holder);
        }
        let Some(port) = port else { return What::Turn(None) };
        // As known in the cycle that has ended.
        let now = self.cycle.saturating_sub(1);
        let free = |c: usize| self.free(id, usize::from(port), c, now).max(0) as u32;
        let flits = ones(u64::from(asked.channels)).map(free).max().unwrap_or(0);
        match flits >= self.length(self.front(id, input).packet) {
            true => What::Turn(Some(port)),
            false => What::Room { port, channels: asked.channels, flits },
        }
    }

    /// The packet that holds an output.
    fn holder(&self, router: u32, output: u8) -> Option<Name> {
        let state = self.routers.at(self.routers.id(router));
        if state.idle() >> output & 1 == 1 {
            return None;
        }
        let held = self.tails.iter().find(|tail| tail.router.get() == router && tail.output == output)?;
        Some(self.name(state.inputs[usize::from(held.input)].slot.packet))
    }
}
