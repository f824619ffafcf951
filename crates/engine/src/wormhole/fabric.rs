//! The state of a network whose routers have one compile-time shape, and the cycle.

use super::layout::Layout;
use super::state::{Lanes, Mask, RouterState, lanes};
use super::wires::{Due, Moment, Wires};
use super::{ChannelAllocator, Mechanisms, Parts, Router};
use crate::contract::admission::Admission;
use crate::contract::probe::{EndOfCycle, Probe};
use crate::contract::recovery::Recovery;
use crate::cut_through::Counters;
use crate::occupancy::Occupancy;
use crate::packet::{Packet, Packets, Slot};
use crate::source_queue::{QueueShape, SourceQueues};
use crate::wheel::Wheel;
use tailback_base::bits::BitSet;
use tailback_network::{Grid, NONE};
use tailback_traffic::Traffic;

/// A network of routers with at most `NN` network inputs and `NI` inputs.
pub(crate) struct Fabric<'a, M: Mechanisms, W, const NN: usize, const NI: usize> {
    pub(super) routers: Vec<RouterState<W, NN, NI>>,
    pub(super) common: Common<'a, M, W>,
}

/// What is not one router's own. A router's cycle reads and writes this and its own state, never another router's.
pub(crate) struct Common<'a, M: Mechanisms, W> {
    pub(super) grid: &'a Grid,
    pub(super) parts: Parts<M>,
    pub(super) config: Router,
    pub(super) layout: Layout,
    /// Whether recovery has a lane.
    pub(super) lane: bool,
    /// Flits that the lane buffers at each router.
    pub(super) lane_flits: i16,
    /// Whether admission is active.
    pub(super) throttled: bool,
    /// Whether admission wants to know of every flit sent.
    pub(super) watches_flits: bool,
    /// Whether heads ask for the switch while they ask for a channel.
    pub(super) speculative: bool,
    /// Whether the processor has the instructions that [`Fabric::step`] likes.
    pub(super) bit_instructions: bool,
    pub(super) lanes: Lanes,
    pub(super) cycle: u64,
    pub(super) times: Times,

    pub(super) wires: Wires<W>,
    /// Per input (`router * inputs + input`), a ring of packets. The router upstream writes a packet there when it is given
    /// the channel; it counts from the arrival of its head on.
    pub(super) rings: Vec<Slot>,
    pub(super) packets: Packets,
    pub(super) sources: SourceQueues<'a>,
    /// Packets whose tail is on its way to a node.
    pub(super) deliveries: Wheel<u32>,
    /// Routers that a flit for one of their nodes is on its way in; kept only for admission.
    pub(super) received: Wheel<u32>,
    /// Routers with a head at a network input that asks; kept only where recovery has a lane.
    pub(super) waiting: BitSet,
    /// Per network input (`router * network + input`), cycles in which its head got no channel; kept only with a lane.
    pub(super) attempts: Vec<u32>,
    pub(super) tried: Tried,

    pub(super) occupancy: Option<Occupancy>,
    pub(super) counters: Counters,
}

/// What channel allocation did in the router that is being visited, for speculation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    /// Inputs whose head took part.
    pub heads: u64,
    /// Those that were given a channel.
    pub given: u64,
    /// The channel that each selected.
    pub channel: [u8; super::MAX_PORTS],
}

/// Where the consequences of the current cycle are kept.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    /// The next cycle.
    pub next: Moment,
    /// A flit sent now arrives.
    pub flit: Moment,
    /// A flit sent now is a credit upstream.
    pub credit: Moment,
    /// A head that comes to the front now asks.
    pub asks: Moment,
    /// A head behind a tail sent now asks.
    pub asks_behind: Moment,
    /// A head given a channel now may ask for the switch.
    pub able: Moment,
}

impl Router {
    /// Cycles from a flit's being sent to its arrival.
    pub(super) fn flit_cycles(&self, grid: &Grid) -> u64 {
        self.receive_cycles() - 1 + u64::from(grid.link_cycles())
    }

    /// Cycles from a flit's being sent to a node to its being received.
    pub(super) fn receive_cycles(&self) -> u64 {
        u64::from(self.switch_allocation_cycles) + u64::from(self.crossbar_cycles) + 1
    }

