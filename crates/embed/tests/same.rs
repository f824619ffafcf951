//! What a host sends gives the bits of a run that sends the same packets, under every data path, stepped or skipped, in parts or whole.

use std::sync::atomic::{AtomicBool, AtomicU64};
use tailback_embed::{Message, Network};
use tailback_sim::{Control, catalogue, prepare, run};
use tailback_spec::{Document, Point};
use tailback_traffic::{Generated, Shape, Traffic};

/// Routers and how their messages travel: of eight flits, or of sixteen in two packets.
const PATHS: &[(&str, &str)] = &[
    ("router = { kind = \"cut_through\", buffer_flits = 32 }", "size = { kind = \"fixed\", flits = 8 }"),
    (
        "router = { kind = \"cut_through\", buffer_flits = 32 }",
        "size = { kind = \"bimodal\", short_flits = 2, long_flits = 20, long_percent = 30 }",
    ),
    ("router = { kind = \"wormhole\", buffer_flits = 16 }", "size = { kind = \"fixed\", flits = 8 }"),
    (
        "router = { kind = \"wormhole\", buffer_flits = 16 }",
        "packet_flits = 8, size = { kind = \"fixed\", flits = 16 }",
    ),
    (
        "router = { kind = \"adaptive_cut_through\", buffer_flits = 32 }",
        "packet_flits = 8, size = { kind = \"fixed\", flits = 16 }",
    ),
    ("router = { kind = \"input_queued\", buffer_flits = 16 }", "size = { kind = \"fixed\", flits = 8 }"),
    (
        "router = { kind = \"input_queued\", buffer_flits = 16 }",
        "packet_flits = 8, size = { kind = \"fixed\", flits = 16 }",
    ),
    ("router = { kind = \"input_output_queued\" }\nqueueing = \"voq_net\"", "size = { kind = \"fixed\", flits = 64 }"),
];

const MESH: (&str, &[u32]) = ("topology = { kind = \"mesh\", radix = [4, 3] }", &[4, 3]);
const TORUS: (&str, &[u32]) = ("topology = { kind = \"torus\", radix = [4, 4] }", &[4, 4]);

fn point(spec: &str) -> Point {
    let document = Document::read("test", spec.as_bytes(), &[]).unwrap_or_else(|e| panic!("{spec}\n{}", e.render()));
    let mut points = document.expand(catalogue()).unwrap_or_else(|e| panic!("{spec}\n{}", e.render()));
    assert_eq!(points.len(), 1);
    points.remove(0)
}

/// The packets of all nodes that are made before cycle `end`, in ascending order of cycles and nodes.
fn packets(point: &Point, radix: &[u32], end: u64) -> Vec<(u32, Generated)> {
    let shape = Shape { radix: radix.to_vec(), nodes_per_router: 1 };
    let view = |section| point.resolved.view(section);
    let traffic = Traffic::build(view("traffic"), view("workload"), &shape, point.seed).unwrap();
    let mut all = Vec::new();
    for node in 0..shape.nodes() {
        let mut source = traffic.source(node);
        while let Some(packet) = traffic.next(node, &mut source).filter(|packet| packet.cycle < end) {
            all.push((node, packet));
        }
    }
    all.sort_by_key(|(node, packet)| (packet.cycle, *node, packet.index));
    all
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Stepped,
    Skipped,
}

