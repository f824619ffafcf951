//! Random networks that cannot deadlock. Overloaded, they are called saturated, or starved, and never deadlocked; below saturation
//! none is called starved, however short the run.

use crate::common;
use crate::common::outcome;
use proptest::prelude::*;
use tailback_results::Status;
use tailback_sim::Diagnosis;

/// Runs of `make test`; `make overload-soak` asks for more.
const CASES: u32 = 100;

/// Routers, routings and flow controls that are free of deadlock on meshes and tori; sizes are filled in for `N`.
const FREE: [&str; 16] = [
    "router = { virtual_channels = 2, buffer_flits = N }\nrouting = 'dimension_order'",
    "router = { virtual_channels = 3, buffer_flits = N }\nrouting = { kind = 'dimension_order', tie = 'random' }",
    "router = { virtual_channels = 4, buffer_flits = N }\nrouting = 'valiant'",
    "router = { virtual_channels = 4, buffer_flits = N }\nrouting = 'o1turn'",
    "router = { virtual_channels = 4, buffer_flits = N }\nrouting = 'cross_line'",
    "router = { virtual_channels = 2, buffer_flits = N }\nadmission = { kind = 'spth', margin_flits = 4 }",
    "router = { kind = 'wormhole', virtual_channels = 2, buffer_flits = N }\nrouting = 'dimension_order'",
    "router = { kind = 'wormhole', virtual_channels = 4, buffer_flits = N, sharing = 'shared' }\nrouting = 'valiant'",
    "router = { kind = 'wormhole', virtual_channels = 3, buffer_flits = N, sharing = 'owned' }\nrouting = 'adaptive'",
    "router = { kind = 'wormhole', virtual_channels = 3, buffer_flits = N, sharing = 'shared_whole' }\nrouting = 'adaptive'",
    "router = { kind = 'wormhole', virtual_channels = 3, buffer_flits = N, sharing = 'owned' }\n\
     routing = { kind = 'adaptive', escape = 'none' }\nrecovery = 'disha'",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 3, buffer_flits = N }\nrouting = 'adaptive'",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 2, buffer_flits = N }\n\
     routing = { kind = 'adaptive', escape = 'ring' }\nflow_control = 'bubble'",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 1, buffer_flits = N }\n\
     routing = { kind = 'dimension_order', datelines = 'none' }\nflow_control = 'bubble'",
    "router = { kind = 'input_output_queued' }\nqueueing = 'voq_net'\nrouting = 'dimension_order'",
    "router = { kind = 'input_output_queued', link_gbps = 8.0 }\nqueueing = 'recn'\nrouting = 'dimension_order'",
];

const PATTERNS: [&str; 7] = [
    "'uniform'",
    "'bcmp'",
    "'brot'",
    "'shfl'",
    "'neighbour'",
    "{ kind = 'hot_spot', nodes = [1], share_percent = 60.0 }",
    "{ kind = 'torn', offset = 1 }",
];

/// Powers of two, so that every pattern is one.
const RADICES: [&[u32]; 5] = [&[4], &[8], &[2, 2], &[4, 4], &[8, 8]];

prop_compose! {
    fn overload()(
        kind in prop_oneof!["torus", "mesh"],
        radix in prop::sample::select(&RADICES[..]),
        network in prop::sample::select(&FREE[..]),
        packets in 2u32..5,
        flits in 1u32..9,
        load in 1.0..2.0f64,
        pattern in prop::sample::select(&PATTERNS[..]),
        arbiter in prop::sample::select(common::kinds("arbiter")),
        cycles in 2_500u64..5_000,
        seed in 1u64..1_000_000,
    ) -> String {
        let queued = network.contains("input_output_queued");
        // These memories only take whole packets of a fixed length, and have arbiters of their own.
        let flits = if queued { 8 } else { flits };
        let arbiter = if queued { String::new() } else { format!("arbiter = '{arbiter}'\n") };
        let kind = if queued { "mesh" } else { &kind };
        let network = network.replace('N', &(packets * flits).to_string());
        format!(
            "topology = {{ kind = '{kind}', radix = {radix:?} }}\n{network}\n{arbiter}\
             traffic = {{ load = {load}, pattern = {pattern}, size = {{ kind = 'fixed', flits = {flits} }} }}\n\
             workload = {{ kind = 'steady', warmup_cycles = 500, measure_cycles = {cycles}, drain_cycles = 500 }}\n\
             run.seed = {seed}\n"
        )
    }
}

