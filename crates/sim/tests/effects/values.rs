//! Other legal values of a parameter, and what helps it to show its effect.

use crate::common::specs::{file, kind, value};
use tailback_spec::{Kind, Param};
use toml::Value;

/// Values to try before those that the kind of a parameter gives.
const FIRST: [(&str, &[&str]); 31] = [
    ("workload.generate.dimensions", &["[8]", "[2, 2, 2]"]),
    ("topology.radix", &["[4, 2]", "[8]", "[4, 4, 2]"]),
    ("traffic.load", &["0.3"]),
    ("traffic.classes", &["[{}, { process = 'periodic' }]", "[{ share = 2 }, {}]"]),
    ("traffic.size.flits", &["8", "[4, 12]"]),
    ("traffic.size.weights", &["[2, 1]"]),
    ("traffic.pattern.nodes", &["[6]", "[6, 9]"]),
    ("traffic.pattern.weights", &["[2, 1]", "[1, 3, 1]"]),
    ("traffic.pattern.steps", &["[1, 0, 3]"]),
    ("topology.twist", &["[[0, 1], [0, 0]]"]),
    ("topology.boundary.every", &["[2, 2]", "[2, 4]"]),
    ("router.injection_buffer_flits", &["4", "8", "16"]),
    ("router.ejection_buffer_flits", &["4", "8", "16"]),
    (
        "router.channel_buffer_flits",
        &["[2, 2, 3, 3]", "[4, 8, 12]", "[4, 4, 4, 12]", "[4]", "[4, 8]", "[4, 8, 4, 8, 4, 8]"],
    ),
    ("traffic.pattern.destination", &["6"]),
    ("traffic.pattern.offset", &["1"]),
    ("traffic.pattern.region_percent", &["50.0"]),
    ("traffic.pattern.block_routers", &["[2, 3]"]),
    ("workload.phases", &["[{ cycles = 120, load = 0.5, pattern = 'uniform' }]"]),
    ("router.ingress_memory_bytes", &["64", "640", "2048"]),
    ("router.egress_memory_bytes", &["64", "640", "2048"]),
    ("workload.jobs", &["[{ name = 'a', generate = { kind = 'barrier', ranks = 4 } }]"]),
    ("workload.only", &["'a'"]),
    ("workload.changes", &["[{ cycle = 64, set = { 'traffic.load' = 0.3 } }]"]),
    ("workload.limit_cycles", &["20"]),
    ("router.virtual_channels", &["6", "8", "3", "2"]),
    ("workload.class_tags", &["[1]"]),
    ("router.type_channels", &["[0, 1, 0, 1, 2, 3, 2, 3]", "[0, 0, 1, 1, 0, 0, 1, 1]"]),
    ("router.output_queue_flits", &["1"]),
    ("router.type_planes", &["[0, 1, 0, 1]", "[0, 0, 0, 0]"]),
    ("router.class_priorities", &["[0, 1]", "[1, 0]"]),
];

