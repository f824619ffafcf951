//! What a checkpoint holds of a cut-through network.

use super::audit::AuditError;
use super::compact::Inputs;
use super::fabric::Fabric;
use super::{CutThrough, Mechanisms, Parts, Shaped};
use crate::occupancy::levels;
use crate::packet::are_known;
use tailback_base::state::{Reader, State, Unfit, Writer, ensure};

impl<M: Mechanisms> State for Parts<M> {
    fn save(&self, to: &mut Writer) {
        let Self { routing: _, arbiter, flow_control: _, admission } = self;
        arbiter.save(to);
        to.section("admission", |to| admission.save(to));
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        self.arbiter.restore(from)?;
        from.section("admission", |from| self.admission.restore(from)).map(drop)
    }
}

tailback_base::state!(['a, M: Mechanisms, W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize]
    Fabric<'a, M, W, NI, NO, NP, NV> {
        saved: cycle, routers, active, queues, returns, packets, arrivals, tails, sources, upcoming, at_head, dry, calendar,
            waiting, left, counters, parts;
        by levels: occupancy;
        rebuilt: grid, traffic, config, layout, flits, shortest, head_delay, throttled, bit_instructions, plain, spread, blocks,
            share, peers;
    } [fits]
);

impl<M: Mechanisms, W: Inputs, const NI: usize, const NO: usize, const NP: usize, const NV: usize>
    Fabric<'_, M, W, NI, NO, NP, NV>
{
    /// What the books do not show.
    fn fits(&self) -> Result<(), Unfit> {
        are_known(self.packets.all(), (self.grid, self.traffic), self.cycle)?;
        let sent = self.upcoming.iter().all(|next| (next.destination as usize) < self.grid.nodes());
        ensure(sent, "a packet is for no node here")
    }

    /// Heads at sources ask, or wait for admission, whether there was one before or not.
    fn settle(&mut self, was_throttled: bool) {
        if was_throttled == self.throttled {
            return;
        }
        for node in (0..self.grid.nodes()).filter(|&node| self.at_head.contains(node)) {
            let router = self.routers.id(self.grid.router_of(node as u32));
            let input = self.layout.injection_input(node as u32);
            let state = self.routers.at_mut(router);
            let asked = *state.input(input);
            let asks = state.asks(input);
            if self.throttled && asks {
                self.waiting.insert(node);
            } else if !self.throttled && self.waiting.contains(node) && !asks {
                let ready = state.file(input, usize::from(asked.output), asked.channels);
                self.active.insert_if(router, ready);
            }
        }
        if !self.throttled {
            (0..self.waiting.word_count()).for_each(|word| _ = self.waiting.take_word(word));
        }
    }
}

impl<M: Mechanisms> State for CutThrough<'_, M> {
    fn save(&self, to: &mut Writer) {
        each!(&self.0, fabric => {
            to.put(&fabric.throttled);
            fabric.save(to);
        });
    }

    fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
        each!(&mut self.0, fabric => {
            let was_throttled = from.take()?;
            fabric.restore(from)?;
            fabric.settle(was_throttled);
            fabric.audit().map_err(|AuditError(why)| Unfit::new(why))
        })
    }
}
