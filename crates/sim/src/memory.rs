//! What a network will need, before it is built.

use crate::router::Router;
use std::sync::OnceLock;
use tailback_engine::cut_through::Links;
use tailback_engine::packet::Packet;
use tailback_engine::{adaptive, cut_through, input_queued, wormhole};

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
    /// Cycles of a link.
    pub link_cycles: u32,
    /// Where its links are told.
    pub links: Links,
    /// Whether buffer levels are kept.
    pub occupancy: bool,
    /// Buffer of the recovery lane at every link \[flits\]; 0: there is none.
    pub lane_flits: u32,
}

impl Size {
    fn ports(&self) -> u64 {
        2 * self.dimensions
    }

    fn nodes_per_router(&self) -> u64 {
        self.nodes / self.routers.max(1)
    }
}

/// Bytes that a run of this size may come to use: tables, buffers, and every buffer full of packets. Saturating.
pub fn bytes(size: Size, router: &Router) -> u64 {
    let inputs = size.ports() * u64::from(router.channels());
    let tables = size.ports() * 4 + size.dimensions * 4 + 2 + 2;
    let levels = if size.occupancy { inputs * (3 + 8 + 3 * 3 * 8) } else { 0 };
    let (state, held, per_source) = match router {
        Router::CutThrough(router) => of_cut_through(size, router),
        Router::Wormhole(router) => of_wormhole(size, router),
        Router::Adaptive(router) => of_adaptive(size, router),
        // Its switches depend on the whole network: `fits::queued` counts them.
        Router::Queued(_) => (0, 0, 16),
        Router::InputQueued(router) => of_input_queued(size, router),
    };
    let packets = held * (size_of::<Packet>() as u64 + 4);
    // Throughput of each source, and who stands at the fronts of its queues.
    let watched = 8 + 24 * u64::from(router.injection_inputs());
    let per_node = 32 + 24 + 8 + 12 + watched + per_source + 8 * u64::from(router.source_queue_packets().unwrap_or(0));
    let per_router = tables + state + packets + levels;
    per_router.saturating_mul(size.routers).saturating_add(per_node.saturating_mul(size.nodes))
}

/// Bytes of a router's state and events, packets that it may hold, and bytes of a source.
fn of_cut_through(size: Size, router: &cut_through::Router) -> (u64, u64, u64) {
    let inputs = size.ports() * u64::from(router.channels);
    let ejection = router.ejection_channels.map_or(inputs, u64::from);
    let outputs = size.ports() + size.nodes_per_router() * ejection;
    let shortest = size.shortest.clamp(1, u64::from(router.buffer_flits)) as u32;
    let all_inputs = (inputs + size.nodes_per_router()) as usize;
    let counts = (all_inputs, outputs as usize, size.ports() as usize);
    let state = cut_through::router_bytes(counts, size.links, router, shortest) as u64;
    let held = inputs * u64::from(router.buffer_flits / shortest) + size.nodes_per_router();
    (state + (outputs + size.ports() * 2) * 16, held, 0)
}

/// As [`of_cut_through`]. Of the packets in a buffer the last may have arrived in part.
fn of_wormhole(size: Size, router: &wormhole::Router) -> (u64, u64, u64) {
    let lane = size.lane_flits > 0;
    let shape = wormhole::RouterSize {
        ports: size.ports() as usize,
        nodes: size.nodes_per_router() as usize,
        lane,
        link_cycles: size.link_cycles,
        shortest: size.shortest.min(u64::from(u32::MAX)) as u32,
    };
    let state = wormhole::router_bytes(shape, router) as u64;
    let injection = size.nodes_per_router() * u64::from(router.injection_channels);
    let in_a_buffer = |flits: u64| 1 + flits / size.shortest.max(1);
    let ordinary = size.ports() * u64::from(router.channels) * in_a_buffer(u64::from(router.buffer_flits));
    let in_lane = if lane { size.ports() * in_a_buffer(u64::from(size.lane_flits)) } else { 0 };
    (state, ordinary + in_lane + injection, 16 + 32 * u64::from(router.injection_channels))
}

/// As [`of_cut_through`]. Packets that wait in a node without being at the front of a queue are in the router's state.
fn of_adaptive(size: Size, router: &adaptive::Router) -> (u64, u64, u64) {
    // More nodes than inputs are refused: the estimate may stop counting there.
    let nodes = size.nodes_per_router().clamp(1, adaptive::MAX_INPUTS as u64) as u32;
    let state = adaptive::router_bytes((size.ports() as usize, nodes), router) as u64;
    let buffers = size.ports() * u64::from(router.channels) * u64::from(router.buffer_packets).next_power_of_two();
    let on_links = size.ports() * (2 + u64::from(size.link_cycles) / u64::from(router.packet_flits));
    let queues = size.nodes_per_router() * u64::from(router.injection_queues);
    (state, buffers + on_links + queues, 16 + 32 * u64::from(router.injection_queues))
}

/// As [`of_cut_through`]. Packets are counted with the buffers.
fn of_input_queued(size: Size, router: &input_queued::Router) -> (u64, u64, u64) {
    let ports = (size.ports() + size.nodes_per_router()) as usize;
    let shortest = router.packet_flits.unwrap_or(size.shortest.min(u64::from(u32::MAX)) as u32);
    (input_queued::router_bytes(ports, shortest, router) as u64, 0, 16)
}

/// Memory of this machine in bytes, where it tells; it is asked once.
pub fn of_machine() -> Option<u64> {
    static ALL: OnceLock<Option<u64>> = OnceLock::new();
    *ALL.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find(|l| l.starts_with("MemTotal:"))?;
        let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kib * 1024)
    })
}

/// `bytes` in a unit a person reads. The largest number of bytes is what saturated.
pub fn readable(bytes: u64) -> String {
    if bytes == u64::MAX {
        return "more than 16 EiB".to_owned();
    }
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
        assert_eq!(readable(u64::MAX), "more than 16 EiB");
    }
}
