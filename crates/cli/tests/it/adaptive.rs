//! Adaptive cut-through networks from the command line.

use crate::{fed, rows, tailback};

const BUBBLE: &str = r#"
[topology]
kind = "torus"
radix = [4, 4]
[router]
kind = "adaptive_cut_through"
virtual_channels = 2
buffer_flits = 8
[flow_control]
kind = "bubble"
[routing]
kind = "adaptive"
escape = "ring"
[traffic]
load = 0.2
size = { kind = "fixed", flits = 4 }
[workload]
kind = "steady"
warmup_cycles = 100
measure_cycles = 1000
drain_cycles = 1000
"#;

#[test]
fn it_runs_and_says_what_keeps_it_going() {
    let checked = fed(&["check", "-"], BUBBLE.as_bytes());
    assert_eq!(checked.code, 0, "{}", checked.err);
    assert!(checked.out.contains("a bubble in every ring") && !checked.out.contains("warning"), "{}", checked.out);
    let done = fed(&["run", "-", "--json"], BUBBLE.as_bytes());
    assert_eq!((done.code, rows(&done.out)[0]["status"].as_str()), (0, Some("steady")), "{}", done.err);
    let page = fed(&["run", "-"], BUBBLE.as_bytes());
    assert!(page.out.contains("escape share"), "{}", page.out);
}

#[test]
fn without_the_bubble_it_is_refused_or_deadlocks() {
    let bare = BUBBLE.replace("kind = \"bubble\"", "kind = \"virtual_cut_through\"");
    let refused = fed(&["run", "-"], bare.as_bytes());
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(refused.err.contains("flow_control = \"bubble\""), "{}", refused.err);
    let deterministic = [
        ("escape = \"ring\"", "datelines = \"none\""),
        ("kind = \"adaptive\"", "kind = \"dimension_order\""),
        ("virtual_channels = 2", "virtual_channels = 1"),
        ("[4, 4]", "[8, 8]"),
        ("load = 0.2", "load = 1.0"),
    ];
    let deterministic = deterministic.iter().fold(bare, |spec, (from, to)| spec.replace(from, to));
    let locked = fed(&["run", "-", "--json", "--set", "run.allow_deadlock=true"], deterministic.as_bytes());
    assert_eq!((locked.code, rows(&locked.out)[0]["status"].as_str()), (3, Some("deadlocked")), "{}", locked.err);
    assert!(locked.err.contains("wait for each other in a circle"), "{}", locked.err);
}

#[test]
fn specs_that_cannot_be() {
    for (set, reason) in [
        ("router.buffer_flits=9", "set router.buffer_flits to 8 or 12"),
        ("router.routing_cycles=1", "belongs to router kind"),
        ("flow_control.escape_packets=3", "is never there"),
        ("topology.link_cycles=5", "too late"),
        ("interface.queues=5", "up to two injection queues a dimension"),
        ("interface={kind='lpath',queues=1}", "each of the 4 directions"),
        ("traffic.size={kind='bimodal'}", "have one length"),
        ("traffic.packet_flits=3", "cannot be cut"),
        ("recovery.kind=disha", "no recovery lane"),
        ("router={virtual_channels=2} -s routing={kind='dimension_order'}", "only the adaptive cut-through data path"),
    ] {
        let set = format!("check - -s {set}");
        let done = fed(&set.split(' ').collect::<Vec<_>>(), BUBBLE.as_bytes());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{set}: {}", done.err);
        assert!(done.err.contains(reason), "{set}: {}", done.err);
    }
}

#[test]
fn list_knows_the_interface_and_the_bubble() {
    for (section, words) in [
        ("interface", ["lpath", "round_robin", "queues [queues]", "virtual:"]),
        ("flow_control", ["bubble", "escape_packets [packets]", "new_packets [packets]", "ring:"]),
        ("router", ["adaptive_cut_through", "turn_cycles [cycles]", "in_turn:", "transit_first"]),
        ("selection", ["turn", "straight", "first", "random"]),
        ("traffic", ["packet_flits [flits]", "load", "adaptive_cut_through", "messages"]),
    ] {
        let text = tailback(&["list", section]).out.to_lowercase();
        assert!(words.iter().all(|word| text.contains(word)), "{section}: {text}");
    }
}
