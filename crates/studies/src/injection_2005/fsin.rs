//! Beside FSIN, the simulator of the paper's authors in a later version: what it sustained at load 1.0 with the same router.
//!
//! These are no numbers of the paper: each is one run of FSIN with one seed, warmed up for 20,000 cycles (36,000 for one queue
//! at 32x32, 8,000 for the larger bubbles), over 10,000 cycles or less. They say whether this model is that simulator's, not
//! whether either is the paper's.

use super::curve::{LOAD, form, of};
use super::key::{Bubble, Policy, Reading, Rule};
use super::restricted::sustained;
use super::specs::{FIG4, FIG5, FIG9, FSIN};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::seeds::{over_seeds, seeds, short};
use crate::study::{Cell, Part};
use tailback_results::statistics::Summary;

const ITEM: &str = "fsin";

/// Accepted at load 1.0, 16x16, 2-Esc, by organisation: smart, random, shortest \[phits/node/cycle\].
const SMALL: [(Policy, [Option<f64>; 3]); 6] = [
    (Policy::One, [Some(0.4677), Some(0.4771), Some(0.4288)]),
    (Policy::TwoSh, [Some(0.4262), Some(0.3772), None]),
    (Policy::Sh, [Some(0.3872), Some(0.3722), Some(0.3756)]),
    (Policy::Shp, [Some(0.3760), Some(0.3614), None]),
    (Policy::Lpath, [Some(0.3929), Some(0.3728), Some(0.3728)]),
    (Policy::Dor, [Some(0.3773), Some(0.3965), None]),
];

/// Accepted at load 1.0, 32x32 \[phits/node/cycle\].
const LARGE: [(Rule, Policy, Bubble, f64); 10] = [
    (Rule::Smart, Policy::One, Bubble::ESC, 0.2366),
    (Rule::Random, Policy::One, Bubble::ESC, 0.2173),
    (Rule::Shortest, Policy::One, Bubble::ESC, 0.1903),
    (Rule::Smart, Policy::Sh, Bubble::ESC, 0.1847),
    (Rule::Smart, Policy::Lpath, Bubble::ESC, 0.1864),
    (Rule::Smart, Policy::One, Bubble::all(2, Reading::New), 0.2457),
    (Rule::Smart, Policy::Lpath, Bubble::all(4, Reading::New), 0.2450),
    (Rule::Smart, Policy::Lpath, Bubble::all(4, Reading::All), 0.2410),
    (Rule::Smart, Policy::Lpath, Bubble::all(6, Reading::New), 0.2466),
    (Rule::Smart, Policy::Lpath, Bubble::all(6, Reading::All), 0.2427),
];

/// Measures both networks; most runs are those of figures 4, 5 and 9.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (fig4, fig5, other, large) = (lab.runs(&FIG4)?, lab.runs(&FIG5)?, lab.runs(&FSIN)?, lab.runs(&FIG9)?);
    let mut part = Part::default();
    for (policy, values) in SMALL {
        for (rule, fsin) in super::key::RULES.into_iter().zip(values) {
            let Some(fsin) = fsin else { continue };
            let found = small([&fig5, &fig4, &other], rule, policy);
            part.cells.extend(cell(lab, &format!("16x16, {}", policy.name()), rule, "2-Esc", fsin, found));
        }
    }
    for (rule, policy, bubble, fsin) in LARGE {
        let found = sustained(&large, rule, policy, bubble);
        part.cells.extend(cell(lab, &format!("32x32, {}", policy.name()), rule, &bubble.name(), fsin, found));
    }
    part.notes.push(
        "FSIN's numbers, in the remarks, are not the paper's: one run and one seed each of a later version of its authors' \
         simulator, warmed up for 20,000 cycles (36,000 for one queue at 32x32, 8,000 for 4-All and 6-All)."
            .to_owned(),
    );
    Ok(part)
}

/// What is accepted at load 1.0, from the first of these lists that has such runs.
fn small(lists: [&[Run]; 3], rule: Rule, policy: Policy) -> Option<Summary> {
    let at_one = |runs: &[Run]| {
        let runs: Vec<&Run> = of(runs, rule, policy).filter(|run| super::key::load(run) == 1.0).collect();
        over_seeds(runs, super::curve::accepted)
    };
    lists.into_iter().find_map(at_one)
}

/// A cell with FSIN's value in its remark; none where this form did not measure it.
fn cell(lab: &Lab, row: &str, rule: Rule, bubble: &str, fsin: f64, found: Option<Summary>) -> Option<Cell> {
    let found = found?;
    let column = format!("sustained, {}, {bubble}{}", rule.name(), form(lab));
    let apart = 100.0 * (found.mean / fsin - 1.0);
    let note = format!("FSIN {fsin}, this one {} % beside it; {}", short(apart), seeds(Some(found)));
    Some(Cell::new(ITEM, row, column, LOAD, (None, Some(found.mean))).note(note))
}
