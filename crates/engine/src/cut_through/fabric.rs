//! The state of a network whose routers have one compile-time shape, and the cycle.

use super::blocks::Blocks;
use super::events::{Arrival, Tail};
use super::hot::{Hot, Size};
use super::kept::Kept;
use super::mechanisms::{Mechanisms, Parts};
use super::peers::Peers;
use super::returns::{Levels, Returns};
use super::router::{MAX_INPUTS, Router, port_counts};
use super::share::{Half, Share};
use super::tables::{Active, Id, Queues, Routers, rings};
use crate::contract::admission::Admission;
use crate::contract::flow_control::{FlowControl, Origin, Step};
use crate::contract::probe::{EndOfCycle, Probe};
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;
use crate::occupancy::Buffers;
use crate::occupancy::Occupancy;
use crate::outcome::Counters;
use crate::packet::{Packet, Packets, Slot};
use crate::processor::has_bit_instructions;
use crate::sources::ejection::Ejection;
use crate::sources::heads::Heads;
use crate::wheel::Wheel;
use tailback_base::bits::BitSet;
use tailback_network::Network;
use tailback_network::graph::Seats;

/// Four usual first-level caches.
const SPREAD_BYTES: usize = 128 << 10;

/// Numbers that index formulas need, fixed at build. Routers are as large as the largest: what a smaller one does not have is idle.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Network ports.
    pub ports: usize,
    /// Virtual channels a port.
    pub channels: usize,
    /// Nodes a router.
    pub nodes: usize,
    /// Where the nodes are, and of each node its position at its router where routers have unequal numbers of nodes.
    seats: Seats,
    local_of: Box<[u16]>,
    /// Network inputs: `ports * channels`. Injection inputs follow.
    pub network_inputs: usize,
    /// Ejection outputs a node. They follow the network ports, node by node.
    pub ejection: usize,
    /// Outputs a router.
    pub outputs: u32,
    /// Ring positions a queue, as a power of two.
    pub depth_bits: u32,
    /// Ring positions less one.
    pub depth_mask: u16,
    /// Port of every network input. A table, because a 64-bit division costs as much as the rest of a request.
    port_of: [u8; MAX_INPUTS],
    /// Channel of every network input.
    channel_of: [u8; MAX_INPUTS],
}

impl Layout {
    /// Position of `node` among the nodes of its router.
    #[inline(always)]
    pub fn local(&self, node: u32) -> usize {
        if self.nodes == 1 {
            0
        } else if self.local_of.is_empty() {
            node as usize % self.nodes
        } else {
            usize::from(self.local_of[node as usize])
        }
    }

    /// Port and channel of a network input; those of any, where a node feeds it.
    #[inline(always)]
    pub fn lane<R: Hot>(&self, input: usize) -> (u8, u8) {
        let input = input & (R::MOST_INPUTS - 1);
        (self.port_of[input], self.channel_of[input])
    }

    /// The nodes of a router, with their positions.
    pub fn nodes_of(&self, router: Id) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.seats.of(router.get()).map(|(local, node)| (local as usize, node as usize))
    }

    /// Inputs of a router: those of the network, then one for each of its nodes.
    pub fn inputs(&self, router: Id) -> usize {
        self.network_inputs + self.seats.at(router.get()) as usize
    }

    /// The input at which the packets of `node` enter.
    #[inline(always)]
    pub fn injection_input(&self, node: u32) -> usize {
        self.network_inputs + self.local(node)
    }

    /// The node whose packets enter `router` at an injection input.
    #[inline(always)]
    pub fn node_at(&self, router: Id, input: usize) -> u32 {
        self.seats.node(router.get(), (input - self.network_inputs) as u32)
    }

    /// The ejection output that serves `input` for `node`.
    #[inline(always)]
    pub fn ejection_output(&self, node: u32, input: usize) -> usize {
        let lane = if self.ejection == 1 { 0 } else { input % self.ejection };
        self.ports + self.local(node) * self.ejection + lane
    }
}

