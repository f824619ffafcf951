//! Words every Tailback crate shares: counter-based random numbers and bit sets.

pub mod bits;
pub mod prefetch;
pub mod rng;
