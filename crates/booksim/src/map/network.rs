//! Topology and routing.

use super::{Draft, ranges, table};
use crate::config::Config;
use crate::fault::Fault;
use crate::gaps::routing;
use crate::rules::HALVES;
use toml::Value;

/// The routings that are built.
pub(crate) const BUILT: &[&str] = &[
    "dor_mesh",
    "dim_order_mesh",
    "xy_yx_mesh",
    "adaptive_xy_yx_mesh",
    "min_adapt_mesh",
    "planar_adapt_mesh",
    "min_adapt_torus",
    "valiant_mesh",
    "romm_mesh",
    "dim_order_torus",
    "dor_cmesh",
    "dor_no_express_cmesh",
    "dest_tag_fly",
    "nca_fattree",
    "nca_qtree",
    "nca_tree4",
    "ran_min_flatfly",
    "xyyx_flatfly",
    "adaptive_xyyx_flatfly",
    "valiant_flatfly",
    "ugal_flatfly",
    "ugal_xyyx_flatfly",
    "min_anynet",
    "min_dragonflynew",
    "ugal_dragonflynew",
];

pub(super) fn map(draft: &mut Draft) -> Result<(), Fault> {
    match draft.config.text("topology") {
        "mesh" | "torus" => grid(draft)?,
        "cmesh" => cmesh(draft)?,
        "fly" => fly(draft)?,
        "fattree" => fat_tree(draft)?,
        "qtree" => quad_tree(draft)?,
        "tree4" => tree4(draft)?,
        "flatfly" => flattened_butterfly(draft)?,
        "anynet" => anynet(draft)?,
        "dragonflynew" => dragonfly(draft)?,
        _ => return Err(draft.config.fault(&["topology"], "this network is not mapped yet")),
    }
    routes(draft)
}

/// Refuses a value of a key below `least`.
fn at_least(config: &Config, key: &'static str, least: i64, why: &str) -> Result<(), Fault> {
    if config.int(key) < least { Err(config.fault(&[key], why)) } else { Ok(()) }
}

fn grid(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    at_least(config, "k", 2, "a dimension has two routers or more here")?;
    if config.int("n") > 6 {
        return Err(config.fault(&["n"], "a network has six dimensions at most here"));
    }
    draft.put("topology.kind", config.text("topology"), &["topology"]);
    radix(draft, "topology.radix");
    // A folded torus has links twice as long as those of a mesh.
    let long = config.text("topology") == "torus" && config.flag("use_noc_latency");
    draft.put("topology.link_cycles", if long { 2 } else { 1 }, &["use_noc_latency"]);
    Ok(())
}

/// `k` routers in each of `n` dimensions.
fn radix(draft: &mut Draft, path: &str) {
    let config = draft.config;
    let radix = vec![Value::from(config.int("k")); config.int("n") as usize];
    draft.put(path, radix, &["k", "n"]);
}

/// The layout of nodes around their router is a square.
fn square(config: &Config) -> Result<(), Fault> {
    if config.int("x") != config.int("y") || config.int("xr") != config.int("yr") {
        return Err(config.fault(&["x", "y", "xr", "yr"], "BookSim's layouts are squares, and it aborts otherwise"));
    }
    if config.int("c") != config.int("xr") * config.int("yr") {
        let why = "the nodes of a router are xr times yr; BookSim aborts otherwise";
        return Err(config.fault(&["c", "xr", "yr"], why));
    }
    Ok(())
}

fn cmesh(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    square(config)?;
    at_least(config, "k", 2, "a dimension has two routers or more here")?;
    if config.int("n") != 2 {
        return Err(config.fault(&["n"], "a concentrated mesh has two dimensions here"));
    }
    let wide = config.int("c") / config.int("n");
    let cycles = if config.flag("use_noc_latency") { wide } else { 1 };
    draft.put("topology.nodes_per_router", config.int("c"), &["c"]);
    draft.put("topology.link_cycles", cycles, &["use_noc_latency"]);
    if config.text("routing_function") != "dor" {
        draft.put("topology.kind", "mesh", &["topology"]);
        radix(draft, "topology.radix");
        draft.put("topology.node_order", "tile", &["xr", "yr"]);
        return Ok(());
    }
    if config.int("k") % 2 == 1 || config.int("k") < 4 {
        return Err(config.fault(&["k"], "express links lead over half a side, so k is an even number from 4 on here"));
    }
    draft.put("topology.kind", "express_mesh", &["topology"]);
    draft.put("topology.side", config.int("k"), &["k", "n"]);
    let express = if config.flag("use_noc_latency") { wide * config.int("k") / 2 } else { 1 };
    draft.put("topology.express_cycles", express, &["use_noc_latency"]);
    draft.say(&["xr", "yr"], "nodes numbered by tile");
    Ok(())
}

