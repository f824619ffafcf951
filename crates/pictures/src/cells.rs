//! Fields of coloured cells, for space-time charts and heat maps.

use crate::colour::{self, Rgb, hex};
use crate::svg::{Canvas, num};
use base64::Engine as _;
use resvg::tiny_skia;
use std::collections::BTreeMap;

/// More shapes than this in one field are embedded as a PNG instead.
const MOST_SHAPES: usize = 20_000;

/// Cells in row-major order, the first row on top; none is white.
pub(crate) struct Cells {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) colours: Vec<Option<Rgb>>,
}

impl Cells {
    /// The same field with `across` x `down` cells merged into one of their mean colour, none counting as white.
    pub(crate) fn shrink(&self, across: usize, down: usize) -> Self {
        let (width, height) = (self.width.div_ceil(across), self.height.div_ceil(down));
        let merged = |x: usize, y: usize| {
            let columns = x * across..((x + 1) * across).min(self.width);
            let rows = y * down..((y + 1) * down).min(self.height);
            let places = rows.flat_map(|r| columns.clone().map(move |c| (r, c)));
            let block: Vec<_> = places.map(|(r, c)| r * self.width + c).collect();
            let any = block.iter().any(|i| self.colours[*i].is_some());
            colour::mean(block.iter().filter(|_| any).map(|i| self.colours[*i].unwrap_or([255; 3])))
        };
        let colours = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| merged(x, y)).collect();
        Self { width, height, colours }
    }

    /// Draws the field at `corner`, each cell `size` pixels: vertical runs of one colour, or a PNG if they are many.
    pub(crate) fn draw(&self, canvas: &mut Canvas, corner: (f64, f64), size: (f64, f64)) {
        let mut paths: BTreeMap<Rgb, String> = BTreeMap::new();
        let mut shapes = 0;
        for x in 0..self.width {
            let column: Vec<_> = (0..self.height).map(|y| self.colours[y * self.width + x]).collect();
            let mut y = 0;
            for run in column.chunk_by(|a, b| a == b) {
                if let Some(colour) = run[0] {
                    let (left, top) = (num(corner.0 + x as f64 * size.0), num(corner.1 + y as f64 * size.1));
                    let (w, h) = (num(size.0), num(run.len() as f64 * size.1));
                    paths.entry(colour).or_default().push_str(&format!("M{left} {top}h{w}v{h}h-{w}Z"));
                    shapes += 1;
                }
                y += run.len();
            }
            if shapes > MOST_SHAPES {
                return self.embed(canvas, corner, size);
            }
        }
        for (colour, path) in paths {
            canvas.raw(&format!("<path d=\"{path}\" fill=\"{}\" shape-rendering=\"crispEdges\"/>", hex(colour)));
        }
    }

    fn embed(&self, canvas: &mut Canvas, corner: (f64, f64), size: (f64, f64)) {
        let Some(png) = self.png() else { return };
        let data = base64::engine::general_purpose::STANDARD.encode(png);
        let (x, y) = (num(corner.0), num(corner.1));
        let (w, h) = (num(self.width as f64 * size.0), num(self.height as f64 * size.1));
        canvas.raw(&format!(
            "<image x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" preserveAspectRatio=\"none\" \
             image-rendering=\"optimizeSpeed\" style=\"image-rendering:pixelated\" \
             href=\"data:image/png;base64,{data}\"/>"
        ));
    }

    /// One pixel a cell. None only for a field without cells.
    fn png(&self) -> Option<Vec<u8>> {
        let (width, height) = (u32::try_from(self.width).ok()?, u32::try_from(self.height).ok()?);
        let mut pixels = tiny_skia::Pixmap::new(width, height)?;
        for (pixel, colour) in pixels.pixels_mut().iter_mut().zip(&self.colours) {
            let [r, g, b] = colour.unwrap_or([255; 3]);
            *pixel = tiny_skia::ColorU8::from_rgba(r, g, b, 255).premultiply();
        }
        pixels.encode_png().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Option<Rgb> = Some([255, 0, 0]);

    #[test]
    fn merged_cells_show_the_mean() {
        let cells = Cells { width: 3, height: 2, colours: vec![RED, None, None, RED, None, None] };
        let small = cells.shrink(2, 2);
        assert_eq!((small.width, small.height, small.colours), (2, 1, vec![Some([255, 128, 128]), None]));
    }

    #[test]
    fn equal_cells_below_one_another_become_one_shape() {
        let mut canvas = Canvas::new();
        let colours = vec![RED, None, RED, RED, RED, None];
        Cells { width: 2, height: 3, colours }.draw(&mut canvas, (0.0, 0.0), (4.0, 2.0));
        let svg = canvas.finish((8.0, 6.0), "");
        assert!(svg.contains("M0 0h4v6h-4ZM4 2h4v2h-4Z"), "{svg}");
    }

    #[test]
    fn many_shapes_become_an_image() {
        let colours = (0..300 * 300).map(|i| RED.filter(|_| (i / 300 + i % 300) % 2 == 0)).collect();
        let mut canvas = Canvas::new();
        Cells { width: 300, height: 300, colours }.draw(&mut canvas, (0.0, 0.0), (1.0, 1.0));
        let svg = canvas.finish((300.0, 300.0), "");
        assert!(svg.contains("<image") && svg.len() < 20_000);
    }
}