/// What makes a network one in which the parameter can show its effect, by the begin of its path: the longest begin counts.
const AIDS: &[(&str, &[(&str, &str)])] = &[
    ("recovery", &[("routing", "{ kind = 'adaptive', escape = 'none' }"), ("router.sharing", "'owned'")]),
    ("probes.congestion", &[("probes.window_cycles", "100")]),
    ("probes.space_time", &[("probes.space_time_cycles", "60"), ("probes.space_time_from_cycle", "20")]),
    ("topology.boundary.every", &[("topology.boundary.cycles", "7")]),
    ("router.output_queue_flits", &[("router.output_speedup", "4"), ("router.internal_speedup", "2.0")]),
    (
        "router.priority",
        &[("traffic.classes", "[{}, { process = 'periodic' }]"), ("router.class_priorities", "[1, 0]")],
    ),
    (
        "router.priority_donation",
        &[("router.priority", "'age'"), ("router.vc_allocator", "'select'"), ("traffic.load", "2.0")],
    ),
    ("router.class_priorities", &[("traffic.load", "2.0")]),
    ("router.prefer_empty_channels", &[("router.vc_allocator", "'select'"), ("traffic.load", "2.0")]),
    ("routing.escape_tie", &[("traffic.load", "2.0")]),
    ("router.speculation_allocator_iterations", &[("traffic.load", "2.0")]),
    ("router.ejection_channels", &[("router.ejection_buffer_flits", "8"), ("router.credit_cycles", "6")]),
    ("router.ejection_buffer_flits", &[("router.credit_cycles", "6")]),
    ("router.injection_buffer_flits", &[("router.credit_cycles", "6")]),
    ("topology.node_order", &[("topology.nodes_per_router", "4")]),
    (
        "workload.warmup_latency_change",
        &[WARMING, ("workload.max_periods", "12"), ("workload.warmup_accepted_change", "-1.0")],
    ),
    (
        "workload.warmup_accepted_change",
        &[WARMING, ("workload.max_periods", "12"), ("workload.warmup_latency_change", "-1.0")],
    ),
    ("workload.latency_change", &[("workload.max_periods", "12"), ("workload.accepted_change", "-1.0")]),
    ("workload.accepted_change", &[("workload.max_periods", "12"), ("workload.latency_change", "-1.0")]),
    ("workload.repeat", &[("workload.cycles", "400")]),
    ("interface.router_packets", &[("interface.channels", "'virtual'")]),
    ("interface.channels", &[("interface.router_packets", "1")]),
    ("interface.kind", &[("interface.queues", "4")]),
    ("traffic.pattern.region_percent", &[("traffic.pattern.shape", "'band'")]),
    ("traffic.pattern.block", &[("traffic.pattern.shape", "'block'"), ("traffic.pattern.block_routers", "[2, 2]")]),
    ("traffic.pattern.shape", &[("traffic.pattern.block_routers", "[2, 2]")]),
    ("router.escape_first", &[("routing", "{ kind = 'adaptive' }")]),
    ("router.credit_batch", &[("router.ingress_memory_bytes", "16384"), ("router.egress_memory_bytes", "16384")]),
    ("flow_control", &[("routing", "{ kind = 'adaptive', escape = 'ring' }")]),
    ("admission.narrow_side_band", &[("admission.side_band_bits", "3")]),
    ("admission.kind", &[("router.virtual_channels", "3"), ("router.buffer_flits", "4"), ("traffic.load", "2.0")]),
    ("admission.kind", &[("routing.escape", "'none'"), ("router.virtual_channels", "3"), ("traffic.load", "2.0")]),
    ("admission.kind", &[("router.ingress_memory_bytes", "128"), ("traffic.load", "2.0")]),
    ("admission.kind", &[("topology.radix", "[4, 4]"), ("traffic.load", "2.0")]),
    ("routing.own_router", &[("traffic.pattern", "{ kind = 'uniform', include_self = true }")]),
    ("router.node_ports", &[("traffic.load", "2.0")]),
    ("router.node_ports", &[("router.switch_allocator", "'max_size'"), ("traffic.load", "2.0")]),
    ("router.input_ports", &[("traffic.load", "2.0")]),
    ("router.input_ports", &[("router.switch_allocator", "'max_size'"), ("traffic.load", "2.0")]),
    ("routing.dateline_place", &[("topology.radix", "[8]"), ("traffic.load", "2.0")]),
    (
        "routing.middle_channel",
        &[("routing.dateline_place", "'entry'"), ("router.virtual_channels", "3"), ("traffic.load", "2.0")],
    ),
    (
        "routing.middle_channel",
        &[("topology.kind", "'mesh'"), ("router.virtual_channels", "3"), ("traffic.load", "2.0")],
    ),
    ("routing.dateline_place", &[("topology.radix", "[8, 2]"), ("measure", "1600")]),
    ("arbiter.kind", &[("topology.nodes_per_router", "2")]),
    ("admission.decrement_percent", &FALLING),
    ("admission.decrement_percent", &FALLING_IN_A_SWITCH),
    ("admission.avoid_local_maxima", &FALLING),
    ("admission.max_fraction", &FALLING),
    ("admission.refresh_periods", &FALLING),
    ("admission.refresh_periods", &FALLING_FAR),
    ("admission.refresh_periods", &FALLING_WITH_THE_LOAD),
    ("admission.refresh_periods", &FALLING_WITH_THE_LOAD_IN_A_SWITCH),
    ("admission.refresh_periods", &FALLING_FAR_IN_A_SWITCH),
    ("admission.tuning_period_cycles", &FALLING),
    ("admission.propagation", &[("topology.radix", "[8, 2]"), ("admission.register_bits", "4")]),
];

/// A warm-up that ends when means settle.
const WARMING: (&str, &str) = ("workload.warmup_periods", "0");

/// A threshold that falls, from high up.
const FALLING: [(&str, &str); 4] = [
    ("admission.drop_fraction", "0.02"),
    ("admission.max_fraction", "0.95"),
    ("admission.hop_cycles", "1"),
    ("admission.initial_percent", "20.0"),
];

/// One that falls from higher up.
const FALLING_FAR: [(&str, &str); 4] = [
    ("admission.max_fraction", "0.99"),
    ("admission.hop_cycles", "1"),
    ("admission.initial_percent", "60.0"),
    ("measure", "1600"),
];

