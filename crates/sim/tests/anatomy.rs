//! The anatomy of congestion of whole points, under every data path.

use crate::common::{column, outcome, prepared, table};
use tailback_results::Status;
use tailback_sim::{Dissected, Outcome};

/// Data paths with what they need beside.
const PATHS: [&str; 4] = [
    "router = { kind = 'cut_through', virtual_channels = 1, buffer_flits = 16 }",
    "router = { kind = 'wormhole', virtual_channels = 1, buffer_flits = 8 }",
    "router = { kind = 'adaptive_cut_through', virtual_channels = 1 }\nflow_control = 'virtual_cut_through'",
    "router = { kind = 'input_output_queued', ingress_memory_bytes = 256, egress_memory_bytes = 256 }\n\
     queueing = { kind = 'single' }",
];

/// All of a line of nine nodes send to the middle one, and the network is full of it.
const HOT: &str = "
topology = { kind = 'mesh', radix = [9] }
routing = { kind = 'dimension_order' }
traffic = { load = 0.9, pattern = { kind = 'hot_spot', nodes = [4], share_percent = 100 } }
workload = { kind = 'steady', warmup_cycles = 4000, measure_cycles = 4000, drain_cycles = 0 }
";

fn hot(path: &str, probes: &str) -> String {
    format!("{path}\n{HOT}\nprobes = {{ {probes} }}\n")
}

fn anatomy(outcome: &Outcome) -> &Dissected {
    outcome.anatomy.as_ref().expect("it was asked for")
}

#[test]
fn a_hot_node_is_the_root_of_one_tree_that_fills_the_line() {
    for path in PATHS {
        let outcome = outcome(&hot(path, "anatomy_every_cycles = 50"));
        let anatomy = &anatomy(&outcome).anatomy;
        assert_eq!(anatomy.found.len(), 80, "{path}");
        let of_looks = |name| column(table(&outcome, "anatomy"), name).to_vec();
        let links = table(&outcome, "anatomy_links");
        let roots = column(links, "root");
        let root = (0..roots.len()).max_by(|&a, &b| roots[a].total_cmp(&roots[b])).expect("a link");
        let place = (column(links, "router")[root], column(links, "port")[root]);
        // Ports: up, down, node.
        assert_eq!(place, (4.0, 2.0), "{path}: {}", outcome.explanation);
        // But while the next head is still in the pipeline, nobody contends for the node.
        assert!(roots[root] > 0.75, "{path}: it is the root for {} of the time", roots[root]);
        let depth = of_looks("depth").iter().sum::<f64>() / 80.0;
        assert!((3.0..=4.0).contains(&depth), "{path}: {depth} of four links stand still one behind the other");
        assert!(of_looks("rootless").iter().all(|&links| links == 0.0), "{path}");
        let roles = anatomy.flows.total();
        assert!(roles.culprit > 0 && roles.victim * 20 <= roles.culprit, "{path}: {roles:?}");
        assert_eq!(anatomy.blocked.head_of_line, 0, "{path}: all go to one node");
        assert!(outcome.explanation.contains("node 4"), "{path}: {}", outcome.explanation);
    }
}

/// A row in which every second node sends to the hot end, the others to the node above their own, or further.
const VICTIMS: &str = "
topology = { kind = 'mesh', radix = [6, 3], link_cycles = 1 }
routing = { kind = 'dimension_order' }
traffic = { load = 0.6, pattern = { kind = 'hot_spot', nodes = [11], share_percent = 30 } }
workload = { kind = 'steady', warmup_cycles = 4000, measure_cycles = 8000, drain_cycles = 0 }
";

#[test]
fn a_queue_blocks_the_others_and_one_for_each_output_does_not() {
    let switch = "router = { kind = 'input_output_queued', ingress_memory_bytes = 4096, egress_memory_bytes = 4096 }";
    let of = |queueing: &str| {
        let spec = format!("{switch}\nqueueing = {{ {queueing} }}\n{VICTIMS}\nprobes.anatomy_every_cycles = 50\n");
        let outcome = outcome(&spec);
        let anatomy = &anatomy(&outcome).anatomy;
        assert!(anatomy.blocked.behind() > 1000, "{queueing}: {:?}", anatomy.blocked);
        (anatomy.blocked.head_of_line_share().expect("known"), anatomy.flows.total())
    };
    let (single, voq) = (of("kind = 'single'"), of("kind = 'voq_sw'"));
    assert!(single.0 > 0.05, "{single:?}");
    assert_eq!(voq.0, 0.0, "at a switch a queue's packets go one way");
    assert!(single.1.victim > 0 && single.1.culprit > 0, "{single:?}");
}

#[test]
fn nothing_simulated_depends_on_looks() {
    for path in PATHS {
        let without = outcome(&hot(path, ""));
        assert!(without.anatomy.is_none());
        for every in [1, 64, 1000] {
            let with = outcome(&hot(path, &format!("anatomy_every_cycles = {every}")));
            assert_eq!(with.record.digest, without.record.digest, "{path}, every {every}");
            assert_eq!(anatomy(&with).anatomy.found.len(), 4000 / every, "{path}");
        }
    }
}

