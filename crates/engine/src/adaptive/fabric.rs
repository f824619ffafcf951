//! The state of a network whose routers have one compile-time shape, and the cycle.

use super::asked::Asked;
use super::bounds::Bounds;
use super::counted::Counted;
use super::ends::{End, ends};
use super::events::{Arrival, Due, RouterPort};
use super::home::Home;
use super::interface::Interface;
use super::mechanisms::{Mechanisms, Parts};
use super::members::Members;
use super::pauses::Pauses;
use super::router::{CrossbarOutputs, Pace, Requests, Router};
use super::rules::{Rings, Rules};
use super::state::{Layout, Mask, Queued, RouterState};
use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::probe::{EndOfCycle, Probe};
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;
use crate::occupancy::Buffers;
use crate::occupancy::Occupancy;
use crate::outcome::Counters;
use crate::packet::{Packet, Packets};
use crate::processor::has_bit_instructions;
use crate::wheel::Wheel;
use tailback_base::bits::{BitSet, ones};
use tailback_base::pages::large_capacity;
use tailback_network::Network;

/// A network of routers with at most `NI` inputs and `NO` outputs.
pub(super) struct Fabric<'a, M: Mechanisms, W: Mask, const NI: usize, const NO: usize> {
    pub network: Network,
    /// The far ends of links; none in a grid.
    pub ends: Box<[End]>,
    pub parts: Parts<M>,
    pub config: Router,
    pub layout: Layout,
    pub rules: Rules,
    /// Whether admission is active, and so new packets are judged every cycle.
    pub throttled: bool,
    /// Whether a packet holds a virtual channel, and links take turns among theirs.
    pub by_channel: bool,
    /// Whether nothing but the usual is asked of a cycle: everything is requested in parallel, preferred channels before escape
    /// channels, packets hold links, nobody is held back or preferred, it counts for bubbles alone by what way a packet
    /// comes, none is looked for around rings, and buffer levels are not kept.
    pub plain: bool,
    /// Whether a head that asks alone wins and the arbiter need not know.
    pub single_wins: bool,
    /// Whether the processor has the instructions that [`Fabric::step`] likes.
    pub bit_instructions: bool,
    /// Whether a request in vain keeps a head from asking in the next cycle.
    pub refuses: bool,
    /// Whether a head may ask as soon as it is at the front.
    pub at_once: bool,
    /// 1 where all channels are escape channels, added to the kind of a step into a preferred one.
    pub escape: usize,
    pub cycle: u64,
    /// For what is sent in this cycle.
    pub due: Due,

    pub routers: Vec<RouterState<W, NI, NO>>,
    /// What the heads of the router that is being visited ask for.
    pub asked: Asked<W::Set, NI, NO>,
    /// Routers in which something may be granted.
    pub look: BitSet,
    /// Per network input (`router * network + input`), a ring of packets.
    pub queues: Vec<Queued>,
    pub rings: Rings,
    /// Per input (`router * NI + input`): under `in_turn` the cycle in which its head might first ask, under `smart` the step
    /// at which the pointer stands; empty under other rules.
    pub steps: Vec<u64>,
    pub pauses: Pauses,
    pub packets: Packets,
    pub interface: Interface<M::Sources<'a>>,
    /// Whether sources want to know when packets enter and leave.
    pub follows_packets: bool,
    pub arrivals: Wheel<Arrival>,
    /// Inputs whose packet's tail has left.
    pub tails: Wheel<RouterPort>,
    /// Channels that a packet's room comes back to; none where it comes with the tail.
    pub credits: Wheel<RouterPort>,
    /// Inputs whose head may ask for the first time.
    pub ripe: Wheel<RouterPort>,

    pub occupancy: Option<Occupancy>,
    pub counted: Counted,
    pub home: Home<W::Set>,
    pub counters: Counters,
}

