//! Files of formats that others have: networks, configurations of BookSim, logs of calls; and the verbs that read them.

use crate::case::Case;
use crate::commands::{bounded, words};
use crate::damage::{TEXTS, WHOLE, bytes, fit, pick, text};
use crate::files::given;
use crate::stock::Stock;
use fastrand::Rng;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use tailback_booksim::keys;

/// Good files of other formats.
#[derive(Default)]
pub struct Formats {
    /// Networks in all formats that are read.
    networks: Vec<Vec<u8>>,
    /// Configurations of BookSim.
    configs: Vec<Vec<u8>>,
    /// Logs of the calls of a host.
    logs: Vec<Vec<u8>>,
}

/// What makes the program print a network.
const NETWORKS: [&str; 8] = [
    "--kind dragonfly -s routers_per_group=4 -s global_links=2 -s nodes_per_router=2 --format native",
    "--kind fat_tree -s arity=2 -s levels=3 --format native",
    "--kind slim_fly -s q=3 --format native",
    "--kind butterfly -s radix=2 -s stages=3 --format native",
    "--kind mesh -s radix=[4,4] --format native",
    "--kind torus -s radix=[4,4] --format anynet",
    "--kind jellyfish -s routers=10 -s degree=3 --format anynet",
    "--kind crossbar -s nodes_per_router=5 --format anynet",
];

/// Networks of formats that the program reads and does not write: ns-3, InfiniBand, htsim.
const WRITTEN: [&str; 3] = [
    "6 2 5\n4 5\n0 4 100Gbps 1000ns 0\n1 4 100Gbps 1000ns 0\n2 5 100Gbps 0.001ms 0\n3 5 100Gbps 1us 0\n4 5 400Gbps 1000ns 0.0\n",
    "#\n# Topology file: generated on Tue Oct  5 14:15:10 2021\n#\nswitchguid=0xa(a)\nSwitch\t36 \"S-000a\"\t\t# \"a\" enhanced port 0\n\
     [2]\t\"H-0001\"[1](11) \t\t# \"host-1 HCA-1\" lid 3 4xQDR\n[1]\t\"S-000b\"[36]\t\t# \"sw-b\" lid 2 4xQDR\n\n\
     Switch\t36 \"S-000b\"\t\t# \"sw-b\"\n[36]\t\"S-000a\"[1]\n[7]\t\"H-0002\"[1](21)\n\n\
     Ca\t1 \"H-0001\"\n[1](11) \t\"S-000a\"[2]\n\nCa\t1 \"H-0002\"\n[1](21) \t\"S-000b\"[7]\n",
    "Nodes 64\nTiers 2\nPodsize 64\n\nTier 0\nDownlink_speed_Gbps 100\nRadix_Down 8\nRadix_Up 4\nDownlink_Latency_ns 1000\n\n\
     Tier 1\nDownlink_speed_Gbps 100\nRadix_Down 8\nDownlink_Latency_ns 1000\n",
];

/// Configurations that run, of several networks, routers and patterns.
const CONFIGS: [&str; 7] = [
    "topology = mesh; k = 4; n = 2; routing_function = dor;",
    "topology = torus; k = 4; n = 2; routing_function = dim_order; num_vcs = 4; traffic = tornado;",
    "topology = cmesh; k = 4; n = 2; c = 4; x = 4; y = 4; xr = 2; yr = 2; routing_function = dor_no_express; num_vcs = 4;",
    "topology = flatfly; k = 4; n = 2; c = 4; x = 4; y = 1; xr = 2; yr = 2; routing_function = ran_min; num_vcs = 4;",
    "topology = fly; k = 2; n = 3; routing_function = dest_tag;",
    "topology = fattree; k = 2; n = 3; routing_function = nca; num_vcs = 2; traffic = hotspot({{0,3},{2,1}});",
    "topology = anynet; network_file = network; routing_function = min;",
];

/// What all of them say, so that they are short.
const SHORT: &str = "\nvc_buf_size = 8; wait_for_tail_credit = 0; packet_size = {1,3};\ninjection_rate = 0.2; sim_type = latency;\n\
                     warmup_periods = 1; sample_period = 60; max_samples = 4;\n";

/// What a host did to a network under each data path, with classes and without.
const LOGGED: [&str; 5] = [
    "router = { kind = 'wormhole', buffer_flits = 4 }",
    "router = { kind = 'cut_through', buffer_flits = 16, virtual_channels = 2, message_classes = 2, ejection_packets = 1 }",
    "router = { kind = 'adaptive_cut_through', buffer_flits = 16 }\ntraffic = { packet_flits = 8 }",
    "router = { kind = 'input_queued', buffer_flits = 4 }",
    "router = { kind = 'input_output_queued' }\nqueueing = 'voq_net'",
];

