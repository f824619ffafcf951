//! Routing by a table: the same bits as the routing that it writes down, and random tables with the check's verdict on them
//! held to an independent one and to what happens under overload.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use tailback_base::rng::{Purpose, draw_u64};
use tailback_network::{Grid, NONE};
use tailback_sim::{Control, Outcome, Prepared, catalogue, prepare, run};
use tailback_spec::{Document, Errors};

/// A file that is gone with the test.
struct TableFile(PathBuf);

impl TableFile {
    fn new(text: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tailback-routes-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).expect("a writable directory");
        TableFile(path)
    }

    fn routing(&self) -> String {
        format!("routing = {{ kind = 'table', file = '{}' }}", self.0.display())
    }
}

impl Drop for TableFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn prepared(spec: &str) -> Result<Prepared, Errors> {
    let points = Document::parse("routes.toml", spec.as_bytes())?.expand(catalogue())?;
    prepare(&points[0])
}

fn outcome(prepared: &Prepared) -> Outcome {
    run(prepared, &Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 })
}

/// The ports that lead closer, lowest dimension first.
fn closer(grid: &Grid, router: u32, destination: u32) -> Vec<usize> {
    let near = |port: &usize| {
        let peer = grid.peer(router, *port);
        peer != NONE && grid.distance(peer, destination) < grid.distance(router, destination)
    };
    (0..grid.ports()).filter(near).collect()
}

/// The port of every router towards every destination, by `destination * routers + router`.
fn table(grid: &Grid, choose: impl Fn(u32, u32, &[usize]) -> usize) -> Vec<usize> {
    let routers = grid.routers() as u32;
    let pairs = (0..routers).flat_map(|destination| (0..routers).map(move |router| (router, destination)));
    let port = |(router, destination): (u32, u32)| match closer(grid, router, destination).as_slice() {
        [] => usize::MAX,
        ports => choose(router, destination, ports),
    };
    pairs.map(port).collect()
}

fn text(grid: &Grid, table: &[usize]) -> String {
    let routers = grid.routers();
    let line = |(at, port): (usize, &usize)| {
        let sign = if port % 2 == 0 { '+' } else { '-' };
        format!("{} {} {}{sign}\n", at % routers, at / routers, ['x', 'y', 'z'][port / 2])
    };
    table.iter().enumerate().filter(|(_, port)| **port != usize::MAX).map(line).collect()
}

#[test]
fn a_table_of_dimension_order_gives_its_bits_under_every_data_path() {
    let grid = Grid::new(&[4, 3], &[false, false], 1, 1);
    let file = TableFile::new(&text(&grid, &table(&grid, |_, _, ports| ports[0])));
    let routers = [
        "router = { kind = 'cut_through', virtual_channels = 2, buffer_flits = 8 }",
        "router = { kind = 'adaptive_cut_through', virtual_channels = 2, buffer_flits = 8 }",
        "router = { kind = 'wormhole', virtual_channels = 2, buffer_flits = 4 }",
        "router = { kind = 'input_output_queued', ingress_memory_bytes = 2048, egress_memory_bytes = 2048 }\n\
         queueing = 'voq_sw'",
    ];
    for router in routers {
        let digest = |routing: &str| {
            let spec = format!(
                "topology = {{ kind = 'mesh', radix = [4, 3] }}\n{router}\n{routing}\n\
                 traffic = {{ load = 0.4, pattern = 'uniform', size = {{ kind = 'fixed', flits = 8 }} }}\n\
                 workload = {{ kind = 'steady', warmup_cycles = 100, measure_cycles = 2000 }}"
            );
            let outcome = outcome(&prepared(&spec).unwrap_or_else(|errors| panic!("{}", errors.render())));
            assert!(outcome.record.packets_delivered > 100);
            outcome.record.digest
        };
        assert_eq!(digest(&file.routing()), digest("routing = 'dimension_order'"), "{router}");
    }
}

/// Whether links wait for each other in a circle when every link waits for the next one of some route: found by taking
/// links away that nobody is left to wait for.
fn closes_a_circle(grid: &Grid, table: &[usize]) -> bool {
    let routers = grid.routers() as u32;
    let mut arcs = BTreeSet::new();
    for destination in 0..routers {
        for source in 0..routers {
            let (mut here, mut last) = (source, None);
            while here != destination {
                let port = table[(destination * routers + here) as usize];
                arcs.extend(last.map(|last| (last, (here, port))));
                last = Some((here, port));
                here = grid.peer(here, port);
            }
        }
    }
    loop {
        let waiting: BTreeSet<_> = arcs.iter().map(|&(from, _)| from).collect();
        let left: BTreeSet<_> = arcs.iter().copied().filter(|(_, to)| waiting.contains(to)).collect();
        if left.len() == arcs.len() {
            return !arcs.is_empty();
        }
        arcs = left;
    }
}

const OVERLOAD: &str = "traffic = { load = 1.0, pattern = 'uniform', size = { kind = 'fixed', flits = 4 } }\n\
                        workload = { kind = 'steady', warmup_cycles = 0, measure_cycles = 17_000, drain_cycles = 0 }\n\
                        arbiter = 'random'\nrun.allow_deadlock = true";

fn overloaded(topology: &str, file: &TableFile, seed: u64) -> Prepared {
    let router = "router = { kind = 'cut_through', virtual_channels = 1, buffer_flits = 4, source_queue_packets = 4, \
                  ejection_channels = 'infinite' }";
    let routing = file.routing();
    let spec = format!("topology = {{ {topology} }}\n{router}\n{routing}\n{OVERLOAD}\nrun.seed = {seed}");
    prepared(&spec).unwrap_or_else(|errors| panic!("{}", errors.render()))
}

#[test]
fn random_tables_are_judged_rightly() {
    let networks = [
        ("kind = 'mesh', radix = [3, 3]", Grid::new(&[3, 3], &[false, false], 1, 1)),
        ("kind = 'mesh', radix = [4, 3]", Grid::new(&[4, 3], &[false, false], 1, 1)),
        ("kind = 'torus', radix = [3, 3]", Grid::new(&[3, 3], &[true, true], 1, 1)),
        ("kind = 'torus', radix = [5]", Grid::new(&[5], &[true], 1, 1)),
        ("kind = 'mesh', radix = [2, 2, 2]", Grid::new(&[2, 2, 2], &[false; 3], 1, 1)),
    ];
    let mut verdicts = [0, 0];
    for seed in 0..40u64 {
        let (topology, grid) = &networks[seed as usize % networks.len()];
        // From few that leave dimension order to all that may.
        let share = [8, 32, 128, 256][seed as usize / networks.len() % 4];
        let choose = |router: u32, destination: u32, ports: &[usize]| {
            let word = draw_u64(seed, Purpose::Pattern, router, u64::from(destination)) as usize;
            if word % 256 < share { ports[(word >> 8) % ports.len()] } else { ports[0] }
        };
        let table = table(grid, choose);
        let file = TableFile::new(&text(grid, &table));
        let locks = closes_a_circle(grid, &table);
        verdicts[usize::from(locks)] += 1;
        let facts = overloaded(topology, &file, 1).facts();
        assert_eq!(facts.deadlock_argument.is_none(), locks, "{topology} {seed}: {}", facts.deadlock_freedom);
        let locked = (1..=if locks { 20 } else { 2 })
            .any(|run| outcome(&overloaded(topology, &file, run)).diagnosis.lock().is_some());
        assert_eq!(locked, locks, "{topology} {seed}");
    }
    assert!(verdicts.iter().all(|&count| count >= 8), "{verdicts:?}");
}
