//! Topology and routing.

use super::{Draft, table};
use crate::config::Config;
use crate::fault::Fault;
use crate::gaps::routing;
use toml::Value;

pub(super) fn map(draft: &mut Draft) -> Result<(), Fault> {
    topology(draft)?;
    routes(draft)
}

fn topology(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    let kind = config.text("topology");
    if !matches!(kind, "mesh" | "torus") {
        return Err(config.fault(&["topology"], "this network is not mapped yet"));
    }
    if config.int("k") < 2 {
        return Err(config.fault(&["k"], "a dimension has two routers or more here"));
    }
    if config.int("n") > 6 {
        return Err(config.fault(&["n"], "a network has six dimensions at most here"));
    }
    draft.put("topology.kind", kind, &["topology"]);
    let radix = vec![Value::from(config.int("k")); config.int("n") as usize];
    draft.put("topology.radix", radix, &["k", "n"]);
    draft.put("topology.link_cycles", link_cycles(config), &["use_noc_latency"]);
    draft.say(&["subnets"], "one network");
    Ok(())
}

/// Cycles of a link of a grid: a folded torus has links twice as long as those of a mesh.
pub(super) fn link_cycles(config: &Config) -> i64 {
    if config.text("topology") == "torus" && config.flag("use_noc_latency") { 2 } else { 1 }
}

fn routes(draft: &mut Draft) -> Result<(), Fault> {
    let keys = &["routing_function"];
    let routing: Value = match routing(draft.config).as_str() {
        "dor_mesh" | "dim_order_mesh" => table([("kind", "dimension_order".into())]),
        "dim_order_torus" => table([
            ("kind", "dimension_order".into()),
            ("datelines", "one".into()),
            ("dateline_place", "entry".into()),
            ("tie", "random".into()),
        ]),
        _ => return Err(draft.config.fault(&["routing_function", "topology"], "this routing is not mapped yet")),
    };
    draft.put("routing", routing, keys);
    Ok(())
}
