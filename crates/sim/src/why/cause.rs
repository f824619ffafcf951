//! What binds a network that does not carry what it is offered: the first of these rules that holds, by what was measured.

use super::measures::Measures;
use serde::{Deserialize, Serialize};

/// What binds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// The network carries what it is offered, or the workload is complete.
    Nothing,
    /// The cause is not known, because no probe looked closely enough.
    Unknown,
    /// The ports to a few nodes.
    HotSpot {
        /// The nodes, the worst first.
        nodes: Vec<u32>,
    },
    /// The ports to nodes, those of many.
    Ejection,
    /// The admission mechanism, which holds packets at their sources.
    Admission,
    /// The order of queues: packets wait behind others while the link that they want is free.
    HeadOfLine,
    /// The links of one direction, or of a few.
    Direction {
        /// The ports, the worst first.
        ports: Vec<usize>,
    },
    /// Virtual channels, which other packets hold.
    Channels,
    /// Links here and there.
    Links,
    /// Packets wait for each other for ever.
    Deadlock,
    /// Packets move, and none arrives.
    Livelock,
    /// Some nodes get nothing in, while the others do.
    Starvation,
    /// The operations of a program wait for each other, or for what is never sent.
    Program,
}

/// Node ports bind when packets spend more than this part of the time blocked in trees in those of node ports.
const ROOTS: f64 = 0.5;
/// A hot spot is so few nodes at most, as a part of all, that have more than [`ROOTS`] of what the nodes' ports have.
const FEW: f64 = 0.05;
/// Admission binds when it holds more than this part of the fronts that wait at their sources ...
const HELD: f64 = 0.5;
/// ... and links stand still for less than this part of the time.
const STILL: f64 = 0.1;
/// Queues bind when packets spend more than this part of their blocked time behind others while their link is free, and links stand still
/// for less than [`STILL`].
const HEAD_OF_LINE: f64 = 0.1;
/// A direction binds when it stands still so many times as often as the mean of the others ...
const TIMES: f64 = 3.0;
/// ... and for at least this part of the time.
const LEAST: f64 = 0.02;
/// Channels bind when more than this part of the waiting fronts wait for one.
const CHANNEL: f64 = 0.5;

/// The cause, where packets do not get through.
pub fn cause(of: &Measures<'_>) -> Cause {
    if !of.looked() {
        return demanded(of);
    }
    let fronts = of.fronts();
    if fronts.held > HELD && of.still_mean() < STILL {
        return Cause::Admission;
    }
    if of.root_of_nodes() > ROOTS {
        return ejection(of);
    }
    if of.kinds.are_ports()
        && let Some(ports) = direction(&of.still_by_port())
        && (is_one_way(&ports) || fronts.channel <= CHANNEL)
    {
        return Cause::Direction { ports };
    }
    let head_of_line = of.head_of_line().is_some_and(|share| share > HEAD_OF_LINE);
    match of.has_trees() {
        _ if head_of_line && of.still_mean() < STILL => Cause::HeadOfLine,
        _ if fronts.channel > CHANNEL => Cause::Channels,
        true => Cause::Links,
        false => demanded(of),
    }
}

/// Where no link stands still because of another one, or nobody looked, only what the fronts wait for is known.
fn demanded(of: &Measures<'_>) -> Cause {
    match of.demand_of_nodes() {
        Some(nodes) if nodes > ROOTS => ejection(of),
        Some(_) => Cause::Links,
        _ => Cause::Unknown,
    }
}

fn ejection(of: &Measures<'_>) -> Cause {
    let nodes = of.worst_nodes(ROOTS);
    let few = (FEW * of.network.nodes() as f64).max(1.0);
    if nodes.len() as f64 <= few { Cause::HotSpot { nodes } } else { Cause::Ejection }
}

/// The fewest directions, at most half of them, each of which stands still more than [`TIMES`] as often as the mean of the others.
fn direction(still: &[f64]) -> Option<Vec<usize>> {
    let mut order: Vec<usize> = (0..still.len()).collect();
    order.sort_by(|&a, &b| still[b].total_cmp(&still[a]));
    (1..=still.len() / 2).find_map(|many| {
        let (worst, others) = order.split_at(many);
        let mean = others.iter().map(|&port| still[port]).sum::<f64>() / others.len() as f64;
        let least = still[worst[many - 1]];
        (least >= LEAST && least > TIMES * mean).then(|| worst.to_vec())
    })
}

/// Whether none of the directions is the opposite of another one.
fn is_one_way(ports: &[usize]) -> bool {
    ports.iter().all(|port| !ports.contains(&(port ^ 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_direction_is_named_when_it_stands_still_three_times_as_often_as_the_others() {
        assert_eq!(direction(&[0.62, 0.0, 0.01, 0.0]), Some(vec![0]));
        assert_eq!(direction(&[0.30, 0.10, 0.10, 0.10]), None, "not more than three times");
        assert_eq!(direction(&[0.31, 0.10, 0.10, 0.10]), Some(vec![0]));
        assert_eq!(direction(&[0.40, 0.01, 0.38, 0.02]), Some(vec![0, 2]), "two together");
        assert_eq!(direction(&[0.01, 0.0, 0.0, 0.0]), None, "it hardly ever stands still");
        assert_eq!(direction(&[0.5, 0.4]), None);
        assert_eq!(direction(&[0.5, 0.1]), Some(vec![0]), "a ring");
        assert_eq!(direction(&[]), None);
    }
}
