//! What is wrong with a configuration, and where.

use std::fmt;
use std::sync::Arc;

/// A place in a file or an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    name: Arc<str>,
    line: u32,
    column: u32,
}

impl Place {
    /// Line and column, from 1 on, of the file or argument that messages call `name`.
    pub fn new(name: &str, line: u32, column: u32) -> Place {
        Place { name: name.into(), line, column }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.name, self.line, self.column)
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where; `None` where a default is at fault, or several keys together.
    pub place: Option<Place>,
    /// What is wrong, and what to do.
    pub message: String,
}

impl Fault {
    /// At a place.
    pub fn at(place: Place, message: impl Into<String>) -> Fault {
        Fault { place: Some(place), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{place}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
