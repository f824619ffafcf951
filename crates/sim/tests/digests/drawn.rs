//! Two hundred random networks, fifty of each router. They are drawn by a generator of their own, which never changes: other suites
//! draw new networks as the catalogue grows, these stay.

use super::Case;
use tailback_sim::{catalogue, prepare};
use tailback_spec::{Document, Point};

/// Networks of each router.
const EACH: usize = 50;

pub fn cases() -> Vec<Case> {
    ROUTERS.iter().flat_map(|(router, spec)| networks(router, *spec)).collect()
}

/// The first so many networks of a router that can be built.
fn networks(router: &'static str, spec: fn(&mut Draw) -> String) -> Vec<Case> {
    let numbered = (0..).filter_map(|number| {
        let text = spec(&mut Draw(number * 1_000_003 + router.len() as u64));
        let points = Document::parse("drawn.toml", text.as_bytes()).and_then(|document| document.expand(catalogue()));
        let point: Point = points.ok()?[0].clone();
        prepare(&point).ok()?;
        Some(Case { name: format!("drawn {router} {number:03}"), point: Some(point), twice: number % 2 == 0 })
    });
    numbered.take(EACH).collect()
}

/// A stream of random numbers: SplitMix64.
struct Draw(u64);

impl Draw {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.between(0, words.len() as u64 - 1) as usize]
    }
}

