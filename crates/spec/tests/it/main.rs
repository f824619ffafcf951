//! Tests of the spec's public face, in one binary.

mod catalogues;
mod effects;
mod explained;
mod hostile;
mod messages;
mod presets;
mod random;
mod resolving;
mod sample;
mod sweeping;
