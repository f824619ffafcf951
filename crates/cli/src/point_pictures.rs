//! Pictures of one point: space-time charts, maps of links and nodes, congestion and occupancy over time.

use crate::anatomy;
use crate::folder::Picture;
use crate::latency_split;
use crate::runner::Done;
use crate::time_series;
use crate::wait_pictures;
use tailback_pictures::bars::Bars;
use tailback_pictures::chart::grid;
use tailback_pictures::film::Film;
use tailback_pictures::heat_map::{HeatMap, LinkValue, Values};
use tailback_pictures::space_time::{Panel, SpaceTime};
use tailback_probes::levels::direction_name;
use tailback_results::Series as Table;
use tailback_sim::{Diagnosis, LinkUse, Prepared};

/// The kinds of pictures and what they show, for captions.
pub const KINDS: &[(&str, &str)] = &[
    (
        "space-time",
        "Full input buffers over time, which runs downwards: a cell is one router in one cycle, coloured by the virtual \
         channels whose buffer is full there (white: none). Panels are directions of travel, N and S along one column of \
         routers, E and W along one row. Congestion is a growing patch; its slope is the speed at which it spreads.",
    ),
    ("links", "Use of every link in the measured window: the share of cycles in which it carried a flit."),
    (
        "congestion",
        "Full input buffers of the whole network at the end of every window, the throttle's estimate of them and the \
         threshold that it compares it with, where it has these, and the load that arrived.",
    ),
    (
        "channel-occupancy",
        "Flits in a buffer over time, a panel for each virtual channel: the mean over all buffers of a direction, in windows.",
    ),
    (
        "channel-use",
        "Use of the virtual channels in the measured window: flits per cycle and link, the mean over all links of a direction.",
    ),
    ("injection-queues", "Packets in an injection queue over time: the mean over all nodes, in windows."),
    ("sources", "Throughput by source in the measured window: flits delivered of those that each node sent."),
    ("destinations", "Throughput by destination in the measured window: flits that each node received."),
    (
        "waits",
        "Starvation: the longest time that a packet stood at the front of an injection queue of each node, those that still \
         wait included.",
    ),
    (
        "set-aside",
        "Set-aside queues over time, by kind of side: those in use in the whole network, the mean over each window; and most \
         of them at one side.",
    ),
    (
        "deadlock",
        "Packets that wait for each other for ever: an arrow is the link behind whose buffer the packet of that number waits, for \
         a buffer that the next one is in.",
    ),
    (
        "load-map",
        "Load of the network over time: the flits that leave each router over its links, the mean over all windows; in the report, \
         the map of every window.",
    ),
    (
        "latency-split",
        "Where the time goes: the mean of each part of the latency of the packets made in the measured window, by the links that \
         they crossed.",
    ),
    (
        "anatomy",
        "Congestion trees. Left: the share of looks at which each link stood still because there was no room behind it (grey: \
         never), and as dots the roots, a link's or a router's nodes, of an area by the time in which others stood still for them. \
         Right, the moment at which most packets were blocked: every tree in a colour of its own, those beyond the six largest \
         grey; a number counts the links that stand still one behind the other up to the root, the dot.",
    ),
];

/// Maps of nodes: the kind of picture, its column of the table `nodes`, title, label and unit.
const MAPS: &[(&str, &str, &str, &str, &str)] = &[
    ("sources", "sent", "Throughput by source", "Delivered", "flits/node/cycle"),
    ("destinations", "received", "Throughput by destination", "Received", "flits/node/cycle"),
    ("waits", "longest_wait", "Longest wait at the front of an injection queue", "Wait", "cycles"),
];

/// More routers each way and links are averaged over their router.
const MOST_LINKED: usize = 128;

