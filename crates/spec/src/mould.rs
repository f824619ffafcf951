//! Points that differ in plain values alone: all are the first one with other values put in, and only that is resolved.

use std::sync::Arc;

use crate::catalogue::{Catalogue, Param};
use crate::check;
use crate::error::Faults;
use crate::node::is_within;
use crate::resolved::Resolved;
use crate::sweep::Axis;

/// What all points of a plan have in common, with the values of the first one. Nothing is settled yet.
#[derive(Clone, Debug)]
pub(crate) struct Mould {
    pub resolved: Resolved,
    /// The declarations of the axes.
    pub params: Vec<&'static Param>,
}

/// Whether no value of an axis decides which parameters there are, or which defaults they have.
pub(crate) fn is_plain(axis: &Axis, catalogue: &Catalogue) -> bool {
    !axis.structural && !catalogue.implied.iter().any(|implied| is_within(&axis.path, implied.of))
}

impl Mould {
    /// The point with the values of this number of each axis. `None` where a value does not fit its declaration.
    pub fn filled<'a>(&self, catalogue: &Catalogue, chosen: impl Iterator<Item = (&'a Axis, u64)>) -> Option<Resolved> {
        let mut resolved = self.resolved.clone();
        for ((axis, index), param) in chosen.zip(&self.params) {
            let node = axis.value(index);
            let value = check::plain(param, &axis.path, &node, &mut Faults::default())?;
            *resolved.value_mut(&axis.path)? = value;
            Arc::make_mut(&mut resolved.sources.places).insert(axis.path.clone(), node.place);
        }
        resolved.settle(catalogue);
        Some(resolved)
    }
}
