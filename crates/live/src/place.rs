//! Where routers and links stand on the page. The distance between neighbours is 1; y goes up.
//!
//! A link is drawn in pieces: one as a rule, and two where it leads round the edge of a torus, half of it at either side. Grids of
//! more than two dimensions are tiles of tiles: the first two dimensions of an order lie inside. Networks without a grid stand where their
//! pictures have them (`tailback_network::layout`). Links from group to group are bundled where there are many groups, and so are links
//! between the cells of pods; a bundle and its links have pieces each, and the page draws the ones or the others.

use crate::matrix;
use std::collections::BTreeMap;
use tailback_network::family;
use tailback_network::graph::LinkKind;
use tailback_network::layout::{self, Layout};
use tailback_network::{Grid, Network};
use tailback_spec::View;

/// Everything with its place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Places {
    /// Of each router, where it stands.
    pub routers: Vec<[f32; 2]>,
    /// Of each link, the routers that it leads from and to, and the port.
    pub links: Vec<[u32; 3]>,
    /// Of each piece: both ends, the two points that it bends to, its link, the part of the link that it is, and whether it bends. Beyond the
    /// links are the bundles, whose links have pieces of their own, too.
    pub pieces: Vec<[f32; 12]>,
    /// Links that are drawn as one.
    pub bundles: Bundles,
    /// Routers in each dimension, of a torus or mesh, twisted or not.
    pub radix: Option<Vec<u32>>,
    /// Width of a lane, where the distance between neighbours is 1.
    pub lane: f32,
}

/// Links that are drawn as one, until somebody zooms in: its use is their mean, its queue the worst of theirs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bundles {
    /// How many there are.
    pub count: usize,
    /// Of each link its bundle, or [`NO_BUNDLE`]; empty where there are none.
    pub of: Vec<u32>,
}

/// Stands for the bundle of a link that is drawn by itself.
pub const NO_BUNDLE: u32 = u32::MAX;

/// From so many groups on the links between two of them are bundled.
const GROUPS: usize = 33;

/// Between tiles.
pub(crate) const GAP: f32 = 1.5;

impl Places {
    /// Those of a network, which is that of a `topology` section. Every torus or mesh stands as its grid does, twisted or not.
    pub fn new(network: &Network, topology: View) -> Places {
        let grid = on_grid(network, topology);
        grid.map_or_else(
            || matrix::places(network, topology).unwrap_or_else(|| laid_out(network)),
            |grid| grid_places(network, &grid, &in_order(grid.radix().len(), &[])),
        )
    }

    /// The same with other dimensions inside the tiles, the first of them to the right; `None` where there are no such tiles.
    pub fn turned(network: &Network, topology: View, inside: [usize; 2]) -> Option<Places> {
        let grid = on_grid(network, topology)?;
        let count = grid.radix().len();
        let fits = count > 2 && inside[0] != inside[1] && inside.iter().all(|&dimension| dimension < count);
        fits.then(|| grid_places(network, &grid, &in_order(count, &inside)))
    }

    /// Of each link the dimension along which it leads, in a grid.
    pub fn dimensions(&self) -> Vec<usize> {
        self.links.iter().map(|link| link[2] as usize / 2).collect()
    }
}

/// The grid on which all routers stand.
fn on_grid(network: &Network, topology: View) -> Option<Grid> {
    family::grid(topology).filter(|grid| grid.routers() == network.routers())
}

/// All dimensions: those that lie inside, then the others.
fn in_order(count: usize, inside: &[usize]) -> Vec<usize> {
    let others = (0..count).filter(|dimension| !inside.contains(dimension));
    inside.iter().copied().chain(others).collect()
}

/// The place of a router: two dimensions within a tile, the next two between tiles, and so on.
fn spot(grid: &Grid, order: &[usize], router: u32) -> [f32; 2] {
    let (coordinates, radices) = (grid.coordinates(router), grid.radix());
    if let &[x, y, z] = order {
        return tile([x, y, z].map(|of| coordinates[of]), [x, y, z].map(|of| radices[of]));
    }
    let (mut at, mut pitch) = ([0.0; 2], [1.0f32; 2]);
    for (place, &dimension) in order.iter().enumerate() {
        let (axis, coordinate, radix) = (place % 2, coordinates[dimension], radices[dimension]);
        at[axis] += coordinate as f32 * pitch[axis];
        pitch[axis] *= radix as f32;
        pitch[axis] += if pitch[axis] > 1.0 { GAP - 1.0 } else { 0.0 };
    }
    at
}

