//! What happened in a run and why, in plain words.

use crate::prepare::Prepared;
use crate::run::Finished;
use std::cmp::Reverse;
use tailback_probes::Tree;
use tailback_probes::levels::direction_name;
use tailback_results::{Record, Status};

/// One paragraph: what happened and why.
pub(crate) fn explain(prepared: &Prepared, record: &Record, finished: &Finished) -> String {
    explain_status(prepared, record, finished) + &explain_trees(prepared, &finished.trees)
}

fn explain_status(prepared: &Prepared, record: &Record, finished: &Finished) -> String {
    let load = |v: Option<f64>| v.map_or("?".into(), |v| format!("{v:.4}"));
    let (offered, accepted) = (load(record.offered_load), load(record.accepted_load));
    match record.status {
        Status::Steady => format!(
            "steady: the network accepted {accepted} flits/node/cycle of {offered} offered, at a mean latency of {} cycles",
            record.latency_mean.map_or("?".into(), |v| format!("{v:.1}"))
        ),
        Status::Saturated => format!(
            "saturated: the network accepted {accepted} flits/node/cycle of {offered} offered, so source queues grew and \
             latency depends on the length of the run"
        ),
        Status::Completed => format!("completed: the last tail arrived in cycle {}", record.cycles),
        Status::Interrupted => format!("interrupted in cycle {}; the numbers cover what was simulated", record.cycles),
        Status::Starved => "starved".into(),
        Status::Deadlocked => match &finished.deadlock {
            Some(deadlock) => explain_deadlock(prepared, record.cycles, deadlock),
            None => String::new(),
        },
    }
}

fn explain_deadlock(prepared: &Prepared, cycle: u64, deadlock: &tailback_engine::cut_through::Deadlock) -> String {
    let grid = prepared.grid();
    let place = |router: u32| format!("{:?}", grid.coordinates(router));
    let mut text = format!(
        "deadlock, found in cycle {cycle}: {} heads can never move again. Of these {} wait for each other in a circle:",
        deadlock.blocked,
        deadlock.cycle.len()
    );
    for head in &deadlock.cycle {
        let channels: Vec<String> =
            tailback_base::bits::ones(u64::from(head.channels)).map(|c| c.to_string()).collect();
        text += &format!(
            "\n  the packet from node {} to node {} at the front of {} channel {} of router {} waits for room in channel {} \
             of {} towards router {}",
            head.source,
            head.destination,
            direction_name(usize::from(head.input.0)),
            head.input.1,
            place(head.router),
            channels.join(" or "),
            direction_name(usize::from(head.port)),
            place(grid.peer(head.router, usize::from(head.port))),
        );
    }
    text
}

/// A sentence on the congestion trees, where there are any.
fn explain_trees(prepared: &Prepared, trees: &[Tree]) -> String {
    let Some(largest) = trees.iter().max_by_key(|tree| (tree.total(), Reverse((tree.router, tree.port)))) else {
        return String::new();
    };
    let (grid, port) = (prepared.grid(), usize::from(largest.port));
    let place = match port.checked_sub(grid.ports()) {
        None => format!("link {} of router {:?}", direction_name(port), grid.coordinates(largest.router)),
        Some(local) => format!("node {}", largest.router * grid.nodes_per_router() + local as u32),
    };
    format!(
        "; {} congested point{}, of which {place} has the largest tree: {} set-aside queues, up to {} switches away",
        trees.len(),
        if trees.len() == 1 { "" } else { "s" },
        largest.total(),
        largest.distance
    )
}
