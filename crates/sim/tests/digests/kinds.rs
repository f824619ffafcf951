//! Every kind of every section under every router, and every choice of every parameter. What cannot be combined is recorded as refused.

use super::Case;
use super::specs::{bases, kind, set};
use tailback_sim::catalogue;
use tailback_spec::{Document, Kind, Param};
use toml::{Table, Value};

pub fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (router, base) in bases() {
        for section in &catalogue().sections {
            // A host says what is sent: crates/embed/tests/same.rs.
            let runs = |name: &str| (section.path, name) != ("workload", "host");
            let kinds = section.entries.iter().filter(|entry| runs(entry.name));
            let kinds = kinds.filter(|entry| section.path != "router" || entry.name == router);
            for entry in kinds {
                let mut spec = base.clone();
                if section.path != "router" {
                    set(&mut spec, section.path, kind(section.path, entry.name));
                    cases.push(case(format!("{router} {}={}", section.path, entry.name), &spec));
                }
                let named = format!("{router} {}={}", section.path, entry.name);
                cases.extend(choices(&named, section.path, &spec, entry.params));
            }
            cases.extend(choices(router, section.path, &base, section.params));
        }
    }
    cases
}

/// A spec with each word and each truth of some parameters of a section.
fn choices(named: &str, section: &str, spec: &Table, parameters: &[Param]) -> Vec<Case> {
    let mut cases = Vec::new();
    for parameter in parameters {
        let values: Vec<Value> = match &parameter.kind {
            Kind::Bool => vec![Value::Boolean(false), Value::Boolean(true)],
            Kind::Choice(words) => words.iter().map(|(word, _)| Value::String((*word).to_owned())).collect(),
            _ => continue,
        };
        for value in values {
            let (path, mut spec) = (format!("{section}.{}", parameter.name), spec.clone());
            let shown = value.to_string().replace('"', "");
            set(&mut spec, &path, value);
            cases.push(case(format!("{named} {path}={shown}"), &spec));
        }
    }
    cases
}

fn case(name: String, spec: &Table) -> Case {
    let text = toml::to_string(spec).expect("a spec");
    let points = Document::parse("kinds.toml", text.as_bytes()).and_then(|document| document.expand(catalogue()));
    Case { name, point: points.ok().map(|points| points[0].clone()), twice: true }
}