/// Of three dimensions the planes of the third one stand as tiles in reading order, as many in a row as make the map about as wide as a window.
fn tile([x, y, z]: [u32; 3], [wide, high, tiles]: [u32; 3]) -> [f32; 2] {
    let pitch = [wide as f32 + GAP - 1.0, high as f32 + GAP - 1.0];
    let size = |columns: u32| (columns as f32 * pitch[0] / 1.5).max(tiles.div_ceil(columns) as f32 * pitch[1]);
    let columns = (1..=tiles).min_by(|&a, &b| size(a).total_cmp(&size(b))).unwrap_or(1);
    let row = tiles.div_ceil(columns) - 1 - z / columns;
    [x as f32 + (z % columns) as f32 * pitch[0], y as f32 + row as f32 * pitch[1]]
}

fn grid_places(network: &Network, grid: &Grid, order: &[usize]) -> Places {
    let routers: Vec<[f32; 2]> = (0..grid.routers() as u32).map(|router| spot(grid, order, router)).collect();
    // The place of a port's dimension in that order.
    let place = |port: usize| order.iter().position(|&dimension| dimension == port / 2).unwrap_or(port / 2);
    let mut places = Places { lane: 0.155, radix: Some(grid.radix().to_vec()), ..Places::default() };
    for from in 0..grid.routers() as u32 {
        for (port, link) in network.links_of(from) {
            let (to, number) = (link.to.router, places.links.len() as f32);
            places.links.push([from, to, port as u32]);
            let (a, b) = (routers[from as usize], routers[to as usize]);
            let step = step(2 * place(port) + port % 2);
            let near = (b[0] - a[0] - step[0]).abs() + (b[1] - a[1] - step[1]).abs() < 1e-3;
            let inside = place(port) < 2;
            if near && inside {
                places.pieces.push(straight(a, b, number, (0.0, 1.0)));
                continue;
            }
            // Round the edge, or to another tile: half of it at either end.
            let reach = if inside { 0.5 } else { 0.36 };
            let out = [a[0] + step[0] * reach, a[1] + step[1] * reach];
            let into = [b[0] - step[0] * reach, b[1] - step[1] * reach];
            places.pieces.push(straight(a, out, number, (0.0, 0.5)));
            places.pieces.push(straight(into, b, number, (0.5, 1.0)));
        }
    }
    // What leads aslant to another tile lies below the lanes of a tile.
    let Places { links, pieces, .. } = &mut places;
    pieces.sort_by_key(|piece| place(links[piece[8] as usize][2] as usize) < 2);
    Places { routers, ..places }
}

/// The way that a port leads, numbered by the place of its dimension; from the third place on aslant.
fn step(port: usize) -> [f32; 2] {
    let sign = if port.is_multiple_of(2) { 1.0 } else { -1.0 };
    match port / 2 {
        0 => [sign, 0.0],
        1 => [0.0, sign],
        dimension if dimension.is_multiple_of(2) => [0.8 * sign, 0.6 * sign],
        _ => [-0.6 * sign, 0.8 * sign],
    }
}

pub(crate) fn straight(a: [f32; 2], b: [f32; 2], link: f32, (from, to): (f32, f32)) -> [f32; 12] {
    [a[0], a[1], b[0], b[1], a[0], a[1], b[0], b[1], link, from, to, 0.0]
}

