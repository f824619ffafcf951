//! Points that could not be run to their end, while the others ran.

use crate::exit::Result;
use crate::points::Source;
use crate::show;
use std::collections::BTreeMap;

/// Failures that are told one by one.
const TOLD: usize = 5;

/// Points that failed, by place, and why.
#[derive(Default)]
pub struct Failures(BTreeMap<usize, String>);

impl Failures {
    /// Adds the point at `index`.
    pub fn add(&mut self, index: usize, reason: String) {
        self.0.insert(index, reason);
    }

    /// Whether the point at `index` failed.
    pub fn has(&self, index: usize) -> bool {
        self.0.contains_key(&index)
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Tells of the first ones, and of the `file` that has all, if there is one.
    pub fn note(&self, points: &dyn Source, file: Option<&str>) -> Result<()> {
        for (&index, reason) in self.0.iter().take(TOLD) {
            let point = points.at(index)?;
            let swept: Vec<String> = point.swept.iter().map(|(path, value)| format!("{path} = {value}")).collect();
            let of = if swept.is_empty() { format!("seed {}", point.seed) } else { swept.join(", ") };
            show::note(&format!("failed: point {} ({of}): {reason}", point.id));
        }
        if self.count() > TOLD {
            let all = file.map_or(String::new(), |file| format!("; {file} has all"));
            show::note(&format!("failed: {} more{all}", self.count() - TOLD));
        }
        Ok(())
    }
}
