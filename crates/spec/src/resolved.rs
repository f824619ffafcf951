//! The resolved spec, and where each of its values comes from.

use std::collections::BTreeMap;
use std::ops::{Bound, Range};
use std::sync::Arc;

use toml::{Table, Value};

use crate::catalogue::{Catalogue, Settled};
use crate::error::{Errors, Faults, SpecError, Text};
use crate::node::Place;
use crate::view::View;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Written in the spec file, at these bytes (in its `[sweep]` where the value is swept).
    File(Range<usize>),
    /// Given by this `--set` argument, at these bytes of it.
    Set(String, Range<usize>),
    /// Given by the spec's preset.
    Preset,
    /// Not given.
    Default,
}

/// Where the values of a resolved spec come from.
#[derive(Clone, Debug)]
pub struct Sources {
    pub(crate) texts: Arc<Vec<Text>>,
    /// Which text is that of the preset.
    pub(crate) preset: Option<usize>,
    pub(crate) places: Arc<BTreeMap<String, Place>>,
}

impl Sources {
    /// The origin of the parameter or section at a dotted path. Elements of a list of tables are `phases[0].load`.
    pub fn origin(&self, path: &str) -> Origin {
        match self.places.get(path) {
            None => Origin::Default,
            Some(place) if Some(place.text) == self.preset => Origin::Preset,
            Some(place) if place.text == 0 => Origin::File(place.start..place.end),
            Some(place) => Origin::Set(self.texts[place.text].text.clone(), place.start..place.end),
        }
    }

    /// Whether anything was written of the section at a path, or of what has a name that begins in the same way.
    pub(crate) fn speak_of(&self, section: &str) -> bool {
        let from = (Bound::Included(section), Bound::Unbounded);
        self.places.range::<str, _>(from).next().is_some_and(|(path, _)| path.starts_with(section))
    }

    /// The place of `path`, or of the nearest table around it that was written.
    fn nearest(&self, path: &str) -> Option<&Place> {
        let mut path = path;
        loop {
            if let Some(place) = self.places.get(path) {
                return Some(place);
            }
            path = &path[..path.rfind(['.', '['])?];
        }
    }
}

/// A complete, checked spec of one run. Copies share what is in it.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// See [`Resolved::table`].
    pub(crate) table: Arc<Table>,
    /// Where each value comes from.
    pub sources: Sources,
    /// The `[sweep]` as written, where this is the base of one.
    pub(crate) sweep: Option<Value>,
}

impl Resolved {
    /// Every section and parameter, in the catalogue's order, `kind` first; `name` and `description` only if given.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The same, to be changed. Copies keep what they have.
    pub fn table_mut(&mut self) -> &mut Table {
        Arc::make_mut(&mut self.table)
    }

    /// The same by itself.
    pub fn into_table(self) -> Table {
        Arc::unwrap_or_clone(self.table)
    }

    /// The section at a dotted path of the catalogue.
    ///
    /// # Panics
    /// When the catalogue has no such section.
    pub fn view(&self, path: &str) -> View<'_> {
        path.split('.').fold(View::new(&self.table), |view, key| view.sub(key))
    }

    /// The value at a dotted path.
    pub fn get(&self, path: &str) -> Option<&Value> {
        let mut keys = path.split('.');
        let first = self.table.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get(key))
    }

    /// The value at a dotted path, as [`Resolved::value_mut`] finds it, for reading.
    pub fn value(&self, path: &str) -> Option<&Value> {
        let mut words = path.split(['.', '[', ']']).filter(|word| !word.is_empty());
        let first = self.table.get(words.next()?)?;
        words.try_fold(first, |value, word| match value {
            Value::Table(table) => table.get(word),
            Value::Array(list) => list.get(word.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The value at a path that may lead through lists: elements are `phases[0].load`.
    pub fn value_mut(&mut self, path: &str) -> Option<&mut Value> {
        let mut words = path.split(['.', '[', ']']).filter(|word| !word.is_empty());
        let first = self.table_mut().get_mut(words.next()?)?;
        words.try_fold(first, |value, word| match value {
            Value::Table(table) => table.get_mut(word),
            Value::Array(list) => list.get_mut(word.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// Raises integers that nobody has given to what the whole spec needs. To be called again once the files that it names are found.
    pub fn settle(&mut self, catalogue: &Catalogue) {
        for Settled { path, value } in &catalogue.settled {
            if self.get(path).is_none() || self.sources.origin(path) != Origin::Default {
                continue;
            }
            if let (Some(least), Some(Value::Integer(default))) = (value(self), self.value_mut(path)) {
                *default = least.max(*default);
            }
        }
    }

    /// The paths, as of [`Resolved::value_mut`], of all values that name a file.
    pub fn files(&self, catalogue: &Catalogue) -> Vec<String> {
        let (keys, mut found) = (catalogue.file_keys(), Vec::new());
        self.table.iter().for_each(|(key, value)| find(&Way::Top(key), value, keys, &mut found));
        found
    }

    /// The spec's own name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.table.get("name").and_then(Value::as_str)
    }

    /// The spec's description, if it has one.
    pub fn description(&self) -> Option<&str> {
        self.table.get("description").and_then(Value::as_str)
    }

    /// Errors that another layer found in this spec (an impossible network, say), ready to be shown at the lines concerned:
    /// each is placed at its path, or at the nearest table around it that was written. `None` when `errors` is empty.
    pub fn errors(&self, errors: impl IntoIterator<Item = SpecError>) -> Option<Errors> {
        let mut faults = Faults::default();
        for mut error in errors {
            if error.place.is_none() {
                error.place = self.sources.nearest(&error.path).cloned();
                let defaulted = self.sources.origin(&error.path) == Origin::Default;
                if let (true, None, Some(value)) = (defaulted, &error.label, self.get(&error.path))
                    && !value.is_table()
                {
                    error.label = Some(format!("`{}` is {value} by default", error.path));
                }
            }
            faults.push(error);
        }
        (faults.len() > 0).then(|| faults.into_errors(&self.sources.texts))
    }
}

/// Where a value stands: the words of its path are put together where somebody asks for it.
enum Way<'a> {
    Top(&'a str),
    Key(&'a Way<'a>, &'a str),
    Element(&'a Way<'a>, usize),
}

impl Way<'_> {
    fn path(&self) -> String {
        match self {
            Way::Top(key) => (*key).to_owned(),
            Way::Key(around, key) => format!("{}.{key}", around.path()),
            Way::Element(list, index) => format!("{}[{index}]", list.path()),
        }
    }
}

/// Collects the paths of texts whose key is in `keys`.
fn find(way: &Way<'_>, value: &Value, keys: &[&str], found: &mut Vec<String>) {
    match value {
        Value::Table(table) => {
            table.iter().for_each(|(key, value)| find(&Way::Key(way, key), value, keys, found));
        }
        Value::Array(list) => {
            let elements = list.iter().enumerate();
            elements.for_each(|(index, value)| find(&Way::Element(way, index), value, keys, found));
        }
        Value::String(file) if !file.is_empty() => {
            let (Way::Top(key) | Way::Key(_, key)) = way else { return };
            if keys.contains(key) {
                found.push(way.path());
            }
        }
        _ => {}
    }
}
