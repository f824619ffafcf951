//! The state of a network of input-queued routers, and the cycle.

use super::allocators::alone::passes;
use super::allocators::ports::Ports;
use super::allocators::requests::Requests;
use super::allocators::turns::Turns;
use super::hoped::Hopes;
use super::layout::{Layout, NONE, OPEN};
use super::mechanisms::{Mechanisms, Parts};
use super::plain::are_plain;
use super::router::{Matching, NODE_LINK, Router, STEP};
use super::sets::Sets;
use super::state::{Crossing, Flit, Input, NO_CHANNEL, NOBODY, Node, Output};
use super::table::{ByChannel, ByPort, WINDOW};
use crate::contract::probe::{EndOfCycle, Probe};
use crate::contract::routing::{Routing, Sight};
use crate::contract::sources::Sources;
use crate::mask::ones_below;
use crate::occupancy::{Buffers, Occupancy};
use crate::outcome::Counters;
use crate::packet::{Packet, Packets, Slot};
use crate::processor::{has_bit_instructions, step};
use crate::sources::ejection::Ejection;
use crate::sources::queues::{QueueShape, SourceQueues};
use crate::totals::{Amount, Lot, Totals};
use crate::wheel::Wheel;
use tailback_base::bits::BitSet;
use tailback_network::Network;

/// A network in the middle of a run.
pub(super) struct Fabric<'a, M: Mechanisms> {
    pub(super) network: Network,
    pub(super) parts: Parts<M>,
    pub(super) config: Router,
    pub(super) layout: Layout,
    pub(super) cycle: u64,
    /// Whether the processor counts and shifts bits in one instruction.
    pub(super) bit_instructions: bool,
    /// Steps since cycle 0, and parts of the next one.
    pub(super) step: u64,
    pub(super) part: u32,

    pub(super) inputs: ByChannel<Input>,
    /// Per input channel, a ring of its packets.
    pub(super) rings: Vec<Slot>,
    pub(super) outputs: ByChannel<Output>,
    /// Per output port, its channels that may be given to a packet, and those with a credit.
    pub(super) free: ByPort<u16>,
    pub(super) open: ByPort<u16>,
    /// Whether flits may wait behind the crossbar for their link.
    pub(super) queues_at_outputs: bool,
    /// Per output port where they may, the cycle from which on its link is free; per input port, the same of the link back, and the step of
    /// the last credits on it.
    pub(super) departs: Vec<u64>,
    pub(super) returns: Vec<(u64, u64)>,
    /// Where output queues have an end: per output port, what `departs` was before the flits of a step, and that step; nothing where flits
    /// join their queue in the step in which `departs` counts them.
    pub(super) taken_before: Vec<(u64, u64)>,
    /// There, by port of the router that takes its step: whether its output queue was full when the step began.
    pub(super) full: Vec<bool>,

    /// Input channels that wait for routing, and those being routed.
    pub(super) unrouted: Sets,
    pub(super) routed: Sets,
    /// Per router, or half of one, the cycle in which its heads have been routed.
    pub(super) routes_until: Vec<u64>,
    /// Input channels whose head asks for a channel.
    pub(super) asking: Sets,
    /// Input channels with a channel and a flit, which hold no way through the switch; those of them with a credit.
    pub(super) going: Sets,
    pub(super) ready: Sets,
    /// Input channels that hold their way through the switch.
    pub(super) holding: Sets,
    /// Crossbar inputs and outputs that are held.
    pub(super) held: (Sets, Sets),
    /// Per crossbar input, the channel of its port whose turn it is.
    pub(super) offsets: Vec<u8>,
    pub(super) channel_turns: Turns,
    pub(super) switch_turns: Turns,
    /// Those of the allocator that heads without a channel have for themselves.
    pub(super) hope_turns: Turns,
    /// Per crossbar, flits that wait for it, and those in it until a cycle. The second crossbars of folded routers follow all first ones.
    pub(super) waiting: Vec<Vec<Crossing>>,
    pub(super) crossing: Vec<Vec<Crossing>>,
    pub(super) crosses_until: Vec<u64>,
    /// Whether heads of nodes and those of links are routed in batches of their own.
    pub(super) routes_by_halves: bool,
    /// Whether routing looks at queues.
    pub(super) looks: bool,
    /// Whether heads ask for some channels with less priority, and it makes a difference.
    pub(super) has_lesser: bool,
    /// By packet, what it decided on when it left its node, until it comes to the front of its first buffer; port and channels.
    pub(super) early: Vec<(u16, u16)>,
    /// Per output channel, a cycle and the credits that came back in it; nothing where nobody asks.
    pub(super) came: Vec<(u64, u16)>,
    /// Whether all routers are plain.
    pub(super) plain: bool,
    /// Whether the switch allocator serves flits that nobody competes with as iSLIP does.
    pub(super) turns_follow: bool,
    /// Whether it is iSLIP in one round.
    pub(super) one_round: bool,
    /// Whether the channel allocator serves heads that nobody competes with as iSLIP does, and whether it is iSLIP in one round.
    pub(super) gives_at_once: bool,
    pub(super) gives_in_one_round: bool,
    /// Whether what other allocators do is known where nobody competes, of channels and of the switch.
    pub(super) gives_alone: bool,
    pub(super) goes_alone: bool,
    /// By input channel, the channels that grant its head.
    pub(super) grants: [u16; WINDOW],
    /// By output of the switch, the inputs that ask for it; by input, the outputs that grant it.
    pub(super) askers: [u64; WINDOW],
    pub(super) granters: [u64; WINDOW],
    /// Whether the turns of an allocator move on in steps in which nobody can ask.
    pub(super) counts_steps: bool,
    /// Routers where something may happen.
    pub(super) awake: BitSet,

    /// By port of a node.
    pub(super) nodes: Vec<Node>,
    /// What nodes know of the channels of their wires, by wire.
    pub(super) node_outputs: Vec<Output>,
    pub(super) node_free: Vec<u16>,
    /// By plane and port of a node, the channel that the last packet took; [`NO_CHANNEL`] where there was none.
    pub(super) lasts: Vec<u8>,
    /// By port of a node, the channel that its head found while another class sent; [`NO_CHANNEL`] where it has found none. Nothing where
    /// classes have no priorities.
    pub(super) picked: Vec<u8>,
    /// By wire, the class of the last flit; nothing where there is one class.
    pub(super) turns: Vec<u8>,
    /// Nodes that may have a flit to send.
    pub(super) sending: BitSet,
    pub(super) sources: SourceQueues<M::Sources<'a>>,
    pub(super) ejection: Ejection,

    pub(super) packets: Packets,
    pub(super) flits: Wheel<Flit>,
    /// Output channels that a credit comes back to, and node channels.
    pub(super) credits: Wheel<u32>,
    pub(super) node_credits: Wheel<u32>,
    /// Packets whose head is on its way to a node, until the cycle before it arrives.
    pub(super) homing: Wheel<u32>,
    /// Packets whose tail is on its way to a node.
    pub(super) deliveries: Wheel<u32>,

    pub(super) channel_requests: Requests,
    pub(super) switch_requests: Requests,
    pub(super) channel_ports: Ports,
    /// By crossbar input and output: the channel for which the input asks for the output.
    pub(super) labels: Vec<u8>,
    pub(super) hopes: Hopes,

    pub(super) occupancy: Option<Occupancy>,
    pub(super) counters: Counters,
}

