//! Who waits for whom, and whether anything can still happen.

use super::fabric::Fabric;
use super::lanes::{LANES, Mask};
use super::mechanisms::Mechanisms;
use super::router::Sharing;
use crate::snapshot::{Need, Side, Snapshot};
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Who waits for whom. A buffer drains one day if its front packet may move: if it holds, or may yet be given, an ejection
    /// channel, a channel whose buffer drains, or one that still has room for a flit of it. For as long as there is room a packet
    /// moves on, perhaps wholly, and the next one in the buffer may have another way. Those that wait for ever fill the buffers that
    /// they wait for, so that each is found in time. A recovery lane takes whoever finds no other way.
    pub(super) fn snapshot(&self) -> Snapshot {
        let (common, l) = (&self.common, &self.common.layout);
        let mut snapshot = Snapshot::new(common.grid.ports());
        for n in 0..common.grid.routers() * l.network {
            let (router, input) = (n / l.network, n % l.network);
            let (block, lane) = (&self.blocks[router / LANES], router % LANES);
            let (asked, holds) = (self.waits_for(n), block.holding[lane].get() >> input & 1 == 1);
            let goes = |channel: usize| channel >= l.network || block.credit(channel, lane) > 0;
            if block.level(input, lane) == 0 || holds && ones(asked).all(goes) {
                snapshot.nobody();
                continue;
            }
            for channel in ones(asked) {
                if channel >= l.network {
                    snapshot.way_home();
                    continue;
                }
                let (behind, port) = (self.behind(n, channel), usize::from(l.port[channel]));
                let open = common.lane || self.room(behind) >= self.least_room(n, channel);
                let (number, room) = (channel - port * l.link_channels, block.credit(channel, lane));
                snapshot.way(port, number, Some(room), (!open).then_some(Need::of(behind)));
            }
            let place = l.name(input).expect("a buffer belongs to a link");
            snapshot.head(Side::Link, router as u32, place, *common.packet(block, router as u32, input));
        }
        snapshot
    }

    /// The output channels that the front packet of a buffer waits for: the one it holds, or all its candidates.
    fn waits_for(&self, n: usize) -> u64 {
        let (router, input) = (n / self.common.layout.network, n % self.common.layout.network);
        let (block, l) = (&self.blocks[router / LANES], router % LANES);
        match block.holding[l].get() >> input & 1 {
            1 => 1u64 << block.held(input, l),
            _ => block.preferred[input][l].get() | block.wanted[input][l].get(),
        }
    }

    /// The buffer behind a link channel.
    fn behind(&self, n: usize, channel: usize) -> usize {
        let l = &self.common.layout;
        let peer = self.common.grid.peer((n / l.network) as u32, usize::from(l.port[channel]));
        peer as usize * l.network + channel
    }

    /// Room in a buffer \[flits\]; flits on their way are not there yet.
    fn room(&self, n: usize) -> u32 {
        let all = self.common.layout.network;
        u32::from(self.common.layout.buffer[n % all]) - self.blocks[n / all / LANES].level(n % all, n / all % LANES)
    }

    /// With so much room behind `channel` the front packet of `n` may send a flit there, now or once the channel is free; see
    /// `Common::choice` and [`Sharing`].
    fn least_room(&self, n: usize, channel: usize) -> u32 {
        let (router, input) = (n / self.common.layout.network, n % self.common.layout.network);
        let (block, l) = (&self.blocks[router / LANES], router % LANES);
        if block.holding[l].get() >> input & 1 == 1 {
            return 1;
        }
        let (preferred, all) = (block.preferred[input][l].get(), self.waits_for(n));
        let buffer = u32::from(self.common.layout.buffer[channel]);
        match self.common.config.sharing {
            Sharing::Owned => buffer,
            Sharing::SharedWhole if all != preferred && preferred >> channel & 1 == 1 => {
                (block.after(input, l) + 1).min(buffer)
            }
            Sharing::Shared | Sharing::SharedWhole => 1,
        }
    }

    /// Whether nothing in the network can ever happen again although packets are in it.
    pub(super) fn is_still(&self) -> bool {
        let common = &self.common;
        common.counters.in_flight() > 0
            && !common.lane
            && common.deliveries.pending() == 0
            && common.received.pending() == 0
            && common.wires.is_empty()
    }
}
