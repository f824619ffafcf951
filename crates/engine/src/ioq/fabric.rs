//! The state of a network, and the cycle.

use super::admittance::Admittance;
use super::crossbars::Crossbars;
use super::events::Events;
use super::layout::{Layout, longest_route, words};
use super::mechanisms::{Mechanisms, Parts};
use super::notices::Notices;
use super::parked::Parked;
use super::pool::{Pool, Way};
use super::router::Router;
use super::shape::Shape;
use super::sides::{Ingress, Memory, Out, Queues, counter_packets};
use super::throttle::Words;
use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::probe::{EndOfCycle, Probe};
use crate::contract::queueing::{Discipline, Queueing};
use crate::contract::sources::Sources;
use crate::occupancy::Buffers;
use crate::occupancy::Occupancy;
use crate::outcome::Counters;
use crate::packet::Packet;
use crate::processor::{has_bit_instructions, step};
use crate::sources::makers::Makers;
use tailback_base::bits::Members;
use tailback_network::Network;

/// The links, switches and nodes that act in a part of a cycle.
pub(super) struct Turns {
    /// Links that send a packet, switches, or nodes.
    pub first: Members,
    /// Links that send credits that are due, and those that send others.
    pub credits: [Members; 2],
}

impl Turns {
    fn new(bound: usize) -> Self {
        let members = || Members::new(bound);
        Turns { first: members(), credits: [members(), members()] }
    }
}

/// Memory is reserved for so many packets; beyond, it grows with what is in the network.
const RESERVED: usize = 1 << 20;

/// A network of input-output-queued switches. PERF: the shape, and with it whether the queues of a side share its memory, is
/// known where this is compiled.
pub(super) struct Fabric<'a, M: Mechanisms, S: Shape> {
    pub network: Network,
    pub parts: Parts<M>,
    pub config: Router,
    pub layout: Layout,
    pub cycle: u64,
    /// Whether the processor has the instructions that the cycle is compiled for a second time.
    pub bit_instructions: bool,

    pub pool: Pool,
    pub events: Events,
    pub notices: Notices,

    pub ingress: Vec<Ingress<Queues<M>, S>>,
    /// Queues of an ingress side, at most, and words of a set of them.
    pub in_stride: usize,
    pub in_words: usize,
    /// The memory of each ingress side.
    pub memory: Vec<Memory>,
    pub outs: Vec<Out<Queues<M>, S>>,
    /// Queues and counters of an out side, at most.
    pub out_stride: usize,
    /// By out side, where each has one counter; else they are with its queues.
    pub credits: Vec<u32>,
    pub crossbars: Crossbars<S>,
    /// Whether egress sides take turns among ingress ports, so that no arbiter is asked.
    pub takes_turns: bool,
    /// By egress side: the byte of its arbiter, where one is asked.
    pub pointers: Vec<u8>,
    /// Links that send, and switches and nodes that are looked at, while they do.
    pub turns: Turns,

    /// Where memory is parted: counters that are owed credits, and those to which they are due, words from
    /// `side * counter_words` on; the counter after the one that got its credits last.
    pub owing: Vec<u64>,
    pub due: Vec<u64>,
    pub counter_words: usize,
    pub credit_turns: Vec<u32>,
    /// Where memory is parted: queues of ingress sides that wait for room in a queue of an egress side, queues of out sides
    /// that wait for a credit of a counter, and admittance queues that wait for room in a queue of their adapter.
    pub room: Parked,
    pub credit: Parked,
    pub adapter: Parked,

    pub makers: Makers<M::Sources<'a>>,
    /// Whether sources want to know when packets enter and leave.
    pub follows_packets: bool,
    /// The route that is being walked.
    pub route: Way,
    pub admittance: Admittance,
    /// Whether admission is active.
    pub throttled: bool,
    pub words: Words,
    pub occupancy: Option<Occupancy>,
    pub counters: Counters,
}

