//! Table 2: duration of the collective.

use super::key::{Durations, METHODS, Method, PATTERNS, printed_duration, seeds_note};
use super::specs::{TABLE2, TABLE2_RANDOM};
use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};

const ITEM: &str = "table2";

/// Largest deviation of a duration without throttling that reproduces it.
const TOLERANCE: f64 = 0.12;

/// An effect that the paper prints counts from here on.
pub const EFFECT: f64 = 0.05;

/// Measures the table. It is short enough to be the paper's own in both forms.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (fixed, drawn) = (lab.runs(&TABLE2)?, lab.runs(&TABLE2_RANDOM)?);
    let durations = Durations::of(fixed.iter().chain(drawn.iter()));
    let mut part = Part::default();
    for pattern in PATTERNS {
        for method in METHODS {
            part.cells.push(cell(lab, &durations, pattern, method));
        }
    }
    Ok(part)
}

fn cell(lab: &Lab, durations: &Durations, pattern: &str, method: Method) -> Cell {
    let side = durations.sides().first().copied().unwrap_or(0);
    let summary = durations.summary(side, pattern, method);
    let printed = |method| printed_duration(lab.targets(), pattern, method);
    let mut cell =
        Cell::new(ITEM, pattern, method.to_string(), "cycles", (printed(method), summary.map(|summary| summary.mean)));
    let mut notes: Vec<String> = seeds_note(summary).into_iter().collect();
    if pattern == "torn" {
        notes.push("not required: table 2 prints 578 for th(8), arithmetic excludes less than 640".to_owned());
    } else if method == Method::None {
        let reached = cell.deviation.is_some_and(|deviation| deviation.abs() <= TOLERANCE);
        cell = cell.require("within 12 % of the paper", reached);
    } else if let (Some(before), Some(after)) = (printed(Method::None), printed(method)) {
        let (paper, measured) = (before / after, durations.speed_up(side, pattern, method));
        let shown = measured.map_or("none".to_owned(), |measured| format!("{measured:.3}"));
        notes.push(format!("speed-up {shown}, printed {paper:.3}"));
        if (paper - 1.0).abs() > EFFECT {
            cell = cell.require("the printed direction of the effect", same_side(paper, measured));
        }
    }
    if notes.is_empty() { cell } else { cell.note(notes.join("; ")) }
}

/// Whether both ratios lie on the same side of 1.
pub fn same_side(paper: f64, measured: Option<f64>) -> bool {
    measured.is_some_and(|measured| (paper > 1.0 && measured > 1.0) || (paper < 1.0 && measured < 1.0))
}

#[cfg(test)]
mod tests {
    use super::same_side;

    #[test]
    fn directions() {
        assert!(same_side(1.2, Some(1.01)) && same_side(0.85, Some(0.99)));
        assert!(!same_side(1.2, Some(1.0)) && !same_side(1.2, Some(0.9)) && !same_side(0.9, Some(1.1)));
        assert!(!same_side(1.2, None));
    }
}
