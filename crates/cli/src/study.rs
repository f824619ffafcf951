//! What a study of several variants found: a row for each variant, and how they differ.

mod figure;
mod json;
mod notes;
mod page;
mod points;
mod rows;
mod sentences;
mod statements;
mod subject;
mod table;

pub use figure::comparison;
pub use json::{json, spread};
pub use notes::notes;
pub use page::answer;
pub use points::points;
pub use rows::{Row, Saturates, rows};
pub use sentences::headline;
pub use statements::statements;
pub use subject::subject;
pub use table::table;

use table::saturation;

use crate::loads::Variant;
use tailback_curve::Study;
use tailback_summary::names::last_word;
use tailback_summary::variants::LOAD;

/// A study that was made.
pub struct Made<'a> {
    /// What is known of each variant before anything runs.
    pub variants: &'a [Variant],
    /// What was measured.
    pub study: &'a Study,
    /// A row for each variant that equals no earlier one.
    pub rows: Vec<Row<'a>>,
    /// Runs at most.
    pub budget: u64,
    /// Searches for each variant.
    pub searches: u64,
    /// The spec's description, or its name.
    pub title: Option<String>,
    /// The network and its traffic: `16 x 16 torus, uniform traffic`.
    pub subject: String,
}

impl Made<'_> {
    /// What the variants differ in, as the head of a column: `admission`.
    pub fn heading(&self) -> String {
        let varying = self.varying();
        let all: Vec<&str> = varying.iter().map(|name| last_word(name)).collect();
        if all.is_empty() { "variant".to_owned() } else { all.join(", ") }
    }

    /// What one variant is called: a mechanism, where nothing but mechanisms varies.
    pub fn noun(&self) -> &'static str {
        let varying = self.varying();
        let mechanism = |name: &String| MECHANISMS.contains(&name.strip_suffix(".kind").unwrap_or(name));
        if !varying.is_empty() && varying.iter().all(mechanism) { "mechanism" } else { "variant" }
    }

    /// The parameters in which the variants differ.
    fn varying(&self) -> Vec<String> {
        let mut varying: Vec<String> = Vec::new();
        for (name, _) in self.variants.iter().flat_map(|variant| &variant.parameters) {
            let of = |variant: &Variant| variant.parameters.iter().find(|(other, _)| other == name).cloned();
            if name != LOAD
                && !varying.contains(name)
                && self.variants.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]))
            {
                varying.push(name.clone());
            }
        }
        varying
    }

    /// Seeds of the point that has the fewest, and of the one that has the most.
    pub fn seeds(&self) -> (usize, usize) {
        let counts = || self.rows.iter().flat_map(|row| &row.points).map(|point| point.1.seeds());
        (counts().min().unwrap_or(0), counts().max().unwrap_or(0))
    }
}

/// Sections whose components are mechanisms.
const MECHANISMS: [&str; 8] =
    ["admission", "routing", "arbiter", "selection", "flow_control", "queueing", "recovery", "interface"];
