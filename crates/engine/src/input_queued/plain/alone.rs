//! What allocators of other kinds than iSLIP do where nobody competes: who asks gets, and turns go on.
//!
//! PERF: nothing is written down for the allocator (`tailback booksim` with `sw_allocator = pim`, or another one).

use super::super::allocators::Draws;
use super::super::allocators::alone::{Pick, pass};
use super::super::allocators::halves::Part;
use super::super::fabric::Fabric;
use super::super::mechanisms::Mechanisms;
use super::super::table::Place;
use tailback_base::bits::ones;

impl<M: Mechanisms> Fabric<'_, M> {
    /// Each of these heads, which ask for different ports, is granted a channel.
    pub(super) fn grant_alone(&mut self, place: Place, router: usize, heads: u64) {
        let draws = self.draws(router, router as u32 * 2, [&self.asking; 2]);
        for Part { own, inputs, first_output, entity } in self.channel_turns.parts(router, draws.waits) {
            let draws = Draws { entity: draws.entity + entity, ..draws };
            let mut pick = Pick::new(&self.channel_turns, own);
            for n in ones(heads).filter(|n| inputs.contains(n)) {
                let (port, wants) = self.asks_for(place, n);
                let base = port * self.layout.channels;
                let asked = u64::from(wants) << (base - first_output);
                let output = pick.output(&mut self.channel_turns, n - inputs.start, asked, draws);
                self.grants[n] = 1 << (first_output + output - base);
            }
            pick.end(&mut self.channel_turns);
        }
    }

    /// All flits that are ready go. No two of them have an input or an output of the switch in common.
    pub(super) fn go_alone(&mut self, place: Place, router: usize, ready: u64) {
        let draws = self.draws(router, router as u32 * 2 + 1, [&self.going; 2]);
        let flits = self.inputs.at(place);
        for Part { own, inputs, first_output, .. } in self.switch_turns.parts(router, draws.waits) {
            let pairs = ones(ready).map(|n| (usize::from(self.layout.place(n).0), usize::from(flits[n].port)));
            let pairs = pairs.filter(|(input, _)| inputs.contains(input));
            pass(
                &mut self.switch_turns,
                own,
                pairs.map(|(input, output)| (input - inputs.start, output - first_output)),
            );
        }
    }
}
