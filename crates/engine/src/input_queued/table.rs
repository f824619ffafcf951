//! Tables of all ports, or of all channels, and the part of them that is a router's: an array of a fixed length, so that the compiler knows
//! that all its numbers are inside.

use std::ops::{Deref, DerefMut};
use tailback_base::state::{Reader, State, Unfit, Writer};

/// Entries of a table behind those of the last router, so that every router has an array of as many.
pub(super) const WINDOW: usize = 64;

/// Where a router is in the tables of its network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Its first port, of all.
    first: usize,
    /// Its first channel.
    base: usize,
}

impl Place {
    /// That of a router whose first port is this one, of all; [`super::layout::Layout::place_of`] knows it.
    #[inline(always)]
    pub fn new(first: usize, channels: usize) -> Self {
        Place { first, base: first * channels }
    }

    /// Its first channel.
    #[inline(always)]
    pub fn base(self) -> usize {
        self.base
    }
}

/// Defines a table that begins, for a router, where a field of its place says.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident, $from:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub(super) struct $name<T>(Box<[T]>);

        impl<T: Clone> $name<T> {
            /// One for each of `all`, alike.
            pub fn new(all: usize, entry: T) -> Self {
                $name(vec![entry; all + WINDOW].into())
            }
        }

        impl<T> $name<T> {
            /// The entries of a router, and others behind them.
            #[inline(always)]
            #[allow(unsafe_code)]
            pub fn at(&self, place: Place) -> &[T; WINDOW] {
                debug_assert!(place.$from + WINDOW <= self.0.len());
                // SAFETY: `Layout::place_of` makes all places, of an entry of `Layout::first`, or that times the channels of a port. They rise up to the last one, which is
                // the number of all ports; a table has `WINDOW` entries more than there are ports, or channels, and its length never
                // changes. Places and tables do not leave the fabric that they belong to, which has one layout.
                // PERF: no checks and no lengths (`tailback bench booksim-mesh8`).
                unsafe { &*self.0.as_ptr().add(place.$from).cast() }
            }

            /// The same, to be changed.
            #[inline(always)]
            #[allow(unsafe_code)]
            pub fn at_mut(&mut self, place: Place) -> &mut [T; WINDOW] {
                debug_assert!(place.$from + WINDOW <= self.0.len());
                // SAFETY: as in `at`.
                unsafe { &mut *self.0.as_mut_ptr().add(place.$from).cast() }
            }
        }

        impl<T> Deref for $name<T> {
            type Target = [T];

            #[inline(always)]
            fn deref(&self) -> &[T] {
                &self.0
            }
        }

        impl<T> DerefMut for $name<T> {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut [T] {
                &mut self.0
            }
        }

        /// What is behind the last router never changes.
        impl<T: State> State for $name<T> {
            fn save(&self, to: &mut Writer) {
                let Self(entries) = self;
                entries[..entries.len() - WINDOW].save(to);
            }

            fn restore(&mut self, from: &mut Reader<'_>) -> Result<(), Unfit> {
                let all = self.0.len() - WINDOW;
                self.0[..all].restore(from)
            }
        }
    };
}

table!(
    /// An entry for every port of every router, and some behind the last one.
    ByPort, first
);
table!(
    /// An entry for every channel of every port, and some behind the last one.
    ByChannel, base
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_router_has_all_of_its_entries_and_others() {
        let (mut ports, mut channels) = (ByPort::new(10, 0), ByChannel::new(40, 0));
        // Behind the last port there is still room for as many entries.
        for first in [0, 7, 10] {
            let place = Place::new(first, 4);
            ports.at_mut(place)[WINDOW - 1] = first + 1;
            channels.at_mut(place)[WINDOW - 1] = first + 1;
            assert_eq!((ports[first + WINDOW - 1], channels[first * 4 + WINDOW - 1]), (first + 1, first + 1));
            assert_eq!((ports.at(place)[WINDOW - 1], channels.at(place)[WINDOW - 1]), (first + 1, first + 1));
        }
        assert_eq!((ports.len(), channels.len()), (10 + WINDOW, 40 + WINDOW));
    }

    #[test]
    fn what_is_behind_the_last_router_is_not_saved() {
        let mut table = ByPort::new(3, 1u16);
        table[2] = 7;
        let mut to = Writer::default();
        table.save(&mut to);
        let bytes = to.into_bytes();
        let mut restored = ByPort::new(3, 1u16);
        restored.restore(&mut Reader::new(&bytes, &[])).unwrap();
        assert_eq!(*restored, *table);
        let mut plain = vec![0u16; 3];
        plain.as_mut_slice().restore(&mut Reader::new(&bytes, &[])).unwrap();
        assert_eq!(plain, [1, 1, 7]);
        assert!(ByPort::new(4, 1u16).restore(&mut Reader::new(&bytes, &[])).is_err());
    }
}