    fn credit_return_cycles(&self) -> u64 {
        u64::from(self.switch_allocation_cycles) + u64::from(self.credit_cycles)
    }

    fn horizon(&self, link_cycles: u32) -> u64 {
        let flit = self.receive_cycles() - 1 + u64::from(link_cycles);
        let stages = u64::from(self.vc_allocation_cycles).max(u64::from(self.routing_cycles) + 1);
        flit.max(self.credit_return_cycles()).max(stages)
    }

    /// Slots that [`Wires`] needs.
    pub(super) fn slots(&self, link_cycles: u32) -> usize {
        super::wires::slots(self.horizon(link_cycles))
    }
}

fn times<W: Mask>(wires: &Wires<W>, grid: &Grid, config: &Router, now: u64) -> Times {
    let routing = u64::from(config.routing_cycles);
    Times {
        next: wires.moment(now + 1),
        flit: wires.moment(now + config.flit_cycles(grid)),
        credit: wires.moment(now + config.credit_return_cycles()),
        asks: wires.moment(now + routing),
        asks_behind: wires.moment(now + 1 + routing),
        able: wires.moment(now + u64::from(config.vc_allocation_cycles)),
    }
}

impl<'a, M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'a, M, W, NN, NI> {
    pub(super) fn new(
        grid: &'a Grid,
        traffic: &'a Traffic,
        config: Router,
        parts: Parts<M>,
        needs_occupancy: bool,
    ) -> Self {
        let lane_flits = parts.recovery.lane_flits() as i16;
        let layout = Layout::new(grid, &config, lane_flits > 0, traffic.min_flits());
        let credits = std::array::from_fn(|c| match layout.lane >> c & 1 {
            _ if c >= layout.network => 1,
            0 => config.buffer_flits as i16,
            _ => lane_flits,
        });
        let peer = |router: u32, port: usize| match port < layout.ports {
            true => Some(grid.peer(router, port)).filter(|&peer| peer != NONE).unwrap_or(router),
            false => router,
        };
        let router = |router: u32| {
            let peers = std::array::from_fn(|port| peer(router, port));
            RouterState::new(credits, super::ones_below(layout.outputs), peers)
        };
        let routers = (0..grid.routers() as u32).map(router).collect();
        Fabric { routers, common: Common::new(grid, traffic, config, parts, layout, needs_occupancy) }
    }

    /// Simulates one cycle, with the bit instructions of the processor where it has them.
    pub(super) fn step<P: Probe>(&mut self, probe: &mut P) {
        #[cfg(target_arch = "x86_64")]
        if self.common.bit_instructions {
            // SAFETY: `bit_instructions` is set only where all the features that the function is compiled for were
            // detected (`has_bit_instructions`), and nothing sets it later. A test runs both ways and compares.
            #[allow(unsafe_code)]
            return unsafe { self.step_with_bit_instructions(probe) };
        }
        self.cycle_of(probe);
    }

    /// The cycle, compiled for processors that count and shift bits in one instruction.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    fn step_with_bit_instructions<P: Probe>(&mut self, probe: &mut P) {
        self.cycle_of(probe);
    }

    /// The block diagram of a cycle. What a router does is seen by others in the next cycle at the earliest, so each goes
    /// through all phases before the next one begins; only recovery waits for all.
    #[inline(always)]
    fn cycle_of<P: Probe>(&mut self, probe: &mut P) {
        let Fabric { routers, common } = self;
        let now = common.cycle;
        common.times = times(&common.wires, common.grid, &common.config, now);
        if common.lane {
            common.parts.recovery.step(now);
        }
        common.receive(now, probe);
        common.generate(routers, now, probe);
        let present = common.wires.moment(now);
        for (router, state) in (0u32..).zip(routers.iter_mut()) {
            let due = *common.wires.at(present, router);
            if !due.is_empty() {
                *common.wires.at(present, router) = Due::default();
                common.visit(state, router, due, now, probe);
            }
        }
        if common.lane {
            common.recover(routers, now, probe);
        }
        common.observe(now, probe);
        common.cycle = now + 1;
    }
}

