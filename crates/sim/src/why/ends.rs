//! How a run ended, in a sentence, and what stands behind an end that is no saturation.

use super::Line;
use super::numbers::{count, load, mean, percent, whole};
use super::places;
use crate::diagnosis::{Diagnosis, Lock, Slow, Stuck};
use crate::prepare::Prepared;
use crate::starvation::{LongWaits, Starving};
use tailback_probes::Livelock;
use tailback_results::Record;

/// The most nodes that a sentence names.
const NAMED: usize = 3;

/// The first sentence.
pub fn headline(record: &Record, diagnosis: &Diagnosis) -> String {
    match diagnosis {
        Diagnosis::Steady => steady(record),
        Diagnosis::Saturated(_) => saturated(record),
        Diagnosis::Completed => {
            format!("The workload is complete: the last packet arrived in cycle {}.", whole(record.cycles))
        }
        Diagnosis::Interrupted => {
            format!("The run was stopped in cycle {}. The numbers cover the cycles before it.", whole(record.cycles))
        }
        Diagnosis::Slow(slow) => slowness(record.cycles, slow),
        Diagnosis::Starved(nodes) => match nodes.len() {
            1 => "A node starves: it gets no packet into the network, while the other nodes do.".to_owned(),
            many => format!("{many} nodes starve: they get no packet into the network, while the other nodes do."),
        },
        Diagnosis::Livelocked(livelock) => livelocked(record.cycles, livelock),
        Diagnosis::Deadlocked(lock) => deadlocked(record.cycles, lock),
        Diagnosis::Stuck(stuck) => is_stuck(stuck),
    }
}

fn steady(record: &Record) -> String {
    let latency = record
        .latency_mean
        .map_or(String::new(), |cycles| format!(" A packet takes {} cycles on average.", mean(cycles)));
    match (record.accepted_load, record.offered_load) {
        (Some(accepted), Some(_)) => {
            format!("The network accepts what is offered, {} flits/node/cycle.{latency}", load(accepted))
        }
        (Some(accepted), None) => format!("The network accepts {} flits/node/cycle.{latency}", load(accepted)),
        _ => format!("The network carries what it is offered.{latency}"),
    }
}

fn saturated(record: &Record) -> String {
    match (record.accepted_load, record.offered_load) {
        (Some(accepted), Some(offered)) => format!(
            "The network accepts {} of the {} flits/node/cycle that are offered ({}).",
            load(accepted),
            load(offered),
            percent(accepted / offered.max(f64::MIN_POSITIVE))
        ),
        _ => "The network accepts less than it is offered.".to_owned(),
    }
}

fn slowness(cycle: u64, slow: &Slow) -> String {
    let share = slow.delivered as f64 / slow.packets.max(1) as f64;
    let left = slow.cycles_left.map_or(String::new(), |cycles| {
        format!(" At the mean pace so far, the other packets would take about {} cycles more.", whole(cycles))
    });
    format!(
        "The workload is not complete: its limit came in cycle {}, when {} of {} packets ({}) had arrived, the last in cycle {}.{left}",
        whole(cycle),
        whole(slow.delivered),
        whole(slow.packets),
        percent(share),
        whole(slow.last_delivery)
    )
}

fn livelocked(cycle: u64, livelock: &Livelock) -> String {
    format!(
        "Livelock, found in cycle {}: packets move, but none has arrived since cycle {}. The {} in the network have made {} \
         since then, more than {} each, and no route is that long.",
        whole(cycle),
        whole(livelock.since),
        count(livelock.packets, "packet"),
        count(livelock.hops, "hop"),
        whole(livelock.longest)
    )
}

fn deadlocked(cycle: u64, lock: &Lock) -> String {
    let circle = match lock.circle.len() {
        all if all == lock.blocked => "They".to_owned(),
        some => format!("Of these, {some}"),
    };
    // The program and the network lock together: neither would alone.
    let what = match lock.circle.iter().any(|held| held.head.is_consumer()) {
        true => "Protocol deadlock",
        false => "Deadlock",
    };
    format!(
        "{what}, found in cycle {}: {} can never move again. {circle} wait for each other in a circle.",
        whole(cycle),
        count(lock.blocked as u64, "packet")
    )
}

fn is_stuck(stuck: &Stuck) -> String {
    format!(
        "The program is stuck since cycle {}: no packet is in the network and nothing computes, but {} not finished. {} for a message that \
         is never sent.",
        whole(stuck.since),
        match stuck.remaining {
            1 => "1 operation has".to_owned(),
            many => format!("{} operations have", whole(many)),
        },
        match stuck.waiting {
            1 => "1 receive waits".to_owned(),
            many => format!("{} receives wait", whole(many)),
        }
    )
}

/// What stands behind an end that is not a matter of loads.
pub fn behind(prepared: &Prepared, record: &Record, diagnosis: &Diagnosis) -> Option<Line> {
    match diagnosis {
        Diagnosis::Deadlocked(lock) => {
            let words = lock.circle.iter().map(|stuck| &stuck.words).chain(&lock.waits);
            let items = words.map(|words| format!("{}.", capital(words))).collect();
            Some(Line { label: "The circle".to_owned(), text: String::new(), items })
        }
        Diagnosis::Stuck(stuck) => {
            let items = stuck.waits.iter().map(|waits| format!("{}.", capital(waits))).collect();
            Some(Line { label: "What waits".to_owned(), text: String::new(), items })
        }
        Diagnosis::Starved(nodes) => Some(Line::new("Who starves", who_starves(prepared, record.cycles, nodes))),
        _ => None,
    }
}

fn who_starves(prepared: &Prepared, cycle: u64, nodes: &[Starving]) -> String {
    let network = prepared.network();
    let told = nodes.iter().take(NAMED).map(|node| {
        format!(
            "Node {} at {} got no packet into the network from cycle {} to the end, {} cycles, while the nodes that send got {:.0} each into \
             it on average.",
            node.node,
            places::at(network, network.router_of(node.node)),
            whole(node.since),
            whole(cycle.saturating_sub(node.since)),
            node.others
        )
    });
    let mut told: Vec<String> = told.collect();
    let more = nodes.len() - told.len();
    if more > 0 {
        told.push(format!("So did {}.", count(more as u64, "more node")));
    }
    told.join(" ")
}

/// Nodes that got nothing in for long, and why that is not called starvation.
pub fn in_doubt(cycle: u64, waits: &LongWaits) -> Option<String> {
    let first = waits.nodes.first()?;
    let others = match waits.nodes.len() - 1 {
        0 => String::new(),
        more => format!(" {} waited long as well.", capital(&count(more as u64, "other node"))),
    };
    Some(format!(
        "Node {} got no packet into the network from cycle {} to the end, {} cycles.{others} This does not prove starvation: {}.",
        first.node,
        whole(first.since),
        whole(cycle.saturating_sub(first.since)),
        waits.doubt
    ))
}

/// With its first letter as a capital one.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
