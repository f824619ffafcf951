//! What binds, in sentences.

use super::cause::Cause;
use super::ends::capital;
use super::measures::Measures;
use super::numbers::{list, mean, percent};
use super::places::{a_kind, a_link, any_output, directions, names};
use crate::burden::Burden;
use crate::prepare::Prepared;
use std::sync::atomic::AtomicBool;
use tailback_mechanisms::routing;
use tailback_probes::Binding;
use tailback_probes::anatomy::Links;
use tailback_probes::levels::direction_name;

/// The most links, or nodes, that a sentence names.
pub const NAMED: usize = 3;

/// A direction has more load than its opposite from this ratio on.
const MORE: f64 = 1.02;

/// So many nodes are asked whether their packets have two ways that are equally long.
const SOURCES: u32 = 64;

/// The sentences.
pub fn sentences(prepared: &Prepared, of: &Measures<'_>, cause: &Cause) -> Option<String> {
    let at_once = !of.has_trees() && !matches!(cause, Cause::Admission | Cause::HeadOfLine);
    if at_once {
        let none = if of.looked() { " No link stands still because of another one." } else { "" };
        return fronts(prepared, of, cause).map(|text| format!("{text}{none}"));
    }
    Some(match cause {
        Cause::HotSpot { nodes } => hot_spot(of, nodes),
        Cause::Ejection => ejection(prepared, of),
        Cause::Admission => admission(prepared, of),
        Cause::HeadOfLine => head_of_line(of),
        Cause::Direction { ports } => direction(prepared, of, ports),
        Cause::Channels => channels(of),
        Cause::Links => links(of),
        _ => return None,
    })
}

/// The same in a few words, without the full stop: `The x+ links bind: they stand still 62 % of the time`.
pub fn short(prepared: &Prepared, of: &Measures<'_>, cause: &Cause) -> Option<String> {
    let stand = |ports: &[usize]| percent(least(&of.still_by_port(), ports));
    Some(match cause {
        Cause::HotSpot { nodes } => format!("A hot spot binds: {}", named_nodes(nodes)),
        Cause::Ejection => "The ejection binds: most congestion trees begin at a node".to_owned(),
        Cause::Admission => format!(
            "The admission mechanism ({}) holds {} of the packets that wait at their sources",
            prepared.view("admission").kind(),
            percent(of.fronts().held)
        ),
        Cause::HeadOfLine => "The order of the queues binds".to_owned(),
        Cause::Direction { ports } => {
            format!("The {} links bind: they stand still {} of the time", directions(ports), stand(ports))
        }
        Cause::Channels => format!(
            "The virtual channels bind: {} of the packets at the front of a queue wait for one",
            percent(of.fronts().channel)
        ),
        Cause::Links => match worst_links(of).as_slice() {
            [] => return None,
            [one] => format!("A link binds: {one}"),
            many => format!("Links bind: {}", list(many)),
        },
        _ => return None,
    })
}

fn least(values: &[f64], ports: &[usize]) -> f64 {
    ports.iter().map(|&port| values[port]).fold(f64::INFINITY, f64::min)
}

/// The other directions.
fn others(of: &Measures<'_>, ports: &[usize]) -> Vec<usize> {
    (0..of.kinds.count()).filter(|port| !ports.contains(port)).collect()
}

fn most(values: &[f64], ports: &[usize]) -> f64 {
    ports.iter().map(|&port| values[port]).fold(0.0, f64::max)
}

/// A small number as a word.
fn small(number: usize) -> String {
    let words = ["no", "one", "two", "three", "four", "five", "six"];
    words.get(number).map_or(number.to_string(), |word| (*word).to_owned())
}

fn direction(prepared: &Prepared, of: &Measures<'_>, ports: &[usize]) -> String {
    let (still, demanded) = (of.still_by_port(), of.demanded_by_port());
    let others = others(of, ports);
    let rest = match others.len() {
        1 => format!("The {} links stand still", direction_name(others[0])),
        many => format!("Links of the other {} directions stand still", small(many)),
    };
    let rest = match most(&still, &others) {
        0.0 => format!("{rest} at no time."),
        share => format!("{rest} in {} at most.", percent(share)).replace("less than 1 % at most", "less than 1 %"),
    };
    format!(
        "The network, not the nodes: its {} links. Packets wait for a typical {} link {} of the time, and these links stand \
         still, blocked by full buffers further on, in {}. {rest} {} {}",
        directions(ports),
        directions(ports).replace(" and ", " or "),
        percent(least(&demanded, ports)),
        percent(least(&still, ports)),
        begin(of),
        because(prepared, ports)
    )
}

/// Where congestion trees begin: the direction of most, and nodes.
fn begin(of: &Measures<'_>) -> String {
    let share = |port: usize| of.root_of(&[port]);
    let most = (0..of.kinds.count()).max_by(|&a, &b| share(a).total_cmp(&share(b)).then(b.cmp(&a)));
    most.map_or(String::new(), |port| {
        format!(
            "Of the time that packets are blocked in congestion trees, {} is in trees that begin at {}, {} in trees that begin at a node.",
            percent(share(port)),
            a_link(&[port]),
            percent(of.root_of_nodes())
        )
    })
}

