//! Which flits go through the crossbar.

use super::allocators::{Ranks, Requests, Turn};
use super::channels::Given;
use super::config::{Config, Speculation, Yields};
use super::hopes::Hopes;
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
    /// Heads that ask without a channel go if this step gives them one of the same port, with a credit.
    pub(super) fn allocate_switch(&mut self, router: usize, given: &[Given]) -> Vec<Grant> {
        let config = self.config;
        let (firm, hopes) = (self.bids(router), self.hopes(router));
        if !firm.anyone && !hopes.anyone {
            return Vec::new();
        }
        let granted = match config.speculation {
            Speculation::Off | Speculation::Shared(_) => self.match_all(router, &firm.with_credit, &hopes.bids),
            Speculation::Separate { yields, .. } => self.match_apart(router, &firm.with_credit, &hopes.bids, yields),
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
        grants.sort_by_key(|grant| (grant.port, grant.channel));
        grants
    }

    /// Who is granted the crossbar by one allocator; those with a channel come first.
    fn match_all(&mut self, router: usize, firm: &[Grant], hopes: &[Grant]) -> Vec<Grant> {
        let config = self.config;
        let turn = Turn { allocator: 2 * router as u32 + 1, step: self.steps };
        let priorities = self.priorities(router);
        let at = &mut self.routers[router];
        let of = |bid: &Grant| priorities[bid.port][bid.channel];
        // With a channel, any priority counts for more.
        let all: Vec<Bid> =
            hopes.iter().map(|bid| (*bid, of(bid))).chain(firm.iter().map(|bid| (*bid, of(bid) | 1 << 63))).collect();
        let requests = requests(config, at.inputs.len(), &all);
        let pairs = at.switch_allocator.allocate(&requests, turn);
        let stands = |&(input, output): &(usize, usize)| stands_for(&all, config, (input, output), at.offsets[input]);
        pairs.iter().map(stands).collect()
    }

    /// Who is granted the crossbar by two allocators; hopes give way.
    fn match_apart(&mut self, router: usize, firm: &[Grant], hopes: &[Grant], yields: Yields) -> Vec<Grant> {
        let (config, routers) = (self.config, self.routers.len() as u32);
        let turn = |allocator| Turn { allocator, step: self.steps };
        let turns = (turn(2 * router as u32 + 1), turn(2 * routers + router as u32));
        let priorities = self.priorities(router);
        let at = &mut self.routers[router];
        let ranked =
            |bids: &[Grant]| -> Vec<Bid> { bids.iter().map(|bid| (*bid, priorities[bid.port][bid.channel])).collect() };
        let (firm, hopes) = (ranked(firm), ranked(hopes));
        let [first, second] = [&firm, &hopes].map(|bids| requests(config, at.inputs.len(), bids));
        let matching = at.switch_allocator.find(&first, turns.0);
        let pairs = matching.pairs();
        let allocator = at.hopes_allocator.as_mut().expect("hopes have an allocator");
        let mut hoped = allocator.allocate(&second, turns.1);
        hoped.retain(|&(input, output)| {
            let is_taken = match yields {
                Yields::Grants => matching.input_of[output].is_some(),
                Yields::Requests => first.is_asked_for(output),
            };
            !is_taken && pairs.iter().all(|pair| pair.0 != input)
        });
        let stands = |bids: &[Bid], (input, output): (usize, usize)| {
            stands_for(bids, config, (input, output), at.offsets[input])
        };
        let all = pairs.iter().map(|&pair| stands(&firm, pair));
        all.chain(hoped.iter().map(|&pair| stands(&hopes, pair))).collect()
    }

    /// The input channels that have an output channel and ask for the crossbar.
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
            if is_open && at.outputs[to_port][to_channel].has_credit() && !at.is_queue_full(config, to_port) {
                bids.with_credit.push(Grant { port, channel, output });
            }
        }
        bids
    }

    /// The input channels that ask for the crossbar without a channel.
    fn hopes(&self, router: usize) -> Hopes {
        match self.config.speculation.needs() {
            Some(needs) => Hopes::of(self.config, &self.routers[router], needs),
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

/// Requests for the crossbar of a router with so many ports. The highest of those with the same input and output counts.
fn requests(config: &Config, ports: usize, bids: &[Bid]) -> Requests {
    let mut requests = Requests::new(ports * config.input_speedup, ports * config.output_speedup);
    let mut bids = bids.to_vec();
    bids.sort_by_key(|&(_, rank)| rank);
    for (bid, rank) in bids {
        requests.add(bid.input(config), bid.output, Ranks { at_input: rank, at_output: rank });
    }
    requests
}

/// The one out of those that ask by the same crossbar input for the same crossbar output that stands for all: of those with the highest
/// rank the first channel from `offset` on.
fn stands_for(bids: &[Bid], config: &Config, (input, output): (usize, usize), offset: usize) -> Grant {
    let rivals = || bids.iter().filter(|(bid, _)| bid.input(config) == input && bid.output == output);
    let highest = rivals().map(|&(_, rank)| rank).max().expect("somebody asked");
    let mut channels = (0..config.channels()).map(|step| (offset + step) % config.channels());
    let best = |channel: usize| rivals().find(|(bid, rank)| *rank == highest && bid.channel == channel);
    channels.find_map(best).expect("it is one of them").0
}
