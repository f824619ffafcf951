//! Published papers as executable studies.

use crate::failure::usage;
use crate::values::from_json;
use crate::work::{Progress, finished};
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use tailback_studies::{Form, Settings, Study, paper};

/// Key, title, and items with their summaries.
type Described = (&'static str, &'static str, Vec<(&'static str, &'static str)>);

/// The papers: key, title, and items with their summaries.
#[pyfunction]
pub fn papers() -> Vec<Described> {
    let items = |paper: &tailback_studies::Paper| paper.items.iter().map(|item| (item.name, item.summary)).collect();
    tailback_studies::papers().iter().map(|paper| (paper.key, paper.title, items(paper))).collect()
}

/// Reproduces items of a paper, all where none are named; the study as plain data, and the exception that stopped it.
///
/// # Errors
/// `UsageError` for a paper, an item or a reading that there is not.
#[pyfunction]
pub fn reproduce<'py>(
    py: Python<'py>,
    key: &str,
    items: Vec<String>,
    quick: bool,
    reading: Option<String>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Bound<'py, PyAny>, Option<Py<PyBaseException>>)> {
    let Some(paper) = paper(key) else {
        let keys = tailback_studies::papers().iter().map(|p| p.key).collect::<Vec<_>>().join(", ");
        return Err(usage(py, format!("there is no paper `{key}`; there are {keys}")));
    };
    let reading = reading.map(|name| paper.reading(&name)).transpose().map_err(|error| usage(py, error))?;
    let form = if quick { Form::Short } else { Form::Full };
    let (study, stopped) = finished(py, &Progress::new(progress), |counts| {
        let told = |progress: tailback_studies::Progress<'_>| {
            counts.points.store(progress.done, Ordering::Relaxed);
            counts.all.store(progress.total, Ordering::Relaxed);
        };
        let settings = Settings { items, form, reading, threads, kept: None, cancel: &counts.cancel, progress: &told };
        tailback_studies::reproduce(paper, &settings)
    });
    let study = study.map_err(|error| usage(py, error))?;
    Ok((from_json(py, &plain(&study))?, stopped.map(|error| error.into_value(py))))
}

fn plain(study: &Study) -> Value {
    let cells = study.cells.iter().map(|cell| {
        json!({
            "item": cell.item, "row": cell.row, "column": cell.column, "paper_value": cell.paper_value,
            "measured": cell.measured, "unit": cell.unit, "deviation": cell.deviation, "note": cell.note,
            "required": cell.required, "ok": cell.ok,
        })
    });
    let claims = study.claims.iter();
    let claims = claims.map(|c| {
        let evidence = c.whole_evidence();
        json!({ "id": c.id, "text": c.text, "holds": c.holds, "evidence": evidence })
    });
    let figures = study.figures.iter().map(|f| json!({ "name": f.name, "caption": f.caption, "svg": f.svg }));
    json!({
        "paper": study.paper.key, "title": study.paper.title, "quick": study.quick, "reading": study.reading.name(), "items": study.items,
        "cells": cells.collect::<Vec<_>>(), "claims": claims.collect::<Vec<_>>(),
        "figures": figures.collect::<Vec<_>>(), "notes": study.notes, "text": study.text(),
        "markdown": study.markdown(), "report": study.report().html(),
    })
}
