//! Where the routers and links of a network stand on a map, as plain data.
//!
//! A layout goes by what the network says of its links, whichever family built it: coordinates and links across a dimension make a
//! matrix, global links a ring of groups, links up and down levels, and all others a circle. Nothing simulated depends on it.

mod circle;
mod levels;
mod matrix;
mod ring;
#[cfg(test)]
mod tests;

pub use levels::levels;

use crate::graph::{LinkKind, Network};
use std::f64::consts::PI;

/// A place on the map: to the right, and up; both from 0 to 1.
pub type Position = (f64, f64);

/// A network on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The place of each router.
    pub places: Vec<Position>,
    /// The links, by router, then port.
    pub links: Vec<Line>,
    /// Words beside routers.
    pub labels: Vec<Label>,
    /// Width over height of the map, which is stretched by so much.
    pub aspect: f64,
    /// Half the distance between the nearest routers, or less, where the map is 1 high.
    pub radius: f64,
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// The router that sends.
    pub from: u32,
    /// Its output port.
    pub port: u32,
    /// The router that receives.
    pub to: u32,
    /// The inner two of the four points of a cubic Bezier curve, which begins and ends at the routers.
    pub bends: [Position; 2],
}

/// Words beside routers.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where they stand.
    pub at: Position,
    /// Which way from there they go: a step to the right and up.
    pub toward: Position,
    /// The words.
    pub text: String,
}

/// Places of routers, and how links between them bend.
struct Plan<'a> {
    places: Vec<Position>,
    labels: Vec<Label>,
    aspect: f64,
    radius: f64,
    /// The bends of a link between two places, beside which `copy` more lead the same way.
    #[allow(clippy::type_complexity, reason = "it stands here only")]
    bends: Box<dyn Fn(Wire) -> [Position; 2] + 'a>,
}

/// A link that is to be drawn.
#[derive(Clone, Copy)]
struct Wire {
    from: u32,
    to: u32,
    kind: LinkKind,
    /// Which of the links between the two it is, from 0.
    copy: u32,
}

impl Layout {
    /// That of a network.
    pub fn new(network: &Network) -> Layout {
        let plan = matrix::plan(network)
            .or_else(|| ring::plan(network))
            .or_else(|| levels::plan(network))
            .unwrap_or_else(|| circle::plan(network));
        let mut links = Vec::with_capacity(network.links());
        for from in 0..network.routers() as u32 {
            let mut before: Vec<u32> = Vec::new();
            for (port, link) in network.links_of(from) {
                let to = link.to.router;
                let copy = before.iter().filter(|&&other| other == to).count() as u32;
                before.push(to);
                let bends = (plan.bends)(Wire { from, to, kind: link.kind, copy });
                links.push(Line { from, port: port as u32, to, bends });
            }
        }
        let Plan { places, labels, aspect, radius, .. } = plan;
        Layout { places, links, labels, aspect, radius }
    }

    /// The number among the links of the one that leaves a router by a port.
    pub fn link(&self, router: u32, port: usize) -> Option<usize> {
        self.links.binary_search_by_key(&(router, port as u32), |line| (line.from, line.port)).ok()
    }
}

/// The group of each router, in a network with global links between groups.
pub fn groups(network: &Network) -> Option<Vec<u32>> {
    let mut group_of = vec![0; network.routers()];
    for (number, group) in (0u32..).zip(ring::groups(network)?) {
        group.into_iter().for_each(|router| group_of[router as usize] = number);
    }
    Some(group_of)
}

/// The point at an angle round the centre, from the top clockwise.
fn round(centre: Position, radius: f64, angle: f64) -> Position {
    (centre.0 + radius * angle.sin(), centre.1 + radius * angle.cos())
}

/// A point so far from one to another: 0 at the first, 1 at the second.
fn between(a: Position, b: Position, part: f64) -> Position {
    (a.0 + part * (b.0 - a.0), a.1 + part * (b.1 - a.1))
}

/// Two points moved to the right of the way from the first to the second.
fn aside(a: Position, b: Position, way: (Position, Position), by: f64) -> [Position; 2] {
    let (dx, dy) = (way.1.0 - way.0.0, way.1.1 - way.0.1);
    let length = (dx * dx + dy * dy).sqrt().max(1e-12);
    let (x, y) = (dy / length * by, -dx / length * by);
    [(a.0 + x, a.1 + y), (b.0 + x, b.1 + y)]
}

/// An arc to the right of the way, at most `bulge` away from it.
fn arc(a: Position, b: Position, bulge: f64) -> [Position; 2] {
    aside(between(a, b, 0.25), between(a, b, 0.75), (a, b), bulge * 4.0 / 3.0)
}

/// A chord of a circle: it bends towards the centre, the more the farther its ends are apart, and a little to the right of its way, so
/// that the two directions are apart.
fn chord(a: Position, b: Position, (centre, hub): (Position, f64), by: f64) -> [Position; 2] {
    let angle = |p: Position| (p.0 - centre.0).atan2(p.1 - centre.1);
    let apart = (angle(a) - angle(b)).abs();
    let apart = apart.min(2.0 * PI - apart) / PI;
    let keep = hub * (1.0 - 0.62 * apart.sqrt());
    aside(between(centre, a, keep), between(centre, b, keep), (a, b), by)
}
