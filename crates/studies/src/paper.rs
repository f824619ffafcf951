//! A paper and its items.

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
}

/// A table, a figure or a number of a paper.
pub struct Item {
    /// Its name on the command line, e.g. `table2`.
    pub name: &'static str,
    /// What it shows, in one phrase.
    pub summary: &'static str,
    /// Measures it.
    pub(crate) run: fn(&Lab) -> Result<Part, StudyError>,
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("name", &self.name).field("summary", &self.summary).finish_non_exhaustive()
    }
}

impl Paper {
    /// The item of this name.
    pub fn item(&self, name: &str) -> Option<&'static Item> {
        self.items.iter().find(|item| item.name == name)
    }

    /// The names of all items, joined by commas.
    pub fn item_names(&self) -> String {
        self.items.iter().map(|item| item.name).collect::<Vec<_>>().join(", ")
    }
}
