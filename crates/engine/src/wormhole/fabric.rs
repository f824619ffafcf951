//! The state of a network whose routers have one compile-time shape, and the cycle.

use super::block::{Block, both, either};
use super::common::Common;
#[cfg(target_arch = "x86_64")]
use super::kernels::{AnyProcessor, Kernels, Wide};
use super::lanes::{LANES, Lanes, Mask, any, lane, lanes, links, occupied};
use super::layout::Layout;
use super::links::meeting;
use super::mechanisms::{Mechanisms, Parts};
use super::router::Router;
use super::times::Times;
use crate::contract::admission::Admission;
use crate::contract::host::{Arrived, Offer};
use crate::contract::probe::{EndOfCycle, Probe};
use crate::contract::recovery::Recovery;
use crate::contract::sources::Sources;
use crate::occupancy::Buffers;
use crate::outcome::Counters;
use crate::packet::Packet;
use crate::totals::{Amount, Lot, Totals};
use tailback_base::bits::ones;
use tailback_base::pages::large_vec;
use tailback_network::Network;

/// A network of routers with at most `NN` network inputs and `NI` inputs.
pub(crate) struct Fabric<'a, M: Mechanisms, W: Mask, const NN: usize, const NI: usize> {
    pub(super) blocks: Vec<Block<W, NN, NI>>,
    pub(super) common: Common<'a, M, W>,
}

impl<'a, M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'a, M, W, NN, NI> {
    pub(super) fn new(
        network: Network,
        sources: M::Sources<'a>,
        config: Router,
        parts: Parts<M>,
        buffers: Buffers,
    ) -> Self {
        let lane_flits = parts.recovery.lane_flits();
        let shortest = config.packet_flits.unwrap_or_else(|| sources.min_flits());
        let longest = config.packet_flits.unwrap_or_else(|| sources.max_flits());
        let layout = Layout::new(&network, &config, config.link_channels(lane_flits), shortest);
        let planes = (bits(config.buffer_flits.max(lane_flits)), bits(longest - 1));
        let block =
            Block::new(planes, crate::mask::ones_below(layout.outputs), |channel| match layout.lane >> channel & 1 {
                _ if channel >= layout.network => 0,
                0 => layout.buffer[channel].into(),
                _ => lane_flits,
            });
        let blocks = large_vec(block, network.routers().div_ceil(LANES));
        Fabric { blocks, common: Common::new(network, sources, config, parts, layout, buffers) }
    }

    /// Simulates one cycle, with the wide vectors and bit instructions of the processor where it has them.
    pub(super) fn step<P: Probe>(&mut self, probe: &mut P) {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = self.common.wide {
            // SAFETY: the features that the function is compiled for are among those that a `Wide` is the proof of. A test
            // runs both ways and compares.
            #[allow(unsafe_code)]
            return unsafe { self.step_wide(probe, wide) };
        }
        self.cycle_of(probe, AnyProcessor);
    }

    /// The cycle, compiled for processors that count and shift bits in one instruction.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn step_wide<P: Probe>(&mut self, probe: &mut P, wide: Wide) {
        self.cycle_of(probe, wide);
    }

    /// The block diagram of a cycle. What a router does is seen by others in the next cycle at the earliest, so each block
    /// goes through all phases before the next one begins; only recovery waits for all.
    #[inline(always)]
    fn cycle_of<P: Probe>(&mut self, probe: &mut P, kernels: impl Kernels) {
        let Fabric { blocks, common } = self;
        let now = common.cycle;
        common.times = Times::of(&common.wires, &common.config, &common.layout, now);
        if common.lane {
            common.parts.recovery.step(now);
        }
        common.receive(now, probe);
        common.generate(blocks, now, probe);
        for (number, block) in blocks.iter_mut().enumerate() {
            if common.wires.begin(common.times.now, number) {
                common.visit(block, number, now, probe, kernels);
            }
        }
        if common.lane {
            common.recover(blocks, now, probe);
        }
        if common.occupancy.is_some() && !common.keeps_levels {
            common.fresh = probe.reads_levels(now);
            if common.fresh {
                common.record_all(blocks);
            }
        }
        common.observe(now, probe);
        common.cycle = now + 1;
    }

    pub(super) fn cycle(&self) -> u64 {
        self.common.cycle
    }

    pub(super) fn counters(&self) -> Counters {
        self.common.counters
    }

    pub(super) fn take_offer(&mut self, offer: Offer) {
        self.common.take_offer(offer);
    }

    pub(super) fn host_arrivals(&mut self) -> Option<&mut Vec<Arrived>> {
        self.common.host_arrivals()
    }

    pub(super) fn host_queued(&mut self, node: u32) -> Amount {
        self.common.host_queued(node)
    }

    pub(super) fn host_consumed(&mut self, node: u32, places: u32) {
        self.common.host_consumed(node, places);
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.common.is_at_rest()
    }

    pub(super) fn skip(&mut self, to: u64) {
        self.common.skip(to);
    }

    pub(super) fn sources(&self) -> &M::Sources<'a> {
        self.common.sources.sources()
    }

    pub(super) fn sources_are_dry(&self) -> bool {
        self.common.sources.are_dry()
    }

    pub(super) fn sources_wait(&self) -> bool {
        self.common.sources.wait()
    }

    /// Lets everything happen at the sources that is due before the next cycle.
    pub(super) fn catch_up(&mut self) {
        self.common.sources.catch_up(self.common.cycle);
    }

    /// Packets that the sources made before cycle `end` and that have not asked for the network yet.
    pub(super) fn backlog(&self, end: u64, made: impl FnMut(u32, Lot)) {
        self.common.sources.backlog(end, made);
    }

    /// Calls `tell` with every packet whose tail has not arrived.
    pub(super) fn packets(&self, tell: &mut dyn FnMut(&Packet)) {
        self.common.packets.live().for_each(|(_, packet)| tell(packet));
    }

    /// Calls `tell` with every packet whose tail is on its way to its node, and with the cycle in which it arrives.
    pub(super) fn arriving(&self, tell: &mut dyn FnMut(&Packet, u64)) {
        let common = &self.common;
        common.deliveries.iter_from(common.cycle).for_each(|(at, &id)| tell(&common.packets[id], at));
    }

    /// What became of all packets since cycle 0.
    pub(super) fn totals(&self) -> Totals {
        let (common, mut in_fronts) = (&self.common, Amount::default());
        for router in 0..common.network.routers() as u32 {
            let block = &self.blocks[router as usize / LANES];
            for input in ones(block.whole[lane(router)].get()) {
                in_fronts += Amount::one(common.packets[common.front(block, router, input).packet].flits);
            }
        }
        let (generated, behind) = common.sources.totals(common.cycle);
        Totals::new(generated, &common.counters, common.packets.present().sum(), in_fronts, behind)
    }
}

