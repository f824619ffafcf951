//! Flow control, evaluated once: for which kinds of steps a channel fits, by the room behind it and in its own queue.

use super::members::Members;
use super::router::Router;
use super::state::{KINDS, Layout, Mask, RouterState};
use crate::contract::flow_control::{FlowControl, Origin, Scope, Step};
use tailback_network::{NONE, Network};

/// Kind of a step from a node; that into an escape channel is the next number.
pub(super) const NODE: usize = 0;
/// Kind of a step from another dimension or channel.
pub(super) const ELSEWHERE: usize = 2;
/// Kind of a step straight ahead.
pub(super) const BEHIND: usize = 4;

/// What a channel needs, by kind of step.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    /// Flits free behind the channel.
    pub room: [u32; KINDS],
    /// Packets free in its own queue.
    pub own: [u32; KINDS],
    /// Packets free around its ring; not asked for under `scope = "local"`.
    pub ring: [u32; KINDS],
    /// By flits free behind a channel, the kinds for which that is enough.
    by_room: Vec<u8>,
    /// By packets in an own queue, the kinds for which little enough are there.
    by_count: Vec<u8>,
    /// As many flits free behind a channel are enough for all kinds, and so are more.
    ample_room: i16,
    /// As many packets in an own queue are little enough for all kinds, and so are less; negative where even none are.
    harmless_count: i32,
}

impl Rules {
    /// The rules of `flow_control` in a router with these numbers.
    pub fn new<F: FlowControl>(flow_control: &F, config: &Router) -> Self {
        let flits = config.packet_flits;
        let step = |kind: usize| Step {
            flits,
            origin: [Origin::Node, Origin::Elsewhere, Origin::Behind][kind / 2],
            escape: kind % 2 == 1,
        };
        let ringwide = flow_control.scope() == Scope::Ring;
        let bubble = |kind| flow_control.bubble_flits(step(kind)).div_ceil(flits);
        let own_queue = |kind| flow_control.own_queue_flits(step(kind)).div_ceil(flits);
        let room: [u32; KINDS] = std::array::from_fn(|kind| flow_control.room_flits(step(kind)).max(flits));
        let own: [u32; KINDS] =
            std::array::from_fn(|kind| own_queue(kind).max(if ringwide { 0 } else { bubble(kind) }));
        let kinds = |holds: &dyn Fn(usize) -> bool| (0..KINDS).filter(|&k| holds(k)).fold(0u8, |m, k| m | 1 << k);
        Rules {
            by_room: (0..=config.buffer_packets * flits).map(|free| kinds(&|k| free >= room[k])).collect(),
            by_count: (0..=config.buffer_packets)
                .map(|count| kinds(&|k| config.buffer_packets - count >= own[k]))
                .collect(),
            ample_room: room.iter().fold(0, |most, &room| most.max(room)).min(i16::MAX as u32) as i16,
            harmless_count: config.buffer_packets as i32 - own.iter().fold(0, |most, &own| most.max(own)) as i32,
            room,
            own,
            ring: std::array::from_fn(|kind| if ringwide { bubble(kind) } else { 0 }),
        }
    }

    /// Whether it makes no difference by what way a head comes to a channel, except straight behind to an escape channel, and
    /// no bubble is looked for around rings.
    pub fn are_plain(&self) -> bool {
        let alike = |a: usize, b: usize| self.room[a] == self.room[b] && self.own[a] == self.own[b];
        !self.ringwide() && alike(NODE, ELSEWHERE) && alike(NODE, BEHIND) && alike(NODE + 1, ELSEWHERE + 1)
    }

    /// Whether a bubble is looked for around rings.
    pub fn ringwide(&self) -> bool {
        self.ring.iter().any(|&packets| packets > 0)
    }

    /// The kinds of steps for which a channel fits.
    #[inline(always)]
    pub fn kinds(&self, free_flits: i16, own_packets: u16) -> u8 {
        self.by_room[free_flits as usize] & self.by_count[usize::from(own_packets)]
    }

    /// Whether what a channel fits for may change when the room behind it changes, of which `less` is the smaller number.
    #[inline(always)]
    pub fn room_matters(&self, less: i16) -> bool {
        less < self.ample_room
    }

    /// Whether what a channel fits for may change when its own queue does, of which `more` is the larger number of packets.
    #[inline(always)]
    pub fn count_matters(&self, more: u16) -> bool {
        i32::from(more) > self.harmless_count
    }

    /// Books what channel `c` of a router fits for. Returns whether it fits for a kind for which it did not.
    #[inline]
    pub fn book<W: Mask, const NI: usize, const NO: usize>(
        &self,
        state: &mut RouterState<W, NI, NO>,
        c: usize,
    ) -> bool {
        let i = c & (NI - 1);
        let (old, new) = (state.kinds[i], self.kinds(state.credits[i], state.inputs[i].count));
        if old == new {
            return false;
        }
        state.kinds[i] = new;
        // PERF: without a branch.
        let others = |mask: W| mask.get() & !W::Set::one(i);
        for (kind, fits) in state.fits.iter_mut().enumerate() {
            *fits = W::of(others(*fits) | W::Set::at(u64::from(new >> kind & 1), i));
        }
        state.some = W::of(others(state.some) | W::Set::at(u64::from(new != 0), i));
        new & !old != 0
    }
}

/// Free packets around every ring, kept only where a bubble is looked for there. A ring is named by its router with the lowest
/// coordinate and by its channel; on a mesh it is the buffers that there are along the line.
#[derive(Clone, Debug)]
pub(super) struct Rings {
    /// Packets not yet granted a buffer of the ring, by ring.
    pub free: Vec<u32>,
    /// Ring of every channel, by `router * network + channel`.
    pub of: Vec<u32>,
    network: usize,
}

tailback_base::state!([] Rings { saved: free; rebuilt: of, network; });

impl Rings {
    /// All buffers empty; without any rings unless rules ask for bubbles around them.
    pub fn new(network: &Network, layout: &Layout, rules: &Rules, buffer_packets: u32) -> Self {
        let count = if rules.ringwide() { network.routers() * layout.network } else { 0 };
        let mut rings = Rings { free: vec![0; count], of: vec![0; count], network: layout.network };
        let Some(grid) = network.grid() else {
            assert_eq!(count, 0, "the spec was checked for bubbles, which are kept in the rings of a grid");
            return rings;
        };
        for n in 0..count {
            let (router, c) = ((n / layout.network) as u32, n % layout.network);
            let mut at = grid.coordinates(router).to_vec();
            at[layout.dimension_of(c)] = 0;
            let ring = grid.router_at(&at) as usize * layout.network + c;
            rings.of[n] = ring as u32;
            if grid.upstream(router, layout.port_of(c)) != NONE {
                rings.free[ring] += buffer_packets;
            }
        }
        rings
    }

    /// The ring of `channel` at `router`.
    #[inline]
    pub fn ring(&self, router: u32, channel: usize) -> usize {
        self.of[router as usize * self.network + channel] as usize
    }
}
