//! Random networks that cannot deadlock, overloaded: what comes out is called saturated, or starved, and never deadlock.

mod common;

use common::outcome;
use proptest::prelude::*;
use tailback_results::Status;
use tailback_sim::Diagnosis;

/// Runs of `make test`; `make overload-soak` asks for more.
const CASES: u32 = 100;

/// Routers, routings and flow controls that are free of deadlock on meshes and tori; sizes are filled in for `N`.
const FREE: [&str; 15] = [
    "router = { virtual_channels = 2, buffer_flits = N }\nrouting = 'dimension_order'",
    "router = { virtual_channels = 3, buffer_flits = N }\nrouting = { kind = 'dimension_order', tie = 'random' }",
    "router = { virtual_channels = 4, buffer_flits = N }\nrouting = 'valiant'",
    "router = { virtual_channels = 4, buffer_flits = N }\nrouting = 'o1turn'",
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
        arbiter in prop_oneof!["round_robin", "random", "oldest_first"],
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
