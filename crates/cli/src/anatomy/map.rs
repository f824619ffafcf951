//! The anatomy on the network's map.

use crate::runner::Done;
use tailback_network::Grid;
use tailback_pictures::congestion_map::{CongestionMap, Root, Tree};
use tailback_pictures::heat_map::LinkValue;
use tailback_probes::anatomy::{Anatomy, Links};
use tailback_sim::Dissected;

/// The map, or why it cannot be drawn; `None` where there is nothing to draw.
pub fn map(done: &Done, dissected: &Dissected) -> Option<Result<String, String>> {
    let (grid, anatomy) = (done.prepared.grid(), &dissected.anatomy);
    if anatomy.found.is_empty() {
        return None;
    }
    if grid.dimensions() > 2 {
        return Some(Err(format!("a map has two dimensions, this network has {}", grid.dimensions())));
    }
    Some(picture(grid, anatomy).svg().map_err(|error| error.to_string()))
}

fn picture(grid: &Grid, anatomy: &Anatomy) -> CongestionMap {
    let (links, looks) = (Links { grid }, anatomy.found.len() as f64);
    let exists = |&link: &usize| ends(links, link).is_some_and(|(_, to)| to.is_some());
    let still = (0..links.count()).filter(exists).filter_map(|link| {
        let (from, to) = ends(links, link)?;
        Some(LinkValue { from, to: to?, value: anatomy.of_links[link].still as f64 / looks })
    });
    let roots = anatomy.longest_roots().into_iter();
    let roots = roots.filter_map(|link| root(links, link, anatomy.of_links[link].root as f64 / looks));
    let fullest = &anatomy.fullest;
    CongestionMap {
        title: "Congestion trees".to_owned(),
        columns: grid.radix()[0] as usize,
        rows: grid.radix().get(1).map_or(1, |&rows| rows as usize),
        still: still.collect(),
        roots: roots.collect(),
        moment: match fullest.packets {
            0 => "no tree at any time".to_owned(),
            packets => format!("cycle {}: {packets} packets blocked in trees", fullest.cycle),
        },
        trees: trees(links, &fullest.branches),
    }
}

/// The routers at both ends of a link; the other end is none for a node's. `None` for a link that a mesh lacks.
fn ends(links: Links<'_>, link: usize) -> Option<(usize, Option<usize>)> {
    let (router, port) = links.place(link);
    if port >= links.grid.ports() {
        return Some((router as usize, None));
    }
    let peer = links.grid.peer(router, port);
    (peer != tailback_network::NONE).then_some((router as usize, Some(peer as usize)))
}

fn root(links: Links<'_>, link: usize, share: f64) -> Option<Root> {
    ends(links, link).map(|(router, to)| Root { router, to, share })
}

/// The trees of a moment, the largest first.
fn trees(links: Links<'_>, branches: &[(u32, u32, u32)]) -> Vec<Tree> {
    let mut by_root: Vec<&(u32, u32, u32)> = branches.iter().collect();
    by_root.sort_by_key(|(link, root, _)| (*root, *link));
    let of_root = by_root.chunk_by(|a, b| a.1 == b.1);
    let tree = |branches: &[&(u32, u32, u32)]| {
        let ends = branches.iter().filter_map(|(link, _, depth)| {
            let (from, to) = ends(links, *link as usize)?;
            Some((from, to?, *depth))
        });
        Some(Tree { root: root(links, branches[0].1 as usize, 0.0)?, branches: ends.collect() })
    };
    let mut trees: Vec<Tree> = of_root.filter_map(tree).collect();
    trees.sort_by_key(|tree| std::cmp::Reverse(tree.branches.len()));
    trees
}
