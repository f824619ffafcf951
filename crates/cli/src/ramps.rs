//! The critical loads of several ramps, and why others show none.

use crate::curves::{line_name, varying};
use crate::show::numbers::short;
use tailback_results::Record;
use tailback_sim::Finding;

/// A line for each critical load and for each remark on a ramp, in the order of the points, which `findings` and `remarks` name by
/// number.
pub fn lines(records: &[Option<Record>], findings: &[(usize, Finding)], remarks: &[(usize, String)]) -> Vec<String> {
    let found = findings.iter().filter(|(_, finding)| finding.name == "critical_load");
    let found = found.map(|(index, f)| (*index, "critical load", format!("{} {}", short(f.value), f.unit)));
    let remarks = remarks.iter().map(|(index, remark)| (*index, "ramp", remark.clone()));
    let mut told: Vec<(usize, &str, String)> = found.chain(remarks).collect();
    told.sort_by_key(|(index, ..)| *index);
    let names = varying(&records.iter().flatten().cloned().collect::<Vec<Record>>());
    let line = |(index, what, text): (usize, &str, String)| {
        let record = records[index].as_ref()?;
        let name = line_name(record, &names);
        let of = if name.is_empty() { String::new() } else { format!(" of {name}") };
        Some(format!("{what}{of} (seed {}): {text}", record.seed))
    };
    told.into_iter().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::{Scalar, Status};

    #[test]
    fn every_ramp_has_a_line_in_the_order_of_the_points() {
        let record = |pattern: &str| {
            let parameters = vec![("traffic.pattern".to_owned(), Scalar::Text(pattern.to_owned()))];
            Some(Record { parameters, ..Record::empty(pattern.to_owned(), 3, "0", Status::Saturated) })
        };
        let records = [record("uniform"), None, record("bcmp")];
        let finding = |value| Finding { name: "critical_load".into(), unit: "flits/node/cycle".into(), value };
        let other = Finding { name: "critical_load_baseline_spread".into(), unit: "".into(), value: 0.1 };
        let remarks = [(0, "no critical load was found".to_owned()), (1, "stopped".to_owned())];
        assert_eq!(
            lines(&records, &[(2, finding(0.25)), (2, other)], &remarks),
            [
                "ramp of uniform (seed 3): no critical load was found",
                "critical load of bcmp (seed 3): 0.2500 flits/node/cycle",
            ]
        );
    }
}
