//! Packets that wait for each other, on the network's map: every link whose buffers they hold is an arrow with their numbers,
//! and below the map every packet has a sentence. Routers stand as in [`crate::heat_map`].

use crate::colour::SERIES;
use crate::heat_map::links::{self, Grid};
use crate::heat_map::{HeatMapError, LinkValue, MOST_LINKED};
use crate::scale::nice_step;
use crate::svg::{Anchor, Canvas, Type};
use crate::text;

const SIZE: f64 = crate::style::SIZE;
const PREFERRED: f64 = 460.0;
/// Pixels from line to line of the sentences.
const LINE: f64 = 16.0;
/// The map is at least so wide, for the sentences' sake.
const LEAST_WIDTH: f64 = 560.0;
/// The most packets that have a sentence. The others are counted.
const TOLD: usize = 16;

/// A packet of the circle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The links whose buffers it holds: the routers at both ends, numbered along x first.
    pub links: Vec<(usize, usize)>,
    /// What it holds and waits for.
    pub words: String,
}

/// Packets each of which waits for what the next one holds, and the last for the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitCircle {
    /// Printed above; empty for none.
    pub title: String,
    /// Routers from left to right.
    pub columns: usize,
    /// Routers from bottom to top.
    pub rows: usize,
    /// The packets, in their order.
    pub packets: Vec<Packet>,
}

impl WaitCircle {
    /// The picture as SVG.
    ///
    /// # Errors
    /// A network too large for a map of links, or a link between routers that do not exist.
    pub fn svg(&self) -> Result<String, HeatMapError> {
        self.check()?;
        let pitch = (PREFERRED / self.columns.max(self.rows) as f64).floor().clamp(12.0, 64.0);
        let margin = (pitch * 0.3).ceil();
        let left = 24.0 + text::width(&self.rows.to_string(), SIZE) + margin;
        let top = if self.title.is_empty() { 12.0 } else { 34.0 } + margin;
        let grid = Grid { columns: self.columns, rows: self.rows, pitch, corner: (left, top) };
        let mut canvas = Canvas::new();
        links::draw_routers(&mut canvas, &grid);
        for (link, numbers) in self.links() {
            let first = numbers[0] - 1;
            links::draw_link(&mut canvas, &grid, &link, SERIES[first % (SERIES.len() - 1)]);
            let label = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            let how = Type { bold: true, halo: true, ..Type::new(SIZE, Anchor::Middle) };
            let (x, y) = grid.middle(&link);
            canvas.text((x, y + SIZE * 0.36), how, &label);
        }
        self.draw_axes(&mut canvas, &grid, margin);
        let width = (left + self.columns as f64 * pitch + margin + 12.0).max(LEAST_WIDTH);
        let bottom = top + self.rows as f64 * pitch + margin + 26.0;
        let end = self.draw_sentences(&mut canvas, bottom, width - 24.0);
        canvas.title((width / 2.0, 20.0), crate::style::TITLE, width - 24.0, &self.title);
        Ok(canvas.finish((width, end), &self.title))
    }

    fn check(&self) -> Result<(), HeatMapError> {
        let (columns, rows) = (self.columns, self.rows);
        if columns.max(rows) > MOST_LINKED {
            return Err(HeatMapError::TooManyLinks { columns, rows });
        }
        let routers = columns.saturating_mul(rows);
        let mut links = self.packets.iter().flat_map(|packet| &packet.links).enumerate();
        match links.find(|(_, (from, to))| *from >= routers || *to >= routers || from == to) {
            Some((index, &(from, to))) => Err(HeatMapError::Link { index, from, to, routers }),
            None => Ok(()),
        }
    }

    /// Every link with the numbers, from 1, of the packets that hold buffers of it.
    fn links(&self) -> Vec<(LinkValue, Vec<usize>)> {
        let mut found: Vec<(LinkValue, Vec<usize>)> = Vec::new();
        for (number, packet) in (1..).zip(&self.packets) {
            for &(from, to) in &packet.links {
                match found.iter_mut().find(|(link, _)| (link.from, link.to) == (from, to)) {
                    Some((_, numbers)) if numbers.contains(&number) => {}
                    Some((_, numbers)) => numbers.push(number),
                    None => found.push((LinkValue { from, to, value: 0.0 }, vec![number])),
                }
            }
        }
        found
    }

