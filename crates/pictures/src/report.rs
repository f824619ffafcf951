//! Reports: one self-contained HTML page of text, figures and tables.
//!
//! The page loads nothing, opens from a file, follows the reader's light or dark scheme and prints well. All text is
//! escaped; pictures are embedded as images, in which no script can run. It begins with the answer ([`Answer`]): what came
//! out in a sentence or two, how it was made, the table by variant ([`Variants`]), pictures. Sections follow.

mod answer;
mod page;
mod variants;

pub use answer::Answer;
pub use page::{LIVE_SCRIPT, LIVE_STYLE};
pub use variants::{Dot, Fill, Head, Value, Variant, Variants};

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Title of the page.
    pub title: String,
    /// Printed below the title; empty for none.
    pub subtitle: String,
    /// What the page begins with.
    pub answer: Answer,
    /// Sections, listed in a table of contents where there is more than one.
    pub sections: Vec<Section>,
}

/// A section.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its heading, numbered by the page.
    pub heading: String,
    /// Its contents.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Plain text; an empty line starts a new paragraph.
    Paragraph(String),
    /// Sentences that stand on lines of their own.
    List(Vec<String>),
    /// Labels, each with what stands beside it; no label is empty but that of a note to all of them.
    Lines(Vec<(String, Vec<Block>)>),
    /// An SVG picture.
    Svg {
        /// The SVG document.
        svg: String,
        /// Caption, numbered with all figures.
        caption: String,
    },
    /// A PNG picture of 288 dots to an inch, shown in its own size (see [`crate::raster::SCALE`]).
    Png {
        /// The PNG file.
        bytes: Vec<u8>,
        /// Caption, numbered with all figures.
        caption: String,
    },
    /// A table that a click on a column's head sorts.
    Table(Table),
    /// A table of variants, with a dot for the status of each of their points.
    Variants(Variants),
    /// What a table or picture above means, in small letters.
    Note(String),
    /// Preformatted text.
    Code {
        /// The text.
        text: String,
        /// Its language, e.g. `toml`; shown above; empty for none.
        language: String,
    },
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Caption, numbered with all tables; empty for none.
    pub caption: String,
    /// Heads of the columns.
    pub columns: Vec<Column>,
    /// Rows; missing cells stay empty, surplus ones are dropped.
    pub rows: Vec<Vec<Cell>>,
}

/// The head of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Name of the column.
    pub name: String,
    /// Unit, in square brackets below the name; empty for none.
    pub unit: String,
}

impl Column {
    /// A column of this name and unit.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Text, set to the left.
    Text(String),
    /// A number, set to the right with the given decimals and sorted by its value; a dash if it is none.
    Number {
        /// The value.
        value: f64,
        /// Digits after the point, at most 17.
        decimals: usize,
    },
    /// A number as it is to be shown, with something pale behind it, such as its interval.
    Shown {
        /// The number, by which rows are sorted.
        value: f64,
        /// The text that the cell shows.
        text: String,
        /// What stands behind it; empty for nothing.
        behind: String,
    },
}

impl Cell {
    /// A cell of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// A number with `decimals` digits after the point.
    pub fn number(value: f64, decimals: usize) -> Self {
        Self::Number { value, decimals }
    }
}

impl Report {
    /// The report as an HTML document.
    pub fn html(&self) -> String {
        page::html(self)
    }
}
