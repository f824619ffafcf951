//! A configuration: every assignment checked against the table of keys, the later ones on top.

use crate::fault::{Fault, Place};
use crate::grammar::{Assignment, Value, parse};
use crate::keys::{self, Fate, Key, Kind, forks_of, keys, macro_of, older};
use crate::list;
use std::collections::BTreeMap;
use tailback_base::text;

/// Letters of a value that a message quotes.
const MOST: usize = 60;

/// The keys that take a list with a value for each class, as far as values may differ here, and whether these are numbers.
const PER_CLASS: &[(&str, bool)] = &[
    ("traffic", false),
    ("injection_process", false),
    ("injection_rate", true),
    ("packet_size", true),
    ("packet_size_rate", true),
    ("use_read_write", true),
    ("write_fraction", true),
    ("read_request_size", true),
    ("write_request_size", true),
    ("read_reply_size", true),
    ("write_reply_size", true),
    ("latency_thres", true),
];

/// What a key was set to.
#[derive(Clone, Debug)]
struct Setting {
    value: Value,
    place: Place,
}

/// A configuration with all its keys.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Numbers and strings are kept apart, as in BookSim: a string that is there counts before a number.
    numbers: BTreeMap<&'static str, Setting>,
    texts: BTreeMap<&'static str, Setting>,
    /// What whoever runs it should know.
    pub notes: Vec<String>,
    /// Nodes of the network file, where it has been read.
    pub nodes_of_file: Option<u32>,
}

/// Which keys are let through that BookSim 2 does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// None.
    Refused,
    /// Those of older versions.
    OlderAllowed,
}

