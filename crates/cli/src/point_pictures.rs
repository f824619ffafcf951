//! Pictures of one point: what its probes describe, and the packets of a deadlock.

use crate::anatomy;
use crate::folder::Picture;
use crate::interrupt;
use crate::maps;
use crate::runner::Done;
use crate::time_series;
use crate::wait_pictures;
use tailback_network::layout::Layout;
use tailback_network::{Grid, Network};
use tailback_pictures::bars::Bars;
use tailback_pictures::film::Film;
use tailback_pictures::heat_map::{HeatMap, LinkValue, Values};
use tailback_pictures::network_map::{MOST_LINKS, NetworkMap};
use tailback_pictures::space_time::{Panel, SpaceTime};
use tailback_pictures::timeline::{Bar, Timeline};
use tailback_probes::picture::{self, Draw, Shade, Stand};
use tailback_probes::pictures as of_probes;
use tailback_results::Series as Table;
use tailback_sim::Diagnosis;

/// The picture of a deadlock, which no probe has.
const DEADLOCK: (&str, &str) = (
    "deadlock",
    "Packets that wait for each other for ever: an arrow is the link behind whose buffer the packet of that number waits, for \
     a buffer that the next one is in.",
);

/// More routers each way and links are averaged over their router.
const MOST_LINKED: usize = 128;

/// The kinds of pictures and what they show, for captions.
pub fn kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    of_probes().map(|picture| (picture.kind, picture.caption)).chain([DEADLOCK])
}

/// The pictures of a point, as far as its probes were on, and as far as there is time behind Ctrl-C. One that cannot be drawn is told
/// and left out.
pub fn pictures(done: &Done) -> Vec<Picture> {
    let deadlock = match &done.outcome.diagnosis {
        Diagnosis::Deadlocked(lock) => {
            Some(wait_pictures::deadlock(&done.prepared, done.outcome.record.cycles, lock)).map(|svg| (DEADLOCK, svg))
        }
        _ => None,
    };
    let in_time = of_probes().take_while(|_| !interrupt::is_late());
    let drawn = in_time.filter_map(|picture| Some(((picture.kind, picture.caption), draw(done, picture)?)));
    let mut pictures = Vec::new();
    for ((kind, caption), svg) in drawn.chain(deadlock) {
        match svg {
            Ok(svg) => {
                let name = format!("{}-{kind}", done.outcome.record.point_id);
                pictures.push(Picture { name, caption: caption.to_owned(), svg, csv: String::new() });
            }
            Err(why) => crate::show::note(&format!("no picture of {kind}: {why}")),
        }
    }
    pictures
}

/// Draws a picture of a probe; `None` where the run has nothing to show in it.
fn draw(done: &Done, picture: &picture::Picture) -> Option<Result<String, String>> {
    let (outcome, network) = (&done.outcome, done.prepared.network());
    let table = || Table::named(&outcome.series, picture.table).filter(|table| !table.x.is_empty());
    let shapeless = network.grid().is_none();
    // A map of a grid has two dimensions.
    let flat = || network.grid().filter(|grid| grid.dimensions() <= 2).zip(table());
    let drawn = match picture.draw {
        Draw::Lines(line) => Ok(time_series::lines(table()?, line)),
        Draw::Bars { title, label, unit, stand, bars } => {
            let picture::Bars { groups, bars } = bars(table()?)?;
            let (title, label, unit) = (title.to_owned(), label.to_owned(), unit.to_owned());
            Ok(Bars { title, label, unit, groups, bars, stacked: stand == Stand::Stacked }.svg())
        }
        Draw::Nodes(shade) if shapeless => {
            let values = by_node(network, table()?.column(shade.column)?);
            maps::routers(network, values, shade).svg().map_err(|e| e.to_string())
        }
        Draw::Nodes(shade) => {
            let (grid, table) = flat()?;
            node_map(grid, table.column(shade.column)?, shade).svg().map_err(|e| e.to_string())
        }
        Draw::Film { shade, every } => {
            let every = done.prepared.point().resolved.view("probes").u64(every);
            let film = match flat() {
                Some((grid, table)) => film(grid, table, shade, every)?,
                None if shapeless => free_film(network, table()?, shade, every)?,
                None => return None,
            };
            film.svg().map_err(|e| e.to_string())
        }
        Draw::Links(shade) if shapeless => free_link_map(network, table()?, shade)?.svg().map_err(|e| e.to_string()),
        Draw::Links(shade) => {
            let (grid, table) = flat()?;
            link_map(grid, table, shade)?.svg().map_err(|e| e.to_string())
        }
        Draw::Ranks => Ok(ranks(table()?).svg()),
        Draw::SpaceTime => space_time(done, outcome.space_time.as_ref()?).svg().map_err(|e| e.to_string()),
        Draw::Trees => anatomy::map(done, outcome.anatomy.as_ref()?)?,
    };
    Some(drawn)
}

/// What every rank does over time, from the table of operations.
fn ranks(table: &Table) -> Timeline {
    let column = |name: &str| table.column(name).unwrap_or_default();
    let (rank, kind) = (column("rank"), column("kind"));
    let (ready, started, finished) = (column("ready"), column("started"), column("finished"));
    let bar = |at: usize| {
        // A send, a receive, a computation.
        let (kind, from) = match kind[at] as u32 {
            0 => (1, started[at]),
            1 => (2, ready[at]),
            _ => (0, started[at]),
        };
        Bar { row: rank[at] as usize, kind, from, to: finished[at] }
    };
    let bars: Vec<Bar> = (0..table.x.len()).map(bar).filter(|bar| bar.to > bar.from).collect();
    Timeline {
        title: "What ranks do".to_owned(),
        row: "Rank".to_owned(),
        rows: rank.iter().fold(0.0_f64, |most, &rank| most.max(rank)) as usize + 1,
        unit: "cycles".to_owned(),
        end: finished.iter().copied().filter(|cycle| cycle.is_finite()).fold(1.0, f64::max),
        kinds: ["computes", "sends", "waits for a message"].map(str::to_owned).to_vec(),
        bars,
    }
}

