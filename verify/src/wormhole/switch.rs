//! Which flits go through the switch.

use super::arbiter::{Arbiters, Rival};
use super::channels::Head;
use super::config::{Config, SwitchAllocator, Way};
use super::network::Network;
use std::collections::BTreeSet;

/// An input that asks for the switch.
#[derive(Clone, Copy, Debug)]
struct Bid {
    rival: Rival,
    /// The crossbar input that it shares with others, named by the first of them.
    crossbar_input: usize,
    /// The output port that it asks for.
    port: usize,
}

/// The output ports and crossbar inputs that are used in this cycle.
#[derive(Default)]
struct Used {
    ports: BTreeSet<usize>,
    crossbar_inputs: BTreeSet<usize>,
}

impl Used {
    fn blocks(&self, bid: &Bid) -> bool {
        self.ports.contains(&bid.port) || self.crossbar_inputs.contains(&bid.crossbar_input)
    }

    fn take(&mut self, bid: &Bid) {
        let new = self.ports.insert(bid.port) && self.crossbar_inputs.insert(bid.crossbar_input);
        assert!(new, "a port sends one flit a cycle, a crossbar input too");
    }
}

impl Network<'_> {
    /// A cycle of the switch of a router. `heads` took part in channel allocation.
    pub(super) fn allocate_switch(&mut self, router: usize, heads: &[Head]) {
        let mut used = Used::default();
        let (to_lane, others) = self.bids(router);
        for bid in to_lane {
            if !used.blocks(&bid) {
                used.take(&bid);
                self.send(router, bid.rival.input);
            }
        }
        for bid in self.allocate_bids(router, &others, &used) {
            used.take(&bid);
            self.send(router, bid.rival.input);
        }
        if self.config.speculative {
            let guesses = self.guesses(router, heads);
            for bid in self.allocate_bids(router, &guesses, &used) {
                // Whoever was not given its channel after all wastes the grant.
                if self.routers[router].inputs[bid.rival.input].front.is_some_and(|front| front.holds.is_some()) {
                    self.send(router, bid.rival.input);
                }
            }
        }
    }

    /// The inputs that may send a flit: those that send to the recovery lane, and the others.
    fn bids(&self, router: usize) -> (Vec<Bid>, Vec<Bid>) {
        let (config, at) = (self.config, &self.routers[router]);
        let (mut to_lane, mut others) = (Vec::new(), Vec::new());
        for input in 0..config.inputs() {
            let Some(front) = at.inputs[input].front else { continue };
            let Some((output, given)) = front.holds else { continue };
            let may_ask = given + u64::from(config.vc_allocation_cycles) <= self.now;
            let has_flit = at.inputs[input].flits.front().is_some_and(|flit| flit.packet == front.packet);
            if may_ask && has_flit && at.has_credit(config, output) {
                let rival = Rival { input, age: self.packets[front.packet].age() };
                let lane = matches!(config.way(output), Way::Network { channel, .. } if Some(channel) == config.lane());
                if lane { &mut to_lane } else { &mut others }.push(bid(config, rival, output));
            }
        }
        (to_lane, others)
    }

    /// What the heads that chose a channel in this cycle ask of the switch before they know whether they got it.
    fn guesses(&self, router: usize, heads: &[Head]) -> Vec<Bid> {
        let (config, at) = (self.config, &self.routers[router]);
        let chosen = heads.iter().filter_map(|head| Some((head.rival, head.chosen?)));
        let can_send = chosen.filter(|&(_, output)| at.has_credit(config, output));
        can_send.map(|(rival, output)| bid(config, rival, output)).collect()
    }

    /// The bids that win; each counts as served.
    fn allocate_bids(&mut self, router: usize, bids: &[Bid], used: &Used) -> Vec<Bid> {
        let at = &mut self.routers[router];
        let bids: Vec<Bid> = bids.iter().filter(|bid| !used.blocks(bid)).copied().collect();
        let port = |bid: &Bid| bid.port;
        let crossbar_input = |bid: &Bid| bid.crossbar_input;
        let base = router * 64;
        let winners = match self.config.switch_allocator {
            SwitchAllocator::InputFirst => {
                let picked = pick_each(&at.input_arbiters, base, self.now, &bids, crossbar_input);
                pick_each(&at.output_arbiters, base, self.now, &picked, port)
            }
            SwitchAllocator::OutputFirst => {
                let picked = pick_each(&at.output_arbiters, base, self.now, &bids, port);
                pick_each(&at.input_arbiters, base, self.now, &picked, crossbar_input)
            }
        };
        for winner in &winners {
            at.output_arbiters.serve(base + winner.port, winner.rival.input);
            at.input_arbiters.serve(base + winner.crossbar_input, winner.rival.input);
        }
        winners
    }
}

fn bid(config: &Config, rival: Rival, output: usize) -> Bid {
    Bid { rival, crossbar_input: config.crossbar_input(rival.input), port: config.output_port(output) }
}

/// One bid for each value of `key`, picked by the arbiter `base` + that value.
fn pick_each(arbiters: &Arbiters, base: usize, now: u64, bids: &[Bid], key: impl Fn(&Bid) -> usize) -> Vec<Bid> {
    let keys: BTreeSet<usize> = bids.iter().map(&key).collect();
    let pick = |of: usize| {
        let same: Vec<&Bid> = bids.iter().filter(|bid| key(bid) == of).collect();
        let mut rivals: Vec<Rival> = same.iter().map(|bid| bid.rival).collect();
        rivals.sort_unstable_by_key(|rival| rival.input);
        let winner = arbiters.pick(base + of, now, &rivals);
        **same.iter().find(|bid| bid.rival.input == winner).expect("the winner bid")
    };
    keys.into_iter().map(pick).collect()
}
