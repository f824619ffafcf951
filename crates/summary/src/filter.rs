//! The points that `--where PATH=VALUE` chooses.
//!
//! A path is a swept parameter (`traffic.load`) or a column of the results (`status`). A point is chosen whole, with all its
//! seeds, where any of its runs has the value. `seed` chooses single runs. Several values of one path are alternatives;
//! several paths must all hold.

use crate::names;
use crate::points::{Point, points};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use tailback_base::text::shown;
use tailback_results::schema::COLUMNS;
use tailback_results::table::parameter_names;
use tailback_results::{Record, Scalar};
use tailback_spec::nearest;

/// `PATH=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// A swept parameter or a column.
    pub path: String,
    /// The value, as it was written.
    pub value: String,
}

/// Why filters choose nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError(String);

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FilterError {}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Filter, FilterError> {
        match text.split_once('=') {
            Some((path, value)) if !path.trim().is_empty() => {
                let value = value.trim();
                let bare = value.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
                Ok(Filter { path: path.trim().to_owned(), value: bare.unwrap_or(value).to_owned() })
            }
            _ => Err(FilterError(format!("`{}` is no PATH=VALUE, such as traffic.load=0.4", shown(text)))),
        }
    }
}

impl Filter {
    fn holds(&self, record: &Record) -> bool {
        record.scalar(&self.path).is_some_and(|value| self.is(&value))
    }

    fn is(&self, value: &Scalar) -> bool {
        match (value.as_f64(), self.value.replace('_', "").parse::<f64>()) {
            (Some(number), Ok(wanted)) => (number - wanted).abs() <= 1e-9 * number.abs().max(wanted.abs()),
            _ => value.to_string() == self.value,
        }
    }
}

/// The records that the filters choose, in their order; all of them without filters.
///
/// # Errors
/// Where a path is neither swept nor a column, or no run has the value. The message names what there is.
pub fn chosen<'a>(filters: &[Filter], records: &'a [Record]) -> Result<Vec<&'a Record>, FilterError> {
    let all: Vec<&Record> = records.iter().collect();
    if filters.is_empty() || records.is_empty() {
        return Ok(all);
    }
    let paths: BTreeSet<&str> = filters.iter().map(|filter| filter.path.as_str()).collect();
    for filter in filters {
        check(filter, &all)?;
    }
    let holds = |path: &str, record: &Record| filters.iter().any(|f| f.path == path && f.holds(record));
    let whole = |point: &Point| paths.iter().all(|p| *p == "seed" || point.runs.iter().any(|run| holds(p, run)));
    let kept = points(records).into_iter().filter(whole).flat_map(|point| point.runs);
    let kept = kept.filter(|run| !paths.contains("seed") || holds("seed", run));
    let kept: BTreeSet<*const Record> = kept.map(std::ptr::from_ref).collect();
    let chosen: Vec<&Record> = all.into_iter().filter(|record| kept.contains(&std::ptr::from_ref(*record))).collect();
    if chosen.is_empty() {
        let asked: Vec<String> = filters.iter().map(|f| format!("{}={}", shown(&f.path), shown(&f.value))).collect();
        return Err(FilterError(format!("no point has all of {}", asked.join(", "))));
    }
    Ok(chosen)
}

/// Refuses a path that is neither `swept` nor a column.
///
/// # Errors
/// For such a path. The message names near ones, and what is swept.
pub fn check_path(path: &str, swept: &[&str]) -> Result<(), FilterError> {
    let known = swept.contains(&path) || COLUMNS.iter().any(|column| column.name == path);
    if known { Ok(()) } else { Err(no_path(path, swept)) }
}

/// Refuses a path that nothing has, and a value that no run has.
fn check(filter: &Filter, records: &[&Record]) -> Result<(), FilterError> {
    check_path(&filter.path, &parameter_names(records.iter().copied()))?;
    if records.iter().any(|record| filter.holds(record)) {
        return Ok(());
    }
    let (path, value) = (shown(&filter.path), shown(&filter.value));
    Err(FilterError(format!("no point has {path} = {value}; {}", values(&filter.path, records))))
}

