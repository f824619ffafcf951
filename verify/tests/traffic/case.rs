//! Random traffic on random small networks.

use super::kinds;
use proptest::option;
use proptest::prelude::*;
use tailback_verify::traffic::{Config, Matter, Pattern, Phase, Placement, Process, Region, Sizes, Workload};

/// One comparison.
#[derive(Clone, Debug)]
pub struct Case {
    /// What nodes send.
    pub config: Config,
    /// Time looked at.
    pub cycles: u64,
    /// For how long a source is suspended after each of its first messages.
    pub stalls: Vec<Option<u64>>,
    /// The offered load is compared from here on.
    pub from: u64,
}

/// Kinds that are given; the others are drawn.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kinds {
    pub pattern: Option<&'static str>,
    pub process: Option<&'static str>,
    pub size: Option<&'static str>,
    pub workload: Option<&'static str>,
}

/// Radices, and nodes at each router.
type Network = (Vec<u32>, u32);

/// Any case of these kinds.
pub fn any_case(given: Kinds) -> impl Strategy<Value = Case> {
    let one_of =
        |path, given: Option<&'static str>| prop::sample::select(given.map_or_else(|| kinds(path), |k| vec![k]));
    let names = (
        one_of("traffic.pattern", given.pattern),
        one_of("traffic.process", given.process),
        one_of("traffic.size", given.size),
        one_of("workload", given.workload),
    );
    let parts = names.prop_flat_map(|(pattern, process_kind, size, workload)| {
        (network(pattern), process(process_kind), sizes(size), Just((pattern, workload)))
    });
    let config = parts.prop_flat_map(|(network, process, sizes, (pattern_kind, workload_kind))| {
        let workload = workload(workload_kind, &network, process, sizes.mean());
        (pattern(pattern_kind, &network), workload, any::<u64>(), Just((network, process, sizes)))
    });
    let config = config.prop_map(|(pattern, workload, seed, ((radix, nodes_per_router), process, sizes))| Config {
        radix,
        nodes_per_router,
        seed,
        pattern,
        process,
        sizes,
        workload,
    });
    let stalls = prop::collection::vec(option::of(prop_oneof![0u64..4, 4u64..80]), 0..6);
    (config, 30u64..400, stalls, 0u64..30).prop_map(|(config, cycles, stalls, from)| Case {
        config,
        cycles,
        stalls,
        from,
    })
}

/// A network on which a pattern is possible.
fn network(pattern: &str) -> BoxedStrategy<Network> {
    match pattern {
        "trns" => (2u32..=3, 2usize..=3, 1u32..=2).prop_map(|(k, d, nodes)| (vec![k; d], nodes)).boxed(),
        "shfl" | "bcmp" | "brev" | "brot" | "butterfly" => {
            (prop::collection::vec(prop::sample::select(vec![2u32, 4]), 1..=2), 1u32..=2).boxed()
        }
        "row_to_column" => {
            let sides = vec![
                (vec![2, 2], 1),
                (vec![4], 1),
                (vec![2], 2),
                (vec![3, 3], 1),
                (vec![2, 4, 2], 1),
                (vec![4, 2], 2),
                (vec![4, 4], 1),
            ];
            prop::sample::select(sides).boxed()
        }
        "rpar" => {
            let any = (prop::collection::vec(2u32..=4, 1..=3), 1u32..=2);
            any.prop_filter("an odd number of nodes", |network| is_possible("rpar", network)).boxed()
        }
        _ => (prop::collection::vec(2u32..=4, 1..=3), 1u32..=2).boxed(),
    }
}

fn is_possible(pattern: &str, (radix, nodes_per_router): &Network) -> bool {
    let nodes = radix.iter().product::<u32>() * nodes_per_router;
    match pattern {
        "trns" => radix.len() > 1 && radix.iter().all(|k| *k == radix[0]),
        "shfl" | "bcmp" | "brev" | "brot" | "butterfly" => nodes.is_power_of_two(),
        "rpar" => nodes.is_multiple_of(2),
        "row_to_column" => nodes.isqrt().pow(2) == nodes,
        _ => true,
    }
}

