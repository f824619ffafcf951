//! Every key, as data: its type, its default, what it means, and what becomes of it.

mod forks;
mod markdown;
mod measurement;
mod network;
mod older;
mod router;
mod traffic;

pub use forks::{Fork, forks_of};
pub use markdown::markdown;
pub use older::{OLDER, Older, older};

/// A key of BookSim 2.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// The types of value that it takes.
    pub kind: Kind,
    /// Its default, as a file would have it.
    pub default: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What becomes of it.
    pub fate: Fate,
}

/// The types of value that a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer.
    Integer,
    /// A number with a point or an exponent.
    Float,
    /// A string.
    Text,
    /// An integer, or a string: a list with a value for each class, or a word.
    IntegerOrText,
    /// A number with a point, or a string: a list with a value for each class.
    FloatOrText,
}

impl Kind {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Integer => "integer",
            Kind::Float => "number with a point",
            Kind::Text => "string",
            Kind::IntegerOrText => "integer or list",
            Kind::FloatOrText => "number with a point or list",
        }
    }
}

/// What becomes of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It becomes these parameters of a spec, or this part of what is printed.
    Becomes(&'static str),
    /// It has no effect, in BookSim and here, for this reason.
    NoEffect(&'static str),
    /// Any value but the default is refused, for this reason.
    Refused(&'static str),
}

const fn key(name: &'static str, kind: Kind, default: &'static str, meaning: &'static str, fate: Fate) -> Key {
    Key { name, kind, default, meaning, fate }
}

/// Every key of BookSim 2, in the order of its own list.
pub fn keys() -> impl Iterator<Item = &'static Key> {
    [network::KEYS, router::KEYS, traffic::KEYS, measurement::KEYS].into_iter().flatten()
}

/// The key of a name.
pub fn find(name: &str) -> Option<&'static Key> {
    keys().find(|key| key.name == name)
}

/// Keys that are known in a build with a macro only, and the macro.
pub fn macro_of(name: &str) -> Option<&'static str> {
    let of = |names: &[&str]| names.contains(&name);
    if of(&[
        "injected_flits_out",
        "received_flits_out",
        "stored_flits_out",
        "sent_flits_out",
        "outstanding_credits_out",
        "ejected_flits_out",
        "active_packets_out",
    ]) {
        return Some("TRACK_FLOWS");
    }
    of(&["used_credits_out", "free_credits_out", "max_credits_out"]).then_some("TRACK_CREDITS")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_key_is_there_once_and_no_key_is_of_a_fork_too() {
        let names: Vec<&str> = keys().map(|key| key.name).collect();
        let set: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(set.len(), names.len());
        assert!(names.iter().all(|name| forks_of(name).is_none() && older(name).is_none() && macro_of(name).is_none()));
    }

    #[test]
    fn defaults_are_values_of_their_type() {
        for key in keys().filter(|key| !key.default.is_empty()) {
            let (integer, float) = (key.default.parse::<i32>().is_ok(), key.default.parse::<f64>().is_ok());
            let fits = match key.kind {
                Kind::Integer | Kind::IntegerOrText => integer,
                Kind::Float | Kind::FloatOrText => float && !integer,
                Kind::Text => !float,
            };
            assert!(fits, "{} = {}", key.name, key.default);
        }
    }
}
