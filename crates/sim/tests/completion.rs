//! What is said of a program that has run: bounds that nothing beats, operations, and critical paths whose cycles add up.

use crate::common::outcome;
use std::path::PathBuf;
use tailback_results::{Series, Status};
use tailback_sim::{Critical, SHARE_NAMES};

/// Numbers that look random.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn choose<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

/// A random program as GOAL: all that an operation waits for was written before it, in one order of everything, so it comes to its end.
fn random(draws: &mut Draws, ranks: u64) -> String {
    let mut of_rank: Vec<(String, u64)> = vec![Default::default(); ranks as usize];
    let mut add = |draws: &mut Draws, rank: u64, work: String| {
        let (text, count) = &mut of_rank[rank as usize];
        *text += &format!("l{count}: {work}\n");
        for _ in 0..draws.below(3).min(*count) {
            let upon = if draws.below(4) == 0 { "irequires" } else { "requires" };
            let back = 1 + draws.below((*count).min(4));
            *text += &format!("l{count} {upon} l{}\n", *count - back);
        }
        *count += 1;
    };
    for message in 0..1 + draws.below(20) {
        let (from, to) = (draws.below(ranks), draws.below(ranks));
        let flits = 1 + draws.below(24);
        add(draws, from, format!("send {flits}b to {to} tag {message}"));
        let source = if draws.below(5) == 0 { "-1".to_owned() } else { from.to_string() };
        add(draws, to, format!("recv {flits}b from {source} tag {message}"));
        if draws.below(3) == 0 {
            let (rank, cycles, cpu) = (draws.below(ranks), draws.below(50), draws.below(2));
            add(draws, rank, format!("calc {cycles} cpu {cpu}"));
        }
    }
    let ranks = of_rank.iter().enumerate().map(|(rank, (text, _))| format!("rank {rank} {{\n{text}}}\n"));
    format!("num_ranks {}\n{}", of_rank.len(), ranks.collect::<String>())
}

const PATHS: &[&str] = &[
    "router = { kind = 'cut_through', buffer_flits = 32, header_cycles = 1 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = 'cut_through', buffer_flits = 24, ejection_channels = 2 }\n",
    "router = { kind = 'wormhole', buffer_flits = 8 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = 'wormhole', buffer_flits = 4 }\n",
    "router = { kind = 'adaptive_cut_through', buffer_flits = 32 }\ninterface = { queues = 2 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = 'input_queued', buffer_flits = 8 }\ntraffic = { packet_flits = 8 }\n",
    "router = { kind = 'input_queued', buffer_flits = 16, internal_speedup = 2.0 }\n",
    // A cycle is a nanosecond.
    "router = { kind = 'input_output_queued', link_gbps = 64.0 }\nqueueing = 'voq_net'\n",
];

/// Networks of eight nodes or more.
const NETWORKS: &[&str] = &[
    "topology = { kind = 'mesh', radix = [3, 3] }\n",
    "topology = { kind = 'torus', radix = [8], link_cycles = 2 }\n",
    "topology = { kind = 'torus', radix = [4, 2], nodes_per_router = 2 }\n",
    "topology = { kind = 'hyperx', sides = [3, 3], nodes_per_router = 1 }\n",
    "topology = { kind = 'fat_tree', arity = 3, levels = 2 }\n",
    "topology = { kind = 'dragonfly', routers_per_group = 4, nodes_per_router = 2, global_links = 2 }\n",
];

/// A file for as long as a test needs it.
struct Written(PathBuf);