/// Why a direction has more to carry than the others: what is known of ties, pattern and datelines before any run.
fn because(prepared: &Prepared, ports: &[usize]) -> String {
    let Some(loads) = Burden::of(prepared, &AtomicBool::new(false)).map(|burden| burden.directions) else {
        return "Look at the ties (routing.tie), the datelines (routing.datelines) and the pattern.".to_owned();
    };
    let port = ports[0];
    let wraps = prepared.grid().wrap()[port / 2];
    if ports.contains(&(port ^ 1)) {
        return both_ways(prepared, port);
    }
    let (this, back) = (loads[port], loads[port ^ 1]);
    let (one, other) = (direction_name(port), direction_name(port ^ 1));
    if this <= MORE * back {
        let alike = format!(
            "The pattern and the routing load {one} and {other} alike ({this:.2} and {back:.2} flits/cycle per link at load 1)"
        );
        return match wraps {
            true => format!("{alike}, so look at how packets change virtual channels (routing.datelines)."),
            false => format!("{alike}."),
        };
    }
    let more = match back {
        0.0 => format!("No packet takes {other}"),
        _ => format!("At any load {one} has to carry {:.0} % more than {other}", 100.0 * (this / back - 1.0)),
    };
    match tied(prepared, port) {
        Some(ways) => format!(
            "{more}: packets with half a ring to go all take {ways} (routing.tie = \"{}\").",
            prepared.view("routing").text("tie")
        ),
        None => format!("{more}: it is the pattern that sends packets this way (traffic.pattern)."),
    }
}

/// Why both ways of a dimension stand still.
fn both_ways(prepared: &Prepared, port: usize) -> String {
    let name = direction_name(port);
    let dimension = name.trim_end_matches(['+', '-']);
    let routing = prepared.view("routing");
    if routing::in_dimension_order(routing) && port < 2 && prepared.grid().dimensions() > 1 {
        return format!("All packets take the {dimension} links first (routing.kind = \"{}\").", routing.kind());
    }
    format!("Both ways of the {dimension} dimension stand still alike.")
}

/// The directions that all packets with half a ring to go take, if one of them is this port's.
pub fn tied(prepared: &Prepared, port: usize) -> Option<String> {
    let ports = tied_ports(prepared);
    (ports.contains(&port) && has_ties(prepared, port / 2)).then(|| directions(&ports))
}

/// Whether packets of the first nodes have half a ring of a dimension to go.
fn has_ties(prepared: &Prepared, dimension: usize) -> bool {
    let grid = prepared.grid();
    let (half, nodes) = (grid.radix()[dimension] / 2, grid.nodes() as u32);
    let mut found = false;
    for source in 0..nodes.min(SOURCES) {
        let from = grid.coordinates(grid.router_of(source))[dimension];
        prepared.traffic.flows(source, &mut |destination, _| {
            let to = grid.coordinates(grid.router_of(destination))[dimension];
            found |= from.abs_diff(to) == half;
        });
    }
    found
}

/// The directions that all packets with half a ring to go take.
pub fn tied_ports(prepared: &Prepared) -> Vec<usize> {
    let sign = match prepared.view("routing").table().get("tie").and_then(toml::Value::as_str) {
        Some("plus") => 0,
        Some("minus") => 1,
        _ => return Vec::new(),
    };
    let grid = prepared.grid();
    let even = |&d: &usize| grid.wrap()[d] && grid.radix()[d].is_multiple_of(2);
    (0..grid.dimensions()).filter(even).map(|d| 2 * d + sign).collect()
}

fn named_nodes(nodes: &[u32]) -> String {
    let named: Vec<String> = nodes.iter().take(NAMED).map(u32::to_string).collect();
    let more = nodes.len() - named.len();
    match (nodes.len(), more) {
        (1, _) => format!("node {}", named[0]),
        (_, 0) => format!("nodes {}", list(&named)),
        _ => format!("nodes {} and {more} more", named.join(", ")),
    }
}

fn hot_spot(of: &Measures<'_>, nodes: &[u32]) -> String {
    let links = Links::new(of.network);
    let share: f64 =
        nodes.iter().map(|&node| of.root_of_link(links.at(of.network.router_of(node), links.to_node(node)))).sum();
    let (ports, wait) = if nodes.len() == 1 { ("port is", "it") } else { ("ports are", "them") };
    format!(
        "A hot spot, not the network: {}. Its {ports} the root of the trees in which packets spend {} of their time blocked in trees: \
         links stand still because packets for {wait} fill the buffers behind them.",
        named_nodes(nodes),
        percent(share)
    )
    .replace("nodes. Its", "nodes. Their")
}

fn ejection(prepared: &Prepared, of: &Measures<'_>) -> String {
    let takes = takes_in(prepared);
    format!(
        "The ejection, not the links: {} of the time that packets are blocked in congestion trees is in trees that begin at a node. {takes}",
        percent(of.root_of_nodes())
    )
    .trim_end()
    .to_owned()
}

