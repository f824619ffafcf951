//! What names mean in a study's formulas: labels, definitions, columns of the record, settings; and functions of runs.

use super::of_run;
use super::runs::Runs;
use super::study::DataStudy;
use crate::formula::{Expr, Names, Value, eval, list_of};
use crate::lab::Lab;
use crate::seeds;
use tailback_results::statistics::{Summary, summarise};

/// How deep definitions may stand in each other.
const DEEPEST: u32 = 40;

/// Some of the runs of a table, figure or claim, and names bound on the way to a formula.
#[derive(Clone)]
pub struct Scope<'a> {
    pub study: &'a DataStudy,
    pub lab: &'a Lab<'a>,
    pub runs: &'a Runs<'a>,
    /// Labels with the value that all runs here have.
    given: Vec<(String, Value)>,
    /// Names bound by `for ... in`.
    bound: Vec<(String, Value)>,
    /// The run that a formula is evaluated of; none for one of all runs.
    run: Option<usize>,
    depth: u32,
}

/// Functions of runs: name and number of arguments.
const FUNCTIONS: [(&str, usize); 19] = [
    ("vcinfo_delays", 2),
    ("mean", 1),
    ("seeds", 1),
    ("half_width", 1),
    ("most", 1),
    ("least", 1),
    ("of_first", 1),
    ("of_each", 1),
    ("runs", 0),
    ("peak", 1),
    ("peak_at", 1),
    ("at_peak", 2),
    ("crossing", 3),
    ("start", 1),
    ("start_at", 0),
    ("end", 1),
    ("end_at", 0),
    ("printed", 1),
    ("router_cost", 4),
];

/// Whether there is a function of runs of this name.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().chain(of_run::functions()).any(|(other, _)| *other == name)
}

/// Names that every formula has.
pub const CONSTANTS: [&str; 3] = ["quick", "form", "nothing"];

impl<'a> Scope<'a> {
    /// All runs.
    pub fn new(study: &'a DataStudy, lab: &'a Lab<'a>, runs: &'a Runs<'a>) -> Self {
        Scope { study, lab, runs, given: Vec::new(), bound: Vec::new(), run: None, depth: 0 }
    }

    /// The same names of one run.
    pub fn of_run(&self, run: usize) -> Self {
        Scope { run: Some(run), ..self.clone() }
    }

    /// The runs that have the given labels.
    pub fn here(&self) -> Vec<usize> {
        let fits = |run: &usize| self.given.iter().all(|(label, value)| self.runs.label(label, *run) == Some(value));
        (0..self.runs.count()).filter(fits).collect()
    }

    /// One scope for each combination of these labels' values that has runs, the last label fastest.
    ///
    /// # Errors
    /// A label that there is not.
    pub fn each(&self, labels: &[&str]) -> Result<Vec<Self>, String> {
        let Some((first, rest)) = labels.split_first() else { return Ok(vec![self.clone()]) };
        let mut all = Vec::new();
        for value in self.values(first)? {
            all.extend(self.given(first, value)?.each(rest)?);
        }
        Ok(all)
    }

    /// One scope for each combination of these labels' values, in the order in which they were run.
    pub fn combinations(&self, labels: &[&str]) -> Result<Vec<Self>, String> {
        let mut seen: Vec<Vec<Value>> = Vec::new();
        for run in self.here() {
            let values = labels.iter().map(|label| self.runs.label(label, run).cloned().ok_or_else(|| none(label)));
            let values: Vec<Value> = values.collect::<Result<_, _>>()?;
            if !seen.contains(&values) {
                seen.push(values);
            }
        }
        let scope = |values: Vec<Value>| {
            labels.iter().zip(values).try_fold(self.clone(), |scope, (label, value)| scope.given(label, value))
        };
        seen.into_iter().map(scope).collect()
    }

    /// The points of a curve: value of the label along which it runs, and its runs.
    pub fn points(&self) -> Result<Vec<(f64, Self)>, String> {
        let along = self.study.along.as_ref().ok_or("the study has no `along`, the label along which curves run")?;
        let values = self.values(along)?;
        values.into_iter().map(|value| Ok((value.number()?, self.given(along, value)?))).collect()
    }

    /// A value of each run here, in the order of the spec.
    fn values_of_each(&self, quantity: &Expr) -> Result<Vec<Value>, String> {
        self.here().into_iter().map(|run| eval(quantity, &self.of_run(run))).collect()
    }

    /// A quantity of each run here, in the order of the spec; NaN where it was not measured.
    fn of_each(&self, quantity: &Expr) -> Result<Vec<f64>, String> {
        self.values_of_each(quantity)?.iter().map(Value::number).collect()
    }

