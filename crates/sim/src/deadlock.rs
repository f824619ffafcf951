//! Whether the packets of a point can wait for each other for ever: what the mechanisms say of themselves, held against what
//! the static check finds on the network (`docs/deadlock.md`). Where they differ the check is right.

mod memo;
pub(crate) mod stand_in;

use crate::fits;
use crate::router::Router;
use std::sync::atomic::AtomicBool;
use tailback_deadlock::{Argument, Budget, Buffer, Circle, Heads, Network, Rules, Sharing, TooLarge, Verdict};
use tailback_engine::contract::routing::Routing;
use tailback_engine::{input_queued, wormhole};
use tailback_mechanisms::routing::Conditions;
use tailback_mechanisms::{flow_control, routing};
use tailback_network::Grid;
use tailback_network::family::Built;
use tailback_spec::{Resolved, SpecError, View};

/// Why no packets can.
#[derive(Clone, Debug)]
pub(crate) struct Free {
    /// In the words of the mechanisms, or of the check where these do not say so.
    pub why: String,
    /// What the check found, in words; `None` where none could be made, and the mechanisms are believed.
    pub proof: Option<String>,
    /// The argument of the check, if it was made.
    pub argument: Option<Argument>,
    /// Why the network may lock together with its program nevertheless, where that could not be ruled out.
    pub doubt: Option<String>,
}

/// Why some can.
#[derive(Clone, Debug)]
pub(crate) struct Locks {
    /// The parameter to blame.
    pub path: &'static str,
    /// In words.
    pub why: String,
    /// Packets that wait for each other; `None` where no check could be made.
    pub witness: Option<Witness>,
}

/// Packets that wait for each other, found before a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The packets.
    pub circle: Circle,
    /// Radices of the network that they are in: that of the spec, or a smaller one that stands for it. None where it has no grid.
    pub radix: Vec<u32>,
    /// Which of its dimensions are rings.
    wrap: Vec<bool>,
}

impl Witness {
    /// A circle in a network of these radices, if it has any, and with these rings.
    pub(crate) fn new(circle: Circle, radix: Vec<u32>, wrap: Vec<bool>) -> Witness {
        Witness { circle, radix, wrap }
    }

    /// The links whose buffers each packet holds, by the routers at both ends.
    pub fn links(&self) -> Vec<Vec<(u32, u32)>> {
        let grid = (!self.radix.is_empty()).then(|| Grid::new(&self.radix, &self.wrap, 1, 1));
        let grid = || grid.as_ref().expect("only a grid has buffers at coordinates");
        let ends = |buffer: &Buffer| {
            Some(match buffer {
                Buffer::Ejection { .. } => return None,
                Buffer::Link { router, to, .. } | Buffer::Behind { router, to, .. } => (*router, *to),
                Buffer::Before { router, from, .. } => (*from, *router),
                Buffer::Channel { router, port, .. } | Buffer::Egress { router, port, .. } => {
                    let router = grid().router_at(router);
                    (router, grid().peer(router, *port as usize))
                }
                Buffer::Ingress { router, port, .. } => {
                    let router = grid().router_at(router);
                    (grid().upstream(router, *port as usize), router)
                }
            })
        };
        self.circle.steps.iter().map(|step| step.holds.iter().filter_map(ends).collect()).collect()
    }
}

impl Locks {
    /// The packets that wait for each other, a sentence each.
    pub fn words(&self) -> Vec<String> {
        self.witness.as_ref().map(|witness| witness.circle.words()).unwrap_or_default()
    }
}

/// Whether packets can wait for each other for ever.
pub(crate) type Freedom = Result<Free, Locks>;

/// Routers of the largest network that is looked at whole where a smaller one can stand for it.
pub(crate) const MOST_ROUTERS: usize = 4096;

/// Places and ways that a check may visit: what any routing has on so many routers, but for one that draws a router for every
/// packet.
const MOST_PLACES: u64 = 1 << 28;

/// The most places of a stand-in. They take a few tenths of a second.
const MOST_PLACES_OF_STAND_IN: u64 = 1 << 23;

/// Radices of stand-ins, from the largest on.
const STAND_INS: [u32; 6] = [32, 16, 12, 8, 6, 5];

/// A network of which it is asked whether its packets can wait for each other.
#[derive(Clone, Copy)]
pub(crate) struct Suspect<'a> {
    pub spec: &'a Resolved,
    pub grid: &'a Grid,
    pub router: &'a Router,
    /// `None` where it is refused.
    pub routing: Option<&'a routing::Any>,
    /// Once it is set the answer is soon there, and means nothing.
    pub cancel: &'a AtomicBool,
}

