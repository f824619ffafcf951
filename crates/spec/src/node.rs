//! The spec as written: a tree of values that remember where they stand.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::words::shorten;

/// A piece of one of the texts that make a spec: text 0 is the file, the others are `--set` arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which text.
    pub text: usize,
    /// First byte in it.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
}

impl Place {
    pub(crate) fn new(text: usize, span: Range<usize>) -> Self {
        Place { text, start: span.start, end: span.end }
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    pub item: Item,
    pub place: Place,
}

/// What may stand in a spec.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Bool(bool),
    Integer(i64),
    Float(f64),
    /// A number beyond 64 bits, as it was written. No parameter takes one, so it is refused where it is used.
    Huge(String),
    Text(String),
    Datetime(String),
    List(Vec<Node>),
    Table(Vec<Pair>),
}

/// A key, where it stands, and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair {
    pub key: String,
    pub place: Place,
    pub value: Node,
}

/// Names the text that is being read.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    pub text: usize,
    /// Added to every span: where the parsed piece begins in the text.
    pub offset: usize,
}

impl Reader {
    fn place(self, span: Range<usize>) -> Place {
        Place::new(self.text, span.start + self.offset..span.end + self.offset)
    }

    /// Converts a parsed table.
    pub fn table(self, table: &DeTable) -> Vec<Pair> {
        let pair = |(key, value): (&Spanned<DeString>, &Spanned<DeValue>)| Pair {
            key: key.get_ref().to_string(),
            place: self.place(key.span()),
            value: self.value(value.get_ref(), value.span()),
        };
        table.iter().map(pair).collect()
    }

    /// Converts a parsed value.
    pub fn value(self, value: &DeValue, span: Range<usize>) -> Node {
        let place = self.place(span);
        let item = match value {
            DeValue::Boolean(v) => Item::Bool(*v),
            DeValue::String(v) => Item::Text(v.to_string()),
            DeValue::Datetime(v) => Item::Datetime(v.to_string()),
            DeValue::Table(v) => Item::Table(self.table(v)),
            DeValue::Array(v) => Item::List(v.iter().map(|e| self.value(e.get_ref(), e.span())).collect()),
            DeValue::Integer(v) => i64::from_str_radix(v.as_str(), v.radix())
                .map_or_else(|_| Item::Huge(v.as_str().to_owned()), Item::Integer),
            DeValue::Float(v) => match v.as_str().parse().unwrap_or(f64::NAN) {
                value if f64::is_infinite(value) && !v.as_str().contains("inf") => Item::Huge(v.as_str().to_owned()),
                value => Item::Float(value),
            },
        };
        Node { item, place }
    }
}

/// `parent.key`, or `key` at the top.
pub(crate) fn join(parent: &str, key: &str) -> String {
    if parent.is_empty() { key.to_owned() } else { [parent, ".", key].concat() }
}

/// Whether a dotted path is `outer` or leads into it.
pub(crate) fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

impl Node {
    /// What stands here, for "found ...".
    pub fn found(&self) -> String {
        match &self.item {
            Item::Bool(v) => format!("the boolean {v}"),
            Item::Integer(v) => format!("the integer {v}"),
            Item::Float(v) => format!("the float {v:?}"),
            Item::Huge(v) => format!("the number {}, which does not fit in 64 bits", shorten(v)),
            Item::Text(v) => format!("the string \"{}\"", shorten(v)),
            Item::Datetime(v) => format!("the date {v}"),
            Item::List(v) if v.len() == 1 => "a list of 1 value".to_owned(),
            Item::List(v) => format!("a list of {} values", v.len()),
            Item::Table(_) => "a table".to_owned(),
        }
    }

    /// The pairs of a table.
    pub fn pairs(&self) -> &[Pair] {
        match &self.item {
            Item::Table(pairs) => pairs,
            _ => &[],
        }
    }

    /// The value of `key`, where this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs().iter().find(|p| p.key == key).map(|p| &p.value)
    }

    /// A copy of this table without what it says of `key`.
    pub fn without(&self, key: &str) -> Node {
        let others = self.pairs().iter().filter(|pair| pair.key != key).cloned().collect();
        Node { item: Item::Table(others), place: self.place.clone() }
    }

    /// The value at a dotted path of plain keys.
    pub fn at(&self, path: &str) -> Option<&Node> {
        path.split('.').try_fold(self, |node, key| node.get(key))
    }

    /// The value without its places in the text.
    pub fn to_toml(&self) -> toml::Value {
        match &self.item {
            Item::Bool(v) => toml::Value::Boolean(*v),
            Item::Integer(v) => toml::Value::Integer(*v),
            Item::Float(v) => toml::Value::Float(*v),
            Item::Huge(v) | Item::Text(v) => toml::Value::String(v.clone()),
            Item::Datetime(v) => v.parse().map_or_else(|_| toml::Value::String(v.clone()), toml::Value::Datetime),
            Item::List(v) => toml::Value::Array(v.iter().map(Node::to_toml).collect()),
            Item::Table(v) => toml::Value::Table(v.iter().map(|p| (p.key.clone(), p.value.to_toml())).collect()),
        }
    }

    /// A number, where this is one.
    pub fn as_number(&self) -> Option<f64> {
        match self.item {
            Item::Integer(v) => Some(v as f64),
            Item::Float(v) if v.is_finite() => Some(v),
            _ => None,
        }
    }

    /// Puts `value` at `keys`, making tables on the way; a component written as a bare word becomes a table with `kind`, and
    /// elements of lists have their numbers for keys. Errors with the node in the way when something on the way is none of
    /// these.
    pub fn put(&mut self, keys: &[(String, Place)], value: Node) -> Result<(), String> {
        let Some(((key, place), rest)) = keys.split_first() else {
            *self = value;
            return Ok(());
        };
        if let Item::Text(_) = self.item {
            let word = self.clone();
            let place = self.place.clone();
            self.item = Item::Table(vec![Pair { key: "kind".to_owned(), place, value: word }]);
        }
        let found = self.found();
        if let (Item::List(list), Ok(at)) = (&mut self.item, key.parse::<usize>()) {
            let last = list.len().saturating_sub(1);
            let element = list.get_mut(at).ok_or_else(|| format!("{found} (0 to {last})"))?;
            return element.put(rest, value);
        }
        let Item::Table(pairs) = &mut self.item else { return Err(found) };
        let at = pairs.iter().position(|p| p.key == *key).unwrap_or_else(|| {
            let empty = Node { item: Item::Table(Vec::new()), place: place.clone() };
            pairs.push(Pair { key: key.clone(), place: place.clone(), value: empty });
            pairs.len() - 1
        });
        if rest.is_empty() {
            pairs[at].place = place.clone();
        }
        pairs[at].value.put(rest, value)
    }
}
