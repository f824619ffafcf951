//! Routers that are wider than a mask of one word, and links with channels by their kind.

use crate::{fed, folder, rows, tailback, text};

const SHORT: &str = "[workload]\nmeasure_cycles = 200\nwarmup_cycles = 50\ndrain_cycles = 20000\n";

/// Wide members of families run, deliver all that they take in, and are looked at by the static check.
#[test]
fn wide_members_of_families_run() {
    for (topology, more) in [
        ("kind = 'dragonfly', routers_per_group = 33, global_links = 1, groups = 4, nodes_per_router = 4", ""),
        ("kind = 'hyperx', sides = [41], nodes_per_router = 2", ""),
        ("kind = 'jellyfish', routers = 60, degree = 20, seed = 1, nodes_per_router = 2", "routing = 'up_down'\n"),
        ("kind = 'crossbar', nodes_per_router = 256", ""),
        ("kind = 'crossbar', nodes_per_router = 256", "router = { ejection_channels = 4 }\n"),
        ("kind = 'leaf_spine', leaves = 64, spines = 4, nodes_per_router = 64", "router = { virtual_channels = 8 }\n"),
    ] {
        let spec = format!(
            "topology = {{ {topology} }}\n{more}traffic = {{ load = 0.3, size = {{ kind = 'fixed', flits = 4 }} }}\n{SHORT}"
        );
        let checked = fed(&["check", "-", "--json"], spec.as_bytes());
        assert_eq!(checked.code, 0, "{topology}: {}", checked.err);
        assert_eq!(rows(&checked.out)[0]["deadlock_argument"].as_str(), Some("acyclic"), "{topology}");
        let run = fed(&["run", "-", "--json"], spec.as_bytes());
        assert_eq!(run.code, 0, "{topology}: {}", run.err);
        let row = &rows(&run.out)[0];
        assert!(row["packets_delivered"].as_u64().expect("a count") > 100, "{topology}: {row:?}");
    }
}

#[test]
fn what_is_too_wide_is_refused_with_the_number() {
    for (spec, says) in [
        ("topology = { kind = 'hyperx', sides = [66] }\n", "65 links to others, and at most 64"),
        (
            "topology = { kind = 'crossbar', nodes_per_router = 1000 }\nrouter = { ejection_channels = 40 }\n",
            "40000 outputs, and at most 32768",
        ),
        (
            "topology = { kind = 'hyperx', sides = [40] }\nrouter = { virtual_channels = 4 }\narbiter = 'matrix'\n",
            "157 inputs, and an arbiter of kind \"matrix\" chooses among 64 at most",
        ),
    ] {
        let done = fed(&["run", "-"], spec.as_bytes());
        assert_eq!(done.code, 2, "{spec}");
        assert!(done.err.contains(says), "{spec}: {}", done.err);
    }
}

/// Three channels on local links and two on global links are what detours by a group need, and no fewer.
#[test]
fn links_of_a_kind_have_channels_of_their_own() {
    let spec = |channels: &str, routing: &str| {
        format!(
            "topology = {{ kind = 'dragonfly', routers_per_group = 4, global_links = 2, nodes_per_router = 2, {channels} }}\n\
             router = {{ virtual_channels = 3, buffer_flits = 32 }}\nrouting = '{routing}'\n\
             traffic = {{ load = 0.4, size = {{ kind = 'fixed', flits = 8 }} }}\n{SHORT}"
        )
    };
    let check = |channels: &str, routing: &str| fed(&["check", "-", "--json"], spec(channels, routing).as_bytes());
    for routing in ["valiant", "ugal_l", "piggyback", "minimal", "up_down"] {
        let checked = check("global_channels = 2", routing);
        assert_eq!(checked.code, 0, "{routing}: {}", checked.err);
        assert_eq!(rows(&checked.out)[0]["deadlock_argument"].as_str(), Some("acyclic"), "{routing}");
        let run = fed(&["run", "-", "--json"], spec("global_channels = 2", routing).as_bytes());
        assert_eq!(run.code, 0, "{routing}: {}", run.err);
    }
    for (channels, routing, says) in [
        ("global_channels = 1", "ugal_l", "3 classes on local links and 2 on global links"),
        ("local_channels = 2", "ugal_l", "3 classes on local links and 2 on global links"),
        ("local_channels = 1", "minimal", "minimal routing needs 2 virtual channels of a local link"),
        ("global_channels = 4", "minimal", "a link would have 4 virtual channels, and router.virtual_channels is 3"),
    ] {
        let done = check(channels, routing);
        assert!(done.code == 2 && done.err.contains(says), "{channels}, {routing}: {}", done.err);
    }
}

/// Whether packets can wait for each other is asked of networks, too, that are refused for their wide routers.
#[test]
fn a_picture_of_who_waits_is_asked_of_routers_that_are_too_wide() {
    for (kind, more) in [
        ("wormhole", "virtual_channels = 4"),
        ("wormhole", "virtual_channels = 16"),
        ("adaptive_cut_through", "virtual_channels = 8"),
        ("input_output_queued", "packet_bytes = 32"),
    ] {
        let spec = format!(
            "topology = {{ kind = 'dragonfly', routers_per_group = 48, global_links = 20, groups = 3, nodes_per_router = 2 }}\n\
             router = {{ kind = '{kind}', {more} }}\ntraffic = {{ load = 0.1, size = {{ kind = 'fixed', flits = 4 }} }}\n"
        );
        let (folder, path) = folder(&spec);
        let picture = folder.path().join("circle.svg");
        let done = tailback(&["check", &path, "--svg", &text(&picture)]);
        assert_eq!(done.code, 2, "{kind}, {more}: {}", done.err);
        let refused = ["a router would have", "a switch would have"].iter().any(|says| done.err.contains(says));
        assert!(refused, "{kind}, {more}: {}", done.err);
    }
}
