//! Draws the directed links of a map as arrows.

use super::LinkValue;
use crate::colour::{Rgb, hex};
use crate::svg::{Canvas, num};

/// Where routers stand.
pub(crate) struct Grid {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
    /// Pixels from router to router.
    pub(crate) pitch: f64,
    /// Upper left corner of the map.
    pub(crate) corner: (f64, f64),
}

type Position = (f64, f64);

impl Grid {
    fn place(&self, router: usize) -> (usize, usize) {
        (router % self.columns, router / self.columns)
    }

    pub(crate) fn centre(&self, router: usize) -> Position {
        let (column, row) = self.place(router);
        let up = self.rows - 1 - row;
        (self.corner.0 + (column as f64 + 0.5) * self.pitch, self.corner.1 + (up as f64 + 0.5) * self.pitch)
    }

    /// Side of a router's square \[pixels\].
    fn node(&self) -> f64 {
        self.pitch * 0.42
    }

    /// Length of the ends of a link that wraps around \[pixels\].
    fn reach(&self) -> f64 {
        self.pitch * 0.78
    }

    /// The middle of a link's arrow, or of its first end where it wraps around.
    pub(crate) fn middle(&self, link: &LinkValue) -> Position {
        let (from, to) = (self.centre(link.from), self.centre(link.to));
        let (dx, dy) = match self.wrap(link) {
            Some((dx, dy)) => (dx * self.reach() * 1.2, dy * self.reach() * 1.2),
            None => (to.0 - from.0, to.1 - from.1),
        };
        let length = (dx * dx + dy * dy).sqrt();
        let aside = self.pitch * 0.115 / length;
        (from.0 + dx / 2.0 - dy * aside, from.1 + dy / 2.0 + dx * aside)
    }

    /// Direction of travel if the link wraps around, in pixels towards the edge that it leaves over.
    fn wrap(&self, link: &LinkValue) -> Option<Position> {
        let ((fx, fy), (tx, ty)) = (self.place(link.from), self.place(link.to));
        let far = |a: usize, b: usize, size: usize| size > 2 && a.abs_diff(b) == size - 1;
        let sign = |a: usize, b: usize| if a > b { 1.0 } else { -1.0 };
        match (fy == ty && far(fx, tx, self.columns), fx == tx && far(fy, ty, self.rows)) {
            (true, _) => Some((sign(fx, tx), 0.0)),
            (_, true) => Some((0.0, -sign(fy, ty))),
            _ => None,
        }
    }
}

/// Draws routers as grey squares and every link as an arrow of the colour that `shade` gives its value.
pub(crate) fn draw(canvas: &mut Canvas, grid: &Grid, links: &[LinkValue], shade: impl Fn(f64) -> Rgb) {
    draw_routers(canvas, grid);
    links.iter().for_each(|link| draw_link(canvas, grid, link, &hex(shade(link.value))));
}

/// Draws routers as grey squares.
pub(crate) fn draw_routers(canvas: &mut Canvas, grid: &Grid) {
    let node = grid.node();
    let mut squares = String::new();
    for router in 0..grid.columns * grid.rows {
        let (x, y) = grid.centre(router);
        let side = num(node);
        squares.push_str(&format!("M{} {}h{side}v{side}h-{side}Z", num(x - node / 2.0), num(y - node / 2.0)));
    }
    canvas.raw(&format!("<path d=\"{squares}\" fill=\"#f2f2f2\" stroke=\"#999999\" stroke-width=\"0.6\"/>"));
}

/// Draws a link as an arrow, or as two ends of one where it wraps around.
pub(crate) fn draw_link(canvas: &mut Canvas, grid: &Grid, link: &LinkValue, fill: &str) {
    let (from, to, node) = (grid.centre(link.from), grid.centre(link.to), grid.node());
    let mut data = String::new();
    match grid.wrap(link) {
        Some((dx, dy)) => {
            let reach = grid.reach();
            data.push_str(&arrow(from, (from.0 + dx * reach, from.1 + dy * reach), grid.pitch, (node / 2.0, 0.0)));
            data.push_str(&arrow((to.0 - dx * reach, to.1 - dy * reach), to, grid.pitch, (0.0, node / 2.0)));
        }
        None => data.push_str(&arrow(from, to, grid.pitch, (node / 2.0, node / 2.0))),
    }
    canvas.raw(&format!("<path d=\"{data}\" fill=\"{fill}\" stroke=\"#444444\" stroke-width=\"0.3\"/>"));
}

/// Outline of an arrow from `a` to `b`, shortened at its ends by `cut`, moved to the right of its direction.
fn arrow(a: Position, b: Position, pitch: f64, cut: (f64, f64)) -> String {
    let length = ((b.0 - a.0).powi(2) + (b.1 - a.1).powi(2)).sqrt();
    let (ux, uy) = ((b.0 - a.0) / length, (b.1 - a.1) / length);
    let half = pitch * 0.07;
    let aside = pitch * 0.115;
    let head = (pitch * 0.17).min((length - cut.0 - cut.1) * 0.5);
    let at = |along: f64, across: f64| {
        let across = across + aside;
        format!("{} {}", num(a.0 + ux * along - uy * across), num(a.1 + uy * along + ux * across))
    };
    let (start, end) = (cut.0, length - cut.1);
    let corners = [
        at(start, -half),
        at(end - head, -half),
        at(end - head, -half * 1.6),
        at(end, 0.0),
        at(end - head, half * 1.6),
        at(end - head, half),
        at(start, half),
    ];
    format!("M{}Z", corners.join("L"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraparound_links_are_told_from_neighbours() {
        let grid = Grid { columns: 4, rows: 2, pitch: 10.0, corner: (0.0, 0.0) };
        let wrap = |from, to| grid.wrap(&LinkValue { from, to, value: 0.0 });
        assert_eq!(wrap(3, 0), Some((1.0, 0.0)));
        assert_eq!(wrap(0, 3), Some((-1.0, 0.0)));
        assert_eq!(
            (wrap(0, 1), wrap(0, 4), wrap(0, 7)),
            (None, None, None),
            "two rows have no wraparound of their own"
        );
        let tall = Grid { columns: 1, rows: 3, pitch: 10.0, corner: (0.0, 0.0) };
        assert_eq!(tall.wrap(&LinkValue { from: 2, to: 0, value: 0.0 }), Some((0.0, -1.0)), "up, out of the top");
    }

    #[test]
    fn opposite_directions_do_not_overlap() {
        let there = arrow((0.0, 0.0), (10.0, 0.0), 10.0, (2.0, 2.0));
        let back = arrow((10.0, 0.0), (0.0, 0.0), 10.0, (2.0, 2.0));
        assert!(there.starts_with("M2 0.45") && back.starts_with("M8 -0.45"), "{there} {back}");
    }
}
