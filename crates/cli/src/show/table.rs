//! Tables in the terminal: heads, units below them, numbers to the right.

use tailback_base::text::{shown, styled};
use tailback_pictures::terminal::Paint;

/// A column: its head, its unit (or nothing) and its cells.
#[derive(Clone, Debug, Default)]
pub struct Column {
    /// Head.
    pub name: String,
    /// Unit, printed below the head.
    pub unit: String,
    /// Whether cells stand to the left, as text does.
    pub left: bool,
    /// Cells, one a row.
    pub cells: Vec<String>,
}

impl Column {
    /// A column of numbers.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, cells: Vec<String>) -> Column {
        let cells = cells.iter().map(|cell| styled(cell)).collect();
        Column { name: shown(&name.into()).into_owned(), unit: unit.into(), left: false, cells }
    }

    /// A column of text.
    pub fn text(name: impl Into<String>, cells: Vec<String>) -> Column {
        Column { left: true, ..Column::new(name, "", cells) }
    }

    fn width(&self) -> usize {
        let cells = self.cells.iter().map(|c| console::measure_text_width(c)).max().unwrap_or(0);
        cells.max(console::measure_text_width(&self.name)).max(console::measure_text_width(&self.unit))
    }

    fn padded(&self, cell: &str, width: usize) -> String {
        let gap = " ".repeat(width - console::measure_text_width(cell));
        if self.left { format!("{cell}{gap}") } else { format!("{gap}{cell}") }
    }
}

/// The table as text. `color` shows heads in bold and units pale.
pub fn table(columns: &[Column], color: Paint) -> String {
    let rows = columns.iter().map(|c| c.cells.len()).max().unwrap_or(0);
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let line = |cell: &dyn Fn(&Column) -> String| {
        let cells: Vec<String> = columns.iter().zip(&widths).map(|(c, &width)| c.padded(&cell(c), width)).collect();
        cells.join("  ").trim_end().to_owned()
    };
    let styled = |text: String, code: &str| {
        if color == Paint::Ansi { format!("\x1b[{code}m{text}\x1b[0m\n") } else { text + "\n" }
    };
    let mut out = styled(line(&|c| c.name.clone()), "1");
    if columns.iter().any(|c| !c.unit.is_empty()) {
        out += &styled(line(&|c| c.unit.clone()), "2");
    }
    let rule: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
    out += &styled(rule.join("  "), "2");
    for row in 0..rows {
        out += &line(&|c| c.cells.get(row).cloned().unwrap_or_default());
        out.push('\n');
    }
    out
}

/// Names and what they stand for, one a line, the second ones aligned.
pub fn pairs(pairs: &[(String, String)]) -> String {
    let pairs: Vec<(String, String)> =
        pairs.iter().map(|(name, value)| (shown(name).into_owned(), styled(value))).collect();
    let width = pairs.iter().map(|(name, _)| console::measure_text_width(name)).max().unwrap_or(0);
    let mut out = String::new();
    for (name, value) in &pairs {
        let gap = " ".repeat(width - console::measure_text_width(name));
        out += format!("  {name}{gap}  {value}").trim_end();
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_right_and_text_left() {
        let columns = [
            Column::text("pattern", vec!["uniform".into(), "é".into()]),
            Column::new("load", "flits/cycle", vec!["0.1".into(), "12.25".into()]),
        ];
        let expected = "pattern         load\n         flits/cycle\n───────  ───────────\nuniform          0.1\né              12.25\n";
        assert_eq!(table(&columns, Paint::Plain), expected);
        assert!(table(&columns, Paint::Ansi).starts_with("\x1b[1mpattern"));
    }

    #[test]
    fn nothing_is_no_rows() {
        assert_eq!(table(&[Column::text("a", vec![])], Paint::Plain), "a\n─\n");
        assert_eq!(pairs(&[("a".into(), "1".into()), ("bcd".into(), "2".into())]), "  a    1\n  bcd  2\n");
    }
}