fn no_path(path: &str, swept: &[&str]) -> FilterError {
    let known = swept.iter().copied().chain(COLUMNS.iter().map(|column| column.name));
    let near: Vec<String> = nearest(path, known, 3).into_iter().map(|name| format!("`{}`", shown(name))).collect();
    let meant = if near.is_empty() { String::new() } else { format!("; did you mean {}?", near.join(" or ")) };
    let swept: Vec<String> = swept.iter().map(|name| format!("`{}`", shown(name))).collect();
    let swept = match swept.is_empty() {
        true => "nothing is swept here".to_owned(),
        false => format!("swept are {}", swept.join(", ")),
    };
    FilterError(format!("`{}` is neither swept here nor a column of the results{meant}; {swept}", shown(path)))
}

/// The most values that a message names.
const NAMED: usize = 12;

/// `the values are uniform, transpose`.
fn values(path: &str, records: &[&Record]) -> String {
    let mut values: Vec<Scalar> = Vec::new();
    let mut seen = BTreeSet::new();
    let found = records.iter().filter_map(|record| record.scalar(path));
    values.extend(found.filter(|value| seen.insert(value.to_string())));
    if values.iter().all(|value| value.as_f64().is_some()) {
        values.sort_by(|a, b| a.as_f64().partial_cmp(&b.as_f64()).unwrap_or(std::cmp::Ordering::Equal));
    }
    let more = values.len().saturating_sub(NAMED);
    let named: Vec<String> = values.iter().take(NAMED).map(names::value).collect();
    match (named.len(), more) {
        (0, _) => "no point has a value there".to_owned(),
        (1, 0) => format!("the only value is {}", named[0]),
        (_, 0) => format!("the values are {}", named.join(", ")),
        _ => format!("the values are {} and {more} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::run;
    use tailback_results::Status;

    fn records() -> Vec<Record> {
        let mut records = Vec::new();
        for admission in ["off", "spth"] {
            for load in [0.1, 0.1 + 0.2] {
                records.extend([1, 2].map(|seed| run(admission, load, seed, "a")));
            }
        }
        records[3].status = Status::Saturated;
        records
    }

    fn ask(filters: &[&str]) -> Result<Vec<(String, f64, u64)>, String> {
        let filters: Vec<Filter> = filters.iter().map(|text| text.parse().expect("a filter")).collect();
        let records = records();
        let told = |r: &&Record| {
            (r.scalar("admission").expect("swept").to_string(), r.number("traffic.load").expect("swept"), r.seed)
        };
        chosen(&filters, &records).map(|kept| kept.iter().map(told).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn values_of_one_path_are_alternatives_and_paths_must_all_hold() {
        assert_eq!(ask(&[]).expect("all").len(), 8);
        assert_eq!(ask(&["admission=spth"]).expect("half").len(), 4);
        assert_eq!(ask(&["admission=off", "admission='spth'"]).expect("all").len(), 8);
        let one = ask(&["admission=off", "traffic.load=0.30"]).expect("one point");
        assert_eq!(one.len(), 2, "a load is compared as a number: {one:?}");
    }

    #[test]
    fn a_point_is_chosen_whole_but_a_seed_alone() {
        let saturated = ask(&["status=saturated"]).expect("one point");
        assert_eq!(saturated.iter().map(|run| run.2).collect::<Vec<_>>(), [1, 2], "its steady run, too");
        assert_eq!(ask(&["seed=2"]).expect("half of the runs").len(), 4);
        assert_eq!(ask(&["seed=2", "status=saturated"]).expect("one run").len(), 1);
    }

    #[test]
    fn errors_name_what_there_is() {
        let error = ask(&["traffic.laod=0.1"]).expect_err("no such path");
        assert_eq!(
            error,
            "`traffic.laod` is neither swept here nor a column of the results; did you mean `traffic.load`?; swept are \
             `admission`, `traffic.load`"
        );
        assert_eq!(
            ask(&["admission=alo"]).expect_err("no such value"),
            "no point has admission = alo; the values are off, spth"
        );
        assert_eq!(
            ask(&["traffic.load=2"]).expect_err("no such value"),
            "no point has traffic.load = 2; the values are 0.1, 0.3"
        );
        assert_eq!(
            ask(&["latency_mean=2"]).expect_err("null"),
            "no point has latency_mean = 2; no point has a value there"
        );
        let error = ask(&["admission=spth", "status=saturated"]).expect_err("nothing has both");
        assert_eq!(error, "no point has all of admission=spth, status=saturated");
        for text in ["", "admission", "=off"] {
            assert!(text.parse::<Filter>().expect_err("no filter").to_string().contains("PATH=VALUE"), "{text}");
        }
    }
}
