//! One item: its cells, and what makes its pictures and claims.

use super::form::{Cells, Given, Item, Measured};
use super::runs::{Runs, plain};
use super::scope::Scope;
use super::study::DataStudy;
use super::{claims, figures, space_time};
use crate::formula::{Formula, Names as _, Text, Value, eval, text};
use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};
use std::collections::BTreeMap;
use toml::Spanned;

/// Runs the specs of an item and measures it.
///
/// # Errors
/// A refused spec, an interruption, or a formula that has no value.
pub fn measure(study: &'static DataStudy, lab: &Lab, name: &'static str) -> Result<Part, StudyError> {
    let item = study.item(name);
    if let Some(absent) = item.not_in_short_form.as_ref().filter(|_| lab.quick()) {
        let verdict = |claim: &'static super::form::Judged| {
            (claim.id.get_ref().as_str(), None, format!("not judged: {}", absent.claims))
        };
        let verdicts = item.claim.iter().map(verdict).collect();
        return Ok(Part { notes: vec![absent.note.clone()], verdicts, ..Part::default() });
    }
    let none = BTreeMap::new();
    let runs = Runs::of(study, lab, &specs(item, lab.quick()), &none)?;
    let scope = Scope::new(study, lab, &runs);
    let mut part = Part::default();
    for table in &item.table {
        let own: Vec<&str> = table.specs.iter().map(|spec| spec.get_ref().as_str()).collect();
        if own.is_empty() && table.label.is_empty() {
            part.cells.extend(cells(&scope, table, name)?);
        } else {
            let specs = if own.is_empty() { specs(item, lab.quick()) } else { own };
            let runs = Runs::of(study, lab, &specs, &table.label)?;
            part.cells.extend(cells(&Scope::new(study, lab, &runs), table, name)?);
        }
    }
    for figure in &item.figure {
        part.figures.extend(figures::figures(&scope, figure, name)?);
    }
    for charts in &item.space_time {
        part.figures.extend(space_time::pictures(&scope, charts)?);
    }
    for claim in &item.claim {
        if claim.specs.is_empty() {
            part.verdicts.push(claims::verdict(&scope, claim)?);
        } else {
            let own: Vec<&str> = claim.specs.iter().map(|spec| spec.get_ref().as_str()).collect();
            let runs = Runs::of(study, lab, &own, &none)?;
            part.verdicts.push(claims::verdict(&Scope::new(study, lab, &runs), claim)?);
        }
    }
    for note in &item.notes {
        part.notes.extend(Some(told(&scope, note)?).filter(|note| !note.is_empty()));
    }
    Ok(part)
}

/// Whether the specs of an item are what the study says of them.
#[cfg(test)]
pub fn check_facts(study: &'static DataStudy, lab: &Lab, name: &str) -> Result<(), StudyError> {
    let none = BTreeMap::new();
    let item = study.item(name);
    let tables = item.table.iter().map(|table| (&table.specs, &table.label));
    tables.chain([(&item.specs, &none)]).try_for_each(|(specs, own)| {
        let specs: Vec<&str> = specs.iter().map(|spec| spec.get_ref().as_str()).collect();
        Runs::of(study, lab, &specs, own).map(|_| ())
    })
}

/// The specs of an item in this form.
fn specs(item: &Item, quick: bool) -> Vec<&str> {
    let quick = item.quick_specs.as_ref().filter(|_| quick);
    quick.unwrap_or(&item.specs).iter().map(|spec| spec.get_ref().as_str()).collect()
}

fn cells(scope: &Scope, table: &'static Cells, item: &'static str) -> Result<Vec<Cell>, StudyError> {
    let mut found = Vec::new();
    let scope = &given(scope, &table.given)?;
    let mut each = Vec::new();
    for scope in over(scope.clone(), &table.over) {
        each.extend(loops(&scope, &table.loops)?);
    }
    if let Some(first) = table.combinations.first() {
        let labels: Vec<&str> = table.combinations.iter().map(|label| label.get_ref().as_str()).collect();
        let fault = |fault: String| StudyError::Form(scope.study.fault(&first.span(), &fault));
        each = scope.combinations(&labels).map_err(fault)?;
    }
    for scope in &each {
        if !allowed(scope, table.only.as_ref())? {
            continue;
        }
        let row = told(scope, &table.row)?;
        for measured in &table.cell {
            for scope in &loops(scope, &measured.loops)? {
                if allowed(scope, measured.only.as_ref())? {
                    found.push(cell(scope, measured, &row, item)?);
                }
            }
        }
    }
    Ok(found)
}

