//! Where links stand in networks in which every router of a row has a link to every other one, and rows are long: a matrix per row
//! instead of arcs, which nobody could tell apart.
//!
//! The routers of a row are a diagonal, and the link from one to another one is a short lane: in the line of the one, in the column of
//! the other. Matrices of the rows of one dimension stand side by side, those of the next dimension below them.

use crate::place::{GAP, Places, straight};
use tailback_network::Network;
use tailback_network::graph::LinkKind;
use tailback_spec::View;

/// Rows of more routers have matrices.
const LONGEST: u32 = 12;

/// Half a lane.
const REACH: f32 = 0.5;

/// The height of a cell that links from one router to another one share, and the height of a lane that is alone there.
const CELL: f32 = 0.9;
const LANE: f32 = 0.5;

/// The matrices of one dimension.
struct Block {
    side: u32,
    columns: u32,
    top: f32,
}

impl Block {
    /// Where row `number` has the link from its router `from` to `to`; of one router to itself: where that stands.
    fn cell(&self, number: u32, from: u32, to: u32) -> [f32; 2] {
        let pitch = self.side as f32 + GAP;
        let (column, line) = (number % self.columns, number / self.columns);
        [column as f32 * pitch + to as f32, self.top - line as f32 * pitch - from as f32]
    }
}

/// The coordinates of a router.
fn coordinates(sides: &[u32], mut rest: u32) -> Vec<u32> {
    let digit = |&side: &u32| {
        let digit = rest % side;
        rest /= side;
        digit
    };
    sides.iter().map(digit).collect()
}

