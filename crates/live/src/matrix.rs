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
    let mut places = Places { lane: 0.5, ..Places::default() };
    places.routers = (0..network.routers() as u32).map(spot).collect();
    for from in 0..network.routers() as u32 {
        let mut copies: Vec<u32> = Vec::new();
        for (port, link) in network.links_of(from) {
            let LinkKind::Across(dimension) = link.kind else { continue };
            let ((number, one), (_, other)) = (row(from, dimension.into()), row(link.to.router, dimension.into()));
            let [x, y] = blocks[usize::from(dimension)].cell(number, one, other);
            let copy = copies.iter().filter(|&&to| to == link.to.router).count() as f32;
            copies.push(link.to.router);
            // Links side by side lie below each other.
            let y = y - 0.2 * copy;
            let name = places.links.len() as f32;
            places.links.push([from, link.to.router, port as u32]);
            places.pieces.push(straight([x - REACH, y], [x + REACH, y], name, (0.0, 1.0)));
        }
    }
    Some(places)
}
