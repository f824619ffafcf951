//! Space-time charts: which input buffers of a row of routers are full, cycle by cycle, time running downwards.
//!
//! Panels stand side by side, one for each direction; a cell is one router in one cycle, coloured by the virtual
//! channels whose buffer is full (channel 0 vermilion, 1 blue, 2 green, then further colours; the mean of them for several).
//! Ticks stand every 5 cycles where they can be told apart, else every 10, 20, 50...
//!
//! Size: cells are 1 to 10 pixels wide so that all panels together are about 640 pixels, and at most as high as wide.
//! Beyond 1600 cycles or 1600 routers, several cycles or routers are merged into one cell of their mean colour, so a
//! picture never has more than about 1800 x 1800 pixels (four times as many in the PNG).

use crate::cells::Cells;
use crate::colour::{self, hex};
use crate::raster::{self, RasterError};
use crate::scale::nice_step;
use crate::svg::{Anchor, Canvas, INK, Type, num};
use crate::text;

const MOST: usize = 1600;
const PREFERRED_WIDTH: usize = 640;
const GAP: f64 = 22.0;
const SIZE: f64 = crate::style::SIZE;

/// One direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Panel {
    /// Its name above the panel, e.g. `N`.
    pub name: String,
    /// Number of routers in the row or column observed.
    pub width: usize,
}

/// A space-time chart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpaceTime {
    /// Printed above; empty for none.
    pub title: String,
    /// Number of virtual channels, for the legend.
    pub virtual_channels: u32,
    /// Cycle of the first row.
    pub first_cycle: u64,
    /// Directions, side by side.
    pub panels: Vec<Panel>,
    /// One row a cycle: the cells of the first panel, then of the second, ...; bit i of a cell says that the input
    /// buffer of virtual channel i is full.
    pub rows: Vec<Vec<u32>>,
}

