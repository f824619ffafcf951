//! What is built: topologies as flat, immutable tables.
