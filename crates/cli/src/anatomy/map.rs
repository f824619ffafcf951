//! The anatomy on the network's map.

use crate::maps;
use crate::runner::Done;
use tailback_network::layout::{Layout, Line};
use tailback_network::{Grid, Network};
use tailback_pictures::congestion_map::{CongestionMap, Root, Tree};
use tailback_pictures::heat_map::LinkValue;
use tailback_pictures::network_map::{Spot, Tree as FreeTree, TreeMap};
use tailback_probes::anatomy::{Anatomy, Links};
use tailback_sim::Dissected;

/// The map, or why it cannot be drawn; `None` where there is nothing to draw.
pub fn map(done: &Done, dissected: &Dissected) -> Option<Result<String, String>> {
    let (network, anatomy) = (done.prepared.network(), &dissected.anatomy);
    if anatomy.found.is_empty() {
        return None;
    }
    let Some(grid) = network.grid() else {
        return Some(free(network, anatomy).svg().map_err(|error| error.to_string()));
    };
    if grid.dimensions() > 2 {
        return Some(Err(format!("a map has two dimensions, this network has {}", grid.dimensions())));
    }
    Some(picture(network, grid, anatomy).svg().map_err(|error| error.to_string()))
}

const TITLE: &str = "Congestion trees";

/// The same in a network without a grid.
fn free(network: &Network, anatomy: &Anatomy) -> TreeMap {
    let (layout, links, looks) = (Layout::new(network), Links::new(network), anatomy.found.len() as f64);
    let spot = |link: usize| {
        let (router, port) = links.place(link);
        match links.node(router, port) {
            Some(_) => Some(Spot::Router(router as usize)),
            None => layout.link(router, port).map(Spot::Link),
        }
    };
    let line = |line: &Line| anatomy.of_links[links.at(line.from, line.port as usize)].still as f64 / looks;
    let roots = anatomy.longest_roots().into_iter();
    let roots = roots.filter_map(|link| Some((spot(link)?, anatomy.of_links[link].root as f64 / looks)));
    let tree = |branches: &[&(u32, u32, u32)]| {
        let of_link = |spot: Spot| if let Spot::Link(line) = spot { Some(line) } else { None };
        let lines = branches.iter().filter_map(|(link, _, depth)| Some((of_link(spot(*link as usize)?)?, *depth)));
        Some(FreeTree { root: spot(branches[0].1 as usize)?, branches: lines.collect() })
    };
    let mut trees: Vec<FreeTree> =
        by_root(&anatomy.fullest.branches).iter().filter_map(|of_root| tree(of_root)).collect();
    trees.sort_by_key(|tree| std::cmp::Reverse(tree.branches.len()));
    TreeMap {
        title: TITLE.to_owned(),
        plan: maps::plan(&layout),
        still: layout.links.iter().map(line).collect(),
        roots: roots.collect(),
        moment: moment(anatomy),
        trees,
    }
}

/// The moment with most packets blocked in trees, in words.
fn moment(anatomy: &Anatomy) -> String {
    let fullest = &anatomy.fullest;
    match fullest.packets {
        0 => "no tree at any time".to_owned(),
        packets => format!("cycle {}: {packets} packets blocked in trees", fullest.cycle),
    }
}

/// The branches of each root.
fn by_root(branches: &[(u32, u32, u32)]) -> Vec<Vec<&(u32, u32, u32)>> {
    let mut by_root: Vec<&(u32, u32, u32)> = branches.iter().collect();
    by_root.sort_by_key(|(link, root, _)| (*root, *link));
    by_root.chunk_by(|a, b| a.1 == b.1).map(<[_]>::to_vec).collect()
}

fn picture(network: &Network, grid: &Grid, anatomy: &Anatomy) -> CongestionMap {
    let (links, looks) = (Links::new(network), anatomy.found.len() as f64);
    let exists = |&link: &usize| ends(links, link).is_some_and(|(_, to)| to.is_some());
    let still = (0..links.count()).filter(exists).filter_map(|link| {
        let (from, to) = ends(links, link)?;
        Some(LinkValue { from, to: to?, value: anatomy.of_links[link].still as f64 / looks })
    });
    let roots = anatomy.longest_roots().into_iter();
    let roots = roots.filter_map(|link| root(links, link, anatomy.of_links[link].root as f64 / looks));
    CongestionMap {
        title: TITLE.to_owned(),
        columns: grid.radix()[0] as usize,
        rows: grid.radix().get(1).map_or(1, |&rows| rows as usize),
        still: still.collect(),
        roots: roots.collect(),
        moment: moment(anatomy),
        trees: trees(links, &anatomy.fullest.branches),
    }
}

/// The routers at both ends of a link; the other end is none for a node's. `None` for a link that a mesh lacks.
fn ends(links: Links<'_>, link: usize) -> Option<(usize, Option<usize>)> {
    let (router, port) = links.place(link);
    if port >= links.network_ports() {
        return Some((router as usize, None));
    }
    links.ahead(router, port).map(|to| (router as usize, Some(to.router as usize)))
}

fn root(links: Links<'_>, link: usize, share: f64) -> Option<Root> {
    ends(links, link).map(|(router, to)| Root { router, to, share })
}

/// The trees of a moment, the largest first.
fn trees(links: Links<'_>, branches: &[(u32, u32, u32)]) -> Vec<Tree> {
    let by_root = by_root(branches);
    let tree = |branches: &[&(u32, u32, u32)]| {
        let ends = branches.iter().filter_map(|(link, _, depth)| {
            let (from, to) = ends(links, *link as usize)?;
            Some((from, to?, *depth))
        });
        Some(Tree { root: root(links, branches[0].1 as usize, 0.0)?, branches: ends.collect() })
    };
    let mut trees: Vec<Tree> = by_root.iter().filter_map(|of_root| tree(of_root)).collect();
    trees.sort_by_key(|tree| std::cmp::Reverse(tree.branches.len()));
    trees
}
