//! What is damaged: the specs of the repository, made short, random networks, and what the program makes of them.

#[allow(dead_code, reason = "shared with the tests of the façade")]
#[path = "../../../sim/tests/common/random.rs"]
mod random;

use crate::damage::json::SMALL;
use crate::files::{Given, given};
use crate::formats::Formats;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tailback_program::goal::{Units, write_binary, write_text};
use tailback_program::{Generate, Generated, Program};
use toml::{Table, Value};

/// Good inputs, and words of the catalogue.
pub struct Stock {
    /// Specs, short ones.
    pub specs: Vec<String>,
    /// Specs that name `table.txt`, and that.
    pub tables: Vec<(String, String)>,
    /// Specs with a file each: a program, or the nodes of its ranks.
    pub programs: Vec<(String, Vec<u8>)>,
    /// Capsules.
    pub capsules: Vec<Vec<u8>>,
    /// Files of records.
    pub records: Vec<Vec<u8>>,
    /// Specs and their folders of results.
    pub folders: Vec<(String, Vec<Given>)>,
    /// Checkpoints.
    pub checkpoints: Vec<Vec<u8>>,
    /// Files of other formats.
    pub formats: Formats,
    /// Names of sections, kinds, parameters and words that they may be.
    pub words: Vec<String>,
    /// Kinds.
    pub kinds: Vec<String>,
    /// Dotted paths of parameters and of what a kind is chosen for.
    pub paths: Vec<String>,
    /// Parameters with what they may be.
    pub fitting: Vec<Fitting>,
    /// Columns of records.
    pub columns: Vec<String>,
    /// The verbs of the program, as it lists them itself.
    pub verbs: Vec<String>,
}

/// A parameter and what fits it.
#[derive(Clone, Debug)]
pub struct Fitting {
    /// Section whose parameter it is.
    pub section: &'static str,
    /// The kind that has it, where not all have.
    pub of_kind: Option<&'static str>,
    /// Its key.
    pub name: &'static str,
    /// What fits.
    pub value: tailback_spec::Kind,
}

/// Networks that are run for capsules, records, folders and checkpoints.
const RUNS: u64 = 14;

/// Checkpoints from this size on are left out \[bytes\]: a batch holds all of them when it forks.
const LARGE: usize = 1 << 20;

/// The folder of files of other formats.
const FORMATS: &str = "formats";

/// The file of the verbs.
const VERBS: &str = "verbs";

/// Makes a stock in a folder.
pub fn make(folder: &Path, program: &Path) {
    let verbs = Command::new(program).args(["manual", "--verbs"]).output().expect("the program starts");
    assert!(verbs.status.success() && !verbs.stdout.is_empty(), "it lists its verbs");
    fs::write(folder.join(VERBS), verbs.stdout).expect("room for verbs");
    let formats = folder.join(FORMATS);
    fs::create_dir(&formats).expect("room for a folder");
    Formats::make(&formats, program);
    for (at, spec) in specs().iter().enumerate() {
        fs::write(folder.join(format!("{at:03}.toml")), spec).expect("room for specs");
    }
    let mut made = 0;
    for at in 0.. {
        let spec = folder.join(format!("run-{at}.toml"));
        fs::write(&spec, format!("run.{SMALL}\nname = \"random\"\n{}", whole(at))).expect("room for a spec");
        let results = folder.join(format!("run-{at}"));
        let state = folder.join(format!("run-{at}-{{cycle}}.checkpoint"));
        let mut command = Command::new(program);
        command.arg("run").arg(&spec).args(["--no-progress", "--checkpoint-every", "150", "--out"]).arg(&results);
        let ended = command.arg("--checkpoint").arg(state).stdout(Stdio::null()).stderr(Stdio::null()).status();
        match ended.expect("the program starts").code() {
            Some(0 | 3 | 5 | 6) => made += 1,
            _ => fs::remove_file(spec).expect("it was written"),
        }
        if made == RUNS {
            return;
        }
        assert!(at < 60 * RUNS, "of random networks some can be");
    }
}

/// A random network, without what the stock says of every one.
fn whole(seed: u64) -> String {
    random(seed)
        .replace("run = { allow_deadlock", "run.allow_deadlock")
        .replace("true }\n", "true\n")
        .replace("false }\n", "false\n")
}

