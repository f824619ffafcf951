//! The specs of the study. What the short form changes stands beside each; the same as `--set` on the command line.

use crate::lab::Dataset;

macro_rules! dataset {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $quick:expr) => {
        $(#[$doc])*
        pub const $constant: Dataset = Dataset {
            name: $name,
            text: include_str!(concat!("../../../../papers/injection-2005/", $name, ".toml")),
            quick: &$quick,
        };
    };
}

const ONE_SEED: &str = "run.replicas=1";
/// What is required of figures 4 and 9 is required in the short form too: no shorter than this.
const SHORT: &str = "workload.measure_cycles=3000";
const BRIEF: &str = "workload.warmup_cycles=5000";
/// For what is shown only.
const SHORTER: &str = "workload.measure_cycles=1500";
/// Likewise.
const BRIEFER: &str = "workload.warmup_cycles=3000";
/// For 32x32 networks of which nothing is required. Figures 7 and 9 keep their size.
const SMALLER: &str = "topology.radix=[16, 16]";
const SMART: &str = "sweep.\"router.requests\"=[\"smart\"]";
const FOUR: &str = "sweep.interface=[{ kind = \"sh\", queues = 4 }]";
const TWO: &str = "sweep.interface=[{ kind = \"sh\", queues = 1 }, { kind = \"sh\", queues = 4 }]";