impl<'a, M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'a, M, W, NI, NO> {
    pub fn new(network: Network, sources: M::Sources<'a>, config: Router, parts: Parts<M>, buffers: Buffers) -> Self {
        let (layout, rules) = (Layout::new(&network, &config), Rules::new(&parts.flow_control, &config));
        let (link, flits) = (layout.link_cycles, u64::from(config.packet_flits));
        let occupancy = (buffers == Buffers::Watched || parts.admission.needs_occupancy()).then(|| {
            Occupancy::new(network.routers(), layout.ports, layout.channels, flits + link, config.packet_flits, link)
        });
        let bounds = Bounds::new(&network, &config, &layout);
        let (routers, buffer_flits) = (network.routers(), (config.buffer_packets * config.packet_flits) as i16);
        let steps = if keeps_steps(config.requests) { routers * NI } else { 0 };
        let (tails, arrivals) = (Wheel::new(flits, bounds.inputs), Wheel::new(link, bounds.arrivals));
        let due = Due { tails: tails.at(0), arrivals: arrivals.at(0) };
        let plain = config.asks_plainly()
            && occupancy.is_none()
            && !parts.admission.is_active()
            && parts.routing.is_adaptive()
            && network.has_computed_links()
            && rules.are_plain();
        let mut states = large_capacity(routers);
        states.extend((0..routers as u32).map(|router| RouterState::new(&network, &layout, router, buffer_flits)));
        let home = Home::new(&config, &layout, routers);
        let counted = Counted::new(&config, &layout, routers);
        let mut fabric = Fabric {
            plain,
            refuses: config.pace.refusal_cycles > 1,
            single_wins: parts.arbiter.forgets_single_askers(),
            due,
            throttled: parts.admission.is_active(),
            by_channel: config.crossbar_outputs == CrossbarOutputs::Channel,
            escape: usize::from(!parts.routing.is_adaptive()),
            bit_instructions: has_bit_instructions(),
            at_once: config.longest_wait() == 0,
            cycle: 0,
            routers: states,
            asked: Asked::default(),
            look: BitSet::new(routers),
            queues: vec![Queued::default(); bounds.queued],
            rings: Rings::new(&network, &layout, &rules, config.buffer_packets),
            steps: vec![0; steps],
            pauses: Pauses::new(&config.pace, &layout, routers, NI),
            packets: Packets::new(bounds.queued + bounds.arrivals + bounds.injections),
            follows_packets: sources.follows_packets(),
            interface: Interface::new(&network, sources, &config),
            arrivals,
            tails,
            credits: Wheel::new(u64::from(config.credit_cycles), bounds.credits),
            ripe: Wheel::new(config.longest_pause(), bounds.inputs),
            occupancy,
            counted,
            home,
            counters: Counters::default(),
            ends: ends(&network, &layout),
            network,
            parts,
            config,
            layout,
            rules,
        };
        for state in &mut fabric.routers {
            for channel in 0..fabric.layout.network {
                fabric.rules.book(state, channel);
            }
        }
        fabric
    }

    /// Simulates one cycle, with the bit instructions of the processor where it has them.
    pub fn step<P: Probe>(&mut self, probe: &mut P) {
        #[cfg(target_arch = "x86_64")]
        if self.bit_instructions {
            // SAFETY: `bit_instructions` is set only where all the features that the function is compiled for were
            // detected (`has_bit_instructions`), and nothing sets it later. A test runs both ways and compares.
            #[allow(unsafe_code)]
            return unsafe { self.step_with_bit_instructions(probe) };
        }
        self.cycle_of::<P, false>(probe);
    }

