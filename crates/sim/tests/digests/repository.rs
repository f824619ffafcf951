//! The specs of `examples/` and `papers/`, made short: the first and the last point of each.

use super::{Case, files};
use std::path::Path;
use tailback_sim::catalogue;
use tailback_spec::Document;

pub fn cases() -> Vec<Case> {
    let root = files::root();
    files::specs().iter().flat_map(|file| ends(&root, file)).collect()
}

/// The first and the last point of a spec.
fn ends(root: &Path, file: &Path) -> Vec<Case> {
    let name = file.strip_prefix(root).expect("a file below").display().to_string();
    let text = std::fs::read(file).expect("a file");
    let mut document = Document::parse(&name, &text).unwrap_or_else(|errors| panic!("{}", errors.render()));
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

/// What makes a spec short, by the kind of its workload.
fn shorter(text: &[u8]) -> &'static [&'static str] {
    let table: toml::Table = toml::from_str(std::str::from_utf8(text).expect("text")).expect("a spec");
    match table.get("workload").and_then(|workload| workload.get("kind")).and_then(|kind| kind.as_str()) {
        Some("ramp") => &["workload.cycles=600", "workload.window_cycles=50"],
        Some("phases") => &["workload.cycles=600"],
        // It is short, and its end is what it is about.
        Some("program") => &[],
        Some("collective") => &["workload.limit_cycles=600"],
        _ => &["workload.warmup_cycles=100", "workload.measure_cycles=300", "workload.drain_cycles=100"],
    }
}