/// Judges a network. Points that differ in nothing that matters here are judged once.
pub(crate) fn freedom(network: Suspect) -> Freedom {
    match network.routing {
        // A file may hold something else by now.
        Some(_) if !routing::reads_file(network.spec.view("routing")) => {
            let key = memo::key(network.spec, network.grid, network.router);
            memo::of(key, network.cancel, || judge(network))
        }
        _ => judge(network),
    }
}

fn judge(network: Suspect) -> Freedom {
    let Suspect { spec, grid, router, .. } = network;
    let claim = claim(spec, grid, router);
    let Some((verdict, radix)) = network.routing.and_then(|routing| examine(network, routing)) else {
        return match claim {
            Ok(why) => Ok(Free { why, proof: None, argument: None, doubt: None }),
            Err((path, why)) => Err(Locks { path, why, witness: None }),
        };
    };
    let on = match radix == grid.radix() {
        true => String::new(),
        false => format!(" (looked at on radices {radix:?}, which stand for {:?})", grid.radix()),
    };
    match verdict {
        Verdict::Free { argument, buffers } => {
            let proof = words(argument, buffers) + &on;
            let argument = Some(argument);
            Ok(match claim {
                Ok(why) => Free { why, proof: Some(proof), argument, doubt: None },
                Err(_) => Free { why: proof, proof: None, argument, doubt: None },
            })
        }
        Verdict::Circle(circle) => {
            let closes = || ("routing.kind", "packets can close a circle".to_owned());
            let (path, why) = claim.err().unwrap_or_else(closes);
            Err(Locks { path, why: why + &on, witness: Some(Witness { circle, radix, wrap: grid.wrap().to_vec() }) })
        }
    }
}

/// A network without a grid that is looked at.
pub(crate) struct Looked<'a> {
    pub spec: &'a Resolved,
    pub network: &'a tailback_network::Network,
    pub router: &'a Router,
    pub routing: &'a routing::Any,
    /// What to say of it beside what was found: nothing where it is the network that was asked about.
    pub on: String,
    /// Whether there is no other way to know: then a network that is too large for the check counts as one that may lock.
    pub must: bool,
}

impl Looked<'_> {
    /// Whether the check can tell its packets apart, and its masks hold what heads choose among. A network may be looked at that is
    /// refused for routers that are too wide.
    fn can_be_looked_at(&self) -> bool {
        let (ports, nodes) = (self.network.most_ports() as u32, self.network.most_nodes());
        let fits = match self.router {
            // A head asks for one port, and masks begin at that.
            Router::CutThrough(_) | Router::InputQueued(_) => true,
            Router::Queued(_) => ports + nodes <= u64::BITS,
            Router::Wormhole(_) | Router::Adaptive(_) => ports * self.router.channels() <= u64::BITS,
        };
        fits && !self.routing.variety().draws.is_empty()
    }

    /// `None` where nobody can tell.
    fn verdict(&self, cancel: &AtomicBool) -> Option<Verdict> {
        let budget = Budget { places: MOST_PLACES, cancel: Some(cancel) };
        self.can_be_looked_at().then(|| check(self.spec, self.network, self.router, self.routing, budget)?.ok())?
    }
}

/// Judges a network without a grid by `judge`, once for all points that differ in nothing that matters here.
pub(crate) fn once(spec: &Resolved, router: &Router, cancel: &AtomicBool, judge: impl FnOnce() -> Freedom) -> Freedom {
    // A file may hold something else by now.
    if spec.view("topology").has("path") || routing::reads_file(spec.view("routing")) {
        return judge();
    }
    memo::of(memo::key_of_any(spec, router), cancel, judge)
}

