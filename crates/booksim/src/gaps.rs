//! What the engine cannot do yet, or not exactly: one table. A feature that arrives takes its lines out.

use crate::config::Config;
use crate::fault::Fault;
use crate::list::Call;

/// What is done where the engine lacks something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// The configuration is refused.
    Refused,
    /// It runs, and is told to be near.
    Near,
}

/// Something that the engine lacks.
#[derive(Clone, Copy)]
pub struct Gap {
    /// The keys that ask for it.
    pub keys: &'static [&'static str],
    /// Whether they do.
    pub asks: fn(&Config) -> bool,
    /// What is missing, or what is done instead.
    pub what: &'static str,
    /// What is done about it.
    pub then: Then,
}

const fn refused(keys: &'static [&'static str], asks: fn(&Config) -> bool, what: &'static str) -> Gap {
    Gap { keys, asks, what, then: Then::Refused }
}

const fn near(keys: &'static [&'static str], asks: fn(&Config) -> bool, what: &'static str) -> Gap {
    Gap { keys, asks, what, then: Then::Near }
}

const ANY: fn(&Config) -> bool = |_| true;

/// The table.
pub const GAPS: &[Gap] = &[
    // Networks and their routings.
    refused(&["topology"], |c| c.text("topology") == "cmesh", "networks `cmesh` are not simulated yet"),
    refused(&["topology"], |c| c.text("topology") == "fly", "networks `fly` are not simulated yet"),
    refused(&["topology"], |c| c.text("topology") == "qtree", "networks `qtree` are not simulated yet"),
    refused(&["topology"], |c| c.text("topology") == "tree4", "networks `tree4` are not simulated yet"),
    refused(&["topology"], |c| c.text("topology") == "fattree", "networks `fattree` are not simulated yet"),
    refused(&["topology"], |c| c.text("topology") == "flatfly", "networks `flatfly` are not simulated yet"),
    refused(&["topology"], |c| c.text("topology") == "anynet", "networks `anynet` are not simulated yet"),
    refused(&["topology"], |c| c.text("topology") == "dragonflynew", "networks `dragonflynew` are not simulated yet"),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "dim_order_ni_mesh"),
        "the routing `dim_order_ni_mesh` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "dim_order_pni_mesh"),
        "the routing `dim_order_pni_mesh` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "xy_yx_mesh"),
        "the routing `xy_yx_mesh` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "adaptive_xy_yx_mesh"),
        "the routing `adaptive_xy_yx_mesh` is not built yet",
    ),
    refused(&["routing_function", "topology"], |c| routes(c, "romm_mesh"), "the routing `romm_mesh` is not built yet"),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "romm_ni_mesh"),
        "the routing `romm_ni_mesh` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "valiant_mesh"),
        "the routing `valiant_mesh` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "min_adapt_mesh"),
        "the routing `min_adapt_mesh` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "planar_adapt_mesh"),
        "the routing `planar_adapt_mesh` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "dim_order_ni_torus"),
        "the routing `dim_order_ni_torus` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "dim_order_bal_torus"),
        "the routing `dim_order_bal_torus` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "min_adapt_torus"),
        "the routing `min_adapt_torus` is not built yet",
    ),
    refused(
        &["routing_function", "topology"],
        |c| routes(c, "valiant_ni_torus"),
        "the routing `valiant_ni_torus` is not built yet",
    ),
    refused(&["subnets"], |c| c.int("subnets") > 1, "networks side by side are not simulated yet"),
    // Ends.
    near(
        &["num_vcs"],
        ANY,
        "each channel between a node and its router carries a flit per cycle here, and has no buffer and no wire: packets arrive 2 cycles sooner, and more gets in and out close to saturation",
    ),
    refused(
        &["num_vcs", "n"],
        |c| wide(c, 64),
        "a router with more than 64 channels, injection included, is not simulated yet",
    ),
    // Allocators.
    near(
        &["vc_allocator"],
        |c| calls(c, "vc_allocator", "islip"),
        "outputs choose first here, as in islip, but no iteration follows and pointers move by other rules",
    ),
    near(
        &["sw_allocator"],
        |c| calls(c, "sw_allocator", "islip"),
        "outputs choose first here, as in islip, but no iteration follows and pointers move by other rules",
    ),
    near(
        &["vc_allocator"],
        |c| calls(c, "vc_allocator", "separable_input_first"),
        "a head asks for one free channel here, not for all of them",
    ),
    near(&["sw_allocator"], |c| calls(c, "sw_allocator", "separable_input_first"), "pointers move by other rules here"),
    near(
        &["vc_allocator"],
        |c| calls(c, "vc_allocator", "separable_output_first"),
        "pointers move by other rules here",
    ),
    near(
        &["sw_allocator"],
        |c| calls(c, "sw_allocator", "separable_output_first"),
        "pointers move by other rules here",
    ),
    refused(&["vc_allocator"], |c| calls(c, "vc_allocator", "max_size"), "the allocator `max_size` is not built yet"),
    refused(&["sw_allocator"], |c| calls(c, "sw_allocator", "max_size"), "the allocator `max_size` is not built yet"),
    refused(&["vc_allocator"], |c| calls(c, "vc_allocator", "pim"), "the allocator `pim` is not built yet"),
    refused(&["sw_allocator"], |c| calls(c, "sw_allocator", "pim"), "the allocator `pim` is not built yet"),
    refused(&["vc_allocator"], |c| calls(c, "vc_allocator", "loa"), "the allocator `loa` is not built yet"),
    refused(&["sw_allocator"], |c| calls(c, "sw_allocator", "loa"), "the allocator `loa` is not built yet"),
    refused(&["vc_allocator"], |c| calls(c, "vc_allocator", "wavefront"), "the allocator `wavefront` is not built yet"),
    refused(&["sw_allocator"], |c| calls(c, "sw_allocator", "wavefront"), "the allocator `wavefront` is not built yet"),
    refused(
        &["vc_allocator"],
        |c| calls(c, "vc_allocator", "rr_wavefront"),
        "the allocator `rr_wavefront` is not built yet",
    ),
    refused(
        &["sw_allocator"],
        |c| calls(c, "sw_allocator", "rr_wavefront"),
        "the allocator `rr_wavefront` is not built yet",
    ),
    refused(&["vc_allocator"], |c| calls(c, "vc_allocator", "select"), "the allocator `select` is not built yet"),
    refused(&["sw_allocator"], |c| calls(c, "sw_allocator", "select"), "the allocator `select` is not built yet"),
    refused(&["vc_allocator"], |c| calls(c, "vc_allocator", "piggyback"), "channels are not chosen at the switch yet"),
    refused(&["vc_allocator"], |c| iterates(c, "vc_allocator"), "allocators with several iterations are not built yet"),
    refused(&["sw_allocator"], |c| iterates(c, "sw_allocator"), "allocators with several iterations are not built yet"),
    refused(&["vc_allocator"], |c| arbitrates(c, "vc_allocator"), "matrix and tree arbiters are not built yet"),
    refused(&["sw_allocator"], |c| arbitrates(c, "sw_allocator"), "matrix and tree arbiters are not built yet"),
    refused(&["priority"], |c| c.text("priority") != "none", "flits have no priorities yet"),
    refused(&["vc_prioritize_empty"], |c| c.flag("vc_prioritize_empty"), "channels have no priorities yet"),
    refused(&["vc_shuffle_requests"], |c| c.flag("vc_shuffle_requests"), "requests come in one order so far"),
    refused(
        &["vc_busy_when_full"],
        |c| c.flag("vc_busy_when_full"),
        "heads do not look at credits when they ask for a channel yet",
    ),
    // Stages and the crossbar.
    near(
        &["routing_delay"],
        |c| c.int("routing_delay") > 1,
        "heads are routed side by side here; BookSim's router routes one batch of heads after the other",
    ),
    near(
        &["st_prepare_delay", "st_final_delay"],
        |c| c.int("st_prepare_delay") + c.int("st_final_delay") > 1,
        "flits follow each other through the crossbar here; BookSim's router carries one batch of flits after the other",
    ),
    refused(&["speculative"], |c| c.flag("speculative"), "BookSim's rules of speculation are not built yet"),
    refused(
        &["input_speedup", "num_vcs"],
        |c| c.int("input_speedup") > 1 && c.int("input_speedup") != c.int("num_vcs"),
        "a port has one crossbar input, or one for each channel, so far",
    ),
    refused(&["output_speedup"], |c| c.int("output_speedup") != 1, "a port has one crossbar output so far"),
    refused(&["internal_speedup"], |c| c.float("internal_speedup") != 1.0, "a router makes one step per cycle so far"),
    refused(&["hold_switch_for_packet"], |c| c.flag("hold_switch_for_packet"), "no packet keeps the switch yet"),
    refused(&["noq"], |c| c.flag("noq"), "channels are not shared out by the next output yet"),
    // Traffic.
    refused(&["classes"], |c| c.int("classes") > 1, "several classes of traffic are not simulated yet"),
    refused(&["use_read_write"], |c| c.flag("use_read_write"), "receivers do not reply yet"),
    refused(&["traffic"], |c| calls(c, "traffic", "background"), "the pattern `background` is not built yet"),
    refused(&["traffic"], |c| calls(c, "traffic", "randperm"), "the pattern `randperm` is not built yet"),
    refused(&["traffic"], |c| calls(c, "traffic", "bad_dragon"), "the pattern `bad_dragon` is not built yet"),
    refused(&["traffic"], |c| calls(c, "traffic", "badperm_yarc"), "the pattern `badperm_yarc` is not built yet"),
    // Measurement.
    refused(&["sim_type"], |c| c.text("sim_type") == "batch", "batches of packets are not simulated yet"),
    refused(
        &["include_queuing"],
        |c| c.int("include_queuing") != 1,
        "latency begins with the birth of a packet so far",
    ),
];