/// A pattern of this kind. A kind that the twin does not know has to be written there first.
fn pattern(kind: &str, (radix, nodes_per_router): &Network) -> BoxedStrategy<Pattern> {
    let nodes = radix.iter().product::<u32>() * nodes_per_router;
    let mapped = |matter| Just(Pattern::Mapped(matter)).boxed();
    let whole = |matter| prop_oneof![Just(Pattern::Mapped(matter)), Just(Pattern::MappedWhole(matter))].boxed();
    let share = || prop_oneof![Just(0.0), Just(100.0), 0.0..100.0];
    match kind {
        "uniform" => any::<bool>().prop_map(|include_self| Pattern::Uniform { include_self }).boxed(),
        "rand" => Just(Pattern::Rand).boxed(),
        "trns" => whole(Matter::Transpose),
        "shfl" => whole(Matter::Shuffle),
        "bcmp" => mapped(Matter::Complement),
        "brev" => whole(Matter::Reverse),
        "brot" => whole(Matter::Rotate),
        "butterfly" => whole(Matter::Butterfly),
        "tornado" => mapped(Matter::Tornado),
        "neighbour" => {
            prop_oneof![Just(Matter::Neighbour), Just(Matter::RingNeighbour)].prop_map(Pattern::Mapped).boxed()
        }
        "torn" => option::of(1..=2 * nodes).prop_map(|offset| Pattern::Torn { offset }).boxed(),
        "rpar" => Just(Pattern::RandomPairs).boxed(),
        "random_permutation" => Just(Pattern::RandomPermutation).boxed(),
        "shift" => {
            let groups: Vec<u32> = (2..=nodes).filter(|&group| nodes.is_multiple_of(group)).collect();
            (option::of(1..=3 * nodes), option::of(prop::sample::select(groups)))
                .prop_map(|(offset, group)| Pattern::Shift { offset, group })
                .boxed()
        }
        "permutation" => Just((0..nodes).collect()).prop_shuffle().prop_map(Pattern::Permutation).boxed(),
        "destinations" => prop::collection::vec(0..nodes, nodes as usize).prop_map(Pattern::Destinations).boxed(),
        "weighted" => weighted(0..nodes).prop_map(Pattern::Weighted).boxed(),
        "steps" => weighted(0..3 * nodes).prop_map(Pattern::Steps).boxed(),
        "row_to_column" => Just(Pattern::RowToColumn).boxed(),
        "hot_spot" => {
            (prop::sample::subsequence((0..nodes).collect::<Vec<u32>>(), 1..=nodes as usize).prop_shuffle(), share())
                .prop_map(|(nodes, share_percent)| Pattern::HotSpot { nodes, share_percent })
                .boxed()
        }
        "hot_region" => {
            let block = radix.iter().map(|&k| 1..=k).collect::<Vec<_>>().prop_map(Region::Block);
            (prop_oneof![(0.0..=100.0).prop_map(Region::Band), block], share())
                .prop_map(|(region, share_percent)| Pattern::HotRegion { region, share_percent })
                .boxed()
        }
        "adversarial" => {
            let groups: Vec<u32> = (1..=nodes / 2).filter(|&group| nodes.is_multiple_of(group)).collect();
            (prop::sample::select(groups), 1..=3 * nodes)
                .prop_map(move |(group, offset)| {
                    let offset = if offset % (nodes / group) == 0 { offset + 1 } else { offset };
                    Pattern::Adversarial { group, offset }
                })
                .boxed()
        }
        "hot_sources" => (0..nodes, 1..=nodes, prop_oneof![Just(Placement::Even), Just(Placement::Random)])
            .prop_map(|(destination, one_in, placement)| Pattern::HotSources { destination, one_in, placement })
            .boxed(),
        other => panic!("the traffic twin has no pattern {other}"),
    }
}

/// A list with weights, one of them above 0.
fn weighted(members: std::ops::Range<u32>) -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((members, 0u32..=5), 1..=5)
        .prop_filter("nothing is ever drawn", |list| list.iter().any(|(_, weight)| *weight > 0))
}

fn process(kind: &str) -> BoxedStrategy<Process> {
    match kind {
        "bernoulli" => Just(Process::Bernoulli).boxed(),
        "periodic" => any::<bool>().prop_map(|random| Process::Periodic { random }).boxed(),
        "on_off" => (prop_oneof![Just(1.0), 1.0..60.0], prop_oneof![Just(1.0), 1.0..90.0])
            .prop_map(|(on, off)| Process::OnOff { on, off })
            .boxed(),
        other => panic!("the traffic twin has no process {other}"),
    }
}

fn sizes(kind: &str) -> BoxedStrategy<Sizes> {
    match kind {
        "fixed" => (1u32..=9).prop_map(Sizes::Fixed).boxed(),
        "bimodal" => (1u32..=4, 1u32..=12, prop_oneof![Just(0.0), Just(100.0), 0.0..100.0])
            .prop_map(|(short, more, long_percent)| Sizes::Bimodal { short, long: short + more, long_percent })
            .boxed(),
        "distribution" => prop::collection::vec((1u32..=12, (0u32..=5).prop_map(f64::from)), 1..=4)
            .prop_filter("no length ever occurs", |list| list.iter().any(|(_, weight)| *weight > 0.0))
            .prop_map(Sizes::Distribution)
            .boxed(),
        other => panic!("the traffic twin has no size {other}"),
    }
}

/// A load: up to more than a message a cycle; in bursts, where that is refused, up to one.
fn load(process: Process, mean_flits: f64) -> impl Strategy<Value = f64> + Clone {
    let most = match process {
        Process::OnOff { on, off } => 0.999 * on / (on + off),
        _ => 1.6,
    };
    prop_oneof![0.01..0.1, 0.1..1.0].prop_map(move |share| share * most * mean_flits)
}

fn workload(kind: &str, network: &Network, process: Process, mean_flits: f64) -> BoxedStrategy<Workload> {
    let load = load(process, mean_flits);
    match kind {
        "steady" => load.prop_map(|load| Workload::Steady { load }).boxed(),
        "periods" => load.prop_map(|load| Workload::Periods { load }).boxed(),
        "ramp" => (load, 1u64..400).prop_map(|(end_load, cycles)| Workload::Ramp { end_load, cycles }).boxed(),
        "collective" => (1u64..=20).prop_map(|messages| Workload::Collective { messages }).boxed(),
        "phases" => {
            let possible = kinds("traffic.pattern").into_iter().filter(|kind| is_possible(kind, network));
            let (possible, network) = (possible.collect::<Vec<_>>(), network.clone());
            let pattern = prop::sample::select(possible).prop_flat_map(move |kind| pattern(kind, &network));
            let phase = (1u64..120, prop_oneof![1 => Just(0.0), 4 => load], pattern);
            let phase = phase.prop_map(|(cycles, load, pattern)| Phase { cycles, load, pattern });
            (prop::collection::vec(phase, 1..=4), any::<bool>())
                .prop_map(|(phases, repeat)| Workload::Phases { phases, repeat })
                .boxed()
        }
        other => panic!("the traffic twin has no workload {other}"),
    }
}
