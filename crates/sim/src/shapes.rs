//! Points whose network has no grid: built by its family, and checked for what does not go by coordinates.
//!
//! What needs coordinates is refused by name here, so that nobody below asks for a grid that is not there.

use crate::classes;
use crate::deadlock::{self, Freedom, Looked, stand_in};
use crate::fits::{self, Chosen, Own};
use crate::memory::{self, Size};
use crate::prepare::{self, Prepared};
use crate::router::Router;
use crate::types;
use std::sync::atomic::AtomicBool;
use tailback_engine::contract::routing::Routing;
use tailback_engine::cut_through::Links;
use tailback_engine::{adaptive, cut_through, wormhole};
use tailback_mechanisms::{Refusal, admission, arbiter, flow_control, interface, routing, selection};
use tailback_network::family::{self, Built};
use tailback_network::{Network, topology, ways};
use tailback_probes::anatomy::MOST_PORTS;
use tailback_probes::switches;
use tailback_spec::{Point, Resolved, SpecError, View};
use tailback_traffic::Shape;

/// Whether the network of a point has a grid.
pub(crate) fn has_grid(point: &Point) -> bool {
    topology::has_grid(point.resolved.view("topology"))
}

/// Checks a point and builds what it needs, as [`prepare`](crate::prepare()) does.
pub(crate) fn build(point: &Point, router: &Router, cancel: &AtomicBool) -> Result<Prepared, Vec<SpecError>> {
    let view = |section| point.resolved.view(section);
    let mut errors = needs_grid(point);
    errors.extend(fits::packets(&point.resolved, router));
    let built = built(view("topology")).map_err(|error| with(&mut errors, *error))?;
    errors.extend(alone(&built));
    errors.extend(classes::refused(&point.resolved, router));
    errors.extend(types::refused(&point.resolved, router));
    errors.extend(fits::emptied(&point.resolved, router));
    // Each message class is a network by itself. Classes of either kind have ports at each node.
    let (count, whole) = (classes::ports(&point.resolved), router);
    let each = types::of_types(router.of_class(classes::count(&point.resolved)));
    let one = &each[0];
    errors.extend(built.channels.refused(one.channels()));
    let built = with_ports(built, count);
    let own = Own::build(&point.resolved, &built.network, router);
    errors.extend(of_router(point, &built, router, &own));
    errors.extend(too_wide_for_looks(&built, view("probes")));
    let memory_bytes = bytes(&built, router, point);
    errors.extend(too_large(memory_bytes, view("run")));
    if !errors.is_empty() {
        return Err(errors);
    }
    let routings = each.iter().map(|router| routed(view("routing"), &built, router)).collect::<Result<Vec<_>, _>>();
    let routings = routings.map_err(|error| vec![*error])?;
    let routing = routings[0].clone();
    errors.extend(classes::sight(routing.sight(), &point.resolved));
    let of_each = each.iter().zip(&routings).map(|(router, routing)| freedom(point, &built, routing, router, cancel));
    let deadlock_freedom = types::freedom(types::all_free(of_each), whole, |single| {
        let alone = routed(view("routing"), &built, &single).ok()?;
        Some(freedom(point, &built, &alone, &single, cancel))
    });
    if let Err(locks) = &deadlock_freedom
        && !view("run").bool("allow_deadlock")
    {
        errors.push(locked(locks, router));
    }
    // Patterns go by the numbers of nodes alone, as if the nodes stood in a line, unless these stand in a plane.
    let line = || (vec![built.network.nodes() as u32 / count], 1);
    let (radix, nodes_per_router) = family::plane(view("topology")).unwrap_or_else(line);
    let shape = Shape { radix, nodes_per_router };
    let traffic = prepare::traffic_on(point, &shape, router, &mut errors);
    if let (Router::Queued(router), Some(traffic)) = (router, &traffic) {
        errors.extend(fits::queued::messages(traffic.uneven(router.packet_flits), router, view("router")));
    }
    let (Some(traffic), Ok(own), true) = (traffic, own, errors.is_empty()) else { return Err(errors) };
    let network = built.network.clone();
    let of = (&point.resolved, whole, &routing);
    let deadlock_freedom = prepare::protocol_freedom(deadlock_freedom, &network, of, &traffic, cancel)?;
    let first = classes::routed(routing, &point.resolved, whole);
    let routing = types::routed(std::iter::once(first).chain(routings.into_iter().skip(1)).collect(), whole);
    let of_point = prepare::Built { network, traffic, router: *router, routing, deadlock_freedom, memory_bytes };
    Ok(Prepared { own, family: Some(built), ..Prepared::new(point, of_point) })
}

