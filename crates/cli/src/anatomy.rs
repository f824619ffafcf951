//! The anatomy of a point's congestion as JSON, as tables made of that, and on the network's map.

mod map;
mod rows;

pub use map::map;
pub use rows::{blocks, text};

use serde_json::{Map, Value, json};
use tailback_network::Network;
use tailback_probes::anatomy::{Anatomy, Found, Life, Links, Roles, Speed};
use tailback_probes::levels::direction_name;
use tailback_sim::Dissected;

/// The most roots, trees and flows that are printed.
const TOLD: usize = 10;

/// The object.
pub fn object(network: &Network, dissected: &Dissected) -> Value {
    let (anatomy, links) = (&dissected.anatomy, Links::new(network));
    json!({
        "every_cycles": anatomy.every, "looks": anatomy.found.len(),
        "trees": trees(anatomy),
        "roots": roots(anatomy, links),
        "longest_lives": lives(anatomy, links),
        "blocked_packet_cycles": blocked(anatomy),
        "head_of_line_share": anatomy.blocked.head_of_line_share(),
        "flows": flows(anatomy),
        "busy_areas": speeds(&dissected.speeds),
    })
}

fn trees(anatomy: &Anatomy) -> Value {
    let max = |of: fn(&Found) -> u32| anatomy.found.iter().map(of).max();
    json!({
        "mean": anatomy.mean(|found| found.trees), "max": max(|found| found.trees),
        "lives": anatomy.lives.trees,
        "life_mean_cycles": anatomy.lives.mean_looks().map(|looks| looks * anatomy.every as f64),
        "depth_max": anatomy.deepest(),
        "links_still_mean": anatomy.mean(|found| found.still), "links_still_max": max(|found| found.still),
        "links_without_root_mean": anatomy.mean(|found| found.rootless),
    })
}

/// `router`, `port` and, of a node's port, `node`.
fn place(links: Links<'_>, link: usize) -> Map<String, Value> {
    let (router, port) = links.place(link);
    let (node, network) = (links.node(router, port), links.network);
    let port = match (node, network.grid(), links.ahead(router, port).map(|to| to.router)) {
        (Some(_), ..) => None,
        (None, None, Some(to)) => Some(format!("to {to}")),
        _ => Some(direction_name(port)),
    };
    let mut place = Map::new();
    place.insert("router".to_owned(), crate::why::place(network, router));
    place.insert("port".to_owned(), json!(port));
    place.insert("node".to_owned(), json!(node));
    place
}

/// A place with more about it.
fn with(mut place: Map<String, Value>, more: Value) -> Value {
    place.extend(more.as_object().cloned().unwrap_or_default());
    Value::Object(place)
}

fn roots(anatomy: &Anatomy, links: Links<'_>) -> Vec<Value> {
    let looks = anatomy.found.len() as f64;
    let told = anatomy.longest_roots().into_iter().take(TOLD).map(|link| {
        let of = &anatomy.of_links[link];
        let more = json!({
            "share": of.root as f64 / looks, "waiting_heads": of.demand / looks,
            "blocked_packet_cycles": of.packets * anatomy.every,
        });
        with(place(links, link), more)
    });
    told.collect()
}

fn lives(anatomy: &Anatomy, links: Links<'_>) -> Vec<Value> {
    let mut lives = anatomy.lives.all();
    lives.sort_by_key(|life| std::cmp::Reverse((life.looks, life.packets)));
    let told = lives.iter().take(TOLD).map(|life: &Life| {
        let more = json!({
            "born_cycle": life.born, "cycles": life.looks * anatomy.every, "depth_max": life.depth,
            "branches_max": life.branches.0, "branches_mean": life.branches.1 as f64 / life.looks as f64,
            "blocked_packet_cycles": life.packets * anatomy.every,
        });
        with(place(links, life.root as usize), more)
    });
    told.collect()
}

fn blocked(anatomy: &Anatomy) -> Value {
    let (blocked, every) = (anatomy.blocked, anatomy.every);
    let known = |packets: u64| anatomy.knows_ways.then_some(packets * every);
    json!({
        "front": blocked.front * every, "behind": blocked.behind() * every, "same": known(blocked.same),
        "other": known(blocked.other), "head_of_line": known(blocked.head_of_line),
    })
}

fn flows(anatomy: &Anatomy) -> Option<Value> {
    let (total, count, every) = (anatomy.flows.total(), anatomy.flows.count(), anatomy.every);
    let top = |role: fn(&Roles) -> u64| -> Vec<Value> {
        let told = anatomy.flows.top(TOLD, role).into_iter().map(|((source, destination), roles)| {
            json!({ "source": source, "destination": destination, "packet_cycles": role(&roles) * every })
        });
        told.collect()
    };
    anatomy.knows_ways.then(|| {
        json!({
            "culprit_packet_cycles": total.culprit * every, "victim_packet_cycles": total.victim * every,
            "culprit_flows": count.0, "victim_flows": count.1,
            "culprits": top(|roles| roles.culprit), "victims": top(|roles| roles.victim),
        })
    })
}

fn speeds(speeds: &[Option<Speed>]) -> Value {
    let told = |speed: &Speed| {
        json!({
            "routers_per_cycle": speed.speed, "moves": speed.moves(), "correlation": speed.correlation,
            "lag_cycles": speed.lag,
        })
    };
    let of_ports = speeds.iter().enumerate();
    of_ports.map(|(port, speed)| (direction_name(port), speed.as_ref().map_or(Value::Null, told))).collect()
}
