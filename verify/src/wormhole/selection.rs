//! Selection: which of several free channels a head takes.

use super::config::Config;
use super::routing::Link;
use std::cmp::Reverse;
use tailback_base::rng::{self, Purpose};

/// Which of several free channels a head takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The lowest channel; then the highest dimension; then up.
    First,
    /// Any of them.
    Random,
    /// The one with the most credits; ties as first.
    MostCredits,
    /// The lowest of the port straight ahead; else as first.
    Straight,
    /// As first among those of other dimensions; where there is none, and for new packets, as first.
    Turn,
}

/// A head that can choose.
pub struct Choice<'a> {
    /// Number of the input in the network: router * 64 + input.
    pub place: u32,
    /// The current cycle.
    pub now: u64,
    /// Where it came from; `None`: from a node.
    pub from: Option<Link>,
    /// The free channels of links, in ascending order, with their credits.
    pub free: &'a [(Link, u32)],
}

impl Config {
    /// The channel that the head takes.
    pub fn select(&self, choice: &Choice) -> Link {
        let links = || choice.free.iter().map(|&(link, _)| link);
        let order = |&(port, channel): &Link| (channel, Reverse(port / 2), port % 2);
        let first = || links().min_by_key(order).expect("some are free");
        match self.selection {
            Selection::First => first(),
            Selection::Random => {
                let bits = rng::draw_u64(self.base.seed, Purpose::Selection, choice.place, choice.now);
                choice.free[rng::below(bits, choice.free.len() as u64) as usize].0
            }
            Selection::MostCredits => {
                let most = choice.free.iter().map(|&(_, credits)| credits).max();
                let emptiest = choice.free.iter().filter(|&&(_, credits)| Some(credits) == most);
                emptiest.map(|&(link, _)| link).min_by_key(order).expect("some are free")
            }
            Selection::Straight => {
                let ahead = links().filter(|&(port, _)| choice.from.is_some_and(|(came_by, _)| came_by == port));
                ahead.min().unwrap_or_else(first)
            }
            Selection::Turn => {
                let turns = links().filter(|&(port, _)| choice.from.is_none_or(|(came_by, _)| came_by / 2 != port / 2));
                turns.min_by_key(order).unwrap_or_else(first)
            }
        }
    }
}
