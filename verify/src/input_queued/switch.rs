//! Which flits go through the crossbar.

use super::allocators::{Requests, Turn};
use super::config::Config;
use super::network::Network;
use super::router::Held;
use super::step::goes_on;

/// An input channel whose first flit goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The input port.
    pub port: usize,
    /// The channel.
    pub channel: usize,
    /// The crossbar output.
    pub output: usize,
}

impl Network<'_> {
    /// The input channels that are let through in this step, beside those whose ways are held. In ascending order.
    pub(super) fn allocate_switch(&mut self, router: usize) -> Vec<Grant> {
        let config = self.config;
        let turn = Turn { allocator: 2 * router as u32 + 1, step: self.steps };
        let bids = self.bids(router);
        let at = &mut self.routers[router];
        let ports = config.ports(router);
        let mut requests = Requests::new(ports * config.input_speedup, ports * config.output_speedup);
        for bid in &bids.with_credit {
            if !requests.has(config.crossbar_input(bid.port, bid.channel), bid.output) {
                requests.add(config.crossbar_input(bid.port, bid.channel), bid.output, 0);
            }
        }
        if !bids.anyone {
            return Vec::new();
        }
        let mut grants = Vec::new();
        for (input, output) in at.switch_allocator.allocate(&requests, turn) {
            let stands = bids.stands_for(config, input, output, at.offsets[input]);
            at.offsets[input] = (stands.channel + config.input_speedup) % config.channels();
            grants.push(stands);
        }
        grants.sort_by_key(|grant| (grant.port, grant.channel));
        grants
    }

    /// The input channels that ask for the switch.
    fn bids(&self, router: usize) -> Bids {
        let (config, at) = (self.config, &self.routers[router]);
        let mut bids = Bids { anyone: false, with_credit: Vec::new() };
        for (port, channel) in at.places() {
            let Some((to_port, to_channel)) = at.ready(port, channel) else { continue };
            let (input, output) = (config.crossbar_input(port, channel), config.crossbar_output(to_port, port));
            if at.held[input].is_some_and(|held| held.channel == channel) {
                continue;
            }
            bids.anyone = true;
            let is_open = at.held[input].is_none() && !at.is_output_held(output);
            if is_open && at.outputs[to_port][to_channel].has_credit() {
                bids.with_credit.push(Grant { port, channel, output });
            }
        }
        bids
    }

    /// Flits that were let through leave. Where ways are held, those of packets that go on are kept.
    pub(super) fn use_grants(&mut self, router: usize, grants: &[Grant]) {
        for &grant in grants {
            let flit = self.leave(router, grant);
            if self.config.hold_switch && goes_on(self, router, grant, flit) {
                let input = self.config.crossbar_input(grant.port, grant.channel);
                self.routers[router].held[input] = Some(Held { channel: grant.channel, output: grant.output });
            }
        }
    }
}

/// Who asks for the switch.
struct Bids {
    /// Whether any input channel has a flit and an output channel, be there a credit or not.
    anyone: bool,
    /// Those that can go.
    with_credit: Vec<Grant>,
}

impl Bids {
    /// The one out of those that ask by the same crossbar input for the same crossbar output that stands for all: the
    /// first channel from `offset` on.
    fn stands_for(&self, config: &Config, input: usize, output: usize, offset: usize) -> Grant {
        let is_rival = |bid: &&Grant| config.crossbar_input(bid.port, bid.channel) == input && bid.output == output;
        let rivals: Vec<&Grant> = self.with_credit.iter().filter(is_rival).collect();
        let channels = (0..config.channels()).map(|step| (offset + step) % config.channels());
        let mut stand = channels.filter_map(|channel| rivals.iter().find(|bid| bid.channel == channel));
        **stand.next().expect("somebody asked")
    }
}
