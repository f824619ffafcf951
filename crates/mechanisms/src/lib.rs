//! The literature, one file each.