/// A butterfly; one stage is a crossbar.
fn fly(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    if config.int("k") > 1024 {
        return Err(config.fault(&["k"], "a router has 1024 nodes at most here"));
    }
    if config.int("n") == 1 {
        draft.put("topology.kind", "crossbar", &["topology", "n"]);
        draft.put("topology.nodes_per_router", config.int("k"), &["k"]);
        return Ok(());
    }
    at_least(config, "k", 2, "a router of a butterfly has two inputs or more here")?;
    draft.put("topology.kind", "butterfly", &["topology"]);
    draft.put("topology.radix", config.int("k"), &["k"]);
    draft.put("topology.stages", config.int("n"), &["n"]);
    Ok(())
}

fn fat_tree(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    at_least(config, "k", 2, "a router of a tree has two links down or more here")?;
    draft.put("topology.kind", "fat_tree", &["topology"]);
    draft.put("topology.arity", config.int("k"), &["k"]);
    draft.put("topology.levels", config.int("n"), &["n"]);
    Ok(())
}

fn quad_tree(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    if (config.int("k"), config.int("n")) != (4, 3) {
        return Err(config.fault(&["k", "n"], "BookSim's qtree has k = 4 and n = 3, and aborts otherwise"));
    }
    let level = |down: i64, up: i64| Value::Array(vec![down.into(), up.into()]);
    draft.put("topology.kind", "folded_clos", &["topology"]);
    draft.put("topology.levels", vec![level(4, 1), level(4, 1), level(4, 0)], &["k", "n"]);
    Ok(())
}

fn tree4(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    if (config.int("k"), config.int("n")) != (4, 3) {
        return Err(config.fault(&["k", "n"], "BookSim's tree4 has k = 4 and n = 3, and aborts otherwise"));
    }
    draft.put("topology.kind", "tree4", &["topology", "k", "n"]);
    Ok(())
}

fn flattened_butterfly(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    square(config)?;
    at_least(config, "k", 2, "a dimension has two routers or more here")?;
    if config.int("n") > 4 {
        return Err(config.fault(&["n"], "BookSim's flatfly has four dimensions at most, and aborts otherwise"));
    }
    let routers = config.int("k").saturating_pow(config.int("n") as u32);
    if config.int("x") < 1 || routers % config.int("x") != 0 {
        return Err(config.fault(&["x", "k", "n"], "the routers do not fill rows of x; BookSim aborts"));
    }
    let layout = config.flag("use_noc_latency");
    if layout && config.int("xr") > 3 {
        let why = "links of nodes take one cycle here, and longer ones in this layout; set use_noc_latency = 0";
        return Err(config.fault(&["use_noc_latency", "xr"], why));
    }
    draft.put("topology.kind", "hyperx", &["topology"]);
    radix(draft, "topology.sides");
    draft.put("topology.nodes_per_router", config.int("c"), &["c"]);
    draft.put("topology.row", config.int("x"), &["x", "y", "xr", "yr"]);
    draft.put("topology.lengths", if layout { "layout" } else { "equal" }, &["use_noc_latency"]);
    Ok(())
}

fn anynet(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    let file = config.text("network_file");
    if file.is_empty() {
        return Err(config.fault(&["network_file"], "an anynet needs a file; BookSim stops, too"));
    }
    draft.put("topology.kind", "file", &["topology"]);
    draft.put("topology.path", file, &["network_file"]);
    draft.put("topology.format", "anynet", &["network_file"]);
    Ok(())
}

fn dragonfly(draft: &mut Draft) -> Result<(), Fault> {
    let config = draft.config;
    let k = config.int("k");
    if k > 1024 {
        return Err(config.fault(&["k"], "a router has 1024 nodes at most here"));
    }
    draft.put("topology.kind", "dragonfly", &["topology"]);
    draft.put("topology.arrangement", "absolute", &["topology"]);
    draft.put("topology.routers_per_group", 2 * k, &["k"]);
    draft.put("topology.global_links", k, &["k"]);
    draft.put("topology.nodes_per_router", k, &["k"]);
    draft.put("topology.local_cycles", 10, &["topology"]);
    draft.put("topology.global_cycles", 100, &["topology"]);
    Ok(())
}

