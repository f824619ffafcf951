//! Small networks on which parameters are tried.

use std::path::PathBuf;
use std::sync::LazyLock;
use tailback_mechanisms::{admission, queueing, recovery};
use toml::{Table, Value};

/// What all networks have: packets of four flits, more of them than the network takes.
const BASE: &str = "
topology = { kind = 'torus', radix = [4, 4] }
traffic = { load = 0.9, size = { kind = 'fixed', flits = 4 } }
workload = { kind = 'steady', warmup_cycles = 40, measure_cycles = 160, drain_cycles = 40 }
run = { allow_deadlock = true }
";

/// The routers, and how the rest of their base differs.
const ROUTERS: [(&str, &str, &str); 5] = [
    ("cut_through", "virtual_channels = 4, buffer_flits = 8", "torus"),
    ("wormhole", "virtual_channels = 4, buffer_flits = 6", "torus"),
    ("adaptive_cut_through", "virtual_channels = 4, buffer_flits = 8", "torus"),
    ("input_queued", "virtual_channels = 4, buffer_flits = 6", "torus"),
    // Its packets could wait for each other around rings.
    ("input_output_queued", "packet_bytes = 32, ingress_memory_bytes = 1024, egress_memory_bytes = 1024", "mesh"),
];

/// Kinds beside the mechanisms that cannot do without parameters, or hardly do anything with the defaults on so small a network.
const COMPLETE: [(&str, &str, &str); 18] = [
    ("topology", "torus", "radix = [4, 4]"),
    ("topology", "mesh", "radix = [4, 4]"),
    ("workload", "steady", "warmup_cycles = 40, measure_cycles = 160, drain_cycles = 40"),
    ("workload", "ramp", "end_load_flits_per_node_cycle = 1.2, cycles = 240, window_cycles = 40"),
    (
        "workload",
        "phases",
        "phases = [{ cycles = 100, load = 0.9, pattern = 'uniform' }, { cycles = 100, load = 0.4, pattern = 'trns' }]",
    ),
    ("workload", "collective", "packets_per_node = 8, limit_cycles = 5000"),
    ("workload", "program", "generate = { kind = 'all_to_all', ranks = 16, flits = 64 }, limit_cycles = 5000"),
    ("workload", "periods", "period_cycles = 60, warmup_periods = 1, max_periods = 4"),
    ("traffic.size", "fixed", "flits = 4"),
    ("traffic.size", "bimodal", "short_flits = 4, long_flits = 16, long_percent = 30"),
    ("traffic.size", "distribution", "flits = [4, 8], weights = [1, 2]"),
    ("traffic.size", "read_write", "write_fraction = 0.3, write_request_flits = 3, read_reply_flits = 5"),
    ("traffic.pattern", "hot_spot", "nodes = [5]"),
    ("traffic.pattern", "hot_sources", "destination = 5"),
    ("traffic.pattern", "destinations", "nodes = [5, 1, 2, 6, 9, 9, 0, 3, 4, 15, 14, 13, 12, 11, 10, 8]"),
    ("traffic.pattern", "weighted", "nodes = [5, 10], weights = [1, 2]"),
    ("traffic.pattern", "steps", "steps = [1, 0, 7], weights = [2, 1, 1]"),
    ("traffic.process", "on_off", "mean_on_cycles = 20, mean_off_cycles = 5"),
];

/// Writes the files that specs name, once.
static FILES: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("effects");
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, lines: Vec<String>| std::fs::write(folder.join(name), lines.join("\n")).expect(name);
    write("half", (0..16).map(|node| format!("{}", (node + 8) % 16)).collect());
    write("next", (0..16).map(|node| format!("{}", (node + 1) % 16)).collect());
    write("x-first", hops([0, 1]));
    write("y-first", hops([1, 0]));
    folder
});

/// The hops of dimension order on a grid of four by four, no wrap-around link taken.
fn hops(order: [usize; 2]) -> Vec<String> {
    let at = |router: usize| [router % 4, router / 4];
    let hop = |from: usize, to: usize| {
        let d = order.into_iter().find(|&d| at(from)[d] != at(to)[d])?;
        let sign = if at(from)[d] < at(to)[d] { '+' } else { '-' };
        Some(format!("{from} {to} {}{sign}", ["x", "y"][d]))
    };
    (0..16).flat_map(|from| (0..16).filter_map(move |to| hop(from, to))).collect()
}

pub fn file(name: &str) -> Value {
    Value::String(FILES.join(name).to_str().expect("a plain path").to_owned())
}

/// The bases, by the kind of their router.
pub fn bases() -> Vec<(&'static str, Table)> {
    let base = |&(kind, numbers, topology): &(&'static str, &str, &str)| {
        let table: Table = toml::from_str(BASE).expect("a base");
        let router = format!("{{ kind = '{kind}', {numbers} }}");
        (kind, with(&table, &[("router", &router), ("topology.kind", &format!("'{topology}'"))]))
    };
    ROUTERS.iter().map(base).collect()
}

/// The table of a kind of a section, complete.
pub fn kind(section: &str, kind: &str) -> Value {
    let more = match section {
        "admission" => admission::small(kind),
        "queueing" => queueing::small(kind),
        "recovery" => recovery::small(kind),
        _ => COMPLETE.iter().find(|row| (row.0, row.1) == (section, kind)).map_or("", |row| row.2),
    };
    let mut table = value(&format!("{{ kind = '{kind}', {more} }}").replace(", }", " }"));
    let fields = table.as_table_mut().expect("a table");
    match (section, kind) {
        ("routing", "table") => drop(fields.insert("file".to_owned(), file("y-first"))),
        ("traffic.pattern", "permutation") => drop(fields.insert("file".to_owned(), file("half"))),
        _ => {}
    }
    table
}

/// A value as TOML writes it.
pub fn value(text: &str) -> Value {
    let mut table: Table = toml::from_str(&format!("it = {text}")).expect("a value");
    table.remove("it").expect("it is there")
}

/// Writes a value at a dotted path.
pub fn set(spec: &mut Table, path: &str, value: Value) {
    match path.split_once('.') {
        None => drop(spec.insert(path.to_owned(), value)),
        Some((first, rest)) => {
            let below = spec.entry(first).or_insert_with(|| Value::Table(Table::new()));
            set(below.as_table_mut().expect("a table"), rest, value);
        }
    }
}

/// A spec with values, as TOML, at dotted paths; `measure` stands for the length of a steady run.
pub fn with(spec: &Table, changes: &[(&str, &str)]) -> Table {
    let mut spec = spec.clone();
    for (path, text) in changes {
        match *path {
            "measure" if spec["workload"]["kind"].as_str() != Some("steady") => {}
            "measure" => set(&mut spec, "workload.measure_cycles", value(text)),
            path => set(&mut spec, path, value(text)),
        }
    }
    spec
}
