//! Buffers, channels, times and allocators of the input-queued router.

use super::Draft;
use crate::config::Config;
use crate::gaps::alike;
use crate::list::Call;
use toml::Value;

pub(super) fn map(draft: &mut Draft) {
    draft.put("router.kind", "input_queued", &["router"]);
    if draft.config.text("topology") == "dragonflynew" {
        // Its routings name the channel that a packet begins in: any, drawn anew in every cycle.
        draft.put("router.entry_channel", "drawn", &["topology"]);
    }
    draft.put("router.planes", draft.config.int("subnets"), &["subnets"]);
    channels(draft);
    times(draft);
    speedups(draft);
    allocator(draft, "vc_allocator", "router.vc_allocator");
    allocator(draft, "sw_allocator", "router.switch_allocator");
    speculation(draft);
    order(draft);
}

fn channels(draft: &mut Draft) {
    let config = draft.config;
    let channels = config.int("num_vcs");
    draft.put("router.virtual_channels", channels, &["num_vcs"]);
    match config.int("buf_size") {
        all if all > 0 => {
            draft.put("router.buffer_flits", all / channels, &["buf_size", "num_vcs"]);
            draft.say(&["vc_buf_size"], "no effect: buf_size counts");
        }
        _ => {
            draft.put("router.buffer_flits", config.int("vc_buf_size"), &["vc_buf_size"]);
            draft.say(&["buf_size"], "no effect: vc_buf_size counts");
        }
    }
    let sharing = if config.flag("wait_for_tail_credit") { "owned" } else { "shared" };
    draft.put("router.sharing", sharing, &["wait_for_tail_credit"]);
    draft.put("router.channel_needs_credit", config.flag("vc_busy_when_full"), &["vc_busy_when_full"]);
}

fn times(draft: &mut Draft) {
    let config = draft.config;
    draft.put("router.routing_cycles", config.int("routing_delay"), &["routing_delay"]);
    draft.say(&["vc_alloc_delay", "sw_alloc_delay"], "one cycle, always");
    let crossbar = config.int("st_prepare_delay") + config.int("st_final_delay");
    draft.put("router.crossbar_cycles", crossbar, &["st_prepare_delay", "st_final_delay"]);
    draft.put("router.credit_cycles", config.int("credit_delay"), &["credit_delay"]);
}

fn speedups(draft: &mut Draft) {
    let config = draft.config;
    for key in ["input_speedup", "output_speedup"] {
        draft.put(&format!("router.{key}"), config.int(key), &[key]);
    }
    draft.put("router.internal_speedup", Value::Float(config.float("internal_speedup")), &["internal_speedup"]);
    draft.put("router.hold_switch", config.flag("hold_switch_for_packet"), &["hold_switch_for_packet"]);
    match config.int("output_buffer_size") {
        ..0 => draft.say(&["output_buffer_size"], "no limit"),
        size if queues(config) => draft.put("router.output_queue_flits", size.min(32767), &["output_buffer_size"]),
        _ => draft.say(&["output_buffer_size"], "no effect: flits do not wait at an output without speed-ups"),
    }
}

/// Whether flits may wait at an output.
fn queues(config: &Config) -> bool {
    let speedups = config.float("internal_speedup") > 1.0 || config.int("output_speedup") > 1;
    speedups || config.int("st_prepare_delay") + config.int("st_final_delay") > 1
}

/// Whether and how heads ask for the switch with the channel.
fn speculation(draft: &mut Draft) {
    const RULES: [&str; 4] = ["spec_check_elig", "spec_check_cred", "spec_mask_by_reqs", "spec_sw_allocator"];
    let config = draft.config;
    let needs = match (config.flag("spec_check_elig"), config.flag("spec_check_cred")) {
        _ if !config.flag("speculative") => {
            draft.put("router.speculation", "off", &["speculative"]);
            draft.say(&RULES, "no effect: speculative = 0");
            return;
        }
        (true, true) => "credit",
        (true, false) => "channel",
        (false, false) => "nothing",
        (false, true) => {
            draft.put("router.speculation", "off", &["speculative", "spec_check_elig", "spec_check_cred"]);
            let never =
                "no effect: without spec_check_elig BookSim finds no credit, and no head asks before it has a channel";
            draft.say(&RULES, never);
            return;
        }
    };
    draft.put("router.speculation_needs", needs, &["spec_check_elig", "spec_check_cred"]);
    if config.text("spec_sw_allocator") == "prio" {
        draft.put("router.speculation", "shared", &["speculative", "spec_sw_allocator"]);
        draft.say(&["spec_mask_by_reqs"], "no effect: spec_sw_allocator = prio");
        return;
    }
    draft.put("router.speculation", "separate", &["speculative", "spec_sw_allocator"]);
    let yields = if config.flag("spec_mask_by_reqs") { "requests" } else { "grants" };
    draft.put("router.speculation_yields", yields, &["spec_mask_by_reqs"]);
    allocator(draft, "spec_sw_allocator", "router.speculation_allocator");
}

