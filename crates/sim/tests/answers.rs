//! Receivers that answer: what a run says of them, and what is refused.

use crate::common::{adds_up, outcome, prepared, refusal};

fn spec(topology: &str, router: &str, traffic: &str) -> String {
    format!(
        "topology = {{ kind = '{topology}', radix = [4, 4] }}\nrouter = {{ kind = 'input_queued', virtual_channels = 8{router} }}\n\
         traffic = {{ load = 0.06{traffic}, size = {{ kind = 'read_write', write_fraction = 0.25, write_request_flits = 5, read_reply_flits = 5 }} }}\n\
         workload = {{ warmup_cycles = 1000, measure_cycles = 6000, drain_cycles = 1000 }}\n"
    )
}

#[test]
fn every_request_is_answered() {
    let channels = ", type_channels = [0, 3, 0, 3, 4, 7, 4, 7], planes = 2, type_planes = [0, 0, 1, 1]";
    let uneven = ", type_channels = [0, 1, 0, 1, 2, 4, 5, 7]";
    for router in ["", channels, uneven] {
        let of = spec("torus", router, "");
        let record = outcome(&of).record;
        assert!(adds_up(&record), "{record:?}");
        // Requests have 2 flits on average, and their answers 4.
        let offered = prepared(&of).expect("it can be").facts().offered_load.expect("it goes on");
        assert!((offered - 0.18).abs() < 1e-9, "{offered}");
        let accepted = record.accepted_load.expect("it measured");
        assert!((accepted / offered - 1.0).abs() < 0.03, "{accepted}");
    }
}

/// The replies of a node wait in one line, and the class whose place is empty first takes them.
#[test]
fn a_class_answers_the_requests_of_another() {
    let of = |classes: &str, router: &str| {
        format!(
            "topology = {{ kind = 'mesh', radix = [4, 4] }}\nrouter = {{ kind = 'input_queued', virtual_channels = 4{router} }}\n\
             traffic = {{ load = 0.06, classes = [{classes}] }}\nworkload = {{ warmup_cycles = 1000, measure_cycles = 6000, drain_cycles = 1000 }}\n"
        )
    };
    // The first class is free first nearly always: replies to reads have 2 flits, and few have 20. That makes 0.18 flits, not 1.26.
    let two = "{ share = 0, size = { kind = 'read_write', read_reply_flits = 2 } }, \
               { size = { kind = 'read_write', write_fraction = 0, read_reply_flits = 20 } }";
    let record = outcome(&of(two, "")).record;
    assert!(adds_up(&record), "{record:?}");
    let accepted = record.accepted_load.expect("it measured");
    assert!((0.18..0.4).contains(&accepted), "{accepted}");
    // Packets of no type beside those that have channels and planes of their own.
    let channels = ", type_channels = [0, 1, 0, 1, 2, 3, 2, 3], planes = 2, type_planes = [0, 0, 1, 1]";
    let mixed = "{ size = { kind = 'fixed', flits = 4 } }, { size = { kind = 'read_write', write_fraction = 0 } }";
    let record = outcome(&of(mixed, channels)).record;
    assert!(adds_up(&record), "{record:?}");
    let accepted = record.accepted_load.expect("it measured");
    assert!((accepted / 0.09 - 1.0).abs() < 0.03, "{accepted}");
    // On a ring, what cuts it is in other channels for those without a type.
    let ring = of(mixed, channels).replace("mesh", "torus");
    assert!(refusal(&ring).contains("ranges of channels overlap in part"));
    let other = of(mixed, "").replace("input_queued', virtual_channels = 4", "wormhole'");
    assert!(refusal(&other).contains("share the wire of a node"));
}

#[test]
fn loads_that_are_not_added_up_are_said_to_be_unknown_with_the_reason() {
    let warned = |text: &str, why: &str| {
        let warnings = prepared(text).expect("it can be").facts().warnings.clone();
        assert!(warnings.iter().any(|warning| warning.contains(why)), "{warnings:?}");
    };
    warned(&spec("torus", "", ""), "link is unknown, because replies have ways of their own; only");
    let classes = "topology = { kind = 'mesh', radix = [4, 4] }\nrouter = 'input_queued'\ntraffic = { load = 0.1, classes = [{}, {}] }\n";
    warned(classes, "link is unknown, because each class of packets has a load of its own; only");
}

#[test]
fn what_does_not_go_with_answers_is_refused_by_name() {
    for (router, traffic, why) in [
        (", source_queue_packets = 3", "", "answers go before requests"),
        ("", ", packet_flits = 5", "are not cut"),
        (", type_planes = [0, 0, 0, 1]", "", "0 to 0"),
        (", type_channels = [0, 7]", "", "the first and the last channel of four types are named"),
        (", type_channels = [0, 3, 0, 3, 7, 4, 4, 7]", "", "the first and the last channel of four types"),
        (", type_channels = [0, 3, 0, 3, 4, 7, 4, 8]", "", "0 to 7"),
        (", type_channels = [0, 3, 0, 3, 4, 6, 7, 7]", "", "needs 2 virtual channels, not 1"),
        (", type_channels = [0, 3, 0, 3, 4, 7, 4, 7], entry_channel = 'drawn'", "", "a node draws any channel"),
        (", type_channels = [0, 3, 2, 5, 4, 7, 4, 7]", "", "ranges of channels overlap in part"),
    ] {
        let found = refusal(&spec("torus", router, traffic));
        assert!(found.contains(why), "{router}{traffic}: {found}");
    }
    let other = spec("torus", "", "").replace("input_queued', virtual_channels = 8", "wormhole'");
    assert!(refusal(&other).contains("router.kind = \"input_queued\" alone"));
    // Dimension order needs no channels on a mesh, so that types may share some.
    assert!(prepared(&spec("mesh", ", type_channels = [0, 3, 2, 5, 4, 7, 4, 7]", "")).is_ok());
}
