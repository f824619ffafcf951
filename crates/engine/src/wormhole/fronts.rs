//! What heads do that stand behind no other packet: the census, less all that is not asked of in every cycle.

use super::block::Block;
use super::fabric::Fabric;
use super::lanes::{LANES, Mask, lane};
use super::mechanisms::Mechanisms;
use crate::contract::census::{Doing, Front, Scratch};
use tailback_base::bits::ones;

impl<M: Mechanisms, W: Mask, const NN: usize, const NI: usize> Fabric<'_, M, W, NN, NI> {
    /// Calls `each` with every head that stands behind no other packet.
    pub(super) fn fronts(&self, _: &mut Scratch, mut each: impl FnMut(Front)) {
        let (common, links) = (&self.common, self.common.layout.links);
        // A head that may leave a router in the cycle in which it arrives is not seen there between two flights.
        let passes =
            common.config.routing_cycles == 0 && (common.config.vc_allocation_cycles == 0 || common.speculative);
        for router in 0..common.network.routers() as u32 {
            let (block, l) = (&self.blocks[router as usize / LANES], lane(router));
            let fronted = block.fronted[l].get();
            let held_back = if common.throttled && fronted != 0 { common.held_back(block, router) } else { 0 };
            for input in ones(fronted) {
                let id = common.front(block, router, input).packet;
                let is_head = |flits: u32| block.after(input, l) + 1 == flits;
                if block.holding[l].get() >> input & 1 == 0 || is_head(common.packets[id].flits) {
                    let doing = self.head_does(block, l, input, held_back);
                    let flight = if links >> input & 1 == 1 && !passes { self.flown(router, input) } else { 0 };
                    each(Front { id, doing, flight, lasts: false });
                }
            }
            if passes {
                self.heads_on_links(router, |id| each(Front { id, doing: Doing::Wires, flight: 0, lasts: false }));
            }
        }
    }

    /// Cycles that a head took from its last router to a network input.
    fn flown(&self, router: u32, input: usize) -> u32 {
        let from = self.common.behind(router, input).expect("it came by a link");
        self.common.flight(from.0, from.1) as u32
    }

    /// What a head at the front of an input does.
    fn head_does(&self, block: &Block<W, NN, NI>, l: usize, input: usize, held_back: u64) -> Doing {
        let has = |mask: W| mask.get() >> input & 1 == 1;
        if has(block.asking[l]) {
            return if held_back >> input & 1 == 1 { Doing::Admission } else { Doing::Channel };
        }
        if !has(block.able[l]) {
            return Doing::Routing;
        }
        let channel = block.held(input, l);
        let no_room = channel < self.common.layout.network && block.credit(channel, l) == 0;
        if no_room { Doing::Room } else { Doing::Switch }
    }

    /// Calls `each` with the packets whose heads are on the way to an input of a router.
    fn heads_on_links(&self, router: u32, mut each: impl FnMut(u32)) {
        let (block, l) = (&self.blocks[router as usize / LANES], lane(router));
        for input in 0..self.common.layout.network {
            let mut coming = self.coming(router, input);
            if coming == 0 {
                continue;
            }
            let (mut level, mut position) = (block.level(input, l), 0);
            if block.fronted[l].get() >> input & 1 == 1 {
                let rest = block.after(input, l) + 1;
                let there = level.min(rest);
                (level, coming, position) = (level - there, coming - coming.min(rest - there), 1);
            }
            let (front, mask) = (block.front[input][l], self.common.layout.ring_mask);
            while level + coming > 0 {
                let place = self.common.ring(router, input, (front + position) & mask);
                let id = self.common.rings[place].packet;
                let all = self.common.packets[id].flits;
                let there = level.min(all);
                if there == 0 {
                    each(id);
                }
                (level, coming, position) = (level - there, coming - coming.min(all - there), position + 1);
            }
        }
    }
}
