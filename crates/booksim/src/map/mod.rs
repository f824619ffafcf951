//! From a configuration to a spec.

mod knuth;
mod measurement;
mod network;
mod permutations;
mod router;
mod traffic;

pub(crate) use network::BUILT;
pub(crate) use router::{groups, priorities_count};
pub(crate) use traffic::{PLANES, SIZES, is_measured, ranges};

use crate::config::Config;
use crate::fault::Fault;
use crate::{gaps, rules};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The spec that a configuration becomes.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The spec.
    pub table: Table,
    /// What each key became, in words, where it became something.
    pub became: BTreeMap<&'static str, Vec<String>>,
    /// What whoever runs it should know, a sentence each.
    pub notes: Vec<String>,
}

/// Makes the spec.
///
/// # Errors
/// Every key that is in the way.
pub fn spec(config: &Config) -> Result<Spec, Vec<Fault>> {
    let classes = config.classes();
    let mut faults = Vec::new();
    for fault in classes.iter().flat_map(|class| rules::faults(class).into_iter().chain(gaps::faults(class))) {
        // What is wrong with all classes is said once.
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut draft = Draft { config, table: Table::new(), became: BTreeMap::new(), notes: config.notes.clone() };
    network::map(&mut draft).map_err(|fault| vec![fault])?;
    router::map(&mut draft);
    traffic::map(&mut draft, &classes).map_err(|fault| vec![fault])?;
    measurement::map(&mut draft);
    let Draft { table, became, mut notes, .. } = draft;
    for note in classes.iter().flat_map(gaps::notes) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    Ok(Spec { table, became, notes })
}

/// A spec that is being made.
pub struct Draft<'a> {
    config: &'a Config,
    table: Table,
    became: BTreeMap<&'static str, Vec<String>>,
    notes: Vec<String>,
}

impl Draft<'_> {
    /// Sets the parameter at `path`, which comes from these keys.
    fn put(&mut self, path: &str, value: impl Into<Value>, keys: &[&'static str]) {
        let value = value.into();
        self.say(keys, &format!("{path} = {value}"));
        let mut steps: Vec<&str> = path.split('.').collect();
        let last = steps.pop().expect("a path has an end");
        let mut table = &mut self.table;
        for step in steps {
            let inner = table.entry(step).or_insert_with(|| Table::new().into());
            table = inner.as_table_mut().expect("a path leads through tables");
        }
        table.insert(last.to_owned(), value);
    }

    /// Says what keys became that need no parameter.
    fn say(&mut self, keys: &[&'static str], words: &str) {
        for key in keys {
            self.became.entry(key).or_default().push(words.to_owned());
        }
    }
}

/// A table of a spec from pairs.
fn table<const N: usize>(pairs: [(&str, Value); N]) -> Value {
    Value::Table(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}
