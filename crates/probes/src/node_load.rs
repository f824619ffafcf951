//! Throughput of every node, and how fairly it is shared.

use crate::listed::{End, Listed, Site, switch};
use crate::picture::{Draw, Picture, Shade};
use crate::tables::{column, rows};
use tailback_base::state::{Unfit, are_counts};
use tailback_engine::{Delivery, Probe};
use tailback_results::{Record, Series};
use tailback_spec::Param;
use tailback_traffic::Shared;

/// Flits delivered within a span of cycles, by source node and, where asked for, by destination node.
#[derive(Clone, Debug)]
pub struct NodeLoad {
    from: u64,
    to: u64,
    sent: Vec<u64>,
    /// Empty where not asked for.
    received: Vec<u64>,
}

tailback_base::state!([] NodeLoad { saved: sent, received; rebuilt: from, to; } [fits]);

impl NodeLoad {
    fn fits(&self) -> Result<(), Unfit> {
        are_counts(self.sent.iter().chain(&self.received).copied())
    }
}

impl NodeLoad {
    /// Counts deliveries in cycles `from..to` in a network of `nodes`, by sender.
    pub fn new(from: u64, to: u64, nodes: usize) -> Self {
        NodeLoad { from, to, sent: vec![0; nodes], received: Vec::new() }
    }

    /// The same, by destination too.
    pub fn with_destinations(self) -> Self {
        NodeLoad { received: vec![0; self.sent.len()], ..self }
    }

    /// Flits delivered, by the node that sent them.
    pub fn sent(&self) -> &[u64] {
        &self.sent
    }

    /// Flits delivered of those that the nodes of a kind sent, in the mean over these; `which` says which they are, by node.
    /// `None` where there are none.
    pub fn mean_sent(&self, which: impl Fn(usize) -> bool) -> Option<f64> {
        let sent = || self.sent.iter().enumerate().filter(|&(node, _)| which(node)).map(|(_, &flits)| flits);
        let nodes = sent().count();
        (nodes > 0).then(|| sent().sum::<u64>() as f64 / nodes as f64)
    }

    /// Jain's index of the flits delivered over `sources` sources, all that sent anything among them: 1 where each got the
    /// same through, `1 / sources` where one got all. `None` where nothing was delivered. A source has so many ports in a row.
    pub fn jain_index(&self, sources: u32, ports: usize) -> Option<f64> {
        let sent = || self.sent.chunks(ports).map(|ports| ports.iter().map(|&x| u128::from(x)).sum::<u128>());
        let sum: u128 = sent().sum();
        let squares: u128 = sent().map(|x| x * x).sum();
        let index = |sum: f64| sum * sum / (f64::from(sources) * squares as f64);
        (squares > 0).then(|| index(sum as f64))
    }
}

/// A map of a column of the table of nodes.
const fn map(
    kind: &'static str,
    column: &'static str,
    (title, label, unit): (&'static str, &'static str, &'static str),
    caption: &'static str,
) -> Picture {
    Picture { kind, caption, table: "nodes", draw: Draw::Nodes(Shade { column, title, label, unit }) }
}

impl Listed for NodeLoad {
    const PARAMS: &'static [Param] = &[switch(
        "node_load",
        "Count the flits of every source and every destination in the measured window, and the longest waits.",
    )];

    const PICTURES: &'static [Picture] = &[
        map(
            "sources",
            "sent",
            ("Throughput by source", "Delivered", "flits/node/cycle"),
            "Throughput by source in the measured window: flits delivered of those that each node sent.",
        ),
        map(
            "destinations",
            "received",
            ("Throughput by destination", "Received", "flits/node/cycle"),
            "Throughput by destination in the measured window: flits that each node received.",
        ),
        map(
            "waits",
            "longest_wait",
            ("Longest wait at the front of an injection queue", "Wait", "cycles"),
            "Starvation: the longest time that a packet stood at the front of an injection queue of each node, those that still \
             wait included.",
        ),
    ];

    const MERGE: Option<fn(&mut Self, &Self)> = Some(|one, other| {
        one.sent.iter_mut().zip(&other.sent).for_each(|(flits, more)| *flits += more);
        one.received.iter_mut().zip(&other.received).for_each(|(flits, more)| *flits += more);
    });

    fn close(&mut self, cycle: u64) {
        self.to = self.to.min(cycle);
    }

    fn new(site: &Site<'_>) -> Self {
        let (from, to) = site.measured;
        let load = NodeLoad::new(from, to, site.network.nodes());
        if site.probes.bool("node_load") { load.with_destinations() } else { load }
    }

    fn columns(&self, end: &End<'_>, record: &mut Record) {
        let traffic = end.site.traffic;
        let ports = traffic.shared().map_or(1, Shared::count) as usize;
        record.jain_index = self.jain_index(traffic.sending_nodes(), ports);
        if let Some(hot) = end.site.traffic.hot_sources() {
            let cycles = end.measured_cycles.max(1) as f64;
            let load = |kind: bool| self.mean_sent(|node| hot[node] == kind).map(|flits| flits / cycles);
            (record.culprit_load, record.victim_load) = (load(true), load(false));
        }
    }

    fn tables(&self, end: &End<'_>) -> Vec<Series> {
        if self.received.is_empty() {
            return Vec::new();
        }
        let per_cycle = |flits: &[u64]| flits.iter().map(|&flits| end.per_cycle(flits)).collect();
        let waits = end.watch.waits.by_node(end.cycle);
        let columns = vec![
            column("sent", "flits/cycle", per_cycle(&self.sent)),
            column("received", "flits/cycle", per_cycle(&self.received)),
            column("longest_wait", "cycles", waits.into_iter().map(|wait| wait as f64).collect()),
        ];
        vec![rows("nodes", "", "node", columns)]
    }
}