impl Config {
    /// Reads texts in order, files before arguments: `(name, text)`.
    ///
    /// # Errors
    /// Everything that is wrong with keys and types, or the first place that is none of the grammar.
    pub fn read<'a>(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
        unknown: Unknown,
    ) -> Result<Config, Vec<Fault>> {
        let (mut all, mut faults) = (Vec::new(), Vec::new());
        for (name, text) in texts {
            match parse(name, text) {
                Ok(assignments) => all.extend(assignments),
                Err(fault) => faults.push(fault),
            }
        }
        match Config::of(all, unknown) {
            Ok(config) if faults.is_empty() => Ok(config),
            Ok(_) => Err(faults),
            Err(more) => Err(more.into_iter().chain(faults).collect()),
        }
    }

    /// Of assignments in order.
    ///
    /// # Errors
    /// Everything that is wrong with keys and types.
    pub fn of(assignments: Vec<Assignment>, unknown: Unknown) -> Result<Config, Vec<Fault>> {
        let mut config = Config::default();
        let faults: Vec<Fault> = assignments.into_iter().filter_map(|one| config.assign(one, unknown).err()).collect();
        if faults.is_empty() { Ok(config) } else { Err(faults) }
    }

    fn assign(&mut self, assignment: Assignment, unknown: Unknown) -> Result<(), Fault> {
        let Assignment { key: name, mut value, place } = assignment;
        let Some(key) = keys::find(&name) else { return self.stranger(&name, place, unknown) };
        if let (Value::Integer(integer), Kind::Float | Kind::FloatOrText) = (&value, key.kind) {
            self.notes
                .push(format!("{place}: BookSim refuses an integer here; `{name} = {integer}` is read as {integer}.0"));
            value = Value::Float(f64::from(*integer), format!("{integer}.0"));
        }
        let (number, is_text) = (key.kind, matches!(value, Value::Text(_)));
        let fits = matches!(
            (&value, number),
            (Value::Integer(_), Kind::Integer | Kind::IntegerOrText)
                | (Value::Float(..), Kind::Float | Kind::FloatOrText)
                | (Value::Text(_), Kind::Text | Kind::IntegerOrText | Kind::FloatOrText)
        );
        if !fits {
            let message = format!("`{name}` takes an {}, not `{}`", key.kind.words(), text::word(&value.to_string()));
            return Err(Fault::at(place, message.replace("an number", "a number").replace("an string", "a string")));
        }
        if let Value::Text(text) = &value {
            list::check(text).map_err(|why| Fault::at(place.clone(), format!("`{name}`: {why}")))?;
            // What becomes of a word for a seed is told with the seed.
            let word = list::word(text).filter(|_| key.kind != Kind::Text && !name.ends_with("seed"));
            let told = word.map(|word| {
                format!("{place}: `{name}`: `{}` is no number and counts as 0, as in BookSim", text::word(word))
            });
            self.notes.extend(told);
        }
        let map = if is_text { &mut self.texts } else { &mut self.numbers };
        map.insert(key.name, Setting { value, place });
        Ok(())
    }

    /// What to do with a key that BookSim 2 does not have.
    fn stranger(&mut self, name: &str, place: Place, unknown: Unknown) -> Result<(), Fault> {
        if let Some(older) = older(name) {
            if unknown == Unknown::OlderAllowed {
                self.notes.push(format!(
                    "{place}: `{name}` is a key of older versions ({}); it has no effect",
                    older.meaning
                ));
                return Ok(());
            }
            let meaning = older.meaning;
            let message = format!(
                "`{name}` is a key of older versions ({meaning}), and BookSim 2 stops at it; leave it out, or give --legacy, which ignores it"
            );
            return Err(Fault::at(place, message));
        }
        if let Some(fork) = forks_of(name) {
            let message = format!(
                "`{name}` is a key of {}, and BookSim 2 stops at it: {}; {}",
                fork.name, fork.about, fork.instead
            );
            return Err(Fault::at(place, message));
        }
        if let Some(name_of) = macro_of(name) {
            let message = format!("`{name}` is known only to a BookSim built with {name_of}; leave it out");
            return Err(Fault::at(place, message));
        }
        let near = nearest(name).map_or(String::new(), |key| format!("; did you mean `{key}`?"));
        let name = text::word(name);
        Err(Fault::at(place, format!("`{name}` is no key of BookSim 2, which stops at it{near}")))
    }

    /// The configuration of each class: keys that take a list have its element there, or the last one where the list is shorter.
    pub fn classes(&self) -> Vec<Config> {
        match self.int("classes") {
            ..=1 => vec![self.clone()],
            // More are refused.
            many => (0..many.min(64) as usize).map(|class| self.of_class(class)).collect(),
        }
    }

    fn of_class(&self, class: usize) -> Config {
        let mut own = self.clone();
        for (key, setting) in &mut own.texts {
            let Some(is_number) = PER_CLASS.iter().find(|(name, _)| name == key).map(|(_, is_number)| *is_number)
            else {
                continue;
            };
            let Value::Text(text) = &setting.value else { continue };
            let elements = list::elements(text);
            let Some(element) = elements.get(class).or(elements.last()) else { continue };
            // A list of lengths is the element of a list.
            setting.value = Value::Text(if is_number { format!("{{{element}}}") } else { (*element).to_owned() });
        }
        own
    }

    /// The setting that counts, if there is one.
    fn setting(&self, key: &str) -> Option<&Setting> {
        let text = self.texts.get(key);
        text.or_else(|| self.numbers.get(key))
    }

    /// Whether a file or an argument sets it.
    pub fn is_set(&self, key: &str) -> bool {
        self.setting(key).is_some()
    }

    /// Where it is set.
    pub fn place(&self, key: &str) -> Option<&Place> {
        self.setting(key).map(|setting| &setting.place)
    }

    /// Its value, as a file would have it.
    pub fn shown(&self, key: &str) -> String {
        match self.setting(key) {
            Some(setting) => setting.value.to_string(),
            None => of(key).default.to_owned(),
        }
    }

    /// The value of a string.
    pub fn text(&self, key: &str) -> &str {
        match self.setting(key).map(|setting| &setting.value) {
            Some(Value::Text(text)) => text,
            Some(_) => "",
            None => of(key).default,
        }
    }

    /// The value of an integer; of a list its first element.
    pub fn int(&self, key: &str) -> i64 {
        self.floats(key)[0] as i64
    }

    /// The value of a number; of a list its first element.
    pub fn float(&self, key: &str) -> f64 {
        self.floats(key)[0]
    }

    /// The value of a flag: any integer but 0.
    pub fn flag(&self, key: &str) -> bool {
        self.int(key) != 0
    }

    /// The elements of a list of numbers; a single number is a list of one. A word counts as 0, as in BookSim.
    pub fn floats(&self, key: &str) -> Vec<f64> {
        match self.setting(key).map(|setting| &setting.value) {
            Some(Value::Integer(value)) => vec![f64::from(*value)],
            Some(Value::Float(value, _)) => vec![*value],
            Some(Value::Text(text)) => list::numbers(text),
            None => vec![of(key).default.parse().expect("the default of a number is one")],
        }
    }

    /// Whether a value is a word or a list, not a number.
    pub fn is_text(&self, key: &str) -> bool {
        self.texts.contains_key(key)
    }

    /// Whether the value differs from the default.
    pub fn differs(&self, key: &str) -> bool {
        let key = of(key);
        match key.kind {
            Kind::Text => self.text(key.name) != key.default,
            _ if self.is_text(key.name) => self.text(key.name) != key.default,
            _ => self.float(key.name) != key.default.parse::<f64>().unwrap_or(f64::NAN),
        }
    }

    /// The keys that are refused for any value but their default.
    pub fn refused(&self) -> impl Iterator<Item = Fault> + '_ {
        keys().filter_map(|key| match key.fate {
            Fate::Refused(because) if self.differs(key.name) => Some(self.fault(&[key.name], because)),
            _ => None,
        })
    }

    /// What is wrong with the values of some keys, the first of which says where.
    pub fn fault(&self, keys: &[&str], message: &str) -> Fault {
        let place = keys.iter().find_map(|key| self.place(key)).cloned();
        Fault { place, message: format!("{}: {message}", self.words(keys)) }
    }

    /// `num_vcs = 8, vc_buf_size = 4 (default)`, in backticks.
    pub fn words(&self, keys: &[&str]) -> String {
        let one = |key: &&str| {
            let default = if self.is_set(key) { "" } else { " (default)" };
            format!("`{key} = {}`{default}", short(&self.shown(key)))
        };
        keys.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// A value as a message quotes it: harmless, and the begin of a long one.
fn short(value: &str) -> String {
    let begin: String = value.chars().take(MOST).collect();
    let more = if begin.len() < value.len() { "…" } else { "" };
    format!("{}{more}", text::shown(&begin))
}

fn of(key: &str) -> &'static Key {
    keys::find(key).expect("the program names keys that exist")
}

/// The key with the fewest letters changed, if there are few.
fn nearest(name: &str) -> Option<&'static str> {
    if name.len() > MOST {
        return None;
    }
    let best = keys().map(|key| (distance(name, key.name), key.name)).min()?;
    (best.0 <= 2 && best.0 < name.len()).then_some(best.1)
}

/// Letters to change, add or leave out.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let next = (before + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            before = std::mem::replace(&mut row[j + 1], next);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