fn cases() -> u32 {
    std::env::var("TAILBACK_OVERLOAD_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(CASES)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: cases(), ..ProptestConfig::default() })]

    #[test]
    fn saturation_is_never_called_deadlock(spec in overload()) {
        let outcome = match common::prepared(&spec) {
            Ok(_) => outcome(&spec),
            // A bubble too small for the links, a pattern of other sizes: few enough.
            Err(_) => return Err(TestCaseError::reject("refused")),
        };
        let (status, text) = (outcome.record.status, &outcome.explanation);
        prop_assert!(matches!(status, Status::Steady | Status::Saturated | Status::Starved), "{status:?} {text}\n{spec}");
        match &outcome.diagnosis {
            Diagnosis::Starved(nodes) => prop_assert!(!nodes.is_empty()),
            Diagnosis::Saturated(saturation) => prop_assert!(saturation.binding.iter().all(|b| b.heads > 0.0)),
            _ => {}
        }
    }
}

/// Ways to make the load uneven, so that some nodes wait for long by chance.
const PROCESSES: [&str; 3] =
    ["bernoulli", "periodic", "{ kind = 'on_off', mean_on_cycles = 200.0, mean_off_cycles = 400.0 }"];

/// A network, and a load as a part of what its busiest link can carry. `LOAD` stands for the load.
#[derive(Clone, Debug)]
struct Below {
    spec: String,
    part: f64,
    /// The cycles of warm-up, window and drain.
    cycles: (u64, u64, u64),
}

prop_compose! {
    fn below()(
        kind in prop_oneof!["torus", "mesh"],
        radix in prop_oneof![4 => prop::sample::select(&RADICES[..]), 1 => Just(&[16][..]), 1 => Just(&[4, 4, 4][..])],
        network in prop::sample::select(&FREE[..]),
        (packets, flits) in (2u32..5, 1u32..9),
        part in 0.05..1.0f64,
        pattern in prop::sample::select(&PATTERNS[..]),
        process in prop::sample::select(&PROCESSES[..]),
        admission in prop_oneof![1 => Just("off"), 2 => prop::sample::select(common::local_throttles())],
        arbiter in prop::sample::select(common::kinds("arbiter")),
        cycles in (prop_oneof![Just(0u64), 0u64..1_000], prop_oneof![2 => 300u64..1_200, 1 => 1_200u64..4_000],
            prop_oneof![Just(0u64), 0u64..3_000]),
        seed in 1u64..1_000_000,
    ) -> Below {
        let queued = network.contains("input_output_queued");
        let flits = if queued { 8 } else { flits };
        let arbiter = if queued { String::new() } else { format!("arbiter = '{arbiter}'\n") };
        let kind = if queued { "mesh" } else { &kind };
        let throttled = queued || network.contains("admission");
        let admission = if throttled { String::new() } else { format!("admission = '{admission}'\n") };
        let network = network.replace('N', &(packets * flits).to_string());
        let process = if process.starts_with('{') { process.to_owned() } else { format!("'{process}'") };
        let spec = format!(
            "topology = {{ kind = '{kind}', radix = {radix:?} }}\n{network}\n{arbiter}{admission}run.seed = {seed}\n\
             traffic = {{ load = LOAD, pattern = {pattern}, process = {process}, size = {{ kind = 'fixed', flits = {flits} }} }}\n"
        );
        Below { spec, part, cycles }
    }
}

impl Below {
    fn at(&self, load: f64, (warmup, measured, drain): (u64, u64, u64)) -> String {
        format!(
            "{}workload = {{ kind = 'steady', warmup_cycles = {warmup}, measure_cycles = {measured}, drain_cycles = {drain} }}\n",
            self.spec.replace("LOAD", &load.to_string())
        )
    }

    /// The spec, and the same for long enough to see whether the network carries the load. `None` where there is no such network.
    fn specs(&self) -> Option<(String, String)> {
        let facts = common::prepared(&self.at(0.1, self.cycles)).ok()?.facts();
        // Nodes that a pattern leaves silent count in both numbers.
        let load = 0.1 * facts.channel_load_bound? / facts.offered_load? * self.part;
        let (spec, long) = (self.at(load, self.cycles), self.at(load, (5_000, 40_000, 20_000)));
        common::prepared(&spec).is_ok().then_some((spec, long))
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None, cases: cases(), max_global_rejects: 20 * cases() + 1000, ..ProptestConfig::default()
    })]

    /// A run that its own window calls saturated is not below saturation and does not count, nor does a network that is not steady in
    /// a long run, either.
    #[test]
    fn below_saturation_nobody_starves(below in below()) {
        let Some((spec, long)) = below.specs() else { return Err(TestCaseError::reject("refused")) };
        let short = outcome(&spec);
        match short.record.status {
            Status::Steady => {}
            Status::Saturated => return Err(TestCaseError::reject("saturated")),
            Status::Starved => {
                let status = outcome(&long).record.status;
                prop_assert!(status != Status::Steady, "a steady network starves: {}\n{spec}", short.explanation);
                return Err(TestCaseError::reject("not below saturation"));
            }
            other => prop_assert!(false, "{other:?} {}\n{spec}", short.explanation),
        }
        if let Some(waits) = &short.long_waits {
            let doubt = format!("This does not prove starvation: {}.", waits.doubt);
            prop_assert!(short.explanation.contains(&doubt), "{}\n{spec}", short.explanation);
        }
    }
}