impl Probe for NodeLoad {
    #[inline]
    fn delivered(&mut self, delivery: Delivery<'_>) {
        if !(self.from..self.to).contains(&delivery.cycle) {
            return;
        }
        let flits = u64::from(delivery.packet.flits);
        self.sent[delivery.packet.source as usize] += flits;
        if let Some(received) = self.received.get_mut(delivery.packet.destination as usize) {
            *received += flits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_engine::packet::Packet;

    fn deliver(load: &mut NodeLoad, cycle: u64, source: u32, destination: u32, flits: u32) {
        let packet = Packet { source, destination, flits, ..Packet::default() };
        load.delivered(Delivery { cycle, packet: &packet });
    }

    #[test]
    fn flits_count_for_both_ends_within_the_span() {
        let mut load = NodeLoad::new(10, 20, 4).with_destinations();
        for (cycle, source, destination, flits) in [(9, 0, 1, 8), (10, 0, 1, 8), (19, 2, 1, 4), (20, 3, 0, 8)] {
            deliver(&mut load, cycle, source, destination, flits);
        }
        assert_eq!((load.sent(), load.received.as_slice()), (&[8, 0, 4, 0][..], &[0, 12, 0, 0][..]));
        let mut sources = NodeLoad::new(0, 20, 4);
        deliver(&mut sources, 5, 0, 1, 8);
        assert_eq!((sources.sent(), sources.received.as_slice()), (&[8, 0, 0, 0][..], &[][..]));
    }

    #[test]
    fn kinds_of_sources_have_a_mean_each() {
        let mut load = NodeLoad::new(0, 10, 4);
        for (source, flits) in [(0, 8), (1, 4), (1, 4), (3, 5)] {
            deliver(&mut load, 1, source, 2, flits);
        }
        assert_eq!(load.mean_sent(|node| node < 2), Some(8.0));
        assert_eq!(load.mean_sent(|node| node >= 2), Some(2.5), "who got nothing through counts");
        assert_eq!(load.mean_sent(|_| false), None);
    }

    #[test]
    fn fairness_is_that_of_the_sources_that_offer_load() {
        let mut load = NodeLoad::new(0, 10, 4);
        assert_eq!(load.jain_index(4, 1), None);
        deliver(&mut load, 1, 0, 1, 6);
        assert_eq!((load.jain_index(1, 1), load.jain_index(4, 1)), (Some(1.0), Some(0.25)));
        deliver(&mut load, 2, 1, 0, 3);
        deliver(&mut load, 3, 2, 0, 3);
        // (6 + 3 + 3)^2 = 144 over n (36 + 9 + 9) = 54 n: a silent node is left out, a starved one is not.
        assert_eq!((load.jain_index(3, 1), load.jain_index(4, 1)), (Some(144.0 / 162.0), Some(144.0 / 216.0)));
        // Two nodes with two ports each got 9 and 3 through.
        assert_eq!(load.jain_index(2, 2), Some(144.0 / 180.0));
    }
}
