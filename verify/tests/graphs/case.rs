//! Random networks of cut-through routers of any shape.

use super::shapeless::{USUAL, Width, narrowed, routes, taste, wide_config};
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
    let routers = prop_oneof![1 => Just(1usize), 8 => 2usize..=12, 3 => 13usize..=40];
    let arbiter = prop_oneof![Just(Arbiter::RoundRobin), Just(Arbiter::Random), Just(Arbiter::OldestFirst)];
    cases(routers, 0usize..40, 1u32..=4, arbiter, Just(USUAL), 100u64..400)
}

/// Any case with wide routers.
pub fn any_wide_case() -> impl Strategy<Value = Case> {
    let width = (9usize..=64, prop_oneof![Just(4usize), Just(40), Just(1024)]).prop_map(|(links, nodes)| {
        let spare = usize::min(2, 64 - links);
        Width { links, spare, nodes, drawn: nodes.min(80) }
    });
    let arbiter = prop_oneof![
        Just(Arbiter::RoundRobin),
        Just(Arbiter::Random),
        Just(Arbiter::OldestFirst),
        Just(Arbiter::TwoLevel),
        Just(Arbiter::TwoLevelNext)
    ];
    cases(1usize..=5, 0usize..150, 1u32..=8, arbiter, width, 50u64..150)
}

fn cases(
    routers: impl Strategy<Value = usize>,
    more: impl Strategy<Value = usize>,
    channels: impl Strategy<Value = u32>,
    arbiter: impl Strategy<Value = Arbiter>,
    width: impl Strategy<Value = Width>,
    cycles: impl Strategy<Value = u64>,
) -> impl Strategy<Value = Case> {
    let shape = ((any::<u64>(), routers, more, routes()), width);
    let wires = (channels, 0u32..=5, prop_oneof![3 => Just(1u32), 2 => 2u32..=12]);
    let sizes = (prop_oneof![3 => Just(1u32..=1), 1 => Just(1u32..=3)], 1u32..=8, 1u32..=3);
    let queues = (1u32..=2, proptest::option::of(1u32..=4));
    let time = (0.02f64..1.2, cycles, 1u64..40);
    (shape, wires, arbiter, sizes, queues, time, any::<u64>()).prop_map(
        |((drawn, width), wires, arbiter, (lengths, flits, packets), queues, time, seed)| {
            let (virtual_channels, header_cycles, credit_cycles) = wires;
            let (shape, mut dice) = wide_config(drawn, virtual_channels, width);
            let graph = shape.graph.as_ref().expect("it has one");
            let taste = taste(&mut dice);
            let graph = Some(narrowed(&mut dice, Graph { taste, ..graph.clone() }));
            let longest = flits * lengths.end();
            let config = Config {
                graph,
                buffer_flits: longest * packets + (seed % 2) as u32,
                header_cycles,
                credit_cycles,
                ejection_channels: Some(queues.0),
                message_classes: 1,
                cross_line: None,
                ejection_packets: None,
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
