//! Reads a study.

use super::form::Form;
use super::study::{DataStudy, Fault, signature};
use super::{check, readings};
use crate::lab::Dataset;
use crate::paper::{Item, Paper};
use crate::targets::Targets;
use std::collections::BTreeMap;
use std::ops::Range;

/// Reads the study of a folder, whose files `files` gives by their names; messages call the folder `folder`.
///
/// A study lives as long as the program: there are few, and everything refers to them.
///
/// # Errors
/// The first fault, with its place.
pub fn load(folder: &str, files: &dyn Fn(&str) -> Option<String>) -> Result<&'static Paper, Fault> {
    let missing = |file: &str, what: &str| Fault {
        file: format!("{folder}/{file}"),
        line: 1,
        key: String::new(),
        message: format!("expected this file, {what}"),
    };
    let file = format!("{folder}/study.toml");
    let source = files("study.toml").ok_or_else(|| missing("study.toml", "which describes the study"))?;
    let targets = files("targets.toml").ok_or_else(|| missing("targets.toml", "which has what the paper prints"))?;
    let form: Form = parsed(&file, &source)?;
    let parsed_targets: toml::Table = parsed(&format!("{folder}/targets.toml"), &targets)?;
    let mut datasets = BTreeMap::new();
    for (name, spec) in &form.spec {
        let text = files(&format!("{name}.toml"));
        let text = text.ok_or_else(|| missing(&format!("{name}.toml"), "which study.toml names as a spec"))?;
        let sets = |sets: &[String]| -> &'static [&'static str] {
            sets.iter().map(|set| kept(set)).collect::<Vec<_>>().leak()
        };
        let quick = sets(&spec.quick);
        let search = spec.search.as_deref().map_or(quick, sets);
        datasets.insert(name.clone(), Dataset { name: kept(name), text: kept(&text), quick, search });
    }
    let along = form.along.as_ref().map(|along| along.get_ref().clone());
    let definitions = form.define.keys().map(|key| {
        let (name, arguments) = signature(key);
        (name, (arguments, key.clone()))
    });
    let definitions = definitions.collect();
    let fault = |span: &Range<usize>, message: &str| Fault::at(&file, &source, span, message);
    let readings = readings::resolved(&form, &fault)?;
    let study = DataStudy { file, source, form, datasets, along, definitions, readings };
    check::check(&study, &Targets::from(parsed_targets))?;
    Ok(paper(folder, targets, Box::leak(Box::new(study))))
}

fn parsed<T: serde::de::DeserializeOwned>(file: &str, source: &str) -> Result<T, Fault> {
    toml::from_str(source).map_err(|error| Fault::at(file, source, &error.span().unwrap_or(0..0), error.message()))
}

fn paper(folder: &str, targets: String, study: &'static DataStudy) -> &'static Paper {
    let item = |item: &'static super::form::Item| Item { name: &item.name, summary: &item.summary, study };
    let items: Vec<Item> = study.form.item.iter().map(item).collect();
    Box::leak(Box::new(Paper {
        key: &study.form.key,
        title: &study.form.title,
        items: items.leak(),
        study,
        targets: targets.leak(),
        folder: kept(folder),
    }))
}

fn kept(text: &str) -> &'static str {
    text.to_owned().leak()
}
