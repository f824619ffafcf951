//! The files of the page, as they stand in the program.

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
        /// All of them; the first is the page itself.
        pub const FILES: &[File] = &[$(File {
            path: concat!("/", $name),
            kind: $kind,
            bytes: include_bytes!(concat!("../page/", $name)),
        },)+];
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
    "ask.js" SCRIPT,
    "colour.js" SCRIPT,
    "curves.js" SCRIPT,
    "keys.js" SCRIPT,
    "lesson.js" SCRIPT,
    "map.js" SCRIPT,
    "map-2d.js" SCRIPT,
    "map-gl.js" SCRIPT,
    "parts.js" SCRIPT,
    "steer.js" SCRIPT,
    "store.js" SCRIPT,
    "strip.js" SCRIPT,
    "wire.js" SCRIPT,
    "vendor/uPlot.esm.js" SCRIPT,
    "vendor/uPlot.LICENSE" TEXT,
}

/// The file at a path.
pub fn file(path: &str) -> Option<&'static File> {
    let path = if path == "/" { FILES[0].path } else { path };
    FILES.iter().find(|file| file.path == path)
}
