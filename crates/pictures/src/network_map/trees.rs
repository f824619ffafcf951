//! Congestion on a network of any shape: left, how long every link stood still and which places were the roots of it; right, the
//! congestion trees of one moment, each in a colour of its own.

use super::frame::Frame;
use super::{NetworkMapError, Plan, SIZE, bar, lines};
use crate::colour::SERIES;
use crate::scale::Span;
use crate::scale_bar;
use crate::svg::{Anchor, Canvas, Type};

/// Above the maps: the title and the line below it.
const TOP: f64 = 44.0;
/// Colour of roots where all are alike, and of trees beyond the first few.
const ROOT: &str = "#d55e00";
const OTHER: &str = "#8a8a8a";
/// Trees with a colour of their own: those of [`SERIES`] but for black and yellow.
const COLOURED: usize = 6;

/// What others stand still for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A link of the plan.
    Link(usize),
    /// The nodes of a router.
    Router(usize),
}

/// A congestion tree at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Its root.
    pub root: Spot,
    /// The links that stand still for it, and the number of links from each to the root.
    pub branches: Vec<(usize, u32)>,
}

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeMap {
    /// Printed above; empty for none.
    pub title: String,
    /// Where everything stands.
    pub plan: Plan,
    /// The share of the time in which each link stood still.
    pub still: Vec<f64>,
    /// All roots, with the share of the time in which each was one.
    pub roots: Vec<(Spot, f64)>,
    /// The moment that is shown to the right, in words.
    pub moment: String,
    /// Its trees, the largest first.
    pub trees: Vec<Tree>,
}

impl TreeMap {
    /// The picture as SVG.
    ///
    /// # Errors
    /// Values that do not fit the plan, too many links, or roots that do not exist.
    pub fn svg(&self) -> Result<String, NetworkMapError> {
        self.check()?;
        let mut canvas = Canvas::new();
        let span = Span { lo: 0.0, hi: 1.0, log: false };
        let left = Frame::new(&self.plan, (0.0, TOP));
        lines::by_value(&mut canvas, &left, &self.still, span);
        left.plain_routers(&mut canvas);
        left.labels(&mut canvas);
        for &(root, share) in &self.roots {
            canvas.dot(place(&left, root), largest(&left) * share.clamp(0.03, 1.0).sqrt(), ROOT);
        }
        let beside = (left.right() + 14.0, left.corner().1);
        let label = ("Standing still", "share of the time");
        let end = scale_bar::draw(&mut canvas, span, label, beside, bar(&left));
        let right = Frame::new(&self.plan, (end + 14.0, TOP));
        self.draw_moment(&mut canvas, &right);
        let width = right.right() + 4.0;
        canvas.title((width / 2.0, 20.0), crate::style::TITLE, width - 24.0, &self.title);
        let how = Type::new(SIZE, Anchor::Middle);
        canvas.text((left.middle(), 42.0), how, "all looks: links that stand still, and roots (dots, area by time)");
        canvas.text((right.middle(), 42.0), how, &self.moment);
        Ok(canvas.finish((width, left.bottom() + 8.0), &self.title))
    }

    fn draw_moment(&self, canvas: &mut Canvas, frame: &Frame<'_>) {
        lines::grey(canvas, frame);
        let colour = |number: usize| if number < COLOURED { SERIES[number] } else { OTHER };
        // The largest last, on top of the others.
        for (number, tree) in self.trees.iter().enumerate().rev() {
            tree.branches.iter().for_each(|&(line, _)| lines::bold(canvas, frame, line, colour(number)));
        }
        frame.plain_routers(canvas);
        frame.labels(canvas);
        for (number, tree) in self.trees.iter().enumerate().rev() {
            if frame.pitch() >= 26.0 {
                for &(line, depth) in &tree.branches {
                    let (x, y) = frame.halfway(line);
                    let how = Type { halo: true, ..Type::new(9.5, Anchor::Middle) };
                    canvas.text((x, y + 3.4), how, &depth.to_string());
                }
            }
            canvas.dot(place(frame, tree.root), 0.8 * largest(frame), colour(number));
        }
    }

    fn check(&self) -> Result<(), NetworkMapError> {
        self.plan.check()?;
        let (found, wanted) = (self.still.len(), self.plan.lines.len());
        if found != wanted {
            return Err(NetworkMapError::Count { found, wanted, what: "links" });
        }
        let branches = self.trees.iter().flat_map(|tree| tree.branches.iter().map(|&(line, _)| Spot::Link(line)));
        let spots = self.roots.iter().map(|&(root, _)| root).chain(self.trees.iter().map(|tree| tree.root));
        for spot in spots.chain(branches) {
            match spot {
                Spot::Link(line) if line >= wanted => return Err(NetworkMapError::Line(line)),
                Spot::Router(router) if router >= self.plan.places.len() => return Err(NetworkMapError::Line(router)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Radius of the dot of a root that was one all the time.
fn largest(frame: &Frame<'_>) -> f64 {
    (0.24 * frame.pitch()).clamp(4.0, 10.0)
}

fn place(frame: &Frame<'_>, root: Spot) -> (f64, f64) {
    match root {
        Spot::Link(line) => frame.halfway(line),
        Spot::Router(router) => frame.router(router),
    }
}
