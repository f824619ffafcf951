//! From the traffic twin's configuration to the simulator's traffic, so that both make the same packets.

use crate::bridge::resolved;
use crate::traffic::{Config, Matter, Message, Pattern, Placement, Process, Region, Sizes, Workload};
use std::sync::atomic::{AtomicU32, Ordering};
use tailback_spec::View;
use tailback_traffic::{Shape, Traffic};
use toml::{Table, Value};

/// The simulator's traffic of a configuration.
///
/// # Errors
/// What makes it impossible, a line each.
pub fn traffic(config: &Config) -> Result<Traffic, String> {
    let shape = Shape { radix: config.radix.clone(), nodes_per_router: config.nodes_per_router };
    let mut files = Files(Vec::new());
    let sections = tailback_traffic::sections();
    let traffic = resolved(&sections, "traffic", &traffic_table(config, &mut files));
    let workload = resolved(&sections, "workload", &workload_table(&config.workload, &mut files));
    Traffic::build(View::new(&traffic), View::new(&workload), &shape, config.seed)
        .map_err(|problems| problems.iter().map(|(path, message, _)| format!("{path}: {message}\n")).collect())
}

/// What the simulator's traffic has `node` send in the cycles `0..cycles`, suspended as for [`crate::traffic::messages`].
pub fn messages(traffic: &Traffic, node: u32, cycles: u64, stalls: &[Option<u64>]) -> Vec<Message> {
    let mut source = traffic.source(node);
    let mut made = Vec::new();
    while let Some(packet) = traffic.next(node, &mut source).filter(|packet| packet.cycle < cycles) {
        assert_eq!(packet.index, made.len() as u64, "messages are numbered one by one");
        if let Some(Some(pause)) = stalls.get(made.len()) {
            traffic.stall(node, &mut source, packet.cycle + pause);
        }
        made.push(Message { cycle: packet.cycle, destination: packet.destination, flits: packet.flits });
    }
    made
}

/// Files of permutations, gone with this value.
struct Files(Vec<std::path::PathBuf>);

impl Files {
    fn permutation(&mut self, destinations: &[u32]) -> String {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tailback-twin-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let lines: String = destinations.iter().map(|destination| format!("{destination}\n")).collect();
        std::fs::write(&path, lines).expect("a writable folder of temporary files");
        let text = path.to_str().expect("a plain path").to_owned();
        self.0.push(path);
        text
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        // Nothing depends on it.
        self.0.iter().for_each(|path| drop(std::fs::remove_file(path)));
    }
}

fn table(kind: &str, entries: impl IntoIterator<Item = (&'static str, Value)>) -> Table {
    let kind = ("kind".to_owned(), Value::from(kind));
    std::iter::once(kind).chain(entries.into_iter().map(|(key, value)| (key.to_owned(), value))).collect()
}

fn integers<'a>(list: impl IntoIterator<Item = &'a u32>) -> Value {
    list.into_iter().map(|&number| i64::from(number)).collect::<Vec<i64>>().into()
}

fn traffic_table(config: &Config, files: &mut Files) -> Table {
    let process = match config.process {
        Process::Bernoulli => table("bernoulli", []),
        Process::Periodic { random } => table("periodic", [("phase", if random { "random" } else { "zero" }.into())]),
        Process::OnOff { on, off } => table("on_off", [("mean_on_cycles", on.into()), ("mean_off_cycles", off.into())]),
    };
    let size = match &config.sizes {
        Sizes::Fixed(flits) => table("fixed", [("flits", i64::from(*flits).into())]),
        Sizes::Bimodal { short, long, long_percent } => table(
            "bimodal",
            [
                ("short_flits", i64::from(*short).into()),
                ("long_flits", i64::from(*long).into()),
                ("long_percent", (*long_percent).into()),
            ],
        ),
        Sizes::Distribution(list) => table(
            "distribution",
            [
                ("flits", integers(list.iter().map(|(flits, _)| flits))),
                ("weights", list.iter().map(|(_, weight)| *weight).collect::<Vec<f64>>().into()),
            ],
        ),
    };
    let mut traffic = Table::new();
    traffic.insert("pattern".into(), pattern_table(&config.pattern, files).into());
    traffic.insert("process".into(), process.into());
    traffic.insert("size".into(), size.into());
    if let Workload::Steady { load } | Workload::Periods { load } = config.workload {
        traffic.insert("load".into(), load.into());
    }
    traffic
}

