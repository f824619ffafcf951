//! The parts of a report as data, for the page that puts them together.

use serde_json::{Value, json};
use tailback_pictures::report::{Block, Cell, Table};

/// Parts that a page shows one below the other.
pub fn blocks(blocks: &[Block]) -> Value {
    blocks.iter().map(block).collect()
}

fn block(of: &Block) -> Value {
    match of {
        Block::Paragraph(text) => json!({ "kind": "paragraph", "text": text }),
        Block::List(items) => json!({ "kind": "list", "items": items }),
        Block::Lines(lines) => {
            let line = |(label, inner): &(String, Vec<Block>)| json!({ "label": label, "blocks": blocks(inner) });
            json!({ "kind": "lines", "lines": lines.iter().map(line).collect::<Vec<_>>() })
        }
        Block::Svg { svg, caption } => json!({ "kind": "figure", "svg": svg, "caption": caption }),
        Block::Table(found) => json!({ "kind": "table", "table": table(found) }),
        Block::Note(text) => json!({ "kind": "note", "text": text }),
        Block::Code { text, .. } => json!({ "kind": "code", "text": text }),
        // Pictures in dots and tables of variants are parts of whole reports only.
        Block::Png { caption, .. } => json!({ "kind": "note", "text": caption }),
        Block::Variants(_) => json!({ "kind": "note", "text": "" }),
    }
}

/// A table: its columns, and cells with what they show and what they are sorted by.
pub fn table(table: &Table) -> Value {
    let columns = table.columns.iter().map(|column| json!({ "name": column.name, "unit": column.unit }));
    json!({
        "caption": table.caption, "columns": columns.collect::<Vec<_>>(),
        "rows": table.rows.iter().map(|row| row.iter().map(cell).collect()).collect::<Vec<Vec<Value>>>(),
    })
}

fn cell(of: &Cell) -> Value {
    match of {
        Cell::Text(text) => json!({ "text": text }),
        Cell::Number { value, decimals } if value.is_finite() => {
            json!({ "text": format!("{value:.decimals$}"), "value": value })
        }
        Cell::Number { .. } => json!({ "text": "-" }),
        Cell::Shown { value, text, behind } => json!({ "text": text, "value": value, "behind": behind }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_say_what_they_show_and_what_sorts_them() {
        assert_eq!(cell(&Cell::number(0.25, 3)), json!({ "text": "0.250", "value": 0.25 }));
        assert_eq!(cell(&Cell::number(f64::NAN, 3)), json!({ "text": "-" }));
        let list = blocks(&[Block::List(vec!["a".to_owned()]), Block::Note("b".to_owned())]);
        assert_eq!(list, json!([{ "kind": "list", "items": ["a"] }, { "kind": "note", "text": "b" }]));
    }
}
