//! The torus, and the twisted torus: stepping over the wrap of a dimension adds an offset to the other coordinates.

use super::params::{entry, nodes_per_router, refusal};
use super::{Built, Family, Rule, refused, sized};
use crate::Grid;
use crate::graph::{Builder, LinkKind, Network, Port, Seats, Wire};
use crate::topology::RADIX;
use tailback_spec::{Entry, Fallback, Kind, Param, SpecError, View};

static ENTRY: Entry = entry(
    "torus",
    "k-ary n-cube: every dimension is a ring",
    &[
        RADIX,
        Param {
            name: "twist",
            kind: Kind::Rows { min: 0, max: 1 << 30, min_len: 1, max_len: 6, max_rows: 6 },
            unit: "routers",
            fallback: Fallback::Integers(&[]),
            doc: "One row per dimension, an offset per dimension: what the step over the wrap of the row's dimension adds to \
                the other coordinates. No twist where the list is empty.",
        },
    ],
);

pub static FAMILY: Family = Family { entry: &ENTRY, build };

fn build(view: View) -> Result<Built, Box<SpecError>> {
    let (radix, nodes) = (view.u32s("radix"), nodes_per_router(view, 1));
    check_size(&radix, nodes)?;
    let twist = view.rows("twist");
    if !is_twisted(view) {
        let grid = Grid::new(&radix, &vec![true; radix.len()], nodes, view.u32("link_cycles"));
        return Ok(Built::by(Network::from(grid.clone()), DimensionOrder(grid)));
    }
    let offsets = offsets(&twist, &radix).map_err(|message| refusal("topology.twist", message))?;
    Ok(Built::shortest(twisted(&radix, &offsets, nodes, view.u32("link_cycles"))?))
}

/// Whether a `topology` section asks for a twist.
pub fn is_twisted(view: View) -> bool {
    view.has("twist") && view.rows("twist").iter().flatten().any(|&offset| offset != 0)
}

/// Refuses a grid that is too large.
///
/// # Errors
/// For more than the limits.
pub fn check_size(radix: &[u32], nodes: u32) -> Result<(), Box<SpecError>> {
    let routers = radix.iter().fold(1u64, |n, &k| n.saturating_mul(k.into()));
    sized(routers, routers.saturating_mul(nodes.into()), routers.saturating_mul(2 * radix.len() as u64))
}

/// The rows of `twist`, below the radix each.
fn offsets(twist: &[Vec<i64>], radix: &[u32]) -> Result<Vec<Vec<u32>>, String> {
    let n = radix.len();
    if twist.len() != n || twist.iter().any(|row| row.len() != n) {
        return Err(format!("`twist` must have {n} rows of {n} offsets, one per dimension"));
    }
    for (d, row) in twist.iter().enumerate() {
        if row[d] != 0 {
            return Err(format!("row {} of `twist` moves its own dimension by {}; that must be 0", d + 1, row[d]));
        }
        if let Some((e, offset)) = (0..n).map(|e| (e, row[e])).find(|&(e, offset)| offset >= i64::from(radix[e])) {
            let k = radix[e];
            return Err(format!("row {} of `twist` moves dimension {e} by {offset}, and its radix is {k}", d + 1));
        }
    }
    Ok(twist.iter().map(|row| row.iter().map(|&offset| offset as u32).collect()).collect())
}

fn twisted(radix: &[u32], offsets: &[Vec<u32>], nodes: u32, cycles: u32) -> Result<Network, Box<SpecError>> {
    let plain = Grid::new(radix, &vec![true; radix.len()], nodes, cycles);
    let seats = Seats::even(plain.routers(), nodes);
    let mut builder = Builder::new(&vec![plain.ports() as u32; plain.routers()], seats).map_err(refused)?;
    builder.fill(|router, port| {
        let (d, down) = (port / 2, !port.is_multiple_of(2));
        let mut at = plain.coordinates(plain.peer(router, port)).to_vec();
        // A step up comes from the last coordinate over the wrap, a step down from the first.
        if plain.coordinates(router)[d] == if down { 0 } else { radix[d] - 1 } {
            for (x, (&offset, &k)) in at.iter_mut().zip(offsets[d].iter().zip(radix)) {
                *x = if down { (*x + k - offset) % k } else { (*x + offset) % k };
            }
        }
        let to = Port { router: plain.router_at(&at), port: port as u32 ^ 1 };
        Some((to, Wire::new(cycles, LinkKind::of_grid(port))))
    });
    builder.finish().map_err(refused)
}

/// Dimension order in a grid: the lowest dimension first, by the shorter way round, and half by each where both are as long.
#[derive(Debug)]
pub struct DimensionOrder(pub Grid);

impl Rule for DimensionOrder {
    fn ports(&self, at: u32, to: u32, ports: &mut Vec<usize>) {
        let grid = &self.0;
        let (here, there) = (grid.coordinates(at), grid.coordinates(to));
        let d = (0..grid.dimensions()).find(|&d| here[d] != there[d]).expect("two different routers");
        let (k, wrap) = (grid.radix()[d], grid.wrap()[d]);
        let up = (there[d] + k - here[d]) % k;
        let shortest = grid.ring_distance(d, here[d], there[d]);
        if if wrap { up == shortest } else { there[d] > here[d] } {
            ports.push(2 * d);
        }
        if if wrap { k - up == shortest } else { there[d] < here[d] } {
            ports.push(2 * d + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{built, check, refused};

    #[test]
    fn check_values() {
        let row = |sets, counts, mean, bound| check("torus", sets, counts, (mean, bound, bound));
        row("radix=[4,8]", (32, 32, 128, 6), 3.096774, 0.968750);
        row("radix=[4,4,8]", (128, 128, 768, 8), 4.031496, 0.9921875);
        row("radix=[4,8,8]", (256, 256, 1536, 10), 5.019608, 0.996094);
    }

    #[test]
    fn check_values_of_twisted_ones() {
        let row = |sets, counts, mean, bound| check("torus", sets, counts, (mean, bound, bound));
        row("radix=[4,8] twist=[[0,4],[0,0]]", (32, 32, 128, 4), 2.709677, 1.476190);
        row("radix=[4,4,8] twist=[[0,0,4],[0,0,4],[0,0,0]]", (128, 128, 768, 6), 3.464567, 1.731818);
        row("radix=[4,8,8] twist=[[0,4,4],[0,0,0],[0,0,0]]", (256, 256, 1536, 6), 4.329412, 1.385870);
    }

    #[test]
    fn a_torus_without_twist_stays_a_grid() {
        assert!(built("torus", "radix=[4,8] twist=[[0,0],[0,0]]").network.is_plain_grid());
        assert!(built("torus", "radix=[4,8] twist=[[0,4],[0,0]]").network.grid().is_none());
    }

    #[test]
    fn a_twist_that_does_not_fit_is_refused() {
        assert!(refused("torus", "radix=[4,8] twist=[[0,4]]").contains("2 rows of 2"));
        assert!(refused("torus", "radix=[4,8] twist=[[1,4],[0,0]]").contains("its own dimension"));
        assert!(refused("torus", "radix=[4,8] twist=[[0,8],[0,0]]").contains("its radix is 8"));
    }
}
