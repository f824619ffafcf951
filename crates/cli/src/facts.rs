//! The facts of a point as the fields of a JSON object.

use serde_json::{Map, Value, json};
use tailback_sim::Facts;

/// Every fact by its name; distances and bounds of uniform traffic at the end.
pub fn json(facts: &Facts) -> Map<String, Value> {
    let details: Map<String, Value> =
        facts.details.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
    let object = json!({
        "routers": facts.routers, "nodes": facts.nodes, "links": facts.links, "memory_bytes": facts.memory_bytes,
        "hops_mean": facts.hops_mean, "zero_load_latency": facts.zero_load_latency,
        "bisection_load": facts.bisection_load, "channel_load_bound": facts.channel_load_bound,
        "busiest_link": facts.busiest_link, "offered_load": facts.offered_load,
        "deadlock_freedom": facts.deadlock_freedom, "deadlock_argument": facts.deadlock_argument,
        "deadlock_details": facts.deadlock_details, "details": details, "warnings": facts.warnings,
    });
    let shape = json!({
        "diameter": facts.shape.diameter, "minimal_bound": facts.shape.minimal_bound, "ecmp_bound": facts.shape.ecmp_bound,
    });
    let objects = [object, shape].into_iter().filter_map(|object| object.as_object().cloned());
    objects.flatten().collect()
}
