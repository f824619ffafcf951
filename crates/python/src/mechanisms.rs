//! A point run with mechanisms in Python.

use crate::failure::spec_error;
use crate::local_rule::LocalRule;
use crate::rule::{Fate, Rule, network};
use crate::work::Counts;
use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tailback_sim::{Control, Finding, Outcome, Prepared, Table, prepare};
use tailback_spec::{Errors, Point};

/// Mechanisms in Python, in the place of those of the spec.
#[derive(Default)]
pub struct Mechanisms {
    /// An admission rule.
    pub admission: Option<Py<PyAny>>,
    /// A traffic pattern.
    pub pattern: Option<Py<PyAny>>,
}

impl Mechanisms {
    /// Whether there are none.
    pub fn none(&self) -> bool {
        self.admission.is_none() && self.pattern.is_none()
    }

    /// Runs a point with them.
    ///
    /// # Errors
    /// What they raise; `SpecError` where they do not go with the point.
    pub fn run(&self, point: &Point, counts: &Counts) -> PyResult<Outcome> {
        let mut findings = Vec::new();
        let mut prepared = prepare(point).map_err(refused)?;
        if let Some(pattern) = &self.pattern {
            let start = Instant::now();
            let table = table(pattern, &prepared)?;
            prepared = prepared.with_table(&table).map_err(refused)?;
            findings.push(seconds("pattern_seconds", start.elapsed().as_secs_f64()));
        }
        let fate = Arc::new(Mutex::new(Fate::default()));
        if let Some(rule) = &self.admission {
            prepared = with_rule(prepared, rule, &fate, counts)?;
        }
        let control = Control { cancel: &counts.cancel, cycles_done: &counts.cycles, threads: 1 };
        let mut left = tailback_sim::run(&prepared, &control);
        let fate = std::mem::take(&mut *fate.lock().unwrap_or_else(PoisonError::into_inner));
        if let Some(error) = fate.error {
            return Err(error);
        }
        if self.admission.is_some() {
            let (calls, time) = fate.cost;
            findings.push(Finding { name: "rule_calls".into(), unit: "".into(), value: calls as f64 });
            findings.push(seconds("rule_seconds", time.as_secs_f64()));
        }
        left.findings.extend(findings);
        Ok(left)
    }
}

fn seconds(name: &'static str, value: f64) -> Finding {
    Finding { name: name.into(), unit: "seconds".into(), value }
}

fn refused(errors: Errors) -> PyErr {
    Python::attach(|py| spec_error(py, &errors))
}

fn with_rule(prepared: Prepared, made: &Py<PyAny>, fate: &Arc<Mutex<Fate>>, counts: &Counts) -> PyResult<Prepared> {
    let (epoch_cycles, local): (u64, bool) = Python::attach(|py| {
        let made = made.bind(py);
        PyResult::Ok((made.getattr("epoch_cycles")?.extract()?, made.getattr("local")?.extract()?))
    })?;
    let (fate, cancel) = (Arc::clone(fate), Arc::clone(&counts.cancel));
    let ruled = if local {
        let rule = LocalRule::new(made, &prepared, fate, cancel)?;
        prepared.with_local_rule(rule, epoch_cycles)
    } else {
        let rule = Rule::new(made, &prepared, fate, cancel)?;
        prepared.with_rule(rule, epoch_cycles)
    };
    ruled.map_err(refused)
}

/// The table of a pattern, which answers destinations as 32-bit integers or weights as 64-bit floats.
fn table(made: &Py<PyAny>, prepared: &Prepared) -> PyResult<Table> {
    let nodes = prepared.network().nodes();
    Python::attach(|py| {
        let answer = made.bind(py).call_method1("begin", network(prepared))?;
        let table = match PyBuffer::<u32>::get(&answer) {
            Ok(destinations) => Table::of_destinations(&destinations.to_vec(py)?),
            Err(_) => Table::of_weights(&PyBuffer::<f64>::get(&answer)?.to_vec(py)?, nodes),
        };
        table.map_err(PyValueError::new_err)
    })
}
