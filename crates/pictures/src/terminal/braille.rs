//! A field of braille dots, 2 x 4 to a character, with marks on top.

/// Bits of the dots of a braille character, by row and column.
const BITS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    mark: Option<char>,
    slot: Option<usize>,
}

/// The field. Places are fractions of it, (0, 0) the lower left corner.
pub(crate) struct Dots {
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
}

type Dot = (f64, f64);

impl Dots {
    pub(crate) fn new(columns: usize, rows: usize) -> Self {
        Self { columns, rows, cells: vec![Cell::default(); columns * rows] }
    }

    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    fn dot(&self, (x, y): Dot) -> Option<(usize, usize)> {
        let inside = (-1e-9..=1.0 + 1e-9).contains(&x) && (-1e-9..=1.0 + 1e-9).contains(&y);
        let scaled = |f: f64, dots: usize| (f.clamp(0.0, 1.0) * (dots - 1) as f64).round() as usize;
        inside.then(|| (scaled(x, self.columns * 2), scaled(1.0 - y, self.rows * 4)))
    }

    /// Column and row of the character at a place; none outside of the field.
    pub(crate) fn cell(&self, place: Dot) -> Option<(usize, usize)> {
        self.dot(place).map(|(x, y)| (x / 2, y / 4))
    }

    /// Draws every `gap`th dot between two places, as far as inside.
    pub(crate) fn line(&mut self, from: Dot, to: Dot, slot: Option<usize>, gap: usize) {
        let Some((from, to)) = clip(from, to) else { return };
        let along = |a: f64, b: f64, dots: usize| (a - b).abs() * (dots - 1) as f64;
        let steps = along(from.0, to.0, self.columns * 2).max(along(from.1, to.1, self.rows * 4)).ceil() as usize;
        for i in (0..=steps).step_by(gap) {
            let part = i as f64 / steps.max(1) as f64;
            let place = (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part);
            let Some((x, y)) = self.dot(place) else { continue };
            let cell = &mut self.cells[y / 4 * self.columns + x / 2];
            cell.dots |= BITS[y % 4][x % 2];
            cell.slot = slot.or(cell.slot);
        }
    }

    /// Puts a mark on a place, if inside.
    pub(crate) fn mark(&mut self, place: Dot, mark: char, slot: usize) {
        if let Some((x, y)) = self.cell(place) {
            self.cells[y * self.columns + x] = Cell { dots: 0, mark: Some(mark), slot: Some(slot) };
        }
    }

    /// A row of characters, those of a series in the ANSI 256-colour that `colour` gives it.
    pub(crate) fn row(&self, row: usize, colour: impl Fn(usize) -> Option<u8>) -> String {
        let mut out = String::new();
        let mut current = None;
        for cell in &self.cells[row * self.columns..(row + 1) * self.columns] {
            let wanted = cell.slot.and_then(&colour);
            if wanted != current {
                out.push_str(&wanted.map_or("\u{1b}[0m".to_owned(), |code| format!("\u{1b}[38;5;{code}m")));
                current = wanted;
            }
            out.push(match (cell.mark, cell.dots) {
                (Some(mark), _) => mark,
                (None, 0) => ' ',
                (None, dots) => char::from_u32(0x2800 + u32::from(dots)).unwrap_or(' '),
            });
        }
        if current.is_some() {
            out.push_str("\u{1b}[0m");
        }
        out
    }
}

/// The part of a line inside of the unit square (Liang and Barsky).
fn clip(from: Dot, to: Dot) -> Option<(Dot, Dot)> {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for (speed, room) in [(-dx, from.0), (dx, 1.0 - from.0), (-dy, from.1), (dy, 1.0 - from.1)] {
        if speed == 0.0 && room < 0.0 {
            return None;
        } else if speed < 0.0 {
            enter = enter.max(room / speed);
        } else if speed > 0.0 {
            leave = leave.min(room / speed);
        }
    }
    let at = |part: f64| (from.0 + dx * part, from.1 + dy * part);
    (enter <= leave).then(|| (at(enter), at(leave)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_clipped_to_the_square() {
        assert_eq!(clip((0.0, 0.5), (2.0, 0.5)), Some(((0.0, 0.5), (1.0, 0.5))));
        assert_eq!(clip((0.5, -1.0), (0.5, 3.0)), Some(((0.5, 0.0), (0.5, 1.0))));
        assert_eq!(clip((0.0, 2.0), (1.0, 2.0)), None);
        assert_eq!(clip((-1.0, 0.5), (0.5, 2.5)), None);
    }

    #[test]
    fn a_diagonal_runs_from_corner_to_corner() {
        let mut dots = Dots::new(2, 1);
        dots.line((0.0, 0.0), (1.0, 1.0), None, 1);
        assert_eq!(dots.row(0, |_| None), "⡠⠊");
    }

    #[test]
    fn colours_are_switched_off_at_the_end_of_a_row() {
        let mut dots = Dots::new(3, 1);
        dots.mark((1.0, 0.0), 'o', 0);
        assert_eq!(dots.row(0, |_| Some(9)), "  \u{1b}[38;5;9mo\u{1b}[0m");
        assert_eq!(dots.row(0, |_| None), "  o");
    }
}
