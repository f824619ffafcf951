//! Pictures that stand alone: what records give as one picture, and files of any.

use crate::compared::About;
pub use crate::curves::no_column;
use crate::exit::{Failure, Result};
use crate::plotted::{Asked, plotted};
use std::path::PathBuf;
use tailback_pictures::{pdf, raster};
use tailback_results::Record;

/// The picture of records as SVG: curves of column `y` over column `x`; without them, what `tailback plot` shows.
///
/// # Errors
/// For columns that no record has a number in, and where there is nothing to draw.
pub fn curves_svg(records: &[Record], x: Option<&str>, y: Option<&str>) -> Result<String> {
    let asked = Asked { x: x.map(str::to_owned), y: y.map(str::to_owned).into_iter().collect(), ..Asked::default() };
    let drawn = plotted(&records.iter().collect::<Vec<_>>(), &asked, &About::default())?;
    drawn.map(|drawn| drawn.figure.svg).ok_or_else(|| nothing_to_draw(x))
}

/// Why there is no picture.
pub(crate) fn nothing_to_draw(x: Option<&str>) -> Failure {
    Failure::usage(match x {
        None => "there is nothing to draw: no parameter is swept, so there is no curve; name a column for x",
        Some(_) => "there is nothing to draw: no record has a number in both columns",
    })
}

/// Parses the name of a file for a picture as SVG; `-` is standard output.
///
/// # Errors
/// For the ending of another kind of file.
pub(crate) fn svg_file(name: &str) -> std::result::Result<PathBuf, String> {
    file_of(name, "svg", "an SVG picture is")
}

/// Parses the name of a file for a picture as PNG; `-` is standard output.
///
/// # Errors
/// For the ending of another kind of file.
pub(crate) fn png_file(name: &str) -> std::result::Result<PathBuf, String> {
    file_of(name, "png", "a PNG picture is")
}

/// Parses the name of a file for numbers as CSV; `-` is standard output.
///
/// # Errors
/// For the ending of another kind of file.
pub(crate) fn csv_file(name: &str) -> std::result::Result<PathBuf, String> {
    file_of(name, "csv", "CSV is")
}

fn file_of(name: &str, ending: &str, what: &str) -> std::result::Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case(ending) => {
            Err(format!("{what} written, so the name must end in .{ending}"))
        }
        _ => Ok(path),
    }
}

/// A picture as PNG.
///
/// # Errors
/// For what is no picture.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    raster::png(svg).map_err(|error| Failure::Other(error.to_string()))
}

/// A picture as PDF.
///
/// # Errors
/// For what is no picture.
pub fn pdf(svg: &str) -> Result<Vec<u8>> {
    pdf::pdf(svg).map_err(|error| Failure::Other(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::{Scalar, Status};

    #[test]
    fn curves_of_what_is_swept_and_nothing_else() {
        let record = |load: f64| Record {
            parameters: vec![("traffic.load".to_owned(), Scalar::Float(load))],
            offered_load: Some(load),
            accepted_load: Some(load),
            ..Record::empty("id", 1, "0", Status::Steady)
        };
        let records = [record(0.1), record(0.2)];
        let svg = curves_svg(&records, None, None).unwrap();
        assert!(svg.contains("Offered load") && svg.contains("Accepted load"));
        assert_eq!(&png(&svg).unwrap()[1..4], b"PNG");
        assert!(pdf(&svg).unwrap().starts_with(b"%PDF-"));
        assert!(curves_svg(&records, None, Some("latency_mean")).unwrap_err().to_string().contains("accepted_load"));
        assert!(curves_svg(&records[..1], None, None).unwrap_err().to_string().contains("no curve"));
        assert!(curves_svg(&records, Some("latency_mean"), Some("accepted_load")).is_err());
        assert!(png("").is_err() && pdf("").is_err());
    }

    #[test]
    fn a_picture_has_the_ending_of_its_kind_or_none() {
        for good in ["a.svg", "A.SVG", "picture", "a.b/picture", "v1.svg"] {
            assert_eq!(svg_file(good), Ok(PathBuf::from(good)));
        }
        for bad in ["a.pdf", "a.png", "spec.toml", "a.svg.gz"] {
            assert!(svg_file(bad).unwrap_err().contains("must end in .svg"), "{bad}");
        }
        assert!(png_file("a.png").is_ok() && png_file("a.svg").is_err() && csv_file("a.csv").is_ok());
    }
}