/// The network of a `topology` section, without coordinates: those of a mesh do not say all of its links and nodes here.
fn built(topology: View) -> Result<Built, Box<SpecError>> {
    let built = family::build(topology)?;
    Ok(Built { network: built.network.without_coordinates(), ..built })
}

/// The same with `count` ports in the place of each node.
fn with_ports(built: Built, count: u32) -> Built {
    if count == 1 {
        return built;
    }
    let seats = built.network.seats().multiplied(count);
    Built { network: built.network.clone().with_seats(seats), ..built }
}

/// Packets that can wait for each other for ever, whether the point is refused for them or not.
pub(crate) fn witness(point: &Point, router: &Router, cancel: &AtomicBool) -> Option<deadlock::Witness> {
    let built = built(point.resolved.view("topology")).ok()?;
    let routing = routed(point.resolved.view("routing"), &built, router).ok()?;
    freedom(point, &built, &routing, router, cancel).err()?.witness
}

/// The routing that a section names.
fn routed(view: View, built: &Built, router: &Router) -> Result<routing::Any, Box<SpecError>> {
    let routing = routing::build_any(view, built, router.channels_of_routing())
        .map_err(|refusal| Box::new(fits::refused(refusal)))?;
    fits::sight_of_any(view, routing.sight(), router).map_or(Ok(routing), |error| Err(Box::new(error)))
}

fn freedom(point: &Point, built: &Built, routing: &routing::Any, router: &Router, cancel: &AtomicBool) -> Freedom {
    deadlock::once(&point.resolved, router, cancel, || judge(point, built, routing, router, cancel))
}

fn judge(point: &Point, built: &Built, routing: &routing::Any, router: &Router, cancel: &AtomicBool) -> Freedom {
    let (view, topology) = (point.resolved.view("routing"), point.resolved.view("topology"));
    let claim = match router {
        Router::Queued(_) => routing::freedom_of_any_ports(view, built),
        _ => routing::freedom_of_any(view, built),
    };
    // A network from a file is looked at as a whole: nobody knows another one like it.
    let (listed, large) = (topology.has("path"), built.network.routers() > deadlock::MOST_ROUTERS);
    let small = (large && !listed).then(|| stand_in::of(topology));
    let (on, seen) = match &small {
        None => (String::new(), Some(built)),
        Some(small) => (small.as_ref().map_or(String::new(), |small| stands_for(topology, small)), small.as_ref()),
    };
    let other = seen
        .filter(|_| small.is_some() || routing::is_checked_otherwise(view))
        .and_then(|seen| routing::build_for_check(view, seen, router.channels_of_routing()).ok());
    let routing = if small.is_some() { other.as_ref() } else { Some(other.as_ref().unwrap_or(routing)) };
    let looked = seen.zip(routing).map(|(seen, routing)| Looked {
        spec: &point.resolved,
        network: &seen.network,
        router,
        routing,
        on,
        must: listed && large,
    });
    deadlock::of_any(claim, looked, cancel)
}

fn stands_for(topology: View, small: &Built) -> String {
    format!(
        " (looked at on a smaller {} of {} routers, which stands for this one)",
        topology.kind(),
        small.network.routers()
    )
}

/// The error of a network that can deadlock.
fn locked(locks: &deadlock::Locks, router: &Router) -> SpecError {
    let error = deadlock::refusal(locks, router);
    if !router.is_queued() {
        return error;
    }
    error.help("take queueing = \"voq_net\", or routing = \"up_down\"; run.allow_deadlock = true runs it anyway")
}

