//! What an input-output-queued switch cannot be, and what does not go with it.

use super::size::{memory_limit, watches_levels};
use super::{Own, refused};
use crate::classes;
use crate::prepare::with_ports;
use tailback_engine::contract::queueing::{Discipline, Place, Queueing, Side};
use tailback_engine::ioq::{self, ROUTE_MAX};
use tailback_mechanisms::{Refusal, flow_control, interface, queueing, routing};
use tailback_network::routes::most_hops;
use tailback_network::{Grid, Network, topology};
use tailback_spec::{Point, Resolved, SpecError, View};

/// The kinds of sides, with what `check` calls them, at a port to a neighbour or to a node.
pub(crate) fn places(network: &Network) -> [(&'static str, Place); 4] {
    let at = |side, port: usize, node| Place { side, port: port as u8, node };
    [
        ("ingress side", at(Side::Ingress, 0, false)),
        ("egress side", at(Side::Egress, 0, false)),
        ("egress side to a node", at(Side::Egress, network.most_ports(), true)),
        ("adapter", at(Side::Adapter, network.most_ports(), true)),
    ]
}

/// The discipline of a spec.
///
/// # Errors
/// Why it cannot work there.
pub(crate) fn discipline(spec: &Resolved, network: &Network, router: &ioq::Router) -> Result<queueing::Any, Refusal> {
    let discipline = queueing::build(spec.view("queueing"), network, router.packet_bytes)?;
    match classes::count(spec) {
        1 => Ok(discipline),
        classes => queueing::in_classes(discipline, classes).ok_or_else(|| shares(spec.view("queueing").kind())),
    }
}

/// Why a discipline whose queues share a memory has no message classes.
fn shares(kind: &str) -> Refusal {
    let message = format!(
        "all queues of a side share its memory under {kind}, so one message class could fill it, and the others would wait for that class"
    );
    let help = "take queueing = \"single\", \"voq_sw\", \"voq_net\" or \"dbbm\", or leave router.message_classes out"
        .to_owned();
    Refusal { path: "queueing.kind", message, help }
}

/// Whether the memory of an ingress side is divided among queues.
pub(super) fn divides_memory(network: &Network, discipline: &queueing::Any) -> bool {
    let [(_, ingress), ..] = places(network);
    !discipline.shares_memory() && discipline.queues(ingress).count() > 1
}

/// Bytes that the network's own state may take; saturating. The grid is built for it, where that is not too large itself.
pub(crate) fn bytes(point: &Point, router: &ioq::Router) -> u64 {
    let (routers, nodes) = topology::node_count(point.resolved.view("topology"));
    let nodes = nodes.saturating_mul(classes::count(&point.resolved).into());
    let least = bytes_of_fronts(nodes).saturating_mul(2);
    if least > memory_limit(point.resolved.view("run")) || nodes > topology::MAX_NODES {
        return least;
    }
    let network = with_ports(topology::build(point.resolved.view("topology")), &point.resolved).into();
    debug_assert_eq!(routers, Network::routers(&network) as u64);
    bytes_on(&point.resolved, &network, router)
}

/// Every node has a queue for every other one, and who stands at its front is watched.
fn bytes_of_fronts(nodes: u64) -> u64 {
    nodes.saturating_mul(nodes).saturating_mul(24)
}

/// The same on a network that has been built.
pub(crate) fn bytes_on(spec: &Resolved, network: &Network, router: &ioq::Router) -> u64 {
    let most = |discipline: queueing::Any| {
        places(network).iter().map(|&(_, place)| discipline.queues(place).count()).max().unwrap_or(1)
    };
    let queues = discipline(spec, network, router).map_or(1, most);
    let switch = ioq::router_bytes(network, router, queues) as u64;
    let fronts = bytes_of_fronts(network.nodes() as u64);
    (network.routers() as u64).saturating_mul(switch).saturating_add(fronts)
}

/// Every reason against a point of this kind but those of its routing and its traffic.
pub(super) fn objections(
    spec: &Resolved,
    grid: &Grid,
    router: &ioq::Router,
    own: &Result<Own, Refusal>,
) -> Vec<SpecError> {
    let mut errors = of_any(spec, &grid.into(), router, own);
    let dimensions = grid.radix().iter().zip(grid.wrap());
    let across: u64 = dimensions.map(|(&k, &wrap)| u64::from(if wrap { k / 2 } else { k - 1 })).sum();
    // A table has no such routes here.
    let view = spec.view("routing");
    let twice = routing::crosses_twice(view) && !routing::reads_file(view);
    let longest = 1 + across * (1 + u64::from(twice));
    if longest > ROUTE_MAX {
        let message = format!("a route has output ports at up to {longest} switches, and a packet carries {ROUTE_MAX}");
        errors.push(SpecError::at("topology.radix", message).help("take smaller radices"));
    }
    errors.extend(order(spec, grid));
    errors
}

/// Every reason against a network of any shape, beside that of its width.
pub(crate) fn of_any(
    spec: &Resolved,
    network: &Network,
    router: &ioq::Router,
    own: &Result<Own, Refusal>,
) -> Vec<SpecError> {
    let mut errors = units(spec);
    errors.extend(strangers(spec));
    match own {
        Ok(Own::Discipline(discipline)) => errors.extend(memories(spec, network, router, discipline)),
        Ok(_) => {}
        Err(refusal) => errors.push(refused(refusal.clone())),
    }
    errors
}

/// A network without a grid whose routes may be longer than what a packet carries.
pub(crate) fn width(network: &Network) -> Option<SpecError> {
    let longest = most_hops(network) as u64 + 1;
    (longest > ROUTE_MAX).then(|| {
        let message = format!("a route may have output ports at {longest} switches, and a packet carries {ROUTE_MAX}");
        SpecError::at("topology", message).help("take a network that is less wide, or router.kind = \"cut_through\"")
    })
}

/// Packets that are no whole number of flits, and a cycle that is not what the link makes it.
fn units(spec: &Resolved) -> Vec<SpecError> {
    let (view, mut errors) = (spec.view("router"), Vec::new());
    let (flit, packet) = (view.u32("flit_bytes"), view.u32("packet_bytes"));
    if !packet.is_multiple_of(flit) {
        let message = format!(
            "packets of {packet} bytes are no whole number of flits of {flit}: a link moves a flit a cycle, and there would \
             be a shorter one at the end"
        );
        let above = packet.next_multiple_of(flit);
        let help = match packet / flit * flit {
            0 => format!("set router.packet_bytes to {above}, or take shorter flits"),
            below => format!("set router.packet_bytes to {below} or {above}"),
        };
        errors.push(SpecError::at("router.packet_bytes", message).help(help));
    }
    let (asked, made) = (spec.view("clock").float("cycle_ns"), crate::router::cycle_ns(spec).unwrap_or(0.0));
    if asked > 0.0 && (asked - made).abs() > 1e-9 * made {
        let gbps = view.float("link_gbps");
        let message = format!(
            "a cycle is a flit's time on a link: {flit} bytes at {gbps} Gb/s take {made} ns, and not {asked} ns"
        );
        let help = "leave clock.cycle_ns out, or change router.link_gbps";
        errors.push(SpecError::at("clock.cycle_ns", message).help(help));
    }
    errors
}

/// Memories without room for a packet in every queue.
fn memories(spec: &Resolved, network: &Network, router: &ioq::Router, discipline: &queueing::Any) -> Vec<SpecError> {
    let (kind, packet) = (spec.view("queueing").kind(), router.packet_bytes);
    let mut errors: Vec<SpecError> = Vec::new();
    for (name, place) in places(network) {
        let ingress = place.side == Side::Ingress;
        let path = if ingress { "router.ingress_memory_bytes" } else { "router.egress_memory_bytes" };
        let holds = if ingress { router.ingress_packets } else { router.egress_packets } as usize;
        let parts = if discipline.shares_memory() { 1 } else { discipline.queues(place).count() };
        // Where both kinds of egress sides are too small the first stands for both.
        if holds >= parts || (!ingress && errors.iter().any(|e| e.path.starts_with("router.egress"))) {
            continue;
        }
        let (bytes, needs) = (spec.view("router").u32(&path["router.".len()..]), parts as u64 * u64::from(packet));
        let message = match parts {
            1 => format!("a memory of {bytes} bytes has no room for a packet of {packet}: nothing would ever move"),
            _ => format!(
                "the memory of an {name}, {bytes} bytes, is divided among {parts} queues under {kind}, and each needs room \
                 for a packet of {packet} bytes: {needs} bytes together"
            ),
        };
        let help = format!("set {path} to {needs} or more");
        let help = if parts == 1 { help } else { format!("{help}, or take a discipline with fewer queues") };
        errors.push(SpecError::at(path, message).help(help));
    }
    let levels = router.ingress_packets as u64 * u64::from(router.packet_flits);
    if levels > u64::from(u16::MAX) && watches_levels(spec) {
        let message = format!(
            "probes and throttles that read buffer levels count up to {} flits, and an ingress memory holds {levels}",
            u16::MAX
        );
        let help = "take a smaller memory or longer flits, or leave these probes and throttles out";
        errors.push(SpecError::at("router.ingress_memory_bytes", message).help(help));
    }
    errors
}

/// Mechanisms of other data paths.
fn strangers(spec: &Resolved) -> Vec<SpecError> {
    let mut errors = Vec::new();
    let mut refuse = |path: &str, message: &str, help: &str| {
        errors.push(SpecError::at(path, message).help(help));
    };
    if spec.view("traffic").u32("packet_flits") > 0 {
        let message =
            "under input-output queueing all packets have router.packet_bytes, and messages are cut into those";
        refuse("traffic.packet_flits", message, "leave traffic.packet_flits out, and set router.packet_bytes");
    }
    if flow_control::watches_own_queue(spec.view("flow_control")) {
        let message =
            "bubbles are kept in rings of virtual channels, and this router has none: credits alone say what fits";
        refuse("flow_control.kind", message, "leave flow_control out, or take router.kind = \"adaptive_cut_through\"");
    }
    if !interface::is_plain(spec.view("interface")) {
        let message = "an adapter has an admittance queue for every destination, and no injection interface";
        refuse("interface", message, "leave the section out, or take router.kind = \"adaptive_cut_through\"");
    }
    errors
}

/// Disciplines that name places by the way to them, where packets have several ways.
fn order(spec: &Resolved, grid: &Grid) -> Option<SpecError> {
    let view = spec.view("queueing");
    if !queueing::sets_aside(view) {
        return None;
    }
    let why = routing::one_route(spec.view("routing"), grid).err()?;
    let message = format!(
        "{} needs deterministic routing: it names a congested point by the way there, which has to be the way that \
         packets take, and {why}",
        view.kind()
    );
    let help = "take routing = \"dimension_order\", or another discipline";
    Some(SpecError::at("routing.kind", message).help(help))
}

/// A discipline under a router that has no queues for it.
pub(super) fn unasked(spec: &Resolved) -> Option<SpecError> {
    let view = spec.view("queueing");
    let default = crate::catalogue().section("queueing").and_then(|s| s.default_entry);
    (Some(view.kind()) != default).then(|| {
        let message = format!(
            "`{}` sorts packets into the queues of an input-output-queued switch; here packets wait in virtual channels, in \
             order of arrival",
            view.kind()
        );
        SpecError::at("queueing.kind", message).help("take router.kind = \"input_output_queued\", or leave queueing out")
    })
}

/// Messages that packets do not fill.
pub(crate) fn messages(uneven: Option<u32>, router: &ioq::Router, view: View) -> Option<SpecError> {
    let (flits, packet) = (uneven?, router.packet_flits);
    let message = format!(
        "messages of {flits} flits cannot be cut into packets of {packet} flits ({} bytes of {} each): all packets have the \
         same length, and there would be a shorter one at the end",
        router.packet_bytes,
        view.u32("flit_bytes")
    );
    Some(SpecError::at("traffic.size", message).help(format!("make every length a multiple of {packet} flits")))
}
