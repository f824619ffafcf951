//! Points whose network has no grid: built by its family, and checked for what does not go by coordinates.
//!
//! Such networks run under cut-through. What needs coordinates, or another data path, is refused by name here, so that nobody below
//! asks for a grid that is not there.

use crate::deadlock::{self, Freedom};
use crate::fits;
use crate::memory::{self, Size};
use crate::prepare::{self, Prepared};
use crate::router::Router;
use std::sync::atomic::AtomicBool;
use tailback_engine::cut_through;
use tailback_mechanisms::{admission, arbiter, routing};
use tailback_network::family::{self, Built};
use tailback_network::{topology, ways};
use tailback_probes::anatomy::MOST_PORTS;
use tailback_probes::switches;
use tailback_spec::{Point, SpecError, View};
use tailback_traffic::Shape;

/// Whether the network of a point has a grid.
pub(crate) fn has_grid(point: &Point) -> bool {
    topology::has_grid(point.resolved.view("topology"))
}

/// Checks a point and builds what it needs, as [`prepare`](crate::prepare()) does.
pub(crate) fn build(point: &Point, router: &Router, cancel: &AtomicBool) -> Result<Prepared, Vec<SpecError>> {
    let view = |section| point.resolved.view(section);
    let cut_through = match router {
        Router::CutThrough(cut_through) => cut_through,
        _ => return Err(vec![of_other_router(view("router"), view("topology"))]),
    };
    let mut errors = needs_grid(point);
    errors.extend(fits::packets(view("traffic"), router));
    errors.extend(fits::beside_cut_through(&point.resolved));
    let built = family::build(view("topology")).map_err(|error| with(&mut errors, *error))?;
    errors.extend(alone(&built));
    errors.extend(widths(&built));
    errors.extend(ports(&built, cut_through));
    errors.extend(built.channels.refused(router.channels()));
    errors.extend(among_too_many(&built, cut_through, view("arbiter")));
    errors.extend(too_wide_for_looks(&built, view("probes")));
    let memory_bytes = bytes(&built, router, point);
    errors.extend(too_large(memory_bytes, view("run")));
    if !errors.is_empty() {
        return Err(errors);
    }
    let routing = routing::build_any(view("routing"), &built, router.channels());
    let routing = routing.map_err(|refusal| vec![fits::refused(refusal)])?;
    let deadlock_freedom = freedom(point, &built, &routing, router, cancel);
    if let Err(locks) = &deadlock_freedom
        && !view("run").bool("allow_deadlock")
    {
        errors.push(deadlock::refusal(locks, router));
    }
    // Patterns go by the numbers of nodes alone, as if the nodes stood in a line.
    let shape = Shape { radix: vec![built.network.nodes() as u32], nodes_per_router: 1 };
    let traffic = prepare::traffic_on(point, &shape, &mut errors);
    let (Some(traffic), true) = (traffic, errors.is_empty()) else { return Err(errors) };
    let network = built.network.clone();
    let of_point = prepare::Built { network, traffic, router: *router, routing, deadlock_freedom, memory_bytes };
    Ok(Prepared { family: Some(built), ..Prepared::new(point, of_point) })
}

/// Packets that can wait for each other for ever, whether the point is refused for them or not.
pub(crate) fn witness(point: &Point, router: &Router, cancel: &AtomicBool) -> Option<deadlock::Witness> {
    let built = family::build(point.resolved.view("topology")).ok()?;
    let routing = routing::build_any(point.resolved.view("routing"), &built, router.channels()).ok()?;
    freedom(point, &built, &routing, router, cancel).err()?.witness
}

fn freedom(point: &Point, built: &Built, routing: &routing::Any, router: &Router, cancel: &AtomicBool) -> Freedom {
    let view = point.resolved.view("routing");
    let claim = routing::freedom_of_any(view, built);
    let checked = routing::is_checked_otherwise(view)
        .then(|| routing::build_for_check(view, built, router.channels()).expect("it was built for the run"));
    deadlock::of_any(claim, &built.network, checked.as_ref().unwrap_or(routing), router.channels(), cancel)
}

fn with(errors: &mut Vec<SpecError>, error: SpecError) -> Vec<SpecError> {
    errors.push(error);
    std::mem::take(errors)
}

fn of_other_router(router: View, topology: View) -> SpecError {
    let message = format!(
        "a network of kind \"{}\" has no grid, and router.kind = \"{}\" simulates tori and meshes only so far",
        topology.kind(),
        router.kind()
    );
    SpecError::at("router.kind", message).help("take router.kind = \"cut_through\"")
}

/// What goes by coordinates, each at its place.
fn needs_grid(point: &Point) -> Vec<SpecError> {
    let view = |section| point.resolved.view(section);
    let kind = view("topology").kind().to_owned();
    let mut errors = Vec::new();
    let mut refuse = |path: String, what: String, help: &str| {
        let message = format!("{what} goes by the coordinates of a grid, and a {kind} has none");
        errors.push(SpecError::at(path, message).help(help));
    };
    if !admission::is_off(view("admission")) {
        refuse("admission".into(), format!("admission \"{}\"", view("admission").kind()), "set admission to \"off\"");
    }
    if view("recovery").has("lane_flits") {
        refuse("recovery".into(), "a recovery lane".into(), "set recovery = \"off\"");
    }
    let probes = switches();
    let others: Vec<&str> = probes.iter().filter(|probe| !probe.needs_grid).map(|probe| probe.param.name).collect();
    let help = format!("leave it out; probes that need no grid: {}", others.join(", "));
    for probe in probes.iter().filter(|probe| probe.needs_grid && probe.is_asked(view("probes"))) {
        let name = probe.param.name;
        refuse(format!("probes.{name}"), format!("probe {name}"), &help);
    }
    for (path, pattern) in tailback_traffic::patterns(view("traffic"), view("workload")) {
        if tailback_traffic::pattern::needs_grid(pattern.kind()) {
            let help = "take a pattern by numbers of nodes: uniform, adversarial, shift, random_permutation, permutation, bcmp, brev, shfl or \
                 hot_spot";
            refuse(path, format!("pattern {}", pattern.kind()), help);
        }
    }
    errors
}

