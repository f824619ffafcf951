//! Parameters that can have no effect beside the others that a spec chooses: declared with their components, told to whoever
//! wrote them.

use toml::Value;

use crate::catalogue::{Catalogue, Fallback, Kind, Param, Section};
use crate::node::join;
use crate::plan::Point;
use crate::resolved::{Origin, Resolved};
use crate::view::View;

/// Parameters of a section that are without effect under some conditions, and why.
#[derive(Clone, Copy, Debug)]
pub struct Idle {
    /// Their keys; none stands for the whole table.
    pub keys: &'static [&'static str],
    /// What must hold; all of it. Nobody asks where the table has none of the keys, because another kind was chosen.
    pub when: &'static [When],
    /// Why they have none then: what follows the word "because".
    pub because: &'static str,
}

/// A condition on a resolved spec. A path that begins with a dot leads into the table that [`Idle::keys`] are in, which may be
/// a component within a list. Values are compared as text: `"true"`, `"0"`, `"mesh"`. Where the spec has no such value no
/// condition on it holds.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// The value at the path is one of these.
    Is(&'static str, &'static [&'static str]),
    /// The value at the path is none of these.
    IsNot(&'static str, &'static [&'static str]),
    /// What these words say, which follow the word "where", is so; the function is told the spec and the table of the keys.
    Where(&'static str, fn(&Resolved, View<'_>) -> bool),
}

/// A parameter, or a whole section, that somebody wrote and that has no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoEffect {
    /// Its dotted path.
    pub path: String,
    /// That it has no effect, under what, and why, in a sentence without a full stop.
    pub message: String,
    /// Which of the reasons of the catalogue it is.
    pub because: &'static str,
}

impl Point {
    /// What the spec file or a `--set` argument says of this point in vain, in the order of the catalogue. Nothing is said of
    /// values that a preset gives, nor of those that are the defaults: to write them changes nothing anywhere.
    pub fn without_effect(&self, catalogue: &Catalogue) -> Vec<NoEffect> {
        let mut found = Vec::new();
        for section in catalogue.sections.iter().filter(|section| self.resolved.sources.speak_of(section.path)) {
            let Some(Value::Table(table)) = self.resolved.get(section.path) else { continue };
            let looker = Looker { point: self, path: section.path, own: View::new(table) };
            looker.look(section, &mut found);
            looker.component(catalogue, section, &mut found);
            looker.components(catalogue, section, &mut found);
        }
        found
    }
}

/// One table of a point.
struct Looker<'a> {
    point: &'a Point,
    path: &'a str,
    own: View<'a>,
}