/// What the router cannot be, or does not do, in this network.
fn of_router(point: &Point, built: &Built, router: &Router, own: &Result<Own, Refusal>) -> Vec<SpecError> {
    let (spec, network) = (&point.resolved, &built.network);
    let mut errors = fits::data_path(router, Chosen::default());
    errors.extend(fits::arbiter(spec.view("arbiter"), router));
    match router {
        Router::CutThrough(router) => {
            errors.extend(fits::beside_cut_through(spec));
            let inputs = cut_through::port_counts(network.most_ports(), network.most_nodes(), router).0;
            errors.extend(among_too_many(inputs, spec.view("arbiter")));
        }
        Router::Wormhole(_) => errors.extend(fits::beside_wormhole(spec)),
        Router::InputQueued(router) => {
            errors.extend(fits::input_queued::others(spec));
            errors.extend(fits::input_queued::width(network.most_ports(), network.most_nodes() / router.classes));
            let whole = |at| network.ports(at) + (network.nodes_at(at) / router.classes) as usize;
            // A half of a router of a butterfly has as many inputs as outputs, and all halves have as many.
            let ports = |at| network.one_way().map_or_else(|| whole(at), |out| out as usize);
            let mut uneven = (0..network.routers() as u32).map(|at| fits::input_queued::groups(ports(at), router));
            errors.extend(uneven.find(|errors| !errors.is_empty()).unwrap_or_default());
        }
        Router::Adaptive(router) => {
            errors.extend(fits::adaptive_on_any(spec, router, own));
            let inputs = adaptive::port_counts((network.most_ports(), network.most_nodes()), router).0;
            errors.extend(among_too_many(inputs, spec.view("arbiter")));
        }
        Router::Queued(router) => {
            errors.extend(fits::switch_ports(network.most_ports(), network.most_nodes()));
            errors.extend(fits::queued::width(network));
            errors.extend(fits::queued::of_any(spec, network, router, own));
        }
    }
    if !matches!(router, Router::CutThrough(_)) {
        errors.extend(narrow_links(network, spec.view("router")));
    }
    errors.extend(ports(built, router));
    errors.extend(one_way(spec, built));
    errors
}

/// What a network whose links lead one way is refused for: ways other than its own, and routers that take a packet at the router of its
/// destination for one that has arrived.
fn one_way(spec: &Resolved, built: &Built) -> Vec<SpecError> {
    let refused = |section: &str, only: &str| {
        let view = spec.view(section);
        let kind = || {
            format!(
                "a {} has links that lead one way, and takes {section}.kind = \"{only}\" only",
                spec.view("topology").kind()
            )
        };
        (view.kind() != only).then(|| SpecError::at(format!("{section}.kind"), kind()))
    };
    let both = [("router", "input_queued"), ("routing", routing::WITHOUT_GRID)];
    both.into_iter().filter(|_| built.one_way).filter_map(|(section, only)| refused(section, only)).collect()
}

/// Links that carry less than a flit per cycle, which only cut-through routers send over.
fn narrow_links(network: &Network, router: View) -> Option<SpecError> {
    let mut links =
        (0..network.routers() as u32).flat_map(|router| network.links_of(router).map(move |link| (router, link)));
    let (from, (_, link)) = links.find(|(_, (_, link))| link.period > 1)?;
    let message = format!(
        "the link from router {from} to router {} carries a flit every {} cycles, and router.kind = \"{}\" sends a flit in every cycle",
        link.to.router,
        link.period,
        router.kind()
    );
    let help = "take router.kind = \"cut_through\", or give all links the width of a flit per cycle";
    Some(SpecError::at("topology", message).help(help))
}

fn with(errors: &mut Vec<SpecError>, error: SpecError) -> Vec<SpecError> {
    errors.push(error);
    std::mem::take(errors)
}

/// What goes by coordinates, each at its place.
fn needs_grid(point: &Point) -> Vec<SpecError> {
    let view = |section| point.resolved.view(section);
    let of = family::without_coordinates(view("topology"));
    let mut errors = Vec::new();
    let mut refuse = |path: String, what: String, help: &str| {
        let message = format!("{what} goes by the coordinates of a grid, and {of}");
        errors.push(SpecError::at(path, message).help(help));
    };
    if !admission::is_off(view("admission")) {
        refuse("admission".into(), format!("admission \"{}\"", view("admission").kind()), "set admission to \"off\"");
    }
    errors_of_dimensions(point, &mut refuse);
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
    let in_plane = family::plane(view("topology")).is_some();
    for (path, pattern) in tailback_traffic::patterns(view("traffic"), view("workload")) {
        if !in_plane && tailback_traffic::pattern::needs_grid(pattern.kind()) {
            let help = "take a pattern by numbers of nodes: uniform, adversarial, shift, random_permutation, permutation, bcmp, brev, shfl or \
                 hot_spot";
            refuse(path, format!("pattern {}", pattern.kind()), help);
        }
    }
    errors
}

