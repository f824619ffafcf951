//! What `docs/wormhole.md` promises, with mechanisms as plain as can be.

mod books;
mod mechanisms;
mod timing;

use super::*;
use crate::contract::probe::{Delivery, Grant, Probe};
use crate::{DataPath as _, Network as _};
use mechanisms::{Plain, parts};
use tailback_spec::View;
use tailback_traffic::{Shape, Traffic};

/// The usual router, small.
pub fn router() -> Router {
    Router {
        channels: 2,
        buffer_flits: 8,
        channel_buffers: None,
        routing_cycles: 0,
        vc_allocation_cycles: 1,
        switch_allocation_cycles: 0,
        crossbar_cycles: 0,
        credit_cycles: 1,
        injection_channels: 1,
        injection: Local::Channels,
        ejection_channels: Some(1),
        ejection: Local::Channels,
        source_queue_packets: None,
        packet_flits: None,
        sharing: Sharing::Owned,
        channel_allocator: ChannelAllocator::InputFirst,
        switch_allocator: SwitchAllocator::InputFirst,
        crossbar_inputs: CrossbarInputs::Port,
        speculative: false,
        seed: 1,
    }
}

/// Uniform traffic of `load` flits a node and cycle, with packets of `size`.
pub fn traffic(grid: &Grid, load: f64, size: &str) -> Traffic {
    uniform(grid, load, size, true)
}

/// As [`traffic`]; `include_self`: nodes send to themselves too.
pub fn uniform(grid: &Grid, load: f64, size: &str, include_self: bool) -> Traffic {
    let text = format!(
        "[traffic]\nload = {load:?}\npacket_flits = 0\npattern = {{ kind = \"uniform\", include_self = {include_self} }}\n\
         process = {{ kind = \"bernoulli\" }}\nsize = {size}\n\
         [workload]\nkind = \"steady\"\nwarmup_cycles = 0\nmeasure_cycles = 1\ndrain_cycles = 0\n"
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

/// What was delivered, in the order of (source, number), and what links carried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Log {
    pub delivered: Vec<(u32, u64, u64, u64, u32)>,
    pub link_flits: u64,
    pub ejected_flits: u64,
    pub last_link: Option<(u64, u32)>,
    pub double: bool,
    pub recovered: u64,
}

impl Probe for Log {
    fn delivered(&mut self, delivery: Delivery<'_>) {
        let p = delivery.packet;
        self.delivered.push((p.source, p.index, p.birth, delivery.cycle, p.hops));
    }

    fn granted(&mut self, grant: Grant) {
        match grant.channel {
            Some(_) => self.link_flits += u64::from(grant.flits),
            None => self.ejected_flits += u64::from(grant.flits),
        }
    }

    fn recovers(&mut self, _cycle: u64, _router: u32) {
        self.recovered += 1;
    }
}

/// Runs for `cycles` with an audit after every cycle.
pub fn run(network: &mut Wormhole<'_, Plain>, cycles: u64) -> Log {
    let mut log = Log::default();
    for _ in 0..cycles {
        network.step(&mut log);
        network.audit().unwrap_or_else(|error| panic!("cycle {}: {error}", network.cycle()));
    }
    log.delivered.sort_unstable();
    log
}
