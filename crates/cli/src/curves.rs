//! From records to curves: what to put on the axes, and which records make one line.

use crate::exit::{Failure, Result};
use std::collections::HashMap;
use tailback_base::text::shown;
use tailback_pictures::chart::Axis;
use tailback_results::schema::column;
use tailback_results::table::parameter_names;
use tailback_results::{Record, Status};
use tailback_spec::nearest;

/// Records that can be plotted over something.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    /// The column on the x axis.
    pub x: String,
    /// Lines: a name for the legend and the records of it, by ascending x. Replicas stand side by side.
    pub lines: Vec<(String, Vec<&'a Record>)>,
}

/// More lines than these are no picture any more.
const MOST_LINES: usize = 24;

impl<'a> Curves<'a> {
    /// The curves over column `x`; without one, over the first swept number that varies, the load if it does. `None`
    /// where there is no such number.
    pub fn new(records: &'a [Record], x: Option<&str>) -> Option<Curves<'a>> {
        let x = match x {
            Some(x) => x.to_owned(),
            None => best_axis(records)?,
        };
        let mut lines = lines(records, Some(&x));
        lines.truncate(MOST_LINES);
        for (_, line) in &mut lines {
            line.sort_by(|a, b| a.number(&x).unwrap_or(f64::NAN).total_cmp(&b.number(&x).unwrap_or(f64::NAN)));
        }
        (!lines.is_empty()).then_some(Curves { x, lines })
    }
}

/// Records that differ in nothing but `x` and the seed, under a name that says what else is swept, in the order in which they
/// come. Those that were interrupted, or have no number in `x`, are left out.
pub fn lines<'a>(records: &'a [Record], x: Option<&str>) -> Vec<(String, Vec<&'a Record>)> {
    let others: Vec<String> = varying(records).into_iter().filter(|name| Some(name.as_str()) != x).collect();
    let mut lines: Vec<(String, Vec<&Record>)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let known = |record: &&Record| x.is_none_or(|x| record.number(x).is_some()) && record.status != Status::Interrupted;
    for record in records.iter().filter(known) {
        let name = line_name(record, &others);
        let place = *places.entry(name.clone()).or_insert(lines.len());
        if place == lines.len() {
            lines.push((name, Vec::new()));
        }
        lines[place].1.push(record);
    }
    lines
}

/// Whether a column is a load in flits/node/cycle that bounds apply to.
pub fn is_load(column: &str) -> bool {
    matches!(column, "traffic.load" | "offered_load")
}

/// The parameters that differ between records, in their order.
pub fn varying(records: &[Record]) -> Vec<String> {
    tailback_summary::names::varying(&records.iter().collect::<Vec<_>>())
}

/// The load if it varies, else the first number that does.
pub fn best_axis(records: &[Record]) -> Option<String> {
    let numeric = |name: &String| records.iter().all(|r| r.number(name).is_some());
    let mut numbers: Vec<String> = varying(records).into_iter().filter(numeric).collect();
    let load = numbers.iter().position(|name| is_load(name)).unwrap_or(0);
    (load < numbers.len()).then(|| numbers.swap_remove(load))
}

/// `uniform, spth, margin_flits 8`: words as they are, numbers with their key.
pub fn line_name(record: &Record, names: &[String]) -> String {
    tailback_summary::names::of_parameters(&record.parameters, names)
}

/// The axis of a column: `Offered load [flits/node/cycle]`.
pub fn axis_of(name: &str) -> Axis {
    let words = |text: &str| {
        let text = text.replace('_', " ");
        let mut letters = text.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    let label = match name {
        "traffic.load" => "Offered load".to_owned(),
        "latency_mean" => "Mean latency".to_owned(),
        "hops_mean" => "Mean hops".to_owned(),
        _ => words(name.rsplit('.').next().unwrap_or(name)),
    };
    Axis::new(label, unit_of(name))
}

/// The unit of a core column or of a parameter.
pub fn unit_of(name: &str) -> &'static str {
    if let Some(column) = column(name) {
        return column.unit;
    }
    let Some((section, key)) = name.rsplit_once('.') else { return "" };
    let section = tailback_sim::catalogue().section(section);
    section.and_then(|s| s.every_param().find(|p| p.name == key)).map_or("", |p| p.unit)
}

/// The refusal of a column that is none of `known`, with those that may have been meant.
pub fn no_column<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Failure {
    let near: Vec<String> = nearest(name, known, 6).into_iter().map(|name| format!("`{}`", shown(name))).collect();
    let meant = if near.is_empty() { String::new() } else { format!("did you mean {}? ", near.join(" or ")) };
    Failure::usage(format!("there is no column `{}`; {meant}`tailback list columns` names all", shown(name)))
}

/// Refuses a column that no record has a number in, naming those that may have been meant and could be plotted.
pub fn check_column(records: &[Record], name: &str) -> Result<()> {
    if records.iter().any(|record| record.number(name).is_some()) {
        return Ok(());
    }
    let core = tailback_results::schema::COLUMNS.iter().map(|column| column.name.to_owned());
    let swept = varying(records).into_iter().chain(core);
    let usable: Vec<String> = swept.filter(|n| records.iter().any(|r| r.number(n).is_some())).collect();
    let usable: Vec<&str> = usable.iter().map(String::as_str).collect();
    let known = column(name).is_some() || parameter_names(records).contains(&name);
    if !known && !nearest(name, usable.iter().copied(), 1).is_empty() {
        return Err(no_column(name, usable));
    }
    let (name, usable) = (shown(name), shown(&usable.join(", ")).into_owned());
    Err(Failure::usage(format!("no record has a number in column `{name}`; there are {usable}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tailback_results::Scalar;

    fn record(parameters: &[(&str, Scalar)], accepted: f64) -> Record {
        let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let empty = Record::empty("id", 1, "0", Status::Steady);
        Record { parameters, accepted_load: Some(accepted), offered_load: Some(0.5), ..empty }
    }

    fn sweep() -> Vec<Record> {
        let mut records = Vec::new();
        for method in ["off", "spth"] {
            for load in [0.3, 0.1, 0.1] {
                let load = Scalar::Float(load);
                records.push(record(&[("admission", Scalar::Text(method.into())), ("traffic.load", load)], 0.1));
            }
        }
        records
    }

    #[test]
    fn a_line_for_each_combination_and_replicas_in_one_point() {
        let records = sweep();
        let curves = Curves::new(&records, None).unwrap();
        assert_eq!(curves.x, "traffic.load");
        assert_eq!(curves.lines.iter().map(|l| l.0.as_str()).collect::<Vec<_>>(), ["off", "spth"]);
        assert_eq!(curves.lines[0].1.len(), 3, "replicas stand side by side");
    }

    #[test]
    fn words_make_no_axis() {
        let records = [record(&[("admission", Scalar::Text("off".into()))], 0.1), record(&[], 0.2)];
        assert!(Curves::new(&records, None).is_none());
        assert!(Curves::new(&[], None).is_none());
        assert!(check_column(&records, "status").is_err());
        assert!(check_column(&records, "accepted_load").is_ok());
        assert!(Curves::new(&records, Some("accepted_load")).is_some());
    }

    #[test]
    fn axes_have_words_and_units() {
        let axis = axis_of("traffic.load");
        assert_eq!((axis.label.as_str(), axis.unit.as_str()), ("Offered load", "flits/node/cycle"));
        let axis = axis_of("router.buffer_flits");
        assert_eq!((axis.label.as_str(), axis.unit.as_str()), ("Buffer flits", "flits"));
        assert_eq!(axis_of("no.such").unit, "");
    }
}
