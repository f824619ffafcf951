//! Steps: a destination lies so many nodes further on, and every packet draws how many.

use super::weighted::{WEIGHTS, once_each, weights};
use super::{Built, Pattern};
use crate::Shape;
use crate::shares::Shares;
use std::collections::BTreeMap;
use tailback_spec::{Entry, Fallback, Kind, Param, View};

/// Its catalogue entry.
pub(super) const ENTRY: Entry = Entry {
    name: "steps",
    summary: "every packet draws a step; node W sends to W + step, modulo the nodes, and with a step of 0 to itself",
    paper: "",
    ideal: false,
    params: &[
        Param {
            name: "steps",
            kind: Kind::Integers { min: 0, max: 1 << 30, min_len: 1, max_len: 65_536 },
            unit: "nodes",
            fallback: Fallback::Required,
            doc: "How many nodes further on destinations are.",
        },
        WEIGHTS,
    ],
};

/// Builds it; refused unless each step has a weight.
pub(super) fn build(view: View, shape: &Shape, _seed: u64) -> Built {
    let steps = view.u32s("steps");
    let nodes = shape.nodes();
    let steps = steps.iter().map(|step| step % nodes);
    let list: Vec<(u32, f64)> = steps.clone().zip(weights(view, steps.len())?).collect();
    Ok(Box::new(Steps { shares: Shares::new(&list), list: once_each(list), nodes }))
}

struct Steps {
    shares: Shares<u32>,
    list: BTreeMap<u32, f64>,
    nodes: u32,
}

impl Steps {
    fn from(&self, source: u32, step: u32) -> u32 {
        ((u64::from(source) + u64::from(step)) % u64::from(self.nodes)) as u32
    }
}

impl Pattern for Steps {
    fn destination(&self, source: u32, draw: u64) -> Option<u32> {
        Some(self.from(source, self.shares.pick(draw)))
    }

    fn flows(&self, source: u32, emit: &mut dyn FnMut(u32, f64)) {
        self.list.iter().for_each(|(&step, &share)| emit(self.from(source, step), share));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{pattern, refused};
    use crate::testing::shape;

    #[test]
    fn steps_go_round_and_round() {
        let four = shape(&[2, 2]);
        let pattern = pattern("kind = 'steps'\nsteps = [1, 0, 6]\nweights = [1, 2, 1]", &four);
        assert_eq!((pattern.destination(3, 0), pattern.destination(3, u64::MAX / 2)), (Some(0), Some(3)));
        assert_eq!(pattern.destination(3, u64::MAX), Some(1));
        assert!(refused("kind = 'steps'\nsteps = [1, 2]\nweights = [1]", &four).contains("1 weights for a list of 2"));
    }
}