/// Sends packets and receives whatever comes; every message comes once.
fn play(network: &mut Network, packets: &[(u32, Generated)], end: u64, way: Way) -> usize {
    let (mut next, mut got) = (0, 0);
    while network.clock() < end {
        while let Some(&(source, packet)) = packets.get(next).filter(|(_, packet)| packet.cycle == network.clock()) {
            let Generated { destination, flits, .. } = packet;
            let message = Message { source, destination, class: 0, flits, tag: next as u64 };
            assert!(network.can_send(source, 0, flits));
            network.send(message).unwrap();
            next += 1;
        }
        let due = packets.get(next).map_or(end, |(_, packet)| packet.cycle);
        match way {
            Way::Stepped => network.advance(network.clock() + 1).unwrap(),
            Way::Skipped if network.is_idle() => network.advance(due).unwrap(),
            Way::Skipped => network.advance_until_delivery(due).unwrap(),
        }
        for node in 0..network.nodes() {
            while let Some(delivery) = network.receive(node, 0) {
                let (source, packet) = packets[delivery.message.tag as usize];
                assert_eq!((delivery.message.source, delivery.message.destination), (source, packet.destination));
                assert!(
                    delivery.sent == packet.cycle && delivery.cycle < network.clock() && delivery.cycle > packet.cycle
                );
                got += 1;
            }
        }
    }
    assert_eq!(next, packets.len());
    got
}

fn spec(path: (&str, &str), network: &str, workload: &str, load: f64) -> String {
    format!("{network}\n{}\ntraffic = {{ load = {load}, {} }}\nworkload = {workload}\n", path.0, path.1)
}

fn alike(spec: &str, radix: &[u32]) {
    let ran = point(spec);
    let prepared = prepare(&ran).unwrap_or_else(|e| panic!("{spec}\n{}", e.render()));
    let control = Control { cancel: &AtomicBool::new(false), cycles_done: &AtomicU64::new(0), threads: 1 };
    let record = run(&prepared, &control).record;
    let packets = packets(&ran, radix, record.cycles);
    assert!(packets.len() > 20, "{spec}");
    for way in [Way::Stepped, Way::Skipped] {
        let mut network = Network::from_text(spec, &[]).unwrap_or_else(|e| panic!("{spec}\n{e}"));
        let got = play(&mut network, &packets, record.cycles, way);
        let outcome = network.outcome().unwrap().record;
        assert_eq!(outcome.digest, record.digest, "{way:?}\n{spec}");
        assert_eq!((outcome.total_packets_delivered, outcome.cycles), (record.total_packets_delivered, record.cycles));
        assert!(got > packets.len() / 2, "{spec}");
    }
}

#[test]
fn open_loop_traffic_gives_the_digest_of_a_run() {
    for &path in PATHS {
        for (network, radix) in [MESH, TORUS] {
            let workload = "{ kind = \"steady\", warmup_cycles = 500, measure_cycles = 1500 }";
            alike(&spec(path, network, workload, 0.3), radix);
        }
    }
}

#[test]
fn sparse_traffic_is_skipped_to_the_same_bits() {
    for &path in PATHS {
        let workload = "{ kind = \"steady\", warmup_cycles = 10000, measure_cycles = 90000, drain_cycles = 0 }";
        alike(&spec(path, TORUS.0, workload, 0.001), TORUS.1);
    }
}

#[test]
fn an_overloaded_network_gives_the_digest_of_a_run() {
    for &path in PATHS {
        let workload = "{ kind = \"steady\", warmup_cycles = 0, measure_cycles = 700, drain_cycles = 0 }";
        alike(&spec(path, MESH.0, workload, 0.9), MESH.1);
    }
}

#[test]
fn parts_give_the_bits_of_the_whole() {
    let ran = point(
        "topology = { kind = \"torus\", radix = [64, 32] }\ntraffic = { load = 0.05 }\nworkload = { kind = \"steady\" }",
    );
    let packets = packets(&ran, &[64, 32], 300);
    let digests = ["threads=1", "threads=2", "workload.threads=2"].map(|threads| {
        let spec = "topology = { kind = \"torus\", radix = [64, 32] }\nworkload = { kind = \"host\" }\n";
        let mut network = Network::from_text(spec, &[threads.to_owned()]).unwrap_or_else(|e| panic!("{e}"));
        let got = play(&mut network, &packets, 300, Way::Stepped);
        (got, network.outcome().unwrap().record.digest)
    });
    assert!(digests[0].0 > 100);
    assert!(digests.iter().all(|digest| *digest == digests[0]));
}
