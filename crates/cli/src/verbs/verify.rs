//! `tailback verify`: run capsules again and compare.

use crate::contents::Contents;
use crate::exit::{DIFFERENT, Failure, INTERRUPTED, Result, SUCCESS};
use crate::interrupt;
use crate::show;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use tailback_results::{Capsule, Error, Record, Status};
use tailback_sim::{Control, VERSION, catalogue, prepare};
use tailback_spec::Document;

const AFTER: &str = "\
Examples:
  tailback verify results/capsules/6f1d2a90c35b7e48.json
  tailback verify results/capsules
  tailback verify results --json

A capsule holds the resolved spec of one point and what came out. Exit code 4 says that
something else comes out now, or that a file is no capsule.";

/// Columns that the wall clock makes.
const NOT_COMPARED: &[&str] =
    &["wall_seconds", "cycles_per_second", "flit_hops_per_second", "packet_hops_per_second", "version"];

/// Arguments of `verify`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// Capsules, or folders that hold them
    #[arg(required = true, value_name = "CAPSULE")]
    capsules: Vec<PathBuf>,
    /// Print one JSON object a capsule
    #[arg(long)]
    json: bool,
}

/// What a capsule gave.
struct Verdict {
    /// Columns that differ: name, what the capsule says, what came out.
    differs: Vec<(String, String, String)>,
    /// Why it could not even be run, or a remark.
    remark: Option<String>,
    /// What is said of it in a word.
    word: &'static str,
}

/// The word for a capsule whose result came out again.
const SAME: &str = "same";

/// Verifies all capsules. What is no capsule is told, and the others are verified all the same.
pub fn run(args: &Args) -> Result {
    interrupt::watch("what is printed was run again, the rest was not")?;
    let mut code = SUCCESS;
    for path in files(&args.capsules)? {
        if interrupt::requested() {
            return Ok(INTERRUPTED);
        }
        let capsule = Capsule::read(&path);
        let verdict = match &capsule {
            Ok(capsule) => verify(capsule),
            // Somebody named one thing, and it is not what is asked for.
            Err(error) if args.capsules == [path.clone()] => return Err(Failure::usage(error.to_string())),
            Err(Error::Capsule { cause, .. }) => Verdict { word: "DAMAGED", ..refused(cause) },
            Err(error) => Verdict { word: "UNREADABLE", ..refused(&error.to_string()) },
        };
        if verdict.word != SAME {
            code = DIFFERENT;
        }
        let point = capsule.ok().map(|capsule| capsule.point_id);
        show::print(&if args.json { json_line(&path, point, &verdict) } else { text(&path, &verdict) })?;
    }
    Ok(code)
}

/// The capsules among the arguments, those in folders in the order of their names.
fn files(arguments: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in arguments {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let folder = if path.join("capsules").is_dir() { path.join("capsules") } else { path.clone() };
        let entries = std::fs::read_dir(&folder).map_err(|error| Failure::file("read", &folder, &error))?;
        let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        found.retain(|p| p.extension().is_some_and(|e| e == "json"));
        found.sort();
        if found.is_empty() {
            return Err(Failure::usage(format!("there are no capsules in `{}`", show::path(&folder))));
        }
        files.append(&mut found);
    }
    Ok(files)
}

fn verify(capsule: &Capsule) -> Verdict {
    if capsule.record.status == Status::Interrupted {
        return refused("the run was interrupted; where is known to no spec");
    }
    if capsule.record.parameters.iter().any(|(name, _)| name == "fork.checkpoint") {
        return refused("the run was forked from a checkpoint, without which no spec gives it again");
    }
    match again(capsule) {
        Err(why) => refused(&why),
        Ok(record) => {
            let differs = differences(&capsule.record, &record);
            let other =
                (capsule.version != VERSION).then(|| format!("made by version {}, this is {VERSION}", capsule.version));
            Verdict { word: if differs.is_empty() { SAME } else { "DIFFERENT" }, differs, remark: other }
        }
    }
}

fn refused(why: &str) -> Verdict {
    Verdict { differs: Vec::new(), remark: Some(why.to_owned()), word: "DIFFERENT" }
}

/// Runs the point of a capsule again.
fn again(capsule: &Capsule) -> std::result::Result<Record, String> {
    let document = Document::parse("the capsule's spec", capsule.spec_toml.as_bytes()).map_err(|e| e.to_string())?;
    let mut points = document.expand(catalogue()).map_err(|e| e.to_string())?;
    let [point] = points.as_mut_slice() else { return Err(format!("its spec has {} points", points.len())) };
    Contents::default().identify(point);
    let prepared = prepare(point).map_err(|e| e.to_string())?;
    let control = Control { cancel: interrupt::flag(), cycles_done: &AtomicU64::new(0), threads: 1 };
    let mut record = tailback_sim::run(&prepared, &control).record;
    // The capsule's spec is that of one point: it sweeps nothing, and what its sweep chose stands in it.
    record.parameters.clone_from(&capsule.record.parameters);
    Ok(record)
}

fn differences(was: &Record, is: &Record) -> Vec<(String, String, String)> {
    let (Ok(was), Ok(is)) = (was.row(), is.row()) else { return Vec::new() };
    let compared = was.iter().filter(|(name, _)| !NOT_COMPARED.contains(&name.as_str()));
    let other = compared.filter(|(name, value)| is.get(*name) != Some(value));
    other.map(|(name, value)| (name.clone(), value.to_string(), is[name.as_str()].to_string())).collect()
}

fn text(path: &Path, verdict: &Verdict) -> String {
    let mut out = format!("{}: {}\n", show::path(path), verdict.word);
    if let Some(remark) = &verdict.remark {
        remark.lines().for_each(|line| out += &format!("  {line}\n"));
    }
    for (column, was, is) in &verdict.differs {
        out += &format!("  {column}: {was} in the capsule, {is} now\n");
    }
    out
}

fn json_line(path: &Path, point: Option<String>, verdict: &Verdict) -> String {
    let columns: Vec<&str> = verdict.differs.iter().map(|(column, ..)| column.as_str()).collect();
    let differences =
        verdict.differs.iter().map(|(column, was, is)| json!({ "column": column, "was": was, "now": is }));
    let line = json!({
        "capsule": path.display().to_string(), "point_id": point, "same": verdict.word == SAME,
        "verdict": verdict.word.to_lowercase(), "columns": columns, "differences": differences.collect::<Vec<_>>(),
        "remark": verdict.remark,
    });
    format!("{line}\n")
}