/// One that falls in an input-output-queued switch with small memories.
const FALLING_IN_A_SWITCH: [(&str, &str); 5] = [
    ("router.ingress_memory_bytes", "128"),
    ("admission.max_fraction", "0.99"),
    ("admission.hop_cycles", "1"),
    ("admission.initial_percent", "20.0"),
    ("measure", "1600"),
];

/// The same, from higher up.
const FALLING_FAR_IN_A_SWITCH: [(&str, &str); 6] = [
    ("router.ingress_memory_bytes", "64"),
    ("router.egress_memory_bytes", "64"),
    ("admission.max_fraction", "0.99"),
    ("admission.hop_cycles", "1"),
    ("admission.initial_percent", "40.0"),
    ("measure", "3200"),
];

/// One that falls with the load in such a switch.
const FALLING_WITH_THE_LOAD_IN_A_SWITCH: [(&str, &str); 6] = [
    ("router.ingress_memory_bytes", "64"),
    ("router.egress_memory_bytes", "64"),
    FALLING_WITH_THE_LOAD[0],
    FALLING_WITH_THE_LOAD[1],
    FALLING_WITH_THE_LOAD[2],
    FALLING_WITH_THE_LOAD[3],
];

/// One that falls when the load does.
const FALLING_WITH_THE_LOAD: [(&str, &str); 4] = [
    ("admission.max_fraction", "0.95"),
    ("admission.hop_cycles", "1"),
    ("admission.initial_percent", "60.0"),
    (
        "workload",
        "{ kind = 'phases', phases = [{ cycles = 150, load = 2.0, pattern = 'uniform' }, { cycles = 150, load = 0.1, \
           pattern = 'uniform' }], repeat = true, cycles = 1800 }",
    ),
];

/// Loads, lengths and seeds.
pub const DESIGNS: [&[(&str, &str)]; 4] = [
    &[],
    &[("traffic.load", "0.4"), ("run.seed", "2")],
    &[("run.seed", "3"), ("measure", "800")],
    &[
        ("traffic.pattern", "{ kind = 'hot_spot', nodes = [5], share_percent = 60 }"),
        ("traffic.load", "0.5"),
        ("measure", "1600"),
    ],
];

/// What helps the parameter at `path`: changes, one set of them after the other.
pub fn aids(path: &str) -> Vec<&'static [(&'static str, &'static str)]> {
    let fits = || AIDS.iter().filter(|(begin, _)| path.starts_with(begin));
    let longest = fits().map(|(begin, _)| begin.len()).max();
    fits().filter(|(begin, _)| Some(begin.len()) == longest).map(|(_, aids)| *aids).collect()
}

/// Other values than `now` of the parameter at `path`.
pub fn others(param: &Param, path: &str, now: &Value) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for (_, first) in FIRST.iter().filter(|(of, _)| *of == path) {
        values.extend(first.iter().map(|text| value(text)));
    }
    let number = now.as_integer().unwrap_or(8);
    let integers = [number + 1, 2 * number, number / 2, number - 1, 4 * number, 1, 2, 3, 30, 64, 200];
    let among = |min: i64, max: i64| integers.into_iter().filter(move |v| (min..=max).contains(v)).map(Value::Integer);
    match param.kind {
        Kind::Bool => values.push(Value::Boolean(!now.as_bool().unwrap_or_default())),
        Kind::Integer { min, max } => values.extend(among(min, max)),
        Kind::IntegerOrInfinite { min, max } => {
            values.push(Value::String("infinite".to_owned()));
            values.extend(among(min, max));
        }
        Kind::IntegerOrAuto { min, max } => {
            values.push(Value::String("auto".to_owned()));
            values.extend(among(min, max));
        }
        Kind::Float { min, max } => {
            let now = now.as_float().unwrap_or(1.0);
            let floats = [2.0 * now, now / 2.0, now + 1.0, 0.9, 0.5, 0.1, 0.0, 25.0, 90.0, 1.0];
            values.extend(floats.into_iter().filter(|v| (min..=max).contains(v)).map(Value::Float));
        }
        Kind::Choice(words) => values.extend(words.iter().map(|(word, _)| Value::String((*word).to_owned()))),
        Kind::Path => values.push(file(if path.starts_with("routing") { "x-first" } else { "next" })),
        Kind::Component("workload.generate") => {
            values.push(value("{ kind = 'barrier', ranks = 16 }"));
        }
        Kind::Component(section) => values.push(kind(section, "hot_spot")),
        Kind::Text
        | Kind::Integers { .. }
        | Kind::Floats { .. }
        | Kind::Rows { .. }
        | Kind::Tables(_)
        | Kind::Settings => {}
    }
    let mut distinct = Vec::new();
    for value in values {
        if value != *now && !distinct.contains(&value) {
            distinct.push(value);
        }
    }
    distinct
}
