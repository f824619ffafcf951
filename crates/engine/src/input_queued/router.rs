//! The numbers of an input-queued router, and its choices.

use crate::contract::census::What;
use crate::contract::routing::Lesser;
use crate::packet::Packet;
use tailback_traffic::{MAX_CLASSES, Type};

/// When an output channel may be given to the next packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// When the credit of the last packet's tail is back.
    Owned,
    /// When the last packet's tail has been sent.
    Shared,
}

/// How inputs are matched with outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// Outputs grant, inputs accept, by pointers that move on acceptance.
    Islip,
    /// As islip; the pointers of all rounds, and only those who ask.
    Select,
    /// Inputs choose, then outputs.
    InputFirst,
    /// Outputs choose, then inputs.
    OutputFirst,
    /// Along diagonals; the first one moves on by one.
    Wavefront,
    /// Along diagonals; the first one moves on behind the first that granted.
    SkippingWavefront,
    /// As many as can be, by paths that improve a match.
    Maximum,
    /// Outputs draw, then inputs.
    Drawn,
    /// Inputs ask for the output that fewest ask for.
    Lonely,
}

/// The arbiters of an allocator that chooses in two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// Behind the last winner.
    RoundRobin,
    /// Who won least recently.
    Matrix,
}

/// An allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocator {
    /// How it matches.
    pub matching: Matching,
    /// Rounds of islip, select and drawn matchings.
    pub rounds: u32,
    /// Arbiters of the matchings in two stages.
    pub stages: Stages,
    /// Groups of the rivals of such an arbiter, of which the last may be smaller; the winners of groups compete once more. 1: no groups.
    pub groups: u32,
}

/// Whether heads ask for the switch in the step in which they ask for a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speculation {
    /// They ask when they have a channel.
    Off,
    /// They ask the switch allocator, behind flits that have a channel where it looks at priorities.
    Shared(Needs),
    /// They ask an allocator of their own.
    Separate {
        /// What a head looks for before it asks.
        needs: Needs,
        /// When it gives way to a flit that has a channel.
        yields: Yields,
        /// Their allocator.
        allocator: Allocator,
    },
}

impl Allocator {
    /// Whether it chooses in two stages of arbiters.
    pub fn has_arbiters(self) -> bool {
        matches!(self.matching, Matching::InputFirst | Matching::OutputFirst)
    }

    /// Whether it looks at priorities.
    pub fn looks_at_priorities(self) -> bool {
        !matches!(self.matching, Matching::Islip | Matching::Drawn | Matching::Lonely | Matching::Maximum)
    }

    /// Whether it matters how many inputs and outputs there are that never ask.
    pub(super) fn minds_idle(self) -> bool {
        match self.matching {
            Matching::Islip | Matching::Select => false,
            Matching::InputFirst | Matching::OutputFirst => self.groups > 1,
            Matching::Wavefront
            | Matching::SkippingWavefront
            | Matching::Maximum
            | Matching::Drawn
            | Matching::Lonely => true,
        }
    }

    /// The same, where no request counts more than another: a select allocator of one round is iSLIP then.
    fn unranked(self) -> Allocator {
        match (self.matching, self.rounds) {
            (Matching::Select, 1) => Allocator { matching: Matching::Islip, ..self },
            _ => self,
        }
    }

    /// Whether it is iSLIP in one round.
    pub(super) fn is_one_round_of_islip(self) -> bool {
        self.matching == Matching::Islip && self.rounds == 1
    }

    /// Whether those that nobody competes with are all served, and the turns of both move on behind the other, as in iSLIP.
    pub(super) fn turns_follow(self) -> bool {
        match self.matching {
            Matching::Islip => true,
            Matching::InputFirst | Matching::OutputFirst => self.stages == Stages::RoundRobin && self.groups == 1,
            _ => false,
        }
    }
}

impl Speculation {
    /// What heads look for, if they speculate.
    #[inline(always)]
    pub(super) fn needs(self) -> Option<Needs> {
        match self {
            Speculation::Off => None,
            Speculation::Shared(needs) | Speculation::Separate { needs, .. } => Some(needs),
        }
    }

