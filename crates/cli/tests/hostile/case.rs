//! A case: arguments and files, drawn from (seed, number).

use crate::commands;
use crate::damage::{self, bytes, json, table, text};
use crate::files::{Given, Link, Odd, given, lay_out};
use crate::formats;
use crate::stock::Stock;
use fastrand::Rng;
use std::ffi::OsString;
use std::path::Path;
use tailback_sim::catalogue;
use tailback_spec::Document;

/// What is run, and on what.
#[derive(Debug, Default)]
pub struct Case {
    /// What is damaged.
    pub class: &'static str,
    /// After the name of the program.
    pub args: Vec<OsString>,
    /// Files that lie there.
    pub files: Vec<Given>,
    /// Symbolic links that lie there, none where a file does.
    pub links: Vec<Link>,
    /// Other things that lie there.
    pub odd: Vec<Odd>,
    /// Standard input.
    pub input: Vec<u8>,
    /// Whether the program is started, and not its library called.
    pub started: bool,
    /// Whether it may be long by nature, and is asked to stop.
    pub interrupted: bool,
}

/// Of so many cases, one starts the program.
const STARTED: u64 = 64;

/// Draws of so many, and what they damage.
const CLASSES: [(u32, &str); 16] = [
    (26, "spec"),
    (9, "random spec"),
    (11, "set"),
    (6, "table"),
    (5, "path"),
    (8, "flags"),
    (5, "capsule"),
    (3, "records"),
    (3, "folder"),
    (4, "checkpoint"),
    (5, "network"),
    (4, "program"),
    (5, "booksim"),
    (2, "log"),
    (3, "family"),
    (1, "server"),
];

/// The case of this number.
pub fn generate(stock: &Stock, seed: u64, number: u64) -> Case {
    // Neighbours must not draw alike.
    let mut rng = Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number.wrapping_mul(0xd134_2543_de82_ef95));
    rng.u64(..);
    let all: u32 = CLASSES.iter().map(|(weight, _)| weight).sum();
    let mut at = rng.u32(..all);
    let class = CLASSES.iter().find(|(weight, _)| {
        let found = at < *weight;
        at = at.wrapping_sub(*weight);
        found
    });
    let class = class.expect("weights add up").1;
    let mut case = match class {
        "spec" => spec(stock, &mut rng),
        "random spec" => random_spec(stock, &mut rng),
        "set" => set(stock, &mut rng),
        "table" => tables(stock, &mut rng),
        "program" => programs(stock, &mut rng),
        "path" => path(stock, &mut rng),
        "flags" => flags(stock, &mut rng),
        "capsule" => capsule(stock, &mut rng),
        "records" => records(stock, &mut rng),
        "folder" => folder(stock, &mut rng),
        "network" => formats::network(stock, &mut rng),
        "booksim" => formats::config(stock, &mut rng),
        "log" => formats::calls(stock, &mut rng),
        "family" => formats::family(stock, &mut rng),
        "server" => {
            let folder = folder(stock, &mut rng);
            formats::served(stock, &mut rng, folder)
        }
        _ => checkpoint(stock, &mut rng),
    };
    case.class = class;
    case.started = Case::is_started(number);
    // An argument of the operating system has no zero byte and no megabyte.
    case.args.iter_mut().for_each(commands::pass);
    case.interrupted |= commands::may_be_long(&case.args) || case.odd.contains(&Odd::Fifo) || has_many_points(&case);
    case
}

/// Points that are looked at in a moment, each as if it were alone.
const FEW: u64 = 1000;

