//! Tables as CSV: names of columns in lower case, numbers as short as they can be, text in quotes where it must be.

/// Rows in the making.
pub(crate) struct Rows {
    text: String,
}

/// A row in the making.
pub(crate) struct Row<'r> {
    rows: &'r mut Rows,
    first: bool,
}

impl Rows {
    /// An empty table with these columns.
    pub(crate) fn new(head: &[&str]) -> Self {
        Self { text: format!("{}\n", head.iter().map(|name| cell(name)).collect::<Vec<_>>().join(",")) }
    }

    /// Begins a row.
    pub(crate) fn row(&mut self) -> Row<'_> {
        Row { rows: self, first: true }
    }

    /// All of them.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

impl Row<'_> {
    /// Adds a cell of text.
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.add(&cell(text));
        self
    }

    /// Adds a number; what is none stays empty.
    pub(crate) fn number(mut self, number: f64) -> Self {
        self.add(&if number.is_finite() { number.to_string() } else { String::new() });
        self
    }

    /// Ends the row.
    pub(crate) fn end(self) {
        self.rows.text.push('\n');
    }

    fn add(&mut self, cell: &str) {
        if !self.first {
            self.rows.text.push(',');
        }
        self.first = false;
        self.rows.text.push_str(cell);
    }
}

fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_where_it_would_be_cut_and_no_number_is_an_empty_cell() {
        let mut rows = Rows::new(&["name", "a", "b"]);
        rows.row().text("x, \"y\"").number(0.25).number(f64::NAN).end();
        assert_eq!(rows.finish(), "name,a,b\n\"x, \"\"y\"\"\",0.25,\n");
    }
}