    /// The allocator that heads have for themselves.
    pub(super) fn allocator(self) -> Option<Allocator> {
        match self {
            Speculation::Separate { allocator, .. } => Some(allocator),
            Speculation::Off | Speculation::Shared(_) => None,
        }
    }
}

/// What a head looks for at a port before it asks for the switch without a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// A free channel that it may have.
    Channel,
    /// One with a credit.
    Credit,
}

/// To whom a head without a channel leaves an output of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// To a flit with a channel that was granted it.
    Grants,
    /// To any flit with a channel that asks for it.
    Requests,
}

/// How the allocator of channels numbers the input channels of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestOrder {
    /// The channels of the first port, then those of the second, and so on.
    ByPort,
    /// The first channels of all ports, then the second ones, and so on.
    ByChannel,
}

/// Where the ports of its nodes stand among the ports of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodePorts {
    /// Behind those of links.
    Last,
    /// Before those of links.
    First,
}

/// In which order the input ports of a router from other routers are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputPorts {
    /// As the output ports to the routers that flits come from.
    AsOutputs,
    /// By these routers.
    ByRouter,
}

/// Which channel of its wire the packet of a node takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryChannel {
    /// The first one behind the last that a packet took which is free and has a credit.
    Next,
    /// One that is drawn in every cycle, if it is free and has a credit.
    Drawn,
}

/// What packets of each type have for themselves, where nodes answer; `None`: they have all alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Types {
    /// By type, its plane.
    pub planes: Option<[u8; 4]>,
    /// By type, its first channel and how many it has, of every port.
    pub channels: Option<[(u8, u8); 4]>,
    /// Whether packets of no type travel, too: in any plane, by all channels.
    pub untyped: bool,
}

impl Types {
    /// The plane of a packet with this mark, if its type has one.
    pub(super) fn plane(&self, mark: u64) -> Option<u8> {
        let planes = self.planes?;
        Type::of_mark(mark).map(|of| planes[of as usize])
    }

    /// The first channel of a packet with this mark, and the one behind its last, out of `all`.
    pub(super) fn range(&self, mark: u64, all: usize) -> (usize, usize) {
        self.channels.zip(Type::of_mark(mark)).map_or((0, all), |(channels, of)| {
            let (first, count) = channels[of as usize];
            (first.into(), usize::from(first) + usize::from(count))
        })
    }
}

/// Whose flits come first: with allocators that look at priorities, among the channels of an input of the switch, and at nodes with several
/// classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// Nobody's.
    None,
    /// Those of the packet that was made first.
    Age,
    /// Those of the packet with the lowest number at its source.
    Sequence,
    /// Those of the buffer with most flits.
    Queue,
    /// By class of the packet, the highest first.
    Class([u32; MAX_CLASSES]),
}

/// Higher than all that is counted, and lower than what a flit with a channel has over others.
const HIGHEST: u64 = 1 << 60;

impl Priority {
    /// The priority of the flits of a packet, of so many classes, as far as it does not depend on where they are.
    pub(super) fn of_packet(self, packet: &Packet, classes: usize) -> u64 {
        match self {
            Priority::None | Priority::Queue => 0,
            Priority::Age => HIGHEST - packet.birth,
            Priority::Sequence => HIGHEST - packet.index,
            Priority::Class(of) => of[packet.source as usize % classes].into(),
        }
    }
}

/// Steps are counted in parts of this many a step.
pub const STEP: u32 = 1 << 16;

