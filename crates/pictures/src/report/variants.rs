//! The table by variant: a dot for each point, and numbers with their intervals.

use crate::svg::escape;
use std::fmt::Write as _;

/// A table with one row per variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variants {
    /// Head of the first column, which names the variants.
    pub name: Head,
    /// Head of the second column, the dots.
    pub status: Head,
    /// Heads of the columns of numbers.
    pub heads: Vec<Head>,
    /// Rows, in the order of the study.
    pub rows: Vec<Variant>,
}

/// The head of a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// What the column holds.
    pub text: String,
    /// Its unit or what else is to be known; set small below.
    pub below: String,
    /// Whether narrow pages leave the column out.
    pub optional: bool,
}

impl Head {
    /// A head with what stands below it.
    pub fn new(text: impl Into<String>, below: impl Into<String>) -> Head {
        Head { text: text.into(), below: below.into(), optional: false }
    }

    /// The same head for a column that narrow pages leave out.
    pub fn optional(self) -> Head {
        Head { optional: true, ..self }
    }
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant {
    /// Name of the variant.
    pub name: String,
    /// Its place in the order of the study, which is its colour in pictures; `None` for the colour of text.
    pub colour: Option<usize>,
    /// A dot for each of its points.
    pub dots: Vec<Dot>,
    /// What the dots say, in words.
    pub status: String,
    /// A value for each column of numbers.
    pub values: Vec<Value>,
}

/// The status of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dot {
    /// How it is drawn.
    pub fill: Fill,
    /// What is said where a pointer rests on it.
    pub title: String,
}

/// How a dot is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// Filled: steady.
    Filled,
    /// Hollow: saturated.
    Hollow,
    /// Half filled: interrupted.
    Half,
    /// Crossed: deadlocked or starved.
    Crossed,
}

/// A value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// The number.
    pub text: String,
    /// What stands behind it in a pale colour, such as its interval; empty for nothing.
    pub behind: String,
    /// Whether it is set bold: a difference that is shown.
    pub bold: bool,
}

impl Value {
    /// A value with what stands behind it.
    pub fn new(text: impl Into<String>, behind: impl Into<String>) -> Value {
        Value { text: text.into(), behind: behind.into(), bold: false }
    }
}

/// Colours of the page's style sheet.
const COLOURS: usize = 8;

pub(super) fn html(table: &Variants) -> String {
    let head = |head: &Head, class: &str| {
        let below = match escape(&head.below) {
            below if below.is_empty() => below,
            below => format!("<small>{below}</small>"),
        };
        format!("<th scope=\"col\" class=\"{class}\">{}{below}</th>", escape(&head.text))
    };
    let optional = |head: &Head| if head.optional { "n optional" } else { "n" };
    let heads: String = table.heads.iter().map(|one| head(one, optional(one))).collect();
    let rows: String = table.rows.iter().map(|one| row(one, table)).collect();
    format!(
        "<div class=\"wide\" tabindex=\"0\">\n<table class=\"variants\">\n<thead><tr>{}{}{heads}</tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</div>\n",
        head(&table.name, "name"),
        head(&table.status, "status")
    )
}

fn row(variant: &Variant, table: &Variants) -> String {
    let mut row = String::from("<tr>");
    let colour = variant.colour.map_or(String::new(), |colour| format!(" c{}", colour % COLOURS));
    let _ = write!(row, "<th scope=\"row\" class=\"name{colour}\">{}</th>", escape(&variant.name));
    let dots: String = variant.dots.iter().map(dot).collect();
    let dots = if dots.is_empty() { dots } else { format!("<span class=\"dots\" aria-hidden=\"true\">{dots}</span>") };
    let _ = write!(row, "<td class=\"status\">{dots}<small>{}</small></td>", escape(&variant.status));
    for (head, value) in table.heads.iter().zip(&variant.values) {
        let class = if head.optional { "n optional" } else { "n" };
        let text = escape(&value.text);
        let text = if value.bold { format!("<b>{text}</b>") } else { text };
        let behind = match escape(&value.behind) {
            behind if behind.is_empty() => behind,
            behind => format!(" <span class=\"behind\">{behind}</span>"),
        };
        let _ = write!(row, "<td class=\"{class}\">{text}{behind}</td>");
    }
    row + "</tr>\n"
}

fn dot(dot: &Dot) -> String {
    let class = match dot.fill {
        Fill::Filled => "filled",
        Fill::Hollow => "hollow",
        Fill::Half => "half",
        Fill::Crossed => "crossed",
    };
    format!("<i class=\"{class}\" title=\"{}\"></i>", escape(&dot.title))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A table in which `text` stands everywhere.
    pub(crate) fn sample(text: &str) -> Variants {
        let fills = [Fill::Filled, Fill::Hollow, Fill::Half, Fill::Crossed];
        let row = Variant {
            name: text.to_owned(),
            colour: Some(1),
            dots: fills.map(|fill| Dot { fill, title: text.to_owned() }).to_vec(),
            status: text.to_owned(),
            values: vec![Value::new(text, text), Value { bold: true, ..Value::new("+28 %", "") }],
        };
        Variants {
            name: Head::new(text, ""),
            status: Head::new("status", text),
            heads: vec![Head::new(text, text).optional(), Head::new("against off", "")],
            rows: vec![row.clone(), Variant { colour: None, dots: vec![], ..row }],
        }
    }

    #[test]
    fn rows_have_dots_colours_and_bold_differences() {
        let html = html(&sample("off = alo"));
        assert!(html.contains("<th scope=\"row\" class=\"name c1\">off = alo</th>"), "{html}");
        assert!(html.contains("<i class=\"hollow\" title=\"off = alo\"></i>"), "{html}");
        assert!(
            html.contains("<td class=\"n optional\">off = alo <span class=\"behind\">off = alo</span></td>"),
            "{html}"
        );
        assert!(html.contains("<td class=\"n\"><b>+28 %</b></td>"), "{html}");
        assert_eq!(html.matches("class=\"dots\"").count(), 1, "no dots, no place for them");
    }
}
