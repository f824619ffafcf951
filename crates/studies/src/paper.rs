//! A paper and its items.

use crate::data::{self, DataStudy};
use crate::lab::Lab;
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
    /// Whether its specs are what it says of them.
    #[cfg(test)]
    pub(crate) fn check_facts(&self, lab: &Lab) -> Result<(), StudyError> {
        self.items.iter().try_for_each(|item| data::check_facts(item.study, lab, item.name))
    }

    /// Its specs.
    #[cfg(test)]
    pub(crate) fn datasets(&self) -> impl Iterator<Item = &crate::lab::Dataset> {
        self.items.first().into_iter().flat_map(|item| item.study.datasets.values())
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