    /// Mean over seeds and its interval; none where one run has no value.
    ///
    /// # Errors
    /// Runs that differ in more than the seed, whose mean would be of different things.
    pub fn summary(&self, quantity: &Expr) -> Result<Option<Summary>, String> {
        let mut seeds: Vec<u64> = self.here().into_iter().map(|run| self.runs.run(run).point.seed).collect();
        seeds.sort_unstable();
        if seeds.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(
                "the runs here differ in more than the seed: give values to more labels, with `for` or `|`".to_owned()
            );
        }
        Ok(summarise(&self.of_each(quantity)?))
    }

    fn mean(&self, quantity: &Expr) -> Result<f64, String> {
        Ok(self.summary(quantity)?.map_or(f64::NAN, |summary| summary.mean))
    }

    /// Where along the curve the mean is highest, how high it is, and the runs there.
    fn peak(&self, quantity: &Expr) -> Result<(f64, f64, Option<Self>), String> {
        let mut peak = (f64::NAN, f64::NAN, None);
        for (x, point) in self.points()? {
            let mean = point.mean(quantity)?;
            if mean >= peak.1 || peak.1.is_nan() && !mean.is_nan() {
                peak = (x, mean, Some(point));
            }
        }
        Ok(peak)
    }

    /// The value of `y` where `x` first reaches `level` along the curve, on the line between the points around it.
    fn crossing(&self, y: &Expr, x: &Expr, level: f64) -> Result<f64, String> {
        let mut before: Option<(f64, f64)> = None;
        for (_, point) in self.points()? {
            let (x1, y1) = (eval(x, &point)?.number()?, eval(y, &point)?.number()?);
            match before {
                Some((x0, y0)) if x1 >= level => return Ok(y0 + (level - x0) * (y1 - y0) / (x1 - x0)),
                None if x1 >= level => return Ok(f64::NAN),
                _ => before = Some((x1, y1)),
            }
        }
        Ok(f64::NAN)
    }

    /// The first or last point of the curve.
    fn end(&self, last: bool) -> Result<Option<(f64, Self)>, String> {
        let mut points = self.points()?;
        Ok(if last { points.pop() } else { points.into_iter().next() })
    }

    fn function(&self, name: &str, arguments: &[Expr]) -> Result<Value, String> {
        let number = |number: f64| Ok(Value::Number(number));
        let quantity = arguments.first().unwrap_or(&Expr::Number(f64::NAN));
        match name {
            "runs" => number(self.here().len() as f64),
            "of_each" => self.values_of_each(quantity).map(Value::List),
            "mean" => number(self.mean(quantity)?),
            "seeds" => Ok(Value::Text(seeds::seeds(self.summary(quantity)?))),
            "half_width" => number(self.summary(quantity)?.and_then(|summary| summary.half_width).unwrap_or(f64::NAN)),
            "most" => number(self.of_each(quantity)?.into_iter().fold(f64::NAN, f64::max)),
            "least" => number(self.of_each(quantity)?.into_iter().fold(f64::NAN, f64::min)),
            "of_first" => self.here().first().map_or(number(f64::NAN), |run| eval(quantity, &self.of_run(*run))),
            "peak" => number(self.peak(quantity)?.1),
            "peak_at" => number(self.peak(quantity)?.0),
            "at_peak" => match self.peak(quantity)?.2 {
                Some(point) => eval(&arguments[1], &point),
                None => number(f64::NAN),
            },
            "crossing" => number(self.crossing(quantity, &arguments[1], eval(&arguments[2], self)?.number()?)?),
            "vcinfo_delays" => {
                let names = (eval(quantity, self)?.told(None), eval(&arguments[1], self)?.told(None));
                let dataset =
                    self.study.datasets.get(&names.0).ok_or_else(|| format!("there is no spec `{}`", names.0))?;
                let delays = self.lab.vcinfo_delays(dataset).map_err(|error| error.to_string())?;
                let found = delays.iter().find(|(way, _)| *way == names.1);
                let counts = found.map_or(Vec::new(), |(_, delays)| delays.counts.to_vec());
                Ok(list_of(counts.into_iter().map(|count| count as f64)))
            }
            "router_cost" => {
                let values = arguments.iter().map(|argument| eval(argument, self)).collect::<Result<Vec<_>, _>>()?;
                number(super::cost::router_cost(&values)?)
            }
            "start_at" | "end_at" => number(self.end(name == "end_at")?.map_or(f64::NAN, |(x, _)| x)),
            "start" | "end" => match self.end(name == "end")? {
                Some((_, point)) => eval(quantity, &point),
                None => number(f64::NAN),
            },
            _ => {
                let Value::Text(path) = eval(quantity, self)? else {
                    return Err("`printed` takes a path of targets.toml in quotation marks".to_owned());
                };
                number(self.lab.targets().at(&path).unwrap_or(f64::NAN))
            }
        }
    }

    /// A function of the run that the formula is evaluated of.
    fn of_one_run(&self, name: &str, arguments: &[Expr]) -> Result<Value, String> {
        let run =
            self.run.ok_or_else(|| format!("`{name}` is of each run (take `mean`, `of_first` or `of_each` of it)"))?;
        let values = arguments.iter().map(|argument| eval(argument, self)).collect::<Result<Vec<_>, _>>()?;
        of_run::call(self.runs.run(run), name, &values)
    }

    /// The value of a definition; `None` where there is none of this name and number of arguments.
    fn defined(&self, name: &str, arguments: &[Expr]) -> Option<Result<Value, String>> {
        let (names, formula) = self.study.defined(name).filter(|(names, _)| names.len() == arguments.len())?;
        if self.depth > DEEPEST {
            return Some(Err(format!("`{name}` is defined by itself")));
        }
        let mut scope = Scope { bound: Vec::new(), depth: self.depth + 1, given: self.given.clone(), ..*self };
        for (name, argument) in names.iter().zip(arguments) {
            match eval(argument, self) {
                Ok(value) => scope.bound.push((name.clone(), value)),
                Err(fault) => return Some(Err(fault)),
            }
        }
        Some(match self.run.filter(|_| names.is_empty()) {
            Some(run) => self.runs.once(run, name, || eval(&formula.is, &scope)),
            None => eval(&formula.is, &scope),
        })
    }

    fn constant(&self, name: &str) -> Option<Value> {
        match name {
            "quick" => Some(Value::Truth(self.lab.quick())),
            "form" => Some(Value::Text((if self.lab.quick() { self.study.short_form() } else { "" }).to_owned())),
            "nothing" => Some(Value::Number(f64::NAN)),
            _ => None,
        }
    }
}

