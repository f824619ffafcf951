//! Curves of completion time as one JSON object.

use super::{Curves, page};
use crate::study::spread;
use serde_json::{Map, Value, json};
use tailback_summary::points::Point;
use tailback_summary::variants::Variant;

/// One object with all curves.
pub fn json(curves: &Curves) -> String {
    json!({
        "workload": "program",
        "x": curves.x,
        "x_unit": crate::curves::unit_of(curves.x),
        "unit": "cycles",
        "headline": page::headline(curves),
        "runs": curves.runs.0,
        "complete": curves.runs.0 == curves.runs.1,
        "variants": curves.variants.iter().map(|of| variant(of, curves.x)).collect::<Vec<_>>(),
    })
    .to_string()
}

fn variant(variant: &Variant, x: &str) -> Value {
    let parameters: Map<String, Value> =
        variant.parameters.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    json!({
        "name": variant.name,
        "label": variant.label,
        "parameters": parameters,
        "points": variant.points.iter().map(|of| point(of, x)).collect::<Vec<_>>(),
    })
}

fn point(point: &Point, x: &str) -> Value {
    json!({
        "x": point.number(x),
        "duration_cycles": point.spread("duration").as_ref().map(spread),
        "bound_cycles": point.number("bound"),
        "bound_by": page::bound_by(point),
        "efficiency": point.spread("efficiency").as_ref().map(spread),
        "status": point.statuses().to_string(),
        "seeds": point.seeds(),
    })
}
