//! Parameters that families share.

use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

/// Nodes of the routers that have some.
pub const NODES_PER_ROUTER: Param = Param {
    name: "nodes_per_router",
    kind: Kind::IntegerOrAuto { min: 1, max: 1024 },
    unit: "nodes",
    fallback: Fallback::Text("auto"),
    doc: "Nodes attached to each router that has some, each with injection and ejection ports of its own. \"auto\" is \
        what the kind says, and 1 where it says nothing.",
};

/// Parameters of every family.
pub const COMMON: &[Param] = &[
    NODES_PER_ROUTER,
    Param {
        name: "link_cycles",
        kind: Kind::Integer { min: 1, max: 4096 },
        unit: "cycles",
        fallback: Fallback::Integer(1),
        doc: "Time of a flit on a link between routers.",
    },
];

/// An entry without a paper of its own.
pub const fn entry(name: &'static str, summary: &'static str, params: &'static [Param]) -> Entry {
    Entry { name, summary, paper: "", ideal: false, params }
}

/// A number that must be given.
pub const fn number(name: &'static str, unit: &'static str, range: (i64, i64), doc: &'static str) -> Param {
    Param { name, kind: Kind::Integer { min: range.0, max: range.1 }, unit, fallback: Fallback::Required, doc }
}

/// The delay of links of a kind, by default `link_cycles`.
pub const fn cycles(name: &'static str, doc: &'static str) -> Param {
    let kind = Kind::IntegerOrAuto { min: 1, max: 4096 };
    Param { name, kind, unit: "cycles", fallback: Fallback::Text("auto"), doc }
}

/// The delays of links by dimension or level, by default `link_cycles` each.
pub const fn delays(name: &'static str, doc: &'static str) -> Param {
    let kind = Kind::Integers { min: 1, max: 4096, min_len: 0, max_len: 16 };
    Param { name, kind, unit: "cycles", fallback: Fallback::Integers(&[]), doc }
}

/// What [`cycles`] resolves to.
pub fn cycles_of(view: View, name: &str) -> u32 {
    view.finite(name).map_or_else(|| view.u32("link_cycles"), |cycles| cycles as u32)
}

/// Values by dimension or level: as many as `count`, each `default` where the list is empty.
///
/// # Errors
/// For a list of another length.
pub fn each_of(view: View, name: &str, count: usize, default: u32) -> Result<Vec<u32>, Box<SpecError>> {
    let given = view.u32s(name);
    match given.len() {
        0 => Ok(vec![default; count]),
        n if n == count => Ok(given),
        n => {
            let message = format!("`{name}` has {n} values; this network needs {count}");
            Err(refusal(&format!("topology.{name}"), message))
        }
    }
}

/// Nodes of each router that has some.
pub fn nodes_per_router(view: View, auto: u32) -> u32 {
    view.finite("nodes_per_router").map_or(auto, |nodes| nodes as u32)
}

/// Why there is no such network, at the parameter that is to blame.
pub fn refusal(path: &str, message: impl Into<String>) -> Box<SpecError> {
    Box::new(SpecError::at(path, message))
}
