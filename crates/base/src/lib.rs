//! Words every Tailback crate shares: counter-based random numbers, bit sets, text files of facts, text of others for
//! terminals, what checkpoints hold.

pub mod bits;
pub mod hash;
pub mod lines;
pub mod pages;
pub mod prefetch;
pub mod rng;
pub mod state;
pub mod text;
