//! Rows to columns: all nodes of a row send to the nodes of one column. In a network of two stages one link per row carries all that it sends.

use super::{Built, Pattern};
use crate::{Shape, problem};
use tailback_base::rng;
use tailback_spec::{Entry, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "row_to_column",
    summary: "nodes are a square, row by row: every packet of row r goes to a random node of column r",
    paper: "",
    ideal: false,
    params: &[],
};

/// Builds it; refused unless the nodes fill a square.
pub(super) fn build(_view: View, shape: &Shape, _seed: u64) -> Built {
    let side = shape.nodes().isqrt();
    if side * side != shape.nodes() {
        let message = format!("the pattern takes the nodes for a square; {} nodes are none", shape.nodes());
        return problem("", message, Some("take as many nodes as the square of a number, or another pattern"));
    }
    Ok(Box::new(RowToColumn { side }))
}

struct RowToColumn {
    side: u32,
}

impl RowToColumn {
    /// A node of the column that a node sends to.
    fn to(&self, source: u32, row: u32) -> u32 {
        row * self.side + source / self.side
    }
}

impl Pattern for RowToColumn {
    fn destination(&self, source: u32, draw: u64) -> Option<u32> {
        Some(self.to(source, rng::below(draw, u64::from(self.side)) as u32))
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        let share = 1.0 / f64::from(self.side);
        (0..self.side).for_each(|row| emit(self.to(source, row), share));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{pattern, refused};
    use crate::testing::shape;

    #[test]
    fn a_row_sends_to_its_column() {
        let pattern = pattern("kind = 'row_to_column'", &shape(&[4, 4]));
        assert_eq!((pattern.destination(5, 0), pattern.destination(7, u64::MAX)), (Some(1), Some(13)));
        let mut to = Vec::new();
        pattern.flows(14, &mut |node, share| to.push((node, share)));
        assert_eq!(to, [(3, 0.25), (7, 0.25), (11, 0.25), (15, 0.25)]);
        assert!(refused("kind = 'row_to_column'", &shape(&[4, 2])).contains("8 nodes are none"));
    }
}
