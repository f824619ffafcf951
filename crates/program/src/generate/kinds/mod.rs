//! The generators, a file each.

pub(crate) mod binomial;
pub(crate) mod dissemination;
pub(crate) mod double_binary_tree;
pub(crate) mod halo;
pub(crate) mod halving_doubling;
pub(crate) mod hierarchical;
pub(crate) mod incast;
pub(crate) mod pairwise;
pub(crate) mod pipeline;
pub(crate) mod recursive_doubling;
pub(crate) mod request_reply;
pub(crate) mod ring;
pub(crate) mod spread;
