//! The network seen from above: a value for every router or every directed link of a two-dimensional grid.
//!
//! Router `i` stands in column `i % columns` and row `i / columns`; row 0 is at the bottom. Every direction of a link
//! is an arrow of its own, drawn on the right-hand side of the line of travel; a wraparound link leaves over the edge
//! and arrives from beyond the other one. Values that are not numbers are grey.

pub(crate) mod links;

use crate::cells::Cells;
use crate::csv::Rows;
use crate::raster::{self, RasterError};
use crate::scale::{Span, nice_step};
use crate::scale_bar::{self, shade};
use crate::svg::{Anchor, Canvas, INK, Type};
use crate::text;

const SIZE: f64 = crate::style::SIZE;
const PREFERRED: f64 = 460.0;
/// More routers each way are merged into cells of their mean value.
const MOST_CELLS: usize = 1600;
/// More routers each way are refused for maps of links.
pub(crate) const MOST_LINKED: usize = 128;

/// The value of one directed link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkValue {
    /// Index of the sending router.
    pub from: usize,
    /// Index of the receiving router.
    pub to: usize,
    /// Its value.
    pub value: f64,
}

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// One value a router, `columns * rows` of them.
    Routers(Vec<f64>),
    /// Values of directed links; at most 128 columns and rows.
    Links(Vec<LinkValue>),
}

/// A map of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// Printed above; empty for none.
    pub title: String,
    /// What the values are, e.g. `Buffer occupancy`.
    pub label: String,
    /// Their unit, e.g. `flits`; empty for none.
    pub unit: String,
    /// Routers from left to right.
    pub columns: usize,
    /// Routers from bottom to top.
    pub rows: usize,
    /// The values.
    pub values: Values,
    /// Ends of the colour bar; values beyond get the colour of the end. None, or ends that are not ascending: from
    /// the data.
    pub range: Option<(f64, f64)>,
}

/// Why there is no map.
#[derive(Debug, thiserror::Error)]
pub enum HeatMapError {
    /// The number of values is not that of the routers.
    #[error("{found} values for {columns} x {rows} routers")]
    Count {
        /// Number of values given.
        found: usize,
        /// Columns of the map.
        columns: usize,
        /// Rows of the map.
        rows: usize,
    },
    /// A link starts or ends at a router that does not exist, or where it starts.
    #[error("link {index} goes from router {from} to router {to}; the map has {routers} routers")]
    Link {
        /// Index of the link.
        index: usize,
        /// Its sender.
        from: usize,
        /// Its receiver.
        to: usize,
        /// Number of routers.
        routers: usize,
    },
    /// Too many routers to show links.
    #[error("links of {columns} x {rows} routers would be too small to see; at most 128 x 128 are shown")]
    TooManyLinks {
        /// Columns of the map.
        columns: usize,
        /// Rows of the map.
        rows: usize,
    },
    /// The picture cannot be rastered.
    #[error(transparent)]
    Raster(#[from] RasterError),
}

impl HeatMap {
    /// The map as SVG.
    ///
    /// # Errors
    /// Values that do not fit the network; too many routers for a map of links.
    pub fn svg(&self) -> Result<String, HeatMapError> {
        self.with(&serde_json::json!({ "csv": self.csv() }))
    }

    /// The values as a table: one row for each router or link; routers have the numbers that they have in the values.
    fn csv(&self) -> String {
        let value = self.label.to_lowercase().replace(' ', "_");
        match &self.values {
            Values::Routers(values) => {
                let mut rows = Rows::new(&["router", "column", "row", &value]);
                for (router, &value) in values.iter().enumerate() {
                    let (column, row) = (router % self.columns.max(1), router / self.columns.max(1));
                    rows.row().number(router as f64).number(column as f64).number(row as f64).number(value).end();
                }
                rows.finish()
            }
            Values::Links(links) => {
                let mut rows = Rows::new(&["from_router", "to_router", &value]);
                links.iter().for_each(|l| rows.row().number(l.from as f64).number(l.to as f64).number(l.value).end());
                rows.finish()
            }
        }
    }

    /// The map as SVG with the numbers behind it.
    pub(crate) fn with(&self, numbers: &serde_json::Value) -> Result<String, HeatMapError> {
        self.check()?;
        let mut canvas = Canvas::new();
        let top = if self.title.is_empty() { 12.0 } else { 34.0 };
        let (grid, (right, bottom)) = self.draw(&mut canvas, (0.0, top));
        let middle = grid.corner.0 + self.columns as f64 * grid.pitch / 2.0;
        canvas.title((middle, 20.0), crate::style::TITLE, 2.0 * middle.min(right - middle), &self.title);
        canvas.numbers(numbers);
        Ok(canvas.finish((right, bottom), &self.title))
    }

    /// Draws the map with axes and colour bar below and to the right of `at`. Returns where routers stand and the lower right end.
    pub(crate) fn draw(&self, canvas: &mut Canvas, at: (f64, f64)) -> (links::Grid, (f64, f64)) {
        let (grid, margin, span) = (self.grid(at), self.margin(), self.span());
        let (width, height) = (self.columns as f64 * grid.pitch, self.rows as f64 * grid.pitch);
        match &self.values {
            Values::Routers(values) => self.draw_routers(canvas, values, span, grid.corner, (width, height)),
            Values::Links(links) => links::draw(canvas, &grid, links, |v| shade(span, v)),
        }
        self.draw_axes(canvas, at.0, &grid);
        let bar = (grid.corner.0 + width + margin + 22.0, grid.corner.1);
        let right = scale_bar::draw(canvas, span, (&self.label, &self.unit), bar, height.max(120.0));
        (grid, (right, bar.1 + (height + margin + 40.0).max(140.0)))
    }

