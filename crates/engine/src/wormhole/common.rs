//! What is not one router's own: wires, packets, sources, mechanisms.

use super::block::Block;
use super::feed::Feed;
use super::groups::Groups;
#[cfg(target_arch = "x86_64")]
use super::kernels::Wide;
use super::lanes::{LANES, Lanes, Mask, lane};
use super::layout::Layout;
use super::mechanisms::{Mechanisms, Parts};
use super::router::{ChannelAllocator, Router};
use super::times::Times;
use super::wires::{Some64, Wires, blocks};
use crate::contract::admission::Admission;
use crate::contract::arbiter::Arbiter;
use crate::contract::recovery::Recovery;
use crate::contract::selection::Selection;
use crate::occupancy::Buffers;
use crate::occupancy::Occupancy;
use crate::outcome::Counters;
use crate::packet::{Packet, Packets, Slot};
use crate::sources::queues::{QueueShape, SourceQueues};
use crate::wheel::Wheel;
use tailback_base::bits::BitSet;
use tailback_network::{Grid, NONE};

/// What is not one router's own. A router's cycle reads and writes this and its own state, never another router's.
pub(crate) struct Common<'a, M: Mechanisms, W: Mask> {
    pub(super) grid: &'a Grid,
    pub(super) parts: Parts<M>,
    pub(super) config: Router,
    pub(super) layout: Layout,
    /// Whether recovery has a lane.
    pub(super) lane: bool,
    /// Flits that the lane buffers at each router.
    pub(super) lane_flits: u32,
    /// Whether admission is active.
    pub(super) throttled: bool,
    /// Whether admission wants to know of every flit sent.
    pub(super) watches_flits: bool,
    /// Whether selection looks at credits.
    pub(super) sees_credits: bool,
    /// Whether heads ask for the switch while they ask for a channel.
    pub(super) speculative: bool,
    /// The processor's wide vectors and bit instructions, if it has them.
    #[cfg(target_arch = "x86_64")]
    pub(super) wide: Option<Wide>,
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) wide: (),
    /// Whether the switch's arbiters are round robin, so that routers can go side by side.
    pub(super) turns: bool,
    /// What may be done later in a cycle than the model has it.
    pub(super) late: Late,
    pub(super) cycle: u64,
    pub(super) times: Times,

    pub(super) wires: Wires<W>,
    /// For each block, the routers that send flits to it.
    pub(super) upstream: Feed<W::Links>,
    /// For each block, the routers that return credits to it.
    pub(super) downstream: Feed<W::Links>,
    /// Blocks with a router that some router of a block sends flits or credits to, block by block.
    pub(super) neighbours: Vec<Vec<Some64>>,
    /// Inputs of every crossbar input.
    pub(super) groups: Groups<W>,
    /// Channels that are free only when the tail's credit is back, for every router.
    pub(super) owned: Lanes<W::Links>,
    /// Per input (`router * inputs + input`), a ring of packets. The router upstream writes a packet there when it is given
    /// the channel; it counts from the arrival of its head on.
    pub(super) rings: Vec<Slot>,
    pub(super) packets: Packets,
    pub(super) sources: SourceQueues<M::Sources<'a>>,
    /// Packets whose tail is on its way to a node.
    pub(super) deliveries: Wheel<u32>,
    /// Routers that a flit for one of their nodes is on its way in; kept only for admission.
    pub(super) received: Wheel<u32>,
    /// Routers with a head at a network input that asks; kept only where recovery has a lane.
    pub(super) waiting: BitSet,
    /// Per network input (`router * network + input`), cycles in which its head got no channel; kept only with a lane.
    pub(super) attempts: Vec<u32>,
    /// What heads tried in the block that is being visited; for speculation only.
    pub(super) tried: Lanes<Tried>,

    pub(super) occupancy: Option<Occupancy>,
    /// Whether admission wants levels in every cycle. Else they are counted in the cycles in which a probe reads them.
    pub(super) keeps_levels: bool,
    /// Whether the levels are those of the last cycle.
    pub(super) fresh: bool,
    pub(super) counters: Counters,
}

/// What may be done later in a cycle than the model has it, because nothing in between sees it.
///
/// PERF: a vector read soon after one of its values was written waits for the write, so what is done for all routers of a
/// block comes before what is done head by head (`tailback bench wormhole-16`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    /// Channel allocation after that of the switch: whoever is given a channel now asks the switch later.
    pub channels: bool,
    /// Arrivals after both: a head that arrives now asks later.
    pub arrivals: bool,
}

/// What channel allocation did in a router, for speculation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tried {
    /// Inputs whose head took part.
    pub heads: u64,
    /// Inputs whose head was given a channel.
    pub given: u64,
    /// The channel that each selected.
    pub channel: [u8; super::MAX_PORTS],
}