dataset!(
    /// Figure 3.
    FIG3, "fig3", [ONE_SEED, SHORTER, BRIEFER, SMART, "sweep.\"traffic.load\"=[0.2, 0.3, 1.0]"]
);
dataset!(
    /// Figure 4.
    FIG4, "fig4", [ONE_SEED, SHORT, BRIEF, SMART, "sweep.\"traffic.load\"=[0.3, 0.5, 1.0]"]
);
dataset!(
    /// Figure 5.
    FIG5, "fig5", [ONE_SEED, SHORTER, BRIEFER, SMART]
);
dataset!(
    /// Figure 6.
    FIG6, "fig6", [ONE_SEED, SMART, "workload.measure_cycles=15000"]
);
dataset!(
    /// Figure 7.
    FIG7, "fig7", [ONE_SEED, SHORTER, "workload.warmup_cycles=2000", SMART, "sweep.\"traffic.load\"=[0.225, 1.0]"]
);
dataset!(
    /// Figure 8.
    FIG8, "fig8", [ONE_SEED, SMALLER, SHORTER, BRIEFER, SMART, TWO]
);
dataset!(
    /// Figures 9 and 10. Held back, a network fills slowly.
    FIG9, "fig9", [ONE_SEED, SHORTER, "workload.warmup_cycles=8000", SMART, "sweep.interface=[
        { kind = \"sh\", queues = 1 },
        { kind = \"lpath\", queues = 4 }]", "sweep.flow_control=[
        { kind = \"bubble\", escape_packets = 2, new_packets = 0 },
        { kind = \"bubble\", escape_packets = 4, new_packets = 4 }]"]
);
dataset!(
    /// Figure 11, left.
    FIG11, "fig11", [ONE_SEED, SMALLER, SHORTER, BRIEFER, SMART, "sweep.\"traffic.load\"=[0.35, 1.0]"]
);
dataset!(
    /// Figure 11, right.
    FIG11_BUBBLE, "fig11-bubble", [ONE_SEED, SMALLER, SHORTER, BRIEFER, SMART, "sweep.flow_control=[
        { kind = \"bubble\", escape_packets = 2, new_packets = 0 },
        { kind = \"bubble\", escape_packets = 4, new_packets = 4 }]"]
);
dataset!(
    /// What FSIN has numbers of and no figure has.
    FSIN, "fsin", [ONE_SEED, SHORTER, BRIEFER, SMART]
);
dataset!(
    /// What a packet holds.
    SILENT_OUTPUTS, "silent-outputs", [ONE_SEED, SHORTER, BRIEFER, SMART, FOUR]
);
dataset!(
    /// Length of injection queues.
    SILENT_QUEUE, "silent-queue", [ONE_SEED, SHORTER, BRIEFER, FOUR, "sweep.\"router.source_queue_packets\"=[8, 16]"]
);
dataset!(
    /// Ties.
    SILENT_TIE, "silent-tie", [ONE_SEED, SHORTER, BRIEFER, FOUR, "sweep.\"routing.tie\"=[\"random\", \"plus\"]"]
);
dataset!(
    /// Transit before injection.
    SILENT_PRIORITY, "silent-priority", [ONE_SEED, SHORTER, BRIEFER, FOUR]
);
dataset!(
    /// Warm-up.
    SILENT_WARMUP, "silent-warmup", [ONE_SEED, SMALLER, SHORTER, FOUR, "sweep.\"workload.warmup_cycles\"=[2000, 6000]"]
);
dataset!(
    /// Place of the hot region.
    SILENT_REGION, "silent-region", [ONE_SEED, SMALLER, SHORTER, BRIEFER, "sweep.\"traffic.load\"=[1.0]", FOUR,
        "sweep.\"traffic.pattern\"=[{ kind = \"hot_region\" }, { kind = \"hot_region\", shape = \"block\", block_routers = [8, 4] }]"]
);

/// All of them.
#[cfg(test)]
pub const ALL: [Dataset; 16] = [
    FIG3,
    FIG4,
    FIG5,
    FIG6,
    FIG7,
    FIG8,
    FIG9,
    FIG11,
    FIG11_BUBBLE,
    FSIN,
    SILENT_OUTPUTS,
    SILENT_QUEUE,
    SILENT_TIE,
    SILENT_PRIORITY,
    SILENT_WARMUP,
    SILENT_REGION,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Targets;
    use tailback_spec::Point;

    #[test]
    fn every_spec_is_good_in_both_forms() {
        for dataset in ALL {
            for quick in [false, true] {
                let points = dataset.good_points(quick);
                assert!(!points.is_empty());
                for point in points.iter().step_by(23) {
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
            for point in &points {
                let view = |path| point.resolved.view(path);
                let router = view("router");
                let packet = number("common.packet_phits");
                assert_eq!(f64::from(view("traffic.size").u32("flits")), packet);
                assert_eq!(f64::from(router.u32("buffer_flits")), packet * number("common.queue_packets"));
                assert_eq!(router.u32("virtual_channels"), 3);
                // 128 phits at the router and as many at the interface.
                let queue = router.finite("source_queue_packets").map(|packets| packets as f64 * packet);
                let printed = 2.0 * number("common.injection_queue_phits");
                assert!(queue == Some(printed) || dataset.name == "silent-queue", "{}", dataset.name);
                assert_eq!(view("arbiter").kind(), "random");
                assert_eq!(view("traffic.process").kind(), "bernoulli");
                let overload = number("common.overload_phits_per_node_cycle");
                assert!(view("traffic").float("load") <= overload);
                let pattern = view("traffic.pattern");
                if pattern.kind() == "hot_region" {
                    assert_eq!(pattern.float("share_percent"), number("hot_region.share_of_packets_percent"));
                    let band = pattern.float("region_percent");
                    assert_eq!(band, number("hot_region.region_percent_of_machine"));
                }
            }
            assert_eq!(points.len() % 5, 0, "five seeds");
        }
    }

    #[test]
    fn figures_have_the_organisations_and_bubbles_of_the_paper() {
        use super::super::key::{Bubble, POLICIES, READINGS, RESTRICTED, settings};
        let view = |point: &Point, path: &str| point.resolved.view(path).kind().to_owned();
        let kinds = |dataset: &Dataset| {
            let all = dataset.good_points(false);
            let mut kinds: Vec<(String, u32)> = all
                .iter()
                .map(|point| (view(point, "interface"), point.resolved.view("interface").u32("queues")))
                .collect();
            kinds.sort();
            kinds.dedup();
            kinds.len()
        };
        assert_eq!((kinds(&FIG4), kinds(&FIG7), kinds(&FIG11)), (4, 4, 4));
        assert_eq!((POLICIES.len(), kinds(&FIG9)), (4, RESTRICTED.len()));
        let bubble = |point: &Point| {
            let flow = point.resolved.view("flow_control");
            Bubble { escape: flow.u32("escape_packets"), new: flow.u32("new_packets") }
        };
        let found: Vec<Bubble> = FIG9.good_points(false).iter().map(bubble).collect();
        assert!(READINGS.into_iter().flat_map(settings).all(|bubble| found.contains(&bubble)));
    }
}
