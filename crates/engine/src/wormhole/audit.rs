//! Conservation, derived from scratch: every flit, every credit and every packet is somewhere, exactly once, and every mask
//! says what the counters say.

use super::block::Block;
use super::fabric::Fabric;
use super::lanes::{LANES, Mask, lane};
use super::mechanisms::Mechanisms;
use crate::books::packets_are_found;
use crate::outcome::AuditError;
use crate::packet::Slot;
use std::collections::BTreeSet;
use tailback_base::bits::ones;
use tailback_network::NONE;

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Re-derives the books between two cycles.
    pub(super) fn audit(&self) -> Result<(), AuditError> {
        for router in 0..self.common.grid.routers() as u32 {
            self.audit_masks(router)?;
            self.audit_channels(router)?;
            self.audit_credits(router)?;
            self.audit_levels(router)?;
        }
        self.audit_packets()?;
        self.audit_places()?;
        self.audit_wires()?;
        self.audit_sources()
    }

    fn audit_masks(&self, router: u32) -> Result<(), AuditError> {
        let (block, at, l) = (&self.blocks[router as usize / LANES], lane(router), &self.common.layout);
        let expect = |what: &str, holds: bool| match holds {
            true => Ok(()),
            false => Err(AuditError(format!("router {router}: {what}: {block:?}"))),
        };
        let (fronted, holding) = (block.fronted[at].get(), block.holding[at].get());
        let (asking, look) = (block.asking[at].get(), block.look[at].get());
        let with_flits = (0..l.network).filter(|&n| block.level(n, at) > 0).fold(0, |m, n| m | 1u64 << n);
        expect("a buffer with flits has a front packet", with_flits & !fronted == 0)?;
        expect("a new packet has all its flits", (fronted ^ block.filled[at].get()) & !l.links == 0)?;
        expect(
            "a packet holds a channel or asks for one",
            holding & asking == 0 && (holding | asking) & !fronted == 0,
        )?;
        expect("only holders ask the switch", block.able[at].get() & !holding == 0)?;
        expect("only heads that ask were passed over", look & !asking == 0)?;
        let could = |input: usize| self.common.choice(block, router, input) != 0;
        let awake = self.common.wires.is_awake(self.common.wires.moment(self.common.cycle), router);
        expect("a router is visited where a head could take a channel", awake || !ones(asking).any(could))
    }

    /// Every output channel is free, or has one holder, or waits for its last packet to leave the buffer behind it.
    fn audit_channels(&self, router: u32) -> Result<(), AuditError> {
        let (block, at, l) = (&self.blocks[router as usize / LANES], lane(router), &self.common.layout);
        let mut held = 0;
        for input in ones(block.holding[at].get()) {
            let channel = 1u64 << block.held(input, at);
            let port = usize::from(l.port[block.held(input, at)]);
            if held & channel != 0 || block.users[port][at].get() >> input & 1 == 0 {
                return Err(AuditError(format!("router {router}, input {input}: its channel is not its own")));
            }
            held |= channel;
        }
        for channel in 0..l.outputs {
            let (free, holder) = (block.free[at].get() >> channel & 1 == 1, held >> channel & 1 == 1);
            let owned = l.owned >> channel & 1 == 1;
            if free && holder || !owned && free == holder {
                return Err(AuditError(format!("router {router}, channel {channel}: free {free}, holder {holder}")));
            }
            if owned && free && i64::from(block.credit(channel, at)) != self.buffer_of(channel) {
                return Err(AuditError(format!("router {router}, channel {channel} is free and lacks credits")));
            }
        }
        Ok(())
    }

    /// Flits that the buffer behind a link channel holds.
    fn buffer_of(&self, channel: usize) -> i64 {
        match self.common.layout.lane >> channel & 1 == 0 {
            true => i64::from(self.common.layout.buffer[channel]),
            false => i64::from(self.common.lane_flits),
        }
    }

    fn audit_credits(&self, router: u32) -> Result<(), AuditError> {
        let (block, at, l) = (&self.blocks[router as usize / LANES], lane(router), &self.common.layout);
        for channel in 0..l.network {
            let peer = self.common.grid.peer(router, usize::from(l.port[channel]));
            if peer == NONE {
                continue;
            }
            // The buffer behind a channel has the same number.
            let free = i64::from(block.credit(channel, at));
            let there = i64::from(self.blocks[peer as usize / LANES].level(channel, lane(peer)));
            let coming = self.on_link(router).filter(|mask| mask >> channel & 1 == 1).count() as i64;
            let back = self.returning(peer).filter(|mask| mask >> channel & 1 == 1).count() as i64;
            if free + there + coming + back != self.buffer_of(channel) {
                return Err(AuditError(format!(
                    "router {router}, channel {channel}: {free} credits, {there} flits in the buffer, {coming} on the \
                     link and {back} credits on their way are not the buffer's {}",
                    self.buffer_of(channel)
                )));
            }
        }
        Ok(())
    }

    /// Channels that `router` has sent a flit into which has not arrived, a mask for every cycle in which it did.
    pub(super) fn on_link(&self, router: u32) -> impl Iterator<Item = u64> + '_ {
        let common = &self.common;
        let sent = move |ago: u64| common.wires.moment(common.cycle.wrapping_sub(ago));
        (1..=common.config.flit_cycles(common.grid)).map(move |ago| common.wires.channels_of(sent(ago), router))
    }

    /// Inputs of `router` whose credit is on its way, a mask for every cycle in which it set out.
    fn returning(&self, router: u32) -> impl Iterator<Item = u64> + '_ {
        let common = &self.common;
        let sent = move |ago: u64| common.wires.moment(common.cycle.wrapping_sub(ago));
        (1..=common.config.credit_return_cycles()).map(move |ago| common.wires.inputs_of(sent(ago), router))
    }

    /// What probes and admission see is what is there.
    fn audit_levels(&self, router: u32) -> Result<(), AuditError> {
        let (block, l) = (&self.blocks[router as usize / LANES], &self.common.layout);
        let Some(occupancy) = self.common.occupancy.as_ref().filter(|_| self.common.fresh) else { return Ok(()) };
        for input in (0..l.network).filter(|&input| l.lane >> input & 1 == 0) {
            let Some((port, channel)) = l.name(input) else { continue };
            let seen = u32::from(occupancy.level(router, usize::from(port), usize::from(channel)));
            if seen != block.level(input, lane(router)) {
                return Err(AuditError(format!("router {router}, input {input}: {seen} flits are seen in its buffer")));
            }
        }
        Ok(())
    }

    /// Every packet known is in some ring or on its way to its node, and the counters agree.
    fn audit_packets(&self) -> Result<(), AuditError> {
        let mut seen: BTreeSet<u32> = self.common.deliveries.iter().copied().collect();
        for router in 0..self.common.grid.routers() as u32 {
            let block = &self.blocks[router as usize / LANES];
            for input in ones(block.fronted[lane(router)].get()) {
                seen.insert(self.common.front(block, router, input).packet);
            }
            seen.extend(self.behind_front(router, block));
        }
        packets_are_found(self.common.packets.len(), seen.len(), &self.common.counters)
    }

    /// Inputs of `router` whose tail has left and set the channel free, on its way, a mask for every cycle in which it set out.
    pub(super) fn freed(&self, router: u32) -> impl Iterator<Item = u64> + '_ {
        let common = &self.common;
        let sent = move |ago: u64| common.wires.moment(common.cycle.wrapping_sub(ago));
        (1..=common.config.credit_return_cycles()).map(move |ago| common.wires.tails_of(sent(ago), router))
    }

    /// Packets that a router has given a channel or sent into one, and that have not left the buffer behind it.
    pub(super) fn behind_front(&self, router: u32, block: &Block<W, NN, NI>) -> Vec<u32> {
        let channels = 0..self.common.layout.network;
        channels.flat_map(|channel| self.ring_behind(router, block, channel)).map(|slot| slot.packet).collect()
    }

    /// Those of one channel, the front one first.
    pub(super) fn ring_behind(&self, router: u32, block: &Block<W, NN, NI>, channel: usize) -> Vec<Slot> {
        let (l, mut found) = (&self.common.layout, Vec::new());
        let peer = self.common.grid.peer(router, usize::from(l.port[channel]));
        if peer == NONE {
            return found;
        }
        let there = &self.blocks[peer as usize / LANES];
        let (mut at, end) = (there.front[channel][lane(peer)], block.back[channel][lane(router)]);
        let fronted = there.fronted[lane(peer)].get() >> channel & 1 == 1;
        let flits = self.on_link(router).any(|mask| mask >> channel & 1 == 1);
        let (own, holding) = (lane(router), block.holding[lane(router)].get());
        let held = ones(holding).any(|input| block.held(input, own) == channel);
        // A ring that is empty and one that is full look the same; one of them has a packet at its front, or coming, or to come.
        let mut full = at == end && (fronted || flits || held);
        while full || at != end {
            found.push(self.common.rings[self.common.ring(peer, channel, at)]);
            at = (at + 1) & l.ring_mask;
            full = false;
        }
        found
    }
}
