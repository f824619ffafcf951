//! The small language of `study.toml`: formulas over measured quantities, and texts with formulas in braces.
//!
//! ```text
//! peak(relative | scheme = 'VOQsw') < 70                      a quantity of some of the runs
//! all(peak(relative) >= 89.5 for network)                     the same of every network that was run
//! 'network {network}: {peak(relative)}' for network           a text of each
//! 5 <= loss <= 12 and not quick                               comparisons chain as in Python
//! ```
//!
//! A formula knows nothing of runs: [`Names`] gives names and functions their values. A number that was not measured is NaN, for
//! which every comparison is false.

mod eval;
mod expr;
mod lists;
mod parse;
mod ramp;
mod value;

pub use eval::{Names, eval, is_common, text};
pub use expr::{Expr, Piece};
pub use lists::list_of;
pub use value::Value;

use serde::{Deserialize, Deserializer, de::Error as _};
use std::ops::Range;

/// A formula or a text, with its place in the file.
#[derive(Clone, Debug)]
pub struct Placed<T> {
    /// What it says.
    pub is: T,
    /// Bytes of the file.
    pub span: Range<usize>,
}

/// A formula with its place.
pub type Formula = Placed<Expr>;

/// A text with formulas in braces, with its place.
pub type Text = Placed<Vec<Piece>>;

impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        placed(deserializer, parse::formula)
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        placed(deserializer, parse::text)
    }
}

fn placed<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Placed<T>, D::Error> {
    let written = toml::Spanned::<String>::deserialize(deserializer)?;
    let span = written.span();
    read(written.get_ref()).map(|is| Placed { is, span }).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests;
