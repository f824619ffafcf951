//! Message classes: what of the network each has for itself, and whether requests and answers can wait for each other for ever.

use crate::deadlock::{Freedom, Locks, Witness};
use crate::router::Router;
use crate::unmatched;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use tailback_deadlock::{Budget, Heads, Network, Protocol, keeps_order, protocol};
use tailback_engine::contract::routing::Sight;
use tailback_mechanisms::routing::classed::Classed;
use tailback_mechanisms::{flow_control, routing};
use tailback_network::Network as Wiring;
use tailback_spec::{Resolved, SpecError, View};
use tailback_traffic::{
    Classes, Held, Hosted, Keeps, Placed, Traffic, has_messages, is_answered, is_anywhere, is_hosted, is_program,
    listed_classes,
};

/// The parameter that says how many classes there are.
pub(crate) const COUNT: &str = "router.message_classes";

/// The parameters that give ejection buffers an end.
const PACKETS: &str = "router.ejection_packets";
const FLITS: &str = "router.ejection_flits";

/// The parameter that says which message is of which class.
const TAGS: &str = "workload.class_tags";

/// Places that the check of a protocol may visit.
const MOST_PLACES: u64 = 1 << 22;

/// Message classes of a spec.
pub(crate) fn count(spec: &Resolved) -> u32 {
    let router = spec.view("router");
    if router.has("message_classes") { router.u32("message_classes") } else { 1 }
}

/// The parameter that lists classes which share the wires of nodes.
const SHARED: &str = "traffic.classes";

/// Classes of packets that share the wires of a node. Under other kinds of router there are none: they are refused.
pub(crate) fn sharing(spec: &Resolved) -> u32 {
    let listed = listed_classes(spec.view("traffic")).max(1) as u32;
    if spec.view("router").kind() == "input_queued" { listed } else { 1 }
}

/// Ports of a node, each of which counts as a node: one for each message class, or for each class that shares its wire.
pub(crate) fn ports(spec: &Resolved) -> u32 {
    count(spec) * sharing(spec)
}

/// What speaks against the classes and the ejection buffers of a spec.
pub(crate) fn refused(spec: &Resolved, router: &Router) -> Vec<SpecError> {
    let (classes, messages) = (count(spec), has_messages(spec.view("workload")));
    let mut errors = Vec::new();
    let mut refuse = |path: &str, message: String, help: &str| errors.push(SpecError::at(path, message).help(help));
    if classes > 1 && !router.is_queued() && !router.channels().is_multiple_of(classes) {
        let message = format!("{classes} classes cannot share {} virtual channels evenly", router.channels());
        refuse(COUNT, message, "set router.virtual_channels to a multiple of router.message_classes");
    }
    if classes > 1 && !messages {
        let message = "messages have classes under a program or a host only: nodes of other workloads do not answer";
        refuse(COUNT, message.to_owned(), "leave it out, or set workload.kind = \"program\"");
    }
    if classes > 1 && flow_control::watches_own_queue(spec.view("flow_control")) {
        let message = "bubble flow control keeps room in rings of all escape channels, not in those of each class";
        refuse(COUNT, message.to_owned(), "set flow_control = \"virtual_cut_through\"");
    }
    if classes > 1 && spec.view("recovery").has("lane_flits") {
        let message = "a recovery lane serves all message classes at once, and may itself be full of requests";
        refuse(COUNT, message.to_owned(), "set recovery = \"off\"");
    }
    if listed_classes(spec.view("traffic")) > 0 && !matches!(router, Router::InputQueued(_)) {
        let message =
            "classes of packets share the wire of a node under router.kind = \"input_queued\" alone".to_owned();
        refuse(SHARED, message, "take that router, or leave the list empty");
    }
    match router.ejection_places() {
        Some((_, Held::Packet)) => ejection(spec, router, &mut refuse),
        Some((_, Held::Flits)) if router.planes() > 1 => {
            let message = "an ejection buffer with an end is filled by one port, and a node has a port at each plane";
            refuse(FLITS, message.to_owned(), "leave it out, or set router.planes = 1");
        }
        Some((_, Held::Flits)) if !is_hosted(spec.view("workload")) => {
            let message = "only messages of a host wait in an ejection buffer of flits: all other packets are consumed as they come";
            refuse(FLITS, message.to_owned(), "leave it out, or set workload.kind = \"host\"");
        }
        _ => {}
    }
    errors
}