fn laid_out(network: &Network) -> Places {
    let layout = Layout::new(network);
    let unit = 1.0 / (2.0 * layout.radius).max(1e-6);
    let at = |point: (f64, f64)| [(point.0 * layout.aspect * unit) as f32, (point.1 * unit) as f32];
    let routers: Vec<[f32; 2]> = layout.places.iter().map(|&place| at(place)).collect();
    let mut places = Places { lane: 0.1, bundles: bundles(network, &layout), ..Places::default() };
    let mut bundled: Vec<Vec<[[f32; 2]; 4]>> = vec![Vec::new(); places.bundles.count];
    for (number, line) in layout.links.iter().enumerate() {
        places.links.push([line.from, line.to, line.port]);
        let (a, b) = (routers[line.from as usize], routers[line.to as usize]);
        let [c, d] = line.bends.map(at);
        if let Some(bundle) = places.bundles.of.get(number).and_then(|&bundle| bundled.get_mut(bundle as usize)) {
            bundle.push([a, b, c, d]);
        }
        let bent = |p: [f32; 2]| {
            let (x, y) = (b[0] - a[0], b[1] - a[1]);
            ((p[0] - a[0]) * y - (p[1] - a[1]) * x).abs() > 0.02 * (x * x + y * y)
        };
        let bends = if bent(c) || bent(d) { 1.0 } else { 0.0 };
        places.pieces.push([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1], number as f32, 0.0, 1.0, bends]);
    }
    for (number, ways) in bundled.iter().enumerate() {
        let mean = |point: usize, axis: usize| ways.iter().map(|way| way[point][axis]).sum::<f32>() / ways.len() as f32;
        let lane = (layout.links.len() + number) as f32;
        let [a, b, c, d] = [0, 1, 2, 3].map(|point| [mean(point, 0), mean(point, 1)]);
        places.pieces.push([a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1], lane, 0.0, 1.0, 1.0]);
    }
    Places { routers, ..places }
}

/// Several links from one group to another one are a bundle, where there are many groups; so are those from a cell of one pod to one of another.
fn bundles(network: &Network, layout: &Layout) -> Bundles {
    let many = |groups: &Vec<u32>| groups.iter().max().is_some_and(|&last| last as usize + 1 >= GROUPS);
    let groups =
        layout::groups(network).filter(many).map(|groups| groups.into_iter().map(|group| [group; 2]).collect());
    let Some(parts): Option<Vec<[u32; 2]>> = groups.or_else(|| cells(network)) else { return Bundles::default() };
    let mut between: BTreeMap<[[u32; 2]; 2], Vec<usize>> = BTreeMap::new();
    for (number, line) in layout.links.iter().enumerate() {
        let ends = [line.from, line.to].map(|router| parts[router as usize]);
        if ends[0][0] != ends[1][0] {
            between.entry(ends).or_default().push(number);
        }
    }
    let mut bundles = Bundles { count: 0, of: vec![NO_BUNDLE; layout.links.len()] };
    for links in between.into_values().filter(|links| links.len() > 1) {
        links.iter().for_each(|&link| bundles.of[link] = bundles.count as u32);
        bundles.count += 1;
    }
    if bundles.count > 0 { bundles } else { Bundles::default() }
}

/// Of each router of a network with levels its pod and its cell: routers of the highest level, which join the pods, are a pod for each cell. A
/// cell has the routers of a level of a pod that lead down to the same ones.
fn cells(network: &Network) -> Option<Vec<[u32; 2]>> {
    let level = layout::levels(network)?;
    let top = level.iter().copied().max()?;
    let routers = 0..network.routers() as u32;
    let below = |router: u32| {
        let mut below: Vec<u32> = network
            .links_of(router)
            .filter(|(_, link)| link.kind == LinkKind::Down)
            .map(|(_, link)| link.to.router)
            .collect();
        below.sort_unstable();
        below
    };
    let mut pods: Vec<u32> = routers.clone().collect();
    for router in routers.clone().filter(|&router| level[router as usize] < top) {
        for lower in below(router) {
            let (one, other) = (root(&pods, router), root(&pods, lower));
            pods[one.max(other) as usize] = one.min(other);
        }
    }
    let mut names: BTreeMap<(u32, u32, Vec<u32>), u32> = BTreeMap::new();
    let mut cell = |router: u32| {
        let at = level[router as usize];
        let pod = if at == top { u32::MAX } else { root(&pods, router) };
        let count = names.len() as u32;
        let cell = *names.entry((at, pod, below(router))).or_insert(count);
        [if at == top { network.routers() as u32 + cell } else { pod }, cell]
    };
    Some(routers.map(&mut cell).collect())
}