/// The allocator that a key names, with its iterations or its arbiter.
fn allocator(draft: &mut Draft, key: &'static str, parameter: &str) {
    let call = Call::of(draft.config.text(key));
    let (name, argument) = (call.name.to_owned(), call.arguments.first().map(|&argument| argument.to_owned()));
    let iterations = call.int(0).unwrap_or(1);
    draft.put(parameter, name.as_str(), &[key]);
    if matches!(name.as_str(), "islip" | "pim" | "select") {
        draft.put(&format!("{parameter}_iterations"), iterations, &[key]);
    }
    if name.starts_with("separable") {
        let (groups, arbiter) = groups(argument.as_deref().unwrap_or("round_robin"));
        draft.put(&format!("{parameter}_arbiter"), arbiter, &[key]);
        if groups > 1 {
            draft.put(&format!("{parameter}_groups"), groups, &[key]);
        }
    }
}

/// The groups of an arbiter, and the arbiters in them: `tree(4,matrix)` has four.
pub(crate) fn groups(arbiter: &str) -> (i64, &str) {
    let Some((groups, of)) = arbiter.strip_prefix("tree(").and_then(|inside| inside.split_once(',')) else {
        return (1, arbiter);
    };
    (groups.parse().unwrap_or(0), of.rfind(')').map_or(of, |end| &of[..end]))
}

/// Whether an allocator never looks at priorities.
fn ignores_priorities(allocator: &str) -> bool {
    matches!(Call::of(allocator).name, "islip" | "pim" | "loa" | "max_size")
}

/// Whether anybody looks at the priorities of flits: an allocator, the channels of a crossbar input, or the classes of a node.
pub(crate) fn priorities_count(config: &Config) -> bool {
    let looks = |key: &str| !ignores_priorities(config.text(key));
    // The packet with the one channel of a port asks for the switch alone.
    let alone = config.int("num_vcs") == 1 && !config.flag("speculative");
    let hopes = config.flag("speculative") && config.text("spec_sw_allocator") != "prio" && looks("spec_sw_allocator");
    let shared = config.int("num_vcs") > config.int("input_speedup") || config.int("classes") > 1;
    shared || looks("vc_allocator") || looks("sw_allocator") && !alone || hopes
}

/// Whose flits come first.
fn priorities(draft: &mut Draft) {
    let config = draft.config;
    let by = match config.text("priority") {
        "class" if alike(config, "class_priority") => "none",
        other => other,
    };
    let keys = ["priority", "class_priority", "vc_priority_donation"];
    if by == "none" || !priorities_count(config) {
        let blind = "no effect: nobody looks at priorities, or all are the same";
        let asked = keys.iter().any(|key| config.differs(key));
        draft.say(&keys, if asked { blind } else { "no priorities" });
        return;
    }
    draft.put("router.priority", by, &["priority"]);
    if by == "class" {
        let of: Vec<Value> = config.floats("class_priority").iter().map(|&of| Value::from(of as i64)).collect();
        let classes = config.int("classes") as usize;
        let last = of.last().cloned().expect("a key has a value");
        let of: Vec<Value> = (0..classes).map(|class| of.get(class).unwrap_or(&last).clone()).collect();
        draft.put("router.class_priorities", of, &["class_priority"]);
    } else {
        draft.say(&["class_priority"], "no effect: priority is not class");
    }
    let gives = config.flag("vc_priority_donation") && !config.flag("wait_for_tail_credit") && by != "queue_length";
    if gives {
        draft.put("router.priority_donation", true, &["vc_priority_donation"]);
    } else {
        draft.say(&["vc_priority_donation"], "no flit hands a priority on");
    }
}

/// Whether heads would rather have empty channels.
fn empty_channels(draft: &mut Draft) {
    let config = draft.config;
    let allocator = Call::of(config.text("vc_allocator")).name;
    let chooses = config.int("num_vcs") > 1 || allocator.ends_with("wavefront");
    let asks = config.flag("vc_prioritize_empty");
    if asks && chooses && !ignores_priorities(allocator) && !config.flag("wait_for_tail_credit") {
        draft.put("router.prefer_empty_channels", true, &["vc_prioritize_empty"]);
        return;
    }
    let none = "no effect: this allocator does not look at it, or all free channels are empty";
    draft.say(&["vc_prioritize_empty"], if asks { none } else { "no channel is preferred" });
}

fn order(draft: &mut Draft) {
    let config = draft.config;
    priorities(draft);
    empty_channels(draft);
    draft.say(&["noq"], "channels are not shared out by the next output");
    let shuffled = config.int("vc_shuffle_requests") > 0;
    draft.put("router.vc_requests", if shuffled { "by_channel" } else { "by_port" }, &["vc_shuffle_requests"]);
    if !["mesh", "torus", "fly"].contains(&config.text("topology")) {
        draft.put("router.node_ports", "before_links", &["topology"]);
    }
    if config.text("topology") == "flatfly" {
        draft.put("router.input_ports", "by_router", &["topology"]);
    }
}