impl<'a, M: Mechanisms, W: Mask> Common<'a, M, W> {
    fn new(
        grid: &'a Grid,
        traffic: &'a Traffic,
        config: Router,
        parts: Parts<M>,
        layout: Layout,
        needs_occupancy: bool,
    ) -> Self {
        let routers = grid.routers();
        let shape = QueueShape {
            nodes: grid.nodes(),
            channels: layout.injection,
            delay: u64::from(config.routing_cycles),
            limit: config.source_queue_packets.map(u64::from),
        };
        let wires = Wires::new(routers, config.horizon(grid.link_cycles()));
        let receiving = routers * (layout.outputs - layout.network) * (config.receive_cycles() as usize + 1);
        let throttled = parts.admission.is_active();
        let lane = layout.link_channels > layout.channels;
        let occupancy = (needs_occupancy || parts.admission.needs_occupancy())
            .then(|| Occupancy::by_flits(routers, layout.ports, layout.channels));
        Common {
            grid,
            lane,
            lane_flits: parts.recovery.lane_flits() as i16,
            throttled,
            watches_flits: throttled && parts.admission.watches_flits(),
            speculative: config.speculative
                && config.channel_allocator == ChannelAllocator::InputFirst
                && config.vc_allocation_cycles > 0,
            bit_instructions: super::has_bit_instructions(),
            lanes: lanes(),
            cycle: 0,
            times: times(&wires, grid, &config, 0),
            wires,
            rings: vec![Slot::default(); (routers * layout.inputs) << layout.ring_bits],
            packets: Packets::new(((routers * layout.inputs) << layout.ring_bits) + receiving),
            sources: SourceQueues::new(traffic, shape),
            deliveries: Wheel::new(config.receive_cycles(), receiving),
            received: Wheel::new(config.receive_cycles(), if throttled { receiving } else { 0 }),
            waiting: BitSet::new(routers),
            attempts: vec![0; if lane { routers * layout.network } else { 0 }],
            tried: Tried { heads: 0, given: 0, channel: [0; super::MAX_PORTS] },
            occupancy,
            counters: Counters::default(),
            parts,
            config,
            layout,
        }
    }

    /// A router's deliver, admit and allocate.
    #[inline(always)]
    fn visit<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        state: &mut RouterState<W, NN, NI>,
        router: u32,
        due: Due<W>,
        now: u64,
        probe: &mut P,
    ) {
        self.deliver(state, router, due);
        if self.speculative {
            (self.tried.heads, self.tried.given) = (0, 0);
        }
        if state.look.get() != 0 {
            self.allocate_channels(state, router, now, probe);
        }
        if state.ready() != 0 || self.tried.heads != 0 {
            self.allocate_switch(state, router, now, probe);
        }
        if state.ready() | state.look.get() != 0 {
            self.wires.wake(self.times.next, router);
        }
        if self.lane {
            self.note_waiting(state, router);
        }
    }

    #[inline]
    fn observe<P: Probe>(&mut self, now: u64, probe: &mut P) {
        if self.throttled {
            self.parts.admission.observe(now, self.occupancy.as_ref());
        }
        let (in_flight, gauges) = (self.in_flight(), self.parts.admission.gauges());
        let occupancy = self.occupancy.as_ref();
        probe.end_of_cycle(EndOfCycle { cycle: now, in_flight, occupancy, gauges, injection: &[] });
    }

    #[inline]
    pub(super) fn in_flight(&self) -> u64 {
        self.counters.entered - self.counters.delivered
    }

    /// Where a packet of `input` is kept.
    #[inline(always)]
    pub(super) fn ring(&self, router: u32, input: usize, position: u16) -> usize {
        ((router as usize * self.layout.inputs + input) << self.layout.ring_bits) | usize::from(position)
    }

    /// The packet at the front of `input` and the routing's word.
    #[inline(always)]
    pub(super) fn front<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        input: usize,
    ) -> Slot {
        let position = if input < self.layout.network { state.front[input & (NN - 1)] } else { 0 };
        self.rings[self.ring(router, input, position)]
    }

    /// The packet at the front of `input`.
    #[inline(always)]
    pub(super) fn packet<const NN: usize, const NI: usize>(
        &self,
        state: &RouterState<W, NN, NI>,
        router: u32,
        input: usize,
    ) -> &Packet {
        &self.packets[self.front(state, router, input).packet]
    }
}
