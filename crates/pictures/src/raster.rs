//! SVG to PNG with a compiled-in font, so that it works alike on machines without fonts.

use resvg::{tiny_skia, usvg};
use std::sync::{Arc, OnceLock};

/// Pixels of a PNG per pixel of the SVG, each way, in [`png`]: 288 dots to an inch. A whole number, so that cells stay sharp.
pub const SCALE: f32 = 3.0;

/// As [`SCALE`], of a picture that would have more than [`MANY_PIXELS`] pixels.
pub const SCALE_OF_LARGE: f32 = 2.0;

/// A PNG at [`SCALE`] has at most this many pixels.
pub const MANY_PIXELS: f32 = 16e6;

/// A PNG has at most this many pixels.
pub const MAX_PIXELS: u64 = 1 << 26;

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
pub enum RasterError {
    /// The text is not an SVG document.
    #[error("not a valid SVG: {0}")]
    Svg(String),
    /// The picture has no area or more than [`MAX_PIXELS`] pixels, or the scale is not a positive number.
    #[error("a picture of {width:.0} x {height:.0} pixels; from 1 to {MAX_PIXELS} pixels in total are possible")]
    Size {
        /// Width in pixels.
        width: f32,
        /// Height in pixels.
        height: f32,
    },
    /// The encoder failed.
    #[error("cannot encode PNG: {0}")]
    Encode(String),
}

/// `svg` as PNG, [`SCALE`] times its size, or [`SCALE_OF_LARGE`] times.
///
/// # Errors
/// Not an SVG document; too large (see [`MAX_PIXELS`]).
pub fn png(svg: &str) -> Result<Vec<u8>, RasterError> {
    let tree = tree(svg).map_err(RasterError::Svg)?;
    let pixels = tree.size().width() * tree.size().height() * SCALE * SCALE;
    encoded(&tree, if pixels <= MANY_PIXELS { SCALE } else { SCALE_OF_LARGE })
}

/// `svg` as PNG, `scale` times its size.
///
/// # Errors
/// Not an SVG document; too large (see [`MAX_PIXELS`]); `scale` not positive.
pub fn png_scaled(svg: &str, scale: f32) -> Result<Vec<u8>, RasterError> {
    encoded(&tree(svg).map_err(RasterError::Svg)?, scale)
}

fn encoded(tree: &usvg::Tree, scale: f32) -> Result<Vec<u8>, RasterError> {
    let (width, height) = ((tree.size().width() * scale).ceil(), (tree.size().height() * scale).ceil());
    let fits = width >= 1.0 && height >= 1.0 && f64::from(width) * f64::from(height) <= MAX_PIXELS as f64;
    let mut pixels = fits
        .then(|| tiny_skia::Pixmap::new(width as u32, height as u32))
        .flatten()
        .ok_or(RasterError::Size { width, height })?;
    resvg::render(tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| RasterError::Encode(e.to_string()))
}

/// The picture as shapes and text in the compiled-in font, or why it is none.
pub(crate) fn tree(svg: &str) -> Result<usvg::Tree, String> {
    let options = usvg::Options { font_family: "Noto Sans".to_owned(), fontdb: fonts(), ..usvg::Options::default() };
    usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())
}

fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONTS: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    let load = || {
        let mut database = usvg::fontdb::Database::new();
        for font in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
            database.load_font_source(usvg::fontdb::Source::Binary(Arc::new(font)));
        }
        database.set_sans_serif_family("Noto Sans");
        Arc::new(database)
    };
    Arc::clone(FONTS.get_or_init(load))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(body: &str) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\">{body}</svg>")
    }

    fn ink(svg: &str) -> usize {
        let decoded = tiny_skia::Pixmap::decode_png(&png(svg).expect("valid")).expect("a PNG");
        assert_eq!((decoded.width(), decoded.height()), (180, 60));
        decoded.pixels().iter().filter(|p| p.alpha() > 0).count()
    }

    #[test]
    fn text_is_drawn_without_fonts_of_the_machine() {
        assert_eq!(ink(&picture("")), 0);
        let text = "<text y=\"15\" font-size=\"14\" font-family=\"'Noto Sans',sans-serif\">load</text>";
        assert!(ink(&picture(text)) > 100);
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(matches!(png("<html>"), Err(RasterError::Svg(_))));
        assert!(matches!(png(""), Err(RasterError::Svg(_))));
        assert!(matches!(png_scaled(&picture(""), 1e6), Err(RasterError::Size { .. })));
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(matches!(png_scaled(&picture(""), scale), Err(RasterError::Size { .. })), "{scale}");
        }
    }
}
