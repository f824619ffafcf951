//! A search of readings as text for the terminal and as a report: the matrix reading by cell and claim.

use super::report::questions;
use super::text::{left, right, wrapped};
use super::{number, optional};
use crate::search::{Ended, Search, Tally, Tried};
use crate::study::{Cell, Study};
use tailback_pictures::report::{Block, Cell as Entry, Column, Report, Section, Table};

/// A column of the matrix: what it is, and what stands in it under each reading.
struct Line {
    name: String,
    held_back: bool,
    printed: String,
    /// A short mark, and the value in words.
    marks: Vec<(char, String)>,
}

impl Search {
    /// The matrix and the best reading as plain text.
    pub fn text(&self) -> String {
        let mut text = format!("{}: {}\n", self.paper.key, self.paper.title);
        let count = self.tried.len() + self.refused.len();
        text += &format!(
            "{count} of {} readings were tried. The score is fixed in the study: {}.\n",
            self.planned,
            self.score()
        );
        text += &self.legend();
        text += &self.matrix();
        for refused in &self.refused {
            text += &wrapped(&format!("Refused: {}: {}", refused.reading.name(), refused.why), "  ");
        }
        text += &self.best();
        for study in &self.whole {
            text += &format!("\nThe reading {} whole\n\n", study.reading.name());
            text += &study.text();
        }
        text + &self.ending()
    }

    fn score(&self) -> &str {
        self.paper.study.form.search.as_ref().map_or("", |search| self.paper.study.text_at(&search.score.span))
    }

    /// What the columns of the matrix are.
    fn legend(&self) -> String {
        let mut text = String::from("\nIn the matrix + is met, - is missed, and . was not measured or not judged.\n");
        for (held_back, what) in [(false, "Chosen by"), (true, "Held back")] {
            let lines: Vec<String> =
                self.lines().filter(|line| line.held_back == held_back).map(|line| line.name).collect();
            let numbered = lines.iter().enumerate().map(|(at, name)| format!("{} {name}", at + 1));
            let all = if lines.is_empty() { "nothing".to_owned() } else { numbered.collect::<Vec<_>>().join("; ") };
            text += &wrapped(&format!("{what}: {all}."), "  ");
        }
        text
    }

