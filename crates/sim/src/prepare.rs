//! From a point to a network that can run, or to the reasons why it cannot.

use crate::catalogue::catalogue;
use crate::changes::{self, Guard};
use crate::classes;
use crate::deadlock;
use crate::fits::{self, Chosen, Own};
use crate::router::Router;
use crate::shapes;
use crate::types;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tailback_base::rng::{self, Purpose};
use tailback_engine::contract::recovery::Recovery;
use tailback_engine::contract::routing::Routing;
use tailback_engine::{adaptive, cut_through, input_queued, ioq, wormhole};
use tailback_mechanisms::admission::Site;
use tailback_mechanisms::admission::local_rule::DecideLocally;
use tailback_mechanisms::admission::rule::Decide;
use tailback_mechanisms::{Bundle, Refusal, admission, arbiter, flow_control, queueing, recovery, routing, selection};
use tailback_network::{Grid, Network, family, topology};
use tailback_spec::{Errors, Point, Resolved, SpecError, View};
use tailback_traffic::pattern::Table;
use tailback_traffic::{Course, Shape, Traffic, course, message_flits};

/// A checked point with its network and traffic built, ready to run any number of times.
pub struct Prepared {
    pub(crate) point: Point,
    pub(crate) network: Network,
    pub(crate) traffic: Traffic,
    pub(crate) router: Router,
    pub(crate) routing: routing::Any,
    /// What only its data path has.
    pub(crate) own: Own,
    /// The recovery of a grid.
    pub(crate) recovery: Option<recovery::Any>,
    /// What the family of a network without a grid says of it.
    pub(crate) family: Option<family::Built>,
    /// Why packets cannot wait for each other for ever, or why they can.
    pub(crate) deadlock_freedom: deadlock::Freedom,
    /// Whether packets get out of every deadlock.
    pub(crate) recovers: bool,
    /// Whether there is a recovery lane.
    pub(crate) lane: bool,
    pub(crate) memory_bytes: u64,
    /// What decides on admission instead of what the spec says.
    pub(crate) rule: Option<admission::Any>,
    /// Whether destinations come from outside instead of from the spec.
    pub(crate) has_table: bool,
    /// Whether a run of a program is followed by the search for its critical path, whatever the spec says.
    pub(crate) explains: bool,
    /// The section `admission` that takes the place of the spec's, where that has changed on the way.
    pub(crate) throttle: Option<toml::Table>,
    /// The admissions that follow on the way.
    pub(crate) guards: Vec<Guard>,
    /// Digests of the checkpoints that the run was forked from, with their cycles.
    pub(crate) forks: Vec<(String, u64)>,
    /// Identity of the spec; that of the point is another one where it was forked.
    pub(crate) spec_id: String,
}

/// Checks that a point can exist and builds what it needs.
///
/// # Errors
/// Every physical reason against it, placed at the lines of the spec.
pub fn prepare(point: &Point) -> Result<Prepared, Errors> {
    prepare_unless(point, &AtomicBool::new(false)).expect("nobody cancels it")
}

/// Prepares a point, as [`prepare`] does. Returns `None` soon after `cancel` is set.
pub fn prepare_unless(point: &Point, cancel: &AtomicBool) -> Option<Result<Prepared, Errors>> {
    let built = build(point, cancel).and_then(|prepared| with_guards(prepared, cancel));
    let cancelled = cancel.load(Ordering::Relaxed);
    (!cancelled).then(|| built.map_err(|errors| point.resolved.errors(errors).expect("a refusal has a reason")))
}

/// Packets of a point that can wait for each other for ever, whether it is refused for them or not. `None` where there are none,
/// or where nobody can say.
/// Nor once `cancel` was set.
pub fn witness(point: &Point, cancel: &AtomicBool) -> Option<deadlock::Witness> {
    let router = Router::new(&point.resolved, point.seed);
    if !shapes::has_grid(point) {
        return shapes::witness(point, &router, cancel);
    }
    fits::size(point, &router).ok()?;
    let grid = Arc::new(topology::build(point.resolved.view("topology")));
    judge(&point.resolved, &grid, &router, cancel).deadlock_freedom.err()?.witness
}

