//! What a checkpoint holds of a wormhole network.

use super::common::Common;
use super::fabric::Fabric;
use super::lanes::{LANES, Mask, lane};
use super::mechanisms::{Mechanisms, Parts};
use super::times::Times;
use super::{Shaped, Wormhole};
use crate::contract::routing::Routing;
use crate::contract::sources::Sources;
use crate::data_paths::checkpoint;
use crate::mask::ones_below;
use crate::occupancy::levels;
use crate::packet::are_known;
use crate::wheel::Wheel;
use tailback_base::bits::ones;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};

impl<M: Mechanisms> State for Parts<M> {
    fn save(&self, to: &mut Writer) {
        let Self { routing: _, selection: _, channel_arbiter, input_arbiter, output_arbiter, admission, recovery } =
            self;
        [channel_arbiter, input_arbiter, output_arbiter].iter().for_each(|arbiter| arbiter.save(to));
        recovery.save(to);
        to.section("admission", |to| admission.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        let arbiters = [&mut self.channel_arbiter, &mut self.input_arbiter, &mut self.output_arbiter];
        arbiters.into_iter().try_for_each(|arbiter| arbiter.restore(from))?;
        self.recovery.restore(from)?;
        from.section("admission", |from| self.admission.restore(from)).map(drop)
    }
}

/// Flits on the way to nodes, which only an admission that is there wants to know of.
mod received {
    use super::{Reader, State, Unfit, Wheel, Writer};

    const SECTION: &str = "received";

    pub fn save(received: &Wheel<u32>, to: &mut Writer) {
        to.section(SECTION, |to| received.save(to));
    }

    pub fn restore(received: &mut Wheel<u32>, from: &mut Reader<'_>) -> Result<(), Unfit> {
        let read = |from: &mut Reader<'_>| match received.can_hold_any() {
            true => received.restore(from),
            false => {
                from.skip();
                Ok(())
            }
        };
        from.section(SECTION, read).map(drop)
    }
}

tailback_base::state!(['a, M: Mechanisms, W: Mask] Common<'a, M, W> {
    saved: cycle, wires, rings, packets, sources, deliveries, waiting, attempts, counters, parts;
    by levels: occupancy;
    by received: received;
    rebuilt: grid, config, layout, lane, lane_flits, throttled, watches_flits, sees_credits, speculative, wide, turns, late,
        times, upstream, downstream, neighbours, groups, owned, tried, keeps_levels, fresh;
});

tailback_base::state!(['a, M: Mechanisms, W: Mask, const NN: usize, const NI: usize] Fabric<'a, M, W, NN, NI> {
    saved: blocks, common;
} [settle]);

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Every block looks at its heads again: another admission may have held them.
    fn settle(&mut self) -> Result<(), Unfit> {
        let common = &self.common;
        let places = self.blocks.iter().flat_map(|block| block.front.iter().chain(&block.back).flatten());
        ensure(places.max() <= Some(&common.layout.ring_mask), "a packet is in no buffer")?;
        are_known(common.packets.all(), (&common.grid.seats(), common.sources.packets().max_flits()), common.cycle)?;
        common.sources.cover(common.cycle, common.packets.live().map(|(id, packet)| (id, packet.flits)))?;
        common.packets.know(common.deliveries.iter().copied())?;
        let routers = common.grid.routers() as u32;
        ensure(common.received.iter().all(|&router| router < routers), "flits are received nowhere")?;
        for block in &self.blocks {
            let bytes = block.input_byte.iter().chain(&block.channel_pointer).chain([&block.central]).flatten();
            ensure(bytes.into_iter().all(|&byte| byte < 64), "it is the turn of nobody")?;
            let bytes = block.output_turn.iter().flatten().all(|turn| common.turns || turn.get() < 64);
            ensure(bytes, "it is the turn of nobody")?;
            let outputs = block.held.iter().flatten().all(|&held| usize::from(held) < common.layout.outputs);
            ensure(outputs, "an input holds an output that is not there")?;
        }
        ensure(self.has_empty_lanes(), "there are no such routers")?;
        (0..routers).try_for_each(|router| self.heads_fit(router))?;
        let common = &mut self.common;
        let before = common.cycle.saturating_sub(1);
        common.times = Times::of(&common.wires, common.grid, &common.config, before);
        let now = common.wires.moment(common.cycle);
        (0..self.blocks.len()).for_each(|block| common.wires.wake_block(now, block));
        // Nobody may have read them for long.
        common.record_all(&self.blocks);
        common.fresh = true;
        Ok(())
    }
}

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Packets at the front of inputs of a router, and behind others, are known and on their way.
    fn heads_fit(&self, router: u32) -> Result<(), Unfit> {
        let (common, block) = (&self.common, &self.blocks[router as usize / LANES]);
        let (at, inputs) = (lane(router), ones_below(common.layout.inputs));
        let fronted = block.fronted[at].get();
        let masks =
            [&block.fronted, &block.able, &block.holding, &block.asking, &block.look, &block.whole, &block.filled];
        ensure(masks.iter().all(|mask| mask[at].get() & !inputs == 0), "a head is at an input that is not there")?;
        for input in ones(fronted) {
            let slot = common.front(block, router, input);
            common.packets.know([slot.packet].into_iter())?;
            let in_lane = common.layout.lane >> input & 1 == 1;
            let fits = in_lane || common.parts.routing.fits(router, &common.packets[slot.packet], slot.word);
            ensure(fits, "a packet is on no way to its destination")?;
        }
        common.packets.know(self.behind_front(router, block).into_iter())
    }
}

checkpoint!(Wormhole, each);
