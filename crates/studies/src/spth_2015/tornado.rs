//! The tornado: as printed it cannot give the printed durations; two inferred offsets come closer.

use super::key::{METHODS, Method, printed_duration};
use super::specs::TORNADO;
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};

const ITEM: &str = "tornado";

/// Flits that a node sends.
const FLITS: f64 = 80.0;

/// Measures the literal rule and the inferred ones side by side. Nothing is required: the paper excludes itself.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&TORNADO)?;
    let mut part = Part::default();
    for run in runs.iter() {
        let (row, literal) = offset(run);
        let method = Method::of(run);
        let paper = printed_duration(lab.targets(), "torn", method);
        let cell = Cell::new(ITEM, row.clone(), method.to_string(), "cycles", (paper, run.duration()));
        part.cells.push(match (literal, method) {
            (true, Method::Th(8)) => {
                cell.note("impossible: below 640, the bound of the literal rule under any tie rule")
            }
            (true, _) => cell.note("below 1280, the bound of the literal rule when all packets tie towards +"),
            (false, _) => cell.note("offset inferred, not printed"),
        });
        if method == METHODS[0] {
            let bound = run.channel_load_bound.map(|load| FLITS / load);
            part.cells.push(Cell::new(ITEM, row, "least possible with this routing", "cycles", (None, bound)));
        }
    }
    let side = runs.first().map_or(0, Run::radix);
    part.cells.push(
        Cell::new(
            ITEM,
            "torn, offset N/2",
            "least possible under any tie rule",
            "cycles",
            (None, Some(balanced(side))),
        )
        .note("80 flits a node over N/2 links each, spread over both directions"),
    );
    part.notes.push(
        "Table 1 prints W to W + N/2 (mod N^2). Of 1056 / 869 / 578 cycles that table 2 prints for it, 578 is less than \
         the 640 cycles in which a row's links can carry the flits at all. Durations and their growth with N fit a fixed \
         or logarithmic offset of 5 to 7; log2 N = 5 and 6 are shown as inferred. This is an inference, not a fact."
            .to_owned(),
    );
    Ok(part)
}

fn offset(run: &Run) -> (String, bool) {
    match run.point.resolved.view("traffic.pattern").finite("offset") {
        None => ("torn, offset N/2, as printed".to_owned(), true),
        Some(5) => ("torn, offset 5 = log2 N, inferred".to_owned(), false),
        Some(offset) => (format!("torn, offset {offset}, inferred"), false),
    }
}

/// Each of N nodes of a row sends its flits over N/2 links; the row has 2N.
fn balanced(side: u32) -> f64 {
    FLITS * f64::from(side) / 4.0
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_bound_is_that_of_the_arithmetic() {
        assert_eq!(super::balanced(32), 640.0);
    }
}
