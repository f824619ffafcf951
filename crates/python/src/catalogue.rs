//! Everything a spec may say and a record may hold, for the builders and their stubs.

use crate::values::from_json;
use pyo3::prelude::*;
use serde_json::{Value, json};
use tailback_results::schema::{COLUMNS, Column, Kind as Of};
use tailback_spec::{Fallback, Kind, Param, Section};

/// The sections of a spec with their kinds and parameters, and the presets.
#[pyfunction]
pub fn catalogue(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let catalogue = tailback_sim::catalogue();
    let presets = catalogue.presets.iter();
    let presets = presets.map(|p| json!({ "name": p.name, "summary": p.summary, "paper": p.paper }));
    let sections = catalogue.sections.iter().map(section);
    from_json(py, &json!({ "sections": sections.collect::<Vec<_>>(), "presets": presets.collect::<Vec<_>>() }))
}

/// A column: name, unit, meaning, kind of its values.
type Described = (&'static str, &'static str, &'static str, &'static str);

/// The columns of a record.
#[pyfunction]
pub fn columns() -> Vec<Described> {
    let kind = |column: &Column| match column.kind {
        Of::Bool => "bool",
        Of::Integer => "integer",
        Of::Float => "float",
        Of::Text => "text",
    };
    COLUMNS.iter().map(|column| (column.name, column.unit, column.meaning, kind(column))).collect()
}

fn section(section: &Section) -> Value {
    let kinds = section.entries.iter().map(|entry| {
        json!({
            "name": entry.name, "summary": entry.summary, "paper": entry.paper, "ideal": entry.ideal,
            "params": entry.params.iter().map(param).collect::<Vec<_>>(),
        })
    });
    json!({
        "path": section.path, "doc": section.doc, "default": section.default_entry,
        "params": section.params.iter().map(param).collect::<Vec<_>>(), "kinds": kinds.collect::<Vec<_>>(),
    })
}

fn param(param: &Param) -> Value {
    json!({
        "name": param.name, "type": kind(&param.kind), "unit": param.unit, "doc": param.doc, "default": param.fallback.json(),
        "required": param.fallback == Fallback::Required,
    })
}

fn kind(kind: &Kind) -> Value {
    let whole = |least: i64, most: i64| json!({ "min": least, "max": (most < i64::MAX).then_some(most) });
    let with = |name: &str, mut range: Value| {
        range["is"] = json!(name);
        range
    };
    match *kind {
        Kind::Bool => json!({ "is": "bool" }),
        Kind::Integer { min, max } => with("integer", whole(min, max)),
        Kind::Float { min, max } => with("float", json!({ "min": min, "max": (max < f64::MAX).then_some(max) })),
        Kind::IntegerOrInfinite { min, max } => {
            with("integer", json!({ "min": min, "max": (max < i64::MAX).then_some(max), "word": "infinite" }))
        }
        Kind::IntegerOrAuto { min, max } => {
            with("integer", json!({ "min": min, "max": (max < i64::MAX).then_some(max), "word": "auto" }))
        }
        Kind::Choice(words) => {
            json!({ "is": "choice", "words": words.iter().map(|(word, doc)| json!([word, doc])).collect::<Vec<_>>() })
        }
        Kind::Text => json!({ "is": "text" }),
        Kind::Path => json!({ "is": "path" }),
        Kind::Integers { min, max, .. } => with("integers", whole(min, max)),
        Kind::Floats { min, max, .. } => with("floats", json!({ "min": min, "max": (max < f64::MAX).then_some(max) })),
        Kind::Rows { min, max, .. } => with("rows", whole(min, max)),
        Kind::Component(section) => json!({ "is": "component", "section": section }),
        Kind::Settings => json!({ "is": "settings" }),
        Kind::Tables(params) => {
            json!({ "is": "tables", "params": params.iter().map(self::param).collect::<Vec<_>>() })
        }
    }
}
