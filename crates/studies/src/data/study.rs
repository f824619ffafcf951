//! A study as it was read, and the places of its faults.

use super::form::{Form, Item, Label};
use crate::formula::{Formula, Value};
use crate::lab::Dataset;
use crate::reading::Reading;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// A study that is data.
#[derive(Debug)]
pub struct DataStudy {
    /// The file, for messages.
    pub file: String,
    /// Its text, for places.
    pub source: String,
    /// What it says.
    pub form: Form,
    /// Its specs by name.
    pub datasets: BTreeMap<String, Dataset>,
    /// The label along which curves run.
    pub along: Option<String>,
    /// Definitions by name: the names of their arguments, and their key in the form.
    pub definitions: BTreeMap<String, (Vec<String>, String)>,
    /// Readings by name: the number of the candidate of each question.
    pub readings: BTreeMap<String, Vec<usize>>,
}

/// Name and arguments of `name` or `name(a, b)`.
pub fn signature(key: &str) -> (String, Vec<String>) {
    let (name, arguments) = key.split_once('(').unwrap_or((key, ""));
    let arguments =
        arguments.trim_end().trim_end_matches(')').split(',').map(str::trim).filter(|name| !name.is_empty());
    (name.trim().to_owned(), arguments.map(str::to_owned).collect())
}

impl DataStudy {
    /// A definition: the names of its arguments, and its formula.
    pub fn defined(&self, name: &str) -> Option<(&[String], &Formula)> {
        let (arguments, key) = self.definitions.get(name)?;
        Some((arguments, self.form.define.get(key)?))
    }

    /// A definition under a reading, which may change its formula.
    pub fn defined_under<'s>(&'s self, name: &str, reading: &Reading) -> Option<(&'s [String], &'s Formula)> {
        let (_, key) = self.definitions.get(name)?;
        let (arguments, formula) = self.defined(name)?;
        Some((arguments, reading.defined(key).unwrap_or(formula)))
    }

    /// What the short form adds to columns.
    pub fn short_form(&self) -> &str {
        &self.form.short_form
    }

    /// The labels of the whole study.
    pub fn labels(&self) -> impl Iterator<Item = (&String, &Label)> {
        self.form.label.iter()
    }

    /// A spec, which the form was found to have.
    pub fn dataset(&self, name: &str) -> &Dataset {
        self.datasets.get(name).expect("the names of specs were checked as the form was read")
    }

    /// The value that a spec gives a label.
    pub fn spec_label(&self, spec: &str, label: &str) -> Option<Value> {
        super::runs::plain(self.form.spec.get(spec)?.label.get(label)?)
    }

    /// An item, which the paper was found to have.
    pub fn item(&self, name: &str) -> &Item {
        let found = self.form.item.iter().find(|item| item.name == name);
        found.expect("the items of the paper are those of its form")
    }

    /// What is written at these bytes of the file, without quotation marks.
    pub fn text_at(&self, span: &Range<usize>) -> &str {
        self.source.get(span.clone()).unwrap_or("").trim_matches('"')
    }

    /// A fault at these bytes of the file.
    pub fn fault(&self, span: &Range<usize>, message: &str) -> Fault {
        Fault::at(&self.file, &self.source, span, message)
    }
}

/// What is wrong in a `study.toml`, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The key whose value it is; empty where there is none.
    pub key: String,
    /// What was expected.
    pub message: String,
}

impl Fault {
    /// At these bytes of the file.
    pub fn at(file: &str, source: &str, span: &Range<usize>, message: &str) -> Self {
        let before = &source[..span.start.min(source.len())];
        let line = before.matches('\n').count() + 1;
        let message = message.trim().replace('\n', ", ");
        Fault { file: file.to_owned(), line, key: key(source, span.start), message }
    }
}

/// The key whose value begins at this byte, or the key that begins there.
fn key(source: &str, start: usize) -> String {
    let start = start.min(source.len());
    let is_key = |c: char| c.is_alphanumeric() || "_-.\"".contains(c);
    let before = source[..start].trim_end();
    if let Some(before) = before.strip_suffix('=') {
        let before = before.trim_end();
        return before[before.trim_end_matches(is_key).len()..].to_owned();
    }
    let rest = &source[start..];
    rest[..rest.find(|c| !is_key(c)).unwrap_or(rest.len())].to_owned()
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, line {}", self.file, self.line)?;
        if !self.key.is_empty() {
            write!(f, ", key `{}`", self.key)?;
        }
        write!(f, ": {}", self.message)
    }
}