/// The first router of a pod.
fn root(pods: &[u32], mut router: u32) -> u32 {
    while pods[router as usize] != router {
        router = pods[router as usize];
    }
    router
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn torus(radix: &[u32]) -> Places {
        let grid = Grid::new(radix, &vec![true; radix.len()], 1, 1);
        grid_places(&Network::from(grid.clone()), &grid, &in_order(radix.len(), &[]))
    }

    #[test]
    fn the_pieces_of_a_link_are_the_whole_of_it() {
        for radix in [&[4, 4][..], &[8], &[3, 4, 3], &[3, 3, 3, 3]] {
            let places = torus(radix);
            let mut parts = vec![0.0; places.links.len()];
            for piece in &places.pieces {
                parts[piece[8] as usize] += piece[10] - piece[9];
            }
            assert!(parts.iter().all(|&part| part == 1.0), "{radix:?}");
        }
    }

    /// The places of the network of a `topology` section.
    pub(crate) fn of_spec(topology: &str, more: &str) -> Places {
        let text = format!(
            "topology = {topology}\n{more}\ntraffic = {{ load = 0.1, size = {{ kind = \"fixed\", flits = 8 }} }}\n"
        );
        let document = tailback_spec::Document::parse("a", text.as_bytes()).unwrap();
        let points = document.expand(tailback_sim::catalogue()).unwrap();
        let script = tailback_sim::live::Script::new(&points[0]).unwrap();
        let prepared = script.prepare(0).unwrap();
        Places::new(prepared.network(), prepared.point().resolved.view("topology"))
    }

    #[test]
    fn whatever_has_a_grid_stands_on_it() {
        let router = "router = { virtual_channels = 6, buffer_flits = 16 }";
        for (radix, twist) in [
            ("[4, 4, 8]", "[[0, 0, 4], [0, 0, 4], [0, 0, 0]]"),
            ("[4, 8]", "[[0, 4], [0, 0]]"),
            ("[4, 8]", "[[0, 1], [0, 0]]"),
        ] {
            let places = of_spec(&format!("{{ kind = \"torus\", radix = {radix}, twist = {twist} }}"), router);
            let sides: Vec<u32> =
                radix.trim_matches(['[', ']']).split(", ").map(|side| side.parse().unwrap()).collect();
            let plain = torus(&sides);
            assert_eq!((&places.radix, &places.routers), (&Some(sides), &plain.routers));
            assert_eq!(places.pieces.len(), plain.pieces.len(), "its wraps are stubs");
            assert_ne!(places.links, plain.links);
        }
        let mesh = |more: &str| of_spec(&format!("{{ kind = \"mesh\", radix = [4, 4], {more} }}"), router);
        let plain = mesh("nodes_per_router = 4");
        for more in ["nodes_per_router = 4, node_order = \"tile\"", "boundary = { every = [2, 2], width = 0.5 }"] {
            assert_eq!(mesh(more), plain, "{more}");
        }
        let dragonfly = "{ kind = \"dragonfly\", routers_per_group = 4, global_links = 2, nodes_per_router = 2 }";
        assert_eq!(of_spec(dragonfly, "router = { virtual_channels = 4, buffer_flits = 64 }").radix, None);
    }

    #[test]
    fn links_between_two_of_many_groups_are_a_bundle() {
        let dragonfly = |groups: u32| {
            let topology = format!(
                "{{ kind = \"dragonfly\", routers_per_group = 8, global_links = 8, nodes_per_router = 1, groups = {groups} }}"
            );
            of_spec(&topology, "router = { virtual_channels = 4, buffer_flits = 64 }")
        };
        let many = dragonfly(33);
        assert_eq!(many.bundles.count, 33 * 32, "one for each way between two groups");
        assert_eq!(many.pieces.len(), many.links.len() + many.bundles.count, "a link has its own piece, too");
        let lanes: std::collections::BTreeSet<usize> = many.pieces.iter().map(|piece| piece[8] as usize).collect();
        assert!(lanes.contains(&(many.links.len() + many.bundles.count - 1)) && lanes.len() == many.pieces.len());
        let few = dragonfly(17);
        assert_eq!((few.bundles, few.pieces.len()), (Bundles::default(), few.links.len()));
    }

    #[test]
    fn links_between_cells_of_pods_are_a_bundle() {
        let tree =
            |kind: &str| of_spec(kind, "router = { virtual_channels = 2, buffer_flits = 16 }\nrouting = \"up_down\"");
        // Four pods of four leaves and four routers above them; four groups of four at the top, each over one router of every pod.
        let places = tree("{ kind = \"fat_tree\", arity = 4, levels = 3 }");
        assert_eq!(places.bundles.count, 2 * 4 * 4);
        let size = |bundle: u32| places.bundles.of.iter().filter(|&&of| of == bundle).count();
        assert!((0..places.bundles.count as u32).all(|bundle| size(bundle) == 4));
        for (link, &bundle) in places.links.iter().zip(&places.bundles.of) {
            let crosses = [link[0], link[1]].iter().any(|&router| router < 16);
            assert_eq!(bundle != NO_BUNDLE, crosses, "{link:?}: only what leads to the top");
        }
        assert_eq!(places.pieces.len(), places.links.len() + places.bundles.count);
        let flat = tree("{ kind = \"fat_tree\", arity = 4, levels = 2 }");
        assert_eq!(flat.bundles.count, 2 * 4, "a leaf is a pod");
    }

    #[test]
    fn other_dimensions_lie_inside() {
        let grid = Grid::new(&[2, 3, 4, 5], &[true; 4], 1, 1);
        let network = Network::from(grid.clone());
        let of = |inside: &[usize]| grid_places(&network, &grid, &in_order(4, inside));
        assert_eq!(of(&[]), of(&[0, 1]));
        let turned = of(&[3, 2]);
        let step = |dimension: usize| {
            let stride: usize = [2, 3, 4, 5][..dimension].iter().product();
            let [from, to] = [0, stride].map(|router| turned.routers[router]);
            [to[0] - from[0], to[1] - from[1]]
        };
        assert_eq!((step(3), step(2)), ([1.0, 0.0], [0.0, 1.0]));
        assert!(step(0)[0] > 5.0 && step(1)[1] > 4.0, "tiles of 5 by 4");
        assert!(turned.links == of(&[]).links, "links keep their numbers");
        let mut parts = vec![0.0; turned.links.len()];
        turned.pieces.iter().for_each(|piece| parts[piece[8] as usize] += piece[10] - piece[9]);
        assert!(parts.iter().all(|&part| part == 1.0));
    }

    #[test]
    fn no_two_routers_stand_in_one_place() {
        for radix in [&[5, 4][..], &[7], &[3, 4, 5], &[2, 3, 2, 3], &[2, 2, 2, 2, 2]] {
            let mut seen: Vec<[u32; 2]> =
                torus(radix).routers.iter().map(|at| at.map(|n| (n * 100.0) as u32)).collect();
            let all = seen.len();
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen.len(), all, "{radix:?}");
        }
    }

    #[test]
    fn planes_stand_in_rows_and_are_read_from_above() {
        let places = torus(&[4, 4, 8]);
        let plane = |z: usize| places.routers[16 * z];
        assert!(plane(1)[0] > plane(0)[0] && plane(1)[1] == plane(0)[1], "beside it");
        assert!(plane(7)[1] < plane(0)[1], "below");
        let wide = places.routers.iter().map(|at| at[0]).fold(0.0, f32::max);
        let high = places.routers.iter().map(|at| at[1]).fold(0.0, f32::max);
        assert!((0.8..3.0).contains(&(wide / high)), "{wide} {high}");
    }

    #[test]
    fn a_link_round_the_edge_is_a_stub_at_either_side() {
        let places = torus(&[4, 4]);
        let round = places.links.iter().position(|&link| link == [3, 0, 0]).unwrap();
        let pieces: Vec<_> = places.pieces.iter().filter(|piece| piece[8] as usize == round).collect();
        assert_eq!(pieces.len(), 2);
        assert_eq!((pieces[0][0], pieces[0][2]), (3.0, 3.5));
        assert_eq!((pieces[1][0], pieces[1][2]), (-0.5, 0.0));
    }
}
