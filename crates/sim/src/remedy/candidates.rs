//! The changes that are tried: one line each.
//!
//! The table stands here and not with the components, because each line is about what several of them do together (a cause that was
//! measured, and the parameter of a component that may remove it). What fits a point is not said here: the catalogue and the
//! physical checks know it, and a change that they refuse is skipped.

use Aim::*;
use Change::*;
use tailback_network::Network;
use tailback_spec::Resolved;
use toml::Value;

/// A change of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Its dotted path; of a section that chooses a component, the section.
    pub path: &'static str,
    /// The change.
    pub change: Change,
    /// The causes that it is aimed at.
    pub aims: &'static [Aim],
    /// The networks that it is tried on.
    pub on: On,
}

/// Networks that a change is tried on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// Any that take it.
    Any,
    /// Those without a grid.
    WithoutGrid,
}

/// What becomes of the parameter.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// This word, or this kind.
    Word(&'static str),
    /// The value plus this number.
    More(i64),
    /// The value times this number.
    Times(i64),
    /// This number if the value is smaller, and else twice the value.
    AtLeast(i64),
}

/// What a change is aimed at: the causes, without their details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// [`crate::Cause::Direction`].
    Direction,
    /// [`crate::Cause::Links`].
    Links,
    /// [`crate::Cause::Channels`].
    Channels,
    /// [`crate::Cause::Ejection`] and [`crate::Cause::HotSpot`].
    Nodes,
    /// [`crate::Cause::HeadOfLine`].
    Queues,
    /// [`crate::Cause::Admission`].
    Admission,
    /// [`crate::Cause::Deadlock`].
    Deadlock,
    /// [`crate::Cause::Livelock`].
    Livelock,
    /// [`crate::Cause::Starvation`].
    Starvation,
}

const fn candidate(path: &'static str, change: Change, aims: &'static [Aim]) -> Candidate {
    Candidate { path, change, aims, on: On::Any }
}

/// A change for networks without a grid.
const fn elsewhere(path: &'static str, change: Change, aims: &'static [Aim]) -> Candidate {
    Candidate { on: On::WithoutGrid, ..candidate(path, change, aims) }
}

/// All of them, in the order in which they are tried.
pub const CANDIDATES: &[Candidate] = &[
    candidate("routing.tie", Word("alternate"), &[Direction]),
    candidate("routing.datelines", Word("auto"), &[Deadlock]),
    candidate("routing.datelines", Word("two"), &[Direction]),
    candidate("routing", Word("adaptive"), &[Direction, Links]),
    candidate("routing", Word("o1turn"), &[Direction, Links]),
    elsewhere("routing", Word("valiant"), &[Links, Channels]),
    candidate("router.virtual_channels", More(1), &[Direction, Links, Channels, Deadlock]),
    candidate("router.buffer_flits", Times(2), &[Direction, Links, Channels]),
    candidate("router.ingress_memory_bytes", Times(2), &[Queues, Nodes]),
    candidate("router.sharing", Word("shared"), &[Channels]),
    candidate("router.ejection_channels", AtLeast(4), &[Nodes]),
    candidate("interface.queues", Times(2), &[Starvation, Queues]),
    candidate("queueing", Word("voq_sw"), &[Queues]),
    candidate("queueing", Word("voq_net"), &[Queues]),
    candidate("queueing", Word("recn"), &[Queues, Nodes]),
    candidate("admission", Word("spth"), &[Direction, Links]),
    candidate("admission", Word("self_tuned"), &[Links, Channels]),
    candidate("admission", Word("alo"), &[Channels]),
    candidate("admission", Word("off"), &[Admission]),
    candidate("arbiter", Word("oldest_first"), &[Starvation, Livelock]),
    candidate("recovery", Word("disha"), &[Deadlock]),
];

impl Candidate {
    /// Whether it is tried on a network.
    pub fn is_for(&self, network: &Network) -> bool {
        self.on == On::Any || network.grid().is_none()
    }

    /// What stands at its path now, and what would: `None` where there is no such parameter, or nothing would change.
    pub fn values(&self, resolved: &Resolved) -> Option<(Value, Value)> {
        let now = resolved.get(self.path)?;
        // A section that chooses a component is a table.
        let now = now.as_table().and_then(|table| table.get("kind")).unwrap_or(now).clone();
        let number = now.as_integer();
        let then = match self.change {
            Word(word) => now.as_str().map(|_| Value::String(word.to_owned())),
            More(more) => number.and_then(|now| now.checked_add(more)).map(Value::Integer),
            Times(times) => number.and_then(|now| now.checked_mul(times)).map(Value::Integer),
            AtLeast(least) => {
                number.and_then(|now| if now < least { Some(least) } else { now.checked_mul(2) }).map(Value::Integer)
            }
        };
        then.filter(|then| *then != now).map(|then| (now, then))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use tailback_spec::Document;

    /// What every candidate for a path makes of a spec.
    fn values(path: &str, spec: &str) -> Vec<String> {
        let document = Document::parse("s.toml", spec.as_bytes()).expect("readable");
        let resolved = document.resolve(catalogue()).expect("no mistakes");
        let of = CANDIDATES.iter().filter(|candidate| candidate.path == path);
        of.filter_map(|candidate| candidate.values(&resolved)).map(|(_, then)| then.to_string()).collect()
    }

    #[test]
    fn a_change_is_of_what_is_there() {
        let spec = "topology = { kind = 'torus', radix = [4, 4] }\nrouter.virtual_channels = 3\n";
        assert_eq!(values("router.virtual_channels", spec), ["4"]);
        assert_eq!(values("router.buffer_flits", spec), ["64"]);
        assert_eq!(values("router.ejection_channels", spec), ["4"]);
        assert_eq!(values("router.ejection_channels", &format!("{spec}router.ejection_channels = 6\n")), ["12"]);
        let endless = format!("{spec}router.ejection_channels = 'infinite'\n");
        assert!(values("router.ejection_channels", &endless).is_empty());
        assert_eq!(values("routing.tie", spec), ["\"alternate\""]);
        assert!(
            values("routing.tie", &format!("{spec}routing.tie = 'alternate'\n")).is_empty(),
            "nothing would change"
        );
        assert!(values("router.sharing", spec).is_empty(), "only wormhole has it");
        assert!(!values("admission", spec).contains(&"\"off\"".to_owned()));
    }

    #[test]
    fn every_path_and_word_is_in_the_catalogue() {
        for candidate in CANDIDATES {
            let (section, name) = candidate.path.split_once('.').unwrap_or((candidate.path, ""));
            let section = catalogue().section(section).unwrap_or_else(|| panic!("{}", candidate.path));
            let known = match (name, candidate.change) {
                ("", Change::Word(word)) => section.entry(word).is_some(),
                (name, _) => section.every_param().any(|param| param.name == name),
            };
            assert!(known, "{candidate:?}");
        }
    }
}
