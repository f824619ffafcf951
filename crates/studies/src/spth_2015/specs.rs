//! The specs of the study. What the short form changes stands beside each; the same as `--set` on the command line.

use crate::lab::Dataset;

macro_rules! dataset {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $quick:expr) => {
        $(#[$doc])*
        pub const $constant: Dataset = Dataset {
            name: $name,
            text: include_str!(concat!("../../../../papers/spth-2015/", $name, ".toml")),
            quick: &$quick,
        };
    };
}

/// Loads double on half the side: the bisection serves a quarter of the nodes over half the links.
const SMALL_RAMP: [&str; 3] =
    ["topology.radix=[16, 16]", "workload.end_load_flits_per_node_cycle=0.55", "workload.cycles=80000"];

dataset!(
    /// Table 2, figure 10.
    TABLE2, "table2", []
);
dataset!(
    /// Table 2, figure 10, the patterns that are drawn.
    TABLE2_RANDOM, "table2-random", []
);
dataset!(
    /// Table 3.
    TABLE3, "table3", ["sweep.\"topology.radix\"=[[16, 16], [8, 8]]"]
);
dataset!(
    /// Table 3, the patterns that are drawn.
    TABLE3_RANDOM, "table3-random", ["sweep.\"topology.radix\"=[[16, 16], [8, 8]]"]
);
dataset!(
    /// The critical load of bit complement.
    CRITICAL_LOAD, "critical-load", [SMALL_RAMP[0], "workload.end_load_flits_per_node_cycle=0.3",
        "workload.cycles=200000", "run.replicas=1"]
);
dataset!(
    /// Figures 8 and 9.
    FIG8, "fig8", SMALL_RAMP
);
dataset!(
    /// Figure 6.
    FIG6, "fig6", ["sweep.\"workload.cycles\"=[50000, 55600, 61100]",
        "sweep.\"probes.space_time_from_cycle\"=[49850, 55450, 60900]", "probes.space_time_cycles=150"]
);
dataset!(
    /// Figure 11.
    FIG11, "fig11", ["workload.cycles=61100", "probes.space_time_from_cycle=60900", "probes.space_time_cycles=150"]
);
dataset!(
    /// Figure 12.
    FIG12, "fig12", []
);
dataset!(
    /// Figure 13.
    FIG13, "fig13", ["topology.radix=[16, 16]", "sweep.\"admission.register_bits\"={ from = 0, to = 16, step = 2 }"]
);
dataset!(
    /// Figure 13, the patterns that are drawn.
    FIG13_RANDOM, "fig13-random", ["topology.radix=[16, 16]",
        "sweep.\"admission.register_bits\"={ from = 0, to = 16, step = 2 }", "run.replicas=2"]
);
dataset!(
    /// Offsets of the tornado.
    TORNADO, "tornado", []
);
dataset!(
    /// Ideal and shared VCinfo links.
    PROPAGATION, "propagation", []
);
dataset!(
    /// Delay of a hop of VCinfo.
    VCINFO_HOP, "vcinfo-hop", []
);

/// All of them.
#[cfg(test)]
pub const ALL: [Dataset; 14] = [
    TABLE2,
    TABLE2_RANDOM,
    TABLE3,
    TABLE3_RANDOM,
    CRITICAL_LOAD,
    FIG8,
    FIG6,
    FIG11,
    FIG12,
    FIG13,
    FIG13_RANDOM,
    TORNADO,
    PROPAGATION,
    VCINFO_HOP,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spec_is_good_in_both_forms() {
        for dataset in ALL {
            for quick in [false, true] {
                let points = dataset.good_points(quick);
                assert!(!points.is_empty());
                // The largest networks take a while to build; their smaller sisters stand for them.
                let small = points.iter().filter(|point| point.resolved.view("topology").u32s("radix")[0] <= 32);
                for point in small.step_by(7) {
                    tailback_sim::prepare(point).unwrap_or_else(|errors| panic!("{}\n{errors}", dataset.name));
                }
            }
        }
    }

    #[test]
    fn ramps_have_the_slope_of_the_paper() {
        let targets = crate::targets::Targets::new(super::super::PAPER.targets);
        let slope = targets.number("ramp.slope_per_cycle").unwrap();
        for dataset in [CRITICAL_LOAD, FIG8, FIG6, FIG11] {
            for point in dataset.good_points(false) {
                let workload = point.resolved.view("workload");
                let got = workload.float("end_load_flits_per_node_cycle") / workload.u64("cycles") as f64;
                assert!((got / slope - 1.0).abs() < 1e-9, "{}: {got}", dataset.name);
            }
        }
    }
}