/// A random network of every kind.
pub fn random(seed: u64) -> String {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut drawn = |strategy: &dyn Fn(&mut TestRunner) -> String| strategy(&mut runner);
    let topology = drawn(&|runner| one(random::topology(), runner));
    if seed.is_multiple_of(7) {
        return drawn(&|runner| one((random::for_programs(), random::program()), runner));
    }
    let rest = match seed / 7 % 5 {
        0 => drawn(&|runner| one((random::router(), random::mechanisms(), random::traffic()), runner)),
        1 => drawn(&|runner| one((random::wormhole(), random::wormhole_mechanisms(), random::traffic()), runner)),
        2 => drawn(&|runner| one((random::adaptive(), random::adaptive_mechanisms()), runner)),
        3 => drawn(&|runner| one((random::input_queued(), random::traffic()), runner)),
        _ => drawn(&|runner| one(random::queued(), runner)),
    };
    if !seed.is_multiple_of(5) {
        return topology + &rest;
    }
    let rest = rest.lines().filter(|line| !line.starts_with("routing")).map(|line| format!("{line}\n"));
    let (topology, routing) = FAMILIES[seed as usize / 5 % FAMILIES.len()];
    format!("topology = {{ {topology} }}\nrouting = '{routing}'\n{}", rest.collect::<String>())
}

/// Networks without a grid, each with a routing.
const FAMILIES: [(&str, &str); 7] = [
    ("kind = 'dragonfly', routers_per_group = 4, global_links = 2, nodes_per_router = 2", "minimal"),
    ("kind = 'dragonfly', routers_per_group = 4, global_links = 2, nodes_per_router = 2", "ugal_l"),
    ("kind = 'hyperx', sides = [3, 3], nodes_per_router = 2", "dimwar"),
    ("kind = 'fat_tree', arity = 2, levels = 3", "up_down"),
    ("kind = 'slim_fly', q = 3", "valiant"),
    ("kind = 'torus', radix = [4, 4], twist = [[0, 0], [2, 0]]", "minimal"),
    ("kind = 'jellyfish', routers = 10, degree = 3", "layered"),
];

fn one(strategy: impl Strategy<Value = impl Text>, runner: &mut TestRunner) -> String {
    strategy.new_tree(runner).expect("nothing is rejected").current().text()
}

/// Parts of a spec.
trait Text: std::fmt::Debug {
    fn text(self) -> String;
}

impl Text for String {
    fn text(self) -> String {
        self
    }
}

impl Text for (String, String) {
    fn text(self) -> String {
        self.0 + &self.1
    }
}

impl Text for (String, String, String) {
    fn text(self) -> String {
        self.0 + &self.1 + &self.2
    }
}

/// All specs of the repository, short.
fn specs() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let papers = fs::read_dir(root.join("papers")).expect("papers are there").flatten().map(|entry| entry.path());
    for folder in papers.chain([root.join("examples")]) {
        found.extend(below(&folder).into_iter().filter(|path| path.extension().is_some_and(|e| e == "toml")));
    }
    found.sort();
    let of_study = |path: &PathBuf| !path.starts_with(root.join("examples")) && path.ends_with("study.toml");
    let specs = found.iter().filter(|path| !path.ends_with("targets.toml") && !of_study(path));
    specs.map(|path| short(&fs::read_to_string(path).expect("specs are texts"))).collect()
}

/// A spec with small networks, short times and short sweeps.
fn short(spec: &str) -> String {
    let mut root: Table = spec.parse().expect("the specs of the repository are TOML");
    shorten(&mut root, "");
    toml::to_string(&root).expect("what was TOML is TOML")
}

fn shorten(table: &mut Table, within: &str) {
    for (key, value) in table.iter_mut() {
        // A path of a sweep ends in the key that it varies.
        let name = key.rsplit('.').next().unwrap_or(key);
        match value {
            Value::Table(below) => shorten(below, name),
            Value::Integer(number) => *number = (*number).min(most(name)),
            Value::Array(items) if within == "sweep" => items.truncate(2),
            Value::Array(items) if name == "phases" => {
                items.iter_mut().filter_map(Value::as_table_mut).for_each(|phase| shorten(phase, "phases"));
            }
            Value::Array(items) => {
                for item in items {
                    if let Value::Integer(number) = item {
                        *number = (*number).min(most(name));
                    }
                }
            }
            _ => {}
        }
    }
}

