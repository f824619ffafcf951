//! What of a routing can be told from a resolved spec alone, before any network is built: where choices have no effect.

use super::Routes;
use tailback_spec::{Resolved, View};

/// Whether all dimensions are rings.
pub(super) fn wraps(spec: &Resolved) -> bool {
    spec.view("topology").kind() == "torus"
}

/// Routers by dimension; none where there is no grid.
pub(super) fn radix(spec: &Resolved) -> Vec<u32> {
    let topology = spec.view("topology");
    if topology.has("radix") { topology.u32s("radix") } else { Vec::new() }
}

/// Whether routers have coordinates.
pub(super) fn has_grid(spec: &Resolved, _own: View<'_>) -> bool {
    tailback_network::topology::has_grid(spec.view("topology"))
}

/// Whether no packet has two ways round a ring that are as long.
pub(super) fn has_no_ties(spec: &Resolved, _own: View<'_>) -> bool {
    !wraps(spec) || radix(spec).iter().all(|k| k % 2 == 1)
}

/// Whether routers stand in a line, where no head looks at queues.
pub(super) fn is_a_line(spec: &Resolved, own: View<'_>) -> bool {
    let looks = own.has("up") && own.text("up") == "adaptive";
    tailback_network::topology::is_of_one_dimension(spec, own) && !wraps(spec) && !looks
}

/// Whether the routing of a spec gives every packet one port at a time.
pub(crate) fn gives_one_port(spec: &Resolved, _own: View<'_>) -> bool {
    !is_adaptive(spec)
}

/// Whether a packet at its source has one port, and cannot start without a free channel of it. An adapter takes packets whatever the
/// ports of its switch do.
pub(crate) fn needs_a_channel_of_one_port(spec: &Resolved, own: View<'_>) -> bool {
    gives_one_port(spec, own) && channels(spec).is_some()
}

fn is_adaptive(spec: &Resolved) -> bool {
    super::routes(spec.view("routing")) == Routes::Shortest
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
    channels(spec).is_none_or(|channels| channels == 1) || classes(spec) == Some(1)
}

/// Virtual channels of a link, where the router has some.
pub(super) fn channels(spec: &Resolved) -> Option<u32> {
    let router = spec.view("router");
    router.has("virtual_channels").then(|| router.u32("virtual_channels"))
}

/// Classes into which the routing divides the channels of a port, where there are channels.
fn classes(spec: &Resolved) -> Option<u32> {
    channels(spec).and_then(|_| super::classes(spec.view("routing"), spec))
}

/// Whether the number of channels has no middle one, also within a class of messages or a type of packets.
pub(super) fn has_no_middle(spec: &Resolved, _own: View<'_>) -> bool {
    let router = spec.view("router");
    let classes = if router.has("message_classes") { router.u32("message_classes").max(1) } else { 1 };
    let ranges = if router.has("type_channels") { router.u32s("type_channels") } else { Vec::new() };
    let has_middle = |channels: u32| channels > 1 && channels % 2 == 1;
    let of_ranges = ranges.chunks_exact(2).any(|range| has_middle(1 + range[0].abs_diff(range[1])));
    !of_ranges && !channels(spec).is_some_and(|channels| has_middle(channels / classes))
}

/// Whether the network has rings in which packets can wait for each other.
pub(super) fn has_ring_classes(spec: &Resolved, _own: View<'_>) -> bool {
    ring_classes(spec) == 2
}

/// Classes that keep the rings of the network free of deadlock.
pub(super) fn ring_classes(spec: &Resolved) -> u32 {
    1 + u32::from(wraps(spec) && radix(spec).iter().any(|&k| k > 3))
}