/// A network with nobody to send to.
fn alone(built: &Built) -> Option<SpecError> {
    (built.network.nodes() == 1).then(|| {
        SpecError::at("topology", "the network has one node, and nobody that it could send to")
            .help("give it two nodes or more")
    })
}

/// Links that carry less than a flit per cycle.
fn widths(built: &Built) -> Option<SpecError> {
    let network = &built.network;
    let mut links =
        (0..network.routers() as u32).flat_map(|router| network.links_of(router).map(move |link| (router, link)));
    let (router, (_, link)) = links.find(|(_, (_, link))| link.period > 1)?;
    let message = format!(
        "the link from router {router} to router {} carries a flit every {} cycles, and links that carry less than one flit per \
         cycle are not simulated yet",
        link.to.router, link.period
    );
    Some(SpecError::at("topology", message).help("give all links one width"))
}

/// A look of the anatomy has a bit for each port of a router.
fn too_wide_for_looks(built: &Built, probes: View) -> Option<SpecError> {
    let ports = built.network.most_ports() + built.network.most_nodes() as usize;
    let asked = probes.u64("anatomy_every_cycles") > 0;
    (asked && ports > MOST_PORTS).then(|| {
        let message = format!(
            "a router has {ports} ports, those of its nodes included, and the anatomy tells {MOST_PORTS} apart at most"
        );
        SpecError::at("probes.anatomy_every_cycles", message).help("leave it out, or take fewer nodes per router")
    })
}

/// An arbiter that cannot choose among so many inputs.
fn among_too_many(built: &Built, router: &cut_through::Router, arbiter: View) -> Option<SpecError> {
    let (inputs, _) = cut_through::port_counts(built.network.most_ports(), built.network.most_nodes(), router);
    let most = arbiter::most_inputs(arbiter);
    (inputs > most).then(|| {
        let kind = arbiter.kind();
        let message = format!(
            "a router would have {inputs} inputs, and an arbiter of kind \"{kind}\" chooses among {most} at most"
        );
        SpecError::at("arbiter.kind", message).help("take arbiter = \"round_robin\", or a network of narrower routers")
    })
}

/// Routers that are too wide.
fn ports(built: &Built, router: &cut_through::Router) -> Vec<SpecError> {
    let (links, nodes) = (built.network.most_ports(), built.network.most_nodes());
    let counts = cut_through::port_counts(links, nodes, router);
    let mut errors = Vec::new();
    if links > cut_through::MAX_LINKS {
        let message = format!(
            "a router would have {links} links to others, and at most {} are supported",
            cut_through::MAX_LINKS
        );
        errors.push(SpecError::at("topology", message).help("take a network of narrower routers"));
    }
    if nodes as usize > cut_through::MAX_NODES {
        let message =
            format!("a router would have {nodes} nodes, and at most {} are supported", cut_through::MAX_NODES);
        errors.push(SpecError::at("topology.nodes_per_router", message).help("take fewer nodes per router"));
    }
    let inputs = format!("{links} ports x {} virtual channels + {nodes} nodes", router.channels);
    let help = ["take fewer channels, links or nodes", "take fewer ejection channels or nodes"];
    errors.extend(fits::masks(counts, (cut_through::MAX_INPUTS, cut_through::MAX_OUTPUTS), (&inputs, "outputs"), help));
    errors
}

/// Bytes that a run may come to use. Every router is as large as the largest.
fn bytes(built: &Built, router: &Router, point: &Point) -> u64 {
    let network = &built.network;
    let size = Size {
        routers: network.routers() as u64,
        nodes: network.routers() as u64 * u64::from(network.most_nodes()),
        dimensions: network.most_ports().div_ceil(2) as u64,
        shortest: fits::shortest_packet(point.resolved.view("traffic").sub("size")),
        link_cycles: network.delays().1,
        occupancy: false,
        lane_flits: 0,
    };
    // An entry of the table of ways, and a place of the links.
    let tables = ways::pairs(network).saturating_mul(8).saturating_add(network.slots() as u64 * 20);
    let routes = routing::bytes(point.resolved.view("routing"), network.routers() as u64);
    memory::bytes(size, router).saturating_add(tables).saturating_add(routes)
}

fn too_large(bytes: u64, run: View) -> Option<SpecError> {
    let limit = fits::memory_limit(run);
    (bytes > limit).then(|| {
        let (needs, limit) = (memory::readable(bytes), memory::readable(limit));
        let message = format!("this network may need {needs} of memory, and the limit is {limit}");
        SpecError::at("topology", message)
            .help("take a smaller network or smaller buffers, or raise run.memory_limit_mib")
    })
}
