//! Table 3: speed-up of the collective over the size of the network; claim c8.

use super::key::{Durations, METHODS, Method, PATTERNS};
use super::specs::{TABLE3, TABLE3_RANDOM};
use super::table2::{EFFECT, same_side};
use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use tailback_results::statistics::fit_line;

const ITEM: &str = "table3";

/// Sizes of the paper, the columns of its table.
const SIDES: [u32; 5] = [8, 16, 32, 64, 128];

/// Measures the table. The short form has the two smallest networks, as in the paper, and requires nothing of them.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (fixed, drawn) = (lab.runs(&TABLE3)?, lab.runs(&TABLE3_RANDOM)?);
    let durations = Durations::of(fixed.iter().chain(drawn.iter()));
    let mut part = Part::default();
    for pattern in PATTERNS {
        for (column, method) in METHODS[1..].iter().enumerate() {
            let row = Row { lab, durations: &durations, pattern, method: *method, column };
            part.cells.extend(row.cells());
            part.cells.extend(row.trend());
        }
    }
    part.verdicts.push(c8(&durations));
    Ok(part)
}

struct Row<'a> {
    lab: &'a Lab<'a>,
    durations: &'a Durations,
    pattern: &'static str,
    method: Method,
    column: usize,
}

impl Row<'_> {
    fn name(&self) -> String {
        format!("{} {}", self.pattern, self.method)
    }

    fn printed(&self, side: u32) -> Option<f64> {
        let index = SIDES.iter().position(|s| *s == side)?;
        self.lab.targets().element2(&format!("table3.speedup.{}", self.pattern), index, self.column)
    }

    fn measured(&self, side: u32) -> Option<f64> {
        self.durations.speed_up(side, self.pattern, self.method)
    }

    /// Torn is defined by offset N/2 and printed with durations that this excludes; see the item `tornado`.
    fn counts(&self) -> bool {
        self.pattern != "torn"
    }

    /// One cell a size; where the printed speed-up leaves 0.95 to 1.05, its sign is required.
    fn cells(&self) -> Vec<Cell> {
        let sides = self.durations.sides();
        let cell = |side: u32| {
            let (paper, measured) = (self.printed(side), self.measured(side));
            let cell = Cell::new(ITEM, self.name(), format!("N = {side}"), "", (paper, measured));
            let far = paper.filter(|paper| self.counts() && (paper - 1.0).abs() > EFFECT + 1e-9);
            let (cell, remark) = match far {
                Some(paper) if self.lab.quick() && !same_side(paper, measured) => {
                    (cell, "; not the printed sign, which the full form requires")
                }
                Some(paper) if !self.lab.quick() => {
                    (cell.require("the printed sign of the effect", same_side(paper, measured)), "")
                }
                _ => (cell, ""),
            };
            let before = self.durations.mean(side, self.pattern, Method::None);
            let after = self.durations.mean(side, self.pattern, self.method);
            match (before, after) {
                (Some(before), Some(after)) => cell.note(format!("{before:.1} / {after:.1} cycles{remark}")),
                _ => cell,
            }
        };
        sides.into_iter().map(cell).collect()
    }

    /// The slope of the speed-up over log2 N; its sign is required where some printed speed-up leaves 0.95 to 1.05.
    fn trend(&self) -> Option<Cell> {
        if self.durations.sides() != SIDES {
            return None;
        }
        let paper = slope(&SIDES.map(|side| self.printed(side)));
        let measured = slope(&SIDES.map(|side| self.measured(side)));
        let cell = Cell::new(ITEM, self.name(), "trend, N = 8 to 128", "1/doubling", (paper, measured));
        let leaves = SIDES.iter().filter_map(|side| self.printed(*side)).any(|p| (p - 1.0).abs() > EFFECT + 1e-9);
        if !self.counts() || !leaves {
            return Some(cell);
        }
        let reached = matches!((paper, measured), (Some(p), Some(m)) if p.signum() == m.signum());
        Some(cell.require("the printed sign of the trend", reached))
    }
}

/// Slope of values that belong to doubling sizes, by least squares.
fn slope(values: &[Option<f64>]) -> Option<f64> {
    let values: Option<Vec<f64>> = values.iter().copied().collect();
    let steps: Vec<f64> = (0..values.as_ref()?.len()).map(|step| step as f64).collect();
    Some(fit_line(&steps, &values?)?.slope)
}

/// Rule of c8, "the benefit grows with N": the mean speed-up over all patterns but torn rises with log2 N (slope above
/// zero), and the largest network gains more than the smallest, for th(0) and th(8) each.
fn c8(durations: &Durations) -> (&'static str, Option<bool>, String) {
    let sides = durations.sides();
    if sides.len() < 3 {
        let evidence = format!("not judged: this form has only N = {sides:?}, a trend needs three sizes");
        return ("c8", None, evidence);
    }
    let mut evidence = Vec::new();
    let mut holds = true;
    for method in &METHODS[1..] {
        let mean = |side: &u32| -> Option<f64> {
            let patterns = PATTERNS.iter().filter(|pattern| **pattern != "torn");
            let all: Option<Vec<f64>> = patterns.map(|pattern| durations.speed_up(*side, pattern, *method)).collect();
            tailback_results::statistics::mean(&all?)
        };
        let means: Vec<Option<f64>> = sides.iter().map(mean).collect();
        let rises = slope(&means).is_some_and(|slope| slope > 0.0);
        holds &= rises && means.last() > means.first();
        let shown: Vec<String> = means.iter().map(|m| m.map_or("none".to_owned(), |m| format!("{m:.3}"))).collect();
        evidence.push(format!("{method}: {}", shown.join(", ")));
    }
    let evidence = format!("mean speed-up of seven patterns (all but torn) at N = {sides:?}: {}", evidence.join("; "));
    ("c8", Some(holds), evidence)
}

#[cfg(test)]
mod tests {
    use super::slope;

    #[test]
    fn trends() {
        assert!((slope(&[Some(1.0), Some(1.5), Some(2.0)]).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(slope(&[Some(1.0), None, Some(2.0)]), None);
    }
}
