//! Variants of a sweep that came out identical, bit for bit, in words.

use crate::curves::{best_axis, lines};
use tailback_results::Record;
use tailback_results::identical::identical;

/// The most sentences that are printed.
const MOST: usize = 12;

/// Variants, by name.
type Lines<'a> = [(String, Vec<&'a Record>)];

/// A sentence for each group of variants that are identical.
pub fn sentences(records: &[Record]) -> Vec<String> {
    let x = best_axis(records);
    let lines = lines(records, x.as_deref());
    let groups = groups(&lines, x.as_deref());
    let mut told: Vec<String> = groups.iter().take(MOST).map(|group| sentence(&lines, group)).collect();
    if groups.len() > MOST {
        told.push(format!("and {} more groups of variants that are identical among themselves", groups.len() - MOST));
    }
    told
}

fn groups(lines: &Lines, x: Option<&str>) -> Vec<Vec<usize>> {
    let variants: Vec<Vec<&Record>> = lines.iter().map(|(_, records)| records.clone()).collect();
    identical(&variants, x)
}

/// `off = alo: identical, bit for bit, at every point that they have in common`.
fn sentence(lines: &Lines, group: &[usize]) -> String {
    let names: Vec<&str> = group.iter().take(MOST).map(|&line| lines[line].0.as_str()).collect();
    let more = group.len() - names.len();
    let more = if more > 0 { format!(" = {more} more") } else { String::new() };
    format!("{}{more}: identical, bit for bit, at every point that they have in common", names.join(" = "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::{Scalar, Status};

    /// A digest for each load by variant: of admission and of buffers.
    fn records(variants: &[(&str, i64, [&str; 2])]) -> Vec<Record> {
        let record = |admission: &str, flits: i64, load: f64, digest: &str| {
            let parameters = vec![
                ("admission".to_owned(), Scalar::Text(admission.to_owned())),
                ("router.buffer_flits".to_owned(), Scalar::Integer(flits)),
                ("traffic.load".to_owned(), Scalar::Float(load)),
            ];
            let empty = Record::empty(format!("{admission} {flits} {load}"), 1, "0", Status::Steady);
            Record { parameters, digest: digest.to_owned(), accepted_load: Some(load), ..empty }
        };
        let of = |&(admission, flits, digests): &(&str, i64, [&str; 2])| {
            [record(admission, flits, 0.1, digests[0]), record(admission, flits, 0.2, digests[1])]
        };
        variants.iter().flat_map(of).collect()
    }

    #[test]
    fn twins_are_named_in_a_sentence() {
        let variants =
            [("off", 8, ["a", "b"]), ("alo", 8, ["a", "b"]), ("off", 16, ["a", "c"]), ("alo", 16, ["a", "c"])];
        let records = records(&variants);
        assert_eq!(
            sentences(&records),
            [
                "off, buffer_flits 8 = alo, buffer_flits 8: identical, bit for bit, at every point that they have in common",
                "off, buffer_flits 16 = alo, buffer_flits 16: identical, bit for bit, at every point that they have in common",
            ]
        );
    }

    #[test]
    fn variants_that_differ_at_one_load_are_not_identical() {
        let records = records(&[("off", 8, ["a", "b"]), ("alo", 8, ["a", "c"])]);
        assert!(sentences(&records).is_empty());
    }

    #[test]
    fn one_variant_and_points_without_an_axis() {
        let one = records(&[("off", 8, ["a", "a"])]);
        assert!(sentences(&one).is_empty(), "two loads are no two variants");
        let two = records(&[("off", 8, ["a", "b"]), ("alo", 8, ["a", "c"])]);
        let at_one_load = [two[0].clone(), two[2].clone()];
        assert_eq!(
            sentences(&at_one_load),
            ["off = alo: identical, bit for bit, at every point that they have in common"]
        );
        assert!(sentences(&[]).is_empty());
    }
}
