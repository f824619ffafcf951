//! The figure as a whole.