/// Whether a spec asks for so many points that even `check` may be long.
fn has_many_points(case: &Case) -> bool {
    let spec = case.files.iter().find(|file| file.name == "spec.toml").map_or(&case.input, |file| &file.bytes);
    let args: Vec<String> = case.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    let words = format!("{}{}", String::from_utf8_lossy(spec), args.concat());
    if !["replicas", "step", "count"].iter().any(|word| words.contains(word)) {
        return false;
    }
    let set: Vec<String> = args.windows(2).filter(|pair| pair[0] == "--set").map(|pair| pair[1].clone()).collect();
    let document = Document::read("spec.toml", spec, &set).ok();
    let plan = document.as_ref().and_then(|document| document.plan(catalogue()).ok());
    plan.is_some_and(|plan| plan.len() > FEW)
}

impl Case {
    /// Whether the case of this number starts the program, and does not call its library.
    pub fn is_started(number: u64) -> bool {
        number.is_multiple_of(STARTED)
    }

    /// Puts its files into its folder.
    pub fn lay_out(&self, folder: &Path) {
        lay_out(folder, &self.files, &self.links, &self.odd);
    }

    /// Whether it asks for this file, which it was given, to be replaced.
    fn may_change(&self, name: &str) -> bool {
        let forced = self.args.iter().any(|arg| arg == "--force");
        match self.class {
            // Of a folder of results its own files are rewritten. A link in it leads to others, and those stay; a file that a link names
            // is replaced where that is forced, but never the spec.
            "folder" => {
                let named = || self.links.iter().any(|link| link.to.ends_with(name));
                name.starts_with("out/") || (forced && name != "spec.toml" && named())
            }
            _ => forced,
        }
    }

    /// Whether all that it was given, and does not ask to be replaced, is still there.
    pub fn unchanged(&self, folder: &Path) -> Result<(), String> {
        for file in self.files.iter().filter(|file| !self.may_change(&file.name)) {
            let name = &file.name;
            match std::fs::read(folder.join(name)) {
                Ok(bytes) if bytes == file.bytes => {}
                Ok(_) => return Err(format!("{name}, which it was given, holds something else now")),
                Err(error) => return Err(format!("{name}, which it was given, is lost: {error}")),
            }
        }
        Ok(())
    }

    /// A case of a verb on `spec.toml`, with what keeps it small.
    fn on_spec(args: Vec<OsString>, spec: Vec<u8>) -> Case {
        Case { args, files: vec![given("spec.toml", spec)], ..Case::default() }
    }
}

fn spec(stock: &Stock, rng: &mut Rng) -> Case {
    let mut spec = damage::pick(rng, &stock.specs).clone().into_bytes();
    for _ in 0..several(rng) {
        spec = match rng.u8(..10) {
            0..7 => table::damaged(&spec, stock, rng),
            7..9 => text::damaged(&spec, stock, rng),
            _ => bytes::damaged(&spec, rng),
        };
    }
    let verb = commands::on_spec(rng);
    if rng.u8(..20) == 0 {
        let args = commands::bounded(verb, "-");
        return Case { input: spec, args, ..Case::default() };
    }
    Case::on_spec(commands::bounded(verb, "spec.toml"), spec)
}

/// One, seldom more.
fn several(rng: &mut Rng) -> usize {
    [1, 1, 1, 1, 1, 2, 2, 3][rng.usize(..8)]
}

/// Networks of every kind, whole or with one thing wrong.
fn random_spec(stock: &Stock, rng: &mut Rng) -> Case {
    let spec = crate::stock::random(rng.u64(..)).into_bytes();
    let spec = if rng.bool() { spec } else { table::damaged(&spec, stock, rng) };
    Case::on_spec(commands::bounded(commands::on_spec(rng), "spec.toml"), spec)
}

fn set(stock: &Stock, rng: &mut Rng) -> Case {
    let spec = damage::pick(rng, &stock.specs).clone().into_bytes();
    let mut args = commands::bounded(commands::on_spec(rng), "spec.toml");
    for _ in 0..several(rng) {
        let arguments = match rng.u8(..8) {
            0..4 => damage::fitting(stock, rng),
            _ => vec![(damage::path(stock, rng), damage::value(stock, rng))],
        };
        for (path, value) in arguments {
            let argument = format!("{path}={value}");
            let argument = match rng.u8(..8) {
                0 => String::from_utf8_lossy(&text::damaged(argument.as_bytes(), stock, rng)).into_owned(),
                _ => argument,
            };
            args.extend(["--set".into(), argument.into()]);
        }
    }
    Case::on_spec(args, spec)
}

