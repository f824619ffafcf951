//! Text for the terminal: the paper's value, the measured one and the deviation side by side.

use super::{deviation, optional, verdict};
use crate::study::{Cell, Study};

impl Study {
    /// The whole study as plain text.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.paper.key, self.paper.title);
        if self.quick {
            text += "Short form: smaller networks and shorter ramps where a column says so.\n";
        }
        if !self.reading.told().is_empty() {
            text += &wrapped(&format!("Reading {}: {}.", self.reading.heading(), self.reading.told()), "");
        }
        for item in &self.items {
            text += &self.item_text(item);
        }
        if !self.claims.is_empty() {
            text += "\nClaims\n";
        }
        for claim in &self.claims {
            text += &format!("  {:<4}{}: {}\n", claim.id, claim.verdict(), claim.text);
            text += &wrapped(&claim.whole_evidence(), "      ");
        }
        text + &self.ending()
    }

    fn item_text(&self, item: &str) -> String {
        let summary = self.paper.item(item).map_or("", |item| item.summary);
        let mut text = format!("\n{item}: {summary}\n");
        let peer = self.peer_of(item);
        let heads = ["", "", "paper"].into_iter().chain(peer).chain(["measured", "deviation", ""]);
        let mut rows: Vec<Vec<String>> = vec![heads.map(str::to_owned).collect()];
        rows.extend(self.cells.iter().filter(|cell| cell.item == item).map(|cell| row(cell, peer.is_some())));
        let last = rows[0].len() - 1;
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..=last).map(width).collect();
        for row in &rows {
            let placed =
                |column: usize| if (2..last).contains(&column) { right } else { left }(&row[column], widths[column]);
            let line: String = (0..=last).map(placed).collect();
            text += &format!("  {}\n", line.trim_end());
        }
        for (_, note) in self.notes.iter().filter(|(of, _)| *of == item) {
            text += &wrapped(note, "  ");
        }
        text
    }

    fn ending(&self) -> String {
        let required = self.cells.iter().filter(|cell| cell.ok.is_some()).count();
        let missed: Vec<String> =
            self.misses().map(|cell| format!("{} {} {}", cell.item, cell.row, cell.column)).collect();
        let mut text = format!("\n{} of {required} required numbers are reached", required - missed.len());
        if !missed.is_empty() {
            text += &format!("; missed: {}", missed.join(", "));
        }
        text += ".\n";
        if self.interrupted {
            text += "Interrupted: what is shown was finished, the rest is missing.\n";
        }
        text
    }
}

fn row(cell: &Cell, peer: bool) -> Vec<String> {
    let mut remark = String::from(verdict(cell));
    if let (Some(false), Some(required)) = (cell.ok, &cell.required) {
        remark += &format!(": {required}");
    }
    if let Some(note) = &cell.note {
        remark += &format!("{}{note}", if remark.is_empty() { "" } else { "; " });
    }
    let measured = format!("{} {}", optional(cell.measured), cell.unit);
    let first = [cell.row.clone(), cell.column.clone(), optional(cell.paper_value)];
    let last = [measured.trim_end().to_owned(), deviation(cell), remark];
    first.into_iter().chain(peer.then(|| optional(cell.peer_value))).chain(last).collect()
}

/// Text and two blanks, flush left.
pub(super) fn left(text: &str, width: usize) -> String {
    format!("{text:<width$}  ")
}

/// Text and two blanks, flush right.
pub(super) fn right(text: &str, width: usize) -> String {
    format!("{text:>width$}  ")
}

/// Text in lines of at most 110 characters.
pub(super) fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() >= 110 {
            lines += &format!("{indent}{line}\n");
            line.clear();
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    if line.is_empty() { lines } else { lines + &format!("{indent}{line}\n") }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_text_is_wrapped_at_words() {
        let text = wrapped(&"word ".repeat(60), "  ");
        assert!(text.lines().count() > 2 && text.lines().all(|line| line.len() <= 112 && line.starts_with("  word")));
        assert_eq!(text.split_whitespace().count(), 60);
        assert_eq!(wrapped("", "  "), "");
    }
}
