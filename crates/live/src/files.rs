//! The files of the page, as they stand in the program.

use tailback_pictures::report::{LIVE_SCRIPT, LIVE_STYLE};

/// A file of the page.
pub struct File {
    /// Its path on the server.
    pub path: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// What it holds.
    pub bytes: &'static [u8],
}

macro_rules! files {
    ($($name:literal $kind:expr,)+) => {
        /// All of them.
        pub const FILES: &[File] = &[
            $(File { path: concat!("/", $name), kind: $kind, bytes: include_bytes!(concat!("../page/", $name)) },)+
            // What reports have, too.
            File { path: "/report-live.css", kind: CSS, bytes: LIVE_STYLE.as_bytes() },
            File { path: "/report-live.js", kind: SCRIPT, bytes: LIVE_SCRIPT.as_bytes() },
        ];
    };
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

files! {
    "index.html" HTML,
    "page.css" CSS,
    "main.js" SCRIPT,
    "apng.js" SCRIPT,
    "ask.js" SCRIPT,
    "bundle.js" SCRIPT,
    "cells.js" SCRIPT,
    "close.js" SCRIPT,
    "colour.js" SCRIPT,
    "curves.js" SCRIPT,
    "keys.js" SCRIPT,
    "lens.js" SCRIPT,
    "lesson.js" SCRIPT,
    "map.js" SCRIPT,
    "map-2d.js" SCRIPT,
    "map-gl.js" SCRIPT,
    "panel.js" SCRIPT,
    "parts.js" SCRIPT,
    "recording.js" SCRIPT,
    "replay.js" SCRIPT,
    "ring.js" SCRIPT,
    "save.js" SCRIPT,
    "steer.js" SCRIPT,
    "store.js" SCRIPT,
    "strip.js" SCRIPT,
    "tracks.js" SCRIPT,
    "turn.js" SCRIPT,
    "wire.js" SCRIPT,
    "view.css" CSS,
    "view.html" HTML,
    "view.js" SCRIPT,
    "view-parts.js" SCRIPT,
    "vendor/uPlot.esm.js" SCRIPT,
    "vendor/uPlot.LICENSE" TEXT,
}

/// The page of a play, and the page of results.
pub const PAGES: [&str; 2] = ["/index.html", "/view.html"];

/// The file at a path.
pub fn file(path: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.path == path)
}
