//! The specs of the study. What the short form changes stands beside each; the same as `--set` on the command line.

use crate::lab::Dataset;

macro_rules! dataset {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $quick:expr) => {
        $(#[$doc])*
        pub const $constant: Dataset = Dataset {
            name: $name,
            text: include_str!(concat!("../../../../papers/self-tuned-2001/", $name, ".toml")),
            quick: &$quick,
        };
    };
}

const ONE_SEED: &str = "run.replicas=1";
const SHORT: &str = "workload.measure_cycles=10000";
const BRIEF: &str = "workload.warmup_cycles=5000";
const FEW_LOADS: &str = "sweep.\"traffic.load\"=[0.16, 0.32, 1.6]";
const TWO_LOADS: &str = "sweep.\"traffic.load\"=[0.24, 1.6]";
const ONE_LOAD: &str = "sweep.\"traffic.load\"=[0.48]";

dataset!(
    /// Figures 1, 2 and the curves without control of figure 5.
    FIG1, "fig1", [ONE_SEED, SHORT, BRIEF, FEW_LOADS]
);
dataset!(
    /// Figure 3.
    FIG3, "fig3", [ONE_SEED, SHORT, BRIEF, FEW_LOADS]
);
dataset!(
    /// Figure 4.
    FIG4, "fig4", [ONE_SEED]
);
dataset!(
    /// Figure 5.
    FIG5, "fig5", [ONE_SEED, SHORT, BRIEF, FEW_LOADS]
);
dataset!(
    /// Figures 6, 7 and the latencies of the bursty load.
    FIG7, "fig7", [ONE_SEED, "sweep.\"router.source_queue_packets\"=[8]"]
);
dataset!(
    /// Extrapolation.
    ESTIMATE, "sensitivity-estimate", [ONE_SEED, SHORT, BRIEF, ONE_LOAD]
);
dataset!(
    /// Tuning periods.
    PERIOD, "sensitivity-period", [ONE_SEED, SHORT, BRIEF, ONE_LOAD, "sweep.\"admission.tuning_period_cycles\"=[32, 96]"]
);
dataset!(
    /// Increments and decrements.
    STEPS, "sensitivity-steps", [ONE_SEED, SHORT, BRIEF, ONE_LOAD, "sweep.\"admission.increment_percent\"=[1.0, 4.0]",
        "sweep.\"admission.decrement_percent\"=[4.0, 4.0]"]
);
dataset!(
    /// Width of the side-band.
    SIDE_BAND, "sensitivity-side-band", [ONE_SEED, SHORT, BRIEF, ONE_LOAD]
);
dataset!(
    /// Escape networks.
    ESCAPE, "escape", [ONE_SEED, SHORT, BRIEF, TWO_LOADS, "sweep.admission=[\"off\", \"self_tuned\"]"]
);
dataset!(
    /// Latencies of the bursty load with another escape network.
    BURSTY_MESH, "bursty-mesh", [ONE_SEED, "sweep.\"router.source_queue_packets\"=[8]"]
);
dataset!(
    /// Ties.
    SILENT_TIE, "silent-tie", [ONE_SEED, SHORT, BRIEF, "sweep.\"traffic.load\"=[0.24]", "sweep.admission=[\"off\", \"self_tuned\"]"]
);
dataset!(
    /// Selection.
    SILENT_SELECTION, "silent-selection", [ONE_SEED, SHORT, BRIEF, ONE_LOAD, "sweep.\"selection.kind\"=[\"first\", \"random\"]"]
);
dataset!(
    /// Disha's token.
    SILENT_TOKEN, "silent-token", [ONE_SEED, SHORT, BRIEF, ONE_LOAD]
);
dataset!(
    /// "Significantly below".
    SILENT_MAX, "silent-max", [ONE_SEED, SHORT, BRIEF, ONE_LOAD, "sweep.\"admission.max_fraction\"=[0.5, 0.75]"]
);

/// All of them.
#[cfg(test)]
pub const ALL: [Dataset; 15] = [
    FIG1,
    FIG3,
    FIG4,
    FIG5,
    FIG7,
    ESTIMATE,
    PERIOD,
    STEPS,
    SIDE_BAND,
    ESCAPE,
    BURSTY_MESH,
    SILENT_TIE,
    SILENT_SELECTION,
    SILENT_TOKEN,
    SILENT_MAX,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Targets;

    #[test]
    fn every_spec_is_good_in_both_forms() {
        for dataset in ALL {
            for quick in [false, true] {
                let points = dataset.good_points(quick);
                assert!(!points.is_empty());
                for point in points.iter().step_by(11) {
                    tailback_sim::prepare(point).unwrap_or_else(|errors| panic!("{}\n{errors}", dataset.name));
                }
            }
        }
    }

    #[test]
    fn specs_have_the_numbers_of_the_paper() {
        let targets = Targets::new(super::super::PAPER.targets);
        let number = |path: &str| targets.number(path).unwrap_or_else(|| panic!("{path}"));
        for dataset in ALL {
            let points = dataset.good_points(false);
            for point in points.iter() {
                let view = |path| point.resolved.view(path);
                let router = view("router");
                assert_eq!(f64::from(router.u32("virtual_channels")), number("common.virtual_channels"));
                assert_eq!(f64::from(router.u32("buffer_flits")), number("common.edge_buffer_flits"));
                assert_eq!(f64::from(view("traffic.size").u32("flits")), number("common.packet_flits"));
                let hop = ["routing_cycles", "vc_allocation_cycles", "switch_allocation_cycles", "crossbar_cycles"];
                let hop: u32 = hop.iter().map(|name| router.u32(name)).sum();
                let paper = ["routing_delay_cycles", "crossbar_cycles_per_flit", "link_cycles_per_flit"];
                let paper: f64 = paper.iter().map(|name| number(&format!("common.{name}"))).sum();
                assert_eq!(f64::from(hop + view("topology").u32("link_cycles")), paper);
                let workload = view("workload");
                assert_eq!(workload.u64("warmup_cycles") as f64, number("common.warmup_cycles"));
                let cycles: u64 = match workload.kind() {
                    "phases" => workload.tables("phases").iter().map(|phase| phase.u64("cycles")).sum(),
                    _ => workload.u64("warmup_cycles") + workload.u64("measure_cycles"),
                };
                assert_eq!(cycles as f64, number("common.cycles"), "{}", dataset.name);
            }
            assert_eq!(points.len() % 5, 0, "five seeds");
        }
    }

    #[test]
    fn bursts_have_the_rates_of_the_paper() {
        let targets = Targets::new(super::super::PAPER.targets);
        let phases = FIG7.good_points(false)[0].resolved.view("workload").tables("phases").len();
        assert_eq!(phases, 9);
        let point = &FIG7.good_points(false)[0];
        for (i, phase) in point.resolved.view("workload").tables("phases").iter().enumerate() {
            let interval = if i % 2 == 0 { "bursty.low_interval_cycles" } else { "bursty.high_interval_cycles" };
            let expected = 16.0 / targets.number(interval).expect("printed");
            assert!((phase.float("load") - expected).abs() < 1e-9, "phase {i}");
        }
    }
}