/// Ring positions of an input's queue. Packets that fit whole; one that is `partly_gone` more where credits come back flit by flit, since the
/// front packet may be partly gone while the last is granted room.
pub(super) fn queue_depth(buffer_flits: u32, shortest: u32, partly_gone: usize) -> usize {
    ((buffer_flits / shortest) as usize + partly_gone).next_power_of_two()
}

/// A network of routers of one shape.
pub(crate) struct Fabric<'a, M: Mechanisms, R: Hot> {
    pub(super) network: Network,
    pub(super) parts: Parts<M>,
    pub(super) config: Router,
    pub(super) layout: Layout,
    /// Length of all packets, or 0 when it varies.
    pub(super) flits: u32,
    pub(super) shortest: i16,
    /// Cycles from a grant until the head may ask at the next router, behind the shortest link.
    pub(super) head_delay: u64,
    /// Whether admission is active, and so requests of sources are judged every cycle.
    pub(super) throttled: bool,
    /// Whether the processor has the instructions that [`Fabric::step`] likes.
    pub(super) bit_instructions: bool,
    /// Whether the cycle may leave out what this network does not have (see [`Fabric::cycle_of`]).
    pub(super) plain: bool,
    /// Whether the routers' states are far from fitting the first cache, so that they are asked for before they are needed. Of many
    /// blocks that is done a block ahead (see [`Fabric::deliver`]).
    ///
    /// PERF: a twentieth of the time of `tailback bench spth-32`, whose states fit the second cache; a network of 256 routers
    /// is slower with it.
    pub(super) spread: bool,
    pub(super) blocks: Blocks,
    pub(super) share: Share,
    pub(super) cycle: u64,

    pub(super) routers: Routers<R>,
    pub(super) peers: Peers,
    /// Routers with a ready output.
    pub(super) active: Active,
    /// A ring of packets a network input; the one in front is in the input itself.
    pub(super) queues: Queues<R>,
    pub(super) returns: Returns,
    pub(super) packets: Packets,
    pub(super) arrivals: Wheel<Arrival>,
    pub(super) tails: Wheel<Tail>,

    /// The source queue of every node, up to the packet at its head.
    pub(super) heads: Heads<M::Sources<'a>>,
    /// Nodes with a packet that heads the source queue or is being sent: the last one that was known.
    pub(super) at_head: BitSet,
    /// Nodes whose head waits for admission or a grant; kept only when throttled.
    pub(super) waiting: BitSet,
    /// What nodes have not consumed.
    pub(super) ejection: Ejection,
    /// Where sources give places back late: nodes, one of each kin, at which packets may hold places.
    pub(super) consumers: Option<BitSet>,
    /// What routing sees of queues.
    pub(super) kept: Kept<R::Inputs>,
    /// Whether sources want to know when packets enter and leave.
    pub(super) follows_packets: bool,
    /// Where sources follow packets: nodes to be asked as soon as all is delivered.
    pub(super) asked: Vec<u32>,

    pub(super) occupancy: Option<Occupancy>,
    pub(super) counters: Counters,
}

