//! The anatomy as tables.

use super::Dissected;
use tailback_network::Network;
use tailback_probes::anatomy::{Anatomy, Blocked, Found, Fronts, Life, Links};
use tailback_probes::tables::{column, rows};
use tailback_results::Series;

/// The most flows that are listed in each role.
const FLOWS: usize = 100;

/// All tables.
pub(crate) fn tables(dissected: &Dissected, network: &Network) -> Vec<Series> {
    let (anatomy, links) = (&dissected.anatomy, Links::new(network));
    let mut tables = vec![looks(anatomy), trees(anatomy, links), of_links(anatomy, links), flows(anatomy)];
    if network.grid().is_some() {
        tables.push(speeds(dissected));
    }
    tables
}

/// What was found, look by look.
fn looks(anatomy: &Anatomy) -> Series {
    let of = |name: &str, unit: &str, value: &dyn Fn(&Found) -> f64| {
        column(name, unit, anatomy.found.iter().map(value).collect())
    };
    let part = |name: &str, value: fn(&Blocked) -> u64| of(name, "packets", &|found| value(&found.blocked) as f64);
    let fronts = |name: &str, value: fn(&Fronts) -> u32| of(name, "packets", &|found| f64::from(value(&found.fronts)));
    let known = anatomy.knows_ways;
    let mut columns = vec![
        of("trees", "trees", &|found| f64::from(found.trees)),
        of("depth", "links", &|found| f64::from(found.depth)),
        of("still", "links", &|found| f64::from(found.still)),
        of("rootless", "links", &|found| f64::from(found.rootless)),
        of("demanded", "links", &|found| f64::from(found.demanded)),
        part("blocked", Blocked::total),
        part("front", |blocked| blocked.front),
    ];
    if known {
        columns.push(part("same", |blocked| blocked.same));
        columns.push(part("other", |blocked| blocked.other));
        columns.push(part("head_of_line", |blocked| blocked.head_of_line));
    }
    columns.extend([
        fronts("fronts_held", |fronts| fronts.held),
        fronts("fronts_link", |fronts| fronts.link),
        fronts("fronts_channel", |fronts| fronts.channel),
        fronts("fronts_room", |fronts| fronts.room),
        fronts("fronts_source", |fronts| fronts.source),
    ]);
    let x = anatomy.found.iter().map(|found| found.cycle as f64).collect();
    let axis = ("cycle".to_owned(), "cycles".to_owned());
    Series { x_name: axis.0, x_unit: axis.1, x, ..rows("anatomy", "", "look", columns) }
}

/// The lives of trees, those with most blocked packets first.
fn trees(anatomy: &Anatomy, links: Links<'_>) -> Series {
    let (lives, every) = (anatomy.lives.all(), anatomy.every as f64);
    let of =
        |name: &str, unit: &str, value: &dyn Fn(&Life) -> f64| column(name, unit, lives.iter().map(value).collect());
    let place = |life: &Life| links.place(life.root as usize);
    let columns = vec![
        of("router", "", &|life| f64::from(place(life).0)),
        of("port", "", &|life| place(life).1 as f64),
        of("born", "cycle", &|life| life.born as f64),
        of("life", "cycles", &|life| life.looks as f64 * every),
        of("depth", "links", &|life| f64::from(life.depth)),
        of("branches_mean", "links", &|life| life.branches.1 as f64 / life.looks as f64),
        of("branches_max", "links", &|life| f64::from(life.branches.0)),
        of("blocked", "packet-cycles", &|life| life.packets as f64 * every),
    ];
    rows("anatomy_trees", "", "tree", columns)
}

/// The links that anybody was ever blocked for.
fn of_links(anatomy: &Anatomy, links: Links<'_>) -> Series {
    let (looks, every) = (anatomy.found.len() as f64, anatomy.every as f64);
    let waited: Vec<usize> = (0..anatomy.of_links.len()).filter(|&link| anatomy.of_links[link].demanded > 0).collect();
    let of = |name: &str, unit: &str, value: &dyn Fn(usize) -> f64| {
        column(name, unit, waited.iter().map(|&link| value(link)).collect())
    };
    let link = |link: usize| &anatomy.of_links[link];
    let columns = vec![
        of("router", "", &|at| f64::from(links.place(at).0)),
        of("port", "", &|at| links.place(at).1 as f64),
        of("heads", "packets", &|at| link(at).demand / looks),
        of("demanded", "share", &|at| link(at).demanded as f64 / looks),
        of("still", "share", &|at| link(at).still as f64 / looks),
        of("root", "share", &|at| link(at).root as f64 / looks),
        of("depth_mean", "links", &|at| link(at).branch.1 as f64 / link(at).branch.0 as f64),
        of("blocked", "packet-cycles", &|at| link(at).packets as f64 * every),
    ];
    rows("anatomy_links", "", "link", columns)
}

/// The worst culprits, then the worst victims that are not among them.
fn flows(anatomy: &Anatomy) -> Series {
    let mut flows = anatomy.flows.top(FLOWS, |roles| roles.culprit);
    for row in anatomy.flows.top(FLOWS, |roles| roles.victim) {
        if !flows.contains(&row) {
            flows.push(row);
        }
    }
    let every = anatomy.every as f64;
    let columns = vec![
        column("source", "", flows.iter().map(|(flow, _)| f64::from(flow.0)).collect()),
        column("destination", "", flows.iter().map(|(flow, _)| f64::from(flow.1)).collect()),
        column("culprit", "packet-cycles", flows.iter().map(|(_, roles)| roles.culprit as f64 * every).collect()),
        column("victim", "packet-cycles", flows.iter().map(|(_, roles)| roles.victim as f64 * every).collect()),
    ];
    rows("anatomy_flows", "", "flow", columns)
}

/// The directions, a row each.
fn speeds(dissected: &Dissected) -> Series {
    let speeds = &dissected.speeds;
    let of = |name: &str, unit: &str, value: fn(tailback_probes::anatomy::Speed) -> f64| {
        column(name, unit, speeds.iter().map(|speed| speed.map_or(f64::NAN, value)).collect())
    };
    let columns = vec![
        of("speed", "routers/cycle", |speed| speed.speed),
        of("correlation", "", |speed| speed.correlation),
        of("lag", "cycles", |speed| speed.lag as f64),
    ];
    rows("anatomy_speeds", "", "port", columns)
}
