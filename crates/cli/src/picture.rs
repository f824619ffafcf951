//! Pictures that stand alone: the curves of records as one, and files of any.

pub use crate::curves::no_column;
use crate::curves::{Curves, check_column};
use crate::exit::{Failure, Result};
use std::path::PathBuf;
use tailback_pictures::chart::{Chart, grid};
use tailback_pictures::raster;
use tailback_results::Record;

/// The curves of column `y` over column `x` as SVG; without them, accepted load and latency over the load, or over the
/// first number that is swept.
///
/// # Errors
/// For columns that no record has a number in, and where no number is swept.
pub fn curves_svg(records: &[Record], x: Option<&str>, y: Option<&str>) -> Result<String> {
    Ok(sheet(&charts(records, x, y)?.ok_or_else(|| nothing_to_draw(x))?))
}

/// Why there is no curve.
pub(crate) fn nothing_to_draw(x: Option<&str>) -> Failure {
    Failure::usage(match x {
        None => "there is nothing to draw: no number is swept, so there is no curve; name a column for x",
        Some(_) => "there is nothing to draw: no record has a number in both columns",
    })
}

/// The charts of [`curves_svg`] one by one; `None` where no number is swept, or no record has a number for both axes.
///
/// # Errors
/// For columns that no record has a number in.
pub(crate) fn charts(records: &[Record], x: Option<&str>, y: Option<&str>) -> Result<Option<Vec<Chart>>> {
    for name in [x, y].into_iter().flatten() {
        check_column(records, name)?;
    }
    let chosen = |curves: Curves| match y {
        Some(y) => vec![curves.chart(y)],
        None => curves.usual(None).into_iter().map(|(_, chart)| chart).collect(),
    };
    let charts = Curves::new(records, x).map(chosen);
    Ok(charts.filter(|charts| charts.iter().any(has_points)))
}

fn has_points(chart: &Chart) -> bool {
    chart.series.iter().any(|series| series.points.iter().any(|(x, y)| x.is_finite() && y.is_finite()))
}

/// Charts as one picture.
pub(crate) fn sheet(charts: &[Chart]) -> String {
    match charts {
        [one] => one.svg(),
        many => grid(many, 2),
    }
}

/// Parses the name of a file for a picture as SVG; `-` is standard output.
///
/// # Errors
/// For the ending of another kind of file.
pub(crate) fn svg_file(name: &str) -> std::result::Result<PathBuf, String> {
    file_of(name, "svg", "an SVG")
}

/// Parses the name of a file for a picture as PNG; `-` is standard output.
///
/// # Errors
/// For the ending of another kind of file.
pub(crate) fn png_file(name: &str) -> std::result::Result<PathBuf, String> {
    file_of(name, "png", "a PNG")
}

fn file_of(name: &str, ending: &str, what: &str) -> std::result::Result<PathBuf, String> {
    let path = PathBuf::from(name);
    match path.extension() {
        Some(other) if !other.eq_ignore_ascii_case(ending) => {
            Err(format!("{what} picture is written, so the name must end in .{ending}"))
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
        assert!(svg.contains("Offered load") && svg.contains("Accepted load") && !svg.contains("latency"));
        assert_eq!(&png(&svg).unwrap()[1..4], b"PNG");
        assert!(curves_svg(&records, None, Some("latency_mean")).unwrap_err().to_string().contains("accepted_load"));
        assert!(curves_svg(&records[..1], None, None).unwrap_err().to_string().contains("no curve"));
        assert!(curves_svg(&records, Some("latency_mean"), Some("accepted_load")).is_err());
        assert!(png("").is_err());
    }

    #[test]
    fn a_picture_has_the_ending_of_its_kind_or_none() {
        for good in ["a.svg", "A.SVG", "picture", "a.b/picture", "v1.svg"] {
            assert_eq!(svg_file(good), Ok(PathBuf::from(good)));
        }
        for bad in ["a.pdf", "a.png", "spec.toml", "a.svg.gz"] {
            assert!(svg_file(bad).unwrap_err().contains("must end in .svg"), "{bad}");
        }
        assert!(png_file("a.png").is_ok() && png_file("a.svg").is_err());
    }
}
