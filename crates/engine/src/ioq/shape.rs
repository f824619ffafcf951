//! What of a network's sides is known where the data path is compiled.
//!
//! PERF: the queues and masks of a side lie at fixed places in one record, and indices are masked instead of checked: an event
//! looks for its side once. Against one vector a quantity this saves a fifth of the instructions of a packet-hop
//! (`tailback bench recn-1`).

use super::queues::{Queue, after};
use super::router::MAX_PORTS;
use crate::mask::Mask;
use std::fmt::Debug;
use tailback_base::state::State;

/// So many things, by number.
pub(super) trait Row<T: Copy>: Clone + Debug + State {
    /// At least `count` times the same.
    fn of(value: T, count: usize) -> Self;
    /// All of them.
    fn all(&self) -> &[T];
    /// One of them.
    fn at(&self, n: usize) -> &T;
    /// One of them, for writing.
    fn at_mut(&mut self, n: usize) -> &mut T;
}

/// A power of two of things. A number beyond is another one.
impl<T: Copy + Debug + State, const N: usize> Row<T> for [T; N] {
    fn of(value: T, count: usize) -> Self {
        assert!(N.is_power_of_two() && count <= N, "the shape was chosen for this network");
        [value; N]
    }

    #[inline(always)]
    fn all(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn at(&self, n: usize) -> &T {
        &self[n & (N - 1)]
    }

    #[inline(always)]
    fn at_mut(&mut self, n: usize) -> &mut T {
        &mut self[n & (N - 1)]
    }
}

/// Any number of things.
impl<T: Copy + Debug + State> Row<T> for Box<[T]> {
    fn of(value: T, count: usize) -> Self {
        vec![value; count].into()
    }

    #[inline(always)]
    fn all(&self) -> &[T] {
        self
    }

    #[inline(always)]
    fn at(&self, n: usize) -> &T {
        &self[n]
    }

    #[inline(always)]
    fn at_mut(&mut self, n: usize) -> &mut T {
        &mut self[n]
    }
}

/// How large sides and switches are.
pub(super) trait Shape: Clone + Debug + 'static {
    /// Whether the queues of a side share its memory. Then there is one counter of credits a side, and a set of queues is one
    /// word.
    const SHARED: bool;
    /// Ports of a switch.
    const PORTS: usize;
    /// A set of ports of a switch.
    type Ports: Mask;
    /// By egress port and class, a set of ingress ports.
    type Askers: Row<[Self::Ports; 2]>;
    /// A word of a set of queues.
    type Set: Mask + PartialEq;
    /// Words of a set of queues.
    type Sets: Row<Self::Set>;
    /// Words of a set of queues for each egress port, one after the other.
    type Asks: Row<Self::Set>;
    /// The queues of a side.
    type Lists: Row<Queue>;
}

/// Shared memory, up to 8 ports and 16 queues a side.
#[derive(Clone, Debug)]
pub(super) struct Small;

impl Shape for Small {
    const SHARED: bool = true;
    const PORTS: usize = 8;
    type Ports = u8;
    type Askers = [[u8; 2]; 8];
    type Set = u16;
    type Sets = [u16; 1];
    type Asks = [u16; 8];
    type Lists = [Queue; 16];
}

/// Shared memory, and all that are supported.
#[derive(Clone, Debug)]
pub(super) struct Wide;

impl Shape for Wide {
    const SHARED: bool = true;
    const PORTS: usize = MAX_PORTS;
    type Ports = u64;
    type Askers = [[u64; 2]; MAX_PORTS];
    type Set = u64;
    type Sets = [u64; 1];
    type Asks = [u64; MAX_PORTS];
    type Lists = [Queue; 64];
}

/// Parted memory, any number of queues.
#[derive(Clone, Debug)]
pub(super) struct Parted;

impl Shape for Parted {
    const SHARED: bool = false;
    const PORTS: usize = MAX_PORTS;
    type Ports = u64;
    type Askers = [[u64; 2]; MAX_PORTS];
    type Set = u64;
    type Sets = Box<[u64]>;
    type Asks = Box<[u64]>;
    type Lists = Box<[Queue]>;
}

/// The queue that comes after one of `count`. PERF: of a set of one word the one that comes first from there on is the same,
/// whether there is such a queue or not.
#[inline(always)]
pub(super) fn behind<S: Shape>(queue: usize, count: u32) -> u32 {
    if S::SHARED { queue as u32 + 1 } else { after(queue, count as usize) }
}

/// Whether this shape suffices for so many ports and queues.
pub(super) fn fits<S: Shape>(ports: usize, queues: usize) -> bool {
    ports <= S::PORTS && queues <= 8 * size_of::<S::Set>()
}
