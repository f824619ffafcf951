//! Points grouped into variants: all swept parameters alike but the load.

use crate::names;
use crate::points::Point;
use std::collections::{BTreeSet, HashMap};
use tailback_results::identical::identical;
use tailback_results::table::parameter_names;
use tailback_results::{Record, Scalar};

/// The parameter that the points of a variant differ in.
pub const LOAD: &str = "traffic.load";

/// A setting of all swept parameters but the load.
#[derive(Clone, Debug, PartialEq)]
pub struct Variant<'a> {
    /// What tells it from the others: `spth`, or `uniform, spth, buffer_flits 8`. Empty where there is only one.
    pub name: String,
    /// Its name with those of all variants whose runs are equal to its own, bit for bit: `off = alo`. All of them share it.
    pub label: String,
    /// The first variant that has equal runs, by its place in the list; `None` for that one itself and where there is none.
    /// A picture draws the variants without one.
    pub same_as: Option<usize>,
    /// The swept parameters but the load.
    pub parameters: Vec<(String, Scalar)>,
    /// Its points by ascending load; points without a load stay in their order.
    pub points: Vec<Point<'a>>,
}

impl<'a> Variant<'a> {
    /// All runs of all its points.
    pub fn runs(&self) -> impl Iterator<Item = &'a Record> + '_ {
        self.points.iter().flat_map(|point| point.runs.iter().copied())
    }

    /// Its point at this load.
    pub fn at(&self, load: f64) -> Option<&Point<'a>> {
        self.points.iter().find(|point| point.number(LOAD) == Some(load))
    }
}

/// The variants of these points, in the order of their first appearance.
pub fn variants<'a>(points: Vec<Point<'a>>) -> Vec<Variant<'a>> {
    variants_over(points, LOAD)
}

/// As [`variants`], for curves over another column than the load: `axis` takes its place.
pub fn variants_over<'a>(points: Vec<Point<'a>>, axis: &str) -> Vec<Variant<'a>> {
    let runs: Vec<&Record> = points.iter().filter_map(|point| point.runs.first().copied()).collect();
    let varying: Vec<String> =
        names::varying(&runs).into_iter().filter(|name| name != axis && name != "run.seed").collect();
    let mut variants: Vec<Variant> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for point in points {
        let parameters: Vec<_> = point.parameters.iter().filter(|(name, _)| name != axis).cloned().collect();
        let place = *places.entry(format!("{parameters:?}")).or_insert(variants.len());
        if place == variants.len() {
            let name = names::of_parameters(&parameters, &varying);
            variants.push(Variant { label: name.clone(), name, same_as: None, parameters, points: Vec::new() });
        }
        variants[place].points.push(point);
    }
    for variant in &mut variants {
        variant.points.sort_by(|a, b| a.number(axis).partial_cmp(&b.number(axis)).unwrap_or(std::cmp::Ordering::Equal));
    }
    label(&mut variants, axis);
    variants
}

/// What the variants differ in, as the head of a table's column: `admission`, or `admission, buffer_flits`.
pub fn heading(variants: &[Variant]) -> String {
    let firsts: Vec<&Record> = variants.iter().filter_map(|variant| variant.runs().next()).collect();
    let swept = parameter_names(firsts.iter().copied());
    let differs = |name: &&str| {
        let of = |variant: &Variant| variant.parameters.iter().find(|(other, _)| other == name).map(|(_, v)| v.clone());
        variants.windows(2).any(|pair| of(&pair[0]) != of(&pair[1]))
    };
    swept.into_iter().filter(differs).map(names::last_word).collect::<Vec<_>>().join(", ")
}