/// Parameters of which no value that its declaration allows makes a point impossible, or possible, and on which the length of no run
/// depends: points that differ in them alone are checked once. Loads count among them unless [`minds_load`].
pub const ALIKE: [&str; 2] = ["run.seed", "traffic.load"];

/// Whether a point may be refused for its load.
pub fn minds_load(point: &Point) -> bool {
    tailback_traffic::refuses_loads(point.resolved.view("traffic"))
}

/// A point with the admissions that follow on the way, each of which has to be possible.
fn with_guards(prepared: Prepared, cancel: &AtomicBool) -> Result<Prepared, Vec<SpecError>> {
    let guards = changes::guards(&prepared.point)?;
    for guard in &guards {
        build(&changes::guarded_by(&prepared.point, &guard.table), cancel).map_err(|errors| guard.refused(errors))?;
    }
    Ok(Prepared { guards, ..prepared })
}

fn build(point: &Point, cancel: &AtomicBool) -> Result<Prepared, Vec<SpecError>> {
    let resolved = &point.resolved;
    let router = Router::new(resolved, point.seed);
    if !shapes::has_grid(point) {
        return shapes::build(point, &router, cancel);
    }
    let memory_bytes = fits::size(point, &router).map_err(|refusal| beside_size(point, &router, *refusal, cancel))?;
    let grid = Arc::new(with_ports(topology::build(resolved.view("topology")), resolved));
    let Judged { routing, others, own, recovery, chosen, recovers, deadlock_freedom, mut errors } =
        judge(resolved, &grid, &router, cancel);
    errors.extend(fits::admission(resolved, &grid, &router, chosen, &own));
    let traffic = traffic(point, &grid, &router, &mut errors);
    let (Some(traffic), Some(routing), Ok(own), true) = (traffic, routing, own, errors.is_empty()) else {
        return Err(errors);
    };
    let network = Network::from(Arc::clone(&grid));
    let deadlock_freedom =
        protocol_freedom(deadlock_freedom, &network, (resolved, &router, &routing), &traffic, cancel)?;
    let first = classes::routed(routing, resolved, &router);
    let routing = types::routed(std::iter::once(first).chain(others).collect(), &router);
    let built = Built { network, traffic, router, routing, deadlock_freedom, memory_bytes };
    Ok(Prepared { own, recovery: Some(recovery), recovers, lane: chosen.lane, ..Prepared::new(point, built) })
}

/// A node of `grid` has a port for each class, which is a node from here on.
pub(crate) fn with_ports(grid: Grid, spec: &Resolved) -> Grid {
    match classes::ports(spec) {
        1 => grid,
        classes => Grid::new(grid.radix(), grid.wrap(), grid.nodes_per_router() * classes, grid.link_cycles()),
    }
}

/// The freedom of a network with its program, or the refusal of what may lock and is not allowed to.
pub(crate) fn protocol_freedom(
    freedom: deadlock::Freedom,
    network: &Network,
    of: (&Resolved, &Router, &routing::Any),
    traffic: &Traffic,
    cancel: &AtomicBool,
) -> Result<deadlock::Freedom, Vec<SpecError>> {
    let (was_free, freedom) = (freedom.is_ok(), classes::freedom(freedom, network, of, traffic, cancel));
    match &freedom {
        Err(locks) if was_free && !of.0.view("run").bool("allow_deadlock") => Err(vec![deadlock::refusal(locks, of.1)]),
        _ => Ok(freedom),
    }
}

/// What every point is built of.
pub(crate) struct Built {
    pub network: Network,
    pub traffic: Traffic,
    pub router: Router,
    pub routing: routing::Any,
    pub deadlock_freedom: deadlock::Freedom,
    pub memory_bytes: u64,
}

/// What there is to say of a network but its size and traffic.
struct Judged {
    /// `None` where it is refused.
    routing: Option<routing::Any>,
    /// Those of types of packets with more channels.
    others: Vec<routing::Any>,
    own: Result<Own, Refusal>,
    recovery: recovery::Any,
    chosen: Chosen,
    recovers: bool,
    deadlock_freedom: deadlock::Freedom,
    errors: Vec<SpecError>,
}

