//! The engine against the reference model on random networks of any shape: every packet, buffer and cycle must be the same, and where
//! the static check says that nothing can lock, nothing does.
//!
//! `TAILBACK_SOAK_CASES` sets the number of networks.

pub mod case;

use crate::common::tested::Tested;
use crate::common::{listed, shapeless, twins, watch};
use case::{Case, any_case, any_wide_case};
use listed::{Listed, wiring};
use tailback_deadlock::{Heads, Rules, Sharing, Verdict};
use tailback_engine::Buffers;
use tailback_engine::CutThrough;
use tailback_engine::cut_through::Parts;
use tailback_engine::{DataPath as _, Network as _};
use tailback_traffic::{Shape, Traffic};
use tailback_verify::any_probe::AnyProbe;
use tailback_verify::bridge::{self, Deliveries};
use tailback_verify::reference::{Config, Network};
use twins::{Trial, buffers, never_delivered, same, same_totals};
use watch::Watch;

fn engine<'a>(config: &Config, traffic: &'a Traffic, buffers: Buffers) -> CutThrough<'a, Tested> {
    let graph = config.graph.as_ref().expect("it has one");
    // Its other mechanisms are those of any network as large.
    let grid = Config { graph: None, radix: vec![2], wrap: vec![false], ..config.clone() };
    let Parts { flow_control, admission, .. } = bridge::parts(&grid, &bridge::grid(&grid));
    let arbiter = bridge::arbiter(config, bridge::inputs(config, config.routers() * config.outputs()));
    let parts = Parts { routing: Listed::new(config).into(), arbiter, flow_control, admission };
    CutThrough::new(wiring(graph), traffic, bridge::router(config), parts, buffers)
}

/// Whether the static check says that these packets can never lock.
fn is_free(config: &Config) -> bool {
    let graph = config.graph.as_ref().expect("it has one");
    let routing = Listed::new(config);
    let network = tailback_deadlock::Network::new(wiring(graph), &routing, config.virtual_channels, Heads::Request);
    let rules = Rules { sharing: Sharing::Whole, bubbles: false };
    matches!(tailback_deadlock::check(&network, rules, 1 << 24), Ok(Verdict::Free { .. }))
}

fn compare(case: &Case, traffic: &Traffic) -> Result<(), String> {
    side_by_side(case, traffic, |buffers| engine(&case.config, traffic, buffers), || is_free(&case.config))
}

/// An engine, with and without the levels of its buffers, beside the reference model; with whether the static check says that its packets
/// can never lock.
pub fn side_by_side<'a>(
    case: &Case,
    traffic: &'a Traffic,
    engine: impl Fn(Buffers) -> CutThrough<'a, Tested>,
    is_free: impl Fn() -> bool,
) -> Result<(), String> {
    let config = &case.config;
    let (mut engine, mut lean) = (engine(Buffers::Watched), engine(Buffers::Unwatched));
    let mut lean_deliveries = Deliveries::default();
    let mut reference = Network::new(config, traffic);
    let size = (config.routers(), config.ports(), config.virtual_channels as usize);
    let mut watch = Watch { size, ..Watch::default() };
    for cycle in 0..case.cycles {
        engine.step(&mut AnyProbe(&mut watch));
        lean.step(&mut AnyProbe(&mut lean_deliveries));
        reference.step();
        same(&format!("cycle {cycle}: counters without levels"), lean.counters(), engine.counters())?;
        same(&format!("cycle {cycle}: in flight"), watch.in_flight, reference.in_flight())?;
        for ((router, port, channel), &level) in buffers(size).zip(&watch.levels) {
            let name = format!("cycle {cycle}: buffer {channel} of port {port} at router {router}");
            same(&name, level, reference.level(router, port, channel))?;
        }
        if cycle % case.audit_every == 0 {
            same_totals(cycle, engine.totals(), reference.totals())?;
            engine.audit().map_err(|error| format!("cycle {cycle}: {error}"))?;
            lean.audit().map_err(|error| format!("cycle {cycle}, without levels: {error}"))?;
        }
    }
    for deliveries in [watch.deliveries, lean_deliveries] {
        let (found, expected) = (deliveries.sorted(), reference.delivered());
        found.iter().zip(&expected).try_for_each(|(found, expected)| same("a packet", found, expected))?;
        same("packets delivered", found.len(), expected.len())?;
    }
    let Some(deadlock) = engine.deadlock() else { return same("still", engine.is_still(), false) };
    if is_free() {
        return Err(format!("these routes were said to be free of deadlock: {deadlock:?}"));
    }
    (0..300).for_each(|_| reference.step());
    never_delivered(&deadlock, &reference.delivered())
}

fn traffic(case: &Case) -> Result<Traffic, String> {
    let nodes = case.config.nodes() as u32;
    bridge::traffic_on(&case.config, &Shape { radix: vec![nodes], nodes_per_router: 1 }, &case.traffic)
}

#[test]
fn engine_and_reference_agree_on_any_network() {
    let regressions = "regressions/graphs.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 100, regressions };
    trial.run(any_case(), traffic, compare);
}

#[test]
fn engine_and_reference_agree_on_wide_routers() {
    let regressions = "regressions/wide_graphs.txt";
    let trial = Trial { variable: "TAILBACK_SOAK_CASES", usual: 300, share: 10, regressions };
    trial.run(any_wide_case(), traffic, compare);
}

/// Some of the random networks lock, and of some the check says that they cannot: else the test above would show little.
#[test]
fn random_routes_lock_and_do_not() {
    use proptest::strategy::{Strategy, ValueTree};
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let cases: Vec<Case> = (0..60).map(|_| any_case().new_tree(&mut runner).expect("a case").current()).collect();
    let free = cases.iter().filter(|case| is_free(&case.config)).count();
    assert!((15..=55).contains(&free), "{free} of 60");
}
