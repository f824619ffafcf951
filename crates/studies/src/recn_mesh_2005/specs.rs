//! The specs of the study. What the short form changes stands beside each; the same as `--set` on the command line.

use crate::lab::Dataset;

macro_rules! dataset {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $quick:expr) => {
        $(#[$doc])*
        pub const $constant: Dataset = Dataset {
            name: $name,
            text: include_str!(concat!("../../../../papers/recn-mesh-2005/", $name, ".toml")),
            quick: &$quick,
        };
    };
}

const ONE_SEED: &str = "run.replicas=1";
const BRIEF: &str = "workload.warmup_cycles=10000";
const SHORT: &str = "workload.measure_cycles=10000";
/// The short form of the specs of network 1 is one of network 4.
const SMALL: &str = "topology.radix=[8, 8]";
const SMALL_LOAD: &str = "traffic.load=0.68";

dataset!(
    /// Network 1. Not part of the short form.
    NET1, "net1", [ONE_SEED, BRIEF, SHORT, "sweep.\"traffic.load\"=[0.34]"]
);
dataset!(
    /// Network 2. Not part of the short form.
    NET2, "net2", [ONE_SEED, BRIEF, SHORT, "sweep.\"traffic.load\"=[0.17]"]
);
dataset!(
    /// Network 3. Not part of the short form.
    NET3, "net3", [ONE_SEED, BRIEF, SHORT, "sweep.\"traffic.load\"=[0.085]"]
);
dataset!(
    /// Network 4.
    NET4, "net4", [ONE_SEED, BRIEF, SHORT, "sweep.\"traffic.load\"=[0.2, 0.5, 0.68]"]
);
dataset!(
    /// Network 5.
    NET5, "net5", [ONE_SEED, BRIEF, SHORT, "sweep.\"traffic.load\"=[0.4, 0.8, 1.0]"]
);
dataset!(
    /// Egress queues and crossbar.
    SILENT_SWITCH, "silent-switch", [ONE_SEED, BRIEF, SHORT, SMALL, SMALL_LOAD]
);
dataset!(
    /// Thresholds and number of set-aside queues.
    SILENT_RECN, "silent-recn", [ONE_SEED, BRIEF, SHORT, SMALL, SMALL_LOAD]
);
dataset!(
    /// Process and length of messages.
    SILENT_SOURCES, "silent-sources", [ONE_SEED, BRIEF, SHORT, SMALL, SMALL_LOAD]
);
dataset!(
    /// Which sources are hot.
    SILENT_PLACEMENT, "silent-placement", [ONE_SEED, BRIEF, SHORT, SMALL, SMALL_LOAD]
);
dataset!(
    /// Length of links.
    SILENT_LINK, "silent-link", [ONE_SEED, BRIEF, SHORT, SMALL, SMALL_LOAD]
);
dataset!(
    /// Time before the measurement.
    SILENT_WARMUP,
    "silent-warmup",
    [ONE_SEED, SHORT, SMALL, SMALL_LOAD, "sweep.\"workload.warmup_cycles\"=[2000, 10000]"]
);

/// The networks of table 1, in its order.
pub const NETS: [Dataset; 5] = [NET1, NET2, NET3, NET4, NET5];

/// All of them.
#[cfg(test)]
pub const ALL: [Dataset; 11] = [
    NET1,
    NET2,
    NET3,
    NET4,
    NET5,
    SILENT_SWITCH,
    SILENT_RECN,
    SILENT_SOURCES,
    SILENT_PLACEMENT,
    SILENT_LINK,
    SILENT_WARMUP,
];

#[cfg(test)]
mod tests {
    use super::super::key::NETWORKS;
    use super::*;
    use crate::targets::Targets;

    #[test]
    fn every_spec_is_good_in_both_forms() {
        for dataset in ALL {
            for quick in [false, true] {
                let points = dataset.good_points(quick);
                assert!(!points.is_empty());
                for point in points.iter().step_by(13) {
                    tailback_sim::prepare(point).unwrap_or_else(|errors| panic!("{}\n{errors}", dataset.name));
                }
                assert!(quick || points.len().is_multiple_of(3), "three seeds");
            }
        }
    }

    #[test]
    fn specs_have_the_numbers_of_the_paper() {
        let targets = Targets::new(super::super::PAPER.targets);
        let number = |path: &str| targets.number(path).unwrap_or_else(|| panic!("{path}"));
        for dataset in ALL {
            for point in &dataset.good_points(false) {
                let (router, topology) = (point.resolved.view("router"), point.resolved.view("topology"));
                assert_eq!(topology.kind(), "mesh");
                let memory = 1024 * number("common.port_memory_kib") as u32;
                assert_eq!((router.u32("ingress_memory_bytes"), router.u32("egress_memory_bytes")), (memory, memory));
                assert_eq!(router.float("link_gbps"), number("common.link_gbps"));
                assert_eq!(f64::from(router.u32("packet_bytes")), number("common.packet_bytes"));
                let flit_ns = f64::from(8 * router.u32("flit_bytes")) / router.float("link_gbps");
                let flight = flit_ns * f64::from(topology.u32("link_cycles"));
                assert!(flight == 20.0 || dataset.name == "silent-link", "{}: {flight}", dataset.name);
            }
        }
    }

    #[test]
    fn networks_and_sources_are_those_of_table_1() {
        for (network, dataset) in NETWORKS.into_iter().zip(NETS) {
            let points = dataset.good_points(false);
            let most = points.iter().map(|point| point.resolved.view("traffic").float("load")).fold(0.0, f64::max);
            assert!(most >= 1.0 || most >= 2.0 * network.full_rate(), "{}", dataset.name);
            let mut hot = Vec::new();
            for point in &points {
                let topology = point.resolved.view("topology");
                assert_eq!(topology.u32s("radix"), [network.radix; 2]);
                assert_eq!(topology.u32("nodes_per_router"), network.nodes);
                let pattern = point.resolved.view("traffic.pattern");
                if pattern.kind() == "hot_sources" {
                    let expected = if network.number == 5 { 10 } else { 32 };
                    assert_eq!((pattern.u32("destination"), pattern.text("placement")), (expected, "even"));
                    hot.push(pattern.u32("one_in"));
                }
            }
            hot.sort_unstable();
            hot.dedup();
            assert_eq!(hot, [4, 8], "25 and 12.5 percent");
        }
    }
}