fn judge(resolved: &Resolved, grid: &Arc<Grid>, router: &Router, cancel: &AtomicBool) -> Judged {
    let recovery = recovery::build(resolved.view("recovery"), grid);
    let (own, lane) = (Own::build(resolved, &grid.clone().into(), router), recovery.lane_flits() > 0);
    let mut errors = fits::ports(grid, router, Chosen { lane, ..Chosen::default() });
    errors.extend(fits::probes(resolved.view("probes"), &resolved.view("topology").u32s("radix")));
    errors.extend(classes::refused(resolved, router));
    errors.extend(types::refused(resolved, router));
    errors.extend(fits::emptied(resolved, router));
    // Each class is a network by itself, and so is each type.
    let each = types::of_types(router.of_class(classes::count(resolved)));
    let one = each[0];
    let others = others(resolved, grid, &each[1..], &mut errors);
    let routing = routing(resolved.view("routing"), grid, &one).map_err(|e| errors.push(*e)).ok();
    let chosen = Chosen { adaptive: routing.as_ref().is_some_and(Routing::is_adaptive), lane };
    errors.extend(fits::data_path(router, chosen));
    errors.extend(routing.as_ref().and_then(|routing| fits::sight(resolved.view("routing"), routing.sight(), router)));
    errors.extend(routing.as_ref().and_then(|routing| classes::sight(routing.sight(), resolved)));
    errors.extend(fits::arbiter(resolved.view("arbiter"), router));
    errors.extend(fits::whole_packets(resolved, grid, router, &own));
    errors.extend(fits::packets(resolved, router));
    errors.extend(fits::lane(resolved.view("routing"), chosen));
    let suspect = deadlock::Suspect { spec: resolved, grid, router: &one, routing: routing.as_ref(), cancel };
    let of_others = each[1..].iter().zip(&others);
    let of_others = of_others.map(|(router, routing)| deadlock::Suspect { router, routing: Some(routing), ..suspect });
    let of_each = types::all_free(std::iter::once(suspect).chain(of_others).map(deadlock::freedom));
    let deadlock_freedom = types::freedom(of_each, router, |single| {
        let alone = self::routing(resolved.view("routing"), grid, &single).ok()?;
        Some(deadlock::freedom(deadlock::Suspect { router: &single, routing: Some(&alone), ..suspect }))
    });
    let recovers = lane && fits::finds_deadlocks(router);
    if let Err(locks) = &deadlock_freedom
        && routing.is_some()
        && !recovers
        // With a lane a deadlock would go unproved: allowing it would hide it.
        && (lane || !resolved.view("run").bool("allow_deadlock"))
    {
        errors.push(if lane { deadlock::unnoticed(locks) } else { deadlock::refusal(locks, router) });
    }
    Judged { routing, others, own, recovery, chosen, recovers, deadlock_freedom, errors }
}

/// The routings of types of packets with more channels than others.
fn others(spec: &Resolved, grid: &Arc<Grid>, wider: &[Router], errors: &mut Vec<SpecError>) -> Vec<routing::Any> {
    let of = |router: &Router| routing(spec.view("routing"), grid, router).map_err(|error| errors.push(*error)).ok();
    wider.iter().filter_map(of).collect()
}

/// The traffic on a grid with the radices of the spec, or on a model of it.
fn traffic(point: &Point, grid: &Grid, router: &Router, errors: &mut Vec<SpecError>) -> Option<Traffic> {
    let view = |section| point.resolved.view(section);
    let shape = Shape {
        radix: view("topology").u32s("radix"),
        nodes_per_router: grid.nodes_per_router() / classes::ports(&point.resolved),
    };
    let traffic = traffic_on(point, &shape, router, errors)?;
    if let Router::Queued(router) = router {
        errors.extend(fits::queued::messages(traffic.uneven(router.packet_flits), router, view("router")));
    }
    errors.extend(fits::series(point, &traffic, grid, router));
    Some(traffic)
}

