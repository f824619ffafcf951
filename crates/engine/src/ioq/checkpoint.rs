//! What a checkpoint holds of an input-output-queued network. Its queues are those of the sides; a discipline has no state
//! beside them.

use super::fabric::Fabric;
use super::shape::Shape;
use super::{Ioq, Kind, Mechanisms};
use crate::cut_through::AuditError;
use crate::occupancy::levels;
use tailback_base::state::{Reader, State, Unfit, Writer};

tailback_base::state!(['a, M: Mechanisms, S: Shape] Fabric<'a, M, S> {
    saved: cycle, pool, events, notices, ingress, memory, outs, credits, crossbars, owing, due, credit_turns, room, credit,
        adapter, sources, admittance, counters;
    by levels: occupancy;
    rebuilt: grid, traffic, parts, config, layout, bit_instructions, turns, in_stride, in_words, out_stride, counter_words;
});

impl<M: Mechanisms> State for Ioq<'_, M> {
    fn save(&self, to: &mut Writer) {
        match &self.0 {
            Kind::Small(fabric) => fabric.save(to),
            Kind::Wide(fabric) => fabric.save(to),
            Kind::Parted(fabric) => fabric.save(to),
        }
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        match &mut self.0 {
            Kind::Small(fabric) => fabric.restore(from)?,
            Kind::Wide(fabric) => fabric.restore(from)?,
            Kind::Parted(fabric) => fabric.restore(from)?,
        }
        self.audit().map_err(|AuditError(why)| Unfit::new(why))
    }
}