/// Choices that go dimension by dimension.
fn errors_of_dimensions(point: &Point, refuse: &mut impl FnMut(String, String, &str)) {
    let view = |section| point.resolved.view(section);
    let (router, selection) = (view("router"), view("selection").kind());
    let chooses = matches!(router.kind(), "wormhole" | "adaptive_cut_through");
    if chooses && selection::goes_by_dimension(view("selection")) {
        let help = "take selection = \"first\", \"random\" or \"most_credits\"";
        refuse("selection.kind".into(), format!("selection \"{selection}\""), help);
    }
    if router.has("turn_cycles") && router.u32("turn_cycles") > 0 {
        refuse("router.turn_cycles".into(), "the time of a turn".into(), "set router.turn_cycles = 0");
    }
    if router.has("requests") && matches!(router.text("requests"), "in_turn" | "smart" | "stay") {
        let help = "set router.requests to \"parallel\", \"random\", \"shortest\" or \"shortest_flits\"";
        refuse("router.requests".into(), format!("router.requests = \"{}\"", router.text("requests")), help);
    }
    if router.kind() != "adaptive_cut_through" {
        return;
    }
    if flow_control::watches_own_queue(view("flow_control")) {
        let help = "take flow_control = \"virtual_cut_through\"";
        refuse("flow_control.kind".into(), "bubble flow control, which keeps room in rings,".into(), help);
    }
    if interface::by_direction(view("interface")) {
        let help = "take interface = \"sh\", \"random\" or \"round_robin\"";
        refuse("interface.kind".into(), format!("interface \"{}\"", view("interface").kind()), help);
    }
}

/// A network with nobody to send to.
fn alone(built: &Built) -> Option<SpecError> {
    (built.network.nodes() == 1).then(|| {
        SpecError::at("topology", "the network has one node, and nobody that it could send to")
            .help("give it two nodes or more")
    })
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
fn among_too_many(inputs: usize, arbiter: View) -> Option<SpecError> {
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
fn ports(built: &Built, router: &Router) -> Vec<SpecError> {
    let (links, nodes) = (built.network.most_ports(), built.network.most_nodes());
    let channels = router.channels();
    let (counts, most, limits) = match router {
        Router::CutThrough(router) => {
            let limits = (cut_through::MAX_INPUTS, cut_through::MAX_OUTPUTS);
            (cut_through::port_counts(links, nodes, router), cut_through::MAX_LINKS, limits)
        }
        Router::Wormhole(router) => {
            let counts = wormhole::port_counts((links, nodes), router, channels as usize);
            (counts, wormhole::MAX_LINKS, (wormhole::MAX_PORTS, wormhole::MAX_PORTS))
        }
        Router::Adaptive(router) => {
            let limits = (adaptive::MAX_INPUTS, adaptive::MAX_OUTPUTS);
            (adaptive::port_counts((links, nodes), router), adaptive::MAX_LINKS, limits)
        }
        // Their ports are counted together.
        Router::Queued(_) | Router::InputQueued(_) => return Vec::new(),
    };
    let mut errors = Vec::new();
    if links > most {
        let message = format!("a router would have {links} links to others, and at most {most} are supported");
        errors.push(SpecError::at("topology", message).help("take a network of narrower routers"));
    }
    let most_nodes = if matches!(router, Router::CutThrough(_)) { cut_through::MAX_NODES } else { limits.0 };
    if nodes as usize > most_nodes {
        let message = format!("a router would have {nodes} nodes, and at most {most_nodes} are supported");
        errors.push(SpecError::at("topology.nodes_per_router", message).help("take fewer nodes per router"));
    }
    let each = match router.injection_inputs() {
        1 => String::new(),
        inputs => format!(" x {inputs}"),
    };
    let inputs = format!("{links} ports x {channels} virtual channels + {nodes} nodes{each}");
    let help = ["take fewer channels, links or nodes", "take fewer ejection channels or nodes"];
    errors.extend(fits::masks(counts, limits, (&inputs, "outputs"), help));
    errors
}

/// Bytes that a run may come to use. Every router is as large as the largest.
fn bytes(built: &Built, router: &Router, point: &Point) -> u64 {
    let network = &built.network;
    let size = Size {
        routers: network.routers() as u64,
        nodes: network.routers() as u64 * u64::from(network.most_nodes()),
        dimensions: network.most_ports().div_ceil(2) as u64,
        shortest: fits::shortest_packet(&point.resolved),
        link_cycles: network.delays().1,
        links: Links::Listed,
        occupancy: false,
        lane_flits: 0,
    };
    // An entry of the table of ways, and a place of the links.
    let tables = ways::pairs(network).saturating_mul(9).saturating_add(network.slots() as u64 * 20);
    let routes = routing::bytes(point.resolved.view("routing"), network.routers() as u64);
    let switches = match router {
        Router::Queued(router) => fits::queued::bytes_on(&point.resolved, network, router),
        _ => 0,
    };
    memory::bytes(size, router).saturating_add(switches).saturating_add(tables).saturating_add(routes)
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
