//! A crossbar that takes more than a cycle carries one batch of flits at a time.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use crate::contract::probe::Probe;

impl<M: Mechanisms> Fabric<'_, M> {
    /// The flits that wait go together, when those before them are through.
    pub(super) fn begin_crossing(&mut self, router: usize, now: u64) {
        if self.crossing[router].is_empty() && !self.waiting[router].is_empty() {
            std::mem::swap(&mut self.crossing[router], &mut self.waiting[router]);
            self.crosses_until[router] = now + u64::from(self.config.crossbar_cycles) - 1;
        }
    }

    /// Flits that are through queue at their outputs.
    pub(super) fn end_crossing<P: Probe>(&mut self, router: usize, now: u64, probe: &mut P) {
        if self.crossing[router].is_empty() || now < self.crosses_until[router] {
            return;
        }
        let mut through = std::mem::take(&mut self.crossing[router]);
        for &flit in &through {
            self.depart(self.layout.split(flit.channel as usize), flit, now, probe);
        }
        through.clear();
        self.crossing[router] = through;
    }
}
