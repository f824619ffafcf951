//! One item: its cells, and what makes its pictures and claims.

use super::form::{Cells, Item, Measured};
use super::questions::Counts;
use super::runs::Runs;
use super::scope::Scope;
use super::study::DataStudy;
use super::values::{allowed, given, loops, number, over, placed, told, truth, words};
use super::{claims, figures, space_time};
use crate::formula::{Names as _, Value};
use crate::lab::Lab;
use crate::reproduce::{Form, StudyError};
use crate::study::{Cell, Chosen, Figure, Part};
use std::collections::BTreeMap;

/// Runs the specs of an item and measures it.
///
/// # Errors
/// A refused spec, an interruption, or a formula that has no value.
pub fn measure(study: &'static DataStudy, lab: &Lab, name: &'static str) -> Result<Part, StudyError> {
    let item = study.item(name);
    if let Some(absent) = item.not_in_short_form.as_ref().filter(|_| lab.quick()) {
        let verdicts = item.claim.iter().map(|claim| claim.absent(&absent.claims)).collect();
        return Ok(Part { notes: vec![absent.note.clone()], verdicts, ..Part::default() });
    }
    let none = BTreeMap::new();
    let runs = Runs::of(study, lab, &specs(item, lab.quick()), &none)?;
    let scope = Scope::new(study, lab, &runs);
    let mut part = Part::default();
    for table in &item.table {
        let own = words(&table.specs);
        if own.is_empty() && table.label.is_empty() {
            part.cells.extend(cells(&scope, table, name)?);
        } else {
            let specs = if own.is_empty() { specs(item, lab.quick()) } else { own };
            let runs = Runs::of(study, lab, &specs, &table.label)?;
            part.cells.extend(cells(&Scope::new(study, lab, &runs), table, name)?);
        }
    }
    if lab.form() != Form::Search {
        part.figures = pictures(&scope, item, name)?;
    }
    for claim in &item.claim {
        if claim.specs.is_empty() {
            part.verdicts.push(claims::verdict(&scope, claim)?);
        } else {
            let runs = Runs::of(study, lab, &words(&claim.specs), &none)?;
            part.verdicts.push(claims::verdict(&Scope::new(study, lab, &runs), claim)?);
        }
    }
    for note in &item.notes {
        part.notes.extend(Some(told(&scope, note)?).filter(|note| !note.is_empty()));
    }
    Ok(part)
}

fn pictures(scope: &Scope, item: &'static Item, name: &'static str) -> Result<Vec<Figure>, StudyError> {
    let mut pictures = Vec::new();
    for figure in &item.figure {
        pictures.extend(figures::figures(scope, figure, name)?);
    }
    for charts in &item.space_time {
        pictures.extend(space_time::pictures(scope, charts)?);
    }
    Ok(pictures)
}

/// Whether the specs of an item are what the study says of them.
#[cfg(test)]
pub fn check_facts(study: &'static DataStudy, lab: &Lab, name: &str) -> Result<(), StudyError> {
    let none = BTreeMap::new();
    let item = study.item(name);
    let tables = item.table.iter().map(|table| (&table.specs, &table.label));
    tables
        .chain([(&item.specs, &none)])
        .try_for_each(|(specs, own)| Runs::of(study, lab, &words(specs), own).map(|_| ()))
}

/// All specs whose runs an item looks at in the full form.
pub fn specs_of(item: &Item) -> impl Iterator<Item = &str> {
    let tables = item.table.iter().map(|table| &table.specs);
    let claims = item.claim.iter().map(|claim| &claim.specs);
    tables.chain(claims).chain([&item.specs]).flatten().map(|name| name.get_ref().as_str())
}

/// The specs of an item in this form.
fn specs(item: &Item, quick: bool) -> Vec<&str> {
    let quick = item.quick_specs.as_ref().filter(|_| quick);
    words(quick.unwrap_or(&item.specs))
}

fn cells(scope: &Scope, table: &'static Cells, item: &'static str) -> Result<Vec<Cell>, StudyError> {
    let mut found = Vec::new();
    let scope = &given(scope, &table.given)?;
    let mut each = Vec::new();
    for scope in over(scope.clone(), &table.over) {
        each.extend(loops(&scope, &table.loops)?);
    }
    if let Some(first) = table.combinations.first() {
        each = placed(scope, &first.span(), scope.combinations(&words(&table.combinations)))?;
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
    cell.peer_value = form.peer.as_ref().map(|peer| number(scope, peer)).transpose()?.and_then(some);
    if let Some(note) = &form.note {
        let note = told(scope, note)?;
        cell = if note.is_empty() { cell } else { cell.note(note) };
    }
    cell.chosen = chosen(scope, form, &cell)?;
    match &form.require {
        Some(required) if allowed(scope, required.only.as_ref())? => {
            Ok(cell.require(told(scope, &required.what)?, truth(scope, &required.rule)?))
        }
        _ => Ok(cell),
    }
}

/// How a search of readings takes a cell; none where nothing is printed, or where the study says that it does not count.
fn chosen(scope: &Scope, form: &'static Measured, cell: &Cell) -> Result<Option<Chosen>, StudyError> {
    let Some(search) = scope.study.form.search.as_ref().filter(|_| cell.paper_value.is_some()) else { return Ok(None) };
    let choose = form.choose.as_ref();
    let counts = choose.map_or(Counts::Cell, |choose| choose.counts);
    if counts == Counts::Nothing || !allowed(scope, choose.and_then(|choose| choose.only.as_ref()))? {
        return Ok(None);
    }
    let held_back = choose.and_then(|choose| choose.held_back.as_ref());
    let held_back = held_back.map_or(Ok(false), |held_back| truth(scope, held_back))?;
    let met = choose.and_then(|choose| choose.met.as_ref()).unwrap_or(&search.met);
    let met = cell.measured.is_some() && truth(scope, met)?;
    Ok(Some(Chosen { sign: counts == Counts::Sign, held_back, met }))
}
