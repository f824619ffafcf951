//! The numbers and choices of a network of input-queued routers.

use super::allocators::Allocator;
use super::arbiters::Arbiter;
use crate::wormhole;
use std::borrow::Cow;
use std::ops::Range;
use tailback_base::rng::{self, Purpose};

/// Cycles of the wire between a node and its router, either way.
pub const NODE_WIRE: u64 = 1;

/// What flits of a router share batches and allocators with: where a router with nodes stands for two, those of its half alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// That with the inputs of links; elsewhere the whole router.
    OfLinks,
    /// That with the inputs of nodes.
    OfNodes,
}

/// Both halves.
pub const HALVES: [Half; 2] = [Half::OfLinks, Half::OfNodes];

/// The ports of a half: what an allocator of it matches. A router that is whole has all in the first half, and none in the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports {
    /// By which flits come.
    pub inputs: Range<usize>,
    /// By which flits leave.
    pub outputs: Range<usize>,
}

/// A network of input-queued routers.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What wormhole routers have too: the network, its links, the virtual channels and the buffers of all ports,
    /// routing, the length of packets, the seed. All else in it means nothing here.
    pub shared: wormhole::Config,
    /// Cycles from a head's coming to the front until it asks for a channel. With two or more a router routes one batch
    /// of heads at a time.
    pub routing_cycles: u32,
    /// Cycles that a flit takes through the crossbar, at least 1. With two or more the crossbar carries one batch of
    /// flits at a time.
    pub crossbar_cycles: u32,
    /// What routers add to the time of a credit on its wire \[cycles\].
    pub credit_cycles: u32,
    /// When a channel may be given to the next packet.
    pub sharing: Sharing,
    /// Whether heads ask only for channels that have a credit.
    pub channel_needs_credit: bool,
    /// Crossbar inputs of an input port.
    pub input_speedup: usize,
    /// Crossbar outputs of an output port.
    pub output_speedup: usize,
    /// Steps of a router in a cycle; fractions add up.
    pub internal_speedup: f64,
    /// Flits in the queue of an output port from which on no flit asks to go there; `None`: any number.
    pub output_queue_flits: Option<usize>,
    /// How the allocator of channels numbers input channels.
    pub request_order: RequestOrder,
    /// Where the ports of its nodes stand among the ports of a router.
    pub node_ports: NodePorts,
    /// In which order the input ports from other routers are numbered.
    pub input_ports: InputPorts,
    /// Who gives channels to heads.
    pub vc_allocator: Allocator,
    /// Who lets flits through the crossbar.
    pub switch_allocator: Allocator,
    /// Flits that are on the way to a node or held there before no other packet begins to go there; `None`: any number.
    pub ejection_flits: Option<u32>,
    /// Whether a packet keeps its way through the crossbar while its flits follow each other.
    pub hold_switch: bool,
    /// Whether heads ask for the crossbar before they have a channel.
    pub speculation: Speculation,
    /// How a packet that turns once chooses its order of dimensions.
    pub order: Order,
    /// Which channel the packet of a node takes.
    pub entry: Entry,
    /// Networks side by side. The routers of the second follow those of the first, and so on.
    pub planes: usize,
    /// What packets of each kind have for themselves, where there are several.
    pub kinds: Option<Kinds>,
    /// Classes of packets that share the wires of a node. Each has a slot there, which is a node of `shared`: those of a node follow each other.
    pub classes: usize,
    /// Whose flits come first.
    pub priority: Priority,
    /// Whether flits hand their priority on to those before them in their buffer.
    pub donation: bool,
    /// By class, the priority of its flits, where they have it by class.
    pub class_priorities: Vec<u32>,
    /// Whether heads would rather have channels whose buffers are empty.
    pub prefers_empty: bool,
}

/// Whose flits come first, with allocators that look at priorities, among the channels of a crossbar input, and at nodes with several classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Nobody's.
    None,
    /// Those of the packet that was made first.
    Age,
    /// Those of the class with the highest number of [`Config::class_priorities`].
    Class,
    /// Those of the packet with the lowest number at its source.
    Sequence,
    /// Those of the buffer with most flits.
    Queue,
}