impl<'a, M: Mechanisms> Fabric<'a, M> {
    pub(super) fn new(
        network: Network,
        sources: M::Sources<'a>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        let shortest = config.packet_flits.unwrap_or_else(|| sources.min_flits());
        let layout = Layout::new(&network, &config, shortest);
        let (routers, ports, nodes) = (layout.routers(), layout.router.len(), network.nodes());
        let wires = layout.of_node.len();
        let (channels, most) = (layout.channels, layout.most);
        let (ins, outs) = (most * layout.speedup.0, most * layout.speedup.1);
        let all = ones_below(channels) as u16;
        let output = Output { credits: config.buffer_flits as u16, user: NOBODY, ends: false };
        let held = channels * config.buffer_flits as usize;
        let late = if config.queues_at_outputs() { held as u64 } else { 0 };
        let cross = u64::from(config.crossbar_cycles);
        let flight = layout.longest() + 2 + cross + late;
        let back = layout.longest() + 4 + 2 * NODE_LINK + cross + u64::from(config.credit_cycles) + 2 * late;
        // As many packets as flits fit into buffers, and one in each node.
        let packets = nodes + ports * channels * layout.ring.min(config.buffer_flits as usize + 1) * 2;
        // In a cycle a link carries a flit back to which credits of several inputs, and steps, may go.
        let steps = config.steps.div_ceil(STEP) as usize;
        let at_once = layout.speedup.0 * steps;
        let on_wires = |cycles: u64| ports * held.min((cycles as usize + 1) * at_once);
        let queues = QueueShape {
            nodes,
            channels: 1,
            delay: 0,
            limit: config.source_queue_packets.map(u64::from),
            packet_flits: config.packet_flits,
            packets,
        };
        let slow = config.crossbar_cycles > 1;
        let ends = config.output_queue_flits.is_some();
        let longest = config.packet_flits.unwrap_or_else(|| sources.max_flits());
        let looks = parts.routing.sight() != Sight::Nothing;
        let lesser = parts.routing.has_lesser();
        let config = config.simplified(lesser);
        let has_lesser = config.minds(lesser);
        let early = looks && config.routing_cycles == 0;
        let halves = 1 + usize::from(network.one_way().is_some());
        let channel_requests = match config.ranks_channels(lesser) {
            true => Requests::with_ranks(most * channels, most * channels),
            false => Requests::new(most * channels, most * channels),
        };
        let switch_requests =
            if config.ranks_switch() { Requests::with_ranks(ins, outs) } else { Requests::new(ins, outs) };
        let hopes = Hopes::new(&config, layout.words, (ins, outs));
        // Whatever is in a crossbar has a credit.
        let crossings = (ins * (config.crossbar_cycles as usize + 1) * steps).min(most * held);
        // A clone of a list would have no room.
        let crossings =
            || (0..if slow { routers * halves } else { 0 }).map(|_| Vec::with_capacity(crossings)).collect();
        Fabric {
            cycle: 0,
            bit_instructions: has_bit_instructions(),
            step: 0,
            part: 0,
            inputs: ByChannel::new(ports * channels, Input::default()),
            rings: vec![Slot::default(); ports * channels * layout.ring],
            outputs: ByChannel::new(ports * channels, output),
            free: ByPort::new(ports, all),
            open: ByPort::new(ports, all),
            queues_at_outputs: config.queues_at_outputs(),
            departs: vec![0; ports],
            returns: vec![(0, u64::MAX); ports],
            taken_before: vec![(0, u64::MAX); if ends && !slow { ports } else { 0 }],
            full: vec![false; if ends { most } else { 0 }],
            unrouted: Sets::new(routers, layout.words),
            routed: Sets::new(routers, layout.words),
            routes_until: vec![0; routers * halves],
            routes_by_halves: halves > 1 && config.routing_cycles > 1,
            asking: Sets::new(routers, layout.words),
            going: Sets::new(routers, layout.words),
            ready: Sets::new(routers, layout.words),
            holding: Sets::new(routers, layout.words),
            held: (Sets::new(routers, ins.div_ceil(64).max(1)), Sets::new(routers, outs.div_ceil(64).max(1))),
            offsets: (0..routers * ins + WINDOW).map(|n| (n % ins % layout.speedup.0 % channels) as u8).collect(),
            channel_turns: layout.turns(config.channel_allocator, (channels, channels), &channel_requests),
            switch_turns: layout.turns(config.switch_allocator, layout.speedup, &switch_requests),
            hope_turns: match config.speculation.allocator() {
                Some(allocator) => layout.turns(allocator, layout.speedup, &hopes.requests),
                None => Turns::new(config.switch_allocator, Vec::new()),
            },
            waiting: crossings(),
            crossing: crossings(),
            crosses_until: vec![0; routers * halves],
            looks,
            has_lesser,
            early: if early { vec![OPEN; packets] } else { Vec::new() },
            came: if early { vec![(0, 0); ports * channels] } else { Vec::new() },
            plain: are_plain(&config, &layout, parts.routing.sight()) && !has_lesser,
            one_round: config.switch_allocator.is_one_round_of_islip(),
            gives_at_once: config.channel_allocator.turns_follow() && !config.ranks_channels(lesser),
            gives_in_one_round: config.channel_allocator.is_one_round_of_islip(),
            grants: [0; WINDOW],
            askers: [0; WINDOW],
            granters: [0; WINDOW],
            gives_alone: passes(config.channel_allocator) && !config.ranks_channels(lesser),
            goes_alone: passes(config.switch_allocator) && !config.ranks_switch(),
            turns_follow: config.switch_allocator.turns_follow(),
            counts_steps: [config.channel_allocator, config.switch_allocator]
                .into_iter()
                .chain(config.speculation.allocator())
                .any(|allocator| allocator.matching == Matching::Maximum),
            awake: BitSet::new(routers),
            nodes: vec![Node { packet: NONE, ..Node::default() }; nodes],
            node_outputs: vec![output; wires * channels],
            node_free: vec![all; wires],
            lasts: vec![NO_CHANNEL; wires * layout.classes],
            picked: vec![NO_CHANNEL; if config.nodes_pick() { nodes } else { 0 }],
            turns: vec![0; if layout.classes > 1 { wires } else { 0 }],
            sending: BitSet::new(nodes / layout.classes),
            sources: SourceQueues::new(sources, queues),
            ejection: Ejection::new(nodes, config.ejection_flits, longest),
            packets: Packets::new(packets),
            flits: Wheel::new(flight, on_wires(flight)),
            credits: Wheel::new(back, on_wires(back)),
            node_credits: Wheel::new(back, wires * held.min(back as usize + 1)),
            homing: Wheel::new(flight, on_wires(flight)),
            deliveries: Wheel::new(flight, on_wires(flight)),
            channel_requests,
            switch_requests,
            channel_ports: Ports::new(most, channels),
            labels: vec![0; ins * outs],
            hopes,
            occupancy: (buffers == Buffers::Watched)
                .then(|| Occupancy::by_flits(network.routers(), network.most_ports(), channels)),
            counters: Counters::default(),
            network,
            parts,
            config,
            layout,
        }
    }