/// The traffic of a point on nodes of this shape.
pub(crate) fn traffic_on(
    point: &Point,
    shape: &Shape,
    router: &Router,
    errors: &mut Vec<SpecError>,
) -> Option<Traffic> {
    let view = |section| point.resolved.view(section);
    let cycle_ns = crate::router::cycle_ns(&point.resolved);
    let changed = changes::changed(point).map_err(|refused| errors.extend(refused)).ok()?;
    let stages = changes::stages(view("traffic"), &changed);
    let built = Traffic::staged(view("traffic"), view("workload"), shape, (point.seed, cycle_ns), &stages);
    let built = built.map_err(|problems| errors.extend(problems.into_iter().map(traffic_error))).ok()?;
    let mut traffic = built.cut(router.cutting(view("traffic").u32("packet_flits")));
    if view("probes").bool("operations") || view("probes").bool("critical_path") {
        traffic = traffic.recorded();
    }
    if let Router::CutThrough(router) = router {
        traffic = traffic.in_buffers_of(router.buffer_flits);
    }
    if traffic.program().is_some() || traffic.hosted().is_some() {
        errors.extend(fits::longer_than_buffers(traffic.max_flits(), router));
    }
    if let Some(placed) = traffic.program() {
        errors.extend(fits::made_at_once(placed.program().lengths().0, router, view("run")));
    }
    classes::classed(traffic, &point.resolved, router).map_err(|error| errors.push(*error)).ok()
}

/// `refusal` of a network for its size, and what speaks against it besides: whatever a small model shows, and what its
/// nodes send where they are few enough to look at. (With more the radices are sure to change, and patterns go by them.)
fn beside_size(point: &Point, router: &Router, refusal: SpecError, cancel: &AtomicBool) -> Vec<SpecError> {
    let view = |section| point.resolved.view(section);
    let model = Arc::new(with_ports(topology::model(view("topology")), &point.resolved));
    let Judged { own, chosen, errors: mut others, .. } = judge(&point.resolved, &model, router, cancel);
    if !admission::minds_radices(view("admission")) {
        others.extend(fits::admission(&point.resolved, &model, router, chosen, &own));
    }
    if fits::few_nodes(view("topology")) {
        traffic(point, &model, router, &mut others);
    } else if let Err(problems) = message_flits(view("traffic")) {
        others.extend(problems.into_iter().map(traffic_error));
    }
    std::iter::once(refusal).chain(others).collect()
}

fn traffic_error((path, message, help): (String, String, Option<String>)) -> SpecError {
    let error = SpecError::at(path, message);
    match help {
        Some(help) => error.help(help),
        None => error,
    }
}

fn routing(view: View, grid: &Arc<Grid>, router: &Router) -> Result<routing::Any, Box<SpecError>> {
    if view.has("datelines") && !grid.wrap().contains(&true) && matches!(view.text("datelines"), "one" | "two") {
        let message = "a mesh has no rings, so there is nothing for a dateline to cut";
        return Err(Box::new(
            SpecError::at("routing.datelines", message).help("take \"auto\" or \"none\", or a torus"),
        ));
    }
    let refused = |refusal| Box::new(fits::refused(refusal));
    match router {
        Router::Queued(_) => routing::build_ports(view, grid).map_err(refused),
        _ => routing::build(view, grid, router.channels()).map_err(refused),
    }
}

/// Whether the routing of a resolved section falls back on escape channels.
pub(crate) fn has_escape(view: View) -> bool {
    view.has("escape") && view.text("escape") != "none"
}

impl Prepared {
    /// A point as the spec says, without a lane, and with nothing from outside.
    pub(crate) fn new(point: &Point, built: Built) -> Self {
        let Built { network, traffic, router, routing, deadlock_freedom, memory_bytes } = built;
        Prepared {
            spec_id: point.id.clone(),
            point: point.clone(),
            network,
            traffic,
            router,
            routing,
            own: Own::Nothing,
            recovery: None,
            family: None,
            deadlock_freedom,
            memory_bytes,
            recovers: false,
            lane: false,
            rule: None,
            has_table: false,
            explains: false,
            throttle: None,
            guards: Vec::new(),
            forks: Vec::new(),
        }
    }

    /// The point.
    pub fn point(&self) -> &Point {
        &self.point
    }