/// At these loads a torus is at the edge of saturation. In short windows some node has always waited for thousands of cycles.
#[test]
fn a_short_run_at_the_edge_of_saturation_does_not_prove_starvation() {
    let mut doubted = 0;
    for load in [0.28, 0.29, 0.3, 0.32] {
        for seed in [1, 2, 3] {
            let spec = format!(
                "topology = {{ kind = 'torus', radix = [16, 16] }}\n\
                 router = {{ virtual_channels = 2, buffer_flits = 32 }}\n\
                 traffic = {{ load = {load}, size = {{ kind = 'fixed', flits = 8 }} }}\n\
                 workload = {{ kind = 'steady', warmup_cycles = 2000, measure_cycles = 1000, drain_cycles = 4000 }}\n\
                 run.seed = {seed}\n"
            );
            let outcome = outcome(&spec);
            assert_eq!(outcome.record.status, Status::Saturated, "{load} {seed}: {}", outcome.explanation);
            if let Some(waits) = &outcome.long_waits {
                doubted += 1;
                let words = format!("Node {} got no packet into the network from cycle ", waits.nodes[0].node);
                assert!(outcome.explanation.contains(&words), "{}", outcome.explanation);
                assert!(outcome.explanation.contains("This does not prove starvation: "), "{}", outcome.explanation);
            }
        }
    }
    assert!(doubted > 2, "{doubted}");
}

/// When this run ends, four packets wait in a circle of adaptive channels, but there is room for all that is left of some of them, and
/// the packets behind those have escapes.
#[test]
fn a_circle_that_still_moves_is_no_deadlock() {
    let spec = "
topology = { kind = 'torus', radix = [4, 4] }
router = { kind = 'wormhole', virtual_channels = 3, buffer_flits = 28, sharing = 'shared_whole' }
routing = 'adaptive'
arbiter = 'round_robin'
traffic = { load = 1.4776277055795117, pattern = 'bcmp', size = { kind = 'fixed', flits = 7 } }
workload = { kind = 'steady', warmup_cycles = 500, measure_cycles = 3369, drain_cycles = 500 }
run.seed = 934559
";
    let outcome = outcome(spec);
    assert_eq!(outcome.record.status, Status::Saturated, "{}", outcome.explanation);
}
