//! What distinguishes the runs of this paper, and what is measured of them.

use crate::lab::Run;

/// A network of table 1: its number, switches each way, nodes a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    /// Its number in the paper.
    pub number: u32,
    /// Switches in a row and rows.
    pub radix: u32,
    /// Nodes at a switch.
    pub nodes: u32,
}

/// All in the order of table 1.
pub const NETWORKS: [Network; 5] = [
    Network { number: 1, radix: 16, nodes: 1 },
    Network { number: 2, radix: 8, nodes: 4 },
    Network { number: 3, radix: 4, nodes: 16 },
    Network { number: 4, radix: 8, nodes: 1 },
    Network { number: 5, radix: 4, nodes: 1 },
];

impl Network {
    /// Bytes/ns that uniform traffic can get through the bisection, all nodes together.
    pub fn ceiling(self) -> f64 {
        4.0 * f64::from(self.radix)
    }

    /// The same by node \[bytes/ns\].
    pub fn full_rate(self) -> f64 {
        self.ceiling() / f64::from(self.radix * self.radix * self.nodes)
    }
}

/// A queueing scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// A queue a destination.
    VoqNet,
    /// A queue a port of the switch.
    VoqSw,
    /// Set-aside queues.
    Recn,
}

/// All, in the order in which they are drawn.
pub const SCHEMES: [Scheme; 3] = [Scheme::VoqNet, Scheme::VoqSw, Scheme::Recn];

impl Scheme {
    /// Of a run.
    pub fn of(run: &Run) -> Self {
        match run.point.resolved.view("queueing").kind() {
            "voq_net" => Scheme::VoqNet,
            "voq_sw" => Scheme::VoqSw,
            _ => Scheme::Recn,
        }
    }

    /// As the paper calls it.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::VoqNet => "VOQnet",
            Scheme::VoqSw => "VOQsw",
            Scheme::Recn => "RECN",
        }
    }
}

/// A kind of traffic of table 1, by its number: 1 without hot sources, 2 with one in eight, 3 with one in four.
pub fn traffic(run: &Run) -> u32 {
    let pattern = run.point.resolved.view("traffic.pattern");
    match pattern.kind() {
        "hot_sources" if pattern.u32("one_in") == 4 => 3,
        "hot_sources" => 2,
        _ => 1,
    }
}

/// Bytes/ns of a flit a cycle, which is a link's whole rate.
fn link_rate(run: &Run) -> f64 {
    run.point.resolved.view("router").float("link_gbps") / 8.0
}

/// What every node is asked for \[bytes/ns\].
pub fn rate(run: &Run) -> f64 {
    run.point.resolved.view("traffic").float("load") * link_rate(run)
}

/// What all nodes receive, as a part of the bytes/ns that uniform traffic can get through the bisection \[percent\].
pub fn relative(run: &Run) -> Option<f64> {
    run.outcome.record.relative_throughput.map(|part| 100.0 * part)
}

/// Most set-aside queues in use at one ingress side.
pub fn most_ingress(run: &Run) -> Option<f64> {
    run.outcome.record.set_aside_max_ingress
}

/// Most set-aside queues in use at one egress side.
pub fn most_egress(run: &Run) -> Option<f64> {
    run.outcome.record.set_aside_max_egress
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_have_the_limits_of_the_design() {
        assert_eq!(NETWORKS.map(Network::ceiling), [64.0, 32.0, 16.0, 32.0, 16.0]);
        assert_eq!(NETWORKS.map(Network::full_rate), [0.25, 0.125, 0.0625, 0.5, 1.0]);
    }
}
