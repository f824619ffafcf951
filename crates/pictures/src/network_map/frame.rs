//! Where a plan stands on the picture, in pixels.

use super::{Label, Plan, SIZE};
use crate::labels::Rect;
use crate::svg::{Anchor, Canvas, INK, Type, num};
use crate::text;

/// A plan on the picture.
pub(super) struct Frame<'p> {
    pub(super) plan: &'p Plan,
    /// Upper left corner of the unit square.
    corner: (f64, f64),
    width: f64,
    height: f64,
    /// Room for words to the right and below.
    margin: (f64, f64),
}

impl<'p> Frame<'p> {
    /// With its upper left end, words included, at `at`.
    pub(super) fn new(plan: &'p Plan, at: (f64, f64)) -> Self {
        let side = match plan.places.len() {
            0..=1 => 120.0,
            2..=64 => 460.0,
            65..=400 => 640.0,
            _ => 860.0,
        };
        let root = plan.aspect.max(0.01).sqrt();
        let room = |toward: &dyn Fn((f64, f64)) -> bool| {
            let words = plan.labels.iter().filter(|label| toward(label.toward)).map(|label| label.text.as_str());
            text::widest(words, SIZE)
        };
        let (left, right) = (room(&|(x, _)| x < -0.3), room(&|(x, _)| x > 0.3));
        let corner = (at.0 + 14.0 + if left > 0.0 { left + 8.0 } else { 0.0 }, at.1 + 20.0);
        let margin = (14.0 + if right > 0.0 { right + 6.0 } else { 0.0 }, 22.0);
        Frame { plan, corner, width: side * root, height: side / root, margin }
    }

    pub(super) fn corner(&self) -> (f64, f64) {
        self.corner
    }

    /// The right end, words included.
    pub(super) fn right(&self) -> f64 {
        self.corner.0 + self.width + self.margin.0
    }

    /// The lower end, words included.
    pub(super) fn bottom(&self) -> f64 {
        self.corner.1 + self.height + self.margin.1
    }

    /// The middle, from left to right.
    pub(super) fn middle(&self) -> f64 {
        self.corner.0 + self.width / 2.0
    }

    pub(super) fn pixel(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.corner.0 + x * self.width, self.corner.1 + (1.0 - y) * self.height)
    }

    pub(super) fn router(&self, router: usize) -> (f64, f64) {
        self.pixel(self.plan.places[router])
    }

    /// Distance of the nearest routers \[pixels\].
    pub(super) fn pitch(&self) -> f64 {
        2.0 * self.plan.radius * self.height
    }

    /// Radius of a router's mark \[pixels\].
    pub(super) fn mark(&self) -> f64 {
        (0.2 * self.pitch()).clamp(0.9, 9.0)
    }

    /// The four points of a link's curve.
    pub(super) fn curve(&self, line: usize) -> [(f64, f64); 4] {
        let line = &self.plan.lines[line];
        [self.router(line.from), self.pixel(line.bends[0]), self.pixel(line.bends[1]), self.router(line.to)]
    }

    /// The middle of a link's curve.
    pub(super) fn halfway(&self, line: usize) -> (f64, f64) {
        let [a, b, c, d] = self.curve(line);
        let mean = |a: f64, b: f64, c: f64, d: f64| (a + 3.0 * b + 3.0 * c + d) / 8.0;
        (mean(a.0, b.0, c.0, d.0), mean(a.1, b.1, c.1, d.1))
    }

    /// Draws all routers in grey, with their numbers where there is room for them.
    pub(super) fn plain_routers(&self, canvas: &mut Canvas) {
        self.routers(canvas, self.mark(), |_| "#f2f2f2".to_owned());
        let numbered = self.plan.labels.len() == self.plan.places.len();
        let most = self.plan.places.len().saturating_sub(1).to_string();
        let size = SIZE * 0.75;
        if numbered || text::width(&most, size) > 1.7 * self.mark() {
            return;
        }
        for router in 0..self.plan.places.len() {
            let (x, y) = self.router(router);
            canvas.text((x, y + size * 0.36), Type::new(size, Anchor::Middle), &router.to_string());
        }
    }

    /// Draws routers as dots of these colours; those of one colour are one shape.
    pub(super) fn routers(&self, canvas: &mut Canvas, radius: f64, fill: impl Fn(usize) -> String) {
        let mut by_colour: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
        let (r, d) = (num(radius), num(2.0 * radius));
        for router in 0..self.plan.places.len() {
            let (x, y) = self.router(router);
            let dot = format!("M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0Z", num(x - radius), num(y));
            by_colour.entry(fill(router)).or_default().push_str(&dot);
        }
        let edge = num((0.12 * radius).clamp(0.2, 0.7));
        for (fill, dots) in by_colour {
            canvas.raw(&format!("<path d=\"{dots}\" fill=\"{fill}\" stroke=\"#777777\" stroke-width=\"{edge}\"/>"));
        }
    }

    /// Draws the words, numbers of them in steps in which they do not touch.
    pub(super) fn labels(&self, canvas: &mut Canvas) {
        let steps = [1u64, 2, 5].into_iter();
        let steps = (0..7).flat_map(|power| steps.clone().map(move |step| step * 10u64.pow(power)));
        let chosen = |step: u64| {
            let keep =
                move |label: &&Label| label.text.parse::<u64>().map_or(true, |number| number.is_multiple_of(step));
            self.plan.labels.iter().filter(keep).collect::<Vec<_>>()
        };
        let Some(labels) = steps.map(chosen).find(|labels| self.are_apart(labels)) else { return };
        for label in labels {
            let (at, anchor) = self.place(label);
            canvas.text(at, Type { colour: INK, ..Type::new(SIZE, anchor) }, &label.text);
        }
    }

    /// Where the words of a label stand, and how.
    fn place(&self, label: &Label) -> ((f64, f64), Anchor) {
        let ((x, y), (right, up)) = (self.pixel(label.at), label.toward);
        let anchor = match right {
            r if r < -0.3 => Anchor::End,
            r if r > 0.3 => Anchor::Start,
            _ => Anchor::Middle,
        };
        let away = 6.0 + if self.plan.places.contains(&label.at) { self.mark() } else { 0.0 };
        ((x + right * away, y - up * (away + 0.3 * SIZE) + 0.36 * SIZE), anchor)
    }

    fn are_apart(&self, labels: &[&Label]) -> bool {
        let rect = |label: &&Label| {
            let ((x, y), anchor) = self.place(label);
            let width = text::width(&label.text, SIZE) + 3.0;
            let left = match anchor {
                Anchor::Start => x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            Rect::text((left, y), width, SIZE)
        };
        let rects: Vec<Rect> = labels.iter().map(rect).collect();
        // Words stand in rows and rings: those near in the list are those near on the map.
        let near = |at: usize| (at + 1..rects.len()).take(12).chain(0..at.min(2)).filter(move |&other| other != at);
        (0..rects.len()).all(|at| near(at).all(|other| !rects[at].meets(&rects[other])))
    }
}
