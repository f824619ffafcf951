//! Ways through the crossbar that are kept from flit to flit of a packet.

use super::network::Network;
use super::step::goes_on;
use super::switch::Grant;

/// A held way at the begin of a step.
#[derive(Clone, Copy, Debug)]
pub struct Kept {
    /// The crossbar input.
    pub input: usize,
    /// Who has it.
    pub grant: Grant,
    /// Whether there is a credit for the next flit, and room behind the crossbar.
    pub can_go: bool,
}

impl Network<'_> {
    /// The ways that are held, in ascending order.
    pub(super) fn look_at_held(&self, router: usize) -> Vec<Kept> {
        let (config, at) = (self.config, &self.routers[router]);
        let mut all = Vec::new();
        for (port, channel) in at.places() {
            let input = config.crossbar_input(port, channel);
            let Some(held) = at.held[input].filter(|held| held.channel == channel) else { continue };
            let (to_port, to_channel) = at.ready(port, channel).expect("a way is held for a flit that is there");
            let can_go = at.outputs[to_port][to_channel].has_credit() && !at.is_queue_full(config, to_port);
            all.push(Kept { input, grant: Grant { port, channel, output: held.output }, can_go });
        }
        all
    }

    /// Flits that go by held ways leave. Ways of packets that do not go on are given up.
    pub(super) fn use_held(&mut self, router: usize, all: &[Kept]) {
        for kept in all {
            let stays = kept.can_go && {
                let flit = self.leave(router, kept.grant);
                goes_on(self, router, kept.grant, flit)
            };
            if !stays {
                self.routers[router].held[kept.input] = None;
            }
        }
    }
}
