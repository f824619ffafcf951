//! The program of `examples/hosts` as a GOAL file, which needs no host.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_sim::{Control, catalogue, prepare, run};
use tailback_spec::Document;

/// The repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The cycle in which the program of the hosts completes as a GOAL file.
pub fn as_goal(folder: &Path) -> u64 {
    let (nodes, rounds, think) = (16, 20, 7);
    let mut goal = format!("num_ranks {nodes}\n");
    for rank in 0..nodes {
        let peer = nodes - 1 - rank;
        writeln!(goal, "rank {rank} {{").unwrap();
        for round in 0..rounds {
            if rank < nodes / 2 {
                writeln!(goal, "s{round}: send 16b to {peer} tag 0\nr{round}: recv 64b from {peer} tag 1").unwrap();
                writeln!(goal, "r{round} requires s{round}").unwrap();
                if round + 1 < rounds {
                    writeln!(goal, "t{round}: calc {think}\nt{round} requires r{round}").unwrap();
                }
                if round > 0 {
                    writeln!(goal, "s{round} requires t{}", round - 1).unwrap();
                }
            } else {
                writeln!(goal, "r{round}: recv 16b from {peer} tag 0\nt{round}: calc {think}").unwrap();
                writeln!(goal, "s{round}: send 64b to {peer} tag 1").unwrap();
                writeln!(goal, "t{round} requires r{round}\ns{round} requires t{round}").unwrap();
                if round > 0 {
                    writeln!(goal, "r{round} requires s{}", round - 1).unwrap();
                }
            }
        }
        goal.push_str("}\n");
    }
    let file = folder.join("request_reply.goal");
    std::fs::write(&file, goal).unwrap();
    let spec = std::fs::read_to_string(repository().join("examples/hosts/mesh.toml")).unwrap();
    let workload = format!("workload = {{ kind = \"program\", file = '{}', bytes_per_flit = 8 }}", file.display());
    let spec = format!("{}\nclock = {{ cycle_ns = 1.0 }}\n", spec.replace("workload = { kind = \"host\" }", &workload));
    let points = Document::read("test", spec.as_bytes(), &[]).and_then(|document| document.expand(catalogue()));
    let points = points.unwrap_or_else(|errors| panic!("{}", errors.render()));
    let prepared = prepare(&points[0]).unwrap_or_else(|errors| panic!("{}", errors.render()));
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    run(&prepared, &control).record.duration.expect("it completes") as u64
}