/// What speaks against ejection buffers that have an end.
fn ejection(spec: &Resolved, router: &Router, refuse: &mut impl FnMut(&str, String, &str)) {
    if !is_program(spec.view("workload")) && !is_hosted(spec.view("workload")) {
        let message = "only messages of a program or a host wait in an ejection buffer: all other packets are consumed as they come";
        let help = "leave it out, or set workload.kind = \"program\"";
        refuse(PACKETS, message.to_owned(), help);
    }
    if router.ejection_channels() != Some(1) {
        let message = "an ejection buffer with an end is filled by one ejection channel";
        refuse(PACKETS, message.to_owned(), "set router.ejection_channels = 1");
    }
}

/// A routing that shows queues sees those of all classes.
pub(crate) fn sight(sight: Sight, spec: &Resolved) -> Option<SpecError> {
    (count(spec) > 1 && sight != Sight::Nothing).then(|| {
        let message =
            format!("{} routing looks at queues, and those of a port are of all classes", spec.view("routing").kind());
        SpecError::at(COUNT, message).help("take a routing that looks at no queues, or one message class")
    })
}

/// The routing of all classes, made of that of one.
pub(crate) fn routed(routing: routing::Any, spec: &Resolved, router: &Router) -> routing::Any {
    match count(spec) {
        1 => routing,
        // There classes have queues, and no channels.
        _ if router.is_queued() => routing,
        classes => routing::Any::Classed(Classed::new(routing, classes, (router.channels() / classes).max(1))),
    }
}

/// The traffic on the ports of all classes, or why messages have none.
pub(crate) fn classed(traffic: Traffic, spec: &Resolved, router: &Router) -> Result<Traffic, Box<SpecError>> {
    let (count, workload) = (count(spec), spec.view("workload"));
    let held = router.ejection_places().map_or(Held::Nothing, |(_, held)| held);
    let holds = held != Held::Nothing;
    if is_hosted(workload) {
        let of = |hosted: Hosted| hosted.in_classes(count).held(held);
        return Ok(traffic.in_classes_of(of));
    }
    if !is_program(workload) {
        return Ok(traffic);
    }
    let asks = is_answered(workload);
    let tags = tags(workload, count, asks)?;
    if count == 1 && !holds {
        return Ok(traffic);
    }
    let keeps = match (holds, asks) {
        (false, _) => Keeps::Nothing,
        (true, true) => Keeps::Requests(1),
        (true, false) => Keeps::Unmatched,
    };
    Ok(traffic.classed(Classes { count, tags, keeps }))
}

fn tags(workload: View, count: u32, asks: bool) -> Result<Vec<u32>, Box<SpecError>> {
    let tags = workload.u32s("class_tags");
    let rises = tags.windows(2).all(|pair| pair[0] < pair[1]);
    if tags.is_empty() {
        return Ok(if asks && count > 1 { vec![1] } else { Vec::new() });
    }
    if tags.len() + 1 != count as usize || !rises {
        let message = format!("{} first tags are named for {count} message classes", tags.len());
        let message = if rises { message } else { "first tags do not rise from class to class".to_owned() };
        let help = "name the first tag of each class but the first, in rising order";
        return Err(Box::new(SpecError::at(TAGS, message).help(help)));
    }
    Ok(tags)
}

