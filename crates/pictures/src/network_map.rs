//! A network of any shape, seen from above: a value for every router or every link, or the links by their kind.
//!
//! Routers stand where a [`Plan`] places them, and links are its curves, each direction one of its own. Links that carry most are drawn
//! last, widest, and with a dark edge where they are few, so that they are seen at once. What is not a number is grey.

mod frame;
mod lines;
mod trees;

pub use trees::{Spot, Tree, TreeMap};

use crate::colour::{SERIES, hex};
use crate::csv::Rows;
use crate::raster::{self, RasterError};
use crate::scale_bar;
use crate::svg::{Anchor, Canvas, Type, num};
use frame::Frame;

const SIZE: f64 = crate::style::SIZE;

/// More links are refused: they would be too small to see.
pub const MOST_LINKS: usize = 40_000;

/// The most links for which a map of routers shows them in grey.
const MOST_BEHIND: usize = 6_000;

/// Where the routers and links of a network stand: the unit square, to the right and up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The place of each router.
    pub places: Vec<(f64, f64)>,
    /// The links.
    pub lines: Vec<Line>,
    /// Words beside routers.
    pub labels: Vec<Label>,
    /// Width over height of the map.
    pub aspect: f64,
    /// Half the distance between the nearest routers, where the map is 1 high.
    pub radius: f64,
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Index of the sending router.
    pub from: usize,
    /// Index of the receiving router.
    pub to: usize,
    /// The inner two of the four points of a cubic Bezier curve.
    pub bends: [(f64, f64); 2],
}

/// Words beside routers. Numbers are thinned out where there is no room for all.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Where they stand.
    pub at: (f64, f64),
    /// Which way from there they go: a step to the right and up.
    pub toward: (f64, f64),
    /// The words.
    pub text: String,
}

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum Show {
    /// One value for each router.
    Routers(Vec<f64>),
    /// One value for each link of the plan.
    Links(Vec<f64>),
    /// The links by their kind.
    Kinds(Vec<Kind>),
}

/// Links of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// What the legend says.
    pub name: String,
    /// Indices of the links in the plan.
    pub lines: Vec<usize>,
}

/// A map of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkMap {
    /// Printed above; empty for none.
    pub title: String,
    /// What the values are, e.g. `Utilisation`.
    pub label: String,
    /// Their unit, e.g. `share of cycles`; empty for none.
    pub unit: String,
    /// Where everything stands.
    pub plan: Plan,
    /// What is shown.
    pub show: Show,
    /// Sentences below the map.
    pub notes: Vec<String>,
}

/// Why there is no map.
#[derive(Debug, thiserror::Error)]
pub enum NetworkMapError {
    /// The number of values is not that of the routers or links.
    #[error("{found} values for {wanted} {what}")]
    Count {
        /// Number of values given.
        found: usize,
        /// Number of routers or links.
        wanted: usize,
        /// Which.
        what: &'static str,
    },
    /// A link or a root that does not exist, or one that leads nowhere.
    #[error("link {0} of the map does not exist, or joins no two routers of it")]
    Line(usize),
    /// Too many links to show.
    #[error("{0} links would be too small to see; at most {MOST_LINKS} are shown")]
    TooManyLinks(usize),
    /// The picture cannot be rastered.
    #[error(transparent)]
    Raster(#[from] RasterError),
}

impl NetworkMap {
    /// The map as SVG.
    ///
    /// # Errors
    /// Values that do not fit the plan, or too many links.
    pub fn svg(&self) -> Result<String, NetworkMapError> {
        self.check()?;
        self.with(&serde_json::json!({ "csv": self.csv() }))
    }

    /// The map as PNG.
    ///
    /// # Errors
    /// The errors of [`NetworkMap::svg`], and a picture that is too large to raster.
    pub fn png(&self) -> Result<Vec<u8>, NetworkMapError> {
        Ok(raster::png(&self.svg()?)?)
    }

    /// The map as SVG with the numbers behind it.
    pub(crate) fn with(&self, numbers: &serde_json::Value) -> Result<String, NetworkMapError> {
        self.check()?;
        let mut canvas = Canvas::new();
        let top = if self.title.is_empty() { 8.0 } else { 32.0 };
        let frame = Frame::new(&self.plan, (0.0, top));
        let right = self.draw(&mut canvas, &frame);
        let mut bottom = frame.bottom();
        for note in &self.notes {
            bottom += 1.6 * SIZE;
            canvas.text((12.0, bottom), Type::new(SIZE, Anchor::Start), &crate::text::fit(note, SIZE, right - 16.0));
        }
        canvas.title((right / 2.0, 20.0), crate::style::TITLE, right - 16.0, &self.title);
        canvas.numbers(numbers);
        Ok(canvas.finish((right, bottom + 12.0), &self.title))
    }