impl<'a, M: Mechanisms, R: Hot> Fabric<'a, M, R> {
    pub(super) fn new(
        network: Network,
        sources: M::Sources<'a>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
        mut share: Share,
    ) -> Self {
        let (shortest, longest) = (sources.min_flits(), sources.max_flits());
        let kept = Kept::new(parts.routing.sight(), network.routers());
        let seen = if kept.is_on() { Levels::EveryFlit } else { Levels::WholePackets };
        let returns = Returns::new(&network, &config, (shortest, longest), &share, seen);
        let layout = layout(
            &network,
            &config,
            parts.flow_control.room_flits(Step { flits: shortest, origin: Origin::Behind, escape: true }),
            returns.whole(),
        );
        let (routers, nodes) = (network.routers(), network.nodes());
        let outputs = layout.outputs as usize;
        let (nearest, farthest) = network.delays();
        let (head_delay, link) = (u64::from(nearest + config.header_cycles), u64::from(farthest));
        // On a narrow link a packet takes so many times its length, and the head waits for the rest of it.
        let slowest = network.slowest_period();
        let longest_packet = u64::from(longest) * u64::from(slowest);
        let longest_delay = link + u64::from(config.header_cycles) + longest_packet - u64::from(longest);
        let arrivals = routers * layout.ports * (2 + longest_delay as usize / shortest as usize);
        let occupancy = (buffers == Buffers::Watched || parts.admission.needs_occupancy()).then(|| {
            // Flits of a packet on a narrow link come and go one by one.
            let shortest = if slowest > 1 { 1 } else { shortest };
            Occupancy::new(routers, layout.ports, layout.channels, longest_packet + link, shortest, link)
        });
        let state = R::new(Size {
            network_inputs: layout.network_inputs,
            inputs: layout.network_inputs + layout.nodes,
            ports: layout.ports,
            outputs,
            channels: layout.channels,
            buffer_flits: config.buffer_flits as i16,
        });
        // PERF: where links are no steps of a grid, blocks all wait for each other, and rings that are hardly ever used are not worth
        // it (`tailback bench dragonfly-1056`). A wide router is not asked for ahead.
        let rings = if network.has_computed_links() { rings::<R>(layout.network_inputs) } else { 0 };
        let bytes = size_of_val(&state) + (rings << layout.depth_bits) * size_of::<Slot>();
        let blocks = Blocks::new(&network, if R::SMALL { bytes } else { 0 });
        share.place_blocks(&network, blocks);
        let spread = R::SMALL && !blocks.many() && routers * size_of_val(&state) > SPREAD_BYTES;
        let table = Routers::new(state, routers);
        let late = config.ejection_packets.is_some() && sources.frees_late();
        let consumers = late.then(|| BitSet::new(nodes));
        let mut fabric = Fabric {
            throttled: parts.admission.is_active(),
            parts,
            config,
            flits: if shortest == longest { shortest } else { 0 },
            shortest: shortest as i16,
            head_delay,
            bit_instructions: has_bit_instructions(),
            plain: false,
            spread,
            blocks,
            share,
            cycle: 0,
            peers: Peers::new(&network, |router| table.id(router)),
            network,
            routers: table,
            active: Active::new(routers),
            queues: Queues::new(routers, layout.network_inputs, layout.depth_bits),
            returns,
            // One more: a source has its next packet a moment before the one that it sent to its own router is gone.
            packets: Packets::new(((routers * layout.network_inputs) << layout.depth_bits) + arrivals + nodes + 1),
            arrivals: Wheel::with_lanes(longest_delay, blocks.count, arrivals),
            tails: Wheel::with_lanes(
                longest_packet,
                blocks.count,
                routers * outputs.min(layout.network_inputs + layout.nodes),
            ),
            kept,
            follows_packets: sources.follows_packets(),
            asked: Vec::new(),
            heads: Heads::new(sources, nodes, 0, config.source_queue_packets.map(u64::from)),
            at_head: BitSet::new(nodes),
            waiting: BitSet::new(nodes),
            ejection: Ejection::new(nodes, config.ejection_packets, 1),
            consumers,
            layout,
            occupancy,
            counters: Counters::default(),
        };
        fabric.plain = R::SMALL
            && fabric.peers.are(R::LINKS)
            && fabric.flits != 0
            && fabric.returns.whole_at_tail()
            && !fabric.throttled
            && fabric.occupancy.is_none()
            && !fabric.ejection.is_finite()
            && !fabric.kept.is_on();
        fabric.open_sources();
        fabric
    }

