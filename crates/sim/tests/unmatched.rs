//! Finite ejection buffers under any program: what keeps a place until a receive asks for it, what is said before a run, and how runs that
//! lock end.

use crate::common;
use crate::common::same::{controlled, gone_on};
use crate::common::{adds_up, facts, outcome, prepared};
use std::fmt::Write as _;
use tailback_program::goal::{Units, read_text, write_binary};
use tailback_results::{Record, Status};
use tailback_sim::run_in_parts;

/// A file that is there as long as its name is.
struct Written(std::path::PathBuf);

impl Written {
    fn new(name: &str, bytes: &[u8]) -> Written {
        let path = std::env::temp_dir().join(format!("tailback-{}-{name}", std::process::id()));
        std::fs::write(&path, bytes).unwrap();
        Written(path)
    }

    fn workload(&self) -> String {
        format!(
            "workload = {{ kind = 'program', file = '{}', bytes_per_flit = 8, limit_cycles = 50_000 }}\n",
            self.0.display()
        )
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The same digest in two parts, with probes, and for whoever goes on from a checkpoint.
fn alike(spec: &str, record: &Record) {
    let watched = prepared(&format!("{spec}probes = {{ link_load = true, latency_split = true }}\n")).unwrap();
    let watched = controlled(|control| run_in_parts(&watched, control, 1));
    let prepared = prepared(spec).unwrap();
    let parts = controlled(|control| run_in_parts(&prepared, control, 2));
    for other in [watched, parts] {
        assert_eq!((&other.record.digest, other.record.status), (&record.digest, record.status), "{spec}");
    }
    gone_on(&prepared, record, spec);
}

/// How many places are enough, as a warning says; `None` where nothing is in doubt.
fn enough(spec: &str) -> Option<u64> {
    let doubt = facts(spec).warnings.into_iter().find(|warning| warning.contains("not proved"))?;
    let (_, number) = doubt.split_once("router.ejection_packets = ").expect("it says how many");
    Some(number.split(' ').next().unwrap().parse().expect("a number"))
}

/// A run with so many places, which has completed or locked, and may lock only where that is said before.
fn ends(spec: &dyn Fn(&str) -> String, places: &str) -> Record {
    let spec = spec(places);
    let found = outcome(&spec);
    let record = found.record;
    assert!(adds_up(&record), "{spec}");
    let in_doubt = enough(&spec).is_some();
    assert!(
        record.status == Status::Completed || record.status == Status::Deadlocked && in_doubt,
        "{spec}{}: {}",
        record.status.name(),
        found.explanation
    );
    if record.status == Status::Deadlocked {
        assert!(found.explanation.contains("Protocol deadlock"), "{}", found.explanation);
        assert!(
            found.explanation.contains("keeps a place") || found.explanation.contains("keep places"),
            "{}",
            found.explanation
        );
    }
    record
}

/// Every kind of generated program, and algorithms that differ in who waits for whom.
const KINDS: [&str; 14] = [
    "kind = 'all_reduce', algorithm = 'ring', ranks = 9, flits = 100",
    "kind = 'all_reduce', algorithm = 'halving_doubling', ranks = 9, flits = 100",
    "kind = 'all_reduce', algorithm = 'recursive_doubling', ranks = 8, flits = 50",
    "kind = 'all_reduce', algorithm = 'double_binary_tree', ranks = 9, flits = 100",
    "kind = 'all_reduce', algorithm = 'hierarchical', ranks = 9, flits = 100, groups = 3",
    "kind = 'reduce_scatter', algorithm = 'halving_doubling', ranks = 8, flits = 100",
    "kind = 'all_gather', ranks = 9, flits = 100",
    "kind = 'broadcast', ranks = 9, flits = 30",
    "kind = 'reduce', ranks = 9, flits = 30, root = 2",
    "kind = 'all_to_all', algorithm = 'pairwise', ranks = 9, flits = 90",
    "kind = 'barrier', ranks = 9",
    "kind = 'halo', dimensions = [3, 3], flits = 10, iterations = 3, compute_cycles = 20",
    "kind = 'incast', ranks = 9, flits = 20",
    "kind = 'pipeline', ranks = 4, flits = 20, microbatches = 3, compute_cycles = 10",
];

const NETWORKS: [&str; 3] = [
    "topology = { kind = 'mesh', radix = [3, 3] }\n",
    "topology = { kind = 'torus', radix = [9] }\n",
    "topology = { kind = 'fat_tree', arity = 3, levels = 2 }\n",
];

#[test]
fn every_kind_runs_and_what_is_enough_is_enough() {
    let (mut locked, mut in_doubt, mut run) = (0, 0, 0);
    for (n, network) in NETWORKS.into_iter().enumerate() {
        for kind in KINDS {
            let spec = |places: &str| {
                format!(
                    "{network}router = {{ kind = 'cut_through', buffer_flits = 32, ejection_packets = {places} }}\ntraffic = {{ packet_flits = 8 }}\n\
                     workload = {{ kind = 'program', generate = {{ {kind} }} }}\n"
                )
            };
            let free = outcome(&spec("'infinite'")).record;
            let few = ends(&spec, "2");
            locked += u32::from(few.status == Status::Deadlocked);
            if let Some(enough) = enough(&spec("2")) {
                in_doubt += 1;
                let record = ends(&spec, &enough.to_string());
                assert_eq!(record.status, Status::Completed, "{}", spec("2"));
            }
            // What never waits for a place goes as if there were places for all.
            assert_eq!(ends(&spec, "100_000").digest, free.digest, "{}", spec("2"));
            run += 1;
            if (run + n) % 4 == 0 {
                alike(&spec("2"), &few);
            }
        }
    }
    assert!(
        locked > 0 && in_doubt >= locked && (in_doubt as usize) < 3 * KINDS.len(),
        "{locked} locked, {in_doubt} in doubt"
    );
}

/// Its messages come in the order of its receives, one way: no packet waits for a receive.
#[test]
fn a_ring_on_a_ring_needs_one_place() {
    let spec = |places: &str| {
        format!(
            "topology = {{ kind = 'torus', radix = [8], link_cycles = 1 }}\n\
             router = {{ kind = 'cut_through', buffer_flits = 32, header_cycles = 1, ejection_packets = {places} }}\n\
             traffic = {{ packet_flits = 8 }}\n\
             workload = {{ kind = 'program', generate = {{ kind = 'all_reduce', ranks = 8, flits = 1024 }} }}\n"
        )
    };
    assert_eq!(enough(&spec("1")), None);
    let (one, all) = (outcome(&spec("1")).record, outcome(&spec("'infinite'")).record);
    assert_eq!((one.duration, one.digest.as_str()), (Some(1834.0), all.digest.as_str()));
    // Packets that choose among channels may come in another order.
    let more = spec("1").replace("ejection_packets", "virtual_channels = 4, ejection_packets");
    assert!(enough(&more).is_some());
}

/// The message that rank 1 asks for first waits in its source before a buffer that is full of the one sent before it.
const CROSSED: &str = "num_ranks 2\nrank 0 {\na: send 64b to 1 tag 1\nb: send 64b to 1 tag 2\nb requires a\n}\n\
                       rank 1 {\nx: recv 64b from 0 tag 2\ny: recv 64b from 0 tag 1\ny requires x\n}\n";

#[test]
fn a_run_that_locks_before_anything_is_in_the_network_ends() {
    let read = read_text(CROSSED.as_bytes(), &Units { bytes_per_flit: 8, cycle_ns: None }).unwrap();
    let mut binary = Vec::new();
    write_binary(&read, &Units { bytes_per_flit: 8, cycle_ns: None }, &mut binary).unwrap();
    for (name, bytes, place) in
        [("crossed.goal", CROSSED.as_bytes(), "rank 0 (line 3)"), ("crossed.bin", &binary, "rank 0 (byte")]
    {
        let file = Written::new(name, bytes);
        let spec = |places: u32| {
            format!(
                "topology = {{ kind = 'crossbar', nodes_per_router = 2 }}\n\
                 router = {{ kind = 'cut_through', buffer_flits = 8, ejection_packets = {places} }}\n{}",
                file.workload()
            )
        };
        let locked = outcome(&spec(1));
        assert_eq!(locked.record.status, Status::Deadlocked, "{}", locked.explanation);
        assert!(locked.record.cycles < 2_000 && locked.record.packets_in_sources_end == 1, "{}", locked.record.cycles);
        for words in [
            "Protocol deadlock",
            "waits for a place in the ejection buffer of node 1, which is full",
            "1 packet keeps a place of the ejection buffer of rank 1",
            place,
            "waits for a message from rank 0 with tag 2, which rank 0",
            "not all of it has left rank 0",
        ] {
            assert!(locked.explanation.contains(words), "{words}: {}", locked.explanation);
        }
        assert_eq!(enough(&spec(1)), Some(2));
        let free = outcome(&spec(2));
        assert_eq!((free.record.status, enough(&spec(2))), (Status::Completed, None), "{}", free.explanation);
    }
}

/// A receive that asks while its node has a packet to send that cannot leave yet is heard in its cycle.
#[test]
fn a_computation_that_ends_lets_packets_in() {
    let text = "num_ranks 3\nrank 0 {\nsend 64b to 2 tag 1\n}\n\
                rank 1 {\nc: calc 500\nd: send 64b to 2 tag 2\nd requires c\n}\n\
                rank 2 {\nc: calc 300\nx: recv 64b from 0 tag 1\nx requires c\ny: recv 64b from 1 tag 2\n}\n";
    let file = Written::new("calc.goal", text.as_bytes());
    let spec = format!(
        "topology = {{ kind = 'crossbar', nodes_per_router = 3 }}\nclock = {{ cycle_ns = 1.0 }}\n\
         router = {{ kind = 'cut_through', buffer_flits = 8, ejection_packets = 1 }}\n{}",
        file.workload()
    );
    let found = outcome(&spec);
    assert_eq!(found.record.status, Status::Completed, "{}", found.explanation);
    assert_eq!(found.record.duration, Some(508.0), "the place is free from cycle 300 on");
    let later = Written::new("later.goal", text.replace("calc 300", "calc 700").as_bytes());
    let found = outcome(&spec.replace("calc.goal", "later.goal"));
    drop(later);
    assert_eq!(found.record.duration, Some(708.0), "the second message waits at its source until cycle 700");
}

/// Random ranks that send, receive and compute; each operation waits for some before it, so that nothing waits for ever by itself.
fn random(seed: u64) -> String {
    let mut state = seed;
    let mut below = |end: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % end
    };
    let ranks = 2 + below(4) as usize;
    let mut of = vec![(String::new(), 0_u64); ranks];
    for message in 0..3 + below(12) {
        let (from, to) = (below(ranks as u64) as usize, below(ranks as u64) as usize);
        let bytes = 8 * (1 + below(12));
        let mut works = vec![
            (from, format!("send {bytes}b to {to} tag {message}")),
            (to, format!("recv {bytes}b from {from} tag {message}")),
        ];
        if below(3) == 0 {
            works.push((below(ranks as u64) as usize, format!("calc {}", below(40))));
        }
        for (rank, work) in works {
            let (text, number) = &mut of[rank];
            writeln!(text, "l{number}: {work}").unwrap();
            for _ in 0..below(3) {
                if let Some(back) = number.checked_sub(1 + below(3)) {
                    writeln!(text, "l{number} {} l{back}", if below(5) == 0 { "irequires" } else { "requires" })
                        .unwrap();
                }
            }
            *number += 1;
        }
    }
    let ranks = of.iter().enumerate().map(|(rank, (text, _))| format!("rank {rank} {{\n{text}}}\n"));
    format!("num_ranks {}\n{}", of.len(), ranks.collect::<String>())
}

#[test]
fn what_is_proved_of_random_programs_holds() {
    let (mut locked, mut doubtful, mut proved) = (0, 0, 0);
    for seed in 0..120 {
        let file = Written::new(&format!("random-{seed}.goal"), random(seed).as_bytes());
        let network =
            ["crossbar', nodes_per_router = 6", "mesh', radix = [3, 2]", "torus', radix = [6]"][seed as usize % 3];
        let spec = |places: &str| {
            format!(
                "topology = {{ kind = '{network} }}\nclock = {{ cycle_ns = 1.0 }}\ntraffic = {{ packet_flits = 4 }}\n\
                 router = {{ kind = 'cut_through', buffer_flits = 8, ejection_packets = {places} }}\n{}",
                file.workload()
            )
        };
        let places = 1 + seed / 3 % 3;
        let few = ends(&spec, &places.to_string());
        locked += u32::from(few.status == Status::Deadlocked);
        if seed % 5 == 0 {
            alike(&spec(&places.to_string()), &few);
        }
        match enough(&spec(&places.to_string())) {
            Some(enough) => {
                doubtful += 1;
                assert_eq!(ends(&spec, &enough.to_string()).status, Status::Completed, "seed {seed}");
            }
            None => proved += 1,
        }
    }
    assert!(locked > 5 && doubtful >= locked && proved > 10, "{locked} locked, {doubtful} in doubt, {proved} proved");
}

#[test]
fn other_data_paths_refuse_ejection_packets_by_name() {
    for path in ["wormhole", "adaptive_cut_through", "input_queued", "input_output_queued"] {
        let spec = format!(
            "topology = {{ kind = 'mesh', radix = [8] }}\nrouter = {{ kind = '{path}', ejection_packets = 2 }}\n\
             workload = {{ kind = 'program', generate = {{ kind = 'all_reduce', ranks = 8, flits = 64 }} }}\n"
        );
        assert!(common::refusal(&spec).contains("ejection_packets"), "{path}");
    }
}