    step!(
        pub(super),
        /// PERF: what waits in a router is known by masks (`tailback bench booksim-mesh8`).
    );

    /// The block diagram of a cycle.
    #[inline(always)]
    fn cycle_of<P: Probe>(&mut self, probe: &mut P) {
        let now = self.cycle;
        self.deliver(now, probe);
        self.generate(now, probe);
        if self.plain {
            for word in 0..self.awake.word_count() {
                for bit in tailback_base::bits::ones(self.awake.word(word)) {
                    self.visit_plain(word * 64 + bit, now, probe);
                }
            }
            self.step += 1;
        } else {
            self.take_steps(now, probe);
        }
        self.observe(now, probe);
        self.cycle = now + 1;
    }

    /// Routers take as many steps as fall into a cycle.
    fn take_steps<P: Probe>(&mut self, now: u64, probe: &mut P) {
        self.part += self.config.steps;
        while self.part >= STEP {
            self.part -= STEP;
            let next = if self.part >= STEP { now } else { now + 1 };
            for word in 0..self.awake.word_count() {
                for bit in tailback_base::bits::ones(self.awake.word(word)) {
                    self.visit(word * 64 + bit, now, next, probe);
                }
            }
            self.step += 1;
        }
    }

    /// A step of a router: all is decided on the state at its begin, and then all is done.
    #[inline(always)]
    fn visit<P: Probe>(&mut self, router: usize, now: u64, next: u64, probe: &mut P) {
        if self.config.routing_cycles > 0 {
            self.begin_routing(router, now);
        }
        self.look_at_queues(router, now);
        let asks = !self.asking.is_empty(router);
        if asks {
            self.match_channels(router);
        }
        let flits = !self.ready.is_empty(router) || self.counts_steps && !self.going.is_empty(router);
        let needs = self.config.speculation.needs().filter(|_| asks || flits);
        let holds = self.config.holds_switch && !self.holding.is_empty(router);
        let goes = flits || needs.is_some();
        match needs {
            Some(needs) => self.match_with_hopes(router, needs),
            None if flits => self.match_switch(router),
            None => {}
        }
        if self.config.crossbar_cycles > 1 {
            self.begin_crossing(router, now);
        }
        let routes = self.config.routing_cycles > 0 && self.end_routing(router, now);
        // Somebody gets a channel in every step in which one is asked for.
        let gives = asks && self.give_channels(router, now, probe);
        if holds {
            self.send_held(router, now, next, probe);
        }
        match needs {
            Some(_) => self.send_with_hopes(router, now, next, probe),
            None if flits => self.send_granted(router, now, next, probe),
            None => {}
        }
        if self.config.crossbar_cycles > 1 {
            self.end_crossing(router, now, probe);
        }
        let rests = !(goes || gives || holds || routes || asks && self.counts_steps);
        if rests && self.is_idle(router) {
            self.awake.remove(router);
        }
    }