/// The section of a routing.
fn kind<const N: usize>(kind: &str, others: [(&str, &str); N]) -> Value {
    let mut section = table([("kind", kind.into())]);
    let fields = section.as_table_mut().expect("it was made as one");
    others.into_iter().for_each(|(key, value)| _ = fields.insert(key.to_owned(), value.into()));
    section
}

/// Whether some packets have an odd number of channels: the halves share the one in the middle.
fn has_middle(config: &Config) -> bool {
    let odd = |(first, last): &(i64, i64)| (last - first) % 2 == 0;
    match config.flag("use_read_write") {
        true => ranges(config).iter().any(odd),
        false => config.int("num_vcs") % 2 == 1,
    }
}

fn routes(draft: &mut Draft) -> Result<(), Fault> {
    let routing: Value = match routing(draft.config).as_str() {
        "dor_mesh" | "dim_order_mesh" => kind("dimension_order", []),
        "min_adapt_mesh" | "planar_adapt_mesh" if draft.config.int("num_vcs") == 1 => kind("dimension_order", []),
        // Their route sets hold one entry for each priority, the first: that of the lowest dimension.
        "min_adapt_mesh" => kind("escape_order", []),
        "min_adapt_torus" => kind("escape_order", [("tie", "minus"), ("escape_tie", "random")]),
        "planar_adapt_mesh" => kind("escape_order", [("channels", "thirds")]),
        "dim_order_torus" => {
            kind("dimension_order", [("datelines", "one"), ("dateline_place", "entry"), ("tie", "random")])
        }
        "xy_yx_mesh" | "xyyx_flatfly" => kind("o1turn", []),
        "adaptive_xy_yx_mesh" | "adaptive_xyyx_flatfly" => kind("o1turn", [("by", "queues")]),
        "valiant_mesh" => kind("valiant", [("own_router", "travels"), ("passing", "all")]),
        "romm_mesh" => kind("valiant", [("by", "between")]),
        "dor_cmesh" | "dor_no_express_cmesh" | "dest_tag_fly" | "ran_min_flatfly" | "nca_tree4" => kind("minimal", []),
        "valiant_flatfly" => kind("two_phase", [("detour", "always")]),
        "ugal_flatfly" => kind("two_phase", [("detour", "queues")]),
        "ugal_xyyx_flatfly" => kind("two_phase", [("detour", "queues"), ("order", "either")]),
        "nca_fattree" | "nca_qtree" => kind("up_down", [("up", "random")]),
        "min_anynet" => kind("least_delay", []),
        "min_dragonflynew" => kind("minimal", [("classes", "booksim")]),
        "ugal_dragonflynew" => {
            kind("ugal_l", [("to", "any_router"), ("classes", "booksim"), ("threshold", "booksim_ports")])
        }
        _ => return Err(draft.config.fault(&["routing_function", "topology"], "this routing is not mapped yet")),
    };
    let has_halves = HALVES.contains(&self::routing(draft.config).as_str());
    draft.put("routing", routing, &["routing_function"]);
    if has_halves && has_middle(draft.config) {
        draft.put("routing.middle_channel", "shared", &["routing_function", "num_vcs"]);
    }
    Ok(())
}

/// The nodes of a network, as far as the keys tell.
pub(super) fn nodes(config: &Config) -> Result<u32, String> {
    let (k, n) = (config.int("k") as u64, config.int("n") as u32);
    let routers = k.checked_pow(n);
    let nodes = match config.text("topology") {
        "anynet" => {
            let unread = "this pattern needs the number of nodes, which stands in the network file";
            return config.nodes_of_file.ok_or_else(|| unread.to_owned());
        }
        "cmesh" | "flatfly" => routers.and_then(|routers| routers.checked_mul(config.int("c") as u64)),
        "dragonflynew" => (2 * k * k).checked_mul(2 * k * k + 1),
        _ => routers,
    };
    nodes.and_then(|nodes| u32::try_from(nodes).ok()).ok_or_else(|| "the network is too large".to_owned())
}

/// Whether nodes have the coordinates of their routers.
pub(super) fn is_grid(config: &Config) -> bool {
    matches!(config.text("topology"), "mesh" | "torus")
}
