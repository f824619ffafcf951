//! A study as one JSON object.

use super::points::word;
use super::{Made, Saturates};
use serde_json::{Map, Value, json};
use tailback_curve::Curve;
use tailback_results::Scalar;
use tailback_summary::paired::{self, Difference};
use tailback_summary::points::Point;
use tailback_summary::spread::Spread;

/// One object with everything. A single variant also has its fields at the top.
pub fn json(made: &Made) -> String {
    let variants: Vec<Value> = (0..made.variants.len()).map(|number| variant(made, number)).collect();
    let mut object = Map::new();
    object.insert("unit".to_owned(), json!("flits/node/cycle"));
    if let [Value::Object(only)] = variants.as_slice() {
        object.extend(only.clone());
    }
    let study = json!({
        "headline": super::headline(made),
        "heading": made.heading(),
        "runs": made.study.runs,
        "runs_max": made.budget,
        "searches": made.searches,
        "complete": !made.study.budget_spent && !made.study.stopped,
        "budget_spent": made.study.budget_spent,
        "interrupted": made.study.stopped,
        "variants": variants,
    });
    if let Value::Object(study) = study {
        object.extend(study);
    }
    Value::Object(object).to_string()
}

fn variant(made: &Made, number: usize) -> Value {
    let (known, curve) = (&made.variants[number], &made.study.curves[number]);
    let drawn = curve.equals.unwrap_or(number);
    let row = made.rows.iter().find(|row| row.variant == drawn).expect("each variant has a row or equals one that has");
    let parameters: Map<String, Value> =
        known.parameters.iter().map(|(name, value)| (name.clone(), scalar(value))).collect();
    let points: Vec<Value> = row.points.iter().map(|(load, summed)| point(*load, summed, curve)).collect();
    let at = |load: Option<f64>| {
        let found = row.points.iter().find(|(other, _)| Some(*other) == load);
        found.map(|(load, summed)| point(*load, summed, curve))
    };
    let is_reference = made.rows[0].variant == drawn;
    json!({
        "name": known.name,
        "label": row.label(),
        "parameters": parameters,
        "equals": curve.equals.map(|other| made.variants[other].name.clone()),
        "equal_runs": curve.equals.map(|_| curve.compared),
        "channel_load_bound": known.bound,
        "zero_load_latency_cycles": row.zero_load,
        "knee": row.knee.as_ref().map(spread),
        "saturation": curve.saturation.as_ref().map(|found| spread(&found.load)),
        "saturation_brackets": curve.saturation.as_ref().map(|found| &found.brackets),
        "saturation_open": match row.saturates {
            Saturates::Open(low, high) => json!({ "low": low, "high": high }),
            _ => Value::Null,
        },
        "never_saturates": curve.never_saturates,
        "never_stable": curve.never_stable,
        "peak": at(row.peak.map(|peak| peak.1)),
        "sustained": at(row.sustained.map(|found| found.1)),
        "sustained_of_peak": row.share(),
        "sustained_against_first": row.sustained_difference.filter(|_| !is_reference).as_ref().map(difference),
        "saturation_against_first": row.saturation_difference.filter(|_| !is_reference).as_ref().map(difference),
        "steady_points": row.steady(),
        "points": points,
    })
}

fn point(load: f64, point: &Point, curve: &Curve) -> Value {
    json!({
        "load": load,
        "accepted_load": point.spread("accepted_load").as_ref().map(spread),
        "latency_cycles": point.spread("latency_mean").as_ref().map(spread),
        "verdict": word(curve, load),
        "status": point.statuses().to_string(),
        "seeds": point.seeds(),
    })
}

/// A mean over seeds: `ci95` is half the width of its interval.
pub fn spread(spread: &Spread) -> Value {
    let interval = spread.interval();
    json!({
        "mean": spread.mean, "ci95": spread.half(), "low": interval.map(|i| i.low), "high": interval.map(|i| i.high),
        "seeds": spread.n,
    })
}

fn difference(found: &Difference) -> Value {
    json!({
        "ratio": found.ratio, "low": found.interval.map(|i| i.low), "high": found.interval.map(|i| i.high),
        "pairs": found.seeds, "p": found.p, "p_holm": found.adjusted,
        "verdict": match found.verdict {
            paired::Verdict::Differs => "differs",
            paired::Verdict::NotShown => "no difference shown",
            paired::Verdict::Unknown => "unknown",
        },
    })
}

fn scalar(value: &Scalar) -> Value {
    match value {
        Scalar::Bool(value) => json!(value),
        Scalar::Integer(value) => json!(value),
        Scalar::Float(value) => json!(value),
        Scalar::Text(value) => json!(value),
    }
}