impl Looker<'_> {
    /// Adds what is without effect in the table, which `section` declares.
    fn look(&self, section: &Section, found: &mut Vec<NoEffect>) {
        let chosen: Vec<&str> =
            self.own.table().keys().map(String::as_str).filter(|key| self.chooses(section, key)).collect();
        if chosen.is_empty() {
            return;
        }
        let holds = |idle: &&Idle| idle.when.iter().all(|when| self.holds(when));
        if let Some(whole) = section.idle.iter().copied().filter(|idle| idle.keys.is_empty()).find(holds) {
            found.push(self.told(self.path.to_owned(), whole));
            return;
        }
        let is_chosen = |key: &&&str| chosen.contains(*key);
        let asked = section.idle.iter().copied().filter(|idle| idle.keys.iter().any(|key| is_chosen(&key)));
        for idle in asked.filter(holds) {
            for key in idle.keys.iter().filter(is_chosen) {
                let path = join(self.path, key);
                if found.iter().all(|told| told.path != path) {
                    found.push(self.told(path, idle));
                }
            }
        }
    }

    /// Looks into the components that parameters choose.
    fn component(&self, catalogue: &Catalogue, section: &Section, found: &mut Vec<NoEffect>) {
        for param in section.every_param() {
            // PERF: the kind comes first: few parameters hold a table, and `check` asks for each of 100,000 points.
            let Kind::Component(path) = param.kind else { continue };
            let Some(Value::Table(table)) = self.own.table().get(param.name) else { continue };
            let Some(section) = catalogue.section(path) else { continue };
            let path = join(self.path, param.name);
            Looker { point: self.point, path: &path, own: View::new(table) }.look(section, found);
        }
    }

    /// Looks into lists of tables, and into the components that these hold.
    fn components(&self, catalogue: &Catalogue, section: &Section, found: &mut Vec<NoEffect>) {
        for list in section.every_param() {
            let Kind::Tables(params) = list.kind else { continue };
            let Some(Value::Array(tables)) = self.own.table().get(list.name) else { continue };
            let of_component = |param: &'static Param| match param.kind {
                Kind::Component(path) => catalogue.section(path).map(|section| (param.name, section)),
                _ => None,
            };
            for (index, table) in tables.iter().enumerate() {
                let Value::Table(of_list) = table else { continue };
                let path = format!("{}[{index}]", join(self.path, list.name));
                let own = Section { path: "", params, entries: Vec::new(), default_entry: None, ..alone(section) };
                Looker { point: self.point, path: &path, own: View::new(of_list) }.look(&own, found);
                for (name, section) in params.iter().filter_map(of_component) {
                    let Some(Value::Table(table)) = of_list.get(name) else { continue };
                    let path = join(&path, name);
                    Looker { point: self.point, path: &path, own: View::new(table) }.look(&alone(section), found);
                }
            }
        }
    }

    /// Whether somebody wrote a value for the key, and one that is not the default.
    fn chooses(&self, section: &Section, key: &str) -> bool {
        let Some(value) = self.own.table().get(key) else { return false };
        let origin = self.point.resolved.sources.origin(&join(self.path, key));
        matches!(origin, Origin::File(_) | Origin::Set(..)) && !self.is_default(section, key, value)
    }

    fn is_default(&self, section: &Section, key: &str, value: &Value) -> bool {
        if key == "kind" && !section.entries.is_empty() {
            return section.default_entry == value.as_str();
        }
        let kind = (!section.entries.is_empty()).then(|| self.own.kind());
        let param = section.params_of(kind).into_iter().find(|param| param.name == key);
        param.is_some_and(|param| param.fallback != Fallback::Required && param.fallback.value(&param.kind) == *value)
    }

    fn holds(&self, when: &When) -> bool {
        let fits = |path, words: &[&str]| self.value(path).map(|value| words.iter().any(|word| reads(value, word)));
        match *when {
            When::Is(path, words) => fits(path, words) == Some(true),
            When::IsNot(path, words) => fits(path, words) == Some(false),
            When::Where(_, holds) => holds(&self.point.resolved, self.own),
        }
    }

    fn value(&self, path: &str) -> Option<&Value> {
        match path.strip_prefix('.') {
            Some(key) => self.own.table().get(key),
            None => self.point.resolved.get(path),
        }
    }

    fn told(&self, path: String, idle: &Idle) -> NoEffect {
        let mut message = path.clone();
        let value =
            idle.keys.iter().find(|key| path == join(self.path, key)).and_then(|key| self.own.table().get(*key));
        if let Some(value) = value.filter(|value| is_word(value)) {
            message += &format!(" = {}", text(value));
        }
        message += " has no effect";
        let mut under: Vec<String> = Vec::new();
        for when in idle.when {
            let place = when.path().map(|own| match own.strip_prefix('.') {
                Some(key) => join(self.path, key),
                None => own.to_owned(),
            });
            if let Some(place) = place.filter(|place| *place != path) {
                let value = when.path().and_then(|own| self.value(own)).map(text).unwrap_or_default();
                under.push(format!("{place} = {value}"));
            }
        }
        if !under.is_empty() {
            message += &format!(" under {}", under.join(" and "));
        }
        let places: Vec<&str> = idle.when.iter().filter_map(When::place).collect();
        if !places.is_empty() {
            message += &format!(" where {}", places.join(" and "));
        }
        message += &format!(", because {}", idle.because);
        let swept = |swept: &str| path.strip_prefix(swept).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        if self.point.swept.iter().any(|(axis, _)| swept(axis)) {
            message += "; to sweep it repeats the same runs";
        }
        NoEffect { path, message, because: idle.because }
    }
}

impl When {
    /// The path that the condition looks at.
    pub fn path(&self) -> Option<&'static str> {
        match *self {
            When::Is(path, _) | When::IsNot(path, _) => Some(path),
            When::Where(..) => None,
        }
    }

    /// What follows the word "where".
    fn place(&self) -> Option<&'static str> {
        match *self {
            When::Where(words, _) => Some(words),
            When::Is(..) | When::IsNot(..) => None,
        }
    }
}

/// A section of which a table is in a list: conditions on other sections are about the component in its own section.
fn alone(section: &Section) -> Section {
    let within = |idle: &&Idle| idle.when.iter().all(|when| when.path().is_some_and(is_own));
    let idle = section.idle.iter().copied().filter(within).collect();
    Section { idle, ..section.clone() }
}

fn is_own(path: &str) -> bool {
    path.starts_with('.')
}

/// Whether [`text`] of a value is this word. Most values are words, which nobody copies for it.
fn reads(value: &Value, word: &str) -> bool {
    match value {
        Value::String(text) => text == word,
        Value::Boolean(value) => word == if *value { "true" } else { "false" },
        other => other.to_string() == word,
    }
}

/// A plain value as conditions compare it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Whether a value may be repeated in a sentence: no text of others, no list.
fn is_word(value: &Value) -> bool {
    match value {
        Value::String(text) => text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
        Value::Array(_) | Value::Table(_) => false,
        _ => true,
    }
}