/// Permutations and routing tables with wrong lines.
fn tables(stock: &Stock, rng: &mut Rng) -> Case {
    let (spec, lines) = damage::pick(rng, &stock.tables);
    let mut lines = lines.clone().into_bytes();
    for _ in 0..1 + rng.usize(..2) {
        lines = match rng.bool() {
            true => text::damaged(&lines, stock, rng),
            false => bytes::damaged(&lines, rng),
        };
    }
    let mut case = Case::on_spec(commands::bounded(commands::on_spec(rng), "spec.toml"), spec.clone().into_bytes());
    case.files.push(given("table.txt", lines));
    case
}

/// Programs as text and in their binary form, and the nodes of their ranks.
fn programs(stock: &Stock, rng: &mut Rng) -> Case {
    let (spec, file) = damage::pick(rng, &stock.programs);
    let is_text = !file.contains(&0);
    let mut file = file.clone();
    for _ in 0..rng.usize(..3) {
        file = match rng.u8(..3) {
            0 if is_text => text::damaged(&file, stock, rng),
            1 if !is_text => bytes::claimed(&file, rng),
            _ => bytes::damaged(&file, rng),
        };
    }
    let args = match rng.u8(..3) {
        0 => ["workload", "--check", "table.txt"].map(OsString::from).to_vec(),
        _ => commands::bounded(commands::on_spec(rng), "spec.toml"),
    };
    let mut case = Case::on_spec(args, spec.clone().into_bytes());
    case.files.push(given("table.txt", file));
    case
}

/// Paths that lead to no plain file, as spec, as table and as output.
fn path(stock: &Stock, rng: &mut Rng) -> Case {
    let odd = vec![Odd::Links, Odd::Folders, Odd::Fifo];
    let path = damage::file(rng);
    let (table, lines) = damage::pick(rng, &stock.tables);
    let files = vec![given("spec.toml", table.clone()), given("table.txt", lines.clone())];
    let mut args = match rng.u8(..5) {
        0 => commands::bounded(commands::on_spec(rng), &path),
        1 => vec![(*damage::pick(rng, &["plot", "verify", "resume"])).into(), path.into()],
        2 => commands::with_output(rng, &path),
        _ => {
            let mut args = commands::bounded(commands::on_spec(rng), "spec.toml");
            let key = if table.contains("permutation") { "traffic.pattern.file" } else { "routing.file" };
            args.extend(["--set".into(), format!("{key}={path}").into()]);
            args
        }
    };
    if rng.u8(..8) == 0 {
        args.push("--force".into());
    }
    Case { args, files, odd, input: damage::pick(rng, &stock.specs).clone().into_bytes(), ..Case::default() }
}

fn flags(stock: &Stock, rng: &mut Rng) -> Case {
    let spec = damage::pick(rng, &stock.specs).clone();
    let files = vec![given("spec.toml", spec), given("records.jsonl", damage::pick(rng, &stock.records).clone())];
    Case { args: commands::absurd(stock, rng), files, ..Case::default() }
}

fn capsule(stock: &Stock, rng: &mut Rng) -> Case {
    let good = damage::pick(rng, &stock.capsules);
    let capsule = json::damaged(good, stock, rng);
    let mut args: Vec<OsString> = vec!["verify".into(), "capsule.json".into()];
    if rng.bool() {
        args.push("--json".into());
    }
    Case { args, files: vec![given("capsule.json", capsule)], interrupted: true, ..Case::default() }
}

