//! The form of `study.toml`. docs/adding-a-study.md explains it to those who write one.

use super::figures::Picture;
use super::questions::{Choose, Named, Question, Search};
use super::space_time::SpaceTime;
use crate::formula::{Formula, Text};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::{Spanned, Table};

/// Labels and the values that they are to have.
pub type Given = BTreeMap<Spanned<String>, toml::Value>;

/// A study: a paper, what tells its runs apart, and its items.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// Key of the paper, the name of its folder.
    pub key: String,
    /// Authors, title, year.
    pub title: String,
    /// What is added to the columns of the short form, which texts call `form`.
    #[serde(default)]
    pub short_form: String,
    /// The simulator whose numbers stand in cells beside the paper's and the measured ones.
    pub peer: Option<String>,
    /// The label along which curves run.
    pub along: Option<Spanned<String>>,
    /// The reading under which the study runs, unless another one is asked for.
    pub declared: Option<Spanned<String>>,
    /// The questions on which the paper is silent.
    #[serde(default)]
    pub question: Vec<Question>,
    /// Readings by name: a choice for each question.
    #[serde(default)]
    pub reading: BTreeMap<Spanned<String>, Named>,
    /// How readings are searched.
    pub search: Option<Search>,
    /// Specs by the name of their file without `.toml`.
    pub spec: BTreeMap<String, Spec>,
    /// What tells runs apart.
    #[serde(default)]
    pub label: BTreeMap<String, Label>,
    /// Names for formulas, with arguments where the name has some in brackets.
    #[serde(default)]
    pub define: BTreeMap<String, Formula>,
    /// What all runs of some specs have of the paper, in the full form; a run that has not is a fault of the study.
    #[serde(default)]
    pub fact: Vec<Fact>,
    /// Tables, figures and numbers of the paper.
    pub item: Vec<Item>,
}

/// A rule that holds for every run, or for all runs of a spec together.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// The specs, if not all.
    #[serde(default)]
    pub specs: Vec<Spanned<String>>,
    /// The rule for every run.
    pub rule: Option<Formula>,
    /// The rule for the runs of each spec together.
    pub together: Option<Formula>,
}

/// A spec of the study.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// `--set` arguments of the short form.
    #[serde(default)]
    pub quick: Vec<String>,
    /// `--set` arguments of the form that a search of readings runs, if they are not those of the short form.
    pub search: Option<Vec<String>>,
    /// Labels that all its runs have.
    #[serde(default)]
    pub label: Table,
}

/// What tells runs apart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// Its value for a run. Without it, specs give it.
    pub of: Option<Formula>,
    /// What the paper calls the values, in its order.
    #[serde(default)]
    pub names: Table,
}

/// A table, a figure or a number of the paper.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its name on the command line.
    pub name: String,
    /// What it shows, in one phrase.
    pub summary: String,
    /// The specs that it runs.
    #[serde(default)]
    pub specs: Vec<Spanned<String>>,
    /// The specs that the short form runs, where they are others.
    pub quick_specs: Option<Vec<Spanned<String>>>,
    /// The item is not part of the short form.
    pub not_in_short_form: Option<Absent>,
    /// Its tables of cells.
    #[serde(default)]
    pub table: Vec<Cells>,
    /// Its pictures.
    #[serde(default)]
    pub figure: Vec<Picture>,
    /// Its space-time charts.
    #[serde(default)]
    pub space_time: Vec<SpaceTime>,
    /// The claims that it bears on.
    #[serde(default)]
    pub claim: Vec<Judged>,
    /// Remarks, a paragraph each.
    #[serde(default)]
    pub notes: Vec<Text>,
}

/// What the short form says of an item that it leaves out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Absent {
    /// The item's remark.
    pub note: String,
    /// The evidence of its claims.
    pub claims: String,
}

