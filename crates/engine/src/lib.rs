//! How a cycle happens; names no mechanism.
