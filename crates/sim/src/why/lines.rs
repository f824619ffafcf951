//! The lines beside what binds: busiest links, who waits, congestion, fairness.

use super::binds::NAMED;
use super::cause::Cause;
use super::ends::capital;
use super::measures::Measures;
use super::numbers::{count, list, mean, percent, whole};
use super::places::{any_output, directions};
use crate::starvation::Starving;
use tailback_network::Grid;
use tailback_probes::LinkUse;
use tailback_results::Record;

/// A link is busy all the time from this part of the cycles on.
const BUSY: f64 = 0.9;

/// Jain's index below which fairness is worth a line.
const FAIR: f64 = 0.9;

/// The most used links, and the mean of each direction.
pub fn busiest(of: &Measures<'_>, cause: &Cause) -> Option<String> {
    let used = of.use_by_port()?;
    let is_grid = of.kinds.are_ports();
    let named = |link: &&LinkUse| {
        let (name, share) = (any_output(of.network, link.router, link.port), percent(link.utilisation));
        if is_grid { format!("{name} {share}") } else { format!("{name} ({share})") }
    };
    let links: Vec<String> = of.busiest(NAMED).iter().map(named).collect();
    let means: Vec<String> =
        used.iter().enumerate().map(|(kind, &share)| format!("{} {}", of.kinds.name(kind), percent(share))).collect();
    let all = match is_grid {
        true => format!("All links of a direction together: {}.", means.join(", ")),
        false if of.kinds.count() == 1 => format!("All links together: {}.", percent(used[0])),
        false => format!("All links of a kind together: {}.", means.join(", ")),
    };
    let mut text = match is_grid {
        true => format!("{} of the cycles. {all}", links.join(", ")),
        false => format!("{}, by the share of cycles in which they carry a flit. {all}", capital(&list(&links))),
    };
    if let Cause::Direction { ports } = cause
        && ports.iter().all(|&port| used[port] < BUSY)
    {
        text += &format!(" So most {} links have time left that they cannot use.", directions(ports));
    }
    Some(text)
}

/// Where packets spend their time.
pub fn waits(of: &Measures<'_>, record: &Record) -> Option<String> {
    let mut text = String::new();
    if let (Some(all), Some(source), Some(network)) =
        (record.latency_mean, record.source_latency_mean, record.network_latency_mean)
    {
        text = format!(
            "A packet takes {} cycles: {} ({}) in the source queue, {} in the network.",
            mean(all),
            mean(source),
            percent(source / all.max(1e-9)),
            mean(network)
        );
    }
    if let Some(blocked) = of.anatomy.map(|anatomy| anatomy.blocked).filter(|b| b.total() > 0 && b.unknown == 0) {
        let share = |part: u64| percent(part as f64 / blocked.total() as f64);
        if blocked.behind() == 0 {
            return Some(
                format!("{text} All of the blocked time in the network is at the front of a queue.")
                    .trim_start()
                    .to_owned(),
            );
        }
        text += &format!(
            " Of the blocked time in the network {} is at the front of a queue, {} behind a packet that wants the same link, {} behind \
             one that wants another busy link, and {} is head-of-line blocking: the link it wants is free.",
            share(blocked.front),
            share(blocked.same),
            share(blocked.other),
            share(blocked.head_of_line)
        );
    }
    (!text.is_empty()).then(|| text.trim_start().to_owned())
}

/// Trees, links that stand still, victims.
pub fn congestion(of: &Measures<'_>) -> Option<String> {
    let anatomy = of.anatomy?;
    let (trees, still) = (anatomy.mean(|found| found.trees)?, anatomy.mean(|found| found.still)?);
    if anatomy.lives.trees == 0 {
        return Some("No congestion tree at any time.".to_owned());
    }
    let trees = if trees < 9.5 { format!("{trees:.1}") } else { whole(trees.round() as u64) };
    let still = if still < 9.5 { format!("{still:.1}") } else { whole(still.round() as u64) };
    let deepest = anatomy.deepest().unwrap_or_default();
    let row = if deepest > 1 {
        format!(", up to {deepest} in a row{}", of.network.grid().map_or("", |grid| whole_ring(grid, deepest)))
    } else {
        String::new()
    };
    let mut text =
        format!("{trees} trees at a time; {still} of {} stand still{row}.", count(of.network.links() as u64, "link"));
    let roles = anatomy.flows.total();
    if roles.culprit + roles.victim > 0 {
        let share = roles.victim as f64 / (roles.culprit + roles.victim) as f64;
        text += &format!(
            " {} of the time blocked in trees is that of victims, which do not cross the link at the root.",
            capital(&percent(share))
        );
    }
    Some(text)
}

/// Links in a row that are a ring, or all of it but one.
fn whole_ring(grid: &Grid, deepest: u32) -> &'static str {
    let rings = || grid.radix().iter().zip(grid.wrap()).filter(|&(&k, &wrap)| wrap && k > 2).map(|(&k, _)| k);
    match deepest {
        all if rings().any(|k| k == all) => ": a whole ring",
        most if rings().any(|k| k == most + 1) => ": a whole ring but one",
        _ => "",
    }
}

/// The line about fairness: the nodes that get too little.
pub fn fairness(record: &Record, starving: &[Starving]) -> Option<String> {
    let index = record.jain_index.filter(|&index| index < FAIR);
    let mut sentences: Vec<String> = Vec::new();
    match starving {
        [] => {}
        [one] => sentences.push(format!("Node {} got nothing in {}.", one.node, since(record.cycles, one))),
        [first, ..] => {
            let named: Vec<String> = starving.iter().take(NAMED).map(|node| node.node.to_string()).collect();
            let others = starving.len() - named.len();
            let named = if others > 0 { format!("{} and {others} more", named.join(", ")) } else { list(&named) };
            sentences.push(format!(
                "{} starve: {named}. Node {} got nothing in {}.",
                count(starving.len() as u64, "node"),
                first.node,
                since(record.cycles, first)
            ));
        }
    }
    sentences.extend(index.map(|index| format!("Jain's index is {index:.2}.")));
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// `from cycle 4,949 to the end (7,051 cycles)`.
pub fn since(cycle: u64, node: &Starving) -> String {
    format!("from cycle {} to the end ({} cycles)", whole(node.since), whole(cycle.saturating_sub(node.since)))
}