/// What packets of four kinds have for themselves. Those of no kind, number 4, travel in any plane and by all channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kinds {
    /// Their planes; `None`: drawn.
    pub planes: Option<[usize; 4]>,
    /// Their first channels, of every port.
    pub first: [usize; 4],
    /// How many each has.
    pub widths: [usize; 4],
}

/// Which channel the packet of a node takes: one that is free and has a credit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The first behind the last that was taken.
    Next,
    /// One that is drawn in every cycle, or none.
    Drawn,
}

/// How a packet that turns once chooses its order of dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// By its coin.
    Coin,
    /// At its source, by what its router owes to the first port of either order; by its coin where that is alike.
    Queues,
}

/// Whether heads ask for the crossbar in the step in which they ask for a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speculation {
    /// They ask when they have one.
    Off,
    /// They ask the allocator that all flits ask, with less priority.
    Shared(Needs),
    /// They ask an allocator of their own, and give way to flits that have a channel.
    Separate {
        /// What a head looks for before it asks.
        needs: Needs,
        /// When it gives way.
        yields: Yields,
        /// Their allocator.
        allocator: Allocator,
    },
}

/// What a head looks for at an output before it asks for the crossbar without a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A free channel that it may take.
    Channel,
    /// One with a credit.
    Credit,
}

/// To whom a head without a channel leaves a crossbar output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// To a flit with a channel that was granted it.
    Grants,
    /// To all flits with a channel that ask for it.
    Requests,
}

impl Speculation {
    /// What heads look for, if they speculate.
    pub fn needs(self) -> Option<Needs> {
        match self {
            Speculation::Off => None,
            Speculation::Shared(needs) | Speculation::Separate { needs, .. } => Some(needs),
        }
    }
}

/// Where the ports of its nodes stand among the ports of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodePorts {
    /// Behind those of links.
    Last,
    /// Before those of links.
    First,
}

/// In which order the input ports from other routers are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputPorts {
    /// As the output ports to the routers that they come from.
    AsOutputs,
    /// By these routers.
    ByRouter,
}

/// How the allocator of channels numbers input channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOrder {
    /// The channels of the first port, then those of the second, and so on.
    ByPort,
    /// The first channels of all ports, then the second ones, and so on.
    ByChannel,
}

/// When a channel may be given to the next packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// When all credits of the last packet are back.
    Owned,
    /// When the last packet's tail has been sent.
    Shared,
}

impl Config {
    /// A torus or mesh of the simplest of these routers: dimension order, one cycle for every stage and link, all
    /// allocators iSLIP, two channels of 8 flits.
    pub fn plain(radix: &[u32], wrap: bool) -> Self {
        Config {
            shared: wormhole::Config::plain(radix, wrap),
            routing_cycles: 1,
            crossbar_cycles: 1,
            credit_cycles: 1,
            sharing: Sharing::Shared,
            channel_needs_credit: false,
            input_speedup: 1,
            output_speedup: 1,
            internal_speedup: 1.0,
            output_queue_flits: None,
            request_order: RequestOrder::ByPort,
            node_ports: NodePorts::Last,
            input_ports: InputPorts::AsOutputs,
            vc_allocator: Allocator::Islip { iterations: 1 },
            switch_allocator: Allocator::SeparableInputFirst(Arbiter::RoundRobin),
            ejection_flits: None,
            hold_switch: false,
            speculation: Speculation::Off,
            order: Order::Coin,
            entry: Entry::Next,
            planes: 1,
            kinds: None,
            classes: 1,
            priority: Priority::None,
            donation: false,
            class_priorities: Vec::new(),
            prefers_empty: false,
        }
    }

    /// Nodes, each with the slots of its classes.
    pub fn nodes(&self) -> usize {
        self.shared.base.nodes() / self.classes
    }

