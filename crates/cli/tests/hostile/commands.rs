//! Command lines: sensible ones for damaged files, and absurd ones.

use crate::damage::{TEXTS, WHOLE, file, path, pick, value};
use crate::stock::Stock;
use fastrand::Rng;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Verbs that simulate, and end by themselves when the networks do; that compute much; and servers, which never end by themselves.
const LONG: [&str; 17] = [
    "run",
    "sweep",
    "trace",
    "curve",
    "saturation",
    "compare",
    "reproduce",
    "bench",
    "verify",
    "resume",
    "booksim",
    "replay",
    "live",
    "view",
    "topology",
    "route",
    "workload",
];

/// Verbs that would open a browser.
const SERVERS: [&str; 2] = ["live", "view"];

/// What is no verb.
const NO_VERBS: [&str; 2] = ["nonesuch", ""];

/// Flags of all verbs, and of none.
const FLAGS: [&str; 66] = [
    "--json",
    "--why",
    "--out",
    "-o",
    "--force",
    "--resume",
    "--set",
    "-s",
    "--threads",
    "-j",
    "--x",
    "--y",
    "--svg",
    "--png",
    "--no-progress",
    "--checkpoint-every",
    "--checkpoint",
    "--source",
    "--packet",
    "--destination",
    "--from-cycle",
    "--a",
    "--b",
    "--column",
    "--seeds",
    "--tolerance",
    "--low",
    "--high",
    "--highest",
    "--points",
    "--precision",
    "--max-runs",
    "--on",
    "--tasks",
    "--share",
    "--collect",
    "--markdown",
    "--channels",
    "--queue-phits",
    "--dimensions",
    "--repeat",
    "--quick",
    "--help",
    "-h",
    "--version",
    "--pdf",
    "--",
    "--format=csv",
    "--kind",
    "--engine",
    "--output",
    "--format",
    "--vary",
    "--rates",
    "--check",
    "--spec",
    "--explain",
    "--classic",
    "--keys",
    "--all",
    "--port",
    "--listen",
    "--ranks",
    "--flits",
    "--algorithm",
    "--where",
];

/// Whether a command may be long by nature.
pub fn may_be_long(args: &[OsString]) -> bool {
    args.first().is_some_and(|verb| LONG.iter().any(|long| verb == long))
}

/// Cuts what no operating system passes on.
pub fn pass(arg: &mut OsString) {
    let bytes: Vec<u8> = arg.as_bytes().iter().copied().filter(|&byte| byte != 0).take(100_000).collect();
    *arg = OsString::from_vec(bytes);
}

/// The words of a command line.
pub fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

/// A verb with flags, to be told of a spec.
pub fn on_spec(rng: &mut Rng) -> Vec<OsString> {
    words(match rng.u8(..100) {
        0..38 => "check",
        38..46 => "check --json",
        46..48 => "check --svg wait.svg",
        48..54 => "explain",
        54..66 => "run -j 1 --json",
        66..76 => "run -j 1 --why",
        76..84 => "run -j 1 --no-progress",
        84..86 => "run -j 1 --json --checkpoint-every 20 --checkpoint state-{point}-{cycle}",
        86..93 => "trace --source 0 --packet 0",
        93..95 => "trace --packet 3 --out story.json",
        95 => "sweep -j 1 --out results --no-progress",
        96 => "run -j 1 --out results",
        97 => "saturation -j 1 --json",
        98 => "curve -j 1 --json",
        _ => "compare -j 1 --seeds 2 --b arbiter=random",
    })
}

/// A verb with flags on this spec, held to little memory.
pub fn bounded(verb: Vec<OsString>, spec: &str) -> Vec<OsString> {
    let mut args = verb;
    args.insert(1, spec.into());
    args.extend(words("--set run.memory_limit_mib=64"));
    args
}

/// A verb that writes to this path.
pub fn with_output(rng: &mut Rng, path: &str) -> Vec<OsString> {
    let verbs = [
        "check spec.toml --svg",
        "check spec.toml --png",
        "run spec.toml -j 1 --out",
        "sweep spec.toml -j 1 --out",
        "run spec.toml -j 1 --checkpoint-every 10 --checkpoint",
        "trace spec.toml --packet 0 --out",
        "curve spec.toml -j 1 --out",
    ];
    let verb = *pick(rng, &verbs);
    let mut args = words(verb);
    args.push(path.into());
    args
}

/// Pictures of records.
pub fn plot(stock: &Stock, rng: &mut Rng, records: &str) -> Vec<OsString> {
    let mut args = words(&format!("plot {records}"));
    for axis in ["--x", "--y"] {
        if rng.u8(..3) == 0 {
            args.extend([axis.into(), pick(rng, &stock.columns).into()]);
        }
    }
    match rng.u8(..12) {
        0 => args.extend(words("--svg new.svg")),
        1 => args.extend(words("--png new.png")),
        _ => {}
    }
    args
}

/// What is done with a folder of results.
pub fn on_folder(stock: &Stock, rng: &mut Rng) -> Vec<OsString> {
    match rng.u8(..9) {
        0..3 => plot(stock, rng, "out"),
        3 => words("verify out"),
        4 => words("verify out/capsules --json"),
        5 => words("run spec.toml -j 1 --out out --resume --no-progress"),
        6 => words("sweep spec.toml -j 1 --out out --no-progress"),
        7 => words("sweep spec.toml --out out --collect --no-progress"),
        _ => words("run spec.toml -j 1 --out out --force --no-progress"),
    }
}

/// Verbs crossed with any flags and values.
pub fn absurd(stock: &Stock, rng: &mut Rng) -> Vec<OsString> {
    let at = rng.usize(..stock.verbs.len() + NO_VERBS.len());
    let verb = stock.verbs.get(at).map_or_else(|| NO_VERBS[at - stock.verbs.len()], String::as_str);
    let mut args = vec![OsString::from(verb)];
    if LONG.contains(&verb) || rng.bool() {
        args.push((*pick(rng, &["spec.toml", "spec.toml", "records.jsonl", "nowhere", "bubble_adaptive_2d"])).into());
    }
    for _ in 0..rng.usize(..5) {
        match rng.u8(..4) {
            0 => args.push(anything(stock, rng)),
            1 => args.push((*pick(rng, &FLAGS)).into()),
            _ => args.extend([(*pick(rng, &FLAGS)).into(), anything(stock, rng)]),
        }
    }
    if SERVERS.contains(&verb) {
        args.push("--no-open".into());
    }
    // All else is drawn; these alone would be minutes of work at every turn.
    if ["bench", "reproduce"].contains(&verb) && rng.u8(..8) > 0 {
        args.push("--nonesuch".into());
    }
    args
}

fn anything(stock: &Stock, rng: &mut Rng) -> OsString {
    match rng.u8(..10) {
        0 | 1 => pick(rng, &WHOLE).to_string().into(),
        2 => value(stock, rng).into(),
        3 => (*pick(rng, &TEXTS)).into(),
        4 => OsString::from_vec(vec![0xff, 0xfe, b'x']),
        5 => file(rng).into(),
        6 => format!("{}={}", path(stock, rng), value(stock, rng)).into(),
        7 => path(stock, rng).into(),
        8 => (*pick(
            rng,
            &["0/1", "1/0", "0/18446744073709551615", "dask://x", "slurm", "sbatch", "0.1", "nan", "1e-300"],
        ))
        .into(),
        _ => pick(rng, &stock.columns).into(),
    }
}
