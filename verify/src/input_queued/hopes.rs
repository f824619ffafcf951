//! Heads that ask for the crossbar in the step in which they ask for a channel.

use super::channels::Given;
use super::config::{Config, Needs};
use super::router::{Router, State, Wish};
use super::switch::Grant;
use std::collections::{BTreeMap, BTreeSet};

/// Who asks without a channel.
#[derive(Clone, Debug, Default)]
pub struct Hopes {
    /// Whether any head waits for a channel.
    pub anyone: bool,
    /// Those that ask, for every crossbar output that they ask for.
    pub bids: Vec<Grant>,
    /// Input ports and channels of heads that did not find what they need at one of the outputs they may take. What
    /// they are granted at others is lost.
    vain: BTreeSet<(usize, usize)>,
}

impl Hopes {
    /// The hopes of these input channels of a router.
    pub fn of(config: &Config, router: &Router, places: &[(usize, usize)], needs: Needs) -> Self {
        let mut hopes = Hopes::default();
        for &(port, channel) in places {
            let State::Asking(wishes) = &router.inputs[port][channel].state else { continue };
            hopes.anyone = true;
            for (to, wanted) in groups(wishes) {
                if !suffices(config, router, &wanted, needs) {
                    hopes.vain.insert((port, channel));
                    continue;
                }
                let bid = Grant { port, channel, output: config.crossbar_output(to, port) };
                let is_open = router.held[config.crossbar_input(port, channel)].is_none();
                if is_open && !router.is_output_held(bid.output) && !hopes.bids.contains(&bid) {
                    hopes.bids.push(bid);
                }
            }
        }
        hopes
    }

    /// Whether what a head is granted is lost.
    pub fn is_vain(&self, grant: Grant) -> bool {
        self.vain.contains(&(grant.port, grant.channel))
    }
}

/// What a head may take, by port and priority: it looks for what it needs in each of these groups.
fn groups(wishes: &[Wish]) -> Vec<(usize, Vec<Wish>)> {
    let mut groups: BTreeMap<(usize, u32), Vec<Wish>> = BTreeMap::new();
    wishes.iter().for_each(|&wish| groups.entry((wish.port, wish.priority)).or_default().push(wish));
    groups.into_iter().map(|((port, _), wishes)| (port, wishes)).collect()
}

fn suffices(config: &Config, router: &Router, wanted: &[Wish], needs: Needs) -> bool {
    let output = |wish: &Wish| &router.outputs[wish.port][wish.channel];
    let is_open = |wish: &Wish| !router.shut[wish.port] && !router.is_queue_full(config, wish.port);
    match needs {
        Needs::Nothing => true,
        Needs::Channel => wanted.iter().any(|wish| output(wish).is_free() && is_open(wish)),
        Needs::Credit => wanted.iter().any(|wish| output(wish).is_free() && output(wish).has_credit() && is_open(wish)),
    }
}

impl Router {
    /// Whether a head that was granted a crossbar output was given a channel of the same port in this step, and that
    /// has a credit.
    pub(super) fn has_got(&self, config: &Config, given: &[Given], grant: Grant) -> bool {
        let got = given.iter().find(|given| given.to == (grant.port, grant.channel));
        got.is_some_and(|given| {
            let (port, channel) = given.output;
            config.crossbar_output(port, grant.port) == grant.output && self.outputs[port][channel].has_credit()
        })
    }
}
