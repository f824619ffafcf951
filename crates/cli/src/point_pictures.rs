//! Pictures of one point: space-time charts, the map of links, congestion over time.

use crate::folder::Picture;
use crate::runner::Done;
use crate::time_series;
use tailback_pictures::heat_map::{HeatMap, LinkValue, Values};
use tailback_pictures::space_time::{Panel, SpaceTime};
use tailback_sim::{LinkUse, Prepared};

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
];

/// More routers each way and links are averaged over their router.
const MOST_LINKED: u32 = 128;

/// The pictures of a point, as far as its probes were on. One that cannot be drawn is told and left out.
pub fn pictures(done: &Done) -> Vec<Picture> {
    let mut pictures = Vec::new();
    let mut add = |kind: usize, svg: Result<String, String>| match svg {
        Ok(svg) => {
            let name = format!("{}-{}", done.outcome.record.point_id, KINDS[kind].0);
            pictures.push(Picture { name, caption: KINDS[kind].1.to_owned(), svg });
        }
        Err(why) => crate::show::note(&format!("no picture of {}: {why}", KINDS[kind].0)),
    };
    if let Some(chart) = &done.outcome.space_time {
        add(0, space_time(done, chart).svg().map_err(|e| e.to_string()));
    }
    if let Some(links) = &done.outcome.link_map
        && done.prepared.grid().dimensions() <= 2
    {
        add(1, link_map(&done.prepared, links).svg().map_err(|e| e.to_string()));
    }
    if let Some(table) = done.outcome.series.iter().find(|s| s.name == "congestion" && !s.x.is_empty()) {
        add(2, Ok(time_series::congestion(table).svg()));
    }
    pictures
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
    let radix = grid.radix();
    let (columns, rows) = (radix[0], radix.get(1).copied().unwrap_or(1));
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
    HeatMap {
        title: "Link utilisation".to_owned(),
        label: "Utilisation".to_owned(),
        unit: "share of cycles".to_owned(),
        columns: columns as usize,
        rows: rows as usize,
        values,
        range: None,
    }
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
