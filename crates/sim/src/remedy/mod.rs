//! What would help a point that does not get through: a stated list of changes, each of one parameter, tried under common seeds.

mod candidates;
mod gain;
mod trial;

pub use candidates::{Aim, CANDIDATES, Candidate, Change};
pub use gain::{Gain, Metric};
pub use trial::{Remedies, Trial};

use crate::catalogue;
use crate::prepare::{Prepared, prepare};
use crate::why::Cause;
use serde::{Deserialize, Serialize};
use tailback_spec::{Document, Point};
use toml::{Table, Value};

/// A change of one parameter, and what is known of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remedy {
    /// The change as a spec has it: `routing.tie = "alternate"`.
    pub setting: String,
    /// Whether it was tried, and what came out.
    pub tried: Tried,
    /// What it changes, in a sentence; empty where nothing is known before a run.
    pub words: String,
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Tried {
    /// The change was not tried.
    Not,
    /// It cannot be made, or has no effect here, for this reason.
    Refused {
        /// The reason.
        reason: String,
    },
    /// Every run came out the same, bit for bit.
    Same,
    /// It was run under common seeds.
    Measured(Gain),
}

impl Remedy {
    /// `Measured remedy: routing.tie = "alternate", +31 % (11 to 54).`, where it helps.
    pub(crate) fn short(&self) -> Option<String> {
        match &self.tried {
            Tried::Measured(gain) if gain.helps() => {
                let change = gain.words().unwrap_or_else(|| gain.verdict());
                Some(format!("Measured remedy: {}, {change}.", self.setting))
            }
            _ => None,
        }
    }
}

/// The aims of a cause.
fn aim(cause: &Cause) -> Option<Aim> {
    Some(match cause {
        Cause::HotSpot { .. } | Cause::Ejection => Aim::Nodes,
        Cause::Admission => Aim::Admission,
        Cause::HeadOfLine => Aim::Queues,
        Cause::Direction { .. } => Aim::Direction,
        Cause::Channels => Aim::Channels,
        Cause::Links => Aim::Links,
        Cause::Deadlock => Aim::Deadlock,
        Cause::Livelock => Aim::Livelock,
        Cause::Starvation => Aim::Starvation,
        Cause::Nothing | Cause::Unknown | Cause::Program => return None,
    })
}

/// The changes that are aimed at a cause and can be made, so far as that is known without building them.
pub(crate) fn untried(prepared: &Prepared, cause: &Cause) -> Vec<Remedy> {
    let Some(aim) = aim(cause) else { return Vec::new() };
    let has_grid = prepared.network().grid().is_some();
    let aimed =
        CANDIDATES.iter().filter(|candidate| candidate.aims.contains(&aim) && candidate.is_for(prepared.network()));
    let remedy = |candidate: &Candidate| {
        let (_, then) = candidate.values(&prepared.point.resolved)?;
        let changed = changed(&prepared.point, Some((candidate, &then)), prepared.point.seed).ok()?;
        if idle(&changed, candidate).is_some() {
            return None;
        }
        // Much of what a grid has is refused elsewhere, and only when it is built.
        if !has_grid && prepare(&changed).is_err() {
            return None;
        }
        Some(Remedy { setting: setting(candidate, &then), tried: Tried::Not, words: String::new() })
    };
    aimed.filter_map(remedy).collect()
}

/// Why a change has no effect on the point that has it.
fn idle(changed: &Point, candidate: &Candidate) -> Option<String> {
    let found = changed.without_effect(catalogue()).into_iter();
    found.filter(|idle| candidate.path.starts_with(&idle.path)).map(|idle| idle.message).next()
}

/// `routing.tie = "alternate"`.
fn setting(candidate: &Candidate, then: &Value) -> String {
    format!("{} = {then}", candidate.path)
}

/// The point with another seed, without probes, and with a change.
///
/// # Errors
/// In words, what speaks against it.
fn changed(point: &Point, change: Option<(&Candidate, &Value)>, seed: u64) -> Result<Point, String> {
    with_value(point, change.map(|(candidate, then)| (candidate.path, then)), seed)
}

/// The point without probes, with another seed, and with another value at a path where one is given.
///
/// # Errors
/// In words, what speaks against it.
pub(crate) fn with_value(point: &Point, change: Option<(&str, &Value)>, seed: u64) -> Result<Point, String> {
    let mut table = point.resolved.table().clone();
    ["preset", "name", "description", "probes"].iter().for_each(|key| drop(table.remove(*key)));
    put(&mut table, "run.seed", Value::Integer(seed as i64));
    if let Some((path, then)) = change {
        put(&mut table, path, then.clone());
    }
    let text = toml::to_string(&table).map_err(|error| error.to_string())?;
    let document = Document::parse("the point", text.as_bytes()).map_err(|errors| crate::reason(&errors))?;
    let mut points = document.expand(catalogue()).map_err(|errors| crate::reason(&errors))?;
    Ok(points.swap_remove(0))
}

fn put(table: &mut Table, path: &str, value: Value) {
    match path.split_once('.') {
        None => drop(table.insert(path.to_owned(), value)),
        Some((section, rest)) => {
            if let Some(Value::Table(inner)) = table.get_mut(section) {
                put(inner, rest, value);
            }
        }
    }
}
