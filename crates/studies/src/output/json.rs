//! JSON lines: one a cell, then one a claim.

use crate::study::Study;
use serde_json::json;

impl Study {
    /// A line `{"paper","item","row","column","paper_value","measured","unit","deviation"}` for every cell, then a line
    /// `{"paper","claim","holds","evidence"}` for every claim; null where there is no value or verdict.
    pub fn json_lines(&self) -> String {
        let key = self.paper.key;
        let cells = self.cells.iter().map(|cell| {
            json!({
                "paper": key, "item": cell.item, "row": cell.row, "column": cell.column,
                "paper_value": cell.paper_value, "measured": cell.measured, "unit": cell.unit,
                "deviation": cell.deviation,
            })
        });
        let claims = self
            .claims
            .iter()
            .map(|claim| json!({ "paper": key, "claim": claim.id, "holds": claim.holds, "evidence": claim.evidence }));
        cells.chain(claims).map(|line| format!("{line}\n")).collect()
    }
}
