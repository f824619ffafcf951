//! What a checkpoint holds of an adaptive cut-through network.

use super::fabric::{Arrival, Fabric, Place};
use super::state::Mask;
use super::{Adaptive, Mechanisms, Parts, Shaped};
use crate::cut_through::AuditError;
use crate::occupancy::levels;
use crate::packet::are_known;
use tailback_base::state::{Reader, State, Unfit, Writer};

tailback_base::plain!(Arrival, Place);

impl<M: Mechanisms> State for Parts<M> {
    fn save(&self, to: &mut Writer) {
        let Self { routing: _, selection: _, arbiter, flow_control: _, admission, injection } = self;
        arbiter.save(to);
        injection.save(to);
        to.section("admission", |to| admission.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.arbiter.restore(from)?;
        self.injection.restore(from)?;
        from.section("admission", |from| self.admission.restore(from)).map(drop)
    }
}

tailback_base::state!(['a, M: Mechanisms, W: Mask, const NI: usize, const NO: usize] Fabric<'a, M, W, NI, NO> {
    saved: cycle, routers, look, queues, rings, steps, packets, interface, arrivals, tails, credits, ripe, counters, parts;
    by levels: occupancy;
    rebuilt: grid, traffic, config, layout, rules, throttled, by_channel, plain, single_wins, bit_instructions, at_once, escape,
        due, asked;
} [settle]);

impl<M: Mechanisms, W: Mask, const NI: usize, const NO: usize> Fabric<'_, M, W, NI, NO> {
    /// Every router looks at its heads again: another admission may have held them.
    fn settle(&mut self) -> Result<(), Unfit> {
        are_known(self.packets.all(), (self.grid, self.traffic), self.cycle)?;
        (0..self.routers.len()).for_each(|router| self.look.insert(router));
        Ok(())
    }
}

impl<M: Mechanisms> State for Adaptive<'_, M> {
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