    /// Whether a source may hold back what it should make, because its queue is finite.
    pub fn sources_may_stall(&self) -> bool {
        self.router.source_queue_packets().is_some()
    }

    /// Nodes of the network. With classes a node has a port for each, and the network counts these.
    pub fn nodes(&self) -> usize {
        self.network.nodes() / classes::ports(&self.point.resolved) as usize
    }

    /// The most memory that a run may come to use, without the packets in its sources \[bytes\].
    pub fn memory_bytes(&self) -> u64 {
        self.memory_bytes
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The coordinates of the routers, for what was refused where there are none (`crate::shapes`).
    ///
    /// # Panics
    /// In a network without a grid.
    pub fn grid(&self) -> &Grid {
        self.network.grid().expect("what needs a grid is refused where there is none")
    }

    /// With a rule from outside in the place of `[admission]`, asked every `epoch_cycles`. The point's identity does not
    /// know of it. It serves one run.
    ///
    /// # Errors
    /// Where the spec has a throttle of its own, and in a network without a grid.
    pub fn with_rule(self, rule: impl Decide + 'static, epoch_cycles: u64) -> Result<Prepared, Errors> {
        self.rules_have_a_grid()?;
        let rule = admission::rule::Rule::new(rule, epoch_cycles, self.grid(), self.router.channels());
        self.ruled_by(admission::Any::Rule(rule))
    }

    /// As [`Prepared::with_rule`], with one that decides for each router from its own free channels.
    ///
    /// # Errors
    /// The errors of [`Prepared::with_rule`].
    pub fn with_local_rule(self, rule: impl DecideLocally + 'static, epoch_cycles: u64) -> Result<Prepared, Errors> {
        self.rules_have_a_grid()?;
        let rule = admission::local_rule::LocalRule::new(rule, epoch_cycles, self.grid());
        self.ruled_by(admission::Any::LocalRule(rule))
    }

    fn rules_have_a_grid(&self) -> Result<(), Errors> {
        let message = "a rule on admission goes by the coordinates of a grid, and this network has none";
        let without = self.network.grid().is_none().then(|| SpecError::at("topology", message));
        self.point.resolved.errors(without).map_or(Ok(()), Err)
    }

    fn ruled_by(mut self, rule: admission::Any) -> Result<Prepared, Errors> {
        let refused = (!admission::is_off(self.view("admission"))).then(|| {
            let message = "there is a throttle already, and a rule takes its place";
            SpecError::at("admission", message).help("set admission to \"off\"")
        });
        if let Some(errors) = refused.and_then(|error| self.point.resolved.errors([error])) {
            return Err(errors);
        }
        self.rule = Some(rule);
        Ok(self)
    }

    /// With a table from outside in the place of the spec's traffic pattern. The point's identity does not know of it.
    ///
    /// # Errors
    /// Where it is of another number of nodes.
    pub fn with_table(mut self, table: &Table) -> Result<Prepared, Errors> {
        match self.traffic.with_table(table) {
            Ok(traffic) => (self.traffic, self.has_table) = (traffic, true),
            Err(message) => {
                let errors = self.point.resolved.errors([SpecError::at("traffic.pattern", message)]);
                return Err(errors.expect("there is one"));
            }
        }
        Ok(self)
    }

    /// Virtual channels of a link.
    pub fn channels(&self) -> u32 {
        self.router.channels()
    }

    /// Depth of an input buffer of a virtual channel [flits].
    pub fn buffer_flits(&self) -> u32 {
        self.router.buffer_flits()
    }

    /// How a run goes.
    pub(crate) fn course(&self) -> Course {
        course(self.view("workload"))
    }

    pub(crate) fn view(&self, section: &str) -> View<'_> {
        self.point.resolved.view(section)
    }

    /// The mechanisms of a cut-through network, in their state at cycle 0.
    pub(crate) fn cut_through_parts(&self, router: &cut_through::Router) -> cut_through::Parts<Bundle> {
        cut_through::Parts {
            routing: self.routing.clone(),
            arbiter: arbiter::build(self.view("arbiter"), router.seed, self.arbiters()),
            flow_control: flow_control::build(self.view("flow_control")),
            admission: self.admission(router.channels, router.buffer_flits),
        }
    }