    /// The cycle, compiled for processors that count and shift bits in one instruction.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    fn step_with_bit_instructions<P: Probe>(&mut self, probe: &mut P) {
        if self.plain { self.cycle_of::<P, true>(probe) } else { self.cycle_of::<P, false>(probe) }
    }

    /// The block diagram of a cycle.
    #[inline(always)]
    fn cycle_of<P: Probe, const PLAIN: bool>(&mut self, probe: &mut P) {
        let now = self.cycle;
        self.due = Due {
            tails: self.tails.at(now + u64::from(self.config.packet_flits)),
            arrivals: self.arrivals.at(now + self.layout.link_cycles),
        };
        // Apart for a cycle, so that one of them and all the rest can be worked on at a time.
        let mut routers = std::mem::take(&mut self.routers);
        self.deliver::<P, PLAIN>(&mut routers, now, probe);
        let on_links = self.arrivals.pending();
        self.generate(&mut routers, now, probe);
        self.transfer(&mut routers, now, probe);
        for word in 0..self.look.word_count() {
            for bit in ones(self.look.take_word(word)) {
                let router = word * 64 + bit;
                self.visit::<P, PLAIN>(&mut routers[router], router as u32, now, probe);
            }
        }
        self.routers = routers;
        // PERF: counted by the cycle, not by the packet.
        let sent = (self.arrivals.pending() - on_links) as u64;
        self.counters.packet_hops += sent;
        self.counters.flit_hops += sent * u64::from(self.config.packet_flits);
        self.observe(now, probe);
        self.cycle = now + 1;
    }

    /// What a router does in a cycle: admit, request, allocate, link.
    #[inline(always)]
    fn visit<P: Probe, const PLAIN: bool>(
        &mut self,
        state: &mut RouterState<W, NI, NO>,
        router: u32,
        now: u64,
        probe: &mut P,
    ) {
        let again = state.waiting.get().any() && self.request_and_allocate::<P, PLAIN>(state, router, now, probe);
        if !PLAIN && (state.held.get() & state.idle.get()).any() {
            self.serve_links(state, router, now, probe);
        }
        if again {
            self.look.insert(router as usize);
        }
    }

    #[inline]
    fn observe<P: Probe>(&mut self, now: u64, probe: &mut P) {
        if let Some(occupancy) = &mut self.occupancy {
            occupancy.step(now);
        }
        self.counted.step(now);
        if self.throttled {
            self.parts.admission.observe(now, self.occupancy.as_ref());
        }
        let (in_flight, gauges) = (self.counters.in_flight(), self.parts.admission.gauges());
        let (occupancy, injection) = (self.occupancy.as_ref(), self.interface.counts());
        probe.end_of_cycle(EndOfCycle { cycle: now, in_flight, occupancy, gauges, injection });
    }

    /// Whether nothing in the network can ever happen again although packets are in it. Costs a few loads while something
    /// moves.
    pub fn is_still(&self) -> bool {
        let moves = |router: usize| {
            let state = &self.routers[router];
            let heads = state.waiting.get() & !self.held_back(state, router as u32);
            self.could_ask(state, heads, &self.fits(state, router as u32))
        };
        self.counters.in_flight() > 0
            && self.tails.pending() == 0
            && self.arrivals.pending() == 0
            && self.credits.pending() == 0
            && self.ripe.pending() == 0
            && self.pauses.outputs.pending() == 0
            && self.home.is_still()
            && !self.look.iter().any(moves)
    }

    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    pub fn counters(&self) -> Counters {
        self.counters
    }

    pub fn sources(&self) -> &M::Sources<'a> {
        &self.interface.makers.sources
    }

    pub fn sources_are_dry(&self) -> bool {
        self.interface.is_dry()
    }

    pub fn sources_wait(&self) -> bool {
        self.interface.waits()
    }

    /// Calls `tell` with every packet whose tail has not arrived.
    pub fn packets(&self, tell: &mut dyn FnMut(&Packet)) {
        self.packets.live().for_each(|(_, packet)| tell(packet));
    }

    /// Calls `tell` with every packet that its node receives, and with the cycle in which its tail arrives.
    pub fn arriving(&self, tell: &mut dyn FnMut(&Packet, u64)) {
        for (at, tail) in self.tails.iter_from(self.cycle) {
            let (state, input) = (&self.routers[tail.router as usize], usize::from(tail.number));
            if state.ejects(input) {
                tell(self.front(state, input), at + self.home.link());
            }
        }
        for (at, &packet) in self.home.landing.iter_from(self.cycle) {
            tell(&self.packets[packet], at);
        }
    }

    /// The packet at the front of an input.
    #[inline(always)]
    pub fn front(&self, state: &RouterState<W, NI, NO>, input: usize) -> &Packet {
        &self.packets[state.at(input).slot.packet]
    }

    /// Where a packet of a network input is kept.
    #[inline(always)]
    pub fn place(&self, router: u32, input: usize, position: u16) -> usize {
        let ring = router as usize * self.layout.network + input;
        ring << self.layout.ring_bits | usize::from(position & self.layout.ring_mask)
    }
}

impl Router {
    /// Whether heads ask and outputs grant in the usual way.
    fn asks_plainly(&self) -> bool {
        let (requests, outputs) = (self.requests, self.crossbar_outputs);
        let usual = requests == Requests::Parallel && outputs == CrossbarOutputs::Link;
        usual
            && !self.escape_first
            && !self.transit_first
            && self.pace == Pace::default()
            && self.ejection_port.is_none()
    }

    /// The longest time from a head's arrival until it may ask.
    pub(super) fn longest_wait(&self) -> u64 {
        u64::from(self.header_cycles) + u64::from(self.turn_cycles.max(self.consumption_cycles))
    }

    /// The longest time until a head may ask for the first time, or again.
    pub(super) fn longest_pause(&self) -> u64 {
        let first = self.longest_wait() + u64::from(self.injection_link_cycles());
        first.max(self.pace.input_gap_cycles.max(self.pace.refusal_cycles).into())
    }
}

/// Whether heads go through steps that somebody has to remember.
pub(super) fn keeps_steps(requests: Requests) -> bool {
    matches!(requests, Requests::InTurn | Requests::Smart)
}
