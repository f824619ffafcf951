//! Conservation, derived from scratch: every flit, every credit and every packet is somewhere, exactly once, and every mask
//! says what the counters say.

use super::Mechanisms;
use super::fabric::Fabric;
use super::state::{Mask, RouterState};
use crate::cut_through::AuditError;
use std::collections::BTreeSet;
use tailback_base::bits::ones;
use tailback_network::NONE;

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Re-derives the books between two cycles.
    pub(super) fn audit(&self) -> Result<(), AuditError> {
        for router in 0..self.routers.len() as u32 {
            self.audit_masks(router)?;
            self.audit_channels(router)?;
            self.audit_credits(router)?;
        }
        self.audit_packets()
    }

    fn audit_masks(&self, router: u32) -> Result<(), AuditError> {
        let (state, l) = (&self.routers[router as usize], &self.common.layout);
        let network = l.links;
        let expect = |what: &str, holds: bool| match holds {
            true => Ok(()),
            false => Err(AuditError(format!("router {router}: {what}: {state:?}"))),
        };
        let positive = |counts: &[i16]| (0..l.network).filter(|&n| counts[n] > 0).fold(0, |m, n| m | 1u64 << n);
        let (fronted, holding, asking) = (state.fronted.get(), state.holding.get(), state.asking.get());
        expect("inputs with a flit", state.filled.get() & network == positive(&state.count))?;
        expect("channels with a credit", state.open.get() & network == positive(&state.credits))?;
        expect("a buffer with flits has a front packet", state.filled.get() & !fronted == 0)?;
        expect("a new packet has all its flits", fronted & !network & !state.filled.get() == 0)?;
        expect(
            "a packet holds a channel or asks for one",
            holding & asking == 0 && (holding | asking) & !fronted == 0,
        )?;
        expect("only holders ask the switch", state.able.get() & !holding == 0)?;
        expect("only those that ask are looked at", state.look.get() & !asking == 0)?;
        let credited = |input: usize| state.open.get() >> state.held[input] & 1 == 1;
        let with_credit = ones(holding).filter(|&i| credited(i)).fold(0, |m, i| m | 1 << i);
        expect("holders whose channel has a credit", state.credited.get() & holding == with_credit)?;
        let lost = ones(asking & !state.look.get()).filter(|&i| self.common.choice(state, i) != 0).count();
        expect("a head that could take a channel is looked at", lost == 0)
    }

    /// Every output channel is free, or has one holder, or waits for its last packet to leave the buffer behind it.
    fn audit_channels(&self, router: u32) -> Result<(), AuditError> {
        let (state, l) = (&self.routers[router as usize], &self.common.layout);
        let mut held = 0;
        for input in ones(state.holding.get()) {
            let bit = 1u64 << state.held[input];
            if held & bit != 0 || usize::from(state.owner[usize::from(state.held[input])]) != input {
                return Err(AuditError(format!("router {router}, channel {} has two holders", state.held[input])));
            }
            held |= bit;
        }
        for channel in 0..l.outputs {
            let (free, holder) = (state.free.get() >> channel & 1 == 1, held >> channel & 1 == 1);
            let owned = l.owned >> channel & 1 == 1;
            if free && holder || !owned && free == holder {
                return Err(AuditError(format!("router {router}, channel {channel}: free {free}, holder {holder}")));
            }
            if owned && free && i64::from(state.credits[channel]) != self.buffer_of(channel) {
                return Err(AuditError(format!("router {router}, channel {channel} is free and lacks credits")));
            }
        }
        Ok(())
    }

    /// Flits that the buffer behind a link channel holds.
    fn buffer_of(&self, channel: usize) -> i64 {
        match self.common.layout.lane >> channel & 1 == 0 {
            true => i64::from(self.common.config.buffer_flits),
            false => i64::from(self.common.lane_flits),
        }
    }

    fn audit_credits(&self, router: u32) -> Result<(), AuditError> {
        let (state, l) = (&self.routers[router as usize], &self.common.layout);
        for channel in 0..l.network {
            let peer = self.common.grid.peer(router, usize::from(l.port[channel]));
            if peer == NONE {
                continue;
            }
            // The buffer behind a channel has the same number.
            let input = channel;
            let free = i64::from(state.credits[channel]);
            let there = i64::from(self.routers[peer as usize].count[input]);
            let wires = &self.common.wires;
            let coming = wires.outstanding(peer).filter(|due| due.flits.get() >> input & 1 == 1).count() as i64;
            let back = wires.outstanding(router).filter(|due| due.credits.get() >> channel & 1 == 1).count() as i64;
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

    /// Every packet known is in some ring or on its way to its node, and the counters agree.
    fn audit_packets(&self) -> Result<(), AuditError> {
        let mut seen: BTreeSet<u32> = self.common.deliveries.iter().copied().collect();
        for (router, state) in (0u32..).zip(&self.routers) {
            for input in ones(state.fronted.get()) {
                seen.insert(self.common.front(state, router, input).packet);
            }
            seen.extend(self.behind_front(router, state));
        }
        let (known, counters) = (self.common.packets.len() as u64, self.common.counters);
        let (found, counted) = (seen.len() as u64, counters.started - counters.delivered);
        if found != known || counted != known {
            let message = format!("{known} packets are known, {found} were found, the counters say {counted}");
            return Err(AuditError(message));
        }
        Ok(())
    }

    /// Packets whose tail a router has sent towards a buffer, and that do not head it yet.
    fn behind_front(&self, router: u32, state: &RouterState<W, NN, NI>) -> Vec<u32> {
        let l = &self.common.layout;
        let mut found = Vec::new();
        for channel in 0..l.network {
            let peer = self.common.grid.peer(router, usize::from(l.port[channel]));
            if peer == NONE {
                continue;
            }
            let input = channel;
            let (mut at, end) = (self.routers[peer as usize].front[input], state.back[channel]);
            let fronted = self.routers[peer as usize].fronted.get() >> input & 1 == 1;
            let flits = self.common.wires.outstanding(peer).any(|due| due.flits.get() >> input & 1 == 1);
            // A ring that is empty and one that is full look the same; one of them has a packet at its front or coming.
            let mut full = at == end && (fronted || flits);
            while full || at != end {
                found.push(self.common.rings[self.common.ring(peer, input, at)].packet);
                at = (at + 1) & l.ring_mask;
                full = false;
            }
        }
        found
    }
}
