//! A paper and its items.

use crate::data::{self, DataStudy};
use crate::lab::Lab;
use crate::reading::Reading;
use crate::reproduce::StudyError;
use crate::study::Part;

/// A published paper that can be reproduced.
#[derive(Debug)]
pub struct Paper {
    /// Its key, e.g. `spth-2015`; also the folder below `papers/`.
    pub key: &'static str,
    /// Authors, title, year.
    pub title: &'static str,
    /// What can be reproduced, in the order of the paper.
    pub items: &'static [Item],
    /// The numbers and claims that the paper prints, as TOML.
    pub targets: &'static str,
    /// The folder of its files, as messages call it.
    pub folder: &'static str,
    /// What its `study.toml` says.
    pub(crate) study: &'static DataStudy,
}

/// A table, a figure or a number of a paper.
pub struct Item {
    /// Its name on the command line, e.g. `table2`.
    pub name: &'static str,
    /// What it shows, in one phrase.
    pub summary: &'static str,
    /// The study that says how it is measured.
    pub(crate) study: &'static DataStudy,
}

impl Item {
    /// Runs and measures it.
    pub(crate) fn measure(&self, lab: &Lab) -> Result<Part, StudyError> {
        data::measure(self.study, lab, self.name)
    }
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("name", &self.name).field("summary", &self.summary).finish_non_exhaustive()
    }
}

impl Paper {
    /// The simulator whose numbers stand beside the paper's, if there is one.
    pub(crate) fn peer(&self) -> Option<&str> {
        self.study.form.peer.as_deref()
    }

    /// Whether its specs are what it says of them.
    #[cfg(test)]
    pub(crate) fn check_facts(&self, lab: &Lab) -> Result<(), StudyError> {
        self.items.iter().try_for_each(|item| data::check_facts(item.study, lab, item.name))
    }

    /// Its specs.
    #[cfg(test)]
    pub(crate) fn datasets(&self) -> impl Iterator<Item = &crate::lab::Dataset> {
        self.study.datasets.values()
    }

    /// The reading of this name, or the one that a search calls so: `NAME with QUESTION = CANDIDATE, ...`.
    ///
    /// # Errors
    /// [`StudyError::UnknownReading`] where the study has none of this name.
    pub fn reading(&self, name: &str) -> Result<Reading, StudyError> {
        let unknown = || {
            let all: Vec<&str> = self.study.readings.keys().map(String::as_str).collect();
            let readings = if all.is_empty() { "no readings".to_owned() } else { all.join(", ") };
            StudyError::UnknownReading { reading: name.to_owned(), paper: self.key, readings }
        };
        Reading::called(self.study, name).ok_or_else(unknown)
    }

    /// The reading under which the study runs unless another one is asked for.
    pub fn declared(&self) -> Reading {
        Reading::declared(self.study)
    }

    /// The item of this name.
    pub fn item(&self, name: &str) -> Option<&'static Item> {
        self.items.iter().find(|item| item.name == name)
    }

    /// The names of all items, joined by commas.
    pub fn item_names(&self) -> String {
        self.items.iter().map(|item| item.name).collect::<Vec<_>>().join(", ")
    }
}
