//! What names mean in a study's formulas: labels, definitions, columns of the record, settings; and functions of runs.

use super::functions::FUNCTIONS;
use super::of_run;
use super::runs::Runs;
use super::study::DataStudy;
use crate::formula::{Expr, Names, Value, eval};
use crate::lab::Lab;

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

    /// A function of the run that the formula is evaluated of.
    fn of_one_run(&self, name: &str, arguments: &[Expr]) -> Result<Value, String> {
        let run =
            self.run.ok_or_else(|| format!("`{name}` is of each run (take `mean`, `of_first` or `of_each` of it)"))?;
        let values = arguments.iter().map(|argument| eval(argument, self)).collect::<Result<Vec<_>, _>>()?;
        of_run::call(self.runs.run(run), name, &values)
    }

    /// The value of a definition; `None` where there is none of this name and number of arguments.
    fn defined(&self, name: &str, arguments: &[Expr]) -> Option<Result<Value, String>> {
        let (names, formula) =
            self.study.defined_under(name, self.lab.reading()).filter(|(names, _)| names.len() == arguments.len())?;
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