impl Formats {
    /// Makes them in a folder, by the program where it writes such files.
    pub fn make(folder: &Path, program: &Path) {
        let networks = NETWORKS.iter().map(|more| {
            let ended =
                Command::new(program).arg("topology").args(more.split(' ')).output().expect("the program starts");
            assert!(ended.status.success(), "{more}: {}", String::from_utf8_lossy(&ended.stderr));
            ended.stdout
        });
        let networks = networks.chain(WRITTEN.iter().map(|text| text.as_bytes().to_vec()));
        let configs = CONFIGS.iter().map(|text| format!("{text}{SHORT}").into_bytes());
        let logs = LOGGED.iter().map(|router| log(router).into_bytes());
        keep(folder, "network", networks);
        keep(folder, "config", configs);
        keep(folder, "log", logs);
    }

    /// Reads them again.
    pub fn load(folder: &Path) -> Formats {
        let all = |what: &str| -> Vec<Vec<u8>> {
            (0..).map_while(|at| fs::read(folder.join(format!("{what}-{at}"))).ok()).collect()
        };
        let formats = Formats { networks: all("network"), configs: all("config"), logs: all("log") };
        let Formats { networks, configs, logs } = &formats;
        let counts = [networks.len(), configs.len(), logs.len()];
        assert_eq!(counts, [NETWORKS.len() + WRITTEN.len(), CONFIGS.len(), LOGGED.len()]);
        formats
    }
}

fn keep(folder: &Path, what: &str, files: impl Iterator<Item = Vec<u8>>) {
    for (at, bytes) in files.enumerate() {
        fs::write(folder.join(format!("{what}-{at}")), bytes).expect("room for a file");
    }
}

fn log(router: &str) -> String {
    let spec = format!("topology = {{ kind = 'mesh', radix = [3, 3] }}\n{router}\nworkload = {{ kind = 'host' }}\n");
    let sent: String =
        (0..9).map(|node| format!("send {node} {} 0 {} {node} ok\n", (node * 4 + 1) % 9, node + 1)).collect();
    let head = format!("tailback calls 1\nversion 0\nspec {}\n{spec}\n", spec.len());
    format!(
        "{head}{sent}send 99 0 0 2 9 no-node\nadvance 20 ok\nsend 5 1 0 8 2 ok\nreceive 1 0 0 12\nadvance 200 ok\nend 200 0\n"
    )
}

/// Damages a file of any format.
fn damaged(good: &[u8], stock: &Stock, rng: &mut Rng) -> Vec<u8> {
    let mut file = good.to_vec();
    for _ in 0..1 + rng.usize(..2) {
        file = match rng.u8(..3) {
            0 => bytes::damaged(&file, rng),
            _ if std::str::from_utf8(&file).is_ok() => text::damaged(&file, stock, rng),
            _ => bytes::damaged(&file, rng),
        };
    }
    file
}

const FORMATS: [&str; 6] = ["auto", "native", "anynet", "ns3", "ibnetdiscover", "htsim"];

/// A damaged network, and what is done with it.
pub fn network(stock: &Stock, rng: &mut Rng) -> Case {
    let file = given("network", damaged(pick::<Vec<u8>>(rng, &stock.formats.networks), stock, rng));
    let format = if rng.bool() { "auto" } else { *pick(rng, &FORMATS) };
    let routing = *pick(rng, &["minimal", "up_down", "layered", "valiant", "ugal_l", "least_delay", "nonesuch"]);
    let spec = format!(
        "topology = {{ kind = 'file', path = 'network', format = '{format}', cycle_ns = 10.0 }}\nrouting = '{routing}'\n\
         router = {{ kind = '{}', virtual_channels = 6 }}\ntraffic.load = 0.1\n\
         workload = {{ kind = 'steady', warmup_cycles = 20, measure_cycles = 60, drain_cycles = 60 }}\n",
        pick(rng, &["cut_through", "wormhole", "input_queued"])
    );
    let args = match rng.u8(..10) {
        0..2 => words("topology network"),
        2 => words("topology network --json"),
        3 => words(&format!("topology network --format {}", pick(rng, &["native", "anynet", "dot", "json"]))),
        4 => words("topology spec.toml --svg network.svg"),
        5 => words(&format!("route network --engine {} -o routes", pick(rng, &["layered", "up_down", "minimal"]))),
        6 => words("route spec.toml"),
        7 => return config_of(file.bytes, rng),
        _ => bounded(crate::commands::on_spec(rng), "spec.toml"),
    };
    Case { args, files: vec![given("spec.toml", spec), file], interrupted: true, ..Case::default() }
}

/// A network that a configuration of BookSim names.
fn config_of(network: Vec<u8>, rng: &mut Rng) -> Case {
    let config = format!("{}{SHORT}", CONFIGS[CONFIGS.len() - 1]);
    Case {
        args: booksim(rng),
        files: vec![given("c.cfg", config), given("network", network)],
        interrupted: true,
        ..Case::default()
    }
}

fn booksim(rng: &mut Rng) -> Vec<OsString> {
    words(pick::<&str>(
        rng,
        &[
            "booksim c.cfg --check",
            "booksim c.cfg --spec",
            "booksim c.cfg --explain",
            "booksim c.cfg --json",
            "booksim c.cfg --classic --classic-exit --check",
            "booksim c.cfg --classic",
            "booksim c.cfg --legacy --strict",
            "booksim c.cfg --rates 0.05..0.15:0.05 --json",
            "booksim c.cfg --out out",
        ],
    ))
}

