//! What happened in a run and why, in plain words.

use crate::anatomy::{output, words};
use crate::diagnosis::{Diagnosis, Lock, Saturation, Slow};
use crate::prepare::Prepared;
use crate::run::Finished;
use crate::starvation::{LongWaits, Starving};
use std::cmp::Reverse;
use tailback_probes::levels::direction_name;
use tailback_probes::{Binding, Livelock, Tree};
use tailback_results::Record;

/// So many links, or nodes, are named.
const NAMED: usize = 3;

/// One paragraph: what happened and why, and what is in doubt.
pub(crate) fn explain(
    prepared: &Prepared,
    record: &Record,
    finished: &Finished,
    (diagnosis, long_waits): (&Diagnosis, Option<&LongWaits>),
    ramp_remark: Option<&str>,
) -> String {
    let ramp = ramp_remark.map_or(String::new(), |remark| format!("; {remark}"));
    let doubt = long_waits.map_or(String::new(), |waits| explain_long_waits(record.cycles, waits));
    let trees = explain_trees(prepared, &finished.trees);
    explain_end(prepared, record, diagnosis)
        + &doubt
        + &ramp
        + &trees
        + &words(finished.anatomy.as_ref(), &prepared.grid)
}

fn explain_end(prepared: &Prepared, record: &Record, diagnosis: &Diagnosis) -> String {
    let load = |v: Option<f64>| v.map_or("?".into(), |v| format!("{v:.4}"));
    let (offered, accepted) = (load(record.offered_load), load(record.accepted_load));
    match diagnosis {
        Diagnosis::Steady => format!(
            "steady: the network accepted {accepted} flits/node/cycle of {offered} offered, at a mean latency of {} cycles",
            record.latency_mean.map_or("?".into(), |v| format!("{v:.1}"))
        ),
        Diagnosis::Saturated(saturation) => format!(
            "saturated: the network accepted {accepted} flits/node/cycle of {offered} offered, so source queues grew and \
             latency depends on the length of the run{}{}",
            explain_binding(prepared, saturation),
            explain_starving(record.cycles, &saturation.starving)
        ),
        Diagnosis::Completed => format!("completed: the last tail arrived in cycle {}", record.cycles),
        Diagnosis::Interrupted => {
            format!("interrupted in cycle {}; the numbers cover what was simulated", record.cycles)
        }
        Diagnosis::Slow(slow) => explain_slow(record.cycles, slow),
        Diagnosis::Starved(nodes) => explain_starvation(prepared, record.cycles, nodes),
        Diagnosis::Livelocked(livelock) => explain_livelock(record.cycles, livelock),
        Diagnosis::Deadlocked(lock) => explain_deadlock(record.cycles, lock),
    }
}

/// The links that bind, where somebody looked.
fn explain_binding(prepared: &Prepared, saturation: &Saturation) -> String {
    let Some(heads) = saturation.heads else { return String::new() };
    let mean = format!("of {heads:.1} heads that wait in buffers on average");
    match saturation.binding.as_slice() {
        [] => format!("; no link binds by itself: {mean} none is where most of a link's do"),
        binding => {
            let named = binding.iter().take(NAMED).map(|b| format!("{:.1} for {}", b.heads, place(prepared, b)));
            let named: Vec<String> = named.collect();
            let more = binding.len() - named.len();
            let more = if more > 0 { format!(", and others for {more} more") } else { String::new() };
            format!("; what binds: {mean}, {} wait{more}", named.join(", "))
        }
    }
}

/// Who gets nothing in where all get too little.
fn explain_starving(cycle: u64, nodes: &[Starving]) -> String {
    let Some(first) = nodes.first() else { return String::new() };
    let (many, cycles) = (nodes.len(), cycle.saturating_sub(first.since));
    let who = match many {
        1 => format!("node {} starves", first.node),
        _ => format!("{many} nodes starve, first node {}", first.node),
    };
    format!("; {who}: nothing in since cycle {}, for {cycles} cycles", first.since)
}

/// Who got nothing in for long, and why that is not called starvation.
fn explain_long_waits(cycle: u64, waits: &LongWaits) -> String {
    let Some(first) = waits.nodes.first() else { return String::new() };
    let (many, cycles) = (waits.nodes.len(), cycle.saturating_sub(first.since));
    let who = match many {
        1 => format!("node {} has got nothing in", first.node),
        _ => format!("{many} nodes have got nothing in for long, node {} nothing", first.node),
    };
    format!(
        "; {who} since cycle {}, for {cycles} cycles, which does not prove starvation: {}",
        first.since, waits.doubt
    )
}

/// `link x+ of router [1, 2]`.
fn place(prepared: &Prepared, binding: &Binding) -> String {
    let router = prepared.grid().coordinates(binding.router);
    match binding.port {
        Some(port) => format!("link {} of router {router:?}", direction_name(port as usize)),
        None if prepared.grid().nodes_per_router() == 1 => format!("node {}", binding.router),
        None => format!("the nodes of router {router:?}"),
    }
}

fn explain_slow(cycle: u64, slow: &Slow) -> String {
    let left = slow.cycles_left.map_or(String::new(), |cycles| {
        format!("; at the mean pace so far the others would take about {cycles} cycles more")
    });
    format!(
        "slow: the limit came in cycle {cycle}, when {} of {} packets had arrived, the last in cycle {}{left}",
        slow.delivered, slow.packets, slow.last_delivery
    )
}

fn explain_starvation(prepared: &Prepared, cycle: u64, nodes: &[Starving]) -> String {
    let told = nodes.iter().take(NAMED).map(|s| {
        format!(
            "node {} of router {:?}, whose packet {} has stood at the front of its injection queue since cycle {}, for {} cycles, \
             while the nodes that send got {:.0} packets each in on average",
            s.node,
            prepared.grid().coordinates(prepared.grid().router_of(s.node)),
            s.index,
            s.since,
            cycle.saturating_sub(s.since),
            s.others
        )
    });
    let told: Vec<String> = told.collect();
    let more = nodes.len() - told.len();
    let more = if more > 0 { format!("; and {more} more nodes") } else { String::new() };
    format!("starved: {}{more}", told.join("; "))
}

fn explain_livelock(cycle: u64, livelock: &Livelock) -> String {
    format!(
        "livelock, found in cycle {cycle}: no packet has arrived since cycle {}, while those in the network, {} by now, made {} hops: \
         more than {} each, which no way has",
        livelock.since, livelock.packets, livelock.hops, livelock.longest
    )
}

fn explain_deadlock(cycle: u64, lock: &Lock) -> String {
    let mut text = format!(
        "deadlock, found in cycle {cycle}: {} heads can never move again. Of these {} wait for each other in a circle:",
        lock.blocked,
        lock.circle.len()
    );
    lock.circle.iter().for_each(|stuck| text += &format!("\n  {}", stuck.words));
    text
}

/// A sentence on the congestion trees, where there are any.
fn explain_trees(prepared: &Prepared, trees: &[Tree]) -> String {
    let Some(largest) = trees.iter().max_by_key(|tree| (tree.total(), Reverse((tree.router, tree.port)))) else {
        return String::new();
    };
    let place = output(prepared.grid(), largest.router, usize::from(largest.port));
    format!(
        "; {} congested point{}, of which {place} has the largest tree: {} set-aside queues, up to {} switches away",
        trees.len(),
        if trees.len() == 1 { "" } else { "s" },
        largest.total(),
        largest.distance
    )
}
