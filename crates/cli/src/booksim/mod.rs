//! What `tailback booksim` needs beside the verb: reading files, and printing what BookSim prints.

pub mod classic;
pub mod network;
pub mod numbers;
pub mod object;
pub mod sources;
