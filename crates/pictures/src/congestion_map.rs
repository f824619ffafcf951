//! Congestion on the network's map: left, how long every link stood still and which places were the roots of it; right, the
//! congestion trees of one moment, each in a colour of its own. Routers stand as in [`crate::heat_map`].

use crate::colour::SERIES;
use crate::heat_map::links::{self, Grid};
use crate::heat_map::{HeatMap, HeatMapError, LinkValue, Values};
use crate::svg::{Anchor, Canvas, Type};

const SIZE: f64 = crate::style::SIZE;
/// Above the maps: the title and the line below it.
const TOP: f64 = 56.0;
/// Colour of roots where all are alike, and of trees beyond the first few.
const ROOT: &str = "#d55e00";
const OTHER: &str = "#8a8a8a";
/// Trees with a colour of their own: those of [`SERIES`] but for black and yellow.
const COLOURED: usize = 6;

/// A link, or the nodes of a router, that others stand still for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// The router that sends.
    pub router: usize,
    /// The router at the other end of the link; `None`: a node.
    pub to: Option<usize>,
    /// Share of the time in which it was a root, 0 to 1.
    pub share: f64,
}

/// A congestion tree at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    /// Its root; the share means nothing.
    pub root: Root,
    /// The links that stand still for it, as routers at both ends and the number of links to the root.
    pub branches: Vec<(usize, usize, u32)>,
}

/// What is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct CongestionMap {
    /// Printed above; empty for none.
    pub title: String,
    /// Routers from left to right.
    pub columns: usize,
    /// Routers from bottom to top.
    pub rows: usize,
    /// The share of the time in which each link stood still.
    pub still: Vec<LinkValue>,
    /// All roots.
    pub roots: Vec<Root>,
    /// The moment that is shown to the right, in words.
    pub moment: String,
    /// Its trees, the largest first.
    pub trees: Vec<Tree>,
}

impl CongestionMap {
    /// The picture as SVG.
    ///
    /// # Errors
    /// A network too large for a map of links, or a link between routers that do not exist.
    pub fn svg(&self) -> Result<String, HeatMapError> {
        // Those that never stood still are grey.
        let shown = |link: &LinkValue| if link.value > 0.0 { *link } else { LinkValue { value: f64::NAN, ..*link } };
        let all = self.heat_map(self.still.iter().map(shown).collect());
        self.check(&all)?;
        let mut canvas = Canvas::new();
        let (grid, (middle, bottom)) = all.draw(&mut canvas, (0.0, TOP));
        for root in &self.roots {
            let radius = grid.pitch * 0.24 * root.share.clamp(0.02, 1.0).sqrt();
            canvas.dot(place(&grid, root), radius, ROOT);
        }
        let at = (middle + 14.0, TOP);
        let right_grid = all.grid(at);
        self.draw_moment(&mut canvas, &right_grid);
        all.draw_axes(&mut canvas, at.0, &right_grid);
        let right = right_grid.corner.0 + self.columns as f64 * grid.pitch + (grid.pitch * 0.3).ceil() + 24.0;
        self.draw_heads(&mut canvas, (&grid, &right_grid), right);
        Ok(canvas.finish((right, bottom), &self.title))
    }

    fn heat_map(&self, links: Vec<LinkValue>) -> HeatMap {
        HeatMap {
            title: String::new(),
            label: "Standing still".to_owned(),
            unit: "share of the time".to_owned(),
            columns: self.columns,
            rows: self.rows,
            values: Values::Links(links),
            range: Some((0.0, 1.0)),
        }
    }

    fn check(&self, all: &HeatMap) -> Result<(), HeatMapError> {
        all.check()?;
        let roots = || self.roots.iter().chain(self.trees.iter().map(|tree| &tree.root));
        let of_roots = roots().filter_map(|root| Some((root.router, root.to?)));
        let branches = self.trees.iter().flat_map(|tree| tree.branches.iter().map(|&(from, to, _)| (from, to)));
        let links = of_roots.chain(branches).map(|(from, to)| LinkValue { from, to, value: 0.0 });
        self.heat_map(links.collect()).check()?;
        let routers = self.columns * self.rows;
        match roots().enumerate().find(|(_, root)| root.router >= routers) {
            Some((index, root)) => Err(HeatMapError::Link { index, from: root.router, to: root.router, routers }),
            None => Ok(()),
        }
    }