fn cell(scope: &Scope, form: &'static Measured, row: &str, item: &'static str) -> Result<Cell, StudyError> {
    let some = |number: f64| (!number.is_nan()).then_some(number);
    let printed = form.printed.as_ref().map(|printed| number(scope, printed)).transpose()?.and_then(some);
    let values = (printed, some(number(scope, &form.value)?));
    let seen = |number: Option<f64>| Value::Number(number.unwrap_or(f64::NAN));
    let scope = &scope.with("paper", seen(values.0)).with("measured", seen(values.1));
    let row = form.row.as_ref().map_or(Ok(row.to_owned()), |row| told(scope, row))?;
    let mut cell = Cell::new(item, row, told(scope, &form.column)?, form.unit.as_str(), values);
    if let Some(note) = &form.note {
        let note = told(scope, note)?;
        cell = if note.is_empty() { cell } else { cell.note(note) };
    }
    match &form.require {
        Some(required) if allowed(scope, required.only.as_ref())? => {
            Ok(cell.require(told(scope, &required.what)?, truth(scope, &required.rule)?))
        }
        _ => Ok(cell),
    }
}

/// One scope for each combination of values of these lists; a single value is a list of one.
pub fn over<'a>(scope: Scope<'a>, lists: &toml::Table) -> Vec<Scope<'a>> {
    lists.iter().fold(vec![scope], |scopes, (name, list)| {
        let values = match plain(list) {
            Some(Value::List(values)) => values,
            value => value.into_iter().collect(),
        };
        scopes.iter().flat_map(|scope| values.iter().map(|value| scope.with(name, value.clone()))).collect()
    })
}

/// The runs whose labels have these values.
pub fn given<'a>(scope: &Scope<'a>, given: &Given) -> Result<Scope<'a>, StudyError> {
    given.iter().try_fold(scope.clone(), |scope, (label, value)| {
        let found = plain(value).ok_or("expected a number, a text, or true or false".to_owned());
        let found = found.and_then(|value| scope.given(label.get_ref(), value));
        found.map_err(|fault| StudyError::Form(scope.study.fault(&label.span(), &fault)))
    })
}

/// One scope for each combination of labels that has runs.
pub fn loops<'a>(scope: &Scope<'a>, labels: &[Spanned<String>]) -> Result<Vec<Scope<'a>>, StudyError> {
    let names: Vec<&str> = labels.iter().map(|label| label.get_ref().as_str()).collect();
    let span = labels.first().map_or(0..0, Spanned::span);
    scope.each(&names).map_err(|fault| StudyError::Form(scope.study.fault(&span, &fault)))
}

/// Whether a condition is there and false.
pub fn allowed(scope: &Scope, only: Option<&Formula>) -> Result<bool, StudyError> {
    only.map_or(Ok(true), |only| truth(scope, only))
}

/// The number of a formula.
pub fn number(scope: &Scope, formula: &Formula) -> Result<f64, StudyError> {
    let number = eval(&formula.is, scope).and_then(|value| value.number());
    number.map_err(|fault| StudyError::Form(scope.study.fault(&formula.span, &fault)))
}

/// The list of a formula.
pub fn list(scope: &Scope, formula: &Formula) -> Result<Vec<Value>, StudyError> {
    let list = eval(&formula.is, scope).and_then(|value| value.list().map(<[Value]>::to_vec));
    list.map_err(|fault| StudyError::Form(scope.study.fault(&formula.span, &fault)))
}

/// Whether a rule holds.
pub fn truth(scope: &Scope, formula: &Formula) -> Result<bool, StudyError> {
    let truth = eval(&formula.is, scope).and_then(|value| value.truth());
    truth.map_err(|fault| StudyError::Form(scope.study.fault(&formula.span, &fault)))
}

/// A text with its numbers.
pub fn told(scope: &Scope, pieces: &Text) -> Result<String, StudyError> {
    text(&pieces.is, scope).map_err(|fault| StudyError::Form(scope.study.fault(&pieces.span, &fault)))
}
