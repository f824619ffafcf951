//! What BookSim itself stops at, or aborts on, and what no simulator of this kind should run.

use crate::config::Config;
use crate::fault::Fault;
use crate::gaps::routing;
use crate::list::{self, Call};
use crate::map::{PLANES, SIZES, is_measured, ranges};

/// The topologies of BookSim 2.
pub const TOPOLOGIES: &[&str] =
    &["torus", "mesh", "cmesh", "fly", "qtree", "tree4", "fattree", "flatfly", "anynet", "dragonflynew"];

/// The routings of BookSim 2, each with its topology.
pub const ROUTINGS: &[&str] = &[
    "nca_fattree",
    "anca_fattree",
    "nca_qtree",
    "nca_tree4",
    "anca_tree4",
    "dor_mesh",
    "xy_yx_mesh",
    "adaptive_xy_yx_mesh",
    "dim_order_mesh",
    "dim_order_ni_mesh",
    "dim_order_pni_mesh",
    "dim_order_torus",
    "dim_order_ni_torus",
    "dim_order_bal_torus",
    "romm_mesh",
    "romm_ni_mesh",
    "min_adapt_mesh",
    "min_adapt_torus",
    "planar_adapt_mesh",
    "valiant_mesh",
    "valiant_torus",
    "valiant_ni_torus",
    "dest_tag_fly",
    "chaos_mesh",
    "chaos_torus",
    "dor_cmesh",
    "dor_no_express_cmesh",
    "xy_yx_cmesh",
    "xy_yx_no_express_cmesh",
    "ran_min_flatfly",
    "xyyx_flatfly",
    "adaptive_xyyx_flatfly",
    "valiant_flatfly",
    "ugal_flatfly",
    "ugal_pni_flatfly",
    "ugal_xyyx_flatfly",
    "min_anynet",
    "min_dragonflynew",
    "ugal_dragonflynew",
];

/// Its allocators.
const ALLOCATORS: &[&str] = &[
    "islip",
    "separable_input_first",
    "separable_output_first",
    "max_size",
    "pim",
    "loa",
    "wavefront",
    "rr_wavefront",
    "select",
];

/// Its patterns.
const PATTERNS: &[&str] = &[
    "uniform",
    "background",
    "diagonal",
    "asymmetric",
    "taper64",
    "bitcomp",
    "bitrev",
    "shuffle",
    "transpose",
    "randperm",
    "tornado",
    "neighbor",
    "bad_dragon",
    "badperm_yarc",
    "hotspot",
];

type Rule = (&'static [&'static str], fn(&Config) -> Option<String>);

/// Routings that keep packets apart in halves of the channels.
pub(crate) const HALVES: &[&str] = &[
    "dim_order_torus",
    "dim_order_bal_torus",
    "xy_yx_mesh",
    "adaptive_xy_yx_mesh",
    "xyyx_flatfly",
    "adaptive_xyyx_flatfly",
    "romm_mesh",
    "valiant_mesh",
];

