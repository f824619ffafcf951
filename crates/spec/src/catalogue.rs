//! What a spec may say. Components declare their parameters here and nowhere else: parsing, checking, `explain`, `list`,
//! the JSON Schema and the documentation all derive from these declarations.

/// The kind and range of a parameter's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// `true` or `false`.
    Bool,
    /// An integer in `min..=max`.
    Integer { min: i64, max: i64 },
    /// A finite number in `min..=max`.
    Float { min: f64, max: f64 },
    /// Either the word `"infinite"` or an integer in `min..=max`.
    IntegerOrInfinite { min: i64, max: i64 },
    /// Either the word `"auto"` (the parameter's doc says what that resolves to) or an integer in `min..=max`.
    IntegerOrAuto { min: i64, max: i64 },
    /// One of the listed words.
    Choice(&'static [(&'static str, &'static str)]),
    /// Free text.
    Text,
    /// The path of a file, relative to the spec file.
    Path,
    /// A list of integers, each in `min..=max`.
    Integers { min: i64, max: i64, min_len: usize, max_len: usize },
    /// A list of finite numbers, each in `min..=max`.
    Floats { min: f64, max: f64, min_len: usize, max_len: usize },
    /// A component of the named section (`"traffic.pattern"`): a bare kind name or a table with `kind` and its parameters.
    Component(&'static str),
    /// A list of tables, each with these parameters.
    Tables(&'static [Param]),
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
#[derive(Clone, Debug, PartialEq)]
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
}

/// Everything a spec may say, in the order in which documentation lists it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalogue {
    /// The sections. A section with a dotted path is a sub-table of its parent.
    pub sections: Vec<Section>,
}

impl Catalogue {
    /// The section at `path`.
    pub fn section(&self, path: &str) -> Option<&Section> {
        self.sections.iter().find(|s| s.path == path)
    }
}

impl Section {
    /// The component called `name`.
    pub fn entry(&self, name: &str) -> Option<&'static Entry> {
        self.entries.iter().copied().find(|e| e.name == name)
    }
}
