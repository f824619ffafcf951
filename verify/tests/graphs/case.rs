//! Random networks of cut-through routers of any shape.

use super::shapeless::{self, drawn, taste};
use proptest::prelude::*;
use tailback_verify::reference::graph::Graph;
use tailback_verify::reference::{Arbiter, Config};

/// One comparison.
#[derive(Clone, Debug)]
pub struct Case {
    /// The network.
    pub config: Config,
    /// The tables `traffic` and `workload` of the spec.
    pub traffic: String,
    /// Simulated time.
    pub cycles: u64,
    /// The engine's books are audited every so many cycles.
    pub audit_every: u64,
}

/// Any case.
pub fn any_case() -> impl Strategy<Value = Case> {
    let wires = (1u32..=4, 0u32..=5, prop_oneof![3 => Just(1u32), 2 => 2u32..=12]);
    let arbiter = prop_oneof![Just(Arbiter::RoundRobin), Just(Arbiter::Random), Just(Arbiter::OldestFirst)];
    let sizes = (prop_oneof![3 => Just(1u32..=1), 1 => Just(1u32..=3)], 1u32..=8, 1u32..=3);
    let queues = (1u32..=2, proptest::option::of(1u32..=4));
    let time = (0.02f64..1.2, 100u64..400, 1u64..40);
    (drawn(), wires, arbiter, sizes, queues, time, any::<u64>()).prop_map(
        |(drawn, wires, arbiter, (lengths, flits, packets), queues, time, seed)| {
            let (virtual_channels, header_cycles, credit_cycles) = wires;
            let (shape, mut dice) = shapeless::config(drawn, virtual_channels);
            let graph = shape.graph.as_ref().expect("it has one");
            let graph = Some(Graph { taste: taste(&mut dice), ..graph.clone() });
            let longest = flits * lengths.end();
            let config = Config {
                graph,
                buffer_flits: longest * packets + (seed % 2) as u32,
                header_cycles,
                credit_cycles,
                ejection_channels: Some(queues.0),
                source_queue_packets: queues.1,
                arbiter,
                seed,
                ..shape
            };
            let size = match lengths.end() {
                1 => format!("{{ kind = \"fixed\", flits = {flits} }}"),
                _ => format!(
                    "{{ kind = \"bimodal\", short_flits = {flits}, long_flits = {longest}, long_percent = 40 }}"
                ),
            };
            let (load, cycles, audit_every) = time;
            let load = load.min(f64::from(flits));
            Case { config, traffic: format!("[traffic]\nload = {load:?}\nsize = {size}\n"), cycles, audit_every }
        },
    )
}
