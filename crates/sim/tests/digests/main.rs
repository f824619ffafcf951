//! What is simulated stays what it was. The digests of several hundred short runs are recorded in `recorded.txt`: the specs of the
//! repository, every kind of every section under every router, and random networks. A change that is not meant to change what is
//! simulated leaves them alone; one that is says so in CHANGELOG and records them anew. A new mechanism or probe has no line yet: `new`
//! runs what has none, and adds it:
//!
//! ```text
//! TAILBACK_RECORD=all cargo test -p tailback-sim --test digests
//! TAILBACK_RECORD=new cargo test -p tailback-sim --test digests
//! ```

mod drawn;
#[path = "../common/repository.rs"]
mod files;
mod kinds;
mod repository;
#[path = "../common/same.rs"]
mod same;
#[path = "../common/specs.rs"]
mod specs;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tailback_sim::prepare;
use tailback_spec::Point;

/// A run whose digest is recorded.
struct Case {
    name: String,
    /// The point, or nothing where the spec is refused.
    point: Option<Point>,
    /// Whether it is run in parts, and from a checkpoint, too.
    twice: bool,
}

/// What is written down for a spec that is refused.
const REFUSED: &str = "refused";

#[test]
fn what_was_simulated_is_simulated_still() {
    let mut cases: Vec<Case> = repository::cases().into_iter().chain(kinds::cases()).chain(drawn::cases()).collect();
    let recorded = recorded();
    match std::env::var("TAILBACK_RECORD").as_deref() {
        Ok("all") => return record(&digests(&cases)),
        Ok("new") => {
            cases.retain(|case| !recorded.contains_key(&case.name));
            return record(&recorded.into_iter().chain(digests(&cases)).collect());
        }
        Ok(other) => panic!("TAILBACK_RECORD is all or new, not {other}"),
        Err(_) => {}
    }
    let found = digests(&cases);
    assert!(found.values().filter(|digest| *digest != REFUSED).count() >= 400, "too few runs to say much");
    let names = found.keys().chain(recorded.keys()).collect::<std::collections::BTreeSet<_>>();
    let moved: Vec<String> = names
        .into_iter()
        .filter(|name| found.get(*name) != recorded.get(*name))
        .map(|name| format!("{name}: {:?} was recorded, {:?} came out", recorded.get(name), found.get(name)))
        .collect();
    assert!(moved.is_empty(), "{} of {} moved:\n{}", moved.len(), found.len(), moved.join("\n"));
}

/// The digest of each case, on all cores.
fn digests(cases: &[Case]) -> BTreeMap<String, String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let digest = digest(case);
            let before = found.lock().expect("nobody panicked").insert(case.name.clone(), digest);
            assert!(before.is_none(), "two cases are called {}", case.name);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().expect("nobody panicked")
}

fn digest(case: &Case) -> String {
    let Some(Ok(prepared)) = case.point.as_ref().map(prepare) else { return REFUSED.to_owned() };
    let record = same::record(&prepared);
    if case.twice {
        if prepared.indivisible().is_none() {
            same::in_parts(&prepared, &record, 3, &case.name);
        }
        if prepared.unkept().is_none() {
            same::gone_on(&prepared, &record, &case.name);
        }
    }
    format!("{:.16} in {} cycles", record.digest, record.cycles)
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/digests/recorded.txt")
}

fn recorded() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(file()).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, end)| (name.to_owned(), end.to_owned()))
        .collect()
}

fn record(found: &BTreeMap<String, String>) {
    let lines: String = found.iter().map(|(name, end)| format!("{name} = {end}\n")).collect();
    std::fs::write(file(), lines).expect("the tree can be written");
}