/// Judges a network without a grid, of whose routing `claim` is known, by one that can be looked at, if there is one.
pub(crate) fn of_any(claim: Result<String, String>, looked: Option<Looked>, cancel: &AtomicBool) -> Freedom {
    let locks = |why: String, witness| Err(Locks { path: "routing.kind", why, witness });
    let Some(looked) = looked.filter(|looked| looked.must || looked.can_be_looked_at()) else {
        return claim.map(|why| Free { why, proof: None, argument: None, doubt: None }).or_else(|why| locks(why, None));
    };
    match (looked.verdict(cancel), claim) {
        (Some(Verdict::Free { argument, buffers }), claim) => {
            let proof = words(argument, buffers) + &looked.on;
            let why = claim.unwrap_or_else(|_| proof.clone());
            Ok(Free { why, proof: Some(proof), argument: Some(argument), doubt: None })
        }
        (Some(Verdict::Circle(circle)), claim) => {
            let why = claim.err().unwrap_or_else(|| "packets can close a circle".to_owned());
            locks(why + &looked.on, Some(Witness { circle, radix: Vec::new(), wrap: Vec::new() }))
        }
        (None, _) if looked.must => {
            let message = "the network is too large to look at whether packets can wait for each other, and no smaller one stands for it";
            locks(message.to_owned(), None)
        }
        (None, Ok(why)) => Ok(Free { why, proof: None, argument: None, doubt: None }),
        (None, Err(why)) => locks(why, None),
    }
}

fn words(argument: Argument, buffers: usize) -> String {
    match argument {
        Argument::Acyclic => format!("none of {buffers} buffers waits for itself, by whatever chain"),
        Argument::Escape => "every head that waits has an escape channel, and these wait in no circle".to_owned(),
        Argument::Bubble => "with room kept in every ring, some head of every set of buffers can go on".to_owned(),
        Argument::WayOut => "in every set of full buffers some head has a way out".to_owned(),
    }
}

/// What the check finds, and the radices it was made on: those of the network, or of the largest stand-in that can be looked
/// at in time. `None` where none can.
fn examine(network: Suspect, built: &routing::Any) -> Option<(Verdict, Vec<u32>)> {
    let Suspect { spec, grid, router, cancel, .. } = network;
    let within = |places| Budget { places, cancel: Some(cancel) };
    if router.chooses() && grid.ports() as u32 * router.channels() > u64::BITS {
        return None;
    }
    let whole = if grid.routers() > MOST_ROUTERS {
        Err(TooLarge)
    } else {
        let other = other(spec.view("routing"), grid, router);
        check(spec, &grid.into(), router, other.as_ref().unwrap_or(built), within(MOST_PLACES))?
    };
    if let Ok(verdict) = whole {
        return Some((verdict, grid.radix().to_vec()));
    }
    let mut last = grid.radix().to_vec();
    for most in STAND_INS {
        let radix = tailback_deadlock::stand_in(grid.radix(), most);
        if radix == last {
            continue;
        }
        let small = Grid::new(&radix, grid.wrap(), grid.nodes_per_router(), grid.link_cycles());
        let routing = visited(spec.view("routing"), &small, router)?;
        if let Ok(verdict) = check(spec, &small.into(), router, &routing, within(MOST_PLACES_OF_STAND_IN))? {
            return Some((verdict, radix));
        }
        last = radix;
    }
    None
}

/// What a check visits on a grid. `None` where the routing cannot be built there.
fn visited(view: View, grid: &Grid, router: &Router) -> Option<routing::Any> {
    let built = || match router {
        Router::Queued(_) => routing::build_ports(view, grid),
        _ => routing::build(view, grid, router.channels()),
    };
    other(view, grid, router).or_else(|| built().ok())
}

/// What a check visits on a grid instead of what runs, if anything.
fn other(view: View, grid: &Grid, router: &Router) -> Option<routing::Any> {
    let built = || routing::build_for_check(view, &Built::on_grid(grid), router.channels_of_routing()).ok();
    routing::is_checked_otherwise(view).then(built).flatten()
}

/// `None` where the queues cannot be built.
fn check(
    spec: &Resolved,
    wiring: &tailback_network::Network,
    router: &Router,
    routing: &routing::Any,
    budget: Budget,
) -> Option<Result<Verdict, TooLarge>> {
    if let Router::Queued(router) = router {
        let discipline = fits::queued::discipline(spec, wiring, router).ok()?;
        return Some(tailback_deadlock::queues::check(wiring, routing, &discipline, budget));
    }
    let heads = if router.chooses() { Heads::Candidates } else { Heads::Request };
    let sharing = match router {
        Router::Wormhole(router) => match router.sharing {
            wormhole::Sharing::Owned => Sharing::Owned,
            wormhole::Sharing::Shared => Sharing::Shared,
            wormhole::Sharing::SharedWhole => Sharing::SharedWhole,
        },
        Router::InputQueued(router) => match router.sharing {
            input_queued::Sharing::Owned => Sharing::Owned,
            input_queued::Sharing::Shared => Sharing::Shared,
        },
        _ => Sharing::Whole,
    };
    let bubbles = wiring.grid().is_some_and(|grid| bubbles(spec, grid, router) == Some(Ok(())));
    let rules = Rules { sharing, bubbles };
    Some(tailback_deadlock::check(&Network::new(wiring, routing, router.channels(), heads), rules, budget))
}

