//! Rows and columns: networks with coordinates, or with links across dimensions. Further dimensions are blocks of rows and columns.

use super::{Label, Plan, Position, Wire, arc};
use crate::graph::{LinkKind, Network};

/// Routers per dimension, lowest first, where the numbers of routers and the links across dimensions are those of a matrix.
pub fn sides(network: &Network) -> Option<Vec<u32>> {
    if let Some(grid) = network.grid() {
        return Some(grid.radix().to_vec());
    }
    let mut sides = Vec::new();
    for dimension in 0..=u8::MAX {
        let mut far: Vec<u32> = network
            .links_of(0)
            .filter(|(_, l)| l.kind == LinkKind::Across(dimension))
            .map(|(_, l)| l.to.router)
            .collect();
        far.sort_unstable();
        far.dedup();
        if far.is_empty() {
            break;
        }
        sides.push(far.len() as u32 + 1);
    }
    let all = sides.iter().fold(1u64, |all, &side| all.saturating_mul(side.into()));
    let fits = |from: u32, to: u32, kind: LinkKind| {
        let LinkKind::Across(dimension) = kind else { return false };
        let (from, to) = (coordinates(&sides, from), coordinates(&sides, to));
        (0..sides.len()).all(|d| (from[d] == to[d]) == (d != usize::from(dimension)))
    };
    let mut links = (0..network.routers() as u32).flat_map(|r| network.links_of(r).map(move |(_, link)| (r, link)));
    let is_matrix =
        !sides.is_empty() && all == network.routers() as u64 && links.all(|(r, l)| fits(r, l.to.router, l.kind));
    is_matrix.then_some(sides)
}

/// The coordinates of a router.
pub fn coordinates(sides: &[u32], router: u32) -> Vec<u32> {
    let mut rest = router;
    let digit = |&side: &u32| {
        let digit = rest % side;
        rest /= side;
        digit
    };
    sides.iter().map(digit).collect()
}

/// The positions of every value of the dimensions that share an axis, with a gap of one position and more between blocks; and the length.
struct Axis {
    dimensions: Vec<usize>,
    strides: Vec<f64>,
    length: f64,
}

impl Axis {
    fn new(sides: &[u32], first: usize) -> Axis {
        let dimensions: Vec<usize> = (first..sides.len()).step_by(2).collect();
        let (mut strides, mut length) = (Vec::new(), 1.0);
        for &dimension in &dimensions {
            let stride = if dimension == first { 1.0 } else { length + 0.8 };
            strides.push(stride);
            length = stride * f64::from(sides[dimension] - 1) + if dimension == first { 1.0 } else { length };
        }
        Axis { dimensions, strides, length }
    }

    fn position(&self, coordinates: &[u32]) -> f64 {
        let parts = self.dimensions.iter().zip(&self.strides);
        0.5 + parts.map(|(&dimension, stride)| f64::from(coordinates[dimension]) * stride).sum::<f64>()
    }
}

/// A network with rows and columns.
pub(super) fn plan(network: &Network) -> Option<Plan<'static>> {
    let sides = sides(network)?;
    let (across, up) = (Axis::new(&sides, 0), Axis::new(&sides, 1));
    let routers = 0..network.routers() as u32;
    let place = |router: u32| {
        let coordinates = coordinates(&sides, router);
        (across.position(&coordinates) / across.length, up.position(&coordinates) / up.length)
    };
    let places: Vec<Position> = routers.clone().map(place).collect();
    let mut labels = Vec::new();
    for (axis, number) in [(&across, 0), (&up, 1)] {
        let is_first = |router: &u32| {
            let coordinates = coordinates(&sides, *router);
            coordinates.iter().enumerate().all(|(d, &x)| d % 2 == number || x == 0)
        };
        for router in routers.clone().filter(is_first).filter(|_| !axis.dimensions.is_empty()) {
            let (at, toward) = match number {
                0 => ((places[router as usize].0, 0.0), (0.0, -1.0)),
                _ => ((0.0, places[router as usize].1), (-1.0, 0.0)),
            };
            labels.push(Label { at, toward, text: coordinates(&sides, router)[number].to_string() });
        }
    }
    let pitch = (1.0 / across.length, 1.0 / up.length);
    let (at, sides) = (places.clone(), sides.clone());
    let bends = move |wire: Wire| {
        let (a, b) = (at[wire.from as usize], at[wire.to as usize]);
        let (from, to) = (coordinates(&sides, wire.from), coordinates(&sides, wire.to));
        let steps: u32 = from.iter().zip(&to).map(|(a, b)| a.abs_diff(*b)).sum();
        let longest = sides.iter().copied().max().unwrap_or(2);
        let out = if steps <= 1 && same_block(&from, &to) {
            0.05
        } else {
            0.1 + 0.32 * f64::from(steps) / f64::from(longest)
        };
        let wide = if a.1 == b.1 { pitch.1 } else { pitch.0 };
        arc(a, b, wide * (out + 0.06 * f64::from(wire.copy)).min(0.45))
    };
    // Rows are as high as columns are wide, as far as that makes no strip.
    let aspect = (across.length / up.length).clamp(0.5, 2.0);
    let radius = 0.5 * (aspect / across.length).min(1.0 / up.length);
    Some(Plan { places, labels, aspect, radius, bends: Box::new(bends) })
}

/// Whether two routers differ in the first two dimensions alone.
fn same_block(from: &[u32], to: &[u32]) -> bool {
    from.iter().zip(to).skip(2).all(|(a, b)| a == b)
}
