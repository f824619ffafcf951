//! The façade and the deadlock check ask mechanisms what they need to know: they name none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tailback_mechanisms::{admission, arbiter, flow_control, interface, queueing, recovery, routing, selection};

/// Words that mean something else in a file, or that a user could type.
const MEANT: [(&str, &[&str]); 5] = [
    // A column of the table of ranks.
    ("sim/src/critical/tables.rs", &["first"]),
    // The arguments of the check.
    ("deadlock/src/verdict.rs", &["bubble"]),
    // Values of `router.vc_allocator_arbiter`, and of `router.speculation`.
    ("sim/src/router/input_queued.rs", &["matrix", "round_robin", "off"]),
    // Values of `router.requests`.
    ("sim/src/router/adaptive.rs", &["random"]),
    // Changes of a spec that are tried, in the words of a spec; a test holds them against the catalogue.
    (
        "sim/src/remedy/candidates.rs",
        &[
            "adaptive",
            "o1turn",
            "valiant",
            "voq_sw",
            "voq_net",
            "recn",
            "spth",
            "self_tuned",
            "alo",
            "off",
            "oldest_first",
            "disha",
        ],
    ),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of sources");
    let paths = entries.map(|entry| entry.expect("a file or folder").path());
    let program = paths.filter(|path| path.file_stem().is_some_and(|stem| stem != "tests"));
    program.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

/// The program in a file, without its tests and comments.
fn program(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("a source file");
    let program = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    program.lines().filter(|line| !line.trim_start().starts_with("//")).collect()
}

#[test]
fn no_mechanism_is_known_by_its_name() {
    let sections = [
        admission::ENTRIES,
        arbiter::ENTRIES,
        flow_control::ENTRIES,
        interface::ENTRIES,
        queueing::ENTRIES,
        recovery::ENTRIES,
        routing::ENTRIES,
        selection::ENTRIES,
    ];
    let workloads = tailback_traffic::sections().into_iter().filter(|section| section.path == "workload");
    let entries = workloads.flat_map(|section| section.entries).chain(sections.concat());
    let names: BTreeSet<&str> = entries.map(|entry| entry.name).collect();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates");
    let (mut found, mut used) = (Vec::new(), Vec::new());
    for path in ["sim/src", "deadlock/src"].iter().flat_map(|folder| sources(&crates.join(folder))) {
        let (text, shown) = (program(&path), path.strip_prefix(crates).expect("below it").display().to_string());
        for name in names.iter().filter(|name| text.contains(&format!("\"{name}\""))) {
            let is_meant = MEANT.iter().any(|(file, words)| shown == *file && words.contains(name));
            let list = if is_meant { &mut used } else { &mut found };
            list.push(format!("{shown}: {name}"));
        }
    }
    assert!(found.is_empty(), "ask a fact of the mechanism instead: {found:#?}");
    assert_eq!(used.len(), MEANT.iter().map(|(_, words)| words.len()).sum::<usize>(), "{used:#?}");
}