/// The keys whose values decide, and what is wrong with them, if anything is.
const RULES: &[Rule] = &[
    (&["topology"], |c| unknown("topology", c.text("topology"), TOPOLOGIES)),
    (&["routing_function", "topology"], a_routing),
    (&["vc_allocator"], |c| unknown("allocator", Call::of(c.text("vc_allocator")).name, &with_piggyback())),
    (&["sw_allocator"], |c| unknown("allocator", Call::of(c.text("sw_allocator")).name, ALLOCATORS)),
    (&["speculative", "spec_sw_allocator"], |c| {
        let known: Vec<&str> = ALLOCATORS.iter().copied().chain(["prio"]).collect();
        let wrong = || unknown("allocator", Call::of(c.text("spec_sw_allocator")).name, &known);
        c.flag("speculative").then(wrong).flatten()
    }),
    (&["traffic"], |c| unknown("pattern", Call::of(c.text("traffic")).name, PATTERNS)),
    (&["injection_process"], |c| {
        unknown("process", Call::of(c.text("injection_process")).name, &["bernoulli", "on_off"])
    }),
    (&["sim_type"], |c| unknown("type", c.text("sim_type"), &["latency", "throughput", "batch"])),
    (&["priority"], |c| {
        let known = ["none", "class", "age", "network_age", "local_age", "queue_length", "hop_count", "sequence"];
        unknown("priority", c.text("priority"), &known)
    }),
    (&["k"], |c| within(c.int("k"), 1, 1 << 20)),
    (&["n"], |c| within(c.int("n"), 1, 16)),
    (&["c"], |c| within(c.int("c"), 1, 4096)),
    (&["k", "n"], too_large),
    (&["num_vcs"], |c| within(c.int("num_vcs"), 1, 4096)),
    (&["buf_size", "num_vcs"], |c| {
        let share = c.int("buf_size") / c.int("num_vcs").max(1);
        (c.int("buf_size") > 0 && share < 1).then(|| "no flit fits the buffer of a channel".to_owned())
    }),
    (
        &["vc_buf_size", "buf_size"],
        |c| if c.int("buf_size") > 0 { None } else { within(c.int("vc_buf_size"), 1, 32767) },
    ),
    (&["subnets"], |c| within(c.int("subnets"), 1, 64)),
    (&["hold_switch_for_packet", "subnets"], |c| {
        (c.flag("hold_switch_for_packet") && c.int("subnets") > 1 && have_bodies(c)).then(|| {
            "BookSim aborts, because it looks for the second flit of a packet in the wrong network; leave one of the two keys out"
                .to_owned()
        })
    }),
    (&["classes"], |c| within(c.int("classes"), 1, 64)),
    (&["routing_delay"], |c| within(c.int("routing_delay"), 0, 4096)),
    (&["credit_delay"], |c| within(c.int("credit_delay"), 0, 4000)),
    (&["st_prepare_delay"], |c| within(c.int("st_prepare_delay"), 0, 2048)),
    (&["st_final_delay"], |c| within(c.int("st_final_delay"), 0, 2048)),
    (&["st_prepare_delay", "st_final_delay"], |c| {
        (c.int("st_prepare_delay") == 0 && c.int("st_final_delay") == 0)
            .then(|| "the crossbar takes a cycle or more; BookSim aborts".to_owned())
    }),
    (&["input_speedup"], |c| within(c.int("input_speedup"), 1, 4096)),
    (&["output_speedup"], |c| within(c.int("output_speedup"), 1, 4096)),
    (&["internal_speedup"], |c| (c.float("internal_speedup") <= 0.0).then(|| "it is not positive".to_owned())),
    (&["output_buffer_size"], |c| {
        let none = c.int("output_buffer_size") == 0;
        none.then(|| "no flit leaves a router whose output queues have no place; leave it at -1".to_owned())
    }),
    (&["sw_allocator", "output_speedup", "input_speedup"], |c| unserved_outputs(c, "sw_allocator")),
    (&["spec_sw_allocator", "output_speedup", "input_speedup"], |c| {
        c.flag("speculative").then(|| unserved_outputs(c, "spec_sw_allocator")).flatten()
    }),
    (&["vc_alloc_delay"], |c| delay(c.int("vc_alloc_delay"))),
    (&["sw_alloc_delay"], |c| delay(c.int("sw_alloc_delay"))),
    (&["routing_function", "topology"], |c| {
        (routing(c) == "valiant_torus")
            .then(|| "BookSim reads a class of channels there before it is set, and aborts".to_owned())
    }),
    (&["routing_function", "num_vcs"], |c| {
        let single = || c.flag("use_read_write") && ranges(c).iter().any(|(first, last)| first == last);
        (HALVES.contains(&routing(c).as_str()) && (c.int("num_vcs") < 2 || single()))
            .then(|| "this routing needs two classes of channels; BookSim aborts".to_owned())
    }),
    (&["routing_function", "topology"], |c| {
        routing(c)
            .starts_with("chaos_")
            .then(|| "this routing is that of router = chaos, which is not built".to_owned())
    }),
    (&["routing_function", "num_vcs"], |c| {
        (routing(c) == "min_dragonflynew" && c.int("num_vcs") < 2)
            .then(|| "this routing needs two channels; BookSim aborts".to_owned())
    }),
    (&["routing_function", "num_vcs"], |c| {
        (routing(c) == "min_adapt_torus" && c.int("num_vcs") < 4)
            .then(|| "this routing needs four channels; BookSim aborts".to_owned())
    }),
    (&["routing_function", "num_vcs"], |c| {
        let halves = ["valiant_flatfly", "ugal_flatfly", "ugal_pni_flatfly"].contains(&routing(c).as_str());
        let quarters = routing(c) == "ugal_xyyx_flatfly";
        (halves && c.int("num_vcs") < 2 || quarters && c.int("num_vcs") < 4)
            .then(|| "this routing needs channels for each phase; BookSim aborts".to_owned())
    }),
    (&["routing_function", "topology"], |c| {
        (routing(c) == "valiant_ni_torus")
            .then(|| "BookSim reads a class of channels there before it is set, and aborts".to_owned())
    }),
    (&["c"], |c| {
        (c.text("topology") == "cmesh" && c.int("c") != 4)
            .then(|| "BookSim's cmesh has four nodes at a router, and aborts otherwise".to_owned())
    }),
    (&["n"], |c| {
        (c.text("topology") == "dragonflynew" && c.int("n") != 1)
            .then(|| "BookSim's dragonflynew has n = 1, and aborts otherwise".to_owned())
    }),
    (&["num_vcs"], |c| {
        (routing(c) == "ugal_dragonflynew" && c.int("num_vcs") != 3)
            .then(|| "ugal on dragonflynew has three channels, and BookSim aborts otherwise".to_owned())
    }),
    (&["use_read_write", "num_vcs"], |c| {
        let ends = ["read_request_end_vc", "write_request_end_vc", "read_reply_end_vc", "write_reply_end_vc"];
        let beyond = ends.into_iter().find(|end| c.int(end) >= c.int("num_vcs"));
        beyond.filter(|_| c.flag("use_read_write")).map(|end| {
            format!("{end} = {} is no channel; BookSim aborts. Channels are 0 to {}", c.int(end), c.int("num_vcs") - 1)
        })
    }),
    (&["use_read_write", "num_vcs"], |c| {
        let empty = ranges(c).into_iter().any(|(first, last)| first > last || first < 0);
        (c.flag("use_read_write") && empty).then(|| "a type of packets has no channel; BookSim aborts".to_owned())
    }),
    (&["use_read_write", "routing_function"], |c| {
        let others = routing(c) == "min_adapt_mesh" && ranges(c).into_iter().any(|(first, _)| first > 0);
        (c.flag("use_read_write") && others).then(|| {
            "BookSim lets packets out of their range into channel 0 there, and aborts; let all ranges begin with channel 0"
                .to_owned()
        })
    }),
    (&["use_read_write", "subnets"], |c| {
        let beyond = PLANES.into_iter().find(|plane| !(0..c.int("subnets")).contains(&c.int(plane)));
        beyond
            .filter(|_| c.flag("use_read_write"))
            .map(|plane| format!("{plane} = {} is no network; they are 0 to {}", c.int(plane), c.int("subnets") - 1))
    }),
    (&["injection_rate", "packet_size"], too_often),
    (&["injection_process", "burst_alpha", "burst_beta", "burst_r1"], on_off),
    (&["packet_size"], |c| {
        let bad = c.floats("packet_size").into_iter().find(|size| !(1.0..=32767.0).contains(size));
        if c.shown("packet_size").contains("{{") {
            None
        } else {
            bad.map(|size| format!("a packet has 1 to 32767 flits, not {size}"))
        }
    }),
    (&["sample_period"], |c| within(c.int("sample_period"), 1, 1_000_000_000)),
    (&["warmup_periods"], |c| within(c.int("warmup_periods"), 0, 1_000_000)),
    (&["max_samples"], |c| within(c.int("max_samples"), 1, 1_000_000)),
    (&["max_samples", "warmup_periods"], |c| {
        (c.int("warmup_periods") >= c.int("max_samples"))
            .then(|| "all periods are warm-up, so nothing is measured; BookSim prints means of nothing".to_owned())
    }),
    (&["sim_count"], |c| within(c.int("sim_count"), 1, 100_000)),
    (&["measure_stats"], |c| {
        let mut classes = 0..c.int("classes").clamp(1, 64) as usize;
        (!classes.any(|class| is_measured(c, class))).then(|| "no packet would be measured".to_owned())
    }),
];

