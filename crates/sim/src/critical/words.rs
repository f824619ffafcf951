//! The critical path in words.

use super::chain::{Kind, Segment};
use super::{CHANNEL_WAIT, Critical, Held, SHARE_NAMES, Shares};
use crate::why::Line;
use crate::why::numbers::{count, list, percent, whole};
use crate::why::places;
use std::cmp::Reverse;
use tailback_network::Network;

/// Segments that are named.
const NAMED: usize = 5;

/// Places that are named.
const PLACES: usize = 3;

/// What the shares are, for people.
const WORDS: [&str; SHARE_NAMES.len()] = [
    "computing",
    "in source queues behind other messages",
    "held by admission",
    "waiting for channels",
    "on wires and in routers",
    "for the flits of messages to follow each other",
];

/// The line of a page of causes.
pub(crate) fn line(critical: &Critical, network: &Network) -> Line {
    let text = format!(
        "The longest chain of causes has {} and lasts {}: {}.",
        count(critical.segments.len() as u64, "segment"),
        count(critical.duration, "cycle"),
        spent(&critical.shares, critical.duration),
    );
    let mut items: Vec<String> = critical.waits.iter().take(PLACES).map(|held| wait(held, network)).collect();
    let mut longest: Vec<&Segment> = critical.segments.iter().collect();
    longest.sort_by_key(|segment| (Reverse(segment.to - segment.from), segment.from));
    longest.truncate(NAMED);
    longest.sort_by_key(|segment| segment.from);
    items.extend(longest.into_iter().map(told));
    Line { label: "Critical path".to_owned(), text, items }
}

/// `1,792 cycles (98 %) for ..., and 42 cycles (2 %) on wires and in routers`, the most first.
fn spent(shares: &Shares, all: u64) -> String {
    let mut parts: Vec<(u64, &str)> = shares.iter().copied().zip(WORDS).filter(|&(cycles, _)| cycles > 0).collect();
    parts.sort_by_key(|&(cycles, _)| Reverse(cycles));
    let part = |(cycles, words): (u64, &str)| {
        format!("{} ({}) {words}", count(cycles, "cycle"), percent(cycles as f64 / all.max(1) as f64))
    };
    list(&parts.into_iter().map(part).collect::<Vec<String>>())
}

fn wait(held: &Held, network: &Network) -> String {
    let at = match held.port {
        Some(port) => places::any_output(network, held.router, usize::from(port)),
        None => format!("a channel at {}", places::at(network, held.router)),
    };
    let holder = held.holder.map_or(String::new(), |rank| format!(", mostly for packets of rank {rank}"));
    format!("Packets of the chain wait {} for {at}{holder}.", count(held.cycles, "cycle"))
}

fn told(segment: &Segment) -> String {
    let Segment { from, to, rank, place, peer, flits, shares, .. } = segment;
    let span = format!("Cycles {} to {}", whole(*from), whole(*to));
    let of = format!("rank {rank} ({place})");
    let what = match (segment.kind, peer) {
        (Kind::Compute, _) | (_, None) => return format!("{span}: {of} computes."),
        (Kind::Message, Some(peer)) => {
            format!("a message of {} from {of} to rank {peer}", count(u64::from(*flits), "flit"))
        }
        (Kind::Send, Some(peer)) => {
            format!("{of} sends {} to rank {peer}, until the last has left", count(u64::from(*flits), "flit"))
        }
        (Kind::Start, Some(peer)) => format!("{of} waits until its message to rank {peer} begins to leave"),
    };
    let waits = shares[CHANNEL_WAIT];
    let waits = if waits > 0 { format!(", of which it waits {} for channels", whole(waits)) } else { String::new() };
    format!("{span}: {what}{waits}.")
}
