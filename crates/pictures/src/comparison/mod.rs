//! The comparison figure: accepted load and latency over offered load, a curve for each variant, and below them a strip
//! with the loads at which each variant has its knee and saturates.
//!
//! The rules: axes begin at zero, and no interval widens them. Variants that cannot be told apart are drawn once, in grey,
//! up to the load at which they part. A filled mark is steady in every seed, a hollow one is not, a crossed one is
//! deadlocked or starved, a half-filled one was interrupted. Where nothing is steady, latency is not drawn, for it grows
//! with the length of the run. Labels stand at the right ends of the curves.

mod alike;
mod beside;
mod caption;
mod draw;
mod limits;
mod sheet;
mod strip;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod words;

pub use crate::ended::Ended;
use crate::estimate::Estimate;
use crate::figure::Figure;
use crate::plate::Numbers;
use crate::svg::Canvas;
use draw::{Curve, UNIT};
use sheet::Sheet;
pub use terminal::Terminal;
pub(crate) use words::number;

/// What was measured at one load.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Point {
    /// Offered load \[flits/node/cycle\].
    pub load: f64,
    /// Accepted load \[flits/node/cycle\].
    pub accepted: Estimate,
    /// Mean latency \[cycles\]; none where no packet arrived.
    pub latency: Option<Estimate>,
    /// How the point ended.
    pub ended: Ended,
    /// Its status in words, for the table: `2 steady, 1 saturated`.
    pub status: String,
}

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// Its place in the order of the spec, twins counted: it has a colour, a shape and a dash of its own.
    pub place: usize,
    /// Names of later variants whose runs all equal those of this one bit for bit; they are not drawn again.
    pub twins: Vec<String>,
    /// What was measured, by ascending load.
    pub points: Vec<Point>,
    /// Latency without waiting \[cycles\].
    pub zero_load: Option<f64>,
    /// Load at which latency is twice that at zero load \[flits/node/cycle\].
    pub knee: Option<Estimate>,
    /// Load at which it saturates \[flits/node/cycle\].
    pub saturation: Option<Estimate>,
}

impl Variant {
    /// `off = alo`: the variant with those that equal it.
    pub fn label(&self) -> String {
        std::iter::once(&self.name).chain(&self.twins).map(String::as_str).collect::<Vec<_>>().join(" = ")
    }
}

/// A line that no curve can cross.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bound {
    /// What bounds, e.g. `channel-load bound`.
    pub name: String,
    /// The load \[flits/node/cycle\].
    pub load: f64,
}

/// Everything that the figure shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The network and its traffic, for the caption: `16 x 16 torus, uniform traffic`.
    pub subject: String,
    /// What variants are called together, in the plural: `mechanisms`.
    pub kind: String,
    /// Seeds of a point, at least.
    pub seeds: usize,
    /// The variants, in the order of the spec. Twins are told by the first of them, and have no entry of their own.
    pub variants: Vec<Variant>,
    /// The bound that limits the network, if it is known and the same for all variants.
    pub bound: Option<Bound>,
    /// What the bar of a saturation load is, for the caption; empty where it is a 95 % interval.
    pub saturation_is: String,
}

/// The paper's column that a figure fits in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// 3.5 inches wide, panels one below the other.
    One,
    /// 7.16 inches wide, panels side by side.
    #[default]
    Two,
}

impl Comparison {
    /// The figure with its caption and its numbers.
    pub fn figure(&self, name: &str, columns: Columns) -> Figure {
        let mut sheet = Sheet::new(self, columns);
        let bound = limits::near_bound(self);
        let csv = table::csv(self);
        let svg = draw_all(&mut sheet, bound, &csv);
        Figure { name: name.to_owned(), svg, caption: caption::caption(&sheet, columns, bound), csv }
    }

    /// What variants are called in the plural.
    fn kind(&self) -> &str {
        if self.kind.is_empty() { "variants" } else { &self.kind }
    }
}

fn accepted_of(point: &Point) -> Option<Estimate> {
    Some(point.accepted.clone())
}

fn latency_of(point: &Point) -> Option<Estimate> {
    point.latency.clone()
}

fn draw_all(sheet: &mut Sheet<'_>, bound: Option<f64>, csv: &str) -> String {
    let mut canvas = Canvas::new();
    canvas.table(csv);
    accepted(&mut canvas, sheet, bound);
    latency(&mut canvas, sheet);
    sheet.strips.iter().for_each(|strip| strip::draw(&mut canvas, sheet, strip));
    draw::legend(&mut canvas, sheet);
    canvas.finish((sheet.width, sheet.height), "")
}

/// Curves of a quantity and, where variants are alike, the one that they share.
fn curves_of(
    sheet: &Sheet<'_>,
    plate: &crate::plate::Plate,
    pick: fn(&Point) -> Option<Estimate>,
) -> (Vec<Curve>, Option<Curve>) {
    let of = |(variant, look): &(&Variant, crate::look::Look)| {
        draw::curve(plate, (&variant.points, *look), sheet.alike, pick)
    };
    let common = (sheet.alike > 0).then(|| draw::common(sheet, plate, pick));
    (sheet.variants.iter().map(of).collect(), common)
}

/// Whether an axis without a strip below it has numbers.
fn numbers(sheet: &Sheet<'_>, below: bool) -> Numbers {
    if below || !sheet.strips.is_empty() { Numbers::Hidden } else { Numbers::Shown }
}

fn accepted(canvas: &mut Canvas, sheet: &mut Sheet<'_>, bound: Option<f64>) {
    let mut panel = sheet.accepted.take();
    beside::references(canvas, &panel, bound);
    let (curves, common) = curves_of(sheet, &panel.plate, accepted_of);
    draw::curves(canvas, &mut panel, &curves, common.as_ref());
    let stacked = sheet.latency.plate.area.left == panel.plate.area.left;
    draw::frame(canvas, sheet, &panel, ("Accepted load", UNIT), numbers(sheet, stacked));
    draw::end_labels(canvas, sheet, &panel, &curves);
    beside::reference_names(canvas, sheet, &mut panel, bound);
    sheet.accepted = panel;
}

fn latency(canvas: &mut Canvas, sheet: &mut Sheet<'_>) {
    let mut panel = sheet.latency.take();
    let field = beside::field(sheet.comparison, panel.axis.end());
    field.iter().for_each(|field| beside::draw_field(canvas, &panel, field));
    let (curves, common) = curves_of(sheet, &panel.plate, latency_of);
    draw::curves(canvas, &mut panel, &curves, common.as_ref());
    draw::frame(canvas, sheet, &panel, ("Mean latency", "cycles"), numbers(sheet, false));
    draw::end_labels(canvas, sheet, &panel, &curves);
    beside::knee(canvas, sheet, &mut panel);
    field.iter().for_each(|field| beside::field_words(canvas, sheet, &mut panel, field));
    common.iter().for_each(|common| beside::shared_name(canvas, sheet, &mut panel, common));
    sheet.latency = panel;
}
