//! What a reading is worth.

use crate::formula::{Expr, Names, Value, eval};
use crate::study::Study;

/// The names of a score: cells within their rule and how many there are, the same of signs and claims, and the mean deviation of cells
/// in percent.
pub const SCORED: [&str; 7] = ["cells", "cells_of", "signs", "signs_of", "claims", "claims_of", "error"];

/// How much of a paper a reading meets, of what the search chooses by or of what it holds back.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Cells that are met, and how many there are.
    pub cells: (usize, usize),
    /// Signs of effects that are met, and how many there are.
    pub signs: (usize, usize),
    /// Claims that hold, and how many were judged.
    pub claims: (usize, usize),
    /// Mean absolute deviation of the cells \[percent\]; `None` where no cell was measured.
    pub error_percent: Option<f64>,
}

impl Tally {
    /// Of the cells and claims that a search chooses by.
    pub(crate) fn choosing(study: &Study) -> Self {
        Tally::of(study, false)
    }

    /// Of those that it holds back.
    pub(crate) fn held_back(study: &Study) -> Self {
        Tally::of(study, true)
    }

    fn of(study: &Study, held_back: bool) -> Self {
        let mut tally = Tally::default();
        let mut deviations = Vec::new();
        let cells = study.cells.iter().filter_map(|cell| Some((cell, cell.chosen?)));
        for (cell, chosen) in cells.filter(|(_, chosen)| chosen.held_back == held_back) {
            let count = if chosen.sign { &mut tally.signs } else { &mut tally.cells };
            *count = (count.0 + usize::from(chosen.met), count.1 + 1);
            deviations.extend(cell.deviation.filter(|_| !chosen.sign).map(f64::abs));
        }
        for holds in study.claims.iter().filter(|claim| claim.held_back == held_back).filter_map(|claim| claim.holds) {
            tally.claims = (tally.claims.0 + usize::from(holds), tally.claims.1 + 1);
        }
        if !deviations.is_empty() {
            tally.error_percent = Some(100.0 * deviations.iter().sum::<f64>() / deviations.len() as f64);
        }
        tally
    }

    /// What the study's score makes of it.
    ///
    /// # Errors
    /// A score that is no number.
    pub(crate) fn score(&self, score: &Expr) -> Result<f64, String> {
        eval(score, self)?.number()
    }
}

/// Finds a name or function that a score cannot have.
///
/// # Errors
/// The first of them.
pub fn check_score(score: &Expr) -> Result<(), String> {
    let all = Tally { cells: (1, 1), signs: (1, 1), claims: (1, 1), error_percent: Some(1.0) };
    all.score(score).map(|_| ())
}

impl Names for Tally {
    fn value(&self, name: &str) -> Result<Value, String> {
        let number = |number: usize| Ok(Value::Number(number as f64));
        match name {
            "cells" => number(self.cells.0),
            "cells_of" => number(self.cells.1),
            "signs" => number(self.signs.0),
            "signs_of" => number(self.signs.1),
            "claims" => number(self.claims.0),
            "claims_of" => number(self.claims.1),
            "error" => Ok(Value::Number(self.error_percent.unwrap_or(f64::NAN))),
            _ => Err(format!("a score has no name `{name}`")),
        }
    }

    fn whole(&self, _: &str) -> bool {
        false
    }

    fn call(&self, _: &str, _: &[Expr]) -> Option<Result<Value, String>> {
        None
    }

    fn given(&self, label: &str, _: Value) -> Result<Self, String> {
        Err(format!("a score has no label `{label}`"))
    }

    fn with(&self, _: &str, _: Value) -> Self {
        *self
    }

    fn values(&self, label: &str) -> Result<Vec<Value>, String> {
        Err(format!("a score has no label `{label}`"))
    }
}