impl Written {
    fn new(name: &str, text: &str) -> Written {
        let path = std::env::temp_dir().join(format!("tailback-completion-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        Written(path)
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn column(table: &Series, name: &str) -> Vec<f64> {
    table.column(name).unwrap_or_else(|| panic!("{name}")).to_vec()
}

/// Segments follow each other from cycle 0 to the end, and the shares of each are its cycles.
fn is_exact(path: &Critical, duration: f64, spec: &str) {
    assert_eq!(path.duration as f64, duration, "{spec}");
    assert_eq!(path.shares.iter().sum::<u64>(), path.duration, "{spec}\n{path:?}");
    let mut at = 0;
    for segment in &path.segments {
        assert_eq!(segment.from, at, "{spec}\n{path:?}");
        assert_eq!(segment.shares.iter().sum::<u64>(), segment.to - segment.from, "{spec}\n{segment:?}");
        at = segment.to;
    }
    assert_eq!(at, path.duration, "{spec}");
    let waits: u64 = path.waits.iter().map(|held| held.cycles).sum();
    assert_eq!(waits, path.shares[3], "every wait has a place: {spec}\n{path:?}");
    let of_links: u64 = path.links.iter().map(|link| link.wait).sum();
    assert!(of_links <= waits, "{spec}\n{path:?}");
}

/// Runs a random program for each seed, under one data path after the other. None may be refused.
fn random_programs(seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut draws = Draws(seed);
        let ranks = 2 + draws.below(6);
        let text = random(&mut draws, ranks);
        let file = Written::new(&format!("{seed}.goal"), &text);
        let (network, path) = (draws.choose(NETWORKS), PATHS[seed as usize % PATHS.len()]);
        let placement = draws.choose(&["packed", "random"]);
        let spec = format!(
            "{network}{path}clock = {{ cycle_ns = 1.0 }}\nprobes = {{ critical_path = true, operations = true }}\nworkload = {{ kind = \
             'program', file = '{}', bytes_per_flit = 1, placement = '{placement}' }}\n",
            file.0.display()
        );
        let found = outcome(&spec);
        let told = format!("seed {seed}\n{spec}{text}");
        assert_eq!(found.record.status, Status::Completed, "{told}");
        let (duration, bound) = (found.record.duration.unwrap(), found.record.bound.unwrap());
        assert!(bound <= duration, "{bound} by {} and {duration}: {told}", found.record.bound_by);
        if duration > 0.0 {
            assert_eq!(found.record.efficiency, Some(bound / duration));
        }
        is_exact(found.critical.as_ref().expect("it was asked for"), duration, &told);
        let table = Series::named(&found.series, "operations").expect("it was asked for");
        let (ready, started, finished) = (column(table, "ready"), column(table, "started"), column(table, "finished"));
        for ((ready, started), finished) in ready.iter().zip(&started).zip(&finished) {
            assert!(ready <= started && started <= finished && *finished <= duration, "{told}");
        }
        assert_eq!(finished.iter().copied().fold(0.0, f64::max), duration, "{told}");
    }
}

#[test]
fn no_random_program_beats_its_bound_and_all_cycles_of_its_path_add_up() {
    random_programs(0..1000);
}

fn generated(topology: &str, program: &str) -> tailback_sim::Outcome {
    outcome(&format!(
        "topology = {{ {topology} }}\nrouter = {{ kind = 'cut_through', buffer_flits = 32, header_cycles = 1 }}\n\
         traffic = {{ packet_flits = 8 }}\nprobes = {{ critical_path = true }}\n\
         workload = {{ kind = 'program', generate = {{ {program} }} }}\n"
    ))
}

#[test]
fn the_largest_bound_has_its_name() {
    for (topology, program, by, bound) in [
        // Seven of eight chunks leave every rank; on a ring the chain of steps is exact.
        ("kind = 'torus', radix = [8]", "kind = 'all_reduce', ranks = 8, flits = 1024", "chain", 1834),
        ("kind = 'crossbar', nodes_per_router = 8", "kind = 'incast', ranks = 8, flits = 1000", "ports", 7000),
        // Half of the ranks send half of what they have over two links each way: 4 x 4 x 128 / 2.
        (
            "kind = 'torus', radix = [8]",
            "kind = 'all_to_all', algorithm = 'spread', window = 7, ranks = 8, flits = 1024",
            "cut",
            1024,
        ),
        (
            "kind = 'torus', radix = [4]",
            "kind = 'pipeline', ranks = 2, flits = 1, microbatches = 1, compute_cycles = 500",
            "chain",
            1004,
        ),
    ] {
        let record = generated(topology, program).record;
        assert_eq!((record.bound_by.as_str(), record.bound), (by, Some(f64::from(bound))), "{program}");
        assert!(record.bound <= record.duration, "{program}");
    }
}

#[test]
fn open_loops_have_no_bound() {
    let record = outcome("topology = { kind = 'torus', radix = [4] }\ntraffic.load = 0.1\n").record;
    assert_eq!((record.bound, record.bound_by.as_str(), record.efficiency), (None, "", None));
}

/// Names and cycles of the shares that are not 0.
fn shares(path: &Critical) -> Vec<(&'static str, u64)> {
    SHARE_NAMES.into_iter().zip(path.shares).filter(|share| share.1 > 0).collect()
}

#[test]
fn a_lonely_message_is_on_wires_and_follows_itself() {
    for (topology, wire) in [("kind = 'torus', radix = [8]", 3), ("kind = 'torus', radix = [8], link_cycles = 5", 7)] {
        let found = generated(topology, "kind = 'broadcast', ranks = 2, flits = 64");
        assert_eq!(shares(&found.critical.unwrap()), [("wire", wire), ("serialisation", 64)]);
    }
}

#[test]
fn a_path_crosses_the_links_on_its_way() {
    let text =
        "num_ranks 4\nrank 0 {\nsend 40b to 3 tag 0\n}\nrank 1 { }\nrank 2 { }\nrank 3 {\nrecv 40b from 0 tag 0\n}\n";
    let file = Written::new("way.goal", text);
    for router in PATHS.iter().filter(|path| !path.contains("input_output_queued")) {
        let found = outcome(&format!(
            "topology = {{ kind = 'torus', radix = [8] }}\n{router}probes = {{ critical_path = true }}\n\
             workload = {{ kind = 'program', file = '{}', bytes_per_flit = 2 }}\n",
            file.0.display()
        ));
        let path = found.critical.unwrap();
        let way: Vec<_> = path.links.iter().map(|link| (link.router, link.port, link.messages)).collect();
        assert_eq!(way, [(0, 0, 1), (1, 0, 1), (2, 0, 1)], "{router}\n{path:?}");
        let table = Series::named(&found.series, "critical_links").expect("it was asked for");
        assert_eq!(column(table, "router"), [0.0, 1.0, 2.0]);
    }
}

#[test]
fn the_path_of_an_incast_names_the_port_that_all_wait_for() {
    let found = generated("kind = 'crossbar', nodes_per_router = 8", "kind = 'incast', ranks = 8, flits = 80");
    let path = found.critical.unwrap();
    assert!(path.shares[3] > 400, "{path:?}");
    let most = &path.waits[0];
    assert_eq!((most.router, most.port), (0, None), "{path:?}");
    assert!(most.holder.is_some_and(|rank| rank > 0));
    assert!(found.explanation.contains("The longest chain of causes has 1 segment"), "{}", found.explanation);
}

#[test]
fn messages_of_a_node_wait_behind_each_other() {
    let text = "num_ranks 3\nrank 0 {\ns: send 40b to 1 tag 0\nt: send 40b to 2 tag 0\n}\nrank 1 {\nr: recv 40b from 0 tag 0\n}\n\
                rank 2 {\nr: recv 40b from 0 tag 0\n}\n";
    let file = Written::new("queue.goal", text);
    let found = outcome(&format!(
        "topology = {{ kind = 'torus', radix = [8] }}\nrouter = {{ kind = 'cut_through', buffer_flits = 64 }}\n\
         probes = {{ critical_path = true }}\nworkload = {{ kind = 'program', file = '{}', bytes_per_flit = 1 }}\n",
        file.0.display()
    ));
    let path = found.critical.unwrap();
    assert_eq!(shares(&path), [("source_queue", 40), ("wire", 2), ("serialisation", 40)], "{path:?}");
    assert_eq!((path.segments.len(), path.segments[0].peer), (1, Some(2)));
}

#[test]
fn computations_of_one_processor_follow_each_other() {
    let text = "num_ranks 1\nrank 0 {\na: calc 100\nb: calc 50\nc: calc 120 cpu 1\n}\n";
    let file = Written::new("calc.goal", text);
    let found = outcome(&format!(
        "topology = {{ kind = 'torus', radix = [4] }}\nclock = {{ cycle_ns = 1.0 }}\nprobes = {{ critical_path = true }}\n\
         workload = {{ kind = 'program', file = '{}', bytes_per_flit = 1 }}\n",
        file.0.display()
    ));
    let path = found.critical.unwrap();
    assert_eq!((shares(&path), path.segments.len()), (vec![("compute", 150)], 2));
}

#[test]
fn nobody_pays_for_what_nobody_asked() {
    let spec = "topology = { kind = 'torus', radix = [8] }\ntraffic = { packet_flits = 8 }\n\
                workload = { kind = 'program', generate = { kind = 'barrier', ranks = 8 } }\n";
    let plain = outcome(spec);
    assert!(plain.critical.is_none() && Series::named(&plain.series, "operations").is_none());
    let asked = outcome(&format!("{spec}probes = {{ operations = true, critical_path = true }}\n"));
    assert_eq!(plain.record.digest, asked.record.digest);
    let table = Series::named(&asked.series, "operations").unwrap();
    assert_eq!(table.x.len(), 8 * 3 * 2);
    assert_eq!(column(table, "kind").iter().filter(|kind| **kind == 1.0).count(), 24);
}