/// The same freedom, with what is known of packets that keep places of ejection buffers until a receive asks for them.
fn with_unmatched(
    freedom: Freedom,
    wiring: &Wiring,
    (spec, router, routing): (&Resolved, &Router, &routing::Any),
    placed: &Placed,
    cancel: &AtomicBool,
) -> Freedom {
    let (mut free, places) = (freedom?, router.ejection_places().map_or(u32::MAX, |(places, _)| places));
    let network = Network::new(wiring, routing, router.of_class(count(spec)).channels(), Heads::Request);
    let (anywhere, mut known) = (is_anywhere(spec.view("workload")), BTreeMap::new());
    let mut in_order = |from: u32, to: u32| {
        let pair = [from, to].map(|rank| wiring.router_of(placed.port_of(rank, 0)));
        let budget = Budget { places: MOST_PLACES, cancel: Some(cancel) };
        let keeps = || pair[0] == pair[1] || keeps_order(&network, (pair[0], pair[1]), budget).unwrap_or(false);
        !anywhere && *known.entry(pair).or_insert_with(keeps)
    };
    match unmatched::need(placed, &mut in_order, cancel) {
        Some(need) if need.places <= u64::from(places) => {
            let has = "an ejection buffer always has a place again for packets that a receive asks for";
            free.proof = Some(free.proof.map_or(has.to_owned(), |proof| format!("{proof}; {has}")));
        }
        Some(need) => free.doubt = Some(need.words(places)),
        None => free.doubt = Some(unmatched::TOO_LONG.to_owned()),
    }
    Ok(free)
}

/// The same freedom, unless requests wait for answers in the channels of answers that wait for requests.
pub(crate) fn freedom(
    freedom: Freedom,
    wiring: &Wiring,
    (spec, router, routing): (&Resolved, &Router, &routing::Any),
    traffic: &Traffic,
    cancel: &AtomicBool,
) -> Freedom {
    if let Some(placed) = traffic.program().filter(|placed| placed.keeps_unmatched()) {
        return with_unmatched(freedom, wiring, (spec, router, routing), placed, cancel);
    }
    let Some(placed) = traffic.program().filter(|placed| placed.has_requests()) else { return freedom };
    // What locks by itself does not need a protocol for it.
    let free = freedom?;
    if placed.class_of(0) != placed.class_of(1) {
        return Ok(free);
    }
    let heads = if router.chooses() { Heads::Candidates } else { Heads::Request };
    let network = Network::new(wiring, routing, router.of_class(count(spec)).channels(), heads);
    let locks = |circle: Option<_>| {
        let radix = wiring.grid().map_or(Vec::new(), |grid| grid.radix().to_vec());
        let wrap = wiring.grid().map_or(Vec::new(), |grid| grid.wrap().to_vec());
        let why = "requests keep places in ejection buffers until their replies leave, and replies wait for the channels of requests";
        Locks { path: COUNT, why: why.to_owned(), witness: circle.map(|circle| Witness::new(circle, radix, wrap)) }
    };
    let pairs = pairs(placed, wiring, is_anywhere(spec.view("workload")));
    match protocol(&network, &pairs, Budget { places: MOST_PLACES, cancel: Some(cancel) }) {
        Ok(None) => Ok(free),
        Ok(circle) => Err(locks(circle)),
        Err(_) => Err(locks(None)),
    }
}

/// Who asks whom, by routers; everybody everybody where ranks are anywhere.
fn pairs(placed: &Placed, wiring: &Wiring, anywhere: bool) -> Protocol {
    let mut pairs = Protocol::default();
    if anywhere {
        let routers = || (0..wiring.routers() as u32).filter(|&router| wiring.nodes_at(router) > 0);
        let all: BTreeSet<(u32, u32)> = routers().flat_map(|from| routers().map(move |to| (from, to))).collect();
        return Protocol { requests: all.clone(), answers: all };
    }
    placed.ways(&mut |from, to, is_request| {
        let of = if is_request { &mut pairs.requests } else { &mut pairs.answers };
        of.insert((wiring.router_of(from), wiring.router_of(to)));
    });
    pairs
}
