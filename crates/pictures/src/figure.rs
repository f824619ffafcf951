//! A picture with the words and the numbers that belong to it.

/// A picture, ready for a page, a file or a paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// File name without ending.
    pub name: String,
    /// The picture as an SVG document.
    pub svg: String,
    /// What it shows, what bands and marks mean, and what was left out; plain text, several sentences.
    pub caption: String,
    /// The numbers that it shows, as CSV with a line of column names; empty where the picture has no table.
    pub csv: String,
}
