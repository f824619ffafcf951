//! What a spec may say. Components declare their parameters here and nowhere else: parsing, checking, `explain`, `list`,
//! the JSON Schema and the documentation all derive from these declarations.

use crate::effect::Idle;
use crate::resolved::Resolved;
use crate::view::View;
use std::sync::OnceLock;
use toml::Value;

/// The kind and range of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// An integer in `min..=max`.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value; `i64::MAX` means no bound.
        max: i64,
    },
    /// A finite number in `min..=max`.
    Float {
        /// Smallest value.
        min: f64,
        /// Largest value; `f64::MAX` means no bound.
        max: f64,
    },
    /// Either the word `"infinite"` or an integer in `min..=max`.
    IntegerOrInfinite {
        /// Smallest integer.
        min: i64,
        /// Largest integer; `i64::MAX` means no bound.
        max: i64,
    },
    /// Either the word `"auto"` (the parameter's doc says what that resolves to) or an integer in `min..=max`.
    IntegerOrAuto {
        /// Smallest integer.
        min: i64,
        /// Largest integer; `i64::MAX` means no bound.
        max: i64,
    },
    /// One of the listed words, each with its meaning.
    Choice(&'static [(&'static str, &'static str)]),
    /// Free text.
    Text,
    /// The path of a file, relative to the spec file.
    Path,
    /// A list of integers, each in `min..=max`.
    Integers {
        /// Smallest element.
        min: i64,
        /// Largest element.
        max: i64,
        /// Fewest elements.
        min_len: usize,
        /// Most elements.
        max_len: usize,
    },
    /// A list of finite numbers, each in `min..=max`.
    Floats {
        /// Smallest element.
        min: f64,
        /// Largest element.
        max: f64,
        /// Fewest elements.
        min_len: usize,
        /// Most elements.
        max_len: usize,
    },
    /// A list of rows, each a list of integers in `min..=max`.
    Rows {
        /// Smallest element.
        min: i64,
        /// Largest element.
        max: i64,
        /// Fewest elements of a row.
        min_len: usize,
        /// Most elements of a row.
        max_len: usize,
        /// Most rows.
        max_rows: usize,
    },
    /// A component of the named section (`"traffic.pattern"`): a bare kind name or a table with `kind` and its parameters.
    Component(&'static str),
    /// A list of tables, each with these parameters.
    Tables(&'static [Param]),
    /// A table of dotted paths of the spec and the values that they are to have. Which paths, and what values, is for those to say who
    /// lay it over the spec.
    Settings,
}

/// What a parameter is when the spec does not say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fallback {
    /// The spec must say it.
    Required,
    /// A bool.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// A number.
    Float(f64),
    /// A word or text.
    Text(&'static str),
    /// A list of integers.
    Integers(&'static [i64]),
    /// A list of numbers.
    Floats(&'static [f64]),
    /// An empty list of tables.
    Empty,
}

/// One parameter of a section or a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its key. Dimensional values carry their unit in the key (`link_cycles`, `buffer_flits`) or in `unit`.
    pub name: &'static str,
    /// Its kind and range.
    pub kind: Kind,
    /// Its unit (`"flits/node/cycle"`), or `""` when it has none.
    pub unit: &'static str,
    /// Its default.
    pub fallback: Fallback,
    /// What it means, in one sentence, and its source where it comes from a paper.
    pub doc: &'static str,
}

/// One component: a topology, a routing, a throttle, a pattern ...
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The word that selects it (`kind = "..."`).
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Paper key and section (`"spth-2015 section 4"`), or `""`.
    pub paper: &'static str,
    /// Whether it uses information that no hardware could have.
    pub ideal: bool,
    /// Its parameters.
    pub params: &'static [Param],
}

/// One table of the spec: its own parameters, and where it chooses a component, the components.
#[derive(Clone, Debug)]
pub struct Section {
    /// Dotted path of the table: `"topology"`, `"traffic.pattern"`.
    pub path: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// Parameters that every kind of it has.
    pub params: &'static [Param],
    /// The components to choose from with `kind`; empty when there is nothing to choose.
    pub entries: Vec<&'static Entry>,
    /// The component when the spec does not choose; `None` makes `kind` required.
    pub default_entry: Option<&'static str>,
    /// Where parameters of it, or of its components, have no effect.
    pub idle: Vec<&'static Idle>,
}

/// A named set of defaults: `preset = "name"` at the top of a spec. What the spec itself says comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The word that selects it.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Paper key and section, or `""`.
    pub paper: &'static str,
    /// Sections of a spec, as TOML.
    pub toml: &'static str,
}

/// Another default of a section, by what an earlier section says.
#[derive(Clone, Debug)]
pub struct Implied {
    /// The section that decides.
    pub of: &'static str,
    /// Whether it does, by its table. Faulty values are missing there.
    pub when: fn(View<'_>) -> bool,
    /// The section with the other default.
    pub section: &'static str,
    /// The default there.
    pub kind: &'static str,
}

/// A default of an integer that the whole spec may raise.
#[derive(Clone, Copy, Debug)]
pub struct Settled {
    /// Its dotted path.
    pub path: &'static str,
    /// The least value; `None` where the spec does not tell. It has no faults.
    pub value: fn(&Resolved) -> Option<i64>,
}

/// Everything a spec may say, in the order in which documentation lists it.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// The sections. A section with a dotted path is a sub-table of its parent.
    pub sections: Vec<Section>,
    /// Components that only parameters name ([`Kind::Component`]): they are in no spec that does not choose such a parameter. A path is that
    /// of the parameter.
    pub nested: Vec<Section>,
    /// The presets to choose from; none where there is no `preset` key.
    pub presets: Vec<Preset>,
    /// Defaults that depend on what is chosen elsewhere.
    pub implied: Vec<Implied>,
    /// Defaults that depend on the whole spec.
    pub settled: Vec<Settled>,
    /// The keys of parameters that name files, once somebody has asked: [`Catalogue::file_keys`].
    pub files: OnceLock<Vec<&'static str>>,
}

impl Catalogue {
    /// The section at `path`.
    pub fn section(&self, path: &str) -> Option<&Section> {
        self.every_section().find(|s| s.path == path)
    }

    /// The sections, and those that only parameters name.
    pub fn every_section(&self) -> impl Iterator<Item = &Section> {
        self.sections.iter().chain(&self.nested)
    }

    /// The keys of all parameters that name files.
    pub fn file_keys(&self) -> &[&'static str] {
        // PERF: kept, since a sweep asks three times for each of its points.
        self.files.get_or_init(|| {
            let params = self.every_section().flat_map(|section| section.every_param());
            params.filter(|param| param.kind == Kind::Path).map(|param| param.name).collect()
        })
    }

    /// The preset called `name`.
    pub fn preset(&self, name: &str) -> Option<&Preset> {
        self.presets.iter().find(|p| p.name == name)
    }

    /// The keys of the tables directly below `path` (`""` is the top), in the order of declaration.
    pub fn children(&self, path: &str) -> Vec<&'static str> {
        let mut children = Vec::new();
        for section in &self.sections {
            let below = match path {
                "" => Some(section.path),
                path => section.path.strip_prefix(path).and_then(|rest| rest.strip_prefix('.')),
            };
            let Some(child) = below.and_then(|b| b.split('.').next()) else { continue };
            if !children.contains(&child) {
                children.push(child);
            }
        }
        children
    }

    /// The table that has a key called `name`, when exactly one has.
    pub(crate) fn home(&self, name: &str) -> Option<&'static str> {
        let home = |s: &Section| {
            let has = s.params.iter().any(|p| p.name == name) || !s.owners(name).is_empty();
            let parent = s.path.rsplit_once('.').filter(|(_, key)| *key == name).map(|(parent, _)| parent);
            if has { Some(s.path) } else { parent }
        };
        let mut homes = self.sections.iter().filter_map(home);
        homes.next().filter(|_| homes.next().is_none())
    }
}

