//! Pictures that stand alone: the curves of records as one, and files of any.

use crate::curves::{Curves, check_column};
use crate::exit::{Failure, Result};
use tailback_pictures::chart::{Chart, grid};
use tailback_pictures::raster;
use tailback_results::Record;

/// The curves of column `y` over column `x` as SVG; without them, accepted load and latency over the load, or over the
/// first number that is swept.
///
/// # Errors
/// For columns that no record has a number in, and where no number is swept.
pub fn curves_svg(records: &[Record], x: Option<&str>, y: Option<&str>) -> Result<String> {
    let nothing = || Failure::usage("no number is swept, so there is no curve: name a column for x");
    Ok(sheet(&charts(records, x, y)?.ok_or_else(nothing)?))
}

/// The charts of [`curves_svg`] one by one; `None` where no number is swept.
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
    Ok(Curves::new(records, x).map(chosen))
}

/// Charts as one picture.
pub(crate) fn sheet(charts: &[Chart]) -> String {
    match charts {
        [one] => one.svg(),
        many => grid(many, 2),
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
        assert!(png("").is_err());
    }
}
