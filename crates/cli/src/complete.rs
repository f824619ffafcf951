//! What a shell offers after `--set` and `list`: sections, kinds and parameters of the spec, from the catalogue.

use clap_complete::engine::CompletionCandidate;
use std::ffi::OsStr;
use tailback_results::schema::COLUMNS;
use tailback_sim::catalogue;
use tailback_spec::{Kind, Param, Section};

/// What `--set` takes: `PATH=`, and after the equals sign the words that the parameter knows.
pub fn setting(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let all = match typed.split_once('=') {
        Some((path, _)) => words(path).into_iter().map(|(word, doc)| (format!("{path}={word}"), doc)).collect(),
        None => paths(),
    };
    candidates(all, typed)
}

/// What `list` takes: sections, `columns`, `presets`.
pub fn listed(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let mut all: Vec<(String, &str)> = catalogue().sections.iter().map(|s| (s.path.to_owned(), s.doc)).collect();
    all.push(("columns".to_owned(), "The columns of a record, with units"));
    all.push(("presets".to_owned(), "Routers of papers, as values of a spec"));
    all.extend(COLUMNS.iter().map(|column| (column.name.to_owned(), column.meaning)));
    candidates(all, typed)
}

fn candidates(all: Vec<(String, &str)>, typed: &str) -> Vec<CompletionCandidate> {
    let fitting = all.into_iter().filter(|(word, _)| word.starts_with(typed));
    fitting.map(|(word, doc)| CompletionCandidate::new(word).help(Some(doc.to_owned().into()))).collect()
}

/// Every path that can be set, with an equals sign, once.
fn paths() -> Vec<(String, &'static str)> {
    let mut paths: Vec<(String, &str)> = Vec::new();
    for section in &catalogue().sections {
        if !section.entries.is_empty() {
            paths.push((format!("{}=", section.path), section.doc));
        }
        paths.extend(params(section).map(|param| (format!("{}.{}=", section.path, param.name), param.doc)));
    }
    paths.push(("preset=".to_owned(), "A router of a paper, as defaults"));
    let mut seen = std::collections::HashSet::new();
    paths.retain(|(path, _)| seen.insert(path.clone()));
    paths
}

/// The parameters of a section and of all its kinds.
fn params(section: &Section) -> impl Iterator<Item = &Param> {
    section.params.iter().chain(section.entries.iter().flat_map(|entry| entry.params))
}

/// The words that may stand at `path`: kinds, choices, `true` and `false`; numbers have none.
fn words(path: &str) -> Vec<(&'static str, &'static str)> {
    let catalogue = catalogue();
    if path == "preset" {
        return catalogue.presets.iter().map(|preset| (preset.name, preset.summary)).collect();
    }
    if let Some(section) = catalogue.section(path) {
        return section.entries.iter().map(|entry| (entry.name, entry.summary)).collect();
    }
    let Some((parent, name)) = path.rsplit_once('.') else { return Vec::new() };
    let Some(section) = catalogue.section(parent) else { return Vec::new() };
    if name == "kind" {
        return words(parent);
    }
    params(section).filter(|param| param.name == name).flat_map(words_of).collect()
}

fn words_of(param: &Param) -> Vec<(&'static str, &'static str)> {
    match param.kind {
        Kind::Bool => vec![("true", ""), ("false", "")],
        Kind::Choice(words) => words.to_vec(),
        Kind::IntegerOrInfinite { .. } => vec![("infinite", param.doc)],
        Kind::IntegerOrAuto { .. } => vec![("auto", param.doc)],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(typed: &str) -> Vec<String> {
        setting(OsStr::new(typed)).iter().map(|c| c.get_value().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn paths_then_words() {
        assert_eq!(offered("traffic.lo"), ["traffic.load="]);
        assert!(offered("").len() > 100 && offered("").contains(&"preset=".to_owned()));
        assert!(offered("admission=s").contains(&"admission=spth".to_owned()));
        assert_eq!(offered("admission.kind=spt"), ["admission.kind=spth"]);
        assert!(offered("router.sharing=").contains(&"router.sharing=shared_whole".to_owned()));
        assert_eq!(offered("traffic.load="), Vec::<String>::new());
        assert_eq!(offered("nonsense.x="), Vec::<String>::new());
    }

    #[test]
    fn everything_that_can_be_listed() {
        let words: Vec<String> =
            listed(OsStr::new("l")).iter().map(|c| c.get_value().to_string_lossy().into_owned()).collect();
        assert!(words.contains(&"latency_mean".to_owned()));
    }
}
