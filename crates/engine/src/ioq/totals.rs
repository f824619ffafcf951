//! What became of all packets, and whether more will come.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use super::shape::Shape;
use crate::totals::{Amount, Totals};

impl<M: Mechanisms, S: Shape> Fabric<'_, M, S> {
    /// What became of all packets since cycle 0.
    pub(super) fn totals(&self) -> Totals {
        let (mut behind, mut in_fronts) = (Amount::default(), Amount::default());
        self.admittance.each_waiting(|_, _, _| behind += Amount::one(self.config.packet_flits));
        self.admittance.each_front(|id| in_fronts += Amount::one(self.pool.packet(id).flits));
        let generated = self.makers.generated(self.cycle);
        Totals::new(generated, &self.counters, self.pool.present().sum(), in_fronts, behind)
    }

    /// Whether all sources have sent their last packet and will make none any more.
    pub(super) fn sources_are_dry(&self) -> bool {
        self.admittance.is_empty() && self.makers.are_dry()
    }

    /// Whether no source has a packet, nor will have one before something is delivered.
    pub(super) fn sources_wait(&self) -> bool {
        self.admittance.is_empty() && self.makers.wait()
    }
}
