//! Tables of places: links, directions with their virtual channels, nodes.

use crate::outcome::LinkUse;
use crate::prepare::Prepared;
use tailback_probes::levels::direction_name;
use tailback_probes::{ChannelOccupancy, LinkLoad, NodeLoad, Tree};
use tailback_results::Series;
use tailback_results::series::SeriesColumn;

/// Use of every link that exists in a window of `cycles`.
pub(crate) fn link_map(prepared: &Prepared, links: &LinkLoad, cycles: u64) -> Vec<LinkUse> {
    let network = prepared.network();
    let channels = prepared.router.channels() as usize;
    let mut map = Vec::with_capacity(network.links());
    for router in 0..network.routers() as u32 {
        for (port, link) in network.links_of(router) {
            let share = |c| links.flits(router, port, c) as f64 / cycles.max(1) as f64;
            map.push(LinkUse {
                router,
                port,
                name: match network.grid() {
                    Some(_) => direction_name(port),
                    None => format!("to {}", link.to.router),
                },
                utilisation: links.utilisation(router, port, cycles.max(1)),
                channels: (0..channels).map(share).collect(),
            });
        }
    }
    map
}

/// The links, a row each.
pub(crate) fn links(map: &[LinkUse]) -> Series {
    let mut columns = vec![
        column("router", "", map.iter().map(|l| f64::from(l.router)).collect()),
        column("port", "", map.iter().map(|l| l.port as f64).collect()),
        column("utilisation", "share", map.iter().map(|l| l.utilisation).collect()),
    ];
    for c in 0..map.first().map_or(0, |l| l.channels.len()) {
        columns.push(column(format!("vc{c}"), "share", map.iter().map(|l| l.channels[c]).collect()));
    }
    table("links", "share", "link", columns)
}

/// The virtual channels of every direction, a row each: mean over the buffers, and over the links, of that direction.
/// `None` where neither was watched.
pub(crate) fn channels(
    prepared: &Prepared,
    occupancy: Option<&ChannelOccupancy>,
    links: Option<&[LinkUse]>,
) -> Option<Series> {
    // Only the ports of a grid have a direction.
    let grid = prepared.network().grid()?;
    let (ports, channels) = (grid.ports(), prepared.router.channels() as usize);
    let rows = || (0..ports).flat_map(|port| (0..channels).map(move |channel| (port, channel)));
    let used = |port: usize, channel: usize| {
        let of_port = || links.unwrap_or_default().iter().filter(|link| link.port == port);
        of_port().map(|link| link.channels[channel]).sum::<f64>() / of_port().count() as f64
    };
    let mut columns = vec![
        column("port", "", rows().map(|(port, _)| port as f64).collect()),
        column("channel", "", rows().map(|(_, channel)| channel as f64).collect()),
    ];
    if let Some(occupancy) = occupancy {
        let mean = |(port, channel)| occupancy.mean(port, channel).unwrap_or(f64::NAN);
        columns.push(column("occupancy", "flits", rows().map(mean).collect()));
    }
    if links.is_some() {
        let utilisation = rows().map(|(port, channel)| used(port, channel)).collect();
        columns.push(column("utilisation", "flits/link/cycle", utilisation));
    }
    (columns.len() > 2).then(|| table("channels", "", "row", columns))
}

/// The nodes, a row each, in a window of `cycles`.
pub(crate) fn nodes(load: &NodeLoad, waits: &[u64], cycles: u64) -> Series {
    let per_cycle = |flits: &[u64]| flits.iter().map(|&flits| flits as f64 / cycles.max(1) as f64).collect();
    let columns = vec![
        column("sent", "flits/cycle", per_cycle(load.sent())),
        column("received", "flits/cycle", per_cycle(load.received())),
        column("longest_wait", "cycles", waits.iter().map(|&wait| wait as f64).collect()),
    ];
    table("nodes", "", "node", columns)
}

/// The congestion trees, a row each.
pub(crate) fn trees(trees: &[Tree]) -> Series {
    let of = |name: &str, unit: &str, value: &dyn Fn(&Tree) -> u32| {
        column(name, unit, trees.iter().map(|tree| f64::from(value(tree))).collect())
    };
    let columns = vec![
        of("router", "", &|tree| tree.router),
        of("port", "", &|tree| u32::from(tree.port)),
        of("ingress", "queues", &|tree| tree.queues[0]),
        of("egress", "queues", &|tree| tree.queues[1]),
        of("adapter", "queues", &|tree| tree.queues[2]),
        of("distance", "switches", &|tree| tree.distance),
    ];
    table("congestion_trees", "", "tree", columns)
}

pub(crate) fn column(name: impl Into<String>, unit: &str, values: Vec<f64>) -> SeriesColumn {
    SeriesColumn { name: name.into(), unit: unit.into(), values }
}

/// A table over the numbers of its rows.
pub(crate) fn table(name: &str, unit: &str, row: &str, columns: Vec<SeriesColumn>) -> Series {
    let rows = columns.first().map_or(0, |column| column.values.len());
    Series {
        name: name.into(),
        unit: unit.into(),
        x_name: row.into(),
        x_unit: String::new(),
        x: (0..rows).map(|row| row as f64).collect(),
        columns,
    }
}