/// The value of every router in each window; `None` where no window is whole.
fn film(grid: &Grid, table: &Table, shade: Shade, every: u64) -> Option<Film> {
    let (columns, rows) = map_size(grid);
    let frames: Vec<Vec<f64>> = table.column(shade.column)?.chunks(columns * rows).map(<[f64]>::to_vec).collect();
    let (title, label, unit) = words(shade);
    Some(Film { title, label, unit, columns, rows, from: *table.x.first()?, every: every as f64, frames, plan: None })
}

/// The same in a network without a grid.
fn free_film(network: &Network, table: &Table, shade: Shade, every: u64) -> Option<Film> {
    let routers = network.routers();
    let frames: Vec<Vec<f64>> = table.column(shade.column)?.chunks(routers).map(<[f64]>::to_vec).collect();
    let (title, label, unit) = words(shade);
    let plan = Some(maps::plan(&Layout::new(network)));
    Some(Film {
        title,
        label,
        unit,
        columns: routers,
        rows: 1,
        from: *table.x.first()?,
        every: every as f64,
        frames,
        plan,
    })
}

/// The mean over the nodes of each router; none where it has none.
fn by_node(network: &Network, values: &[f64]) -> Vec<f64> {
    let mean = |router: u32| {
        let of_router = network.seats().of(router).filter_map(|(_, node)| values.get(node as usize));
        of_router.sum::<f64>() / f64::from(network.nodes_at(router))
    };
    (0..network.routers() as u32).map(mean).collect()
}

/// A value for each link as a map, or for each router where there are too many links.
fn free_link_map(network: &Network, table: &Table, shade: Shade) -> Option<NetworkMap> {
    if network.links() <= MOST_LINKS {
        return maps::links(network, table, shade);
    }
    let links = table.column("router")?.iter().zip(table.column(shade.column)?);
    let links = links.map(|(&router, &value)| (router as usize, value));
    Some(maps::routers(network, mean_by_router(links, network.routers()), shade))
}

/// A value for each node as a map, averaged over the nodes of a router.
fn node_map(grid: &Grid, values: &[f64], shade: Shade) -> HeatMap {
    let nodes = grid.nodes_per_router() as usize;
    let routers = values.chunks(nodes).map(|of_router| of_router.iter().sum::<f64>() / nodes as f64);
    map(grid, shade, Values::Routers(routers.collect()))
}

/// A value for each link as a map; `None` where the table has none.
fn link_map(grid: &Grid, table: &Table, shade: Shade) -> Option<HeatMap> {
    let (columns, rows) = map_size(grid);
    let ends = table.column("router")?.iter().zip(table.column("port")?);
    let links = ends.zip(table.column(shade.column)?);
    let values = if columns.max(rows) <= MOST_LINKED {
        let link = |((&router, &port), &value): ((&f64, &f64), &f64)| LinkValue {
            from: router as usize,
            to: grid.peer(router as u32, port as usize) as usize,
            value,
        };
        Values::Links(links.map(link).collect())
    } else {
        Values::Routers(mean_by_router(links.map(|((&router, _), &value)| (router as usize, value)), grid.routers()))
    };
    Some(map(grid, shade, values))
}

fn mean_by_router(links: impl Iterator<Item = (usize, f64)>, routers: usize) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); routers];
    for (router, value) in links {
        let (sum, count) = &mut sums[router];
        *sum += value;
        *count += 1.0;
    }
    sums.into_iter().map(|(sum, count)| sum / count).collect()
}

/// Columns and rows of the map of a network of one or two dimensions.
fn map_size(grid: &Grid) -> (usize, usize) {
    let radix = grid.radix();
    (radix[0] as usize, radix.get(1).map_or(1, |&rows| rows as usize))
}

/// Title, label and unit of a map.
fn words(Shade { title, label, unit, .. }: Shade) -> (String, String, String) {
    (title.to_owned(), label.to_owned(), unit.to_owned())
}

fn map(grid: &Grid, shade: Shade, values: Values) -> HeatMap {
    let ((columns, rows), (title, label, unit)) = (map_size(grid), words(shade));
    HeatMap { title, label, unit, columns, rows, values, range: None }
}

fn space_time(done: &Done, chart: &tailback_probes::SpaceTime) -> SpaceTime {
    let panels = chart.panels.iter().map(|p| Panel { name: p.name.to_owned(), width: p.width() });
    let cycles = chart.panels.iter().map(|p| p.cells.len() / p.width().max(1)).min().unwrap_or(0);
    let row = |cycle: usize| {
        let cells =
            |p: &tailback_probes::space_time::Panel| p.cells[cycle * p.width()..(cycle + 1) * p.width()].to_vec();
        chart.panels.iter().flat_map(cells).map(u32::from).collect()
    };
    SpaceTime {
        title: "Full input buffers".to_owned(),
        virtual_channels: done.prepared.channels(),
        first_cycle: chart.first_cycle(),
        panels: panels.collect(),
        rows: (0..cycles).map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn a_kind_of_picture_has_one_caption() {
        let kinds: Vec<&str> = super::kinds().map(|(kind, _)| kind).collect();
        assert_eq!(kinds.iter().collect::<BTreeSet<_>>().len(), kinds.len(), "{kinds:?}");
    }
}
