//! Operations that wait for what never comes, and what each of them waits for.

use super::Driven;
use super::matching::Posted;
use super::rank::{Outbox, Rank, Site};
use crate::outcome::{Cause, Kept, Waits};
use std::collections::BTreeMap;
use tailback_program::Work;

impl Driven<'_> {
    /// How many receives wait for a message.
    pub(super) fn waiting(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.matching.posted.len() as u64).sum()
    }

    /// Messages that no receive asks for and that keep places, `most` of them at most.
    pub(super) fn kept(&self, most: usize) -> Vec<Kept> {
        let of = |(rank, at): (u32, &Rank)| {
            let kept = |(&message, &(_, packets)): (&(u32, u32), &(u32, u32))| Kept { rank, message, packets };
            at.held.unmatched.iter().map(kept).collect::<Vec<_>>()
        };
        (0u32..).zip(&self.ranks).flat_map(of).take(most).collect()
    }

    /// Receives that wait for messages, `most` of them at most, where nothing is in the network and no rank has anything to do. Those of a
    /// circle come first, in its order: each waits for a send that waits for the next one.
    pub(super) fn stuck(&self, most: usize) -> Vec<Waits> {
        let posted =
            (0u32..).zip(&self.ranks).flat_map(|(rank, of)| of.matching.posted.iter().map(move |at| (rank, *at)));
        let Some(first) = posted.clone().next() else { return Vec::new() };
        let mut chain = self.chain(first);
        let others = posted.filter(|&(rank, at)| !chain.iter().any(|of| (of.rank, of.number) == (rank, at.number)));
        let others: Vec<_> = others.take(most.saturating_sub(chain.len())).collect();
        chain.extend(others.into_iter().map(|(rank, at)| self.waits(rank, at)));
        chain.truncate(most);
        chain
    }

    /// Receives each of which waits for the next one: a circle if the chain closes.
    fn chain(&self, first: (u32, Posted)) -> Vec<Waits> {
        let mut chain: Vec<Waits> = Vec::new();
        let mut places = BTreeMap::new();
        let mut next = Some(first);
        while let Some((rank, at)) = next {
            if let Some(begin) = places.insert((rank, at.number), chain.len()) {
                chain.rotate_left(begin);
                break;
            }
            let waits = self.waits(rank, at);
            next = match (&waits.cause, waits.from) {
                (Cause::Behind { receive, .. }, Some(from)) => {
                    let posted = &self.ranks[from as usize].matching.posted;
                    posted.iter().find(|of| of.number == *receive).map(|&of| (from, of))
                }
                _ => None,
            };
            chain.push(waits);
        }
        chain
    }

    fn waits(&self, rank: u32, at: Posted) -> Waits {
        let Posted { number, from, tag } = at;
        let cause = match from {
            None => Cause::AnyRank,
            Some(from) => self.cause(from, rank, tag),
        };
        Waits { rank, number, from, tag, cause }
    }

    /// Why `source` does not send to `rank`.
    fn cause(&self, source: u32, rank: u32, tag: Option<u32>) -> Cause {
        let site = Site { placed: self.placed, rank: source };
        let held = self.held(site);
        let sends = |number: u32| match site.work(number) {
            Work::Send { to, tag: sent, .. } => to == rank && tag.is_none_or(|tag| tag == sent),
            _ => false,
        };
        let found = held.iter().find(|&(&number, _)| sends(number));
        let begun = self.ranks[source as usize].outboxes.iter().flat_map(Outbox::begun).find(|&number| sends(number));
        if let (None, Some(send)) = (found, begun) {
            return Cause::Leaving { send };
        }
        found.map_or(Cause::NeverSent, |(&send, &receive)| Cause::Behind { send, receive })
    }

    /// Operations of a rank that wait for others, with a receive that each of them waits for in the end.
    fn held(&self, site: Site) -> BTreeMap<u32, u32> {
        let mut held = BTreeMap::new();
        for posted in self.ranks[site.rank as usize].matching.posted.iter() {
            let mut next = vec![posted.number];
            while let Some(number) = next.pop() {
                site.program().dependants(site.rank, number, &mut |waiting, _| {
                    if held.insert(waiting, posted.number).is_none() {
                        next.push(waiting);
                    }
                });
            }
        }
        held
    }
}