/// Joins the names of variants whose runs are all equal.
fn label(variants: &mut [Variant], axis: &str) {
    let runs: Vec<Vec<&Record>> = variants.iter().map(|variant| variant.runs().collect()).collect();
    let has_axis = runs.iter().flatten().any(|record| record.number(axis).is_some());
    for group in identical(&runs, has_axis.then_some(axis)) {
        // Runs that only one of the two has could differ: equal is said of all runs, or of none.
        let (first, places) = (group[0], places(&variants[group[0]], axis));
        let same: Vec<usize> =
            group.into_iter().filter(|&member| self::places(&variants[member], axis) == places).collect();
        let label = same.iter().map(|&member| variants[member].name.as_str()).collect::<Vec<_>>().join(" = ");
        for &member in &same {
            variants[member].label.clone_from(&label);
            variants[member].same_as = (member != first).then_some(first);
        }
    }
}

/// Where its finished runs stand: the bits of the number on the axis, and the seed.
fn places(variant: &Variant, axis: &str) -> BTreeSet<(Option<u64>, u64)> {
    let place = |record: &Record| (record.number(axis).map(f64::to_bits), record.seed);
    variant.points.iter().flat_map(|point| point.finished()).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points::points;
    use crate::test_support::{record, run, text};

    fn labels(records: &[Record]) -> Vec<(String, Option<usize>)> {
        variants(points(records)).into_iter().map(|variant| (variant.label, variant.same_as)).collect()
    }

    #[test]
    fn variants_differ_in_all_but_the_load_and_are_sorted_by_it() {
        let records =
            [run("off", 0.3, 1, "a"), run("off", 0.1, 1, "b"), run("spth", 0.1, 1, "c"), run("off", 0.1, 2, "d")];
        let variants = variants(points(&records));
        assert_eq!(variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<_>>(), ["off", "spth"]);
        let loads: Vec<Option<f64>> = variants[0].points.iter().map(|point| point.number(LOAD)).collect();
        assert_eq!(loads, [Some(0.1), Some(0.3)]);
        assert_eq!(variants[0].at(0.1).map(Point::seeds), Some(2));
        assert_eq!(heading(&variants), "admission");
    }

    #[test]
    fn equal_digests_of_all_runs_share_a_label_that_begins_with_the_first() {
        let off = || [run("off", 0.1, 1, "a"), run("off", 0.2, 1, "b")];
        let alo = [run("alo", 0.1, 1, "a"), run("alo", 0.2, 1, "b")];
        let spth = [run("spth", 0.1, 1, "a"), run("spth", 0.2, 1, "c")];
        let records = [&off()[..], &spth, &alo].concat();
        let told = labels(&records);
        assert_eq!(told, [("off = alo".into(), None), ("spth".into(), None), ("off = alo".into(), Some(0))]);
    }

    #[test]
    fn runs_that_only_one_variant_has_make_it_another() {
        let records = [run("off", 0.1, 1, "a"), run("off", 0.2, 1, "b"), run("alo", 0.1, 1, "a")];
        assert_eq!(labels(&records), [("off".into(), None), ("alo".into(), None)]);
        let blank = [run("off", 0.1, 1, ""), run("alo", 0.1, 1, "")];
        assert_eq!(labels(&blank), [("off".into(), None), ("alo".into(), None)]);
    }

    #[test]
    fn one_variant_has_no_name_and_no_load_is_no_harm() {
        let records = [run("off", 0.1, 1, "a"), run("off", 0.2, 1, "b")];
        let one = variants(points(&records));
        assert_eq!((one.len(), one[0].name.as_str()), (1, ""));
        let records = [record(&[("admission", text("off"))]), record(&[("admission", text("alo"))])];
        let without = variants(points(&records));
        assert_eq!(without.iter().map(|variant| variant.points.len()).collect::<Vec<_>>(), [1, 1]);
        assert!(variants(Vec::new()).is_empty());
    }

    #[test]
    fn another_axis_takes_the_place_of_the_load() {
        let with = |flits: i64, load: f64| {
            record(&[("router.buffer_flits", Scalar::Integer(flits)), (LOAD, Scalar::Float(load))])
        };
        let records = [with(8, 0.1), with(16, 0.1), with(8, 0.2)];
        let variants = variants_over(points(&records), "router.buffer_flits");
        assert_eq!(variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<_>>(), ["load 0.1", "load 0.2"]);
    }
}