/// What the engine lacks of what a configuration asks for.
pub fn gaps(config: &Config) -> impl Iterator<Item = &'static Gap> + '_ {
    GAPS.iter().filter(|gap| (gap.asks)(config))
}

/// The refusals among them.
pub fn faults(config: &Config) -> impl Iterator<Item = Fault> + '_ {
    gaps(config).filter(|gap| gap.then == Then::Refused).map(|gap| config.fault(gap.keys, gap.what))
}

/// The others, a sentence each.
pub fn notes(config: &Config) -> impl Iterator<Item = String> + '_ {
    let near = gaps(config).filter(|gap| gap.then == Then::Near);
    near.map(|gap| format!("near, not exact: {}: {}", config.words(gap.keys), gap.what))
}

/// The full name of the routing, as BookSim looks it up.
pub fn routing(config: &Config) -> String {
    format!("{}_{}", config.text("routing_function"), config.text("topology"))
}

fn routes(config: &Config, name: &str) -> bool {
    routing(config) == name
}

fn calls(config: &Config, key: &str, name: &str) -> bool {
    Call::of(config.text(key)).name == name
}

/// Whether an allocator has more iterations than one.
fn iterates(config: &Config, key: &str) -> bool {
    let call = Call::of(config.text(key));
    matches!(call.name, "islip" | "pim" | "select") && call.int(0).is_some_and(|iterations| iterations != 1)
}

/// Whether an allocator has other arbiters than round robin.
fn arbitrates(config: &Config, key: &str) -> bool {
    let call = Call::of(config.text(key));
    call.name.starts_with("separable") && call.arguments.first().is_some_and(|arbiter| *arbiter != "round_robin")
}

/// Whether a router of a grid has more channels than `most`.
fn wide(config: &Config, most: i64) -> bool {
    let grid = matches!(config.text("topology"), "mesh" | "torus");
    grid && (2 * config.int("n") + 1).saturating_mul(config.int("num_vcs")) > most
}
