//! The part of a table that is a router's, as an array of a fixed length: the compiler knows that all its numbers are inside.

use super::super::table::WINDOW;

/// Entries of a table from `from` on, as many as a plain router can have channels.
#[inline(always)]
pub fn window<T>(table: &[T], from: usize) -> &[T; WINDOW] {
    table[from..].first_chunk().expect("tables go on behind the last router")
}

/// The same, to be changed.
#[inline(always)]
pub fn window_mut<T>(table: &mut [T], from: usize) -> &mut [T; WINDOW] {
    table[from..].first_chunk_mut().expect("tables go on behind the last router")
}