    /// The mechanisms of an adaptive cut-through network, in their state at cycle 0.
    pub(crate) fn adaptive_parts(&self, router: &adaptive::Router) -> adaptive::Parts<Bundle> {
        let Own::Injection(injection) = &self.own else { unreachable!("it was built for this data path") };
        adaptive::Parts {
            routing: self.routing.clone(),
            selection: selection::build(self.view("selection"), router.seed),
            arbiter: arbiter::build(self.view("arbiter"), router.seed, self.arbiters()),
            flow_control: flow_control::build(self.view("flow_control")),
            admission: self.admission(router.channels, self.router.buffer_flits()),
            injection: injection.clone(),
        }
    }

    /// The mechanisms of an input-output-queued network, in their state at cycle 0.
    pub(crate) fn queued_parts(&self, router: &ioq::Router) -> ioq::Parts<Bundle> {
        ioq::Parts {
            routing: self.routing.clone(),
            discipline: self.discipline().clone(),
            arbiter: arbiter::build(self.view("arbiter"), router.seed, self.arbiters()),
            admission: self.admission(self.channels(), self.buffer_flits()),
        }
    }

    /// The mechanisms of a network of input-queued routers.
    pub(crate) fn input_queued_parts(&self) -> input_queued::Parts<Bundle> {
        input_queued::Parts { routing: self.routing.clone() }
    }

    /// The queueing discipline.
    pub(crate) fn discipline(&self) -> &queueing::Any {
        let Own::Discipline(discipline) = &self.own else { unreachable!("it was built for this data path") };
        discipline
    }

    /// The mechanisms of a wormhole network, in their state at cycle 0.
    pub(crate) fn wormhole_parts(&self, router: &wormhole::Router) -> wormhole::Parts<Bundle> {
        // Each stage draws from a stream of its own: arbiters of two stages can have one number.
        let stage = |stage| {
            let seed = rng::draw_u64(router.seed, Purpose::Arbiter, u32::MAX, stage);
            arbiter::build(self.view("arbiter"), seed, self.arbiters())
        };
        wormhole::Parts {
            routing: self.routing.clone(),
            selection: selection::build(self.view("selection"), router.seed),
            channel_arbiter: stage(0),
            input_arbiter: stage(1),
            output_arbiter: stage(2),
            admission: self.admission(router.channels, router.buffer_flits),
            // A lane is refused where there is no grid.
            recovery: self.recovery.clone().unwrap_or_else(recovery::off),
        }
    }

    pub(crate) fn admission(&self, channels: u32, buffer_flits: u32) -> admission::Any {
        if let Some(rule) = &self.rule {
            return rule.clone();
        }
        match self.network.grid() {
            Some(grid) => admission::build(self.throttle(), Site { grid, channels, buffer_flits }),
            // Any other is refused there.
            None => admission::off(),
        }
    }

    /// The section `admission` as it is now.
    fn throttle(&self) -> View<'_> {
        self.throttle.as_ref().map_or_else(|| self.view("admission"), View::new)
    }

    /// Whether routing falls back on escape channels.
    pub(crate) fn escapes(&self) -> bool {
        has_escape(self.view("routing"))
    }

    /// Among whom arbiters choose, under any data path.
    fn arbiters(&self) -> arbiter::Inputs {
        let channels = self.channels();
        let network = self.network.most_ports() as u32 * channels;
        arbiter::Inputs { arbiters: self.network.routers() * 64, channels, network }
    }

    /// Whether the point uses a mechanism that no hardware could build.
    pub(crate) fn is_ideal(&self) -> bool {
        let of_kind = catalogue().sections.iter().any(|section| {
            let table = self.point.resolved.get(section.path).and_then(toml::Value::as_table);
            let kind = table.and_then(|t| t.get("kind")).and_then(toml::Value::as_str);
            kind.and_then(|k| section.entry(k)).is_some_and(|e| e.ideal)
        });
        of_kind
            || matches!(self.rule, Some(admission::Any::Rule(_)))
            || flow_control::is_ideal(self.view("flow_control"))
    }
}