fn pattern_table(pattern: &Pattern, files: &mut Files) -> Table {
    match pattern {
        Pattern::Uniform { include_self } => table("uniform", [("include_self", (*include_self).into())]),
        Pattern::Rand => table("rand", []),
        Pattern::Mapped(matter) => mapped_table(*matter),
        Pattern::MappedWhole(matter) => {
            let mut table = mapped_table(*matter);
            table.insert("fixed_points".into(), "send".into());
            table
        }
        Pattern::Torn { offset: None } => table("torn", []),
        Pattern::Torn { offset: Some(offset) } => table("torn", [("offset", i64::from(*offset).into())]),
        Pattern::Adversarial { group, offset } => {
            table("adversarial", [("group_nodes", i64::from(*group).into()), ("offset", i64::from(*offset).into())])
        }
        Pattern::RandomPairs => table("rpar", []),
        Pattern::RandomPermutation => table("random_permutation", []),
        Pattern::Shift { offset, group } => {
            let auto = |value: &Option<u32>| value.map_or_else(|| "auto".into(), |value| i64::from(value).into());
            table("shift", [("offset", auto(offset)), ("group_nodes", auto(group))])
        }
        Pattern::Permutation(destinations) => table("permutation", [("file", files.permutation(destinations).into())]),
        Pattern::Destinations(nodes) => table("destinations", [("nodes", integers(nodes))]),
        Pattern::Weighted(list) => table("weighted", weights("nodes", list)),
        Pattern::Steps(list) => table("steps", weights("steps", list)),
        Pattern::RowToColumn => table("row_to_column", []),
        Pattern::HotSpot { nodes, share_percent } => {
            table("hot_spot", [("nodes", integers(nodes)), ("share_percent", (*share_percent).into())])
        }
        Pattern::HotRegion { region, share_percent } => {
            let region = match region {
                Region::Band(percent) => [("shape", "band".into()), ("region_percent", (*percent).into())],
                Region::Block(sizes) => [("shape", "block".into()), ("block_routers", integers(sizes))],
            };
            let mut table = table("hot_region", region);
            table.insert("share_percent".into(), (*share_percent).into());
            table
        }
        Pattern::HotSources { destination, one_in, placement } => table(
            "hot_sources",
            [
                ("destination", i64::from(*destination).into()),
                ("one_in", i64::from(*one_in).into()),
                ("placement", if *placement == Placement::Even { "even" } else { "random" }.into()),
            ],
        ),
    }
}

/// A list under this name, and its weights.
fn weights(name: &'static str, list: &[(u32, u32)]) -> [(&'static str, Value); 2] {
    let weights: Vec<f64> = list.iter().map(|&(_, weight)| f64::from(weight)).collect();
    [(name, integers(list.iter().map(|(member, _)| member))), ("weights", weights.into())]
}

fn mapped_table(matter: Matter) -> Table {
    match matter {
        Matter::Transpose => table("trns", []),
        Matter::Shuffle => table("shfl", []),
        Matter::Complement => table("bcmp", []),
        Matter::Reverse => table("brev", []),
        Matter::Rotate => table("brot", []),
        Matter::Butterfly => table("butterfly", []),
        Matter::Tornado => table("tornado", []),
        Matter::Neighbour => table("neighbour", [("dimensions", "all".into())]),
        Matter::RingNeighbour => table("neighbour", [("dimensions", "first".into())]),
    }
}

fn workload_table(workload: &Workload, files: &mut Files) -> Table {
    match workload {
        Workload::Steady { .. } => table("steady", []),
        Workload::Periods { .. } => table("periods", []),
        Workload::Ramp { end_load, cycles } => {
            table("ramp", [("end_load_flits_per_node_cycle", (*end_load).into()), ("cycles", (*cycles as i64).into())])
        }
        Workload::Phases { phases, repeat } => {
            let mut phase = |phase: &crate::traffic::Phase| -> Value {
                let mut table = Table::new();
                table.insert("cycles".into(), (phase.cycles as i64).into());
                table.insert("load".into(), phase.load.into());
                table.insert("pattern".into(), pattern_table(&phase.pattern, files).into());
                table.into()
            };
            let list: Vec<Value> = phases.iter().map(&mut phase).collect();
            table("phases", [("phases", list.into()), ("repeat", (*repeat).into())])
        }
        Workload::Collective { messages } => table("collective", [("packets_per_node", (*messages as i64).into())]),
    }
}
