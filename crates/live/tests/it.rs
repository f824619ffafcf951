//! The server and its plays, in one binary.

mod door;
mod replay;
