//! From charts to figures in both forms.

use crate::reproduce::StudyError;
use crate::study::Figure;
use tailback_pictures::chart::{Chart, grid};
use tailback_pictures::raster;
use tailback_pictures::space_time::SpaceTime;

/// Panels, so many a row at most.
pub(crate) fn panels(name: &str, caption: String, charts: &[Chart], a_row: usize) -> Result<Figure, StudyError> {
    let svg = grid(charts, a_row);
    let png = raster::png(&svg).map_err(|cause| failed(name, &cause))?;
    Ok(Figure { name: name.to_owned(), caption, svg: Some(svg), png: Some(png) })
}

/// A space-time chart.
pub(crate) fn space_time(name: &str, caption: String, chart: &SpaceTime) -> Result<Figure, StudyError> {
    let svg = chart.svg().map_err(|cause| failed(name, &cause))?;
    let png = chart.png().map_err(|cause| failed(name, &cause))?;
    Ok(Figure { name: name.to_owned(), caption, svg: Some(svg), png: Some(png) })
}

fn failed(name: &str, cause: &dyn std::error::Error) -> StudyError {
    StudyError::Picture { name: name.to_owned(), cause: cause.to_string() }
}
