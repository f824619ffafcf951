//! Smaller networks of the same family, which stand for one that is too large to look at as a whole.
//!
//! How long packets may wait for each other goes by how a network is built, not by how often. So the stand-in has the same number of
//! dimensions, the same kinds of links between the same kinds of routers, and the same routing; of everything else it has few.

use tailback_network::family::{self, Built};
use tailback_spec::View;
use toml::Value;

/// Parameters that say how much of something a network has, with what its stand-in has at most.
const SIZES: [(&str, i64); 10] = [
    ("routers_per_group", 4),
    ("global_links", 2),
    ("leaves", 4),
    ("spines", 4),
    ("sides", 4),
    ("arity", 4),
    ("levels", 4),
    ("q", 5),
    ("stages", 4),
    ("routers", 64),
];

/// Parameters that a stand-in has as its family chooses them: they must fit the others.
const FREE: [(&str, &str); 2] = [("groups", "auto"), ("nodes_per_router", "auto")];

/// Times of links, which have no say in who waits for whom, in lists that must fit the others.
const TIMES: [&str; 2] = ["level_cycles", "dimension_cycles"];

/// The stand-in for the network of a resolved `topology` section; `None` where no smaller network of its family is known.
pub(crate) fn of(topology: View) -> Option<Built> {
    let mut table = topology.table().clone();
    let large = table.clone();
    for (name, most) in SIZES {
        if let Some(value) = table.get_mut(name) {
            shrink(value, most);
        }
    }
    if table == large {
        return None;
    }
    for (name, value) in FREE {
        if let Some(free) = table.get_mut(name) {
            *free = Value::from(value);
        }
    }
    for name in TIMES {
        if let Some(times) = table.get_mut(name) {
            *times = Value::Array(Vec::new());
        }
    }
    for (name, value) in [("row", Value::from(0)), ("lengths", Value::from("equal"))] {
        if let Some(place) = table.get_mut(name) {
            *place = value;
        }
    }
    family::build(View::new(&table)).ok()
}

/// Makes a number, or all numbers of a list, as small as `most`.
fn shrink(value: &mut Value, most: i64) {
    match value {
        Value::Integer(number) => *number = (*number).min(most),
        Value::Array(list) => list.iter_mut().for_each(|value| shrink(value, most)),
        _ => {}
    }
}
