//! What heads do that stand behind no other packet: the census, less all that is not asked of in every cycle.

use super::fabric::Fabric;
use super::layout::NONE;
use super::mechanisms::Mechanisms;
use super::state::Doing as State;
use crate::contract::census::{Doing, Front, Scratch};

impl<M: Mechanisms> Fabric<'_, M> {
    /// Calls `each` with every head that stands behind no other packet.
    pub(super) fn fronts(&self, _: &mut Scratch, mut each: impl FnMut(Front)) {
        for node in self.nodes.iter().filter(|node| node.packet != NONE && !node.sends) {
            each(Front { id: node.packet, doing: Doing::Channel, flight: 0, lasts: false });
        }
        let channels = self.layout.channels;
        for (at, input) in self.inputs.iter().enumerate().filter(|(_, input)| input.whole) {
            let id = self.rings[at * self.layout.ring + usize::from(input.front)].packet;
            let doing = match input.doing {
                State::Nothing | State::Routing => Doing::Routing,
                State::Asking => Doing::Channel,
                State::Going => {
                    let router = self.layout.router[at / channels] as usize;
                    let output = (self.first(router) + usize::from(input.port)) * channels + usize::from(input.channel);
                    let link = self.layout.links(router).has(input.port.into());
                    if link && self.outputs[output].credits == 0 { Doing::Room } else { Doing::Switch }
                }
            };
            each(Front { id, doing, flight: 0, lasts: false });
        }
        let wires = self.flits.iter().map(|flit| flit.packet);
        let crossing = self.waiting.iter().chain(&self.crossing).flatten().map(|flit| flit.packet);
        let homing = self.homing.iter().copied();
        for id in wires.chain(crossing).chain(homing).filter(|&id| id != NONE) {
            each(Front { id, doing: Doing::Wires, flight: 0, lasts: false });
        }
    }
}
