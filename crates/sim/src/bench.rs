//! The scenarios of `tailback bench`: fixed work whose speed is compared between versions and with other simulators.

use crate::outcome::Outcome;
use crate::prepare::{Prepared, prepare};
use crate::run::{Control, run_in_parts};
use std::sync::atomic::{AtomicBool, AtomicU64};
pub use tailback_probes::{Switch, switches};
use tailback_spec::Document;

/// A scenario.
#[derive(Clone, Copy, Debug)]
pub struct Scenario {
    /// Name on the command line.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// Its spec.
    pub spec: &'static str,
}

/// All scenarios.
pub static SCENARIOS: &[Scenario] = &[
    Scenario {
        name: "spth-32",
        summary: "32x32 torus, 3 virtual channels, 8-flit packets, 16-flit buffers, uniform 0.13",
        spec: include_str!("../bench/spth-32.toml"),
    },
    Scenario {
        name: "dor-16",
        summary: "16x16 torus, dimension order, 2 virtual channels, 16-flit packets, buffers of 8 packets, uniform 0.25",
        spec: include_str!("../bench/dor-16.toml"),
    },
    Scenario {
        name: "wormhole-16",
        summary: "16x16 torus, wormhole, dimension order, 4 virtual channels of 8 flits, 16-flit packets, uniform 0.25",
        spec: include_str!("../bench/wormhole-16.toml"),
    },
    Scenario {
        name: "duato-16",
        summary: "16x16 torus, wormhole, adaptive with 2 escape channels of 3, 8-flit buffers, 16-flit packets, uniform 0.28",
        spec: include_str!("../bench/duato-16.toml"),
    },
    Scenario {
        name: "booksim-mesh8",
        summary: "8x8 mesh, input queued, iSLIP, 4 virtual channels of 8 flits, packets of a flit, uniform 0.2",
        spec: include_str!("../bench/booksim-mesh8.toml"),
    },
    Scenario {
        name: "embedded-16",
        summary: "16x16 mesh, 8-flit packets, uniform 0.1; and the same stepped from outside through the C interface",
        spec: include_str!("../bench/embedded-16.toml"),
    },
    Scenario {
        name: "embedded-16-mixed",
        summary: "the same with packets of 7 and of 9 flits, half of them each",
        spec: include_str!("../bench/embedded-16-mixed.toml"),
    },
    Scenario {
        name: "bubble-16",
        summary: "16x16 torus, adaptive bubble, 1 escape channel of 3, 16-flit packets, buffers of 8, random arbiters, \
                  uniform 0.4",
        spec: include_str!("../bench/bubble-16.toml"),
    },
    Scenario {
        name: "bubble-16-overload",
        summary: "as bubble-16, four injection queues a node (sh), uniform 1.0",
        spec: include_str!("../bench/bubble-16-overload.toml"),
    },
    Scenario {
        name: "recn-1",
        summary: "16x16 mesh, input-output queued, RECN, 64-byte packets of 8 flits, a quarter of the nodes send to node 32, \
                  0.33",
        spec: include_str!("../bench/recn-1.toml"),
    },
    Scenario {
        name: "dragonfly-1056",
        summary: "dragonfly of 264 routers and 1,056 nodes, minimal routing, 8-flit packets, buffers of 256 flits, links of 10 \
                  and 100 cycles, uniform 0.5",
        spec: include_str!("../bench/dragonfly-1056.toml"),
    },
    Scenario {
        name: "hyperx-512",
        summary: "8x8 HyperX of 512 nodes, minimal routing, 8-flit packets, buffers of 32 flits, uniform 0.5",
        spec: include_str!("../bench/hyperx-512.toml"),
    },
    Scenario {
        name: "fat-tree-512",
        summary: "8-ary 3-tree of 512 nodes, minimal routing, 8-flit packets, buffers of 32 flits, uniform 0.5",
        spec: include_str!("../bench/fat-tree-512.toml"),
    },
    Scenario {
        name: "all-reduce-1024",
        summary: "32x32 torus, ring all-reduce of 1,024 ranks, 64 flits a chunk, 8-flit packets, buffers of 32 flits",
        spec: include_str!("../bench/all-reduce-1024.toml"),
    },
    Scenario {
        name: "big",
        summary: "512x512 torus, otherwise as spth-32, uniform at half of capacity",
        spec: include_str!("../bench/big.toml"),
    },
    Scenario {
        name: "parallel-64",
        summary: "64x64 torus, otherwise as spth-32, uniform at half of capacity; for --threads",
        spec: include_str!("../bench/parallel-64.toml"),
    },
    Scenario {
        name: "parallel-128",
        summary: "128x128 torus, otherwise as spth-32, uniform at half of capacity; for --threads",
        spec: include_str!("../bench/parallel-128.toml"),
    },
    Scenario {
        name: "million",
        summary: "1024x1024 torus, otherwise as spth-32, uniform at a quarter of capacity, 1,000 cycles",
        spec: include_str!("../bench/million.toml"),
    },
];

