//! Where the time goes, where it can be computed by hand; `random_specs.rs` says that parts add up.

use crate::common::data_paths::{FLITS, LINK, PATHS, Path};
use crate::common::{column, outcome, table};
use tailback_probes::latency_split::PARTS;
use tailback_results::Series;

const SPLIT: &str = "probes = { latency_split = true }\n";

// Places among the parts.
const VC_WAIT: usize = 4;
const SWITCH_WAIT: usize = 5;
const WIRES: usize = 7;

/// A statistic of every part, in one row.
fn parts(table: &Series, row: usize, statistic: &str) -> Vec<f64> {
    PARTS.iter().map(|part| column(table, &format!("{part}_{statistic}"))[row]).collect()
}

/// The parts of a packet that nobody is in the way of.
fn alone(path: &Path, hops: u64) -> Vec<f64> {
    let routing = (hops + 1) * path.routing;
    let wires = if path.queued() { (hops + 2) * (LINK + 1) } else { hops * (LINK + path.crossing) + path.crossing };
    [0, 0, routing, 0, 0, 0, 0, wires, FLITS].map(|cycles| cycles as f64).to_vec()
}

#[test]
fn an_empty_network_routes_and_sends() {
    for path in &PATHS {
        let outcome = outcome(&format!("{}{SPLIT}", path.spec()));
        let table = table(&outcome, "latency_split_by_hops");
        assert!(table.x.len() > 4, "{:?}", table.x);
        for (row, &hops) in table.x.iter().enumerate() {
            assert_eq!(parts(table, row, "p50"), alone(path, hops as u64), "{} {hops}", path.router);
        }
    }
}

/// Nodes 0 and 2 of a row send a packet each to node 1 in cycle 0: one of them waits until the other has been consumed.
#[test]
fn of_two_packets_for_one_output_one_waits_for_the_other() {
    for path in &PATHS {
        let row = path.spec().replace("[6, 6]", "[3]").replace("'torus'", "'mesh'");
        let (before, _) = row.split_once("workload").expect("it has one");
        let hot = before.replace("load = 0.01", "pattern = { kind = 'hot_spot', nodes = [1], share_percent = 100.0 }");
        let outcome = outcome(&format!("{hot}workload = {{ kind = 'collective', packets_per_node = 1 }}\n{SPLIT}"));
        let table = table(&outcome, "latency_split");
        let mut expected = alone(path, 1);
        let (waiting, waits, wires) = match path.router {
            // The other one holds the ejection channel from its allocation on, a cycle before it is sent.
            router if router.contains("wormhole") => (VC_WAIT, FLITS + 1, 0),
            // Behind a crossbar it waits two cycles for its turn, then for the link, in the cycle of its crossing, too.
            _ if path.queued() => (SWITCH_WAIT, FLITS + 1, 1),
            _ => (SWITCH_WAIT, FLITS, 0),
        };
        (expected[waiting], expected[WIRES]) = (waits as f64, expected[WIRES] - wires as f64);
        // Of three packets, that of node 1 meets nobody.
        assert_eq!(column(table, "packets"), [3.0]);
        assert_eq!(parts(table, 0, "p9999")[waiting], expected[waiting], "{}", path.router);
        let mean: Vec<f64> = alone(path, 1).iter().zip(&expected).map(|(a, b)| (2.0 * a + b) / 3.0).collect();
        assert_eq!(parts(table, 0, "mean"), mean, "{}", path.router);
    }
}

#[test]
fn a_source_that_sends_twice_waits_behind_itself() {
    let path = &PATHS[0];
    let (before, _) =
        path.spec().split_once("workload").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("it has one");
    let tornado = before.replace("load = 0.01", "pattern = 'tornado'").replace("[6, 6]", "[6]");
    let outcome = outcome(&format!("{tornado}workload = {{ kind = 'collective', packets_per_node = 2 }}\n{SPLIT}"));
    let table = table(&outcome, "latency_split");
    // Packets follow each other round the ring. The second one of a node comes to the front when the first has gone, header and all.
    let behind = column(table, "source_queue_p9999")[0];
    assert_eq!((column(table, "source_queue_p50")[0], behind), (0.0, FLITS as f64), "{table:?}");
}

#[test]
fn lengths_are_classes() {
    let two = PATHS[1]
        .spec()
        .replace("kind = 'fixed', flits = 4", "kind = 'bimodal', short_flits = 2, long_flits = 9, long_percent = 30");
    let outcome = outcome(&format!("{two}{SPLIT}"));
    let table = table(&outcome, "latency_split");
    assert_eq!(table.x, [0.0, 2.0, 9.0]);
    assert_eq!(column(table, "serialisation_p50")[1..], [2.0, 9.0]);
    let packets = column(table, "packets");
    assert_eq!(packets[0], packets[1] + packets[2]);
}

/// Nodes 1 and 3 of a row send all they can to node 0, where no more than a flit a cycle is taken; the others send a little.
#[test]
fn culprits_wait_and_victims_with_them() {
    let spec = "
topology = { kind = 'mesh', radix = [4] }
router = { virtual_channels = 1, buffer_flits = 8 }
traffic = { load = 0.9, size = { kind = 'fixed', flits = 4 }, \
            pattern = { kind = 'hot_sources', destination = 0, one_in = 2 } }
workload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 5000 }
";
    let outcome = outcome(&format!("{spec}{SPLIT}"));
    let (all, roles) = (table(&outcome, "latency_split"), table(&outcome, "latency_split_by_role"));
    assert_eq!(roles.x, [0.0, 1.0]);
    let packets = column(roles, "packets");
    assert_eq!(packets[0] + packets[1], column(all, "packets")[0]);
    for row in 0..2 {
        let whole = column(roles, "latency_mean")[row];
        assert!((parts(roles, row, "mean").iter().sum::<f64>() - whole).abs() < 1e-6 * whole, "parts add up");
    }
    assert!(column(roles, "latency_mean")[1] > column(roles, "latency_mean")[0], "{roles:?}");
}
