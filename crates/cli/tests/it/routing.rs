//! `route`, and routings of networks of any shape.

use crate::{fed, folder, rows, tailback, text};
use std::path::Path;

const JELLYFISH: &str = "topology = { kind = 'jellyfish', routers = 20, degree = 4, nodes_per_router = 2 }\n\
                         router = { virtual_channels = 3, buffer_flits = 16 }\n[traffic]\nload = 0.3\n\
                         [workload]\nwarmup_cycles = 100\nmeasure_cycles = 400\ndrain_cycles = 1000\n";

fn row(spec: &str) -> serde_json::Value {
    let done = fed(&["run", "-", "--json"], spec.as_bytes());
    assert_eq!(done.code, 0, "{}", done.err);
    rows(&done.out).remove(0).into()
}

/// What an engine writes runs to the same bits as the routing of its name.
#[test]
fn a_written_table_runs_as_its_engine() {
    let (_folder, spec) = folder(JELLYFISH);
    let table = text(&Path::new(&spec).with_file_name("routes.txt"));
    let done = tailback(&["route", &spec, "--engine", "layered", "-o", &table, "--json"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let said: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!((said["layers"].as_u64(), said["hops_max"].as_u64()), (Some(2), Some(4)), "{said}");
    assert!((said["hops_mean"].as_f64().unwrap() - 2.1053).abs() < 1e-4, "{said}");
    let by_table = row(&format!("routing = {{ kind = 'table', file = '{table}' }}\n{JELLYFISH}"));
    let layered = row(&format!("routing = 'layered'\n{JELLYFISH}"));
    assert!(by_table["packets_delivered"].as_u64() > Some(100), "{by_table}");
    assert_eq!(by_table["digest"], layered["digest"]);
    // Without layers the shortest ways close a circle, which the check finds.
    let written = std::fs::read_to_string(&table).unwrap();
    let flat: Vec<&str> = written.lines().filter(|line| !line.starts_with("layer")).collect();
    std::fs::write(&table, flat.join("\n")).unwrap();
    let refused =
        fed(&["check", "-"], format!("routing = {{ kind = 'table', file = '{table}' }}\n{JELLYFISH}").as_bytes());
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("packets can wait for each other in a circle"), "{}", refused.err);
    let few = fed(
        &["check", "-"],
        format!("routing = 'layered'\n{}", JELLYFISH.replace("channels = 3", "channels = 1")).as_bytes(),
    );
    assert!(few.err.contains("layered routing needs 2 virtual channels here"), "{}", few.err);
}

#[test]
fn a_table_is_printed_and_files_are_kept() {
    let (_folder, spec) = folder(JELLYFISH);
    let printed = tailback(&["route", &spec, "--engine", "up_down"]);
    assert_eq!(printed.code, 0);
    assert!(printed.out.starts_with("# routes: router destination [in PORT] port [channels]"), "{}", printed.out);
    assert!(printed.err.contains("up_down: 20 routers, 1 layers, routes of 2."), "{}", printed.err);
    let table = text(&Path::new(&spec).with_file_name("routes.txt"));
    for _ in 0..2 {
        let done = tailback(&["route", &spec, "-o", &table]);
        assert!(done.code == 0 && done.out.contains("longest route"), "{} {}", done.out, done.err);
    }
    assert_eq!(tailback(&["route", &spec, "-o", &spec, "--force"]).code, 2, "it is read");
    std::fs::write(&table, "my notes\n").unwrap();
    assert_eq!(tailback(&["route", &spec, "-o", &table]).code, 2, "it is of another kind");
    for (arguments, expected) in [
        (vec!["route"], "there is no network to route"),
        (vec!["route", &spec, "--engine", "magic"], "there is no engine `magic`; there are layered, up_down, minimal"),
        (vec!["route", &spec, "--engine", "minimal"], "take the engine layered"),
        (vec!["route", &spec, "--json"], "give -o a file"),
        (vec!["route", "--kind", "jellyfish", "-s", "routers=5000", "-s", "degree=4"], "4096 routers at most"),
    ] {
        let done = tailback(&arguments);
        assert_eq!(done.code, 2, "{arguments:?}");
        assert!(done.err.contains(expected), "{arguments:?}: {}", done.err);
    }
}

#[test]
fn routings_say_what_they_need() {
    let check = |spec: &str| fed(&["check", "-"], spec.as_bytes());
    for (spec, expected) in [
        (
            "topology = { kind = 'slim_fly', q = 5 }\nrouting = { kind = 'up_down', up = 'd_mod_k' }\n",
            "this network has none",
        ),
        ("topology = { kind = 'slim_fly', q = 5 }\nrouting = 'dimwar'\n", "goes by the rows of a HyperX"),
        (
            "topology = { kind = 'hyperx', sides = [4, 4] }\nrouting = 'omniwar'\nrouter.virtual_channels = 2\n",
            "needs 3 virtual channels",
        ),
        (
            "topology = { kind = 'torus', radix = [4, 4] }\nrouting = { kind = 'up_down', up = 'd_mod_k' }\n",
            "this network has none",
        ),
        (
            "topology = { kind = 'torus', radix = [6, 6] }\nrouting = 'layered'\nrouter.virtual_channels = 1\n",
            "layered routing needs 3 virtual channels here",
        ),
        ("topology = { kind = 'torus', radix = [4, 4] }\nrouting = 'dimwar'\n", "is for networks without a grid"),
        (
            "topology = { kind = 'torus', radix = [5] }\nrouting = 'least_delay'\n",
            "packets can wait for each other in a circle",
        ),
    ] {
        let done = check(spec);
        assert_eq!(done.code, 2, "{spec}");
        assert!(done.err.contains(expected), "{spec}: {}", done.err);
    }
    let free =
        check("topology = { kind = 'hyperx', sides = [4, 4] }\nrouting = 'dimwar'\nrouter.virtual_channels = 2\n");
    assert_eq!(free.code, 0, "{}", free.err);
    assert!(free.out.contains("waits for itself"), "{}", free.out);
}
