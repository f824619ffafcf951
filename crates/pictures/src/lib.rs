//! Results to SVG, PNG and HTML; knows no engine.
