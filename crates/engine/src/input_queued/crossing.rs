//! A crossbar that takes more than a cycle carries one batch of flits at a time.

use super::fabric::Fabric;
use super::mechanisms::Mechanisms;
use crate::contract::probe::Probe;

impl<M: Mechanisms> Fabric<'_, M> {
    /// The flits that wait go together, when those before them are through.
    pub(super) fn begin_crossing(&mut self, router: usize, now: u64) {
        for at in self.crossbars(router) {
            if self.crossing[at].is_empty() && !self.waiting[at].is_empty() {
                std::mem::swap(&mut self.crossing[at], &mut self.waiting[at]);
                self.crosses_until[at] = now + u64::from(self.config.crossbar_cycles) - 1;
            }
        }
    }

    /// Flits that are through queue at their outputs.
    pub(super) fn end_crossing<P: Probe>(&mut self, router: usize, now: u64, probe: &mut P) {
        for at in self.crossbars(router) {
            if self.crossing[at].is_empty() || now < self.crosses_until[at] {
                continue;
            }
            let mut through = std::mem::take(&mut self.crossing[at]);
            for &flit in &through {
                self.depart(self.layout.split(flit.channel as usize), flit, now, probe);
            }
            through.clear();
            self.crossing[at] = through;
        }
    }
}