/// What a scenario measured.
#[derive(Clone, Debug)]
pub struct BenchResult {
    /// Scenario.
    pub name: &'static str,
    /// Cycles simulated.
    pub cycles: u64,
    /// Time of the cycle loop \[s\].
    pub wall_seconds: f64,
    /// \[1/s\]
    pub cycles_per_second: f64,
    /// Flits times links crossed \[1/s\].
    pub flit_hops_per_second: f64,
    /// Packets times links crossed \[1/s\].
    pub packet_hops_per_second: f64,
    /// Peak resident set of this process \[bytes\]; 0 where the system does not tell.
    pub peak_rss_bytes: u64,
    /// Routers of the network.
    pub routers: u64,
    /// Load that arrived \[flits/node/cycle\].
    pub accepted_load: f64,
    /// Share of that time in which the watchdog looked, 0 to 1.
    pub watchdog_share: f64,
    /// Digest of the simulated results.
    pub digest: String,
}

/// The network of a scenario.
pub fn network(scenario: &Scenario) -> Prepared {
    let document = Document::parse(scenario.name, scenario.spec.as_bytes()).expect("scenarios are tested");
    let points = document.expand(crate::catalogue()).expect("scenarios are tested");
    prepare(&points[0]).expect("scenarios are tested")
}

/// Runs a scenario once, its network in one part for each of `threads` threads, or in one piece where it cannot be cut.
pub fn run_scenario(scenario: &Scenario, threads: usize) -> BenchResult {
    let prepared = network(scenario);
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads };
    let Outcome { record, watchdog_share, .. } = run_in_parts(&prepared, &control, threads);
    BenchResult {
        name: scenario.name,
        cycles: record.cycles,
        wall_seconds: record.wall_seconds.unwrap_or(0.0),
        cycles_per_second: record.cycles_per_second.unwrap_or(0.0),
        flit_hops_per_second: record.flit_hops_per_second.unwrap_or(0.0),
        packet_hops_per_second: record.packet_hops_per_second.unwrap_or(0.0),
        peak_rss_bytes: peak_rss_bytes().unwrap_or(0),
        routers: prepared.network.routers() as u64,
        accepted_load: record.accepted_load.unwrap_or(0.0),
        watchdog_share,
        digest: record.digest,
    }
}

/// One scenario of each data path.
pub const PATHS: [&str; 5] = ["dor-16", "wormhole-16", "bubble-16", "recn-1", "booksim-mesh8"];

/// Cycles between two samples of a probe that takes samples.
pub const SAMPLED: u64 = 100;

/// Runs a scenario in one piece; the time of its cycle loop \[s\]. `None` where its network does not have the probe.
pub fn loop_seconds(scenario: &Scenario, probing: Option<&Switch>) -> Option<f64> {
    let sets: Vec<String> =
        probing.iter().map(|probing| format!("probes.{}={}", probing.param.name, probing.value(SAMPLED))).collect();
    let document = Document::read(scenario.name, scenario.spec.as_bytes(), &sets).ok()?;
    let prepared = prepare(document.expand(crate::catalogue()).ok()?.first()?).ok()?;
    if probing.is_some_and(|probing| !prepared.has_probe(probing.param.name)) {
        return None;
    }
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    run_in_parts(&prepared, &control, 1).record.wall_seconds
}

/// Peak resident set of this process, where the system tells.
pub fn peak_rss_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_probe_is_measured_where_it_sees_something() {
        let probes = switches();
        // None of them executes a program, which three probes look at.
        for (path, unknown) in PATHS.iter().zip([5, 5, 4, 3, 5]) {
            let scenario = SCENARIOS.iter().find(|scenario| scenario.name == *path).expect("there is one");
            let prepared = network(scenario);
            assert_eq!(
                probes.iter().filter(|probing| !prepared.has_probe(probing.param.name)).count(),
                unknown,
                "{path}"
            );
        }
    }

    #[test]
    fn scenarios_can_be_built() {
        for scenario in SCENARIOS.iter().filter(|s| !["big", "million"].contains(&s.name)) {
            assert!(network(scenario).network().nodes() >= 64, "{}", scenario.name);
        }
    }
}
