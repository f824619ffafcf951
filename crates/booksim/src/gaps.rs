//! What the engine cannot do yet, or not exactly: one table. A feature that arrives takes its lines out.

use crate::config::Config;
use crate::fault::Fault;
use crate::list::Call;
use crate::map::{BUILT, groups, priorities_count};
use crate::rules::ROUTINGS;

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

/// The table.
pub const GAPS: &[Gap] = &[
    // Networks and their routings.
    refused(&["routing_function", "topology"], unbuilt, "this routing is not built yet"),
    refused(&["subnets"], |c| c.int("subnets") > 16, "a network has 16 planes at most here"),
    refused(
        &["num_vcs"],
        |c| c.int("num_vcs") > MOST_CHANNELS,
        "a port with more than 16 channels is not simulated yet",
    ),
    // Allocators.
    refused(&["vc_allocator"], |c| calls(c, "vc_allocator", "piggyback"), "channels are not chosen at the switch yet"),
    refused(&["vc_allocator"], |c| grows(c, "vc_allocator"), NESTED),
    refused(&["sw_allocator"], |c| grows(c, "sw_allocator"), NESTED),
    refused(
        &["priority"],
        |c| CHANGING.contains(&c.text("priority")) && priorities_count(c),
        "flits have priorities of their packets and buffers here, and none that changes from flit to flit or on the way; take age",
    ),
    refused(
        &["priority", "use_read_write"],
        |c| c.text("priority") == "sequence" && c.flag("use_read_write") && priorities_count(c),
        "a node numbers its requests and its replies each by themselves here; take age",
    ),
    // Stages and the crossbar.
    refused(&["spec_sw_allocator"], |c| c.flag("speculative") && grows(c, "spec_sw_allocator"), NESTED),
    near(
        &["output_buffer_size", "internal_speedup", "output_speedup"],
        overruns,
        "BookSim aborts when more flits than it thinks are on their way to a full queue; here they wait there",
    ),
    refused(
        &["input_speedup"],
        |c| c.int("input_speedup") > MOST_CHANNELS,
        "a port has 16 crossbar inputs at most here",
    ),
    refused(
        &["output_speedup"],
        |c| c.int("output_speedup") > MOST_CHANNELS,
        "a port has 16 crossbar outputs at most here",
    ),
    refused(
        &["internal_speedup"],
        |c| !(1.0..=64.0).contains(&c.float("internal_speedup")),
        "a router makes 1 to 64 steps per cycle here",
    ),
    refused(&["noq"], |c| c.flag("noq"), "channels are not shared out by the next output yet"),
    // Traffic.
    refused(&["classes"], |c| c.int("classes") > 16, "16 classes at most share the wire of a node here"),
    refused(
        &["classes", "priority"],
        |c| several(c) && c.text("priority") == "sequence",
        "BookSim numbers the packets of all classes of a node together, and here each class has numbers of its own; take age",
    ),
    refused(
        &["classes", "priority", "wait_for_tail_credit"],
        |c| several(c) && differ(c) && c.flag("wait_for_tail_credit"),
        "BookSim aborts where a class that another one overtook finds its channel in use; set wait_for_tail_credit = 0",
    ),
    refused(
        &["use_read_write", "topology"],
        |c| c.flag("use_read_write") && c.text("topology") == "dragonflynew",
        "types of packets do not share the three channels of a dragonfly yet",
    ),
    near(
        &["use_read_write"],
        |c| c.flag("use_read_write"),
        "a reply is measured by its own time; BookSim also measures later replies to measured requests",
    ),
    // Measurement.
    refused(&["sim_type"], |c| c.text("sim_type") == "batch", "batches of packets are not simulated yet"),
];

/// The most channels of a port, and the most crossbar inputs and outputs.
const MOST_CHANNELS: i64 = 16;

/// Whether there are several classes.
fn several(config: &Config) -> bool {
    config.int("classes") > 1
}

/// Priorities of flits that change on their way, or differ within a packet.
const CHANGING: [&str; 3] = ["network_age", "local_age", "hop_count"];

/// Whether packets at a node may differ in priority.
fn differ(config: &Config) -> bool {
    match config.text("priority") {
        "class" => !alike(config, "class_priority"),
        other => matches!(other, "age" | "sequence"),
    }
}

/// Whether a key has the same value in all classes.
pub(crate) fn alike(config: &Config, key: &str) -> bool {
    let values = config.floats(key);
    let classes = config.int("classes").max(1) as usize;
    values.iter().take(classes).all(|&value| value == values[0])
}

/// The most groups of an arbiter.
const MOST_GROUPS: i64 = 64;

const NESTED: &str = "a tree arbiter has 64 groups at most here, and no trees in them";

/// Whether a routing is one of BookSim's, and not built here.
fn unbuilt(config: &Config) -> bool {
    let name = routing(config);
    ROUTINGS.contains(&name.as_str()) && !BUILT.contains(&name.as_str())
}

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

fn calls(config: &Config, key: &str, name: &str) -> bool {
    Call::of(config.text(key)).name == name
}

/// Whether an allocator has tree arbiters with trees in them, or with more groups than there may be.
fn grows(config: &Config, key: &str) -> bool {
    let call = Call::of(config.text(key));
    let large = |arbiter: &&str| {
        let (groups, of) = groups(arbiter);
        groups > MOST_GROUPS || of.starts_with("tree")
    };
    call.name.starts_with("separable") && call.arguments.first().is_some_and(large)
}

/// Whether more flits may be on their way to an output queue than BookSim asserts: two batches of a crossbar, less what the link takes.
fn overruns(config: &Config) -> bool {
    let crossbar = config.float("st_prepare_delay") + config.float("st_final_delay");
    let outputs = config.float("output_speedup");
    let batches = 2.0 * crossbar * outputs * config.float("internal_speedup").ceil() - crossbar;
    config.int("output_buffer_size") > 0 && crossbar > 1.0 && batches > crossbar * outputs + outputs
}
