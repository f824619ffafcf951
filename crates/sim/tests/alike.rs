//! Points that differ in their seed and load alone: all of them can be, or none, for the same reasons.

use crate::common::random::{
    adaptive, adaptive_mechanisms, mechanisms, queued, router, topology, traffic, wormhole, wormhole_mechanisms,
};
use proptest::prelude::*;
use tailback_sim::{ALIKE, catalogue, minds_load, prepare, reason};
use tailback_spec::{Document, Point};
use toml::Value;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cut_through(parts in (topology(), router(), mechanisms(), traffic()), other in (0.001..2.0, 0i64..1 << 40)) {
        alike(&format!("{}{}{}{}", parts.0, parts.1, parts.2, parts.3), other)?;
    }

    #[test]
    fn worms(parts in (topology(), wormhole(), wormhole_mechanisms(), traffic()), other in (0.001..2.0, 0i64..1 << 40)) {
        alike(&format!("{}{}{}{}", parts.0, parts.1, parts.2, parts.3), other)?;
    }

    #[test]
    fn adaptive_cut_through(parts in (topology(), adaptive(), adaptive_mechanisms()), other in (0.001..2.0, 0i64..1 << 40)) {
        alike(&format!("{}{}{}", parts.0, parts.1, parts.2), other)?;
    }

    #[test]
    fn switches(parts in (topology(), queued()), other in (0.001..2.0, 0i64..1 << 40)) {
        alike(&format!("{}{}", parts.0, parts.1), other)?;
    }
}

/// Why a point cannot be, or how long it takes and how much memory.
fn verdict(point: &Point) -> Result<(Option<u64>, u64), String> {
    match prepare(point) {
        Ok(prepared) => Ok((prepared.total_cycles(), prepared.facts().routers)),
        Err(errors) => Err(reason(&errors)),
    }
}

fn alike(spec: &str, (load, seed): (f64, i64)) -> Result<(), TestCaseError> {
    let points = Document::parse("random.toml", spec.as_bytes()).and_then(|document| document.expand(catalogue()));
    let Ok([point]) = points.as_deref() else { return Err(TestCaseError::reject("no such network")) };
    let mut other = point.clone();
    other.seed = seed as u64;
    for (path, value) in ALIKE.iter().zip([Value::Integer(seed), Value::Float(load)]) {
        *other.resolved.value_mut(path).expect("every spec has it") = value;
    }
    if minds_load(point) {
        // Then only the seed makes no difference.
        *other.resolved.value_mut("traffic.load").expect("every spec has it") =
            point.resolved.get("traffic.load").expect("every spec has it").clone();
    }
    prop_assert_eq!(verdict(point), verdict(&other), "load {}, seed {}:\n{}", load, seed, spec);
    Ok(())
}
