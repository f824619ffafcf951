//! The specs of the study. What the short form changes stands beside each; the same as `--set` on the command line.

use crate::lab::Dataset;

macro_rules! dataset {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $quick:expr) => {
        $(#[$doc])*
        pub const $constant: Dataset = Dataset {
            name: $name,
            text: include_str!(concat!("../../../../papers/bubble-1999/", $name, ".toml")),
            quick: &$quick,
        };
    };
}

const ONE_SEED: &str = "run.replicas=1";
const BRIEF: &str = "workload.warmup_cycles=3000";
const SHORT: &str = "workload.measure_cycles=4000";
const TWO_LOADS: &str = "sweep.\"traffic.load\"=[0.4, 1.0]";

dataset!(
    /// Table 5.
    TABLE5, "table5", [ONE_SEED, "workload.measure_cycles=300000"]
);
dataset!(
    /// Base latency in three dimensions.
    BASE_3D, "base-3d", [ONE_SEED, "workload.measure_cycles=100000"]
);
dataset!(
    /// Table 6, random and bimodal.
    RANDOM, "table6-random", [ONE_SEED, BRIEF, SHORT, "sweep.\"traffic.load\"=[0.35, 0.4, 1.0]"]
);
dataset!(
    /// Table 6, bit reversal and perfect shuffle.
    PERMUTATIONS, "table6-permutations", [ONE_SEED, BRIEF, SHORT, "sweep.\"traffic.load\"=[0.12, 0.2, 0.3, 1.0]"]
);
dataset!(
    /// Figure 7 and table 6, transpose.
    FIG7, "fig7", [ONE_SEED, BRIEF, SHORT, "sweep.\"traffic.load\"=[0.005, 0.06, 0.1, 0.13, 0.2, 0.24, 1.0]"]
);
dataset!(
    /// Figure 8.
    FIG8, "fig8", [ONE_SEED, "workload.warmup_cycles=2000", "workload.measure_cycles=2000", "sweep.\"traffic.load\"=[0.1, 0.3, 1.0]"]
);
dataset!(
    /// Figure 3, on a ring.
    STARVATION, "starvation", [ONE_SEED]
);
dataset!(
    /// A ring that ends in a busy node.
    STARVATION_SINK, "starvation-sink", [ONE_SEED]
);
dataset!(
    /// Figure 3, in a torus.
    STARVATION_TORUS, "starvation-torus", [ONE_SEED, BRIEF, SHORT]
);
dataset!(
    /// Buffers of the adaptive wormhole router.
    SILENT_QUEUES, "silent-queues", [ONE_SEED, BRIEF, SHORT, TWO_LOADS, "sweep.\"traffic.pattern\"=[\"rand\"]"]
);
dataset!(
    /// Sharing and allocation of the adaptive wormhole router.
    SILENT_SHARING, "silent-sharing", [ONE_SEED, BRIEF, SHORT, TWO_LOADS, "sweep.\"traffic.pattern\"=[\"rand\"]"]
);
dataset!(
    /// Requests and bubble of the adaptive bubble router.
    SILENT_REQUESTS, "silent-requests", [ONE_SEED, BRIEF, SHORT, TWO_LOADS, "sweep.\"traffic.pattern\"=[\"rand\"]"]
);

/// All of them.
#[cfg(test)]
pub const ALL: [Dataset; 12] = [
    TABLE5,
    BASE_3D,
    RANDOM,
    PERMUTATIONS,
    FIG7,
    FIG8,
    STARVATION,
    STARVATION_SINK,
    STARVATION_TORUS,
    SILENT_QUEUES,
    SILENT_SHARING,
    SILENT_REQUESTS,
];

#[cfg(test)]
mod tests {
    use super::super::key::Traffic;
    use super::*;
    use crate::targets::Targets;
    use tailback_cost::{Family, Variant, price};

