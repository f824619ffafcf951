//! Sections of an HTML report.

use super::{deviation, verdict};
use crate::reading::Reading;
use crate::study::{Cell, Study};
use tailback_pictures::report::{Block, Cell as Entry, Column, Report, Section, Table};

impl Study {
    /// A self-contained report: claims, then each item with its numbers and pictures.
    pub fn report(&self) -> Report {
        let form = if self.quick { "short form" } else { "full form" };
        let stopped = if self.interrupted { ", interrupted" } else { "" };
        Report {
            title: format!("{}: paper and measurement", self.paper.key),
            subtitle: format!("{}; {form}; reading {}{stopped}", self.paper.title, self.reading.name()),
            sections: self.sections(),
            ..Report::default()
        }
    }

    /// The sections of [`Study::report`].
    pub fn sections(&self) -> Vec<Section> {
        let claims = Section { heading: "Claims".to_owned(), blocks: vec![self.claim_table()] };
        let mut sections = if self.claims.is_empty() { Vec::new() } else { vec![claims] };
        sections.extend(questions(&self.reading));
        for item in &self.items {
            let summary = self.paper.item(item).map_or("", |item| item.summary);
            let blocks = self.item_blocks(item);
            sections.push(Section { heading: format!("{item}: {summary}"), blocks });
        }
        sections
    }

    fn claim_table(&self) -> Block {
        let columns = ["claim", "verdict", "text", "evidence"].map(|name| Column::new(name, "")).to_vec();
        let row = |claim: &crate::study::Claim| {
            [&claim.id, claim.verdict(), &claim.text, &claim.whole_evidence()].map(Entry::text).to_vec()
        };
        let rows = self.claims.iter().map(row).collect();
        Block::Table(Table { caption: "Claims of the paper".to_owned(), columns, rows })
    }

    /// Numbers, remarks and pictures of an item.
    pub fn item_blocks(&self, item: &str) -> Vec<Block> {
        let cells: Vec<&Cell> = self.cells.iter().filter(|cell| cell.item == item).collect();
        let peer = self.peer_of(item);
        let names = ["row", "column", "paper"].into_iter().chain(peer);
        let names = names.chain(["measured", "unit", "deviation", "required", "remark"]);
        let columns: Vec<Column> = names.map(|name| Column::new(name, "")).collect();
        let held_back = |cell: &&Cell| cell.chosen.is_some_and(|chosen| chosen.held_back);
        let (apart, cells): (Vec<&Cell>, Vec<&Cell>) = cells.into_iter().partition(held_back);
        let table = |caption: String, cells: Vec<&Cell>| {
            let rows = cells.into_iter().map(|cell| entries(cell, peer.is_some())).collect();
            Block::Table(Table { caption, columns: columns.clone(), rows })
        };
        let mut blocks = vec![table(format!("{item}: paper and measurement"), cells)];
        if !apart.is_empty() {
            blocks.push(table(format!("{item}: held back from the choice of a reading"), apart));
        }
        let notes = self.notes.iter().filter(|(of, _)| *of == item);
        blocks.extend(notes.map(|(_, note)| Block::Paragraph(note.clone())));
        let figures = self.figures.iter().filter(|figure| belongs(&figure.name, item));
        blocks.extend(figures.filter_map(|figure| {
            let caption = figure.caption.clone();
            match (&figure.svg, &figure.png) {
                (Some(svg), _) => Some(Block::Svg { svg: svg.clone(), caption }),
                (None, Some(bytes)) => Some(Block::Png { bytes: bytes.clone(), caption }),
                (None, None) => None,
            }
        }));
        blocks
    }
}

/// What a reading chooses, and why somebody might have built it so.
pub(super) fn questions(reading: &Reading) -> Option<Section> {
    let columns = ["question", "choice", "why"].map(|name| Column::new(name, "")).to_vec();
    let rows: Vec<Vec<Entry>> =
        reading.reasons().map(|(asks, choice, why)| [asks, choice, why].map(Entry::text).to_vec()).collect();
    let caption = format!("Reading {}", reading.heading());
    let heading = "Where the paper is silent".to_owned();
    (!rows.is_empty()).then(|| Section { heading, blocks: vec![Block::Table(Table { caption, columns, rows })] })
}

/// Figures are called after their item: `fig9`, or `fig6-a`.
fn belongs(figure: &str, item: &str) -> bool {
    figure.strip_prefix(item).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn entries(cell: &Cell, peer: bool) -> Vec<Entry> {
    let number = |value: Option<f64>| Entry::text(super::optional(value));
    let required = match (&cell.required, verdict(cell)) {
        (Some(required), verdict) => format!("{required}: {verdict}"),
        (None, _) => String::new(),
    };
    let first = [Entry::text(&cell.row), Entry::text(&cell.column), number(cell.paper_value)];
    let last = [
        number(cell.measured),
        Entry::text(cell.unit),
        Entry::text(deviation(cell)),
        Entry::text(required),
        Entry::text(cell.note.clone().unwrap_or_default()),
    ];
    first.into_iter().chain(peer.then(|| number(cell.peer_value))).chain(last).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn figures_belong_to_their_item() {
        assert!(super::belongs("fig6-a", "fig6") && super::belongs("fig9", "fig9"));
        assert!(!super::belongs("fig13", "fig1") && !super::belongs("fig8-latency", "fig9"));
    }
}
