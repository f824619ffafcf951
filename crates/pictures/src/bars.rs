//! Bars from zero up, in groups: a value for every direction and virtual channel, say; side by side or one on the other.

use crate::colour::SERIES;
use crate::scale::{LARGEST, Span, Ticks, axis_title};
use crate::style::{FRAME, TICK};
use crate::svg::{Anchor, Canvas, INK, Type};
use crate::text;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 250.0;
const TOP: f64 = 34.0;
const EDGE: f64 = 16.0;
const SIZE: f64 = crate::style::SIZE;
const TITLE: f64 = crate::style::SIZE;
/// Height of a row of the legend, and the side of its squares.
const ROW: f64 = 19.0;
const SQUARE: f64 = 11.0;

/// Groups of bars.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Printed above; empty for none.
    pub title: String,
    /// What the bars show, e.g. `Utilisation`.
    pub label: String,
    /// Its unit; empty for none.
    pub unit: String,
    /// Names of the groups, from left to right.
    pub groups: Vec<String>,
    /// Name and values, one for each group, of every bar of a group. What is no positive number has no bar.
    pub bars: Vec<(String, Vec<f64>)>,
    /// Whether the bars of a group stand one on the other, the first one lowest, and not side by side.
    pub stacked: bool,
}

impl Bars {
    /// The bars as an SVG document, 640 pixels wide.
    pub fn svg(&self) -> String {
        let span = self.span();
        let ticks = span.ticks(6);
        let labels = text::widest(ticks.major.iter().map(|tick| tick.label.as_str()), SIZE);
        let left = labels + TITLE + 26.0;
        let width = WIDTH - left - EDGE;
        let mut canvas = Canvas::new();
        self.draw_axis(&mut canvas, span, &ticks, left);
        self.draw_bars(&mut canvas, span, (left, width));
        canvas.line((left - 0.5, TOP + HEIGHT), (left + width, TOP + HEIGHT), INK, FRAME);
        canvas.title((left + width / 2.0, 20.0), crate::style::TITLE, width, &self.title);
        let bottom = self.draw_legend(&mut canvas, (left, TOP + HEIGHT + 30.0), width);
        canvas.finish((WIDTH, bottom + 10.0), &self.title)
    }

    fn span(&self) -> Span {
        let heights = (0..self.groups.len()).flat_map(|at| {
            let values = self.bars.iter().filter_map(move |(_, values)| values.get(at)).copied();
            let usable = values.filter(|value| (0.0..LARGEST).contains(value));
            let of_group: Vec<f64> = usable.collect();
            if self.stacked { vec![of_group.iter().sum()] } else { of_group }
        });
        let most = heights.filter(|&height| height < LARGEST).fold(0.0, f64::max);
        Span { lo: 0.0, hi: if most > 1.0 / LARGEST { most * 1.05 } else { 1.0 }, log: false }
    }

    fn draw_axis(&self, canvas: &mut Canvas, span: Span, ticks: &Ticks, left: f64) {
        let title = text::fit(&axis_title(&self.label, &self.unit, ticks.exponent), TITLE, HEIGHT + 30.0);
        let how = Type { turn: -90.0, ..Type::new(TITLE, Anchor::Middle) };
        canvas.text((TITLE + 2.0, TOP + HEIGHT / 2.0), how, &title);
        for tick in &ticks.major {
            let y = TOP + HEIGHT * (1.0 - span.fraction(tick.at).unwrap_or(0.0));
            canvas.line((left - TICK, y), (left, y), INK, FRAME);
            canvas.text((left - 8.0, y + SIZE * 0.36), Type::new(SIZE, Anchor::End), &tick.label);
        }
        canvas.line((left, TOP), (left, TOP + HEIGHT), INK, FRAME);
    }

    fn draw_bars(&self, canvas: &mut Canvas, span: Span, (left, width): (f64, f64)) {
        let group = width / self.groups.len().max(1) as f64;
        // A fifth of a group keeps it apart from the next.
        let beside = if self.stacked { 1 } else { self.bars.len().max(1) };
        let each = group * 0.8 / beside as f64;
        for (at, name) in self.groups.iter().enumerate() {
            let from = left + group * at as f64;
            let mut below = 0.0;
            for (bar, (_, values)) in self.bars.iter().enumerate() {
                let share = values.get(at).and_then(|&value| span.fraction(value)).unwrap_or(0.0).clamp(0.0, 1.0);
                let column = if self.stacked { 0 } else { bar };
                let corner = (from + group * 0.1 + each * column as f64, TOP + HEIGHT * (1.0 - below - share));
                if share > 0.0 {
                    canvas.rect(corner, (each * 0.92, HEIGHT * share), &fill(bar));
                }
                below += if self.stacked { share } else { 0.0 };
            }
            let name = text::fit(name, SIZE, group - 4.0);
            canvas.text((from + group / 2.0, TOP + HEIGHT + 16.0), Type::new(SIZE, Anchor::Middle), &name);
        }
    }

