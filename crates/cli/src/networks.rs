//! Networks of all families: what a spec may say of them, and which of them can be simulated so far.

use crate::exit::Result;
use std::sync::LazyLock;
use tailback_network::{family, topology};
use tailback_sim::catalogue;
use tailback_spec::{Catalogue, Document, SpecError};
use toml::{Table, Value};

static WIDE: LazyLock<Catalogue> = LazyLock::new(|| {
    let mut wide = catalogue().clone();
    wide.sections.retain(|section| section.path != "topology");
    let sections = [family::section()].into_iter().chain(family::subsections());
    wide.sections.splice(0..0, sections);
    wide
});

/// All that a spec may say, with every family of networks.
pub fn every_family() -> &'static Catalogue {
    &WIDE
}

/// Refuses a spec whose network can be measured and converted, but not simulated.
///
/// # Errors
/// One sentence, at the place of what cannot be simulated.
pub fn simulated(document: &Document) -> Result<()> {
    let Some((path, what)) = document.to_toml().parse::<Table>().ok().as_ref().and_then(beyond) else { return Ok(()) };
    let message = format!(
        "{what} is not simulated yet; `tailback topology` measures and converts it, and tori and meshes without it, and networks \
         without a grid, are simulated"
    );
    let error = SpecError::at(path, message);
    let errors = match document.resolve(every_family()) {
        Ok(resolved) => resolved.errors([error]).expect("there is one"),
        Err(errors) => errors.and([error]),
    };
    Err(errors.into())
}

/// The first thing in `[topology]` that only the wide catalogue knows: its path, and what it is.
fn beyond(spec: &Table) -> Option<(String, String)> {
    let plain = topology::section();
    let (kind, table) = match spec.get("topology")? {
        Value::String(kind) => (kind.as_str(), None),
        Value::Table(table) => (table.get("kind")?.as_str()?, Some(table)),
        _ => return None,
    };
    let entry = family::section().entry(kind)?;
    let known = plain.params_of(Some(kind));
    let below: Vec<&str> = family::subsections().iter().filter_map(|s| s.path.strip_prefix("topology.")).collect();
    let mut keys = entry.params.iter().map(|param| param.name).chain(below);
    let key = keys.find(|key| table.is_some_and(|t| t.contains_key(*key)) && known.iter().all(|p| p.name != *key))?;
    Some((format!("topology.{key}"), format!("a {kind} with `{key}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> Option<String> {
        let document = Document::parse("spec.toml", text.as_bytes()).unwrap();
        simulated(&document).err().map(|failure| failure.to_string())
    }

    #[test]
    fn the_wide_catalogue_is_sound() {
        assert_eq!(tailback_spec::problems(every_family()), Vec::<String>::new());
    }

    #[test]
    fn what_is_not_simulated_is_refused_by_name_at_its_place() {
        for (text, what, place) in [
            (
                "[topology]\nkind = 'torus'\nradix = [4, 8]\ntwist = [[0, 4], [0, 0]]",
                "a torus with `twist`",
                "spec.toml:4:9",
            ),
            (
                "[topology]\nkind = 'mesh'\nradix = [4, 4]\nboundary.every = [2, 2]",
                "a mesh with `boundary`",
                "spec.toml:4",
            ),
        ] {
            let text = refusal(text).unwrap();
            assert!(text.contains("is not simulated yet"), "{text}");
            assert!(text.contains(what) && text.contains(place), "{text}");
        }
    }

    #[test]
    fn what_is_simulated_passes_and_other_faults_are_left_to_others() {
        for text in [
            "topology = { kind = 'torus', radix = [4, 4], nodes_per_router = 2 }",
            "topology = { kind = 'slim_fly', q = 5 }",
            "topology = { kind = 'blob' }",
            "topology = 'dragonflie'",
            "topology = 3",
            "",
        ] {
            assert_eq!(refusal(text), None, "{text}");
        }
    }
}
