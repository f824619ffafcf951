//! SVG to PDF with lines as lines and text as text; the compiled-in font is embedded, as far as it is used.

use crate::raster;
use krilla::Document;
use krilla::geom::Size;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};

/// Points of a page in a pixel of a picture.
const POINT: f32 = 0.75;

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// The text is not an SVG document.
    #[error("not a valid SVG: {0}")]
    Svg(String),
    /// The picture has no area.
    #[error("a picture of {width:.0} x {height:.0} pixels has no area")]
    Size {
        /// Width in pixels.
        width: f32,
        /// Height in pixels.
        height: f32,
    },
    /// The encoder failed.
    #[error("cannot encode PDF: {0}")]
    Encode(String),
}

/// `svg` as a PDF of one page, which has the size of the picture: 96 of its pixels are an inch.
///
/// # Errors
/// Not an SVG document; no area.
pub fn pdf(svg: &str) -> Result<Vec<u8>, PdfError> {
    let tree = raster::tree(svg).map_err(PdfError::Svg)?;
    let (width, height) = (tree.size().width() * POINT, tree.size().height() * POINT);
    let no_area = || PdfError::Size { width: tree.size().width(), height: tree.size().height() };
    let size = Size::from_wh(width, height).ok_or_else(no_area)?;
    let mut document = Document::new();
    let mut page = document.start_page_with(PageSettings::from_wh(width, height).ok_or_else(no_area)?);
    let mut surface = page.surface();
    surface.draw_svg(&tree, size, SvgSettings::default()).ok_or_else(no_area)?;
    surface.finish();
    page.finish();
    document.finish().map_err(|error| PdfError::Encode(format!("{error:?}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(body: &str) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"96\" height=\"48\">{body}</svg>")
    }

    fn has(bytes: &[u8], words: &str) -> bool {
        bytes.windows(words.len()).any(|window| window == words.as_bytes())
    }

    #[test]
    fn a_page_has_the_size_of_the_picture_and_its_own_font() {
        let text = "<text y=\"15\" font-size=\"14\" font-family=\"'Noto Sans',sans-serif\" fill=\"#000\">load</text>";
        let with = pdf(&picture(text)).unwrap();
        assert!(with.starts_with(b"%PDF-") && has(&with, "MediaBox[0 0 72 36]") || has(&with, "MediaBox [0 0 72 36]"));
        assert!(has(&with, "NotoSans") && has(&with, "FontFile"), "the font is embedded");
        assert!(!has(&pdf(&picture("")).unwrap(), "FontFile"));
        assert_eq!(pdf(&picture(text)).unwrap(), with, "the same bytes every time");
    }

    #[test]
    fn bad_input_is_an_error() {
        assert!(matches!(pdf("<html>"), Err(PdfError::Svg(_))));
        assert!(matches!(pdf(""), Err(PdfError::Svg(_))));
    }
}