    /// Draws the map; returns the right end of what is drawn.
    fn draw(&self, canvas: &mut Canvas, frame: &Frame<'_>) -> f64 {
        let beside = (frame.right() + 14.0, frame.corner().1);
        match &self.show {
            Show::Routers(values) => {
                let span = scale_bar::span(values.iter().copied(), None);
                if self.plan.lines.len() <= MOST_BEHIND {
                    lines::grey(canvas, frame);
                }
                frame.routers(canvas, frame.mark() * 1.5, |router| hex(scale_bar::shade(span, values[router])));
                frame.labels(canvas);
                scale_bar::draw(canvas, span, (&self.label, &self.unit), beside, bar(frame))
            }
            Show::Links(values) => {
                let span = scale_bar::span(values.iter().copied(), None);
                lines::by_value(canvas, frame, values, span);
                frame.plain_routers(canvas);
                frame.labels(canvas);
                scale_bar::draw(canvas, span, (&self.label, &self.unit), beside, bar(frame))
            }
            Show::Kinds(kinds) => {
                for (kind, colour) in kinds.iter().zip(SERIES.iter().cycle()) {
                    lines::of_kind(canvas, frame, &kind.lines, colour);
                }
                frame.plain_routers(canvas);
                frame.labels(canvas);
                legend(canvas, kinds, beside)
            }
        }
    }

    fn check(&self) -> Result<(), NetworkMapError> {
        let plan = &self.plan;
        plan.check()?;
        let (found, wanted, what) = match &self.show {
            Show::Routers(values) => (values.len(), plan.places.len(), "routers"),
            Show::Links(values) => (values.len(), plan.lines.len(), "links"),
            Show::Kinds(kinds) => {
                let missing = kinds.iter().flat_map(|kind| &kind.lines).find(|&&line| line >= plan.lines.len());
                return missing.map_or(Ok(()), |&line| Err(NetworkMapError::Line(line)));
            }
        };
        if found == wanted { Ok(()) } else { Err(NetworkMapError::Count { found, wanted, what }) }
    }

    /// The values as a table: one row for each router or link.
    fn csv(&self) -> String {
        let value = self.label.to_lowercase().replace(' ', "_");
        match &self.show {
            Show::Routers(values) => {
                let mut rows = Rows::new(&["router", &value]);
                values.iter().enumerate().for_each(|(at, &value)| rows.row().number(at as f64).number(value).end());
                rows.finish()
            }
            Show::Links(values) => {
                let mut rows = Rows::new(&["from_router", "to_router", &value]);
                for (line, &value) in self.plan.lines.iter().zip(values) {
                    rows.row().number(line.from as f64).number(line.to as f64).number(value).end();
                }
                rows.finish()
            }
            Show::Kinds(kinds) => {
                let mut rows = Rows::new(&["from_router", "to_router", "kind"]);
                for (kind, line) in kinds.iter().flat_map(|kind| kind.lines.iter().map(move |&line| (kind, line))) {
                    let Line { from, to, .. } = self.plan.lines[line];
                    rows.row().number(from as f64).number(to as f64).text(&kind.name).end();
                }
                rows.finish()
            }
        }
    }
}

impl Plan {
    /// That all links join routers of it, and that they are not too many.
    fn check(&self) -> Result<(), NetworkMapError> {
        if self.lines.len() > MOST_LINKS {
            return Err(NetworkMapError::TooManyLinks(self.lines.len()));
        }
        let routers = self.places.len();
        let bad = |line: &Line| line.from >= routers || line.to >= routers || line.from == line.to;
        self.lines.iter().position(bad).map_or(Ok(()), |at| Err(NetworkMapError::Line(at)))
    }
}

/// Height of the colour bar.
fn bar(frame: &Frame<'_>) -> f64 {
    (frame.bottom() - frame.corner().1 - 20.0).clamp(120.0, 420.0)
}

/// Draws which colour is which kind; returns the right end.
fn legend(canvas: &mut Canvas, kinds: &[Kind], (x, y): (f64, f64)) -> f64 {
    let mut right: f64 = x;
    for (number, (kind, colour)) in kinds.iter().zip(SERIES.iter().cycle()).enumerate() {
        let y = y + 10.0 + 18.0 * number as f64;
        canvas.raw(&format!("<path d=\"M{} {}h22\" stroke=\"{colour}\" stroke-width=\"2.5\"/>", num(x), num(y)));
        canvas.text((x + 28.0, y + SIZE * 0.36), Type::new(SIZE, Anchor::Start), &kind.name);
        right = right.max(x + 28.0 + crate::text::width(&kind.name, SIZE));
    }
    right + 14.0
}

#[cfg(test)]
mod tests;
