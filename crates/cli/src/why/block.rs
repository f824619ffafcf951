//! Why a point ended as it did, as labelled lines in the report: the same words as in the terminal.

use super::remedies::{Found, Remedies};
use tailback_pictures::report::{Block, Cell, Column, Table};
use tailback_sim::Why;

/// The lines.
pub fn block(why: &Why) -> Block {
    let headline = vec![Block::Paragraph(why.headline.clone())];
    let mut rows = vec![(why.status.name().to_owned(), headline)];
    rows.extend(why.lines.iter().map(|line| (line.label.clone(), sentences(&line.text, &line.items))));
    if !why.remedies.is_empty() {
        let blocks = match Remedies::of(&why.remedies) {
            Remedies::Untried(text) => vec![Block::Paragraph(text)],
            Remedies::Tried(found) => tried(found),
        };
        rows.push(("What would help".to_owned(), blocks));
    }
    match why.care.as_slice() {
        [] => {}
        [one] => rows.push(("Read with care".to_owned(), sentences(one, &[]))),
        many => rows.push(("Read with care".to_owned(), sentences("", many))),
    }
    if !why.options.is_empty() {
        rows.push((String::new(), vec![Block::Note(why.options.clone())]));
    }
    Block::Lines(rows)
}

fn sentences(text: &str, items: &[String]) -> Vec<Block> {
    let text = (!text.is_empty()).then(|| Block::Paragraph(text.to_owned()));
    text.into_iter().chain((!items.is_empty()).then(|| Block::List(items.to_vec()))).collect()
}

fn tried(found: Found) -> Vec<Block> {
    let row = |row: super::remedies::Row| {
        [row.setting, row.change, row.interval, row.verdict, row.words].map(Cell::text).to_vec()
    };
    let columns = ["change", "gain", "95 % interval", "measured", "what it changes"].map(|name| Column::new(name, ""));
    let rows = found.rows.into_iter().map(row).collect();
    let table = Block::Table(Table { caption: String::new(), columns: columns.to_vec(), rows });
    std::iter::once(table).chain(found.unfit.map(Block::Note)).collect()
}
