//! From a point to a network that can run, or to the reasons why it cannot.

use crate::catalogue::catalogue;
use crate::memory;
use std::sync::Arc;
use tailback_engine::cut_through::{self, Parts, Router};
use tailback_mechanisms::routing::dimension_order::DimensionOrder;
use tailback_mechanisms::{Bundle, admission, arbiter, flow_control, routing};
use tailback_network::{Grid, topology};
use tailback_spec::{Errors, Point, SpecError, View};
use tailback_traffic::{Shape, Traffic};

/// A checked point with its network and traffic built, ready to run any number of times.
pub struct Prepared {
    pub(crate) point: Point,
    pub(crate) grid: Arc<Grid>,
    pub(crate) traffic: Traffic,
    pub(crate) router: Router,
    pub(crate) routing: routing::Any,
    pub(crate) memory_bytes: u64,
}

/// Checks that a point can exist and builds what it needs.
///
/// # Errors
/// Every physical reason against it, placed at the lines of the spec.
pub fn prepare(point: &Point) -> Result<Prepared, Errors> {
    let resolved = &point.resolved;
    build(point).map_err(|errors| resolved.errors(errors).expect("a refusal has a reason"))
}

fn build(point: &Point) -> Result<Prepared, Vec<SpecError>> {
    let resolved = &point.resolved;
    let router = router(resolved.view("router"), point.seed);
    let memory_bytes = size_fits(point, &router)?;
    let grid = Arc::new(topology::build(resolved.view("topology")));
    let mut errors = Vec::new();
    errors.extend(ports_fit(&grid, &router));
    errors.extend(probes_fit(resolved.view("probes"), &grid));
    errors.extend(admission_fits(resolved.view("admission"), &router));
    let routing = routing(point, &grid, router.channels).map_err(|e| errors.push(*e)).ok();
    let shape = Shape { radix: grid.radix().to_vec(), nodes_per_router: grid.nodes_per_router() };
    let traffic = Traffic::build(resolved.view("traffic"), resolved.view("workload"), &shape, point.seed);
    match (traffic, routing) {
        (Ok(traffic), Some(routing)) => {
            errors.extend(packets_fit(&traffic, &router));
            if errors.is_empty() {
                return Ok(Prepared { point: point.clone(), grid, traffic, router, routing, memory_bytes });
            }
        }
        (Ok(traffic), None) => errors.extend(packets_fit(&traffic, &router)),
        (Err(problems), _) => errors.extend(problems.into_iter().map(|(path, message, help)| {
            let error = SpecError::at(path, message);
            match help {
                Some(help) => error.help(help),
                None => error,
            }
        })),
    }
    Err(errors)
}

fn router(view: View, seed: u64) -> Router {
    Router {
        channels: view.u32("virtual_channels"),
        buffer_flits: view.u32("buffer_flits"),
        header_cycles: view.u32("header_cycles"),
        credit_cycles: view.u32("credit_cycles"),
        ejection_channels: view.finite("ejection_channels").map(|v| v as u32),
        source_queue_packets: view.finite("source_queue_packets").map(|v| v as u32),
        seed,
    }
}

/// Refuses sizes that ids or memory cannot hold, before anything is allocated.
fn size_fits(point: &Point, router: &Router) -> Result<u64, Vec<SpecError>> {
    let topology = point.resolved.view("topology");
    let (routers, nodes) = topology::node_count(topology);
    let shortest = shortest_packet(point.resolved.view("traffic").sub("size"));
    let probes = point.resolved.view("probes");
    let occupancy = point.resolved.view("admission").kind() != "off"
        || probes.u64("occupancy_every_cycles") > 0
        || probes.u64("space_time_cycles") > 0;
    let dimensions = topology.integers("radix").len() as u64;
    let bytes = memory::bytes(memory::Size { routers, nodes, dimensions, shortest, occupancy }, router);
    let needs = memory::readable(bytes);
    if nodes > topology::MAX_NODES {
        let message = format!(
            "{routers} routers with {nodes} nodes are more than ids can name ({}); they would need {needs} of memory",
            topology::MAX_NODES
        );
        return Err(vec![SpecError::at("topology.radix", message).help("take smaller radices or fewer dimensions")]);
    }
    let limit = match point.resolved.view("run").finite("memory_limit_mib") {
        Some(mib) => mib.saturating_mul(1 << 20),
        None => memory::of_machine().map_or(16 << 30, |total| total / 4 * 3),
    };
    if bytes > limit {
        let message = format!(
            "{routers} routers with these buffers may need {needs} of memory, and the limit is {}",
            memory::readable(limit)
        );
        let help = "take smaller radices or buffers, or raise run.memory_limit_mib on a larger machine";
        return Err(vec![SpecError::at("topology.radix", message).help(help)]);
    }
    Ok(bytes)
}

/// The shortest packet that a `traffic.size` can make, 1 where it cannot be told.
fn shortest_packet(size: View) -> u64 {
    let least = match size.kind() {
        "fixed" => size.table().get("flits").and_then(toml::Value::as_integer),
        "bimodal" => {
            let value = |key: &str| size.table().get(key).and_then(toml::Value::as_integer);
            value("short_flits").min(value("long_flits"))
        }
        _ => None,
    };
    least.map_or(1, |v| v.max(1) as u64)
}

