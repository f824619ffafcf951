//! What is left beyond saturation: the load sustained at the highest load of a sweep, against the most that is accepted.

use crate::curves::{Curves, is_load};
use crate::show::numbers::short;
use tailback_results::{Record, Status};
use tailback_summary::spread::plain_mean;

/// A line of a sweep over the load that ends beyond saturation.
#[derive(Clone, Debug, PartialEq)]
pub struct Collapse {
    /// What distinguishes the line; empty where there is only one.
    pub line: String,
    /// The load at which most is accepted, and that.
    pub peak: (f64, f64),
    /// The highest load, and what is accepted there.
    pub sustained: (f64, f64),
}

impl Collapse {
    /// The share of the peak that is sustained.
    pub fn share(&self) -> f64 {
        self.sustained.1 / self.peak.1
    }

    /// `spth: peak 0.41 flits/node/cycle at load 0.5, sustained 0.31 at load 0.9: 75.6 % of the peak`.
    pub fn words(&self) -> String {
        let of = if self.line.is_empty() { String::new() } else { format!("{}: ", self.line) };
        let [peak, peak_load] = [self.peak.1, self.peak.0].map(short);
        let [sustained, load] = [self.sustained.1, self.sustained.0].map(short);
        let share = 100.0 * self.share();
        format!(
            "{of}peak {peak} flits/node/cycle at load {peak_load}, sustained {sustained} at load {load}: {share:.1} % of the peak"
        )
    }
}

/// The lines of a sweep over the load that saturate at its end; means over replicas.
pub fn collapses(records: &[Record]) -> Vec<Collapse> {
    let Some(curves) = Curves::new(records, None).filter(|curves| is_load(&curves.x)) else { return Vec::new() };
    let lines = curves.lines.iter().filter_map(|(line, records)| {
        records.last().filter(|last| last.status == Status::Saturated)?;
        let points = means(records, &curves.x);
        let peak = points.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).filter(|peak| peak.1 > 0.0)?;
        let sustained = points.last().copied()?;
        (points.len() > 1).then(|| Collapse { line: line.clone(), peak, sustained })
    });
    lines.collect()
}

/// Accepted load over `x`, which ascends: means over replicas.
fn means(records: &[&Record], x: &str) -> Vec<(f64, f64)> {
    let replicas = records.chunk_by(|a, b| a.number(x) == b.number(x));
    let mean = |replicas: &[&Record]| {
        let values: Vec<f64> = replicas.iter().filter_map(|r| r.accepted_load).collect();
        Some((replicas[0].number(x)?, plain_mean(&values)?))
    };
    replicas.filter_map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::Scalar;

    fn record(pattern: &str, load: f64, accepted: f64) -> Record {
        let parameters = vec![
            ("traffic.pattern".to_owned(), Scalar::Text(pattern.to_owned())),
            ("traffic.load".to_owned(), Scalar::Float(load)),
        ];
        let status = if accepted < 0.95 * load { Status::Saturated } else { Status::Steady };
        let accepted_load = Some(accepted);
        Record { parameters, accepted_load, ..Record::empty(format!("{pattern} {load}"), 1, "0", status) }
    }

    #[test]
    fn the_end_of_every_line_is_held_against_its_peak() {
        let of = |pattern, accepted: [f64; 3]| {
            [0.2, 0.5, 0.9].into_iter().zip(accepted).map(move |(load, accepted)| record(pattern, load, accepted))
        };
        let records: Vec<Record> = of("falls", [0.2, 0.4, 0.3]).chain(of("carries", [0.2, 0.5, 0.9])).collect();
        let found = collapses(&records);
        assert_eq!(found, [Collapse { line: "falls".to_owned(), peak: (0.5, 0.4), sustained: (0.9, 0.3) }]);
        assert!((found[0].share() - 0.75).abs() < 1e-12);
        assert!(
            found[0].words().ends_with("sustained 0.3000 at load 0.9000: 75.0 % of the peak"),
            "{}",
            found[0].words()
        );
    }

    #[test]
    fn one_load_has_no_peak() {
        assert!(collapses(&[record("falls", 0.9, 0.3)]).is_empty());
        assert!(collapses(&[]).is_empty());
    }
}