impl<M: Mechanisms, W: Mask> Common<'_, M, W> {
    /// A block's deliver, admit and allocate.
    #[inline(always)]
    fn visit<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        number: usize,
        now: u64,
        probe: &mut P,
        kernels: impl Kernels,
    ) {
        let new = self.deliver(block, number, kernels);
        if self.speculative {
            self.tried.iter_mut().for_each(|tried| (tried.heads, tried.given) = (0, 0));
        }
        if !self.late.arrivals {
            self.arrivals(block, number, &new);
        }
        let mut could = meeting(&block.wanted[..self.layout.inputs.min(NI)], &links(&block.free), kernels);
        for (homing, channel) in block.homing.iter().zip(self.layout.network..self.layout.outputs) {
            let (free, bit) = (block.free, W::of(1 << channel));
            could = lanes(|l| could[l] | homing[l].when(free[l] & bit == bit));
        }
        block.look = both(&could, &block.asking);
        if !self.late.channels {
            self.look(block, number, now, probe);
        }
        let ready = self.ready(block, kernels);
        let grants = self.allocate_switch(block, &ready, number, now, kernels);
        let gone = any(&grants).then(|| self.send(block, &grants, number, kernels));
        if self.late.channels {
            self.look(block, number, now, probe);
        }
        if self.late.arrivals {
            self.arrivals(block, number, &new);
        }
        if let Some(gone) = gone {
            self.follow(block, &grants, &gone, number, now, probe);
            self.wake_neighbours(number);
        } else {
            self.wires.send_nothing(self.times.now, number);
        }
        if any(&either(&either(&ready, &grants), &block.look)) {
            self.wires.wake_block(self.times.next, number);
        }
        if self.lane {
            self.note_waiting(block, number);
        }
        if self.keeps_levels && (any(&block.filled) || any(&block.left)) {
            self.record(block, number);
        }
    }

    /// Heads arrive.
    #[inline(always)]
    fn arrivals<const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        number: usize,
        new: &Lanes<W::Links>,
    ) {
        for l in ones(occupied(new)) {
            for input in ones(new[l].get()) {
                self.arrive(block, (number * LANES + l) as u32, input);
            }
        }
    }

    /// Heads that could take a channel are looked at.
    #[inline(always)]
    fn look<P: Probe, const NN: usize, const NI: usize>(
        &mut self,
        block: &mut Block<W, NN, NI>,
        number: usize,
        now: u64,
        probe: &mut P,
    ) {
        for l in ones(occupied(&block.look)) {
            self.allocate_channels(block, (number * LANES + l) as u32, now, probe);
        }
    }

    /// What a block sends now is due at its neighbours some cycles later.
    #[inline(always)]
    fn wake_neighbours(&mut self, number: usize) {
        for &some in &self.neighbours[number] {
            self.wires.wake_blocks(self.times.flit, some);
            self.wires.wake_blocks(self.times.credit, some);
        }
        for &(some, cycles) in self.links.sooner(number) {
            self.wires.wake_blocks(self.wires.moment(self.cycle + cycles), some);
        }
    }

    #[inline]
    fn observe<P: Probe>(&mut self, now: u64, probe: &mut P) {
        if self.throttled {
            self.parts.admission.observe(now, self.occupancy.as_ref());
        }
        let (in_flight, gauges) = (self.counters.in_flight(), self.parts.admission.gauges());
        let occupancy = self.occupancy.as_ref().filter(|_| self.fresh);
        probe.end_of_cycle(EndOfCycle { cycle: now, in_flight, occupancy, gauges, injection: &[] });
    }
}

/// Bits of a number up to `most`.
fn bits(most: u32) -> usize {
    (u32::BITS - most.leading_zeros()) as usize
}