/// The pictures of a point, as far as its probes were on. One that cannot be drawn is told and left out.
pub fn pictures(done: &Done) -> Vec<Picture> {
    let mut pictures = Vec::new();
    let mut add = |kind: &str, svg: Result<String, String>| match svg {
        Ok(svg) => {
            let (_, caption) = KINDS.iter().find(|(name, _)| *name == kind).expect("every kind is listed");
            let name = format!("{}-{kind}", done.outcome.record.point_id);
            pictures.push(Picture { name, caption: (*caption).to_owned(), svg, csv: String::new() });
        }
        Err(why) => crate::show::note(&format!("no picture of {kind}: {why}")),
    };
    if let Some(chart) = &done.outcome.space_time {
        add("space-time", space_time(done, chart).svg().map_err(|e| e.to_string()));
    }
    let flat = done.prepared.network().grid().is_some_and(|grid| grid.dimensions() <= 2);
    if let Some(links) = done.outcome.link_map.as_ref().filter(|_| flat) {
        add("links", link_map(&done.prepared, links).svg().map_err(|e| e.to_string()));
    }
    let table = |name: &str| Table::named(&done.outcome.series, name).filter(|table| !table.x.is_empty());
    if let Some(table) = table("congestion") {
        add("congestion", Ok(time_series::congestion(table).svg()));
    }
    if let Some(table) = table("channel_occupancy") {
        add("channel-occupancy", Ok(grid(&time_series::occupancy(table), 3)));
    }
    if let Some(bars) = table("channels").and_then(channel_use) {
        add("channel-use", Ok(bars.svg()));
    }
    if let Some(table) = table("injection_queues") {
        add("injection-queues", Ok(time_series::injection(table).svg()));
    }
    if let Some(table) = table("set_aside") {
        add("set-aside", Ok(grid(&time_series::set_aside(table), 2)));
    }
    if let Diagnosis::Deadlocked(lock) = &done.outcome.diagnosis {
        add("deadlock", wait_pictures::deadlock(&done.prepared, done.outcome.record.cycles, lock));
    }
    if let Some(film) = table("load_map").filter(|_| flat).and_then(|table| load_film(&done.prepared, table)) {
        add("load-map", film.svg().map_err(|e| e.to_string()));
    }
    if let Some(table) = table("latency_split_by_hops") {
        add("latency-split", Ok(latency_split::bars(table).svg()));
    }
    if let Some(map) = done.outcome.anatomy.as_ref().and_then(|dissected| anatomy::map(done, dissected)) {
        add("anatomy", map);
    }
    for &(kind, column, title, label, unit) in MAPS {
        let values = table("nodes").filter(|_| flat).and_then(|table| table.column(column));
        if let Some(values) = values {
            let map = node_map(&done.prepared, values, (title, label, unit));
            add(kind, map.svg().map_err(|e| e.to_string()));
        }
    }
    pictures
}

/// A group for each direction, a bar for each virtual channel; `None` where links were not watched.
fn channel_use(table: &Table) -> Option<Bars> {
    let utilisation = table.column("utilisation")?;
    let ports = table.column("port")?.iter().fold(0.0, |most: f64, &port| most.max(port)) as usize + 1;
    let channels = utilisation.len() / ports;
    let of_channel =
        |channel: usize| (0..ports).map(|port| utilisation[port * channels + channel]).collect::<Vec<f64>>();
    Some(Bars {
        title: "Use of virtual channels".to_owned(),
        label: "Utilisation".to_owned(),
        unit: "flits/link/cycle".to_owned(),
        groups: (0..ports).map(direction_name).collect(),
        bars: (0..channels).map(|channel| (format!("channel {channel}"), of_channel(channel))).collect(),
        stacked: false,
    })
}

/// The load of every router in each window; `None` where no window is whole.
fn load_film(prepared: &Prepared, table: &Table) -> Option<Film> {
    let (columns, rows) = map_size(prepared);
    let frames: Vec<Vec<f64>> = table.column("load")?.chunks(columns * rows).map(<[f64]>::to_vec).collect();
    let from = *table.x.first()?;
    // The length of a window, also where there is but one.
    let every = table
        .x
        .get(columns * rows)
        .map_or(prepared.point().resolved.view("probes").u64("load_map_every_cycles") as f64, |x| x - from);
    let (title, label, unit) = ("Load over time".to_owned(), "Load".to_owned(), "flits/link/cycle".to_owned());
    Some(Film { title, label, unit, columns, rows, from, every, frames })
}