/// Everything that rules say against a configuration, and the keys that are refused for any value but their default.
pub fn faults(config: &Config) -> Vec<Fault> {
    let broken = RULES.iter().filter_map(|(keys, wrong)| wrong(config).map(|why| config.fault(keys, &why)));
    broken.chain(config.refused()).collect()
}

fn with_piggyback() -> Vec<&'static str> {
    ALLOCATORS.iter().copied().chain(["piggyback"]).collect()
}

fn unknown(what: &str, name: &str, known: &[&str]) -> Option<String> {
    (!known.contains(&name)).then(|| format!("BookSim 2 has no such {what}; there are {}", known.join(", ")))
}

fn within(value: i64, low: i64, high: i64) -> Option<String> {
    (!(low..=high).contains(&value)).then(|| format!("it is between {low} and {high}"))
}

fn delay(cycles: i64) -> Option<String> {
    (cycles != 1).then(|| "BookSim aborts under load with any value but 1".to_owned())
}

/// Whether packets of some class or type have more than a flit.
fn have_bodies(config: &Config) -> bool {
    let is_long = |key: &&str| {
        let shown = config.shown(key);
        shown.split(|c: char| !c.is_ascii_digit()).any(|flits| flits.parse().is_ok_and(|flits: u64| flits > 1))
    };
    let answers = config.shown("use_read_write");
    let plain = answers.contains('0') && is_long(&"packet_size");
    plain || answers.contains('1') && SIZES.iter().any(is_long)
}