    /// Whether no head is being routed, and no flit is in the crossbar.
    #[inline(always)]
    fn is_idle(&self, router: usize) -> bool {
        let routing =
            self.config.routing_cycles > 0 && !(self.unrouted.is_empty(router) && self.routed.is_empty(router));
        !routing && !self.crosses(router)
    }

    /// Whether flits are in the crossbar, or wait for it.
    #[inline(always)]
    fn crosses(&self, router: usize) -> bool {
        self.config.crossbar_cycles > 1
            && self.crossbars(router).any(|at| !(self.waiting[at].is_empty() && self.crossing[at].is_empty()))
    }

    #[inline]
    fn observe<P: Probe>(&mut self, now: u64, probe: &mut P) {
        let fresh = probe.reads_levels(now);
        if fresh {
            self.record_levels();
        }
        let in_flight = self.counters.in_flight();
        let occupancy = self.occupancy.as_ref().filter(|_| fresh);
        let gauges = crate::contract::admission::Gauges::default();
        probe.end_of_cycle(EndOfCycle { cycle: now, in_flight, occupancy, gauges, injection: &[] });
    }

    /// Writes down how full the buffers of links are; of several networks side by side, the fullest.
    fn record_levels(&mut self) {
        let Some(occupancy) = &mut self.occupancy else { return };
        let channels = self.layout.channels;
        for router in 0..self.layout.routers() {
            let (first, links) = (self.layout.first[router] as usize * channels, self.layout.links(router).range());
            for n in links.start * channels..links.end * channels {
                let input = &self.inputs[first + n];
                let (port, channel) = self.layout.entry(router, n).expect("it is one of a link");
                let at = occupancy.index(self.layout.own(router), port.into(), channel.into());
                let before = if self.layout.plane(router) == 0 { 0 } else { occupancy.level_at(at) };
                occupancy.set(at, input.level.max(before));
            }
        }
    }