/// A row whose length is not the sum of the panels' widths.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("row {row} of the space-time chart has {found} cells, its panels have {expected} routers")]
pub struct RowError {
    /// Index of the first such row.
    pub row: usize,
    /// Its number of cells.
    pub found: usize,
    /// The sum of the panels' widths.
    pub expected: usize,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum SpaceTimeError {
    /// A row does not fit the panels.
    #[error(transparent)]
    Row(#[from] RowError),
    /// The picture cannot be rastered.
    #[error(transparent)]
    Raster(#[from] RasterError),
}

/// Cells merged into one and pixels of one, each way.
struct Grain {
    across: usize,
    down: usize,
    width: f64,
    height: f64,
}

impl SpaceTime {
    /// The chart as SVG: rectangles merged over time, or an embedded PNG where they would be too many.
    ///
    /// # Errors
    /// A row does not have as many cells as the panels have routers.
    pub fn svg(&self) -> Result<String, RowError> {
        self.check()?;
        let grain = self.grain();
        let mut canvas = Canvas::new();
        let labels = text::width(&(self.first_cycle.saturating_add(self.rows.len() as u64)).to_string(), SIZE);
        let (left, top) = ((labels + 40.0).ceil(), if self.title.is_empty() { 30.0 } else { 54.0 });
        let height = self.rows.len().div_ceil(grain.down) as f64 * grain.height;
        let (mut x, mut first) = (left, 0);
        for panel in &self.panels {
            let cells = self.cells(panel, first).shrink(grain.across, grain.down);
            let width = cells.width as f64 * grain.width;
            cells.draw(&mut canvas, (x, top), (grain.width, grain.height));
            draw_panel_frame(&mut canvas, panel, (x, top), (width, height));
            self.draw_time(&mut canvas, &grain, (x, top), first == 0);
            first += panel.width;
            x += width + GAP;
        }
        let how = Type { turn: -90.0, ..Type::new(SIZE, Anchor::Middle) };
        canvas.text((16.0, top + height / 2.0), how, "Time [cycles]");
        let bottom = top + height + 32.0;
        let legend_right = self.draw_legend(&mut canvas, (left, bottom));
        let width = (x - GAP + 20.0).max(legend_right + 10.0);
        canvas.title((width / 2.0, 20.0), crate::style::TITLE, width - 20.0, &self.title);
        Ok(canvas.finish((width, bottom + 22.0), &self.title))
    }

    /// The chart as PNG, every cell a block of whole pixels.
    ///
    /// # Errors
    /// The errors of [`SpaceTime::svg`], and a picture with more than [`raster::MAX_PIXELS`].
    pub fn png(&self) -> Result<Vec<u8>, SpaceTimeError> {
        Ok(raster::png(&self.svg()?)?)
    }

    fn routers(&self) -> usize {
        self.panels.iter().map(|p| p.width).sum()
    }

    fn check(&self) -> Result<(), RowError> {
        let expected = self.routers();
        match self.rows.iter().enumerate().find(|(_, cells)| cells.len() != expected) {
            Some((row, cells)) => Err(RowError { row, found: cells.len(), expected }),
            None => Ok(()),
        }
    }

    fn grain(&self) -> Grain {
        let (routers, cycles) = (self.routers().max(1), self.rows.len().max(1));
        let (across, down) = (routers.div_ceil(MOST), cycles.div_ceil(MOST));
        let width = (PREFERRED_WIDTH * across / routers).clamp(1, 10);
        let height = (MOST * down / cycles).clamp(1, width);
        Grain { across, down, width: width as f64, height: height as f64 }
    }

    fn cells(&self, panel: &Panel, first: usize) -> Cells {
        let cells = self.rows.iter().flat_map(|row| &row[first..first + panel.width]);
        let colours = cells.map(|mask| colour::virtual_channels(*mask)).collect();
        Cells { width: panel.width, height: self.rows.len(), colours }
    }

    /// Ticks left of a panel; labels at the first panel.
    fn draw_time(&self, canvas: &mut Canvas, grain: &Grain, (left, top): (f64, f64), labelled: bool) {
        let per_cycle = grain.height / grain.down as f64;
        let step = nice_step(5f64.max(3.0 / per_cycle).min(1e15)) as u64;
        let label_step = step
            * [1, 2, 4, 5, 10, 20]
                .into_iter()
                .find(|m| step as f64 * f64::from(*m as u32) * per_cycle >= 26.0)
                .unwrap_or(50);
        let mut at = self.first_cycle.checked_next_multiple_of(step).unwrap_or(u64::MAX);
        let mut ticks = String::new();
        while at - self.first_cycle <= self.rows.len() as u64 {
            let y = top + (at - self.first_cycle) as f64 * per_cycle;
            let long = at.is_multiple_of(label_step);
            ticks.push_str(&format!("M{} {}h-{}", num(left - 1.0), num(y), if long { 6 } else { 3 }));
            if labelled && long {
                canvas.text((left - 10.0, y + SIZE * 0.36), Type::new(SIZE, Anchor::End), &at.to_string());
            }
            let Some(next) = at.checked_add(step) else { break };
            at = next;
        }
        canvas
            .raw(&format!("<path d=\"{ticks}\" stroke=\"{INK}\" stroke-width=\"1\" shape-rendering=\"crispEdges\"/>"));
    }

    /// Swatches for channels, and for sets of them where there are few; returns the right end.
    fn draw_legend(&self, canvas: &mut Canvas, (left, top): (f64, f64)) -> f64 {
        let channels = self.virtual_channels.min(16);
        let name = |mask: u32| {
            let members: Vec<_> = (0..32).filter(|i| mask >> i & 1 == 1).map(|i| i.to_string()).collect();
            format!("{}{}", if mask.count_ones() == 1 { "VC " } else { "" }, members.join("+"))
        };
        let mut masks: Vec<u32> =
            if channels <= 3 { (1..1 << channels).collect() } else { (0..channels).map(|i| 1 << i).collect() };
        masks.sort_by_key(|m| (m.count_ones(), *m));
        let mut x = left;
        canvas.text((x, top + 10.0), Type::new(SIZE, Anchor::Start), "Full input buffers:");
        x += text::width("Full input buffers:", SIZE) + 10.0;
        for mask in masks {
            let fill = colour::virtual_channels(mask).unwrap_or([255; 3]);
            canvas.rect((x, top), (11.0, 11.0), &format!("fill=\"{}\"", hex(fill)));
            let name = name(mask);
            canvas.text((x + 15.0, top + 10.0), Type::new(SIZE, Anchor::Start), &name);
            x += 15.0 + text::width(&name, SIZE) + 12.0;
        }
        x
    }
}

fn draw_panel_frame(canvas: &mut Canvas, panel: &Panel, (x, y): (f64, f64), (width, height): (f64, f64)) {
    let frame = format!("stroke=\"{INK}\" stroke-width=\"1\"");
    canvas.rect((x - 0.5, y - 0.5), (width + 1.0, height + 1.0), &frame);
    canvas.title((x + width / 2.0, y - 9.0), crate::style::SIZE, width + GAP, &panel.name);
    let below = y + height + SIZE + 4.0;
    let last = panel.width.saturating_sub(1).to_string();
    let (start, end) = (Type::new(SIZE, Anchor::Start), Type::new(SIZE, Anchor::End));
    canvas.text((x, below), start, "0");
    if width > 30.0 {
        canvas.text((x + width, below), end, &last);
    }
    if width > 90.0 {
        canvas.text((x + width / 2.0, below), Type::new(SIZE, Anchor::Middle), "Router");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(width: usize, cycles: usize) -> SpaceTime {
        let panels = ["N", "E", "S", "W"].map(|n| Panel { name: n.to_owned(), width }).to_vec();
        let cell = |cycle: usize, router: usize| if (cycle + router) % 7 < 2 { 1 << (router % 3) } else { 0 };
        let rows = (0..cycles).map(|c| (0..4 * width).map(|r| cell(c, r)).collect()).collect();
        SpaceTime { title: "t".to_owned(), virtual_channels: 3, first_cycle: 1000, panels, rows }
    }

    #[test]
    fn a_row_of_wrong_length_is_refused() {
        let mut bad = chart(4, 3);
        bad.rows[2].pop();
        assert_eq!(bad.svg(), Err(RowError { row: 2, found: 15, expected: 16 }));
        assert!(bad.png().is_err());
    }

    #[test]
    fn pixels_have_the_colours_of_the_full_channels() {
        let panel = Panel { name: "E".to_owned(), width: 2 };
        let one = SpaceTime {
            virtual_channels: 3,
            panels: vec![panel],
            rows: vec![vec![1, 0], vec![0, 4]],
            ..SpaceTime::default()
        };
        let png = resvg::tiny_skia::Pixmap::decode_png(&one.png().expect("small")).expect("a PNG");
        let left = (text::width("2", SIZE) + 40.0).ceil();
        let scale = f64::from(raster::SCALE);
        let pixel = |cell_x: f64, cell_y: f64| {
            let (x, y) = ((left + cell_x * 10.0) * scale, (30.0 + cell_y * 10.0) * scale);
            let all: Vec<_> = [(0.0, 0.0), (10.0, 10.0), (19.0, 19.0)]
                .into_iter()
                .filter_map(|(dx, dy)| png.pixel((x + dx) as u32, (y + dy) as u32))
                .map(|p| [p.red(), p.green(), p.blue()])
                .collect();
            assert!(all.len() == 3 && all.windows(2).all(|w| w[0] == w[1]), "a cell is a block of one colour: {all:?}");
            all[0]
        };
        assert_eq!(Some(pixel(0.0, 0.0)), colour::virtual_channels(1));
        assert_eq!(Some(pixel(1.0, 1.0)), colour::virtual_channels(4));
        assert_eq!(pixel(1.0, 0.0), [255; 3]);
    }

    #[test]
    fn long_and_wide_charts_stay_small() {
        for (width, cycles) in [(8, 20_000), (3000, 50), (1, 1)] {
            let svg = chart(width, cycles).svg().expect("rows fit");
            let size = roxmltree::Document::parse(&svg).expect("XML");
            let side = |name| size.root_element().attribute(name).and_then(|v| v.parse::<f64>().ok()).expect("a size");
            assert!(side("width") < 1900.0 && side("height") < 1900.0);
        }
    }

    #[test]
    fn empty_charts_and_the_last_cycle_of_time_are_drawn() {
        assert!(SpaceTime::default().svg().is_ok());
        let mut late = chart(4, 30);
        late.first_cycle = u64::MAX - 10;
        assert!(late.svg().is_ok());
    }

    #[test]
    fn ticks_stand_every_five_cycles() {
        let svg = chart(16, 40).svg().expect("rows fit");
        let ticks = svg.matches("h-3").count() + svg.matches("h-6M").count() + svg.matches("h-6\"").count();
        assert_eq!(ticks, 4 * 9, "four panels, cycles 1000 to 1040");
    }
}