impl<'a, M: Mechanisms, S: Shape> Fabric<'a, M, S> {
    pub fn new(network: Network, sources: M::Sources<'a>, config: Router, parts: Parts<M>, buffers: Buffers) -> Self {
        let (layout, discipline) = (Layout::new(&network, &config), &parts.discipline);
        assert_eq!(discipline.shares_memory(), S::SHARED, "the network is made for its discipline");
        let in_queues: Vec<_> = (0..layout.sides).map(|side| discipline.queues(layout.ingress(side))).collect();
        let out_queues: Vec<_> = (0..layout.outs).map(|out| discipline.queues(layout.out(out))).collect();
        let (in_stride, out_stride) = (most(&in_queues), most(&out_queues));
        // The counters of a side are kept with its queues.
        let out_stride = if S::SHARED { out_stride } else { out_stride.max(in_stride) };
        let (sides, switches) = (layout.sides, network.routers());
        let places = (0..sides).zip(&in_queues);
        let memory = places.map(|(side, queues)| Memory::new::<S>(queues.count(), (&layout, &network, side), &config));
        let memory = memory.collect();
        let ingress = (0..).zip(in_queues).map(|(side, queues)| Ingress::new(queues, (&layout, side), in_stride));
        let outs = (0..).zip(out_queues);
        let outs = outs.map(|(out, queues)| Out::new(queues, (&layout, &network, out), &config, out_stride));
        let (ingress, outs) = (ingress.collect(), outs.collect());
        let longest = longest_route(&network);
        // What waits in vain is kept apart where there are many queues.
        let parted = |things: usize| if S::SHARED { 0 } else { things };
        let (in_lists, out_lists, nodes) = (sides * in_stride, layout.outs * out_stride, network.nodes());
        let (takes_turns, throttled) = (parts.arbiter.is_round_robin(), parts.admission.is_active());
        let watched = buffers == Buffers::Watched || parts.admission.needs_occupancy();
        let mut fabric = Fabric {
            cycle: 0,
            bit_instructions: has_bit_instructions(),
            pool: Pool::new(packets(&layout, &config), longest, layout.ports),
            events: Events::new(&layout),
            notices: Notices::new(&layout),
            ingress,
            in_stride,
            in_words: words(in_stride),
            memory,
            outs,
            out_stride,
            credits: vec![0; if S::SHARED { layout.outs } else { 0 }],
            crossbars: Crossbars::new(switches, layout.ports),
            takes_turns,
            pointers: vec![0; if takes_turns { 0 } else { sides }],
            turns: Turns::new(layout.outs),
            owing: vec![0; parted(sides * words(in_stride))],
            due: vec![0; parted(sides * words(in_stride))],
            counter_words: words(in_stride),
            credit_turns: vec![0; parted(sides)],
            room: Parked::new(parted(in_lists), parted(out_lists)),
            credit: Parked::new(parted(out_lists), parted(out_lists)),
            adapter: Parked::new(parted(nodes * nodes), parted(nodes * out_stride)),
            follows_packets: sources.follows_packets(),
            makers: Makers::new(sources, nodes, config.packet_flits, (RESERVED, RESERVED)),
            route: Way::new(longest, layout.ports),
            admittance: Admittance::new(nodes, &config),
            throttled,
            words: Words::new(&layout, if throttled { switches } else { 0 }),
            occupancy: watched.then(|| Occupancy::by_flits(switches, layout.network, 1)),
            counters: Counters::default(),
            network,
            parts,
            config,
            layout,
        };
        fabric.give_credits();
        fabric
    }

    /// Packets that a counter of credits of an ingress side stands for.
    pub fn counter_packets(&self, side: usize) -> u32 {
        counter_packets::<S>(&self.config, self.ingress[side].count as usize)
    }

    /// All memories are empty.
    fn give_credits(&mut self) {
        for out in 0..self.layout.outs {
            let side = self.outs[out].to as usize;
            if side < self.layout.sides {
                for counter in 0..self.counters_of(side) {
                    *self.credits_mut(out, counter) = self.counter_packets(side);
                }
            }
        }
    }

    step!(
        pub,
        /// PERF: nearly all that is known of sides and links is in masks (`tailback bench recn-1`).
    );

    /// The block diagram of a cycle.
    #[inline(always)]
    fn cycle_of<P: Probe>(&mut self, probe: &mut P) {
        let now = self.cycle;
        self.deliver(now, probe);
        self.generate(now, probe);
        self.send(now, probe);
        self.cross(now, probe);
        self.admit(now, probe);
        self.observe(now, probe);
        self.cycle = now + 1;
    }

    #[inline(always)]
    fn observe<P: Probe>(&mut self, now: u64, probe: &mut P) {
        if self.throttled {
            self.throttle(now);
        }
        let (in_flight, occupancy) = (self.counters.in_flight(), self.occupancy.as_ref());
        let (gauges, injection) = (self.parts.admission.gauges(), self.admittance.counts());
        probe.end_of_cycle(EndOfCycle { cycle: now, in_flight, occupancy, gauges, injection });
    }

    /// Whether nothing in the network can ever happen again although packets are in it.
    pub fn is_still(&self) -> bool {
        self.counters.in_flight() > 0
            && self.events.pending() == 0
            && self.notices.is_empty()
            && self.notices.work.is_done()
            && self.crossbars.look.is_empty()
            && self.admittance.look.is_empty()
    }

    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    pub fn counters(&self) -> Counters {
        self.counters
    }

    pub fn sources(&self) -> &M::Sources<'a> {
        &self.makers.sources
    }

    /// Calls `tell` with every packet that has come to the front of its queue and whose tail has not arrived.
    pub fn packets(&self, tell: &mut dyn FnMut(&Packet)) {
        self.pool.live().for_each(tell);
    }

    /// Books how full the memory of a network port is: a packet comes (1) or leaves (-1).
    #[inline(always)]
    pub fn observe_ingress(&mut self, side: usize, packets: i32) {
        let Some(occupancy) = &mut self.occupancy else { return };
        let (state, used) = (&self.ingress[side], &mut self.memory[side].used);
        *used = used.wrapping_add_signed(packets);
        let port = usize::from(state.port);
        if port < self.layout.network {
            // Buffers are named by the port that feeds them, at the other end of the link.
            let buffer = occupancy.index(state.switch, self.layout.comes_by(port).into(), 0);
            let flits = (*used * self.config.packet_flits).min(u32::from(u16::MAX)) as u16;
            occupancy.set(buffer, flits);
        }
    }
}

/// The most queues that a side has.
fn most(queues: &[impl Queueing]) -> usize {
    queues.iter().map(Queueing::count).max().unwrap_or(1)
}

/// Packets for which memory is reserved.
fn packets(layout: &Layout, config: &Router) -> usize {
    let places = layout.sides * config.ingress_packets as usize + layout.outs * config.egress_packets as usize;
    let fronts = layout.all_nodes * layout.all_nodes;
    (places + fronts + layout.outs * (2 + (layout.link / layout.flits) as usize)).min(RESERVED)
}