type Router = (&'static str, fn(&mut Draw) -> String);

const ROUTERS: [Router; 4] = [
    ("cut_through", cut_through),
    ("wormhole", wormhole),
    ("adaptive_cut_through", adaptive),
    ("input_output_queued", queued),
];

fn topology(draw: &mut Draw, kinds: &[&str]) -> String {
    let dimensions = draw.between(1, 3);
    let radix: Vec<u64> = (0..dimensions).map(|_| draw.between(2, 7 - dimensions)).collect();
    format!(
        "topology = {{ kind = '{}', radix = {radix:?}, nodes_per_router = {}, link_cycles = {} }}\n",
        draw.of(kinds),
        draw.between(1, 3),
        draw.between(1, 4)
    )
}

fn traffic(draw: &mut Draw, size: &str) -> String {
    let load = draw.between(1, 15) as f64 / 10.0;
    let pattern = draw.of(&["uniform", "tornado", "neighbour", "hot_spot", "hot_region", "uniform"]);
    let process = draw.of(&["bernoulli", "periodic", "{ kind = 'on_off', mean_on_cycles = 30, mean_off_cycles = 20 }"]);
    let process = if process.starts_with('{') { process.to_owned() } else { format!("'{process}'") };
    let workload = draw.of(&[
        "{ kind = 'steady', warmup_cycles = 100, measure_cycles = 300, drain_cycles = 200 }",
        "{ kind = 'collective', packets_per_node = 3, limit_cycles = 5000 }",
        "{ kind = 'ramp', end_load_flits_per_node_cycle = 0.9, cycles = 600, window_cycles = 50 }",
        "{ kind = 'phases', phases = [{ cycles = 200, load = 0.8, pattern = 'tornado' }, { cycles = 300, load = 0.1, pattern = 'uniform' }] }",
    ]);
    let process = if workload.contains("steady") { format!(", process = {process}") } else { String::new() };
    format!(
        "traffic = {{ load = {load}, pattern = '{pattern}'{process}, {size} }}\nworkload = {workload}\nrun = {{ allow_deadlock = true }}\n"
    )
}

fn fixed(draw: &mut Draw) -> String {
    format!("size = {{ kind = 'fixed', flits = {} }}", draw.between(1, 8))
}

fn sources(draw: &mut Draw) -> String {
    format!(
        "source_queue_packets = {}, ejection_channels = {}, credit_cycles = {}",
        draw.of(&["'infinite'", "1", "3"]),
        draw.of(&["'infinite'", "1", "2"]),
        draw.between(1, 3)
    )
}

fn cut_through(draw: &mut Draw) -> String {
    let topology = topology(draw, &["torus", "torus", "mesh"]);
    let router = format!(
        "router = {{ virtual_channels = {}, buffer_flits = {}, header_cycles = {}, {} }}\n",
        draw.between(2, 5),
        draw.between(8, 40),
        draw.between(0, 3),
        sources(draw)
    );
    let mechanisms = format!(
        "routing = {{ datelines = '{}', tie = '{}' }}\narbiter = '{}'\nadmission = '{}'\n",
        draw.of(&["auto", "auto", "none", "two"]),
        draw.of(&["plus", "sign", "alternate", "random"]),
        draw.of(&["round_robin", "random", "oldest_first"]),
        draw.of(&["off", "spth", "alo", "self_tuned"]),
    );
    let size = fixed(draw);
    format!("{topology}{router}{mechanisms}{}", traffic(draw, &size))
}

fn wormhole(draw: &mut Draw) -> String {
    let topology = topology(draw, &["torus", "torus", "mesh"]);
    let router = format!(
        "router = {{ kind = 'wormhole', virtual_channels = {}, buffer_flits = {}, injection_channels = {}, routing_cycles = {}, \
         crossbar_cycles = {}, sharing = '{}', vc_allocator = '{}', switch_allocator = '{}', crossbar_inputs = '{}', {} }}\n",
        draw.between(2, 5),
        draw.between(2, 12),
        draw.between(1, 2),
        draw.between(0, 2),
        draw.between(0, 2),
        draw.of(&["owned", "shared", "shared_whole"]),
        draw.of(&["central", "input_first", "output_first"]),
        draw.of(&["input_first", "output_first"]),
        draw.of(&["port", "channel"]),
        sources(draw)
    );
    let mechanisms = format!(
        "routing = {}\nselection = '{}'\narbiter = '{}'\nadmission = '{}'\nrecovery = {}\n",
        draw.of(&ROUTINGS),
        draw.of(&["first", "random", "most_credits", "straight"]),
        draw.of(&["round_robin", "random", "oldest_first"]),
        draw.of(&["off", "off", "self_tuned", "alo"]),
        draw.of(&["'off'", "'off'", "{ kind = 'disha', lane_flits = 2 }"]),
    );
    let size = fixed(draw);
    format!("{topology}{router}{mechanisms}{}", traffic(draw, &size))
}

const ROUTINGS: [&str; 6] = [
    "{ kind = 'dimension_order' }",
    "{ kind = 'dimension_order', tie = 'random' }",
    "{ kind = 'adaptive' }",
    "{ kind = 'adaptive', escape = 'none' }",
    "'turn_model'",
    "'valiant'",
];

fn adaptive(draw: &mut Draw) -> String {
    let flits = draw.between(1, 6);
    let topology = topology(draw, &["torus", "torus", "mesh"]);
    let router = format!(
        "router = {{ kind = 'adaptive_cut_through', virtual_channels = {}, buffer_flits = {}, header_cycles = {}, turn_cycles = {}, \
         crossbar_outputs = '{}', requests = '{}', escape_first = {}, transit_first = {}, {} }}\n",
        draw.between(2, 5),
        flits * draw.between(1, 4),
        draw.between(0, 2),
        draw.between(0, 2),
        draw.of(&["link", "channel"]),
        draw.of(&["parallel", "in_turn", "smart", "random", "shortest"]),
        draw.of(&["true", "false"]),
        draw.of(&["true", "false"]),
        sources(draw)
    );
    let mechanisms = format!(
        "interface = {{ kind = '{}', queues = {} }}\nrouting = {}\nselection = '{}'\narbiter = '{}'\nadmission = '{}'\nflow_control = {}\n",
        draw.of(&["sh", "shp", "lpath", "dor", "random", "round_robin"]),
        draw.between(1, 6),
        draw.of(&ROUTINGS),
        draw.of(&["first", "random", "most_credits", "straight", "turn"]),
        draw.of(&["round_robin", "random", "oldest_first", "matrix"]),
        draw.of(&["off", "off", "u_channels", "busy_channels"]),
        draw.of(&[
            "'virtual_cut_through'",
            "{ kind = 'bubble', escape_packets = 2, new_packets = 1, scope = 'local' }"
        ]),
    );
    let size = match draw.between(0, 1) {
        0 => format!("size = {{ kind = 'fixed', flits = {flits} }}"),
        _ => format!("packet_flits = {flits}, size = {{ kind = 'fixed', flits = {} }}", 3 * flits),
    };
    format!("{topology}{router}{mechanisms}{}", traffic(draw, &size))
}

fn queued(draw: &mut Draw) -> String {
    let packet = draw.between(1, 8);
    let bytes = 8 * packet;
    let topology = topology(draw, &["mesh", "mesh", "torus"]);
    let router = format!(
        "router = {{ kind = 'input_output_queued', packet_bytes = {bytes}, ingress_memory_bytes = {}, egress_memory_bytes = {}, \
         crossbar_speedup = {}.0, header_cycles = {}, control_bytes = {}, source_queue_packets = {} }}\n",
        bytes * draw.between(4, 20),
        bytes * draw.between(4, 20),
        draw.between(1, 3),
        draw.between(0, 3),
        draw.between(1, 16),
        draw.of(&["'infinite'", "1", "3"])
    );
    let queueing = draw.of(&[
        "'single'",
        "'voq_sw'",
        "'voq_net'",
        "{ kind = 'dbbm', queues = 2 }",
        "'damq'",
        "{ kind = 'recn', detection_bytes = 16, notification_bytes = 16, xoff_bytes = 24, xon_bytes = 8 }",
    ]);
    let size = format!("size = {{ kind = 'fixed', flits = {} }}", packet * draw.between(1, 3));
    format!("{topology}{router}queueing = {queueing}\n{}", traffic(draw, &size))
}