    /// The channel that a slot may take in a cycle, where it is drawn.
    pub fn drawn_channel(&self, node: usize, now: u64) -> Option<usize> {
        let drawn = rng::draw(self.shared.base.seed, Purpose::Selection, node as u32, now)[0];
        let channel = (u64::from(drawn) * self.channels() as u64) >> 32;
        (self.entry == Entry::Drawn).then_some(channel as usize)
    }

    /// Routers of all planes.
    pub fn routers(&self) -> usize {
        self.shared.base.routers() * self.planes
    }

    /// A router as its own network numbers it, and its plane.
    pub fn place(&self, router: usize) -> (usize, usize) {
        (router % self.shared.base.routers(), router / self.shared.base.routers())
    }

    /// A router of a plane.
    pub fn router_in(&self, plane: usize, router: usize) -> usize {
        plane * self.shared.base.routers() + router
    }

    /// The channels to nodes of a router of the network that packets may take; none: all.
    pub fn exits(&self, router: usize) -> &[usize] {
        self.shared.base.graph.as_ref().map_or(&[][..], |graph| &graph.exits[router][..])
    }

    /// The first channel of a packet of a kind, and how many it has.
    pub fn range(&self, kind: usize) -> (usize, usize) {
        match self.kinds {
            Some(kinds) if kind < 4 => (kinds.first[kind], kinds.widths[kind]),
            _ => (0, self.channels()),
        }
    }