fn ports_fit(grid: &Grid, router: &Router) -> Vec<SpecError> {
    let (inputs, outputs) = cut_through::port_counts(grid, router);
    let limit = cut_through::MAX_PORTS;
    let mut errors = Vec::new();
    if inputs > limit {
        let message = format!(
            "a router would have {inputs} inputs ({} ports x {} virtual channels + {} nodes), and at most {limit} are \
             supported",
            grid.ports(),
            router.channels,
            grid.nodes_per_router()
        );
        errors.push(SpecError::at("router.virtual_channels", message).help("take fewer channels, dimensions or nodes"));
    }
    if outputs > limit {
        let message = format!("a router would have {outputs} outputs, and at most {limit} are supported");
        errors.push(SpecError::at("router.ejection_channels", message).help("take fewer ejection channels"));
    }
    errors
}

fn packets_fit(traffic: &Traffic, router: &Router) -> Option<SpecError> {
    let longest = traffic.max_flits();
    (longest > router.buffer_flits).then(|| {
        let message = format!(
            "a packet of {longest} flits never fits a buffer of {}: under cut-through a packet moves on only when the \
             next buffer has room for all of it",
            router.buffer_flits
        );
        let help = format!("set router.buffer_flits to {longest} or more, or shorten the packets");
        SpecError::at("router.buffer_flits", message).help(help)
    })
}

fn routing(point: &Point, grid: &Arc<Grid>, channels: u32) -> Result<routing::Any, Box<SpecError>> {
    let view = point.resolved.view("routing");
    if !grid.wrap().contains(&true) && matches!(view.text("datelines"), "one" | "two") {
        let message = "a mesh has no rings, so there is nothing for a dateline to cut";
        return Err(Box::new(
            SpecError::at("routing.datelines", message).help("take \"auto\" or \"none\", or a torus"),
        ));
    }
    let built =
        routing::build(view, grid, channels).map_err(|r| Box::new(SpecError::at(r.path, r.message).help(r.help)))?;
    if DimensionOrder::may_deadlock(view, grid) && !point.resolved.view("run").bool("allow_deadlock") {
        let message = "dimension-order routing without datelines deadlocks on rings of four or more routers: the \
                       wrap-around links close a cycle of packets that wait for each other";
        let help = "use datelines = \"one\" or \"two\" with enough virtual channels, or a mesh; run.allow_deadlock = \
                    true runs it all the same";
        return Err(Box::new(SpecError::at("routing.datelines", message).help(help)));
    }
    Ok(built)
}

fn probes_fit(view: View, grid: &Grid) -> Vec<SpecError> {
    let mut errors = Vec::new();
    let places = [("space_time_row", 1), ("space_time_column", 0)];
    for (name, dimension) in places {
        let (Some(place), Some(&k)) = (view.finite(name), grid.radix().get(dimension)) else { continue };
        if place >= u64::from(k) {
            let message =
                format!("there are {k} routers in that dimension, numbered from 0; {place} is not one of them");
            errors.push(SpecError::at(format!("probes.{name}"), message).help(format!("take 0 to {}", k - 1)));
        }
    }
    let cells: u64 =
        grid.radix().iter().take(2).map(|&k| 2 * u64::from(k)).sum::<u64>() * view.u64("space_time_cycles");
    if cells > 1 << 28 {
        let message = format!("the space-time charts would have {cells} cells, and at most {} are kept", 1 << 28);
        errors.push(SpecError::at("probes.space_time_cycles", message).help("record fewer cycles"));
    }
    errors
}

fn admission_fits(view: View, router: &Router) -> Option<SpecError> {
    if view.kind() != "spth" {
        return None;
    }
    let margin = view.u32("margin_flits");
    let always = if view.bool("inclusive") { margin >= router.buffer_flits } else { margin > router.buffer_flits };
    always.then(|| {
        let message = format!(
            "with a margin of {margin} flits a buffer of {} is busy even when it is empty: nothing would ever be injected",
            router.buffer_flits
        );
        SpecError::at("admission.margin_flits", message).help(format!("take less than {}", router.buffer_flits))
    })
}

impl Prepared {
    /// The point.
    pub fn point(&self) -> &Point {
        &self.point
    }

    /// The network's tables.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    pub(crate) fn view(&self, section: &str) -> View<'_> {
        self.point.resolved.view(section)
    }

    /// The mechanisms, in their state at cycle 0.
    pub(crate) fn parts(&self) -> Parts<Bundle> {
        let Router { channels, buffer_flits, seed, .. } = self.router;
        Parts {
            routing: self.routing.clone(),
            arbiter: arbiter::build(self.view("arbiter"), seed),
            flow_control: flow_control::build(self.view("flow_control")),
            admission: admission::build(self.view("admission"), &self.grid, channels, buffer_flits),
        }
    }

    /// Whether the point uses a mechanism that no hardware could build.
    pub(crate) fn is_ideal(&self) -> bool {
        catalogue().sections.iter().any(|section| {
            let table = self.point.resolved.get(section.path).and_then(toml::Value::as_table);
            let kind = table.and_then(|t| t.get("kind")).and_then(toml::Value::as_str);
            kind.and_then(|k| section.entry(k)).is_some_and(|e| e.ideal)
        })
    }
}