/// The numbers of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Router {
    /// Virtual channels of a link, and of the link of a node.
    pub channels: u32,
    /// Buffer of a virtual channel \[flits\].
    pub buffer_flits: u32,
    /// Cycles from a head's coming to the front until it may ask for a channel. From 2 on heads are routed in batches.
    pub routing_cycles: u32,
    /// Cycles that a flit takes through the crossbar, at least 1. From 2 on flits go in batches.
    pub crossbar_cycles: u32,
    /// Cycles from a credit's arrival at a router to its use there.
    pub credit_cycles: u32,
    /// When a channel may be given to the next packet.
    pub sharing: Sharing,
    /// Whether heads ask only for channels with a credit.
    pub needs_credit: bool,
    /// Crossbar inputs of a port; channel `v` has input `v` modulo this.
    pub input_speedup: u32,
    /// Crossbar outputs of a port; input `i` uses output `i` modulo this.
    pub output_speedup: u32,
    /// Steps of a router in a cycle, in parts of [`STEP`]; at least one step.
    pub steps: u32,
    /// Flits that wait for their link behind an output port from which on none asks to go there; `None`: any number.
    pub output_queue_flits: Option<u32>,
    /// How the allocator of channels numbers the input channels of a router.
    pub request_order: RequestOrder,
    /// Where the ports of its nodes stand among the ports of a router.
    pub node_ports: NodePorts,
    /// In which order the input ports of a router from other routers are numbered.
    pub input_ports: InputPorts,
    /// How heads get channels.
    pub channel_allocator: Allocator,
    /// How flits get through the switch.
    pub switch_allocator: Allocator,
    /// Whether a packet keeps its way through the switch until its tail.
    pub holds_switch: bool,
    /// Whether heads ask for the switch before they have a channel.
    pub speculation: Speculation,
    /// Flits that the ejection buffer of a node holds, for a host; `None`: any number.
    pub ejection_flits: Option<u32>,
    /// Which channel of its wire the packet of a node takes.
    pub entry_channel: EntryChannel,
    /// What packets of each type have for themselves, where nodes answer.
    pub types: Types,
    /// Networks side by side; a packet travels in one of them, which is drawn.
    pub planes: u32,
    /// Classes of packets that share the wires of a node: as many nodes of the network in a row are ports of one node.
    pub classes: u32,
    /// Whose flits come first.
    pub priority: Priority,
    /// Whether flits hand their priority on to those before them in their buffer.
    pub donates_priority: bool,
    /// Whether heads would rather have channels whose buffers are empty.
    pub prefers_empty: bool,
    /// Packets a source queue holds, those being sent included; `None`: any number.
    pub source_queue_packets: Option<u32>,
    /// Length of the packets that messages are cut into \[flits\], a divisor of every length that occurs; `None`: a message is a packet.
    pub packet_flits: Option<u32>,
    /// Seed of all random streams.
    pub seed: u64,
}

impl Router {
    /// Whether it makes a difference which channels heads ask for with less priority. Where nobody looks at priorities it is a matter of
    /// ports alone.
    pub(super) fn minds(&self, lesser: Lesser) -> bool {
        match lesser {
            Lesser::None => false,
            Lesser::Requested => self.channel_allocator.looks_at_priorities() || self.speculation != Speculation::Off,
            Lesser::Elsewhere => true,
        }
    }

    /// The same router, with iSLIP in the place of allocators that do the same.
    pub(super) fn simplified(mut self, lesser: Lesser) -> Router {
        if !self.ranks_channels(lesser) {
            self.channel_allocator = self.channel_allocator.unranked();
        }
        if !self.ranks_switch() {
            self.switch_allocator = self.switch_allocator.unranked();
        }
        self
    }

    /// Whether requests for the switch count for more or less.
    pub(super) fn ranks_switch(&self) -> bool {
        matches!(self.speculation, Speculation::Shared(_)) || self.priority != Priority::None
    }

    /// Whether requests for channels count for more or less.
    pub(super) fn ranks_channels(&self, lesser: Lesser) -> bool {
        let some = lesser != Lesser::None || self.prefers_empty || self.priority != Priority::None;
        some && self.channel_allocator.looks_at_priorities()
    }

    /// Whether a class of a node may find a channel and not send by it, because another one has more priority.
    pub(super) fn nodes_pick(&self) -> bool {
        self.classes > 1 && self.priority != Priority::None
    }

    /// Whether flits may wait behind the crossbar for their link.
    pub(super) fn queues_at_outputs(&self) -> bool {
        self.crossbar_cycles > 1 || self.output_speedup > 1 || self.steps > STEP
    }
}

/// Cycles that a flit is on the wire between a node and its router, and a credit on the way back.
pub const NODE_LINK: u64 = 1;

/// The largest number of links from a router to others: what waits for them is told by a mask that has a bit for nodes, too.
pub const MAX_LINKS: usize = What::NODE as usize;

/// The largest number of networks side by side.
pub const MAX_PLANES: u32 = 16;

/// The largest number of ports of a router, with those of its nodes.
pub const MAX_PORTS: usize = 1024;