    fn draw_moment(&self, canvas: &mut Canvas, grid: &Grid) {
        links::draw_routers(canvas, grid);
        // The largest last, on top of the others.
        for (number, tree) in self.trees.iter().enumerate().rev() {
            let colour = if number < COLOURED { SERIES[number] } else { OTHER };
            for &(from, to, depth) in &tree.branches {
                let link = LinkValue { from, to, value: 0.0 };
                links::draw_link(canvas, grid, &link, colour);
                if grid.pitch >= 26.0 {
                    let how = Type { halo: true, ..Type::new(9.5, Anchor::Middle) };
                    let (x, y) = grid.middle(&link);
                    canvas.text((x, y + 3.4), how, &depth.to_string());
                }
            }
            canvas.dot(place(grid, &tree.root), grid.pitch * 0.2, colour);
        }
    }

    fn draw_heads(&self, canvas: &mut Canvas, (left, right): (&Grid, &Grid), width: f64) {
        canvas.title((width / 2.0, 20.0), crate::style::TITLE, width - 24.0, &self.title);
        let of = |grid: &Grid| grid.corner.0 + self.columns as f64 * grid.pitch / 2.0;
        let how = Type::new(SIZE, Anchor::Middle);
        canvas.text((of(left), 42.0), how, "all looks: links that stand still, and roots (dots, area by time)");
        canvas.text((of(right), 42.0), how, &self.moment);
    }
}

/// Where a root is: in the middle of its link, or of its router.
fn place(grid: &Grid, root: &Root) -> (f64, f64) {
    match root.to {
        Some(to) => grid.middle(&LinkValue { from: root.router, to, value: 0.0 }),
        None => grid.centre(root.router),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(trees: usize) -> CongestionMap {
        let root = |router, to, share| Root { router, to, share };
        let tree = Tree { root: root(3, None, 0.0), branches: vec![(2, 3, 1), (1, 2, 2)] };
        CongestionMap {
            title: "t".to_owned(),
            columns: 4,
            rows: 2,
            still: vec![LinkValue { from: 2, to: 3, value: 0.5 }, LinkValue { from: 1, to: 2, value: 0.25 }],
            roots: vec![root(3, None, 1.0), root(7, None, 0.25), root(4, Some(5), 0.25)],
            moment: "cycle 64".to_owned(),
            trees: vec![tree; trees],
        }
    }

    #[test]
    fn roots_are_dots_of_an_area_by_time_and_branches_bear_their_depth() {
        let svg = map(1).svg().expect("a picture");
        let radii: Vec<&str> =
            svg.match_indices(" r=\"").filter_map(|(at, _)| svg[at + 4..].split('"').next()).collect();
        assert_eq!(svg.matches("<circle").count(), 4);
        let (large, small): (f64, f64) = (radii[0].parse().unwrap(), radii[1].parse().unwrap());
        assert!((large / small - 2.0).abs() < 0.01, "{radii:?}");
        assert!(svg.contains(">2</text>") && svg.contains("cycle 64"));
        assert!(crate::raster::png(&svg).is_ok());
    }

    #[test]
    fn trees_beyond_the_first_are_grey_and_none_is_no_harm() {
        assert!(!map(COLOURED).svg().expect("a picture").contains(OTHER));
        assert!(map(COLOURED + 1).svg().expect("a picture").contains(OTHER));
        let none = CongestionMap { still: Vec::new(), roots: Vec::new(), ..map(0) };
        assert!(none.svg().expect("a picture").contains("cycle 64"));
    }

    #[test]
    fn links_that_do_not_exist_are_refused() {
        let with = |root| CongestionMap { roots: vec![root], ..map(0) }.svg();
        assert!(matches!(with(Root { router: 8, to: None, share: 1.0 }), Err(HeatMapError::Link { .. })));
        assert!(matches!(with(Root { router: 1, to: Some(9), share: 1.0 }), Err(HeatMapError::Link { .. })));
        let large = CongestionMap { columns: 129, ..map(0) };
        assert!(matches!(large.svg(), Err(HeatMapError::TooManyLinks { .. })));
    }
}