/// How many packets a node takes in at a time.
fn takes_in(prepared: &Prepared) -> String {
    match prepared.router.ejection_channels() {
        Some(1) => {
            "A node takes in one packet at a time, one flit per cycle (router.ejection_channels = 1).".to_owned()
        }
        Some(many) => format!("A node takes in {many} packets at a time (router.ejection_channels = {many})."),
        None => String::new(),
    }
}

fn admission(prepared: &Prepared, of: &Measures<'_>) -> String {
    let demanded = of.demanded_by_port();
    let top = demanded.iter().copied().fold(0.0, f64::max);
    let pace: Vec<usize> = (0..demanded.len()).filter(|&port| demanded[port] > 0.8 * top).collect();
    let used = of.use_by_port().map_or(String::new(), |used| {
        let each: Vec<String> = pace.iter().map(|&port| percent(used[port])).collect();
        format!(", and carry a flit in {} of the cycles", list(&each))
    });
    let which = if pace.len() == demanded.len() { "links" } else { &format!("{} links", names(of.kinds, &pace)) };
    format!(
        "The admission mechanism ({}) keeps the network from filling up: it holds {} of the packets that wait at the front of their source \
         queues. The {which} then set the pace. They stand still only {} of the time{used}.",
        prepared.view("admission").kind(),
        percent(of.fronts().held),
        percent(most(&of.still_by_port(), &pace))
    )
}

fn head_of_line(of: &Measures<'_>) -> String {
    let share = of.head_of_line().unwrap_or_default();
    format!(
        "The order of the queues, not the links: for {} of the time that packets are blocked in the network, the link that they want is \
         free, and the packet before them wants another one.",
        percent(share)
    )
}

fn channels(of: &Measures<'_>) -> String {
    let used = of.use_by_port().map_or(String::new(), |used| {
        let mean = used.iter().sum::<f64>() / used.len().max(1) as f64;
        format!(" A link carries a flit in only {} of the cycles.", percent(mean))
    });
    format!(
        "The virtual channels: {} of the packets at the front of a queue wait for a virtual channel that another packet holds.{used}",
        percent(of.fronts().channel)
    )
}

fn links(of: &Measures<'_>) -> String {
    format!(
        "The network, not the nodes. The roots of the worst congestion trees are {}, by the time that packets are blocked in their trees. \
         {} of that time is in trees that begin at a node.",
        list(&worst_links(of)),
        capital(&percent(of.root_of_nodes()))
    )
}

/// The links that were roots for most time, with their share of it; without looks, those that bind by their fronts.
fn worst_links(of: &Measures<'_>) -> Vec<String> {
    let links = Links::new(of.network);
    if !of.has_trees() {
        return of.binding.iter().take(NAMED).map(|b| binding(of, b)).collect();
    }
    let named = of.worst_roots(NAMED).into_iter().map(|link| {
        let (router, port) = links.place(link);
        format!("{} ({})", any_output(of.network, router, port), percent(of.root_of_link(link)))
    });
    named.collect()
}

fn binding(of: &Measures<'_>, binding: &Binding) -> String {
    let (network, router) = (of.network, binding.router);
    match binding.port {
        Some(port) => any_output(network, router, port as usize),
        None if network.nodes_at(router) == 1 => format!("node {}", network.seats().node(router, 0)),
        None => format!("the nodes of {}", super::places::at(network, router)),
    }
}

/// What the fronts wait for, where nobody looked at all packets.
fn fronts(prepared: &Prepared, of: &Measures<'_>, cause: &Cause) -> Option<String> {
    let nodes = of.demand_of_nodes()?;
    let by_port = of.demand_by_port();
    let mut order: Vec<usize> = (0..by_port.len()).collect();
    order.sort_by(|&a, &b| by_port[b].total_cmp(&by_port[a]));
    let waits: Vec<String> = order
        .iter()
        .take(2)
        .map(|&port| format!("{} for {}", percent(by_port[port]), a_kind(of.kinds, port)))
        .collect();
    let first = match cause {
        Cause::HotSpot { nodes } => format!("A hot spot: {}. ", named_nodes(nodes)),
        Cause::Ejection => "The ejection, not the links. ".to_owned(),
        _ => String::new(),
    };
    let most = match of.binding.iter().take(NAMED).map(|b| binding(of, b)).collect::<Vec<String>>() {
        named if named.is_empty() => String::new(),
        named => format!(" Most wait for {}; the packets behind these go on.", list(&named)),
    };
    let takes = if *cause == Cause::Ejection { format!(" {}", takes_in(prepared)) } else { String::new() };
    Some(
        format!(
            "{first}{} packets wait at the front of a buffer on average: {}, {} for a node.{most}{takes}",
            mean(of.heads.mean()),
            waits.join(", "),
            percent(nodes)
        )
        .trim_end()
        .to_owned(),
    )
}