    #[test]
    fn every_spec_is_good_in_both_forms() {
        for dataset in ALL {
            for quick in [false, true] {
                let points = dataset.good_points(quick);
                assert!(!points.is_empty());
                for point in points.iter().step_by(7) {
                    tailback_sim::prepare(point).unwrap_or_else(|errors| panic!("{}\n{errors}", dataset.name));
                }
                assert!(quick || points.len().is_multiple_of(5), "five seeds");
            }
        }
    }

    #[test]
    fn specs_have_the_numbers_of_the_paper() {
        let targets = Targets::new(super::super::PAPER.targets);
        let number = |path: &str| targets.number(path).unwrap_or_else(|| panic!("{path}"));
        for dataset in [TABLE5, RANDOM, PERMUTATIONS, FIG7, BASE_3D, FIG8] {
            for point in dataset.good_points(false) {
                let view = |path| point.resolved.view(path);
                let preset = point.resolved.get("preset").and_then(|name| tailback_cost::preset(name.as_str()?));
                let preset = preset.unwrap_or_else(|| panic!("{}", dataset.name));
                let (router, table) = (view("router"), if preset.dimensions == 2 { "table3" } else { "table4" });
                let path = |key: &str| format!("{table}.{}.{key}", preset.family.name());
                assert_eq!(view("clock").float("cycle_ns"), number(&path("cycle_ns")));
                assert_eq!(view("topology").u32s("radix").len(), preset.dimensions as usize);
                let buffer = router.u32("virtual_channels") * router.u32("buffer_flits");
                // Three channels of one size cannot share 128 flits evenly.
                let spare = u32::from(preset.family == Family::VcAdaptive);
                assert_eq!(f64::from(buffer - spare), number("common.buffer_per_input_channel"));
                let size = view("traffic.size");
                let (short, long) = (number("common.packet_phits"), number("common.long_message_phits"));
                match size.kind() {
                    "fixed" => assert_eq!(f64::from(size.u32("flits")), short),
                    _ => assert_eq!(
                        (f64::from(size.u32("short_flits")), f64::from(size.u32("long_flits"))),
                        (short, long)
                    ),
                }
            }
        }
    }

    /// The times of every preset are those of the paper's pipelines: an empty network's latency is cycles a router times
    /// routers on the way, and the length of the packet.
    #[test]
    fn empty_networks_have_the_latency_of_the_pipelines() {
        for dataset in [TABLE5, BASE_3D] {
            for point in dataset.good_points(false).iter().step_by(5) {
                let prepared = tailback_sim::prepare(point).unwrap_or_else(|errors| panic!("{errors}"));
                let facts = prepared.facts();
                let (Some(hops), Some(found)) = (facts.hops_mean, facts.zero_load_latency) else { continue };
                let preset = tailback_cost::preset(point.resolved.get("preset").unwrap().as_str().unwrap()).unwrap();
                let cost = price(Variant::of(preset.family, preset.dimensions)).unwrap();
                let cycles = f64::from(cost.cycles.0) * (hops + 1.0);
                if point.resolved.view("traffic.size").kind() != "fixed" {
                    continue;
                }
                let expected = if preset.family.crossbar_by_channel() { cycles + 15.0 } else { cycles + 16.0 };
                // Turns and consumption of the two-dimensional adaptive bubble router take a cycle more each.
                let extra = 2.0 * f64::from(cost.cycles.1 - cost.cycles.0);
                assert!(
                    (expected..=expected + extra + 1e-9).contains(&(found + 1e-9)),
                    "{} {found} {expected}",
                    preset.name
                );
            }
        }
    }

    #[test]
    fn table5_and_table6_have_all_columns() {
        assert_eq!(TABLE5.good_points(false).len(), 4 * 5 * 5);
        assert_eq!(super::super::key::TABLE5.len(), super::super::key::TABLE6.len());
        assert!(super::super::key::TABLE6.contains(&Traffic::Bimodal));
    }
}