fn none(label: &str) -> String {
    format!("no run here has a label `{label}`")
}

impl Names for Scope<'_> {
    fn value(&self, name: &str) -> Result<Value, String> {
        let of =
            |names: &[(String, Value)]| names.iter().rev().find(|(n, _)| n == name).map(|(_, value)| value.clone());
        if let Some(value) = of(&self.bound).or_else(|| self.constant(name)) {
            return Ok(value);
        }
        let labelled = self.run.and_then(|run| self.runs.label(name, run).cloned());
        if let Some(value) = labelled.or_else(|| of(&self.given)) {
            return Ok(value);
        }
        if let Some(found) = self.defined(name, &[]) {
            return found;
        }
        match self.run {
            Some(run) => self.runs.value(run, name),
            None => Err(format!(
                "`{name}` has no one value here: it is of each run (take `mean({name})` or another function of runs), or a label \
                 that no `for` and no condition gives a value"
            )),
        }
    }

    fn whole(&self, name: &str) -> bool {
        self.bound.iter().chain(&self.given).any(|(other, _)| other == name)
            || self.run.is_some_and(|run| self.runs.label(name, run).is_some())
    }

    fn call(&self, name: &str, arguments: &[Expr]) -> Option<Result<Value, String>> {
        // `top(| scheme = 'RECN')` is the definition `top` with conditions.
        if let Some(found) = self.defined(name, arguments) {
            return Some(found);
        }
        let (_, count) = FUNCTIONS.iter().chain(of_run::functions()).find(|(other, _)| *other == name)?;
        if arguments.len() != *count {
            return Some(Err(format!("`{name}` takes {count} arguments, found {}", arguments.len())));
        }
        if of_run::functions().any(|(other, _)| *other == name) {
            return Some(self.of_one_run(name, arguments));
        }
        if self.run.is_some() && !["printed", "router_cost"].contains(&name) {
            return Some(Err(format!("`{name}` is of all runs, and stands here in a formula of each run")));
        }
        Some(self.function(name, arguments))
    }

    fn given(&self, label: &str, value: Value) -> Result<Self, String> {
        if !self.runs.has_label(label) {
            return Err(format!("there is no label `{label}`"));
        }
        let mut scope = self.clone();
        scope.given.retain(|(other, _)| other != label);
        scope.given.push((label.to_owned(), value));
        Ok(scope)
    }

    fn with(&self, name: &str, value: Value) -> Self {
        let mut scope = self.clone();
        scope.bound.push((name.to_owned(), value));
        scope
    }

    fn values(&self, label: &str) -> Result<Vec<Value>, String> {
        let mut values: Vec<Value> = Vec::new();
        for run in self.here() {
            let value = self.runs.label(label, run).ok_or_else(|| none(label))?;
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        self.runs.in_order(label, &mut values);
        Ok(values)
    }
}