    /// Where routers stand if the map is drawn below and to the right of `at`.
    pub(crate) fn grid(&self, at: (f64, f64)) -> links::Grid {
        let left = at.0 + 36.0 + text::width(&self.rows.to_string(), SIZE) + self.margin();
        let corner = (left, at.1 + self.margin());
        links::Grid { columns: self.columns, rows: self.rows, pitch: self.pitch(), corner }
    }

    /// Around the routers, for what wraps around.
    fn margin(&self) -> f64 {
        if matches!(self.values, Values::Links(_)) { (self.pitch() * 0.3).ceil() } else { 0.0 }
    }

    /// The map as PNG.
    ///
    /// # Errors
    /// The errors of [`HeatMap::svg`], and a picture that is too large to raster.
    pub fn png(&self) -> Result<Vec<u8>, HeatMapError> {
        Ok(raster::png(&self.svg()?)?)
    }

    pub(crate) fn check(&self) -> Result<(), HeatMapError> {
        let (columns, rows) = (self.columns, self.rows);
        let routers = columns.saturating_mul(rows);
        match &self.values {
            Values::Routers(values) if values.len() != routers => {
                Err(HeatMapError::Count { found: values.len(), columns, rows })
            }
            Values::Routers(_) => Ok(()),
            Values::Links(_) if columns.max(rows) > MOST_LINKED => Err(HeatMapError::TooManyLinks { columns, rows }),
            Values::Links(links) => {
                let bad = |l: &LinkValue| l.from >= routers || l.to >= routers || l.from == l.to;
                match links.iter().enumerate().find(|(_, l)| bad(l)) {
                    Some((index, l)) => Err(HeatMapError::Link { index, from: l.from, to: l.to, routers }),
                    None => Ok(()),
                }
            }
        }
    }

    /// Pixels from router to router.
    fn pitch(&self) -> f64 {
        let most = self.columns.max(self.rows).max(1) as f64;
        match self.values {
            Values::Routers(_) if most > PREFERRED => PREFERRED.max(most.min(MOST_CELLS as f64)) / most,
            Values::Routers(_) => (PREFERRED / most).floor().clamp(1.0, 40.0),
            Values::Links(_) => (PREFERRED / most).floor().clamp(10.0, 48.0),
        }
    }

    fn span(&self) -> Span {
        match &self.values {
            Values::Routers(values) => scale_bar::span(values.iter().copied(), self.range),
            Values::Links(links) => scale_bar::span(links.iter().map(|l| l.value), self.range),
        }
    }

    fn draw_routers(&self, canvas: &mut Canvas, values: &[f64], span: Span, corner: (f64, f64), size: (f64, f64)) {
        let step = self.columns.max(self.rows).div_ceil(MOST_CELLS).max(1);
        let (width, height) = (self.columns.div_ceil(step), self.rows.div_ceil(step));
        let mean = |x: usize, y: usize| {
            let rows = y * step..((y + 1) * step).min(self.rows);
            let block = rows.flat_map(|r| {
                &values[r * self.columns + x * step..r * self.columns + ((x + 1) * step).min(self.columns)]
            });
            let (sum, count) = block.filter(|v| !v.is_nan()).fold((0.0, 0u32), |(s, n), v| (s + v, n + 1));
            if count == 0 { f64::NAN } else { sum / f64::from(count) }
        };
        let places = (0..height).rev().flat_map(|y| (0..width).map(move |x| (x, y)));
        let colours = places.map(|(x, y)| Some(shade(span, mean(x, y)))).collect();
        let cell = (size.0 / width.max(1) as f64, size.1 / height.max(1) as f64);
        Cells { width, height, colours }.draw(canvas, corner, cell);
        canvas.rect((corner.0 - 0.5, corner.1 - 0.5), (size.0 + 1.0, size.1 + 1.0), &format!("stroke=\"{INK}\""));
    }

    /// Draws the axes of a map whose left end is at `x`.
    pub(crate) fn draw_axes(&self, canvas: &mut Canvas, x: f64, grid: &links::Grid) {
        let (margin, pitch, (left, top)) = (self.margin(), grid.pitch, grid.corner);
        let bottom = top + self.rows as f64 * pitch + margin;
        let step = nice_step((28.0 / pitch).max(1.0)) as usize;
        for column in (0..self.columns).step_by(step) {
            let x = left + (column as f64 + 0.5) * pitch;
            canvas.text((x, bottom + 15.0), Type::new(SIZE, Anchor::Middle), &column.to_string());
        }
        for row in (0..self.rows).step_by(step) {
            let y = bottom - margin - (row as f64 + 0.5) * pitch + SIZE * 0.36;
            canvas.text((left - margin - 6.0, y), Type::new(SIZE, Anchor::End), &row.to_string());
        }
        let middle = (left + self.columns as f64 * pitch / 2.0, top + self.rows as f64 * pitch / 2.0);
        canvas.text((middle.0, bottom + 33.0), Type::new(SIZE, Anchor::Middle), "x");
        canvas.text((x + 16.0, middle.1 + 4.0), Type::new(SIZE, Anchor::Middle), "y");
    }
}

#[cfg(test)]
mod tests;