    fn matrix(&self) -> String {
        let lines: Vec<Line> = self.lines().collect();
        let marks = |at: usize, held_back: bool| {
            let own = lines.iter().filter(|line| line.held_back == held_back);
            own.map(|line| line.marks[at].0).collect::<String>()
        };
        let heads = ["", "score", "reading", "chosen by", "", "held back", ""].map(str::to_owned);
        let row = |(at, tried): (usize, &Tried)| {
            let (rank, score) = ((at + 1).to_string(), optional(Some(tried.score).filter(|score| score.is_finite())));
            let (chosen, held) = (counted(&tried.choosing), counted(&tried.held_back));
            [rank, score, tried.reading.name().to_owned(), marks(at, false), chosen, marks(at, true), held]
        };
        let rows: Vec<[String; 7]> = std::iter::once(heads).chain(self.tried.iter().enumerate().map(row)).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 7] = std::array::from_fn(width);
        let line = |row: &[String; 7]| {
            let placed = |column: usize| if column < 2 { right } else { left }(&row[column], widths[column]);
            let line: String = (0..7).map(placed).collect();
            format!("  {}\n", line.trim_end())
        };
        format!("\n{}", rows.iter().map(line).collect::<String>())
    }

    fn best(&self) -> String {
        let Some(best) = self.tried.first() else { return "\nNo reading was tried.\n".to_owned() };
        let equals = self.tried.iter().skip(1).filter(|tried| tried.score >= best.score).count();
        let equals = match equals {
            0 => String::new(),
            1 => "; another reading has the same score with as many changes or more".to_owned(),
            more => format!("; {more} other readings have the same score with as many changes or more"),
        };
        let told = format!("Best by this score: {} ({}){equals}.", best.reading.name(), best.reading.told());
        let held = format!("Held back it meets {}.", counted(&best.held_back));
        format!("\n{}{}", wrapped(&told, ""), wrapped(&held, ""))
    }

    fn ending(&self) -> String {
        match self.ended {
            Ended::Done => String::new(),
            Ended::Budget => {
                "\nThe time of --budget is over. --resume goes on with the runs that are kept.\n".to_owned()
            }
            Ended::Interrupted => "\nInterrupted: what is shown was finished, the rest is missing.\n".to_owned(),
        }
    }

    /// A self-contained report: the matrix of what is chosen by, that of what is held back, the candidates, and the best readings whole.
    pub fn report(&self) -> Report {
        let mut sections = vec![
            Section { heading: "Readings".to_owned(), blocks: vec![Block::Paragraph(self.summary()), self.ranks()] },
            Section { heading: "What the search chooses by".to_owned(), blocks: vec![self.table(false)] },
            Section { heading: "What is held back".to_owned(), blocks: vec![self.table(true)] },
        ];
        sections.extend(self.tried.first().and_then(|best| questions(&best.reading)));
        for study in &self.whole {
            sections.extend(study.sections().into_iter().map(|section| Section {
                heading: format!("{}, {}", study.reading.name(), section.heading),
                ..section
            }));
        }
        let title = format!("{}: readings", self.paper.key);
        Report { title, subtitle: self.paper.title.to_owned(), sections, ..Report::default() }
    }

    fn summary(&self) -> String {
        let count = self.tried.len() + self.refused.len();
        let tried = format!(
            "{count} of {} readings were tried. The score is fixed in the study: {}.",
            self.planned,
            self.score()
        );
        format!("{tried} {} {}", self.best().replace('\n', " ").trim(), self.ending().trim())
    }

    fn ranks(&self) -> Block {
        let names = ["rank", "score", "reading", "choices", "chosen by", "held back"];
        let columns = names.map(|name| Column::new(name, "")).to_vec();
        let rows = self.tried.iter().enumerate().map(|(at, tried)| {
            let reading = &tried.reading;
            let cells = [(at + 1).to_string(), number(tried.score), reading.name().to_owned(), reading.told()];
            let counts = [counted(&tried.choosing), counted(&tried.held_back)];
            cells.into_iter().chain(counts).map(Entry::text).collect()
        });
        Block::Table(Table { caption: "Readings by their score".to_owned(), columns, rows: rows.collect() })
    }

    /// A row for each cell and claim, a column for each reading.
    fn table(&self, held_back: bool) -> Block {
        let readings = self.tried.iter().map(|tried| tried.reading.name().to_owned());
        let names = ["what".to_owned(), "paper".to_owned()].into_iter().chain(readings);
        let columns = names.map(|name| Column::new(name, "")).collect();
        let rows = self.lines().filter(|line| line.held_back == held_back).map(|line| {
            let marks = line.marks.into_iter().map(|(mark, value)| format!("{mark} {value}"));
            [line.name, line.printed].into_iter().chain(marks).map(Entry::text).collect()
        });
        let caption = if held_back { "Held back from the choice" } else { "Chosen by" };
        Block::Table(Table { caption: caption.to_owned(), columns, rows: rows.collect() })
    }

    /// The cells that count, then the claims.
    fn lines(&self) -> impl Iterator<Item = Line> + '_ {
        let first = self.tried.first().map(|tried| &tried.study);
        let cells = first.into_iter().flat_map(|study| study.cells.iter().filter(|cell| cell.chosen.is_some()));
        let claims = first.into_iter().flat_map(|study| &study.claims);
        let cells = cells.map(|cell| Line {
            name: format!("{} {} {}", cell.item, cell.row, cell.column),
            held_back: cell.chosen.is_some_and(|chosen| chosen.held_back),
            printed: optional(cell.paper_value),
            marks: self.tried.iter().map(|tried| mark(&tried.study, cell)).collect(),
        });
        let claims = claims.map(|claim| Line {
            name: claim.id.clone(),
            held_back: claim.held_back,
            printed: claim.text.clone(),
            marks: self.tried.iter().map(|tried| claimed(&tried.study, &claim.id)).collect(),
        });
        cells.chain(claims)
    }
}

/// How a study meets the cell that another one has at the same place.
fn mark(study: &Study, cell: &Cell) -> (char, String) {
    let same = |other: &&Cell| (other.item, &other.row, &other.column) == (cell.item, &cell.row, &cell.column);
    let found = study.cells.iter().find(same);
    let met = found.filter(|found| found.measured.is_some()).and_then(|found| found.chosen).map(|chosen| chosen.met);
    let value = found.map_or(String::new(), |found| format!("{} {}", optional(found.measured), found.unit));
    (sign(met), value.trim_end().to_owned())
}

fn claimed(study: &Study, id: &str) -> (char, String) {
    let claim = study.claims.iter().find(|claim| claim.id == id);
    (sign(claim.and_then(|claim| claim.holds)), claim.map_or("", |claim| claim.verdict()).to_owned())
}

fn sign(met: Option<bool>) -> char {
    match met {
        Some(true) => '+',
        Some(false) => '-',
        None => '.',
    }
}

/// `12 of 15 cells, 26 of 30 signs, 5 of 7 claims, 4.0 % off`.
fn counted(tally: &Tally) -> String {
    let counts = [(tally.cells, "cells"), (tally.signs, "signs"), (tally.claims, "claims")];
    let counts = counts.into_iter().filter(|((_, all), _)| *all > 0);
    let mut told: Vec<String> = counts.map(|((met, all), what)| format!("{met} of {all} {what}")).collect();
    told.extend(tally.error_percent.map(|error| format!("{error:.1} % off")));
    if told.is_empty() { "nothing".to_owned() } else { told.join(", ") }
}