/// A damaged configuration of BookSim, and what is done with it.
pub fn config(stock: &Stock, rng: &mut Rng) -> Case {
    let good = pick(rng, &stock.formats.configs);
    let file = if rng.bool() { damaged(good, stock, rng) } else { good.clone() };
    let mut args = booksim(rng);
    let names: Vec<&str> = keys::keys().map(|key| key.name).collect();
    for _ in 0..rng.usize(..3) {
        let value = match rng.u8(..4) {
            0 => pick(rng, &WHOLE).to_string(),
            1 => (*pick(rng, &TEXTS)).to_owned(),
            2 => (*pick(
                rng,
                &[
                    "mesh",
                    "torus",
                    "min",
                    "dor",
                    "uniform",
                    "{1,2}",
                    "hotspot({{1},{2}})",
                    "0.5",
                    "islip",
                    "1e300",
                    "bitcomp",
                ],
            ))
            .to_owned(),
            _ => keys::find(pick::<&str>(rng, &names)).map_or("", |key| key.default).to_owned(),
        };
        args.push(format!("{}={value}", pick(rng, &names)).into());
    }
    let network = pick::<Vec<u8>>(rng, &stock.formats.networks).clone();
    Case { args, files: vec![given("c.cfg", file), given("network", network)], interrupted: true, ..Case::default() }
}

/// A damaged log of calls, repeated.
pub fn calls(stock: &Stock, rng: &mut Rng) -> Case {
    let log = damaged(pick::<Vec<u8>>(rng, &stock.formats.logs), stock, rng);
    let args = words(pick::<&str>(rng, &["replay calls.log", "replay calls.log --why", "replay calls.log --json"]));
    Case { args, files: vec![given("calls.log", log)], interrupted: true, ..Case::default() }
}

/// A network or a program with parameters that fit it, or nearly, from the command line.
pub fn family(stock: &Stock, rng: &mut Rng) -> Case {
    if rng.u8(..3) == 0 {
        return Case { args: generated(rng), interrupted: true, ..Case::default() };
    }
    let of_topology: Vec<_> = stock.fitting.iter().filter(|fitting| fitting.section == "topology").collect();
    let kind = pick(rng, &of_topology).of_kind.unwrap_or("torus");
    let mut args = words(pick::<&str>(
        rng,
        &[
            "topology",
            "topology --json",
            "topology --format native",
            "topology --svg new.svg",
            "route",
            "route -o routes",
        ],
    ));
    args.extend(["--kind".into(), kind.into()]);
    for param in of_topology.iter().filter(|param| param.of_kind == Some(kind)) {
        // Without those that it needs there is nothing to build.
        if rng.u8(..8) > 0 {
            let value = if rng.u8(..3) == 0 { fit(param.value, stock, rng) } else { rng.i64(2..6).to_string() };
            args.extend(["-s".into(), format!("{}={value}", param.name).into()]);
        }
    }
    Case { args, interrupted: true, ..Case::default() }
}

/// A program with any parameters.
fn generated(rng: &mut Rng) -> Vec<OsString> {
    let kinds = [
        "all-reduce",
        "all-to-all",
        "barrier",
        "halo",
        "pipeline",
        "request-reply",
        "incast",
        "broadcast",
        "reduce-scatter",
    ];
    let flags = [
        "--ranks",
        "--flits",
        "--chunks",
        "--groups",
        "--root",
        "--window",
        "--iterations",
        "--servers",
        "--stages",
        "--microbatches",
        "--count",
        "--request-flits",
        "--reply-flits",
        "--think-cycles",
        "--compute-cycles",
        "--bytes-per-flit",
        "--cycle-ns",
        "--across",
    ];
    let mut args = words(&format!("workload {} --ranks 6 --flits 12", pick(rng, &kinds)));
    for _ in 0..rng.usize(..5) {
        let value = if rng.bool() { pick(rng, &WHOLE).to_string() } else { rng.u8(..9).to_string() };
        args.extend([(*pick(rng, &flags)).into(), value.into()]);
    }
    match rng.u8(..5) {
        0 => args.extend(words("-o program")),
        1 => args.extend(words("-o program --format binary")),
        2 => args.extend(words("--algorithm double-binary-tree")),
        3 => args.extend(words("--dimensions 2,3")),
        _ => args.push("--json".into()),
    }
    args
}

/// Servers, which end when they are interrupted.
pub fn served(stock: &Stock, rng: &mut Rng, folder: Case) -> Case {
    if rng.bool() {
        return Case { args: words("view out --no-open"), ..folder };
    }
    let spec = pick(rng, &stock.specs).clone().into_bytes();
    let spec = if rng.bool() { crate::damage::table::damaged(&spec, stock, rng) } else { spec };
    let mut args = bounded(words("live --no-open"), "spec.toml");
    args.extend(words(pick::<&str>(
        rng,
        &["--port 0", "--all", "--out plays", "--out spec.toml", "--listen 127.0.0.1", "--port 70000", "--listen ::1"],
    )));
    Case { args, files: vec![given("spec.toml", spec)], interrupted: true, ..Case::default() }
}
