//! What of a routing can be told from a resolved spec alone, before any network is built: where choices have no effect.

use super::{adaptive, o1turn, table, turn_model, valiant};
use tailback_spec::{Resolved, View};

/// Whether all dimensions are rings.
fn wraps(spec: &Resolved) -> bool {
    spec.view("topology").kind() == "torus"
}

fn radix(spec: &Resolved) -> Vec<u32> {
    spec.view("topology").u32s("radix")
}

/// Whether no packet has two ways round a ring that are as long.
pub(super) fn has_no_ties(spec: &Resolved, _own: View<'_>) -> bool {
    !wraps(spec) || radix(spec).iter().all(|k| k % 2 == 1)
}

/// Whether packets turn nowhere.
pub(crate) fn is_of_one_dimension(spec: &Resolved, _own: View<'_>) -> bool {
    radix(spec).len() == 1
}

/// Whether the routing of a spec gives every packet one port at a time.
pub(crate) fn gives_one_port(spec: &Resolved, _own: View<'_>) -> bool {
    !is_adaptive(spec)
}

fn is_adaptive(spec: &Resolved) -> bool {
    [adaptive::ENTRY.name, turn_model::ENTRY.name].contains(&spec.view("routing").kind())
}

/// Whether the routing of a spec leaves packets a choice of ports, and keeps no escape channel for them.
pub(crate) fn is_adaptive_without_escape(spec: &Resolved, _own: View<'_>) -> bool {
    let routing = spec.view("routing");
    is_adaptive(spec) && !(routing.has("escape") && routing.text("escape") != "none")
}

/// Whether the routing of a spec gives every head one channel of one port.
pub(crate) fn gives_one_channel(spec: &Resolved, _own: View<'_>) -> bool {
    channels(spec).is_some_and(|channels| Some(channels) == classes(spec))
}

/// Whether a packet at its source asks for all channels of its port, as all packets do.
pub(crate) fn gives_all_channels(spec: &Resolved, _own: View<'_>) -> bool {
    channels(spec) == Some(1) || classes(spec) == Some(1)
}

/// Virtual channels of a link, where the router has some.
fn channels(spec: &Resolved) -> Option<u32> {
    let router = spec.view("router");
    router.has("virtual_channels").then(|| router.u32("virtual_channels"))
}

/// Classes into which the routing divides the channels of a port, at most so many as there are; `None` where packets have several
/// ports, or where only the network can tell.
fn classes(spec: &Resolved) -> Option<u32> {
    let (routing, channels, dimensions) = (spec.view("routing"), channels(spec)?, radix(spec).len() as u32);
    let kind = routing.kind();
    let rings = wraps(spec) && radix(spec).iter().any(|&k| k > 3);
    if [valiant::ENTRY.name, o1turn::ENTRY.name].contains(&kind) {
        return Some(if rings { 4 } else { 2 });
    }
    if is_adaptive(spec) || kind == table::ENTRY.name {
        return None;
    }
    let classes = match (wraps(spec), routing.text("datelines"), routing.text("channel_numbering")) {
        (false, ..) | (_, "none", _) => 1,
        (_, _, "carry") => dimensions + 1,
        _ => 2,
    };
    Some(classes.min(channels))
}