/// The largest number of a parameter that is still short.
fn most(name: &str) -> i64 {
    match name {
        "radix" => 4,
        "replicas" | "packets_per_node" => 2,
        "warmup_cycles" => 40,
        "measure_cycles" | "cycles" => 120,
        "drain_cycles" | "limit_cycles" => 300,
        "destination" | "node" | "nodes" | "hot_nodes" | "sources" => 9,
        "region" | "block" | "size" => 2,
        "window_cycles" => 20,
        _ => i64::MAX,
    }
}

impl Stock {
    /// Reads a stock from its folder.
    pub fn load(folder: &Path) -> Stock {
        let (mut stock, all) = (words(), below(folder));
        let text = |path: &Path| fs::read_to_string(path).expect("it was made");
        let bytes = |path: &Path| fs::read(path).expect("it was made");
        let named = |path: &Path, ending: &str| path.extension().is_some_and(|e| e == ending);
        stock.formats = Formats::load(&folder.join(FORMATS));
        stock.verbs = text(&folder.join(VERBS)).lines().map(str::to_owned).collect();
        for path in all.iter().filter(|path| path.parent() == Some(folder)) {
            let run = path.with_extension("");
            match () {
                () if named(path, "checkpoint") => {
                    stock.checkpoints.extend(Some(bytes(path)).filter(|b| b.len() < LARGE))
                }
                () if named(path, "toml") && run.is_dir() => stock.folders.push((text(path), held(&run))),
                () if named(path, "toml") => stock.specs.push(text(path)),
                () => {}
            }
        }
        for file in stock.folders.iter().flat_map(|(_, files)| files) {
            match file.name.as_str() {
                name if name.starts_with("capsules/") => stock.capsules.push(file.bytes.clone()),
                "records.jsonl" => stock.records.push(file.bytes.clone()),
                _ => {}
            }
        }
        assert!(stock.specs.len() > 50 && stock.capsules.len() > 5 && stock.checkpoints.len() > 10, "a whole stock");
        stock
    }
}

/// The files of a folder of results, without the large ones that no verb reads.
fn held(root: &Path) -> Vec<Given> {
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(root).expect("it is below").to_str().expect("names are texts");
        let wanted = !name.starts_with("pictures") && !name.ends_with(".html");
        wanted.then(|| given(name, fs::read(path).expect("it was made")))
    };
    below(root).iter().filter_map(read).collect()
}

/// All plain files below a folder, in a fixed order.
fn below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        match entry.path() {
            path if path.is_dir() => found.extend(below(&path)),
            path => found.push(path),
        }
    }
    found.sort();
    found
}

/// A stock of words alone, and of tables.
fn words() -> Stock {
    let (mut words, mut kinds, mut paths) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut fitting = Vec::new();
    for section in &tailback_sim::catalogue().sections {
        words.insert(section.path.to_owned());
        paths.insert(section.path.to_owned());
        kinds.extend(section.entries.iter().map(|entry| entry.name.to_owned()));
        let own = section.params.iter().map(|param| (None, param));
        let of_kinds = section.entries.iter().flat_map(|e| e.params.iter().map(|param| (Some(e.name), param)));
        for (of_kind, param) in own.chain(of_kinds) {
            fitting.push(Fitting { section: section.path, of_kind, name: param.name, value: param.kind });
            words.insert(param.name.to_owned());
            paths.insert(format!("{}.{}", section.path, param.name).trim_start_matches('.').to_owned());
            if let tailback_spec::Kind::Choice(choices) = param.kind {
                words.extend(choices.iter().map(|(word, _)| (*word).to_owned()));
            }
        }
    }
    words.extend(kinds.iter().cloned());
    let columns = tailback_results::schema::COLUMNS.iter().map(|column| column.name.to_owned());
    let all = |set: BTreeSet<String>| set.into_iter().filter(|text| !text.is_empty()).collect();
    let (specs, capsules, records, folders, checkpoints, verbs, formats) = Default::default();
    let columns = columns.chain(["".to_owned(), "nonesuch".to_owned(), "traffic.load".to_owned()]).collect();
    let (words, kinds, paths, tables, programs) = (all(words), all(kinds), all(paths), tables(), programs());
    Stock {
        specs,
        tables,
        programs,
        capsules,
        records,
        folders,
        checkpoints,
        words,
        kinds,
        paths,
        fitting,
        columns,
        verbs,
        formats,
    }
}

