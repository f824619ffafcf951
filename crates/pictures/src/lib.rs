//! Results to SVG, PNG, HTML and the terminal; knows no engine.
//!
//! Every picture is a plain value ([`chart::Chart`], [`bars::Bars`], [`space_time::SpaceTime`], [`heat_map::HeatMap`],
//! [`film::Film`], [`network_map::NetworkMap`], [`wait_circle::WaitCircle`], [`congestion_map::CongestionMap`], [`report::Report`]) filled in by the caller
//! and turned into text or bytes by a pure function: no files, no clock,
//! no fonts of the machine. The same value gives the same bytes.
//!
//! Data flows one way: value -> ranges and ticks (`scale`) -> SVG (`svg`) -> PNG ([`raster`]) or HTML ([`report`]).
//! [`terminal`] draws the same [`chart::Chart`] in braille characters.

mod area;
pub mod bars;
mod cells;
pub mod chart;
mod colour;
pub mod compared_bars;
pub mod comparison;
pub mod congestion_map;
mod csv;
pub mod ended;
pub mod estimate;
pub mod figure;
pub mod film;
pub mod heat_map;
mod labels;
mod look;
pub mod network_map;
mod numbers;
pub mod pdf;
mod plate;
pub mod raster;
pub mod report;
mod scale;
mod scale_bar;
pub mod space_time;
mod style;
mod svg;
pub mod terminal;
mod text;
pub mod time_panels;
pub mod timeline;
pub mod wait_circle;