/// The places of such a network, which is that of a `topology` section; `None` of any other one, and where all rows are short.
pub(crate) fn places(network: &Network, topology: View) -> Option<Places> {
    if topology.kind() != "hyperx" {
        return None;
    }
    let sides = topology.u32s("sides");
    if sides.iter().all(|&side| side <= LONGEST) || sides.iter().product::<u32>() as usize != network.routers() {
        return None;
    }
    let (mut blocks, mut top) = (Vec::new(), 0.0f32);
    for &side in &sides {
        let count = network.routers() as u32 / side;
        let columns = ((1.5 * f64::from(count)).sqrt().ceil() as u32).clamp(1, count.max(1));
        blocks.push(Block { side, columns, top });
        top -= count.div_ceil(columns) as f32 * (side as f32 + GAP) + GAP;
    }
    // The number of a router's row in a dimension, and its place there.
    let row = |router: u32, dimension: usize| {
        let at = coordinates(&sides, router);
        let others = (0..sides.len()).rev().filter(|&other| other != dimension);
        (others.fold(0, |number, other| number * sides[other] + at[other]), at[dimension])
    };
    let spot = |router: u32| {
        let (number, at) = row(router, 0);
        blocks[0].cell(number, at, at)
    };
    let trunks = topology.u32s("trunks");
    let trunk = |dimension: usize| trunks.get(dimension).copied().unwrap_or(1);
    let pitch = CELL / trunks.iter().copied().max().unwrap_or(1) as f32;
    let mut places = Places { lane: LANE.min(0.8 * pitch), ..Places::default() };
    places.routers = (0..network.routers() as u32).map(spot).collect();
    for from in 0..network.routers() as u32 {
        let mut copies: Vec<u32> = Vec::new();
        for (port, link) in network.links_of(from) {
            let LinkKind::Across(dimension) = link.kind else { continue };
            let ((number, one), (_, other)) = (row(from, dimension.into()), row(link.to.router, dimension.into()));
            let [x, y] = blocks[usize::from(dimension)].cell(number, one, other);
            let copy = copies.iter().filter(|&&to| to == link.to.router).count() as f32;
            copies.push(link.to.router);
            // Parallel links lie below each other, all within the cell.
            let y = y + pitch * ((trunk(dimension.into()) - 1) as f32 / 2.0 - copy);
            let name = places.links.len() as f32;
            places.links.push([from, link.to.router, port as u32]);
            places.pieces.push(straight([x - REACH, y], [x + REACH, y], name, (0.0, 1.0)));
        }
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::tests::of_spec;
    use std::collections::BTreeMap;

    fn hyperx(sides: &[u32], more: &str) -> Places {
        let router = "router = { virtual_channels = 8, buffer_flits = 16 }";
        of_spec(&format!("{{ kind = \"hyperx\", sides = {sides:?}{more} }}"), router)
    }

    fn middle(piece: &[f32; 12]) -> [f32; 2] {
        [(piece[0] + piece[2]) / 2.0, (piece[1] + piece[3]) / 2.0]
    }

    /// The dimension in which two routers differ.
    fn dimension(sides: &[u32], one: u32, other: u32) -> usize {
        let at = |router: u32, dimension: usize| router / sides[..dimension].iter().product::<u32>() % sides[dimension];
        (0..sides.len()).find(|&dimension| at(one, dimension) != at(other, dimension)).unwrap()
    }

    const SHAPES: [&[u32]; 5] = [&[13], &[14, 2], &[2, 14], &[13, 3, 2], &[14, 15]];

    #[test]
    fn rows_of_thirteen_are_matrices_and_shorter_ones_are_not() {
        assert_eq!(hyperx(&[13, 2], "").lane, LANE);
        assert_ne!(hyperx(&[12, 2], "").lane, LANE);
        let torus =
            of_spec("{ kind = \"torus\", radix = [13, 2] }", "router = { virtual_channels = 2, buffer_flits = 16 }");
        assert_ne!(torus.lane, LANE);
    }

    #[test]
    fn a_link_of_the_first_dimension_is_in_the_line_of_one_router_and_the_column_of_the_other() {
        for sides in SHAPES {
            let places = hyperx(sides, "");
            for (piece, &[from, to, _]) in places.pieces.iter().zip(&places.links) {
                if dimension(sides, from, to) == 0 {
                    let cell = [places.routers[to as usize][0], places.routers[from as usize][1]];
                    assert_eq!(middle(piece), cell, "{sides:?}: {from} to {to}");
                }
            }
        }
    }

    #[test]
    fn no_two_pairs_of_routers_have_the_same_cell_and_no_router_stands_in_one() {
        for sides in SHAPES {
            let places = hyperx(sides, "");
            let links: u32 = sides.iter().map(|side| side - 1).sum::<u32>() * sides.iter().product::<u32>();
            assert_eq!(places.links.len(), links as usize);
            let routers = places.routers.iter().copied();
            let cells = places.pieces.iter().map(middle).chain(routers);
            let cells: BTreeMap<[i32; 2], ()> = cells.map(|at| (at.map(|x| (2.0 * x) as i32), ())).collect();
            assert_eq!(cells.len(), places.pieces.len() + places.routers.len(), "{sides:?}");
        }
    }

    #[test]
    fn the_matrices_of_a_dimension_stand_below_those_of_the_one_before() {
        for sides in SHAPES {
            let places = hyperx(sides, "");
            let mut heights = vec![(f32::MAX, f32::MIN); sides.len()];
            for (piece, &[from, to, _]) in places.pieces.iter().zip(&places.links) {
                let (low, high) = &mut heights[dimension(sides, from, to)];
                (*low, *high) = (low.min(piece[1]), high.max(piece[1]));
            }
            assert!(heights.windows(2).all(|both| both[1].1 < both[0].0 - 1.0), "{sides:?}: {heights:?}");
        }
    }

    #[test]
    fn a_matrix_is_as_large_as_its_row_and_does_not_touch_the_next_one() {
        for sides in SHAPES {
            let places = hyperx(sides, "");
            for of in 0..sides.len() {
                // The ends of each matrix, by the lowest router of its row.
                let stride: u32 = sides[..of].iter().product();
                let mut ends: BTreeMap<u32, [f32; 4]> = BTreeMap::new();
                for (piece, &[from, to, _]) in places.pieces.iter().zip(&places.links) {
                    if dimension(sides, from, to) == of {
                        let first = from - from / stride % sides[of] * stride;
                        let [x, y] = middle(piece);
                        let [left, right, low, high] = ends.entry(first).or_insert([x, x, y, y]);
                        (*left, *right, *low, *high) = (left.min(x), right.max(x), low.min(y), high.max(y));
                    }
                }
                let all: Vec<[f32; 4]> = ends.into_values().collect();
                assert_eq!(all.len() as u32 * sides[of], sides.iter().product::<u32>());
                for (number, &[left, right, low, high]) in all.iter().enumerate() {
                    let reach = (sides[of] - 1) as f32;
                    assert_eq!((right - left, high - low), (reach, reach), "{sides:?}");
                    let apart = |other: &[f32; 4]| {
                        other[0] > right + 1.0 || other[1] < left - 1.0 || other[2] > high + 1.0 || other[3] < low - 1.0
                    };
                    assert!(all[number + 1..].iter().all(apart), "{sides:?}, dimension {of}");
                }
            }
        }
    }

    #[test]
    fn parallel_links_share_a_cell_and_do_not_overlap() {
        for trunks in [[2, 1], [1, 3], [4, 7]] {
            let places = hyperx(&[14, 2], &format!(", trunks = {trunks:?}"));
            let mut cells: BTreeMap<[u32; 2], Vec<[f32; 2]>> = BTreeMap::new();
            for (piece, &[from, to, _]) in places.pieces.iter().zip(&places.links) {
                cells.entry([from, to]).or_default().push(middle(piece));
            }
            for (&[from, to], lanes) in &cells {
                assert_eq!(lanes.len(), trunks[dimension(&[14, 2], from, to)]);
                assert!(lanes.windows(2).all(|both| both[0][0] == both[1][0] && both[0][1] - both[1][1] > places.lane));
                let reach = lanes[0][1] - lanes[lanes.len() - 1][1] + places.lane;
                assert!(reach < 1.0, "{trunks:?}: {reach} of a cell");
            }
        }
    }
}