    /// Draws the names of the bars in rows and returns where they end.
    fn draw_legend(&self, canvas: &mut Canvas, (left, top): (f64, f64), width: f64) -> f64 {
        let each = text::widest(self.bars.iter().map(|(name, _)| name.as_str()), SIZE).min(200.0) + SQUARE + 24.0;
        let columns = ((width / each).floor() as usize).max(1);
        for (at, (name, _)) in self.bars.iter().enumerate() {
            let (x, y) = (left + each * (at % columns) as f64, top + ROW * (at / columns) as f64);
            canvas.rect((x, y), (SQUARE, SQUARE), &fill(at));
            let name = text::fit(name, SIZE, 200.0);
            canvas.text((x + SQUARE + 6.0, y + SQUARE - 1.5), Type::new(SIZE, Anchor::Start), &name);
        }
        top + ROW * self.bars.len().div_ceil(columns) as f64
    }
}

/// The colour of a bar of every group; a paler one when all have been used.
fn fill(bar: usize) -> String {
    let pale = if bar < SERIES.len() { "" } else { " fill-opacity=\"0.4\"" };
    format!("fill=\"{}\"{pale}", SERIES[bar % SERIES.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(values: &[&[f64]]) -> Bars {
        let named = |(at, values): (usize, &&[f64])| (format!("channel {at}"), values.to_vec());
        Bars {
            title: "Use".into(),
            label: "Utilisation".into(),
            unit: "share".into(),
            groups: vec!["x+".into(), "x-".into()],
            bars: values.iter().enumerate().map(named).collect(),
            stacked: false,
        }
    }

    /// Heights of the bars of a colour, in pixels.
    fn heights(svg: &str, colour: &str) -> Vec<f64> {
        let document = roxmltree::Document::parse(svg).expect("well-formed XML");
        let bars = document.descendants().filter(|node| node.attribute("fill") == Some(colour));
        let height = |node: roxmltree::Node<'_, '_>| node.attribute("height").and_then(|h| h.parse().ok());
        bars.filter_map(height).filter(|&height: &f64| height != SQUARE).collect()
    }

    #[test]
    fn heights_are_in_proportion() {
        let svg = bars(&[&[0.5, 0.25], &[1.0, 0.0]]).svg();
        let full = HEIGHT / 1.05;
        let near = |found: Vec<f64>, expected: &[f64]| {
            assert_eq!(found.len(), expected.len(), "{found:?}");
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 0.01), "{found:?} {expected:?}");
        };
        near(heights(&svg, SERIES[0]), &[full / 2.0, full / 4.0]);
        near(heights(&svg, SERIES[1]), &[full]);
        assert!(svg.contains("Utilisation [share]") && svg.contains("x-") && svg.contains("channel 1"));
    }

    #[test]
    fn stacked_bars_share_the_height_of_their_sum() {
        let stacked = Bars { stacked: true, ..bars(&[&[3.0, 1.0], &[1.0, 1.0]]) };
        let svg = stacked.svg();
        let whole = HEIGHT / 1.05;
        let (low, high) = (heights(&svg, SERIES[0]), heights(&svg, SERIES[1]));
        let expected = [(low[0], 0.75), (high[0], 0.25), (low[1], 0.25), (high[1], 0.25)];
        assert!(expected.iter().all(|(height, share)| (height - whole * share).abs() < 0.01), "{low:?} {high:?}");
        let odd = Bars { stacked: true, ..bars(&[&[f64::NAN, f64::INFINITY], &[-1.0, 1.0]]) };
        assert!(!odd.svg().contains("NaN") && !odd.svg().contains("inf"));
    }

    #[test]
    fn odd_values_give_valid_pictures() {
        let odd = [f64::NAN, f64::INFINITY, -1.0, 1e-320];
        for picture in [bars(&[&odd]), bars(&[]), bars(&[&[]]), bars(&[&[1.0, 2.0][..]; 16]), Bars::default()] {
            let svg = picture.svg();
            assert!(roxmltree::Document::parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
