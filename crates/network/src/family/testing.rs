//! Builds members of families for tests.

use super::{Built, build, section, subsections};
use crate::measure::{Measures, measure};
use tailback_spec::{Catalogue, Document};

fn asked(kind: &str, sets: &str) -> Result<Built, String> {
    let sections = [section()].into_iter().chain(subsections()).collect();
    let catalogue = Catalogue { sections, ..Catalogue::default() };
    let sets: Vec<String> = sets.split_whitespace().map(|set| format!("topology.{set}")).collect();
    let text = format!("[topology]\nkind = \"{kind}\"\n");
    let document = Document::read("test", text.as_bytes(), &sets).map_err(|e| e.to_string())?;
    let resolved = document.resolve(&catalogue).map_err(|e| e.to_string())?;
    build(resolved.view("topology")).map_err(|e| e.message)
}

/// The network of a kind with these settings, words apart.
pub fn built(kind: &str, sets: &str) -> Built {
    asked(kind, sets).unwrap_or_else(|error| panic!("{kind} {sets}: {error}"))
}

/// Why there is no such network.
pub fn refused(kind: &str, sets: &str) -> String {
    asked(kind, sets).err().unwrap_or_else(|| panic!("{kind} {sets} was built"))
}

/// What a network measures.
pub fn measured(kind: &str, sets: &str) -> Measures {
    measure(&built(kind, sets))
}

/// A row of check values: routers, nodes, directed links, diameter; then mean distance, bound of the family's minimal ways, and
/// bound of all shortest ways, to 1e-6.
pub fn check(kind: &str, sets: &str, counts: (usize, usize, usize, u32), values: (f64, f64, f64)) {
    let m = measured(kind, sets);
    assert_eq!((m.routers, m.nodes, m.links, m.diameter.unwrap()), counts, "{kind} {sets}");
    let found = (m.hops_mean.unwrap(), m.channel_load_bound.unwrap(), m.ecmp_bound.unwrap());
    for (found, wanted) in [(found.0, values.0), (found.1, values.1), (found.2, values.2)] {
        assert!((found - wanted).abs() < 1e-6, "{kind} {sets}: {found} for {wanted}, of {m:?}");
    }
}
