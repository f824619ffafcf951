//! Buffers, channels, times and allocators.

use super::Draft;
use super::network::link_cycles;
use crate::list::Call;

/// What an allocator is called here.
fn allocator(name: &str) -> &'static str {
    match Call::of(name).name {
        "separable_input_first" => "input_first",
        _ => "output_first",
    }
}

pub(super) fn map(draft: &mut Draft) {
    draft.put("router.kind", "wormhole", &["router"]);
    channels(draft);
    times(draft);
    let config = draft.config;
    draft.put("router.vc_allocator", allocator(config.text("vc_allocator")), &["vc_allocator"]);
    let channels = config.int("num_vcs");
    if channels == 1 {
        draft.say(&["input_speedup", "sw_allocator"], "no effect: a port has one channel");
        return;
    }
    let speedup = config.int("input_speedup") > 1;
    draft.put("router.crossbar_inputs", if speedup { "channel" } else { "port" }, &["input_speedup"]);
    match speedup {
        true => draft.say(&["sw_allocator"], "no effect: every crossbar input has one channel"),
        false => draft.put("router.switch_allocator", allocator(config.text("sw_allocator")), &["sw_allocator"]),
    }
}

fn channels(draft: &mut Draft) {
    let config = draft.config;
    let channels = config.int("num_vcs");
    for parameter in ["virtual_channels", "injection_channels", "ejection_channels"] {
        draft.put(&format!("router.{parameter}"), channels, &["num_vcs"]);
    }
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
    draft.say(&["vc_busy_when_full"], "a full channel is asked for, too");
    draft.say(&["vc_prioritize_empty", "vc_priority_donation", "priority", "class_priority"], "no priorities");
}

fn times(draft: &mut Draft) {
    let config = draft.config;
    draft.put("router.routing_cycles", config.int("routing_delay"), &["routing_delay"]);
    draft.put("router.vc_allocation_cycles", config.int("vc_alloc_delay"), &["vc_alloc_delay"]);
    draft.put("router.switch_allocation_cycles", config.int("sw_alloc_delay"), &["sw_alloc_delay"]);
    let crossbar = config.int("st_prepare_delay") + config.int("st_final_delay");
    draft.put("router.crossbar_cycles", crossbar, &["st_prepare_delay", "st_final_delay"]);
    // A credit takes the wire, one cycle, and the delay; the cycle of the switch is counted apart.
    draft.put(
        "router.credit_cycles",
        link_cycles(config) + config.int("credit_delay"),
        &["credit_delay", "use_noc_latency"],
    );
    draft.say(&["output_speedup", "internal_speedup"], "no speed-up");
    draft.say(&["output_buffer_size"], "no effect: without a speed-up no flit waits at an output");
    draft.say(&["hold_switch_for_packet"], "flits of several packets take turns");
    draft.say(&["speculative"], "heads ask for the switch when they have a channel");
    let rules = ["spec_check_elig", "spec_check_cred", "spec_mask_by_reqs", "spec_sw_allocator"];
    draft.say(&rules, "no effect: speculative = 0");
    draft.say(&["noq", "vc_shuffle_requests"], "channels in their order");
}