/// A permutation and a routing table, with specs that use them.
fn tables() -> Vec<(String, String)> {
    let spec = |more: &str| {
        format!(
            "topology = {{ kind = 'mesh', radix = [4] }}\ntraffic.load = 0.2\ntraffic.size = {{ kind = 'fixed', flits = 2 }}\n{more}\n\
             workload = {{ kind = 'steady', warmup_cycles = 20, measure_cycles = 60, drain_cycles = 60 }}\n"
        )
    };
    let permutation = spec("traffic.pattern = { kind = 'permutation', file = 'table.txt' }");
    let table = spec("traffic.pattern = 'uniform'\nrouting = { kind = 'table', file = 'table.txt' }");
    let mut hops = "# router destination port\n".to_owned();
    for (router, destination) in (0..4).flat_map(|r| (0..4).map(move |d| (r, d))).filter(|(r, d)| r != d) {
        hops += &format!("{router} {destination} {} 0,1\n", if destination > router { "x+" } else { "x-" });
    }
    vec![
        (permutation.clone(), "3\n2\n1\n0\n".to_owned()),
        (permutation, "0 3\n3 0\n1 -\n2 2 # silent\n".to_owned()),
        (table, hops),
    ]
}

/// Writes a program in one form.
type Writer = fn(&dyn Program, &Units, &mut dyn std::io::Write) -> std::io::Result<()>;

/// Programs in both forms, and placements.
fn programs() -> Vec<(String, Vec<u8>)> {
    let spec = |workload: &str| {
        format!(
            "topology = {{ kind = 'mesh', radix = [4] }}\ntraffic.packet_flits = 2\nclock.cycle_ns = 1.0\n\
             workload = {{ kind = 'program', limit_cycles = 2000, {workload} }}\n"
        )
    };
    let units = Units { bytes_per_flit: 1, cycle_ns: Some(1.0) };
    let file = spec("file = 'table.txt', bytes_per_flit = 1");
    let mut found = vec![(file.clone(), SAMPLE.as_bytes().to_vec())];
    for kind in ["all_reduce", "barrier", "pipeline"] {
        let mut asked = Generate::new(kind);
        asked.ranks = Some(4);
        asked.flits = (kind != "barrier").then_some(9);
        (asked.microbatches, asked.compute_cycles) = match kind {
            "pipeline" => (Some(2), Some(5)),
            _ => (None, None),
        };
        let program = Generated::new(&asked).expect("it is well asked");
        for write in [write_text as Writer, write_binary] {
            let mut bytes = Vec::new();
            write(&program, &units, &mut bytes).expect("memory can be written");
            found.push((file.clone(), bytes));
        }
    }
    let ring = "generate = { kind = 'all_reduce', ranks = 3, flits = 6 }";
    let placed = format!("{ring}, placement = 'file', placement_file = 'table.txt'");
    let jobs = "jobs = [{ name = 'a', generate = { kind = 'barrier', ranks = 2 } }, \
        { name = 'b', file = 'table.txt' }], bytes_per_flit = 1";
    found.push((spec(&placed), b"3\n0 # the first\n1\n".to_vec()));
    found.push((spec(jobs), b"num_ranks 1\nrank 0 {\ncalc 7\n}\n".to_vec()));
    found
}

/// A program with all that its language has.
const SAMPLE: &str = "num_ranks 2\n// two ranks\nrank 0 {\na: calc 5 cpu 1\nb: send 8b to 1 tag 7 cpu 0 nic 0\nb requires a\n\
    c: recv 1b from -1 tag -1\nc irequires b\n}\nrank 1 { /* and the\nother */\na: recv 8b from 0 tag 7\nb: send 1b to 0\nb requires a\n}\n";