impl<'a, M: Mechanisms, W: Mask> Common<'a, M, W> {
    /// For an empty network in cycle 0.
    pub(super) fn new(
        grid: &'a Grid,
        sources: M::Sources<'a>,
        config: Router,
        parts: Parts<M>,
        layout: Layout,
        buffers: Buffers,
    ) -> Self {
        let routers = grid.routers();
        let receiving = routers * (layout.outputs - layout.network) * (config.receive_cycles() as usize + 1);
        let packets = ((routers * layout.inputs) << layout.ring_bits) + receiving;
        let shape = QueueShape {
            nodes: grid.nodes(),
            channels: layout.injection,
            delay: u64::from(config.routing_cycles),
            limit: config.source_queue_packets.map(u64::from),
            packet_flits: config.packet_flits,
            packets,
        };
        let wires = Wires::new(routers.div_ceil(LANES), config.horizon(grid.link_cycles()));
        let keep: Vec<W::Links> = (0..layout.ports).map(|port| W::Links::of(layout.link(port))).collect();
        let router = |peer: u32| (peer != NONE).then_some(peer as usize);
        let throttled = parts.admission.is_active();
        let lane = layout.link_channels > layout.channels;
        let turns = parts.input_arbiter.is_round_robin() && parts.output_arbiter.is_round_robin();
        let occupancy = (buffers == Buffers::Watched || parts.admission.needs_occupancy())
            .then(|| Occupancy::by_flits(routers, layout.ports, layout.channels));
        Common {
            grid,
            lane,
            lane_flits: parts.recovery.lane_flits(),
            throttled,
            watches_flits: throttled && parts.admission.watches_flits(),
            sees_credits: parts.selection.sees_credits(),
            speculative: config.speculative
                && config.channel_allocator == ChannelAllocator::InputFirst
                && config.vc_allocation_cycles > 0,
            late: Late {
                channels: config.vc_allocation_cycles > 0 && !config.speculative && !lane && turns,
                arrivals: config.routing_cycles > 0 && !lane,
            },
            #[cfg(target_arch = "x86_64")]
            wide: Wide::new(),
            #[cfg(not(target_arch = "x86_64"))]
            wide: (),
            cycle: 0,
            times: Times::of(&wires, grid, &config, 0),
            wires,
            upstream: Feed::new(routers, &keep, |r, port| router(grid.upstream(r as u32, port))),
            downstream: Feed::new(routers, &keep, |r, port| router(grid.peer(r as u32, port))),
            neighbours: neighbours(grid),
            groups: Groups::new(&layout.members[..layout.crossbars]),
            owned: [W::Links::of(layout.owned); LANES],
            turns,
            rings: vec![Slot::default(); (routers * layout.inputs) << layout.ring_bits],
            packets: Packets::new(packets),
            sources: SourceQueues::new(sources, shape),
            deliveries: Wheel::new(config.receive_cycles(), receiving),
            received: Wheel::new(config.receive_cycles(), if throttled { receiving } else { 0 }),
            waiting: BitSet::new(routers),
            attempts: vec![0; if lane { routers * layout.network } else { 0 }],
            tried: [Tried { heads: 0, given: 0, channel: [0; super::MAX_PORTS] }; LANES],
            occupancy,
            keeps_levels: parts.admission.needs_occupancy(),
            fresh: true,
            counters: Counters::default(),
            parts,
            config,
            layout,
        }
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
        block: &Block<W, NN, NI>,
        router: u32,
        input: usize,
    ) -> Slot {
        let position = if input < self.layout.network { block.front[input & (NN - 1)][lane(router)] } else { 0 };
        self.rings[self.ring(router, input, position)]
    }

    /// The packet at the front of `input`.
    #[inline(always)]
    pub(super) fn packet<const NN: usize, const NI: usize>(
        &self,
        block: &Block<W, NN, NI>,
        router: u32,
        input: usize,
    ) -> &Packet {
        &self.packets[self.front(block, router, input).packet]
    }
}

/// Blocks with a router next to one of a block's own, block by block.
fn neighbours(grid: &Grid) -> Vec<Vec<Some64>> {
    let routers = grid.routers() as u32;
    let of_router = |router: u32| (0..grid.ports()).map(move |port| grid.peer(router, port)).filter(|&p| p != NONE);
    let of_block = |block: usize| {
        let first = (block * LANES) as u32;
        let members = first..(first + LANES as u32).min(routers);
        blocks(members.flat_map(of_router).map(|router| router as usize / LANES))
    };
    (0..grid.routers().div_ceil(LANES)).map(of_block).collect()
}