    /// Simulates one cycle, or a half of it, with the bit instructions of the processor where it has them.
    pub(super) fn step<P: Probe>(&mut self, probe: &mut P) {
        self.step_half(Half::Both, probe);
    }

    /// Simulates a part of a cycle.
    #[inline]
    pub(super) fn step_half<P: Probe>(&mut self, half: Half, probe: &mut P) {
        #[cfg(target_arch = "x86_64")]
        if R::SMALL && self.bit_instructions {
            // SAFETY: `bit_instructions` is set only where all the features that the function is compiled for were
            // detected (`has_bit_instructions`), and nothing sets it later. A test runs both ways and compares.
            #[allow(unsafe_code)]
            return unsafe {
                match self.plain {
                    true => self.step_with_bit_instructions::<P, true>(half, probe),
                    false => self.step_with_bit_instructions::<P, false>(half, probe),
                }
            };
        }
        self.cycle_of::<P, false>(half, probe);
    }

    /// The cycle, compiled for processors that count and shift bits in one instruction.
    ///
    /// PERF: masks and shifts are most of what a packet-hop costs; this saves an eighth (`tailback bench spth-32`).
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    fn step_with_bit_instructions<P: Probe, const PLAIN: bool>(&mut self, half: Half, probe: &mut P) {
        self.cycle_of::<P, PLAIN>(half, probe);
    }

    /// The block diagram of a cycle. (Generate and deliver do not touch each other's state, so either may be first: a node
    /// that wakes has nothing in the network interface.) Inlined, with the hot functions below it, into each of its compilations.
    ///
    /// PERF: `PLAIN` is the usual network: links as the shape has them ([`Hot::LINKS`]), packets of one length, whose credits come back with
    /// their tails, nobody held at a source, no buffer levels. Without the code of all else there are registers for what a packet-hop needs
    /// (`tailback bench spth-32`).
    #[inline(always)]
    fn cycle_of<P: Probe, const PLAIN: bool>(&mut self, half: Half, probe: &mut P) {
        debug_assert!(!PLAIN || self.plain);
        let now = self.cycle;
        if half != Half::Rest {
            self.generate(now, probe);
            if !PLAIN || self.share.is_cut() {
                self.return_credits(now);
            }
        }
        if PLAIN || !(self.throttled || self.kept.is_everywhere()) {
            self.deliver_and_allocate::<P, PLAIN>(now, half, probe);
        } else if half != Half::Rest {
            // All of it: whom admission lets in depends on all that is delivered, and an ideal routing sees no grant of this cycle.
            (0..self.blocks.count).for_each(|block| self.deliver::<P, PLAIN>(now, block, probe));
            self.admit();
            (0..self.blocks.count).for_each(|block| self.allocate::<P, PLAIN>(now, block, probe));
        }
        if half != Half::Edge {
            self.observe(now, probe);
            self.cycle = now + 1;
        }
    }

    /// Deliver and allocate, block by block: each block as soon as nothing more can be delivered to it.
    #[inline(always)]
    fn deliver_and_allocate<P: Probe, const PLAIN: bool>(&mut self, now: u64, half: Half, probe: &mut P) {
        let blocks = self.blocks;
        for block in 0..blocks.count {
            if self.share.delivers(half, block) {
                self.deliver::<P, PLAIN>(now, block, probe);
            }
            if let Some(complete) = blocks.complete(block).filter(|&block| self.share.allocates(half, block)) {
                self.allocate::<P, PLAIN>(now, complete, probe);
            }
        }
        for block in (0..blocks.count).filter(|&b| blocks.waits_for_all(b)) {
            if self.share.allocates(half, block) {
                self.allocate::<P, PLAIN>(now, block, probe);
            }
        }
    }

