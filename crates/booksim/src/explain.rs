//! A line for each key: its value, where from, and what it became.

use crate::config::Config;
use crate::keys::{Fate, keys};
use crate::map::Spec;

/// A key of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// Where it is set; `default` where it is not.
    pub from: String,
    /// What it became.
    pub became: String,
}

/// All keys, those that are set first. `spec` is what the configuration became, where it became something.
pub fn explain(config: &Config, spec: Option<&Spec>) -> Vec<Row> {
    let row = |key: &'static crate::keys::Key| {
        let place = config.place(key.name);
        Row {
            key: key.name,
            value: config.shown(key.name),
            from: place.map_or("default".to_owned(), ToString::to_string),
            became: became(key.name, key.fate, spec),
        }
    };
    let (set, unset): (Vec<_>, Vec<_>) = keys().partition(|key| config.is_set(key.name));
    set.into_iter().chain(unset).map(row).collect()
}

fn became(key: &str, fate: Fate, spec: Option<&Spec>) -> String {
    if let Some(words) = spec.and_then(|spec| spec.became.get(key)) {
        return words.join("; ");
    }
    match fate {
        Fate::Becomes(what) if spec.is_none() => what.to_owned(),
        Fate::Becomes(_) => "no effect in this network, as in BookSim".to_owned(),
        Fate::NoEffect(because) => format!("no effect: {because}"),
        Fate::Refused(because) => format!("only the default runs: {because}"),
    }
}
