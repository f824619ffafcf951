//! The runs of a table, figure or claim, with their labels.

use super::form::Label;
use super::scope::Scope;
use super::study::{DataStudy, Fault};
use crate::formula::{Names as _, Value, eval};
use crate::lab::{Lab, Run};
use crate::reproduce::{Form, StudyError};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Runs of some specs.
pub struct Runs<'a> {
    specs: Vec<Rc<Vec<Run>>>,
    /// Spec and number of every run.
    places: Vec<(usize, usize)>,
    /// Columns of every run's record.
    rows: Vec<serde_json::Map<String, serde_json::Value>>,
    /// Values of every label, one for each run; none where a run's spec does not give it.
    labels: BTreeMap<&'a str, Vec<Option<Value>>>,
    /// Values of definitions of one run, by run and name: columns over time take long to smooth.
    known: RefCell<HashMap<(usize, String), Value>>,
    /// What labels are.
    declared: BTreeMap<&'a str, &'a Label>,
}

impl<'a> Runs<'a> {
    /// Runs these specs.
    ///
    /// # Errors
    /// A refused spec, an interruption, or a label that a run has no value for.
    pub fn of(
        study: &'a DataStudy,
        lab: &'a Lab<'a>,
        specs: &[&'a str],
        own: &'a BTreeMap<String, Label>,
    ) -> Result<Self, StudyError> {
        let mut runs = Runs {
            specs: Vec::new(),
            places: Vec::new(),
            rows: Vec::new(),
            labels: BTreeMap::new(),
            known: RefCell::default(),
            declared: study.labels().chain(own).map(|(name, label)| (name.as_str(), label)).collect(),
        };
        for (at, spec) in specs.iter().enumerate() {
            let found = lab.runs(study.dataset(spec))?;
            let name = Some(Value::Text((*spec).to_owned()));
            runs.labels.entry("spec").or_default().extend(found.iter().map(|_| name.clone()));
            runs.places.extend((0..found.len()).map(|run| (at, run)));
            for run in found.iter() {
                runs.rows.push(run.outcome.record.row()?);
            }
            runs.specs.push(found);
        }
        for (name, label) in runs.declared.clone() {
            let values = runs.label_values(study, lab, specs, (name, label)).map_err(StudyError::Form)?;
            runs.labels.insert(name, values);
        }
        if lab.form() == Form::Full {
            runs.check_facts(study, lab, specs).map_err(StudyError::Form)?;
        }
        Ok(runs)
    }

    fn label_values(
        &self,
        study: &'a DataStudy,
        lab: &'a Lab<'a>,
        specs: &[&'a str],
        (name, label): (&str, &Label),
    ) -> Result<Vec<Option<Value>>, Fault> {
        let of = |run: usize| {
            if let Some(value) = study.spec_label(specs[self.places[run].0], name) {
                return Ok(Some(value));
            }
            let Some(formula) = &label.of else { return Ok(None) };
            let value = eval(&formula.is, &Scope::new(study, lab, self).of_run(run));
            let value = value.map_err(|fault| study.fault(&formula.span, &fault))?;
            Ok(Some(named(label, value)))
        };
        (0..self.places.len()).map(of).collect()
    }

    /// Finds the first run that has not what the study says of all.
    fn check_facts(&self, study: &'a DataStudy, lab: &'a Lab<'a>, specs: &[&'a str]) -> Result<(), Fault> {
        let all = Scope::new(study, lab, self);
        for (fact, (run, place)) in
            study.form.fact.iter().flat_map(|fact| self.places.iter().enumerate().map(move |p| (fact, p)))
        {
            let spec = specs[place.0];
            if !fact.specs.is_empty() && fact.specs.iter().all(|other| other.get_ref() != spec) {
                continue;
            }
            let together = all.given("spec", Value::Text(spec.to_owned()));
            let first = place.1 == 0;
            let rules = [
                (fact.rule.as_ref(), Ok(all.of_run(run)), "a run"),
                (fact.together.as_ref().filter(|_| first), together, "the runs"),
            ];
            for (rule, scope, whom) in rules {
                let Some(rule) = rule else { continue };
                let holds = scope.and_then(|scope| eval(&rule.is, &scope)).and_then(|value| value.truth());
                if !holds.map_err(|fault| study.fault(&rule.span, &fault))? {
                    return Err(study.fault(&rule.span, &format!("this does not hold for {whom} of the spec `{spec}`")));
                }
            }
        }
        Ok(())
    }

    /// How many they are.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// A run.
    pub fn run(&self, run: usize) -> &Run {
        let (spec, at) = self.places[run];
        &self.specs[spec][at]
    }

    /// The value of a definition of a run, which is found once.
    ///
    /// # Errors
    /// Those of finding it.
    pub fn once(&self, run: usize, name: &str, find: impl FnOnce() -> Result<Value, String>) -> Result<Value, String> {
        let key = (run, name.to_owned());
        if let Some(value) = self.known.borrow().get(&key) {
            return Ok(value.clone());
        }
        let value = find()?;
        self.known.borrow_mut().insert(key, value.clone());
        Ok(value)
    }

    /// Whether there is such a label.
    pub fn has_label(&self, label: &str) -> bool {
        label == "spec" || self.declared.contains_key(label)
    }

    /// The value of a label of a run.
    pub fn label(&self, label: &str, run: usize) -> Option<&Value> {
        self.labels.get(label)?.get(run)?.as_ref()
    }

    /// Puts values of a label into the order of its names, or numbers into theirs. Others stay as they were run.
    pub fn in_order(&self, label: &str, values: &mut [Value]) {
        let names: Vec<Value> =
            self.declared.get(label).map_or(Vec::new(), |label| label.names.values().filter_map(plain).collect());
        if !names.is_empty() {
            values.sort_by_key(|value| names.iter().position(|name| name == value));
        } else if values.iter().all(|value| matches!(value, Value::Number(_))) {
            let number = |value: &Value| value.number().unwrap_or(f64::NAN);
            values.sort_by(|a, b| number(a).total_cmp(&number(b)));
        }
    }

    /// A setting by its path, or a column of a run's record.
    ///
    /// # Errors
    /// Neither is there.
    pub fn value(&self, run: usize, name: &str) -> Result<Value, String> {
        if let Some(setting) = self.run(run).point.resolved.get(name).and_then(plain) {
            return Ok(setting);
        }
        match self.rows[run].get(name) {
            Some(serde_json::Value::String(text)) => Ok(Value::Text(text.clone())),
            Some(serde_json::Value::Bool(truth)) => Ok(Value::Truth(*truth)),
            Some(other) => Ok(Value::Number(other.as_f64().unwrap_or(f64::NAN))),
            None => Err(format!("there is no label, definition, column of the record or setting `{name}`")),
        }
    }
}

/// What the paper calls a value.
fn named(label: &Label, value: Value) -> Value {
    label.names.get(&value.to_string()).and_then(plain).unwrap_or(value)
}

/// A value of TOML.
pub fn plain(value: &toml::Value) -> Option<Value> {
    match value {
        toml::Value::String(text) => Some(Value::Text(text.clone())),
        toml::Value::Integer(number) => Some(Value::Number(*number as f64)),
        toml::Value::Float(number) => Some(Value::Number(*number)),
        toml::Value::Boolean(truth) => Some(Value::Truth(*truth)),
        toml::Value::Array(list) => list.iter().map(plain).collect::<Option<_>>().map(Value::List),
        _ => None,
    }
}
