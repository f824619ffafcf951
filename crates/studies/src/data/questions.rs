//! The form of what a paper leaves open: questions, the candidates of each, readings, and the search among them.

use crate::formula::Formula;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A question on which the paper is silent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// Its name.
    pub name: Spanned<String>,
    /// The question, as a sentence.
    pub asks: String,
    /// Whether the search chooses among its candidates. The wording of a claim is chosen by the paper, never by a search.
    #[serde(default = "searched")]
    pub searched: bool,
    /// The candidates, in the order in which the search tries them.
    pub candidate: Vec<Candidate>,
}

fn searched() -> bool {
    true
}

/// A candidate for a question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// Its name.
    pub name: Spanned<String>,
    /// Why somebody might have built it so.
    pub why: String,
    /// `--set` arguments for specs. They come after those of the short form.
    #[serde(default)]
    pub set: Vec<String>,
    /// The specs that `set`, `of_kind` and `of_preset` are for, if not all.
    #[serde(default)]
    pub specs: Vec<Spanned<String>>,
    /// The specs that they are not for.
    #[serde(default)]
    pub except: Vec<Spanned<String>>,
    /// `--set` arguments for some specs alone, beside `set`.
    #[serde(default)]
    pub within: Vec<Within>,
    /// Keys of every component of a kind, by `section.kind`: also where a spec sweeps over kinds.
    #[serde(default)]
    pub of_kind: BTreeMap<Spanned<String>, toml::Table>,
    /// Keys of every run with a preset, by its name: also where a spec sweeps over presets.
    #[serde(default)]
    pub of_preset: BTreeMap<Spanned<String>, toml::Table>,
    /// Values of labels under which claims are judged, where a claim says `under`.
    #[serde(default)]
    pub counts: BTreeMap<Spanned<String>, toml::Value>,
    /// Formulas of definitions that this candidate changes.
    #[serde(default)]
    pub define: BTreeMap<Spanned<String>, Formula>,
}

/// What a candidate sets in some specs alone.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// The specs.
    pub specs: Vec<Spanned<String>>,
    /// `--set` arguments.
    pub set: Vec<String>,
}

/// A reading: a choice for each question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// What it stands for.
    pub why: String,
    /// The reading whose choices it takes where it has none of its own.
    pub from: Option<Spanned<String>>,
    /// Candidates by question.
    #[serde(default)]
    pub choice: BTreeMap<Spanned<String>, Spanned<String>>,
}

/// How readings are searched.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// The reading that the search starts from.
    pub from: Spanned<String>,
    /// The items that it runs.
    pub items: Vec<Spanned<String>>,
    /// Whether formulas see the full form. Without it they see the short one.
    #[serde(default)]
    pub judged_as_full: bool,
    /// When a cell counts as met, where the cell has no rule of its own.
    pub met: Formula,
    /// What a reading is worth, in numbers of cells, signs and claims.
    pub score: Formula,
    /// How many combinations are tried at most, after the single changes.
    #[serde(default = "most_combinations")]
    pub combinations: usize,
    /// How many of the best readings are run whole.
    #[serde(default = "best")]
    pub best: usize,
}

fn most_combinations() -> usize {
    200
}

fn best() -> usize {
    3
}

/// How the search takes a cell.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choose {
    /// What it counts as.
    #[serde(default, rename = "as")]
    pub counts: Counts,
    /// Whether it counts at all.
    pub only: Option<Formula>,
    /// When it is met, if not by the rule of the search.
    pub met: Option<Formula>,
    /// Whether it is held back: the search prints it, and does not choose by it.
    pub held_back: Option<Formula>,
}

/// What a cell counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Counts {
    /// A number.
    #[default]
    Cell,
    /// The sign of an effect.
    Sign,
    /// Nothing.
    Nothing,
}
