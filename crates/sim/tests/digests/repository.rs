//! The specs of `examples/` and `papers/`, made short: the first and the last point of each.

use super::{Case, files};
use std::path::Path;
use tailback_sim::catalogue;
use tailback_spec::Document;

pub fn cases() -> Vec<Case> {
    let root = files::root();
    // What a host steps is no run.
    let runs = files::specs().into_iter().filter(|file| kind(&read(file)).as_deref() != Some("host"));
    runs.flat_map(|file| ends(&root, &file)).collect()
}

/// The first and the last point of a spec.
fn ends(root: &Path, file: &Path) -> Vec<Case> {
    let name = file.strip_prefix(root).expect("a file below").display().to_string();
    let text = read(file);
    let mut document = Document::parse(&name, text.as_bytes()).unwrap_or_else(|errors| panic!("{}", errors.render()));
    for set in shorter(&text) {
        document.set(set).unwrap_or_else(|errors| panic!("{name}: {}", errors.render()));
    }
    let points = document.expand(catalogue()).unwrap_or_else(|errors| panic!("{}", errors.render()));
    let last = points.len() - 1;
    let mut cases = Vec::new();
    for (at, which) in [(0, "first"), (last, "last")] {
        if at == last || last > 0 {
            cases.push(Case { name: format!("{name} {which}"), point: Some(points[at].clone()), twice: false });
        }
    }
    cases.dedup_by(|one, other| one.name == other.name);
    cases
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a spec")
}

/// The kind of the workload, where a spec names one.
fn kind(text: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(text).expect("a spec");
    Some(table.get("workload")?.get("kind")?.as_str()?.to_owned())
}

/// What makes a spec short, by the kind of its workload.
fn shorter(text: &str) -> &'static [&'static str] {
    match kind(text).as_deref() {
        Some("ramp") => &["workload.cycles=600", "workload.window_cycles=50"],
        Some("phases") => &["workload.cycles=600"],
        // It is short, and its end is what it is about.
        Some("program") => &[],
        Some("collective") => &["workload.limit_cycles=600"],
        _ => &["workload.warmup_cycles=100", "workload.measure_cycles=300", "workload.drain_cycles=100"],
    }
}
