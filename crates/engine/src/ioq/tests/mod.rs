//! What `docs/input_output_queued.md` promises, with mechanisms as plain as can be.

mod any;
mod books;
mod flow;
mod mechanisms;
mod throttled;
mod timing;

use super::*;
use crate::contract::probe::{Delivery, EndOfCycle, Grant, Message, Probe, SetAside};
use crate::packet::Packet;
use crate::{DataPath as _, Network as _};
use any::Any;
use mechanisms::{ByDestination, Moody, Plain, Single, parts};
use tailback_network::Grid;
use tailback_spec::View;
use tailback_traffic::{Shape, Traffic};

/// A small switch: packets of four flits.
pub fn router() -> Router {
    Router {
        packet_flits: 4,
        packet_bytes: 64,
        ingress_packets: 8,
        egress_packets: 8,
        adapter_cycles: 1,
        transfer_cycles: 4,
        header_cycles: 0,
        control_flits: 1,
        credit_batch_packets: 2,
        source_queue_packets: None,
        seed: 1,
    }
}

/// A network on a grid, where links of nodes are as long as all others.
pub fn ioq<'a, M: Mechanisms>(
    grid: &Grid,
    sources: impl Into<M::Sources<'a>>,
    config: Router,
    parts: Parts<M>,
    buffers: Buffers,
) -> Ioq<'a, M> {
    Ioq::new(grid, sources, Router { adapter_cycles: grid.link_cycles(), ..config }, parts, buffers)
}

pub fn mesh(radix: &[u32], nodes: u32, link: u32) -> Grid {
    Grid::new(radix, &vec![false; radix.len()], nodes, link)
}

/// Traffic of a spec's `[traffic]` table, under a steady workload or a burst of so many messages a node.
pub fn traffic(grid: &Grid, text: &str, burst: Option<u32>) -> Traffic {
    let workload = match burst {
        None => "\"steady\"\nwarmup_cycles = 0\nmeasure_cycles = 1\ndrain_cycles = 0".to_owned(),
        Some(messages) => format!("\"collective\"\npackets_per_node = {messages}\nlimit_cycles = 1"),
    };
    let text = format!("[traffic]\n{text}\n[workload]\nkind = {workload}\n");
    let table: toml::Table = text.parse().expect("TOML");
    let section = |name: &str| table[name].as_table().expect("a table");
    let shape = Shape { radix: grid.radix().to_vec(), nodes_per_router: grid.nodes_per_router() };
    Traffic::build(View::new(section("traffic")), View::new(section("workload")), &shape, 1)
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Uniform traffic of `load` flits a node and cycle, of messages of so many flits.
pub fn uniform(grid: &Grid, load: f64, flits: u32) -> Traffic {
    traffic(grid, &uniform_text(load, flits), None)
}

pub fn uniform_text(load: f64, flits: u32) -> String {
    format!(
        "load = {load:?}\npacket_flits = 4\npattern = {{ kind = \"uniform\", include_self = true }}\n\
         process = {{ kind = \"bernoulli\" }}\nsize = {{ kind = \"fixed\", flits = {flits} }}"
    )
}

/// Source, number, destination, birth, entry, delivery and hops of a packet.
pub type Delivered = (u32, u64, u32, u64, u64, u64, u32);

/// What there was to see.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    pub delivered: Vec<Delivered>,
    pub messages: Vec<Message>,
    pub entered: u64,
    pub started: u64,
    pub grants: Vec<Grant>,
    pub set_aside: Vec<SetAside>,
    pub most_injection: u32,
    /// Flits in the memories of network ports.
    pub flits: u64,
    pub ports: usize,
}

impl Probe for Log {
    fn started(&mut self, _packet: &Packet) {
        self.started += 1;
    }

    fn entered(&mut self, cycle: u64, packet: &Packet) {
        assert_eq!(cycle, packet.entered);
        self.entered += 1;
    }

    fn granted(&mut self, grant: Grant) {
        self.grants.push(grant);
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        let p = delivery.packet;
        self.delivered.push((p.source, p.index, p.destination, p.birth, p.entered, delivery.cycle, p.hops));
    }

    fn message_delivered(&mut self, message: Message) {
        self.messages.push(message);
    }

    fn set_aside(&mut self, change: SetAside) {
        self.set_aside.push(change);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.most_injection = end.injection.iter().fold(self.most_injection, |most, &n| most.max(n));
        if let Some(occupancy) = end.occupancy {
            self.flits =
                (0..self.ports).flat_map(|port| occupancy.levels(port, 0)).map(|&level| u64::from(level)).sum();
        }
    }
}

/// Runs for `cycles` with an audit after every cycle.
pub fn run(network: &mut Ioq<'_, Plain>, cycles: u64) -> Log {
    let mut log = Log { ports: each!(&network.0, fabric => fabric.layout.network), ..Log::default() };
    for _ in 0..cycles {
        network.step(&mut log);
        network.audit().unwrap_or_else(|error| panic!("cycle {}: {error}", network.cycle()));
    }
    log
}