/// A value for each node as a map, averaged over the nodes of a router.
fn node_map(prepared: &Prepared, values: &[f64], (title, label, unit): (&str, &str, &str)) -> HeatMap {
    let nodes = prepared.grid().nodes_per_router() as usize;
    let routers = values.chunks(nodes).map(|of_router| of_router.iter().sum::<f64>() / nodes as f64);
    map(prepared, (title, label, unit), Values::Routers(routers.collect()))
}

/// Columns and rows of the map of a network of one or two dimensions.
fn map_size(prepared: &Prepared) -> (usize, usize) {
    let radix = prepared.grid().radix();
    (radix[0] as usize, radix.get(1).map_or(1, |&rows| rows as usize))
}

fn map(prepared: &Prepared, (title, label, unit): (&str, &str, &str), values: Values) -> HeatMap {
    let (columns, rows) = map_size(prepared);
    let (title, label, unit) = (title.to_owned(), label.to_owned(), unit.to_owned());
    HeatMap { title, label, unit, columns, rows, values, range: None }
}

fn space_time(done: &Done, chart: &tailback_probes::SpaceTime) -> SpaceTime {
    let router = done.prepared.point().resolved.view("router");
    let panels = chart.panels.iter().map(|p| Panel { name: p.name.to_owned(), width: p.width() });
    let cycles = chart.panels.iter().map(|p| p.cells.len() / p.width().max(1)).min().unwrap_or(0);
    let row = |cycle: usize| {
        let cells =
            |p: &tailback_probes::space_time::Panel| p.cells[cycle * p.width()..(cycle + 1) * p.width()].to_vec();
        chart.panels.iter().flat_map(cells).map(u32::from).collect()
    };
    SpaceTime {
        title: "Full input buffers".to_owned(),
        virtual_channels: router.u32("virtual_channels"),
        first_cycle: chart.first_cycle(),
        panels: panels.collect(),
        rows: (0..cycles).map(row).collect(),
    }
}

fn link_map(prepared: &Prepared, links: &[LinkUse]) -> HeatMap {
    let grid = prepared.grid();
    let (columns, rows) = map_size(prepared);
    let values = if columns.max(rows) <= MOST_LINKED {
        let link = |l: &LinkUse| LinkValue {
            from: l.router as usize,
            to: grid.peer(l.router, l.port) as usize,
            value: l.utilisation,
        };
        Values::Links(links.iter().map(link).collect())
    } else {
        Values::Routers(mean_by_router(links, grid.routers()))
    };
    map(prepared, ("Link utilisation", "Utilisation", "share of cycles"), values)
}

fn mean_by_router(links: &[LinkUse], routers: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); routers];
    for link in links {
        let (sum, count) = &mut sums[link.router as usize];
        *sum += link.utilisation;
        *count += 1.0;
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::series::SeriesColumn;

    #[test]
    fn every_direction_is_a_group_and_every_channel_a_bar() {
        let column = |name: &str, values: &[f64]| SeriesColumn {
            name: name.to_owned(),
            unit: String::new(),
            values: values.to_vec(),
        };
        let mut table = Table {
            name: "channels".to_owned(),
            unit: String::new(),
            x_name: "row".to_owned(),
            x_unit: String::new(),
            x: vec![0.0, 1.0, 2.0, 3.0],
            columns: vec![column("port", &[0.0, 0.0, 1.0, 1.0]), column("utilisation", &[0.1, 0.2, 0.3, 0.4])],
        };
        let bars = channel_use(&table).unwrap();
        assert_eq!(bars.groups, ["x+", "x-"]);
        assert_eq!(bars.bars, [("channel 0".to_owned(), vec![0.1, 0.3]), ("channel 1".to_owned(), vec![0.2, 0.4])]);
        table.columns.pop();
        assert!(channel_use(&table).is_none(), "links were not watched");
    }
}
