//! JSON lines: one line per cell, then one line per claim.

use crate::reading::Reading;
use crate::search::{Search, Tally};
use crate::study::{Cell, Claim, Study, verdict};
use serde_json::{Value, json};

impl Study {
    /// A line `{"paper","item","row","column","paper_value","measured","unit","deviation"}` for every cell, with
    /// "peer" and "peer_value" where another simulator was run for it, then a line
    /// `{"paper","claim","holds","evidence","reading","verdict","beside"}` for every claim; null where there is no value or verdict.
    pub fn json_lines(&self) -> String {
        self.lines().map(|line| format!("{line}\n")).collect()
    }

    fn lines(&self) -> impl Iterator<Item = Value> + '_ {
        let cells = self.cells.iter().map(|cell| self.cell_line(cell));
        cells.chain(self.claims.iter().map(|claim| self.claim_line(claim)))
    }

    fn cell_line(&self, cell: &Cell) -> Value {
        let mut line = json!({
            "paper": self.paper.key, "item": cell.item, "row": cell.row, "column": cell.column,
            "paper_value": cell.paper_value, "measured": cell.measured, "unit": cell.unit,
            "deviation": cell.deviation,
        });
        if let (Some(peer), Some(value)) = (self.paper.peer(), cell.peer_value) {
            line["peer"] = peer.into();
            line["peer_value"] = value.into();
        }
        line
    }

    fn claim_line(&self, claim: &Claim) -> Value {
        let beside = claim.beside.iter().map(|beside| {
            json!({
                "under": beside.under, "text": beside.text, "holds": beside.holds, "verdict": verdict(beside.holds),
                "evidence": beside.evidence,
            })
        });
        json!({
            "paper": self.paper.key, "claim": claim.id, "holds": claim.holds, "evidence": claim.evidence,
            "reading": self.reading.name(), "verdict": claim.verdict(), "beside": beside.collect::<Vec<_>>(),
        })
    }
}

impl Search {
    /// A line for every reading that was tried, the best first; then the cells and claims of each, with the reading and whether they are
    /// held back; then the same of the best readings whole.
    pub fn json_lines(&self) -> String {
        let key = self.paper.key;
        let readings = self.tried.iter().enumerate().map(|(at, tried)| {
            json!({
                "paper": key, "reading": tried.reading.name(), "choices": choices(&tried.reading), "rank": at + 1,
                "score": finite(tried.score), "choosing": tally(&tried.choosing), "held_back": tally(&tried.held_back),
            })
        });
        let refused = self.refused.iter().map(|refused| {
            json!({
                "paper": key, "reading": refused.reading.name(), "choices": choices(&refused.reading),
                "refused": refused.why,
            })
        });
        let searched = self.tried.iter().flat_map(|tried| lines_of(&tried.study, "search"));
        let form = if self.whole_is_short { "short" } else { "full" };
        let whole = self.whole.iter().flat_map(|study| lines_of(study, form));
        readings.chain(refused).chain(searched).chain(whole).map(|line| format!("{line}\n")).collect()
    }
}

/// The lines of a study with the reading, the form, and how a search takes them.
fn lines_of<'s>(study: &'s Study, form: &'static str) -> impl Iterator<Item = Value> + 's {
    let cells = study.cells.iter().map(|cell| {
        let mut line = study.cell_line(cell);
        line["reading"] = study.reading.name().into();
        if let Some(chosen) = cell.chosen {
            line["counts_as"] = (if chosen.sign { "sign" } else { "cell" }).into();
            line["held_back"] = chosen.held_back.into();
            line["met"] = chosen.met.into();
        }
        line
    });
    let claims = study.claims.iter().map(|claim| {
        let mut line = study.claim_line(claim);
        line["held_back"] = claim.held_back.into();
        line
    });
    cells.chain(claims).map(move |mut line| {
        line["form"] = form.into();
        line
    })
}

fn choices(reading: &Reading) -> Value {
    reading.choices().map(|(question, candidate)| (question.to_owned(), Value::from(candidate))).collect()
}

fn tally(tally: &Tally) -> Value {
    json!({
        "cells": tally.cells.0, "cells_of": tally.cells.1, "signs": tally.signs.0, "signs_of": tally.signs.1,
        "claims": tally.claims.0, "claims_of": tally.claims.1, "error_percent": tally.error_percent,
    })
}

fn finite(number: f64) -> Option<f64> {
    Some(number).filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers;

    #[test]
    fn every_claim_of_every_study_has_its_reading_and_its_verdict() {
        let verdicts = [(Some(true), "holds"), (Some(false), "does not hold"), (None, "not judged")];
        for paper in papers() {
            let claims = paper.study.form.item.iter().flat_map(|item| &item.claim);
            let claims: Vec<Claim> = claims
                .zip(verdicts.iter().cycle())
                .map(|(claim, &(holds, _))| Claim {
                    id: claim.id.get_ref().clone(),
                    text: String::new(),
                    holds,
                    evidence: "measured".to_owned(),
                    beside: Vec::new(),
                    held_back: false,
                })
                .collect();
            assert!(!claims.is_empty(), "{}", paper.key);
            let study = Study {
                paper,
                quick: true,
                reading: Reading::declared(paper.study),
                items: Vec::new(),
                cells: Vec::new(),
                claims,
                figures: Vec::new(),
                notes: Vec::new(),
                interrupted: false,
            };
            let lines = study.json_lines();
            assert_eq!(lines.lines().count(), study.claims.len());
            for (line, (holds, verdict)) in lines.lines().zip(verdicts.iter().cycle()) {
                let line: Value = serde_json::from_str(line).expect("a line of JSON");
                assert_eq!((line["holds"].as_bool(), line["verdict"].as_str()), (*holds, Some(*verdict)), "{line}");
                assert_eq!(line["reading"].as_str(), Some(study.reading.name()), "{line}");
                assert_eq!(line["evidence"].as_str(), Some("measured"), "{line}");
            }
        }
    }
}
