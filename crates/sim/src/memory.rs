//! What a network will need, before it is built.

use tailback_engine::cut_through::{self, Router};
use tailback_engine::packet::Packet;

/// What the estimate needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Routers.
    pub routers: u64,
    /// Nodes.
    pub nodes: u64,
    /// Dimensions.
    pub dimensions: u64,
    /// Shortest packet \[flits\].
    pub shortest: u64,
    /// Whether buffer levels are kept.
    pub occupancy: bool,
}

/// Bytes that a run of this size may come to use: tables, buffers, and every buffer full of packets. Saturating.
pub fn bytes(size: Size, router: &Router) -> u64 {
    let ports = 2 * size.dimensions;
    let channels = u64::from(router.channels);
    let inputs = ports * channels;
    let per_router_nodes = size.nodes / size.routers.max(1);
    let ejection = router.ejection_channels.map_or(inputs, u64::from);
    let outputs = ports + per_router_nodes * ejection;
    let tables = ports * 4 + size.dimensions * 4 + 2;
    let shortest = size.shortest.clamp(1, u64::from(router.buffer_flits)) as u32;
    let state =
        cut_through::router_bytes((inputs + per_router_nodes) as usize, outputs as usize, router, shortest) as u64;
    let held = inputs * u64::from(router.buffer_flits / shortest) + per_router_nodes;
    let packets = held * (size_of::<Packet>() as u64 + 4);
    let events = (outputs + ports * 2) * 16;
    let levels = if size.occupancy { inputs * (3 + 8 + 3 * 3 * 8) } else { 0 };
    let per_node = 32 + 24 + 8 + 12 + 8 * u64::from(router.source_queue_packets.unwrap_or(0));
    let per_router = tables + state + packets + events + levels;
    per_router.saturating_mul(size.routers).saturating_add(per_node.saturating_mul(size.nodes))
}

/// Memory of this machine in bytes, where it tells.
pub fn of_machine() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// `bytes` in a unit a person reads.
pub fn readable(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        assert_eq!(readable(900), "900 B");
        assert_eq!(readable(3 << 20), "3.0 MiB");
    }
}