    fn draw_axes(&self, canvas: &mut Canvas, grid: &Grid, margin: f64) {
        let (left, top) = grid.corner;
        let bottom = top + self.rows as f64 * grid.pitch;
        let step = nice_step((28.0 / grid.pitch).max(1.0)) as usize;
        for column in (0..self.columns).step_by(step) {
            let x = left + (column as f64 + 0.5) * grid.pitch;
            canvas.text((x, bottom + margin + 15.0), Type::new(SIZE, Anchor::Middle), &column.to_string());
        }
        for row in (0..self.rows).step_by(step) {
            let y = bottom - (row as f64 + 0.5) * grid.pitch + SIZE * 0.36;
            canvas.text((left - margin - 6.0, y), Type::new(SIZE, Anchor::End), &row.to_string());
        }
    }

    /// Draws the sentences from `top` on; returns where they end.
    fn draw_sentences(&self, canvas: &mut Canvas, top: f64, width: f64) -> f64 {
        let mut y = top + LINE;
        let mut line = |canvas: &mut Canvas, x: f64, words: &str| {
            canvas.text((x, y), Type::new(SIZE, Anchor::Start), words);
            y += LINE;
        };
        for (number, packet) in (1..).zip(self.packets.iter().take(TOLD)) {
            for (at, words) in wrapped(&format!("{number}: {}", packet.words), width - 12.0).iter().enumerate() {
                line(canvas, if at == 0 { 12.0 } else { 26.0 }, words);
            }
        }
        if self.packets.len() > TOLD {
            line(canvas, 12.0, &format!("and so on, {} packets in all", self.packets.len()));
        }
        y
    }
}

/// Lines of whole words, each at most `width` pixels wide where its words are.
fn wrapped(words: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words.split_whitespace() {
        match lines.last_mut() {
            Some(line) if text::width(line, SIZE) + text::width(word, SIZE) + SIZE < width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(columns: usize, rows: usize, links: &[&[(usize, usize)]]) -> WaitCircle {
        let packet = |links: &&[(usize, usize)]| Packet { links: links.to_vec(), words: "a packet waits".to_owned() };
        WaitCircle { title: "t".to_owned(), columns, rows, packets: links.iter().map(packet).collect() }
    }

    #[test]
    fn every_link_is_an_arrow_with_the_numbers_of_its_packets() {
        let ring = circle(4, 1, &[&[(0, 1), (1, 2)], &[(1, 2)], &[(2, 3)], &[(3, 0)]]);
        let numbers: Vec<Vec<usize>> = ring.links().into_iter().map(|(_, numbers)| numbers).collect();
        assert_eq!(numbers, [vec![1], vec![1, 2], vec![3], vec![4]]);
        let svg = ring.svg().expect("a picture");
        assert!(svg.contains(">1,2</text>") && svg.contains(">4: a packet waits</text>"), "{svg}");
        assert!(crate::raster::png(&svg).is_ok());
    }

    #[test]
    fn many_packets_are_counted_and_long_sentences_wrapped() {
        let many = vec![&[(0usize, 1usize)][..]; TOLD + 4];
        let svg = circle(2, 2, &many).svg().expect("a picture");
        assert!(svg.contains(&format!("and so on, {} packets in all", TOLD + 4)));
        let lines = wrapped(&"word ".repeat(40), 200.0);
        assert!(lines.len() > 3 && lines.iter().all(|line| text::width(line, SIZE) < 200.0), "{lines:?}");
    }

    #[test]
    fn links_that_do_not_exist_are_refused() {
        assert!(matches!(circle(2, 2, &[&[(0, 4)]]).svg(), Err(HeatMapError::Link { to: 4, .. })));
        assert!(matches!(circle(2, 2, &[&[(1, 1)]]).svg(), Err(HeatMapError::Link { .. })));
        assert!(matches!(circle(129, 1, &[&[(0, 1)]]).svg(), Err(HeatMapError::TooManyLinks { .. })));
    }
}