/// BookSim's `max_size` keeps marks of outputs in a list as long as there are inputs, and takes outputs behind its end for marked.
fn unserved_outputs(config: &Config, allocator: &str) -> Option<String> {
    let more = config.int("output_speedup") > config.int("input_speedup");
    (Call::of(config.text(allocator)).name == "max_size" && more).then(|| {
        "where the crossbar has more outputs than inputs, BookSim's max_size never serves the last outputs, and its network locks"
            .to_owned()
    })
}

fn a_routing(config: &Config) -> Option<String> {
    let topology = config.text("topology");
    if !TOPOLOGIES.contains(&topology) || ROUTINGS.contains(&routing(config).as_str()) {
        return None;
    }
    let known: Vec<&str> = ROUTINGS.iter().filter_map(|name| name.strip_suffix(topology)?.strip_suffix('_')).collect();
    Some(format!("BookSim 2 has no such routing; for {topology} there are {}", known.join(", ")))
}

/// `k` to the power of `n` nodes, far beyond what anybody simulates.
fn too_large(config: &Config) -> Option<String> {
    let grid = matches!(config.text("topology"), "mesh" | "torus" | "fly" | "fattree");
    let (k, n) = (config.int("k").max(1) as u64, config.int("n").clamp(0, 64) as u32);
    (grid && k.checked_pow(n).is_none_or(|nodes| nodes > 1 << 24))
        .then(|| "that is more than 16 million nodes".to_owned())
}

/// A node makes a packet in a cycle at most.
fn too_often(config: &Config) -> Option<String> {
    let most = config.floats("injection_rate").into_iter().fold(0.0, f64::max);
    let rate =
        if config.flag("injection_rate_uses_flits") { most / config.float("packet_size").max(1.0) } else { most };
    if config.floats("injection_rate").iter().any(|&rate| rate < 0.0) {
        return Some("a rate is not negative".to_owned());
    }
    let lists = config.shown("packet_size").contains("{{");
    // Requests have lengths of their own.
    let lists = lists || config.flag("use_read_write");
    (rate > 1.0 && !lists).then(|| "a node makes one packet per cycle at most; BookSim stops, too".to_owned())
}

/// `burst_alpha`, `burst_beta` and `burst_r1`: arguments of the process go before the keys.
pub(crate) fn bursts(config: &Config) -> [f64; 3] {
    let call = Call::of(config.text("injection_process"));
    let given = |at: usize, key: &str| match call.arguments.get(at) {
        Some(argument) => list::numbers(argument)[0],
        None => config.float(key),
    };
    [given(0, "burst_alpha"), given(1, "burst_beta"), given(2, "burst_r1")]
}

/// The share of the time that is in bursts, where both probabilities of their ends are given; all of it without bursts.
pub(crate) fn share_of_bursts(config: &Config) -> f64 {
    match bursts(config) {
        [alpha, beta, peak] if is_on_off(config) && peak < 0.0 => alpha / (alpha + beta),
        _ => 1.0,
    }
}

fn is_on_off(config: &Config) -> bool {
    Call::of(config.text("injection_process")).name == "on_off"
}

fn on_off(config: &Config) -> Option<String> {
    if !is_on_off(config) {
        return None;
    }
    if Call::of(config.text("injection_process")).arguments.len() > 3 {
        return Some("who sends at the start is drawn here; leave the fourth argument out".to_owned());
    }
    let given = bursts(config);
    if given.iter().filter(|&&value| value >= 0.0).count() != 2 {
        return Some("exactly two of burst_alpha, burst_beta and burst_r1 are given; the third is negative".to_owned());
    }
    given.iter().any(|&value| value > 1.0).then(|| "a probability is 1 at most".to_owned())
}
