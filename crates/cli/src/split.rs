//! One picture never shows two parameters in one legend: what varies besides the axis and the colour gets panels.

use tailback_results::Record;
use tailback_summary::names;

/// Records of one panel.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// What tells it from the other panels: `uniform`. Empty where there is only one.
    pub name: String,
    /// Its records.
    pub records: Vec<&'a Record>,
}

/// The seed makes no variants.
const SEED: &str = "run.seed";

/// The parameters that vary besides `axis` and the seed, in the order of the spec.
pub fn varying(records: &[&Record], axis: &str) -> Vec<String> {
    names::varying(records).into_iter().filter(|name| name != axis && name != SEED).collect()
}

/// Divides records so that in each part nothing varies but the axis, the seed, and `colour`; without one, the parameter that
/// decides all others, else the mechanism of admission, else the first. Parts come in the order of their first records.
pub fn parts<'a>(records: &[&'a Record], axis: &str, colour: Option<&str>, panels: Option<&str>) -> Vec<Part<'a>> {
    let varying = varying(records, axis);
    let colour = colour.map(str::to_owned).or_else(|| best_colour(records, &varying, panels));
    let others: Vec<String> = varying.into_iter().filter(|name| Some(name) != colour.as_ref()).collect();
    if colour.as_ref().is_some_and(|colour| decides(records, colour, &others)) && panels.is_none() {
        return vec![Part { name: String::new(), records: records.to_vec() }];
    }
    let mut parts: Vec<Part<'a>> = Vec::new();
    for &record in records {
        let name = names::of_parameters(&record.parameters, &others);
        match parts.iter_mut().find(|part| part.name == name) {
            Some(part) => part.records.push(record),
            None => parts.push(Part { name, records: vec![record] }),
        }
    }
    parts
}

fn best_colour(records: &[&Record], varying: &[String], panels: Option<&str>) -> Option<String> {
    let free: Vec<&String> = varying.iter().filter(|name| Some(name.as_str()) != panels).collect();
    let whole = free.iter().find(|name| {
        let others: Vec<String> = varying.iter().filter(|other| other != *name).cloned().collect();
        panels.is_none() && decides(records, name, &others)
    });
    let admission = free.iter().find(|name| matches!(name.as_str(), "admission" | "admission.kind"));
    whole.or(admission).or(free.first()).map(|name| (*name).clone())
}

/// Whether records that agree in `name` agree in all of `others`.
fn decides(records: &[&Record], name: &str, others: &[String]) -> bool {
    let mut seen: std::collections::BTreeMap<String, String> = std::collections::BTreeMap::new();
    records.iter().all(|record| {
        let of = |names: &[String]| names::of_parameters(&record.parameters, names);
        let rest = of(others);
        *seen.entry(of(&[name.to_owned()])).or_insert_with(|| rest.clone()) == rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::{Scalar, Status};

    fn record(parameters: &[(&str, &str)]) -> Record {
        let scalar = |text: &str| text.parse().map_or(Scalar::Text(text.to_owned()), Scalar::Integer);
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), scalar(value))).collect();
        Record { parameters, ..Record::empty("id", 1, "0", Status::Steady) }
    }

    fn names(records: &[Record], colour: Option<&str>, panels: Option<&str>) -> Vec<(String, usize)> {
        let records: Vec<&Record> = records.iter().collect();
        parts(&records, "traffic.load", colour, panels).into_iter().map(|p| (p.name, p.records.len())).collect()
    }

    fn sweep() -> Vec<Record> {
        let mut records = Vec::new();
        for pattern in ["uniform", "transpose"] {
            for admission in ["off", "spth"] {
                records.push(record(&[("traffic.pattern", pattern), ("admission", admission), ("traffic.load", "1")]));
            }
        }
        records
    }

    #[test]
    fn two_that_vary_are_colour_and_panels() {
        assert_eq!(names(&sweep(), None, None), [("uniform".to_owned(), 2), ("transpose".to_owned(), 2)]);
        assert_eq!(names(&sweep(), Some("traffic.pattern"), None), [("off".to_owned(), 2), ("spth".to_owned(), 2)]);
        assert_eq!(names(&sweep(), None, Some("admission")), [("off".to_owned(), 2), ("spth".to_owned(), 2)]);
    }

    #[test]
    fn parameters_that_go_together_are_one() {
        let pairs = [("off", "4"), ("spth", "8")];
        let records = pairs.map(|(a, b)| record(&[("admission", a), ("router.buffer_flits", b)]));
        assert_eq!(names(&records, None, None), [(String::new(), 2)]);
        assert_eq!(names(&records[..1], None, None), [(String::new(), 1)]);
    }
}
