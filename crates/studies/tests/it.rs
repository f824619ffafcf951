//! The studies, in one binary.

mod presets;
mod reproduce;