/// A table of cells.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cells {
    /// The specs whose runs it takes, if not all of the item's.
    #[serde(default)]
    pub specs: Vec<Spanned<String>>,
    /// Labels of this table alone.
    #[serde(default)]
    pub label: BTreeMap<String, Label>,
    /// Names and lists of values that it goes through, the last one fastest, before labels.
    #[serde(default)]
    pub over: Table,
    /// The labels whose values it goes through, the last one fastest.
    #[serde(default, rename = "for")]
    pub loops: Vec<Spanned<String>>,
    /// The same, each combination that was run in the order of the spec.
    #[serde(default)]
    pub combinations: Vec<Spanned<String>>,
    /// Values of labels that it is about.
    #[serde(default)]
    pub given: Given,
    /// Whether a combination has cells.
    pub only: Option<Formula>,
    /// Its row.
    pub row: Text,
    /// The cells of a row.
    pub cell: Vec<Measured>,
}

/// A cell.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// Its row, if it is another.
    pub row: Option<Text>,
    /// Its column.
    pub column: Text,
    /// What is measured.
    pub value: Formula,
    /// What the paper prints.
    pub printed: Option<Formula>,
    /// What the study's other simulator says.
    pub peer: Option<Formula>,
    /// Unit of them all.
    #[serde(default)]
    pub unit: String,
    /// A remark.
    pub note: Option<Text>,
    /// The labels for whose values it is there, each a cell.
    #[serde(default, rename = "for")]
    pub loops: Vec<Spanned<String>>,
    /// Whether the cell is there.
    pub only: Option<Formula>,
    /// What has to be reached.
    pub require: Option<Required>,
    /// How a search of readings takes it. Without this, every printed number counts as a cell.
    pub choose: Option<Choose>,
}

/// What a cell has to reach.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Required {
    /// In words.
    pub what: Text,
    /// As a rule, in which `measured` and `paper` are the two numbers.
    pub rule: Formula,
    /// Whether it is required at all.
    pub only: Option<Formula>,
}

/// A claim and its rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Its name in the targets.
    pub id: Spanned<String>,
    /// The specs whose runs it is about, if not all of the item's.
    #[serde(default)]
    pub specs: Vec<Spanned<String>>,
    /// It is judged under each value of a label.
    pub under: Option<Under>,
    /// Whether there is a verdict.
    pub only: Option<Formula>,
    /// Why the short form has no verdict; without it, it has one.
    pub short_form: Option<String>,
    /// Values of labels that it is about.
    #[serde(default)]
    pub given: Given,
    /// The rule.
    pub holds: Option<Formula>,
    /// The evidence.
    pub told: Option<Text>,
    /// The rule in parts that all have to hold.
    #[serde(default)]
    pub part: Vec<Part>,
    /// Whether a search of readings holds it back.
    #[serde(default)]
    pub held_back: bool,
    /// Other wordings of the claim, with the rule of each.
    #[serde(default)]
    pub otherwise: Vec<Otherwise>,
}

/// A claim in other words, which count under some readings and stand beside the verdict under the others.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Otherwise {
    /// The candidates under which the claim is judged so.
    #[serde(rename = "if")]
    pub under: BTreeMap<Spanned<String>, Spanned<String>>,
    /// The words of the claim, if they are others.
    pub text: Option<String>,
    /// The rule.
    pub holds: Option<Formula>,
    /// The evidence.
    pub told: Option<Text>,
    /// The rule in parts that all have to hold.
    #[serde(default)]
    pub part: Vec<Part>,
}

/// A verdict under each value of a label, of which one counts.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Under {
    /// The label.
    #[serde(rename = "for")]
    pub label: Spanned<String>,
    /// The value under which the verdict is the claim's own.
    pub counts: toml::Value,
}

/// A part of a rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The labels for whose values it has to hold, each told by itself.
    #[serde(default, rename = "for")]
    pub loops: Vec<Spanned<String>>,
    /// Values of labels that it is about.
    #[serde(default)]
    pub given: Given,
    /// The rule.
    pub holds: Formula,
    /// The evidence.
    pub told: Text,
}
