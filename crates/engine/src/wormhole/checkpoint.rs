//! What a checkpoint holds of a wormhole network.

use super::common::Common;
use super::fabric::Fabric;
use super::lanes::Mask;
use super::times::Times;
use super::{Mechanisms, Parts, Shaped, Wormhole};
use crate::cut_through::AuditError;
use crate::occupancy::levels;
use crate::packet::are_known;
use crate::wheel::Wheel;
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
        times, upstream, downstream, neighbours, groups, owned, tried;
});

tailback_base::state!(['a, M: Mechanisms, W: Mask, const NN: usize, const NI: usize] Fabric<'a, M, W, NN, NI> {
    saved: blocks, common;
} [settle]);

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Every block looks at its heads again: another admission may have held them.
    fn settle(&mut self) -> Result<(), Unfit> {
        let common = &mut self.common;
        let places = self.blocks.iter().flat_map(|block| block.front.iter().chain(&block.back).flatten());
        ensure(places.max() <= Some(&common.layout.ring_mask), "a packet is in no buffer")?;
        are_known(common.packets.all(), (common.grid, common.sources.traffic()), common.cycle)?;
        let before = common.cycle.saturating_sub(1);
        common.times = Times::of(&common.wires, common.grid, &common.config, before);
        let now = common.wires.moment(common.cycle);
        (0..self.blocks.len()).for_each(|block| common.wires.wake_block(now, block));
        Ok(())
    }
}

impl<M: Mechanisms> State for Wormhole<'_, M> {
    fn save(&self, to: &mut Writer) {
        each!(&self.0, fabric => fabric.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        each!(&mut self.0, fabric => {
            fabric.restore(from)?;
            fabric.audit().map_err(|AuditError(why)| Unfit::new(why))
        })
    }
}