    pub(super) fn cycle(&self) -> u64 {
        self.cycle
    }

    pub(super) fn counters(&self) -> Counters {
        self.counters
    }

    pub(super) fn sources(&self) -> &M::Sources<'a> {
        self.sources.sources()
    }

    pub(super) fn sources_are_dry(&self) -> bool {
        self.sources.are_dry()
    }

    pub(super) fn sources_wait(&self) -> bool {
        self.sources.wait()
    }

    /// Nodes take no new packets.
    pub(super) fn cease(&mut self) {
        self.sources.close();
    }

    /// Lets everything happen at the sources that is due before the next cycle.
    pub(super) fn catch_up(&mut self) {
        self.sources.catch_up(self.cycle);
    }

    /// Packets that the sources made before cycle `end` and that have not asked for the network yet.
    pub(super) fn backlog(&self, end: u64, made: impl FnMut(u32, Lot)) {
        self.sources.backlog(end, made);
    }

    /// Calls `tell` with every packet whose tail has not arrived.
    pub(super) fn packets(&self, tell: &mut dyn FnMut(&Packet)) {
        self.packets.live().for_each(|(_, packet)| tell(packet));
    }

    /// Calls `tell` with every packet whose tail is on its way to its node, and with the cycle in which it arrives.
    pub(super) fn arriving(&self, tell: &mut dyn FnMut(&Packet, u64)) {
        self.deliveries.iter_from(self.cycle).for_each(|(at, &id)| tell(&self.packets[id], at));
    }

    /// What became of all packets since cycle 0.
    pub(super) fn totals(&self) -> Totals {
        let fronts = self.nodes.iter().filter(|node| node.packet != NONE && !node.sends);
        let in_fronts: Amount = fronts.map(|node| Amount::one(self.packets[node.packet].flits)).sum();
        let (generated, behind) = self.sources.totals(self.cycle);
        Totals::new(generated, &self.counters, self.packets.present().sum(), in_fronts, behind)
    }

    /// Whether nothing can ever happen again although packets are in the network.
    pub(super) fn is_still(&self) -> bool {
        let moves = (0..self.layout.routers()).any(|router| self.could_move(router));
        let wires = self.flits.pending() + self.credits.pending() + self.node_credits.pending();
        let nodes = (0..self.nodes.len()).any(|node| self.could_send(node));
        !moves && wires == 0 && self.deliveries.pending() == 0 && !nodes && self.counters.in_flight() > 0
    }

    /// Whether something at a router could happen in the next step.
    fn could_move(&self, router: usize) -> bool {
        let rare = !(self.unrouted.is_empty(router) && self.routed.is_empty(router) && self.holding.is_empty(router));
        let asks = self.asking.of(router).any(|n| self.may_have_any(router, n));
        self.crosses(router) || rare || asks || !self.ready.is_empty(router)
    }

    /// Input channels of all routers.
    pub(super) fn channels(&self) -> usize {
        self.layout.router.len() * self.layout.channels
    }

    /// The first port of a router, of all.
    #[inline(always)]
    pub(super) fn first(&self, router: usize) -> usize {
        self.layout.first[router] as usize
    }
}
