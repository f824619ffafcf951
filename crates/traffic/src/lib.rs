//! Who sends what, when, how long.
//!
//! Traffic is *lazy*: packet `k` of node `n` is a pure function of (spec, seed, n, k), so a source queue of any length is
//! a cursor, not memory, and a source that is not looked at costs nothing.