    /// The network as packets of a kind know it.
    pub fn of_kind(&self, kind: usize) -> Cow<'_, wormhole::Config> {
        if self.kinds.is_none() {
            return Cow::Borrowed(&self.shared);
        }
        let mut shared = self.shared.clone();
        shared.base.virtual_channels = self.range(kind).1 as u32;
        Cow::Owned(shared)
    }

    /// Virtual channels of every port.
    pub fn channels(&self) -> usize {
        self.shared.base.virtual_channels as usize
    }

    /// Buffer of a channel \[flits\].
    pub fn buffer_flits(&self) -> usize {
        self.shared.base.buffer_flits as usize
    }

    /// Network ports of a router, those that lead nowhere included.
    pub fn network_ports(&self, router: usize) -> usize {
        let own = self.place(router).0;
        self.shared.base.graph.as_ref().map_or(self.shared.base.ports(), |graph| graph.links[own].len())
    }

    /// Ports of a router: network ports and one for each of its nodes.
    pub fn ports(&self, router: usize) -> usize {
        self.network_ports(router) + self.nodes_of(router)
    }

    /// Nodes of a router.
    fn nodes_of(&self, router: usize) -> usize {
        self.shared.base.nodes_at(self.place(router).0).len() / self.classes
    }

    /// The port at its router of the node that has a slot.
    pub fn port_of(&self, slot: u32) -> usize {
        let links_before = match self.node_ports {
            NodePorts::Last => self.network_ports(self.shared.base.router_of(slot)),
            NodePorts::First => 0,
        };
        links_before + self.shared.base.local(slot) / self.classes
    }

    /// The node behind a port; none behind a network port.
    pub fn node_behind(&self, router: usize, port: usize) -> Option<u32> {
        let slots = self.shared.base.nodes_at(self.place(router).0);
        let slot = slots.into_iter().step_by(self.classes).find(|&slot| self.port_of(slot) == port)?;
        Some(slot / self.classes as u32)
    }

    /// The output port of a router that the network has a name for.
    pub fn output(&self, router: usize, name: usize) -> usize {
        match self.node_ports {
            NodePorts::Last => name,
            NodePorts::First => self.nodes_of(router) + name,
        }
    }

    /// The name of an output port of a router in the network, which has no name for those to nodes.
    pub fn output_name(&self, router: usize, port: usize) -> usize {
        (0..self.network_ports(router)).find(|&name| self.output(router, name) == port).expect("it is one of a link")
    }

    /// The half of a router that an input port is at.
    pub fn half(&self, router: usize, port: usize) -> Half {
        let folded = self.one_way().is_some();
        if folded && self.node_behind(router, port).is_some() { Half::OfNodes } else { Half::OfLinks }
    }

    /// The input channels of a half of a router, by port and channel.
    pub fn places(&self, router: usize, half: Half) -> Vec<(usize, usize)> {
        let ports = self.ports_of_half(router, half).inputs;
        ports.flat_map(|port| (0..self.channels()).map(move |channel| (port, channel))).collect()
    }

    /// Where the network is folded: how many of the links of a router lead out.
    fn one_way(&self) -> Option<usize> {
        self.shared.base.graph.as_ref()?.one_way
    }

    /// The ports of a half of a router.
    pub fn ports_of_half(&self, router: usize, half: Half) -> Ports {
        let Some(out) = self.one_way() else {
            let all = 0..self.ports(router);
            return if half == Half::OfLinks { Ports { inputs: all.clone(), outputs: all } } else { Ports::default() };
        };
        let first_link = self.output(router, 0);
        let (lead_out, lead_in) =
            (first_link..first_link + out, first_link + out..first_link + self.network_ports(router));
        let nodes = match self.node_ports {
            NodePorts::Last => lead_in.end..self.ports(router),
            NodePorts::First => 0..first_link,
        };
        match half {
            Half::OfLinks if nodes.is_empty() => Ports { inputs: lead_in, outputs: lead_out },
            Half::OfLinks => Ports { inputs: lead_in, outputs: nodes },
            Half::OfNodes => Ports { inputs: nodes, outputs: lead_out },
        }
    }

    /// The input port of a router that the network has a name for.
    pub fn input(&self, router: usize, name: usize) -> usize {
        let place = self.inputs(router).iter().position(|&other| other == name).expect("it is one of a link");
        self.output(router, place)
    }

    /// The name of an input port of a router in the network, which has no name for those from nodes.
    pub fn input_name(&self, router: usize, port: usize) -> usize {
        self.inputs(router)[self.output_name(router, port)]
    }

    /// The names of the input ports of a router, in their order. On a grid the name is the direction in which flits travel.
    fn inputs(&self, router: usize) -> Vec<usize> {
        let (own, graph) = (self.place(router).0, self.shared.base.graph.as_ref());
        let as_output = |name: usize| if graph.is_none() { name ^ 1 } else { name };
        let mut names: Vec<usize> = (0..self.network_ports(router)).map(as_output).collect();
        if self.input_ports == InputPorts::ByRouter {
            let from = |name: usize| match graph {
                None => self.shared.base.upstream(own, name),
                Some(graph) => graph.link(own, name).map(|back| back.router),
            };
            // Where links lead one way, those that lead out stay before those that lead in.
            let leads_in = |name: usize| self.one_way().is_some_and(|out| name >= out);
            names.sort_by_key(|&name| (leads_in(name), from(name).is_none(), from(name)));
        }
        names
    }

    /// The crossbar input of a channel of an input port.
    pub fn crossbar_input(&self, port: usize, channel: usize) -> usize {
        port * self.input_speedup + channel % self.input_speedup
    }

    /// The crossbar output by which flits of an input port come to an output port.
    pub fn crossbar_output(&self, port: usize, input_port: usize) -> usize {
        port * self.output_speedup + input_port % self.output_speedup
    }

    /// Cycles from a flit's leaving a router by a port until it is at the other end.
    pub fn flight_cycles(&self, router: usize, port: usize) -> u64 {
        match self.node_behind(router, port) {
            Some(_) => NODE_WIRE + 1,
            None => u64::from(self.shared.base.cycles(self.place(router).0, self.output_name(router, port))) + 1,
        }
    }

    /// Latency of a packet alone in a network whose buffers cover the credits' round trip, that passes `routers`
    /// routers by links of `link_cycles` in all. It has one flit, or the crossbar takes a cycle: else its flits cross
    /// in batches, which take longer.
    pub fn zero_load(&self, routers: u32, link_cycles: u32, flits: u32) -> u64 {
        let allocation = if self.speculation == Speculation::Off { 2 } else { 1 };
        let hop = u64::from(self.routing_cycles) + allocation + u64::from(self.crossbar_cycles);
        NODE_WIRE + NODE_WIRE + 1 + u64::from(routers) * hop + u64::from(link_cycles) + u64::from(flits) - 1
    }
}