/// Six ports of thirteen channels each.
#[test]
fn outputs_may_be_more_than_a_mask_has_bits() {
    let spec = "topology = { kind = 'torus', radix = [3, 3, 3] }\nrouter = { kind = 'input_queued', virtual_channels = 13 }\n\
                traffic = { load = 0.9, pattern = { kind = 'hot_spot', nodes = [13], share_percent = 100 } }\n\
                workload = { kind = 'steady', warmup_cycles = 2000, measure_cycles = 2000, drain_cycles = 0 }\n\
                probes = { anatomy_every_cycles = 100 }\n";
    let outcome = outcome(spec);
    assert!(anatomy(&outcome).anatomy.lives.trees > 0);
    let rootless = column(table(&outcome, "anatomy"), "rootless");
    assert!(rootless.iter().all(|&links| links == 0.0), "{}", outcome.explanation);
    assert!(outcome.explanation.contains("node 13"), "{}", outcome.explanation);
}

#[test]
fn a_light_load_has_no_trees() {
    for path in PATHS {
        let spec = hot(path, "anatomy_every_cycles = 10").replace("load = 0.9", "load = 0.01");
        let outcome = outcome(&spec);
        assert_eq!(outcome.record.status, Status::Steady, "{path}");
        let anatomy = &anatomy(&outcome).anatomy;
        let still: u32 = anatomy.found.iter().map(|found| found.still).sum();
        assert!(still <= 4, "{path}: {still} links stood still in {} looks", anatomy.found.len());
    }
}

#[test]
fn windows_that_are_too_short_are_told() {
    for every in ["4001", "1_099_511_627_776"] {
        let outcome = outcome(&hot(PATHS[0], &format!("anatomy_every_cycles = {every}")));
        assert!(anatomy(&outcome).anatomy.found.is_empty());
        assert!(outcome.explanation.contains("nobody looked"), "{}", outcome.explanation);
    }
    let tiny = HOT.replace("radix = [9]", "radix = [2]").replace("nodes = [4]", "nodes = [1]");
    let spec = format!("{}\n{tiny}\nprobes.anatomy_every_cycles = 1\n", PATHS[0]);
    assert!(anatomy(&outcome(&spec)).anatomy.found.len() == 4000);
}

#[test]
fn looks_that_fill_the_memory_are_refused() {
    let long = HOT.replace("measure_cycles = 4000", "measure_cycles = 1_000_000_000_000");
    let refusal =
        prepared(&format!("{}\n{long}\nprobes.anatomy_every_cycles = 1\n", PATHS[0])).err().expect("a refusal");
    assert!(refusal.render().contains("probes.anatomy_every_cycles"), "{}", refusal.render());
}

#[test]
fn under_valiant_nobody_knows_where_packets_go() {
    let spec = "
topology = { kind = 'mesh', radix = [4, 4] }
router = { kind = 'cut_through', virtual_channels = 2, buffer_flits = 16 }
routing = { kind = 'valiant' }
traffic = { load = 0.9, pattern = 'uniform' }
workload = { kind = 'steady', warmup_cycles = 1000, measure_cycles = 4000, drain_cycles = 0 }
probes = { anatomy_every_cycles = 50 }
";
    let outcome = outcome(spec);
    let anatomy = &anatomy(&outcome).anatomy;
    assert!(!anatomy.knows_ways && anatomy.lives.trees > 0 && anatomy.blocked.unknown > 0);
    assert_eq!((anatomy.blocked.head_of_line_share(), anatomy.flows.count()), (None, (0, 0)));
    assert!(table(&outcome, "anatomy").column("head_of_line").is_none());
}

#[test]
fn what_a_look_finds_does_not_hang_on_the_looks_before_it() {
    // Under the odd-even turn model a packet's way depends on where it comes from, too.
    let spec = |every: u64| {
        format!(
            "
topology = {{ kind = 'mesh', radix = [5, 4], nodes_per_router = 2 }}
router = {{ kind = 'adaptive_cut_through', virtual_channels = 5, buffer_flits = 5, requests = 'random', escape_first = false, transit_first = false }}
interface = {{ kind = 'random', queues = 2, channels = 'virtual', router_packets = 2 }}
flow_control = 'virtual_cut_through'
routing = 'turn_model'
traffic = {{ load = 0.9, pattern = 'rand', size = {{ kind = 'fixed', flits = 5 }} }}
workload = {{ kind = 'steady', warmup_cycles = 0, measure_cycles = 20000, drain_cycles = 0 }}
probes.anatomy_every_cycles = {every}
"
        )
    };
    let found = |every| anatomy(&outcome(&spec(every))).anatomy.found.clone();
    let (often, seldom) = (found(10), found(100));
    let same = often.iter().filter(|one| one.cycle % 100 == 0).collect::<Vec<_>>();
    let differs = same.iter().zip(&seldom).find(|(one, other)| **one != *other);
    assert!(same.len() == seldom.len() && differs.is_none(), "{differs:?}");
    assert!(seldom.iter().any(|one| one.still > 0), "there is congestion");
}
