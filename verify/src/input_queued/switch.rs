//! Which flits go through the crossbar.

use super::allocators::{Ranks, Requests};
use super::channels::Given;
use super::config::{Config, HALVES, Half, Ports, Speculation, Yields};
use super::hopes::Hopes;
use super::network::Network;
use super::router::Held;
use super::step::goes_on;
use std::ops::Range;

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
    /// Heads that ask without a channel go if this step gives them one of the same port, with a credit.
    pub(super) fn allocate_switch(&mut self, router: usize, given: &[Given]) -> Vec<Grant> {
        let mut grants: Vec<Grant> =
            HALVES.iter().flat_map(|&half| self.allocate_switch_of(router, half, given)).collect();
        grants.sort_by_key(|grant| (grant.port, grant.channel));
        grants
    }

    /// Those of a half of the router.
    fn allocate_switch_of(&mut self, router: usize, half: Half, given: &[Given]) -> Vec<Grant> {
        let config = self.config;
        let (firm, hopes) = (self.bids(router, half), self.hopes(router, half));
        if !firm.anyone && !hopes.anyone {
            return Vec::new();
        }
        let at = (router, half);
        let granted = match config.speculation {
            Speculation::Off | Speculation::Shared(_) => self.match_all(at, &firm.with_credit, &hopes.bids),
            Speculation::Separate { yields, .. } => self.match_apart(at, &firm.with_credit, &hopes.bids, yields),
        };
        let at = &mut self.routers[router];
        let mut grants = Vec::new();
        for grant in granted.into_iter().filter(|grant| !hopes.is_vain(*grant)) {
            let input = config.crossbar_input(grant.port, grant.channel);
            at.offsets[input] = (grant.channel + config.input_speedup) % config.channels();
            if firm.with_credit.contains(&grant) || at.has_got(config, given, grant) {
                grants.push(grant);
            }
        }
        grants
    }

    /// Who is granted the crossbar by one allocator; those with a channel come first.
    fn match_all(&mut self, (router, half): (usize, Half), firm: &[Grant], hopes: &[Grant]) -> Vec<Grant> {
        let config = self.config;
        let crossbar = Crossbar::of(config, router, half);
        let turn = self.turn(2 * router + 1, half);
        let priorities = self.priorities(router);
        let at = &mut self.routers[router];
        let of = |bid: &Grant| priorities[bid.port][bid.channel];
        // With a channel, any priority counts for more.
        let all: Vec<Bid> =
            hopes.iter().map(|bid| (*bid, of(bid))).chain(firm.iter().map(|bid| (*bid, of(bid) | 1 << 63))).collect();
        let pairs = at.allocators[half as usize].switch.allocate(&crossbar.requests(&all), turn);
        pairs.iter().map(|&pair| crossbar.stands_for(&all, pair, &at.offsets)).collect()
    }

    /// Who is granted the crossbar by two allocators; hopes give way.
    fn match_apart(
        &mut self,
        (router, half): (usize, Half),
        firm: &[Grant],
        hopes: &[Grant],
        yields: Yields,
    ) -> Vec<Grant> {
        let crossbar = Crossbar::of(self.config, router, half);
        let turns = (self.turn(2 * router + 1, half), self.turn(2 * self.routers.len() + router, half));
        let priorities = self.priorities(router);
        let at = &mut self.routers[router];
        let ranked =
            |bids: &[Grant]| -> Vec<Bid> { bids.iter().map(|bid| (*bid, priorities[bid.port][bid.channel])).collect() };
        let (firm, hopes) = (ranked(firm), ranked(hopes));
        let [first, second] = [&firm, &hopes].map(|bids| crossbar.requests(bids));
        let allocators = &mut at.allocators[half as usize];
        let matching = allocators.switch.find(&first, turns.0);
        let pairs = matching.pairs();
        let mut hoped = allocators.hopes.as_mut().expect("hopes have an allocator").allocate(&second, turns.1);
        hoped.retain(|&(input, output)| {
            let is_taken = match yields {
                Yields::Grants => matching.input_of[output].is_some(),
                Yields::Requests => first.is_asked_for(output),
            };
            !is_taken && pairs.iter().all(|pair| pair.0 != input)
        });
        let stands = |bids: &[Bid], pair| crossbar.stands_for(bids, pair, &at.offsets);
        let all = pairs.iter().map(|&pair| stands(&firm, pair));
        all.chain(hoped.iter().map(|&pair| stands(&hopes, pair))).collect()
    }

    /// The input channels of a half that have an output channel and ask for the crossbar.
    fn bids(&self, router: usize, half: Half) -> Bids {
        let (config, at) = (self.config, &self.routers[router]);
        let mut bids = Bids { anyone: false, with_credit: Vec::new() };
        for (port, channel) in config.places(router, half) {
            let Some((to_port, to_channel)) = at.ready(port, channel) else { continue };
            let (input, output) = (config.crossbar_input(port, channel), config.crossbar_output(to_port, port));
            if at.held[input].is_some_and(|held| held.channel == channel) {
                continue;
            }
            bids.anyone = true;
            let is_open = at.held[input].is_none() && !at.is_output_held(output);
            if is_open && at.outputs[to_port][to_channel].has_credit() && !at.is_queue_full(config, to_port) {
                bids.with_credit.push(Grant { port, channel, output });
            }
        }
        bids
    }

    /// The input channels of a half that ask for the crossbar without a channel.
    fn hopes(&self, router: usize, half: Half) -> Hopes {
        match self.config.speculation.needs() {
            Some(needs) => Hopes::of(self.config, &self.routers[router], &self.config.places(router, half), needs),
            None => Hopes::default(),
        }
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

impl Grant {
    /// The crossbar input.
    fn input(self, config: &Config) -> usize {
        config.crossbar_input(self.port, self.channel)
    }
}

/// A flit that asks for the crossbar, with its rank.
type Bid = (Grant, u64);

/// Where a half is at the crossbar of its router.
struct Crossbar<'c> {
    config: &'c Config,
    inputs: Range<usize>,
    outputs: Range<usize>,
}