    #[inline]
    fn observe<P: Probe>(&mut self, now: u64, probe: &mut P) {
        if let Some(occupancy) = &mut self.occupancy {
            occupancy.step(now);
        }
        if self.throttled {
            self.parts.admission.observe(now, self.occupancy.as_ref());
        }
        if self.kept.signals() {
            self.send_signals(now);
        }
        let in_flight = self.counters.in_flight();
        let gauges = self.parts.admission.gauges();
        let occupancy = self.occupancy.as_ref();
        probe.end_of_cycle(EndOfCycle { cycle: now, in_flight, occupancy, gauges, injection: &[] });
    }

    pub(super) fn cycle(&self) -> u64 {
        self.cycle
    }

    pub(super) fn counters(&self) -> Counters {
        self.counters
    }

    pub(super) fn sources(&self) -> &M::Sources<'a> {
        &self.heads.sources
    }

    /// Calls `tell` with every packet whose tail has not arrived.
    pub(super) fn packets(&self, tell: &mut dyn FnMut(&Packet)) {
        self.packets.live().for_each(|(_, packet)| tell(packet));
    }

    /// Calls `tell` with every packet that its node receives, and with the cycle in which its tail arrives.
    pub(super) fn arriving(&self, tell: &mut dyn FnMut(&Packet, u64)) {
        let home = self.tails.iter_from(self.cycle).filter(|(_, tail)| usize::from(tail.output) >= self.layout.ports);
        home.for_each(|(at, tail)| tell(&self.packets[self.front(tail.router, tail.input.into()).packet], at));
    }

    /// Cycles from a grant of a network port until the head may ask behind it.
    #[inline(always)]
    pub(super) fn head_delay_of(&self, router: Id, port: usize) -> u64 {
        let longer = |cycles: u64| cycles + u64::from(self.config.header_cycles);
        self.peers.cycles(router, port, None).map_or(self.head_delay, longer)
    }

    /// Cycles that a packet takes more to leave by an output than at full width. The router behind a narrow link collects the flits, so that
    /// it can hand them on one per cycle: its head may ask as much later.
    #[inline(always)]
    pub(super) fn slow(&self, router: Id, output: usize, flits: u32) -> u64 {
        if output < self.layout.ports { u64::from(flits) * u64::from(self.peers.period(router, output) - 1) } else { 0 }
    }

    /// The packet at the front of an input.
    #[inline(always)]
    pub(super) fn front(&self, router: Id, input: usize) -> Slot {
        self.routers.at(router).input(input).slot
    }

    /// Length of a packet \[flits\].
    #[inline(always)]
    pub(super) fn length(&self, packet: u32) -> u32 {
        if self.flits != 0 { self.flits } else { self.packets[packet].flits }
    }
}

fn layout(network: &Network, config: &Router, shortest: u32, whole: bool) -> Layout {
    let channels = config.channels as usize;
    let (ports, seats) = (network.most_ports(), network.seats().clone());
    let network_inputs = ports * channels;
    let depth = queue_depth(config.buffer_flits, shortest, usize::from(!whole));
    let mut layout = Layout {
        ports,
        channels,
        nodes: network.most_nodes() as usize,
        local_of: locals(&seats),
        seats,
        network_inputs,
        ejection: config.ejection_channels.map_or(network_inputs.max(1), |k| k as usize),
        outputs: port_counts(ports, network.most_nodes(), config).1 as u32,
        depth_bits: depth.trailing_zeros(),
        depth_mask: (depth - 1) as u16,
        port_of: [0; MAX_INPUTS],
        channel_of: [0; MAX_INPUTS],
    };
    for input in 0..network_inputs {
        layout.port_of[input] = (input / channels) as u8;
        layout.channel_of[input] = (input % channels) as u8;
    }
    layout
}

/// The position of each node at its router; none where it can be computed.
fn locals(seats: &Seats) -> Box<[u16]> {
    if seats.is_even() {
        return Box::default();
    }
    let mut locals = vec![0; seats.nodes()];
    for router in 0..seats.routers() as u32 {
        seats.of(router).for_each(|(local, node)| locals[node as usize] = local as u16);
    }
    locals.into()
}