impl Section {
    /// The component called `name`.
    pub fn entry(&self, name: &str) -> Option<&'static Entry> {
        self.entries.iter().copied().find(|e| e.name == name)
    }

    /// The names of its components.
    pub fn names(&self) -> Vec<&'static str> {
        self.entries.iter().map(|e| e.name).collect()
    }

    /// The parameters that it has when `kind` is chosen.
    pub fn params_of(&self, kind: Option<&str>) -> Vec<&'static Param> {
        let own = kind.and_then(|k| self.entry(k)).map_or(&[][..], |e| e.params);
        self.params.iter().chain(own).collect()
    }

    /// The parameters of the section and of all its components.
    pub fn every_param(&self) -> impl Iterator<Item = &'static Param> + '_ {
        self.params.iter().chain(self.entries.iter().flat_map(|e| e.params))
    }

    /// The components that have a parameter called `name`.
    pub(crate) fn owners(&self, name: &str) -> Vec<&'static str> {
        self.entries.iter().filter(|e| e.params.iter().any(|p| p.name == name)).map(|e| e.name).collect()
    }
}

impl Fallback {
    /// The default as JSON; `None` where the parameter is required.
    pub fn json(&self) -> Option<serde_json::Value> {
        use serde_json::json;
        match *self {
            Fallback::Required => None,
            Fallback::Bool(v) => Some(json!(v)),
            Fallback::Integer(v) => Some(json!(v)),
            Fallback::Float(v) => Some(json!(v)),
            Fallback::Text(v) => Some(json!(v)),
            Fallback::Integers(v) => Some(json!(v)),
            Fallback::Floats(v) => Some(json!(v)),
            Fallback::Empty => Some(json!([])),
        }
    }

    /// The default as a value of a plain parameter of `kind`. A required parameter has none; it reads as an empty list.
    pub(crate) fn value(&self, kind: &Kind) -> Value {
        match *self {
            Fallback::Bool(v) => Value::Boolean(v),
            Fallback::Integer(v) if matches!(kind, Kind::Float { .. }) => Value::Float(v as f64),
            Fallback::Integer(v) => Value::Integer(v),
            Fallback::Float(v) => Value::Float(v),
            Fallback::Text(v) => Value::String(v.to_owned()),
            Fallback::Integers(v) if matches!(kind, Kind::Floats { .. }) => {
                Value::Array(v.iter().map(|i| Value::Float(*i as f64)).collect())
            }
            Fallback::Integers(v) => Value::Array(v.iter().map(|i| Value::Integer(*i)).collect()),
            Fallback::Floats(v) => Value::Array(v.iter().map(|f| Value::Float(*f)).collect()),
            Fallback::Empty | Fallback::Required => Value::Array(Vec::new()),
        }
    }
}
