//! What `docs/adaptive.md` promises, with mechanisms as plain as can be.

mod books;
mod bubbles;
mod equality;
mod interface;
mod mechanisms;
mod requests;
mod timing;

use super::*;
use crate::contract::flow_control::Scope;
use crate::contract::probe::{Delivery, EndOfCycle, Grant, Message, Probe, Taken, TakenBy};
use crate::{DataPath as _, Network as _};
use mechanisms::{Bubble, NO_BUBBLE, Plain, Policy, Way, parts};
use tailback_network::Grid;
use tailback_spec::View;
use tailback_traffic::{Shape, Traffic};

/// Two packets free where a packet enters.
pub const BUBBLE: Bubble = Bubble { escape: 2, new: 0, scope: Scope::Local };

/// The usual router, small.
pub fn router() -> Router {
    Router {
        channels: 2,
        buffer_packets: 3,
        packet_flits: 4,
        header_cycles: 0,
        turn_cycles: 0,
        consumption_cycles: 0,
        credit_cycles: 1,
        crossbar_outputs: CrossbarOutputs::Link,
        requests: Requests::Parallel,
        escape_first: false,
        transit_first: false,
        ejection_channels: Some(1),
        injection_queues: 1,
        source_queue_packets: None,
        interface_channels: InterfaceChannels::Physical,
        ejection_port: None,
        choose_again: false,
        pace: Pace::default(),
        seed: 1,
    }
}

/// All rules of requests.
pub const REQUESTS: [Requests; 7] = [
    Requests::Parallel,
    Requests::InTurn,
    Requests::Smart,
    Requests::Random,
    Requests::Shortest,
    Requests::ShortestFlits,
    Requests::Stay,
];

/// Both kinds of crossbar outputs.
pub const OUTPUTS: [CrossbarOutputs; 2] = [CrossbarOutputs::Link, CrossbarOutputs::Channel];

/// Uniform traffic of `load` flits a node and cycle, of messages of `size`.
pub fn traffic(grid: &Grid, load: f64, size: &str) -> Traffic {
    with_workload(grid, load, true, size, "\"steady\"\nwarmup_cycles = 0\nmeasure_cycles = 1\ndrain_cycles = 0")
}

/// So many packets a node to the others, all of them due in cycle 0.
pub fn burst(grid: &Grid, packets: u32, size: &str) -> Traffic {
    with_workload(grid, 1.0, false, size, &format!("\"collective\"\npackets_per_node = {packets}\nlimit_cycles = 1"))
}

fn with_workload(grid: &Grid, load: f64, include_self: bool, size: &str, workload: &str) -> Traffic {
    let text = format!(
        "[traffic]\nload = {load:?}\npacket_flits = 0\npattern = {{ kind = \"uniform\", include_self = {include_self} }}\n\
         process = {{ kind = \"bernoulli\" }}\nsize = {size}\n[workload]\nkind = {workload}\n"
    );
    let table: toml::Table = text.parse().expect("TOML");
    let section = |name: &str| table[name].as_table().expect("a table");
    let shape = Shape { radix: grid.radix().to_vec(), nodes_per_router: grid.nodes_per_router() };
    Traffic::build(View::new(section("traffic")), View::new(section("workload")), &shape, 1)
        .unwrap_or_else(|problems| panic!("{problems:?}"))
}

pub fn fixed(flits: u32) -> String {
    format!("{{ kind = \"fixed\", flits = {flits} }}")
}

pub fn torus(radix: &[u32]) -> Grid {
    Grid::new(radix, &vec![true; radix.len()], 1, 1)
}

/// Source, number, birth, delivery, hops and destination of a packet.
pub type Delivered = (u32, u64, u64, u64, u32, u32);

/// What was delivered, in the order of (source, number), and what else there was to see. One probe for all tests: for each the loops would be
/// compiled anew.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    pub delivered: Vec<Delivered>,
    pub messages: Vec<Message>,
    pub entered: Vec<(u32, u64, u64)>,
    pub grants: Vec<Grant>,
    pub started: u64,
    pub preferred: u64,
    pub escaped: u64,
    pub most_injection: u32,
}

impl Probe for Log {
    fn started(&mut self, _packet: &crate::packet::Packet) {
        self.started += 1;
    }

    fn entered(&mut self, cycle: u64, packet: &crate::packet::Packet) {
        self.entered.push((packet.source, packet.index, cycle));
    }

    fn granted(&mut self, grant: Grant) {
        self.grants.push(grant);
    }

    fn taken(&mut self, taken: Taken) {
        match taken.by {
            TakenBy::Preference => self.preferred += 1,
            _ => self.escaped += 1,
        }
    }

    fn delivered(&mut self, delivery: Delivery<'_>) {
        let p = delivery.packet;
        self.delivered.push((p.source, p.index, p.birth, delivery.cycle, p.hops, p.destination));
    }

    fn message_delivered(&mut self, message: Message) {
        self.messages.push(message);
    }

    fn end_of_cycle(&mut self, end: EndOfCycle<'_>) {
        self.most_injection = end.injection.iter().fold(self.most_injection, |most, &n| most.max(n));
    }
}

/// Runs for `cycles` with an audit after every cycle.
pub fn run(network: &mut Adaptive<'_, Plain>, cycles: u64) -> Log {
    let mut log = Log::default();
    for _ in 0..cycles {
        network.step(&mut log);
        network.audit().unwrap_or_else(|error| panic!("cycle {}: {error}", network.cycle()));
    }
    log.delivered.sort_unstable();
    log
}