/// What the mechanisms say of themselves.
fn claim(spec: &Resolved, grid: &Grid, router: &Router) -> Result<String, (&'static str, String)> {
    let view = spec.view("routing");
    if router.is_queued() {
        return routing::deadlock_freedom_of_ports(view, grid).map_err(|why| ("routing.kind", why));
    }
    let (channels, candidates) = (router.channels(), router.chooses());
    let freedom = |bubbles| routing::deadlock_freedom(view, grid, Conditions { channels, candidates, bubbles });
    let blame = match view.has("datelines") {
        true if routing::lacks_channels(view, grid, router.channels()) => CHANNELS,
        true => "routing.datelines",
        false => "routing.kind",
    };
    let why = match bubbles(spec, grid, router) {
        Some(Err(reason)) if freedom(false).is_err() && freedom(true).is_ok() => Err((BUBBLE, reason)),
        kept => freedom(kept == Some(Ok(()))).map_err(|why| (blame, why)),
    }?;
    if let Router::Wormhole(router) = router {
        fits::sharing(view, router).map_err(|why| ("router.sharing", why))?;
    }
    Ok(why)
}

/// The parameter to blame for rings that fill up in spite of bubbles.
const BUBBLE: &str = "flow_control.escape_packets";

/// The parameter to blame for datelines that have no channels to change to.
const CHANNELS: &str = "router.virtual_channels";

/// Whether bubbles keep rings from filling up, where there are any, or why they do not.
fn bubbles(spec: &Resolved, grid: &Grid, router: &Router) -> Option<Result<(), String>> {
    let Router::Adaptive(router) = router else { return None };
    flow_control::keeps_room(spec.view("flow_control"), grid.link_cycles(), router.packet_flits)
}

/// The error of a network that can deadlock without recovery's always noticing.
pub(crate) fn unnoticed(locks: &Locks) -> SpecError {
    let message = format!(
        "packets can wait for each other in a circle ({}), and recovery would not always notice: it counts the cycles in which \
         a head gets no channel, but in a shared channel a head can have one and no room in it",
        locks.why
    );
    SpecError::at("router.sharing", message).help("set router.sharing = \"owned\"")
}

/// The error of a network that can deadlock.
pub(crate) fn refusal(locks: &Locks, router: &Router) -> SpecError {
    let Locks { path, why, .. } = locks;
    let message = format!("packets can wait for each other in a circle, and this network would deadlock: {why}");
    let message = match locks.words() {
        circle if circle.is_empty() => message,
        circle => format!("{message}. For example: {}", circle.join("; ")),
    };
    let bubbles = matches!(router, Router::Adaptive(_));
    let protocol = *path == crate::classes::COUNT;
    if protocol {
        let help = "set router.message_classes = 2, so that replies have channels of their own; run.allow_deadlock = true runs it anyway";
        return SpecError::at(*path, message.replacen("packets can", "messages can", 1)).help(help);
    }
    let remedy = match *path {
        _ if router.is_queued() => {
            "take a mesh with routing = \"dimension_order\" or \"turn_model\", or queueing = \"voq_net\" with shortest ways"
        }
        BUBBLE => "enlarge the bubble, or take longer packets or shorter links",
        CHANNELS if bubbles => {
            "set router.virtual_channels to that number or more, or use flow_control = \"bubble\", or a mesh"
        }
        CHANNELS => "set router.virtual_channels to that number or more, or use a mesh",
        "routing.datelines" if bubbles => "use datelines = \"one\" or \"two\", or flow_control = \"bubble\", or a mesh",
        "routing.kind" if bubbles => {
            "use an escape that cannot deadlock: \"dateline\", \"mesh\", or \"ring\" with flow_control = \"bubble\""
        }
        "routing.datelines" => "use datelines = \"one\" or \"two\" with enough virtual channels, or a mesh",
        "router.sharing" => "set router.sharing = \"shared_whole\" or \"owned\"",
        _ => "use a routing that cannot deadlock",
    };
    let recovery = if router.is_wormhole() { "; a [recovery] with owned channels gets packets out" } else { "" };
    let help = format!("{remedy}{recovery}; run.allow_deadlock = true runs it anyway");
    SpecError::at(*path, message).help(help)
}