impl<'c> Crossbar<'c> {
    fn of(config: &'c Config, router: usize, half: Half) -> Self {
        let Ports { inputs, outputs } = config.ports_of_half(router, half);
        let (ins, outs) = (config.input_speedup, config.output_speedup);
        Crossbar {
            config,
            inputs: inputs.start * ins..inputs.end * ins,
            outputs: outputs.start * outs..outputs.end * outs,
        }
    }

    /// Requests of the half. The highest of those with the same input and output counts.
    fn requests(&self, bids: &[Bid]) -> Requests {
        let mut requests = Requests::new(self.inputs.len(), self.outputs.len());
        let mut bids = bids.to_vec();
        bids.sort_by_key(|&(_, rank)| rank);
        for (bid, rank) in bids {
            let (input, output) = (bid.input(self.config) - self.inputs.start, bid.output - self.outputs.start);
            requests.add(input, output, Ranks { at_input: rank, at_output: rank });
        }
        requests
    }

    /// The one out of those that ask by the same input of the half for the same output that stands for all: of those with the highest rank the
    /// first channel from that on from which its crossbar input looks.
    fn stands_for(&self, bids: &[Bid], (input, output): (usize, usize), offsets: &[usize]) -> Grant {
        let (input, output) = (self.inputs.start + input, self.outputs.start + output);
        let rivals = || bids.iter().filter(|(bid, _)| bid.input(self.config) == input && bid.output == output);
        let highest = rivals().map(|&(_, rank)| rank).max().expect("somebody asked");
        let all = self.config.channels();
        let mut channels = (0..all).map(|step| (offsets[input] + step) % all);
        let best = |channel: usize| rivals().find(|(bid, rank)| *rank == highest && bid.channel == channel);
        channels.find_map(best).expect("it is one of them").0
    }
}
