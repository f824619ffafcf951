//! What is wrong with a spec, and where.

use annotate_snippets::Renderer;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use crate::node::Place;

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SpecError {
    /// Where, in the file or a `--set` argument; `None` when nothing was written to point at.
    pub place: Option<Place>,
    /// Dotted path of the parameter or section (`"traffic.load"`), or `""` for the whole file.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// A few words beside the carets.
    pub label: Option<String>,
    /// What would be right.
    pub help: Option<String>,
    /// The name that a misspelt one was probably meant to be.
    pub(crate) meant: Option<&'static str>,
}

impl SpecError {
    /// An error about the parameter or section at `path`; [`crate::Resolved::errors`] finds its line.
    pub fn at(path: impl Into<String>, message: impl Into<String>) -> Self {
        SpecError { place: None, path: path.into(), message: message.into(), label: None, help: None, meant: None }
    }

    /// Adds what would be right.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a few words beside the carets.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    pub(crate) fn placed(path: &str, place: Place, message: impl Into<String>) -> Self {
        SpecError { place: Some(place), ..SpecError::at(path, message) }
    }

    pub(crate) fn meant(mut self, name: Option<&'static str>) -> Self {
        self.meant = name;
        self
    }

    pub(crate) fn help_if(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }
}

/// A text that a spec is made of: the file, or a `--set` argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    /// The file's name, or `--set`.
    pub name: String,
    /// The whole text.
    pub text: String,
}

/// Everything that is wrong with a spec, and the texts to show it in. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    pub(crate) texts: Arc<Vec<Text>>,
    pub(crate) errors: Vec<SpecError>,
}

/// Where an error is, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The file's name, or `--set`.
    pub name: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column, counted from 1 in characters.
    pub column: usize,
}

impl Errors {
    /// Where one of these errors is; `None` when nothing was written to point at.
    pub fn position(&self, error: &SpecError) -> Option<Position> {
        let place = error.place.as_ref()?;
        let text = self.texts.get(place.text)?;
        let before = text.text.get(..place.start)?;
        let line = before.rsplit('\n').next().unwrap_or_default();
        Some(Position {
            name: text.name.clone(),
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
        })
    }

    /// The errors, by position.
    pub fn errors(&self) -> &[SpecError] {
        &self.errors
    }

    /// These errors and `more` of the same spec, each once, by position.
    #[must_use]
    pub fn and(self, more: impl IntoIterator<Item = SpecError>) -> Errors {
        let mut faults = Faults::default();
        self.errors.into_iter().chain(more).for_each(|error| faults.push(error));
        faults.into_errors(&self.texts)
    }

    /// The errors as a compiler shows them: message, `file:line:column`, the line, carets, help. At most 50 are shown,
    /// then how many more there are.
    pub fn render(&self) -> String {
        crate::render::render(self, &Renderer::plain())
    }

    /// The same with ANSI colours.
    pub fn styled(&self) -> String {
        crate::render::render(self, &Renderer::styled())
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render())
    }
}

impl std::error::Error for Errors {}

/// The errors found so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Faults {
    found: BTreeSet<SpecError>,
}

/// Beyond this many errors no more suggestions are searched for: a hostile file may hold hundreds of thousands.
const SUGGESTED: usize = 1000;

impl Faults {
    /// Adds an error, unless the very same was found before (by another point of a sweep).
    pub fn push(&mut self, error: SpecError) {
        self.found.insert(error);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// All errors.
    pub fn iter(&self) -> impl Iterator<Item = &SpecError> {
        self.found.iter()
    }

    /// Takes out those for which `keep` does not hold.
    pub fn retain(&mut self, keep: impl FnMut(&SpecError) -> bool) {
        self.found.retain(keep);
    }

    /// Whether it is still worth searching for near names.
    pub fn suggests(&self) -> bool {
        self.len() < SUGGESTED
    }

    /// `value` if nothing is wrong, everything that is wrong otherwise.
    pub fn or<T>(self, texts: &Arc<Vec<Text>>, value: T) -> Result<T, Errors> {
        if self.found.is_empty() { Ok(value) } else { Err(self.into_errors(texts)) }
    }

    /// Everything that is wrong, by position; what has no position comes last.
    pub fn into_errors(self, texts: &Arc<Vec<Text>>) -> Errors {
        let (placed, unplaced): (Vec<_>, Vec<_>) = self.found.into_iter().partition(|e| e.place.is_some());
        Errors { texts: Arc::clone(texts), errors: placed.into_iter().chain(unplaced).collect() }
    }
}

impl IntoIterator for Faults {
    type Item = SpecError;
    type IntoIter = std::collections::btree_set::IntoIter<SpecError>;

    fn into_iter(self) -> Self::IntoIter {
        self.found.into_iter()
    }
}
