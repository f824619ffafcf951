//! Markdown: the recorded results of a study's README.

use super::{deviation, optional, verdict};
use crate::study::{Cell, Study};

/// Where the recorded results begin in a study's README.
const BEGIN: &str = "<!-- results:begin -->";
/// Where they end.
const END: &str = "<!-- results:end -->";

impl Study {
    /// The results as Markdown, between the markers that a study's README keeps them in.
    pub fn markdown(&self) -> String {
        let form = if self.quick { "the short form" } else { "the full form" };
        let mut text = format!("{BEGIN}\nRecorded with tailback {}, {form}.\n", tailback_sim::VERSION);
        if !self.reading.told().is_empty() {
            text += &format!("Reading {}: {}.\n", self.reading.heading(), self.reading.told());
        }
        if !self.claims.is_empty() {
            text += "\n### Claims\n\n| claim | verdict | text | evidence |\n|---|---|---|---|\n";
        }
        for claim in &self.claims {
            let (text_of, evidence) = (escaped(&claim.text), escaped(&claim.whole_evidence()));
            text += &format!("| {} | {} | {text_of} | {evidence} |\n", claim.id, claim.verdict());
        }
        for item in &self.items {
            text += &self.item_markdown(item);
        }
        text + END + "\n"
    }

    fn item_markdown(&self, item: &str) -> String {
        let summary = self.paper.item(item).map_or("", |item| item.summary);
        let mut text = format!("\n### {item}: {summary}\n");
        let peer = self.peer_of(item);
        let (head, rule) = peer.map_or((String::new(), ""), |name| (format!(" {} |", escaped(name)), "--:|"));
        text += &format!("\n| row | column | paper |{head} measured | unit | deviation | required | remark |\n");
        text += &format!("|---|---|--:|{rule}--:|---|--:|---|---|\n");
        for cell in self.cells.iter().filter(|cell| cell.item == item) {
            text += &line(cell, peer.is_some());
        }
        for (_, note) in self.notes.iter().filter(|(of, _)| *of == item) {
            text += &format!("\n{note}\n");
        }
        text
    }
}

fn line(cell: &Cell, peer: bool) -> String {
    let peer = if peer { format!("{} | ", optional(cell.peer_value)) } else { String::new() };
    let required = match &cell.required {
        Some(required) => format!("{required}: **{}**", verdict(cell)),
        None => String::new(),
    };
    format!(
        "| {} | {} | {} | {peer}{} | {} | {} | {required} | {} |\n",
        escaped(&cell.row),
        escaped(&cell.column),
        optional(cell.paper_value),
        optional(cell.measured),
        cell.unit,
        deviation(cell),
        escaped(cell.note.as_deref().unwrap_or(""))
    )
}

fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
