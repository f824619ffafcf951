//! Networks that ids or memory cannot hold.

use super::queued;
use crate::memory;
use crate::router::Router;
use tailback_engine::cut_through::Links;
use tailback_mechanisms::{admission, routing};
use tailback_network::topology;
use tailback_probes::latency_split::LatencySplit;
use tailback_spec::{Point, Resolved, SpecError, View};
use tailback_traffic::{has_messages, listed_classes, message_flits};

/// Refuses sizes that ids or memory cannot hold, before anything is allocated; else the bytes a run may come to use.
pub(crate) fn size(point: &Point, router: &Router) -> Result<u64, Box<SpecError>> {
    let topology = point.resolved.view("topology");
    let (routers, nodes) = topology::node_count(topology);
    let shortest = match router.packet_flits() {
        Some(flits) => u64::from(flits),
        None => shortest_packet(&point.resolved),
    };
    let occupancy = watches_levels(&point.resolved);
    let dimensions = topology.integers("radix").len() as u64;
    let recovery = point.resolved.view("recovery");
    let lane_flits = if recovery.has("lane_flits") { recovery.u32("lane_flits") } else { 0 };
    let link_cycles = topology.u32("link_cycles");
    let links = Links::OfGrid;
    let size = memory::Size { routers, nodes, dimensions, shortest, link_cycles, links, occupancy, lane_flits };
    let mut bytes = memory::bytes(size, router);
    if let Router::Queued(router) = router {
        bytes = bytes.saturating_add(queued::bytes(point, router));
    }
    bytes = bytes.saturating_add(routing::bytes(point.resolved.view("routing"), routers));
    bytes = bytes.saturating_add(split_bytes(&point.resolved, router));
    let needs = memory::readable(bytes);
    if nodes.saturating_mul(crate::classes::ports(&point.resolved).into()) > topology::MAX_NODES {
        let message = format!(
            "{} routers with {} nodes are more than ids can name ({}); they would need {needs} of memory",
            counted(routers),
            counted(nodes),
            topology::MAX_NODES
        );
        let error = SpecError::at("topology.radix", message).help("take smaller radices or fewer dimensions");
        return Err(Box::new(error));
    }
    let limit = memory_limit(point.resolved.view("run"));
    if bytes > limit {
        let message = format!(
            "{routers} routers with these buffers may need {needs} of memory, and the limit is {}",
            memory::readable(limit)
        );
        let help = "take smaller radices or buffers, or raise run.memory_limit_mib on a larger machine";
        return Err(Box::new(SpecError::at("topology.radix", message).help(help)));
    }
    Ok(bytes)
}

/// Histograms of the parts of latency, by length and by links crossed, where they are asked for.
fn split_bytes(spec: &Resolved, router: &Router) -> u64 {
    if !spec.view("probes").bool("latency_split") {
        return 0;
    }
    let size = spec.view("traffic").sub("size");
    let lengths = match (router.packet_flits(), size.kind(), message_flits(spec.view("traffic"))) {
        (Some(_), ..) | (_, "fixed", _) => 1,
        (_, "bimodal", _) => 2,
        (.., Ok(flits)) => u64::from(flits.end() - flits.start()) + 1,
        (.., Err(_)) => 0,
    };
    // The longest way along every line; some routings go it twice.
    let across: u64 = spec.view("topology").u32s("radix").iter().map(|&k| u64::from(k) - 1).sum();
    let twice = routing::crosses_twice(spec.view("routing"));
    LatencySplit::bytes(lengths, (1 + u64::from(twice)) * across + 1)
}

/// `count`, which saturates where there are more.
fn counted(count: u64) -> String {
    if count == u64::MAX { "more than 1.8e19".to_owned() } else { count.to_string() }
}

/// Whether what nodes send can be looked at in little memory, though the network is too large.
pub(crate) fn few_nodes(topology: View) -> bool {
    topology::node_count(topology).1 <= 1 << 20
}

/// Whether a throttle or a probe reads buffer levels.
pub(super) fn watches_levels(spec: &Resolved) -> bool {
    !admission::is_off(spec.view("admission")) || tailback_probes::reads_levels(spec.view("probes"))
}

/// Bytes that a run may use.
pub(crate) fn memory_limit(run: View) -> u64 {
    match run.finite("memory_limit_mib") {
        Some(mib) => mib.saturating_mul(1 << 20),
        None => memory::of_machine().map_or(16 << 30, |total| total / 4 * 3),
    }
}

/// The shortest packet that a `traffic.size` can make, 1 where it cannot be told. Most packets of a program or of a host are as long as they are cut.
pub(crate) fn shortest_packet(spec: &Resolved) -> u64 {
    if has_messages(spec.view("workload")) {
        return u64::from(spec.view("traffic").u32("packet_flits").max(1));
    }
    if listed_classes(spec.view("traffic")) > 0 {
        return message_flits(spec.view("traffic")).map_or(1, |flits| u64::from(*flits.start()).max(1));
    }
    let size = spec.view("traffic").sub("size");
    let least = match size.kind() {
        "fixed" => size.table().get("flits").and_then(toml::Value::as_integer),
        "bimodal" => {
            let value = |key: &str| size.table().get(key).and_then(toml::Value::as_integer);
            value("short_flits").min(value("long_flits"))
        }
        _ => None,
    };
    least.map_or(1, |v| v.max(1) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_64_bits_are_said_so() {
        assert_eq!(counted(1_000_000_000), "1000000000");
        assert_eq!(counted(u64::MAX), "more than 1.8e19");
    }
}