fn records(stock: &Stock, rng: &mut Rng) -> Case {
    let good = damage::pick(rng, &stock.records);
    let records = json::damaged_lines(good, stock, rng);
    Case {
        args: commands::plot(stock, rng, "records.jsonl"),
        files: vec![given("records.jsonl", records)],
        ..Case::default()
    }
}

/// Folders of results in which files are missing, cut, exchanged, damaged, foreign, or links.
fn folder(stock: &Stock, rng: &mut Rng) -> Case {
    let (spec, good) = damage::pick(rng, &stock.folders);
    let mut files: Vec<Given> =
        good.iter().map(|file| given(format!("out/{}", file.name), file.bytes.clone())).collect();
    let mut links = Vec::new();
    for _ in 0..1 + rng.usize(..3) {
        let (one, other) = (rng.usize(..files.len()), rng.usize(..files.len()));
        match rng.u8(..8) {
            0 if files.len() > 1 => drop(files.swap_remove(one)),
            1 => files[one].bytes = files[other].bytes.clone(),
            2 => files[one].bytes = bytes::damaged(&files[one].bytes, rng),
            3 => files[one].bytes = json::damaged_lines(&files[one].bytes, stock, rng),
            4 => files[one].bytes = text::damaged(&files[one].bytes, stock, rng),
            5 if files.len() > 1 => {
                let name = files.swap_remove(one).name;
                links.push(Link { name, to: damage::pick::<&str>(rng, &LEADS_TO) });
            }
            // A folder within it, with all that it holds.
            6 if links.is_empty() => {
                let within = *damage::pick(rng, &["out/capsules", "out/series", "out/pictures", "out/shares"]);
                files.retain(|file| !file.name.starts_with(within));
                links.push(Link { name: within.to_owned(), to: damage::pick::<&str>(rng, &LEADS_TO) });
            }
            _ => {
                let foreign = given(format!("out/{}", damage::pick(rng, &FOREIGN)), files[one].bytes.clone());
                files.retain(|file| file.name != foreign.name);
                files.push(foreign);
            }
        }
    }
    // What was drawn twice lies there once, and nothing below a link.
    links.sort_by(|one: &Link, other| one.name.cmp(&other.name));
    links.dedup_by(|later, earlier| later.name.starts_with(&earlier.name));
    let below = |file: &str| links.iter().any(|link| file.starts_with(&link.name));
    files.retain(|file| !below(&file.name));
    let args = commands::on_folder(stock, rng);
    files.push(given("spec.toml", spec.clone()));
    files.push(given(BEHIND_A_LINK, "{\"mine\": 1}\n"));
    files.push(given("precious/notes.txt", "mine\n"));
    Case { args, files, links, interrupted: true, ..Case::default() }
}

/// A file that is nobody's business, of an ending that results have.
const BEHIND_A_LINK: &str = "mine.jsonl";

/// Where links in a folder of results lead, from one folder below.
const LEADS_TO: [&str; 12] = [
    "../spec.toml",
    "../mine.jsonl",
    "../precious",
    "../precious/notes.txt",
    "../nowhere",
    "../../mine.jsonl",
    "records.jsonl",
    ".",
    "..",
    "/",
    "/etc/passwd",
    "/dev/zero",
];

const FOREIGN: [&str; 6] =
    ["shares/0/records.jsonl", "capsules/ffffffffffffffff.json", "notes.txt", ".tailback.lock", "failures.jsonl", "x"];

fn checkpoint(stock: &Stock, rng: &mut Rng) -> Case {
    let good = damage::pick(rng, &stock.checkpoints);
    let file = bytes::damaged_checkpoint(good, stock, rng);
    let mut args: Vec<OsString> = vec!["resume".into(), "state".into()];
    if rng.u8(..4) == 0 {
        args.extend(["--set".into(), format!("{}={}", damage::path(stock, rng), damage::value(stock, rng)).into()]);
    }
    Case { args, files: vec![given("state", file)], interrupted: true, ..Case::default() }
}
