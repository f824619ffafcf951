//! `topology`: networks of all kinds, their files, and what simulations do not take yet.

use crate::{command, fed, folder, rows, tailback, text};
use std::path::Path;

const DRAGONFLY: [&str; 8] =
    ["--kind", "dragonfly", "--set", "routers_per_group=4", "--set", "global_links=2", "--set", "nodes_per_router=2"];

fn topology(more: &[&str]) -> crate::Done {
    tailback(&[&["topology"], more].concat())
}

fn measures(more: &[&str]) -> serde_json::Value {
    let done = topology(&[more, &["--json"]].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    rows(&done.out).remove(0).into()
}

#[test]
fn a_network_is_measured() {
    insta::assert_snapshot!("topology", topology(&DRAGONFLY).out);
    insta::assert_snapshot!("topology_kinds", topology(&[]).out);
    insta::assert_snapshot!("topology_parameters", topology(&["--kind", "dragonfly", "--parameters"]).out);
    let row = measures(&DRAGONFLY);
    assert_eq!(
        (row["routers"].as_u64(), row["links"].as_u64(), row["diameter"].as_u64()),
        (Some(36), Some(180), Some(3))
    );
    assert!((row["hops_mean"].as_f64().unwrap() - 2.338028).abs() < 1e-6, "{row}");
    assert!((row["channel_load_bound"].as_f64().unwrap() - 1.044118).abs() < 1e-6, "{row}");
    assert!((row["ecmp_bound"].as_f64().unwrap() - 0.755319).abs() < 1e-6, "{row}");
}

#[test]
fn a_network_is_written_and_read_back() {
    let (_folder, path) = folder("");
    let file = |name: &str| text(&Path::new(&path).with_file_name(name));
    let (native, anynet) = (file("dragonfly.net"), file("dragonfly.anynet"));
    let done = topology(&[&DRAGONFLY[..], &["-o", &native]].concat());
    assert!(done.code == 0 && done.out.contains("mean distance"), "{} {}", done.out, done.err);
    let again = topology(&[&native, "--format", "native"]);
    assert_eq!(again.out, std::fs::read_to_string(&native).unwrap());
    assert_eq!(topology(&[&native, "--format", "anynet", "-o", &anynet]).code, 0);
    // As a file it is any graph: its minimal ways are the shortest ones.
    for file in [&native, &anynet] {
        let row = measures(&[file]);
        assert_eq!(
            (row["kind"].as_str(), row["routers"].as_u64(), row["nodes"].as_u64()),
            (Some("file"), Some(36), Some(72))
        );
        assert_eq!(row["channel_load_bound"], row["ecmp_bound"]);
        assert!((row["ecmp_bound"].as_f64().unwrap() - 0.755319).abs() < 1e-6, "{row}");
    }
    // A file of another kind is not replaced, nor is the one that is read.
    let spec = file("spec.toml");
    std::fs::write(&spec, "topology = { kind = 'torus', radix = [4, 4] }\n").unwrap();
    assert_eq!(topology(&[&native, "-o", &spec]).code, 2);
    assert_eq!(topology(&[&native, "-o", &native, "--force"]).code, 2);
}

#[test]
fn a_spec_may_name_a_file_beside_it() {
    let (_folder, path) = folder("topology = { kind = 'file', path = 'small.net' }\n[traffic]\nload = 0.1\n");
    std::fs::write(Path::new(&path).with_file_name("small.net"), "routers 2\n0 1\nnode 0 0\nnode 1 1\n").unwrap();
    let row = measures(&[&path]);
    assert_eq!((row["routers"].as_u64(), row["hops_mean"].as_f64()), (Some(2), Some(1.0)));
}

#[test]
fn a_network_replaces_nothing_that_it_was_made_of() {
    let (folder, _) = folder("");
    let at = |name: &str| text(&folder.path().join(name));
    std::fs::write(at("net.txt"), "routers 2\n0 1\nnode 0 0\nnode 1 1\n").unwrap();
    std::fs::write(at("named.toml"), "[topology]\nkind = \"file\"\npath = \"net.txt\"\n").unwrap();
    std::os::unix::fs::symlink(at("net.txt"), at("soft.txt")).unwrap();
    let before = ["net.txt", "named.toml"].map(|name| std::fs::read(at(name)).unwrap());
    let (net, named, soft, path) =
        (at("net.txt"), at("named.toml"), at("soft.txt"), format!("path={:?}", at("net.txt")));
    let cases: [&[&str]; 6] = [
        &[&net, "-o", &net],
        &[&net, "-o", &soft],
        &[&named, "-o", &named],
        &[&named, "-o", &net],
        &[&named, "-o", &soft],
        &["--kind", "file", "--set", &path, "-o", &net],
    ];
    for words in cases {
        for force in [&[][..], &["--force"]] {
            let refused = topology(&[words, force].concat());
            assert!(refused.code == 2 && refused.out.is_empty(), "{words:?}: {}", refused.out);
            assert!(refused.err.contains("never replaces an input"), "{words:?}: {}", refused.err);
        }
    }
    let stdin = std::fs::File::open(&named).unwrap();
    let refused = crate::done(command(&["topology", "-", "-o", &named, "--force"]).stdin(stdin).output().unwrap());
    assert!(refused.code == 2 && refused.err.contains("never replaces an input"), "{}", refused.err);
    assert_eq!(["net.txt", "named.toml"].map(|name| std::fs::read(at(name)).unwrap()), before);
}

#[test]
fn a_grid_that_is_simulated_has_the_bound_that_check_prints() {
    // Both ways round a ring of an odd length are never as long, so that all dimension orders are one.
    let spec = "topology = { kind = 'torus', radix = [9, 11] }\ntraffic.load = 0.1\n";
    let checked = &rows(&fed(&["check", "-", "--json"], spec.as_bytes()).out)[0];
    let measured = &rows(&fed(&["topology", "-", "--json"], spec.as_bytes()).out)[0];
    for key in ["routers", "nodes", "links", "hops_mean", "channel_load_bound"] {
        let (a, b) = (checked[key].as_f64().unwrap(), measured[key].as_f64().unwrap());
        assert!((a - b).abs() < 1e-9, "{key}: {a} {b}");
    }
}

/// Distances and bounds of grids, as those of any network; of one that is too large to count, the diameter.
#[test]
fn check_knows_the_distances_and_bounds_of_grids() {
    for (topology, diameter, ecmp) in [
        ("kind = 'torus', radix = [4, 8]", 6, Some(0.968750)),
        ("kind = 'torus', radix = [4, 4, 8]", 8, Some(0.992188)),
        ("kind = 'torus', radix = [4, 8, 8]", 10, Some(0.996094)),
        ("kind = 'mesh', radix = [4, 4], nodes_per_router = 4", 6, Some(0.211409)),
        ("kind = 'mesh', radix = [40, 40]", 78, None),
    ] {
        let checked = fed(&["check", "-", "--json"], format!("topology = {{ {topology} }}\n").as_bytes());
        let row = &rows(&checked.out)[0];
        assert_eq!(row["diameter"], diameter, "{topology}");
        let near = match (row["ecmp_bound"].as_f64(), ecmp) {
            (Some(found), Some(bound)) => (found - bound).abs() < 1e-6,
            (found, _) => found.is_none() && ecmp.is_none(),
        };
        assert!(near, "{topology}: {}", row["ecmp_bound"]);
    }
}

/// A spec that names a network alone runs, with the channels that its minimal ways need.
#[test]
fn a_spec_that_names_a_network_alone_runs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("line.net"), "routers 5\n0 1\n1 2\n2 3\n3 4\nnode 0 0\nnode 1 4\n").unwrap();
    for (topology, channels) in [
        ("kind = 'dragonfly', routers_per_group = 4, global_links = 2", 2),
        ("kind = 'slim_fly', q = 5", 2),
        ("kind = 'jellyfish', routers = 64, degree = 6", 4),
        ("kind = 'torus', radix = [4, 4, 8], twist = [[0, 0, 4], [0, 0, 4], [0, 0, 0]]", 6),
        ("kind = 'file', path = 'line.net'", 4),
    ] {
        let path = folder.path().join("alone.toml");
        let short = "[workload]\nmeasure_cycles = 300\nwarmup_cycles = 100\n";
        std::fs::write(&path, format!("topology = {{ {topology} }}\n{short}")).unwrap();
        let run = tailback(&["run", path.to_str().unwrap(), "--json"]);
        assert_eq!(run.code, 0, "{topology}: {}", run.err);
        let few = format!("router.virtual_channels={}", channels - 1);
        let given = tailback(&["check", path.to_str().unwrap(), "--set", &few]);
        let needs = format!("needs {channels} virtual channels");
        assert!(given.err.contains(&needs), "{topology}: {}", given.err);
    }
}

/// Tori and meshes that are more than a grid run, and `check` has the numbers of the table in `docs/networks.md`.
#[test]
fn twisted_tori_and_meshes_of_tiles_run() {
    for (topology, channels, (routers, nodes, links, diameter, hops, ecmp)) in [
        ("kind = 'torus', radix = [4, 8], twist = [[0, 4], [0, 0]]", 4, (32, 32, 128, 4, 2.709677, 1.476190)),
        (
            "kind = 'torus', radix = [4, 4, 8], twist = [[0, 0, 4], [0, 0, 4], [0, 0, 0]]",
            6,
            (128, 128, 768, 6, 3.464567, 1.731818),
        ),
        (
            "kind = 'torus', radix = [4, 8, 8], twist = [[0, 4, 4], [0, 0, 0], [0, 0, 0]]",
            6,
            (256, 256, 1536, 6, 4.329412, 1.385870),
        ),
        (
            "kind = 'mesh', radix = [4, 4], nodes_per_router = 4, node_order = 'tile'",
            1,
            (16, 64, 48, 6, 2.539683, 0.211409),
        ),
    ] {
        let spec = format!(
            "topology = {{ {topology} }}\nrouter = {{ virtual_channels = {channels}, buffer_flits = 16 }}\ntraffic.load = 0.1\n\
             [workload]\nmeasure_cycles = 300\nwarmup_cycles = 100\n"
        );
        let checked = fed(&["check", "-", "--json"], spec.as_bytes());
        assert_eq!(checked.code, 0, "{topology}: {}", checked.err);
        let row = &rows(&checked.out)[0];
        let counts = ["routers", "nodes", "links", "diameter"].map(|key| row[key].as_u64().unwrap());
        assert_eq!(counts, [routers, nodes, links, diameter], "{topology}");
        let far = |key: &str, expected: f64| (row[key].as_f64().unwrap() - expected).abs();
        assert!(far("hops_mean", hops) < 1e-6 && far("ecmp_bound", ecmp) < 1e-6, "{topology}: {row:?}");
        // In three dimensions there are more choices among minimal ways than the check visits: the classes of channels are the proof.
        let visited = diameter < 6 || topology.contains("mesh");
        let argument = visited.then_some("acyclic");
        assert_eq!(row["deadlock_argument"].as_str(), argument, "{topology}");
        let run = fed(&["run", "-", "--json"], spec.as_bytes());
        assert_eq!(run.code, 0, "{topology}: {}", run.err);
        assert!(rows(&run.out)[0]["packets_delivered"].as_u64().unwrap() > 0, "{topology}");
    }
}

/// The bounds count what narrow links carry, and only data paths take them that know of them.
#[test]
fn meshes_of_chiplets_run_with_slower_and_narrower_links_between_them() {
    let spec = |more: &str| {
        format!(
            "topology = {{ kind = 'mesh', radix = [8, 8], boundary = {{ every = [4, 8]{more} }} }}\nrouter.buffer_flits = 16\n\
             traffic = {{ load = 1.0, pattern = 'trns' }}\n[workload]\nmeasure_cycles = 2000\nwarmup_cycles = 1000\ndrain_cycles = 0\n"
        )
    };
    let number = |verb: &str, more: &str, key: &str| {
        let done = fed(&[verb, "-", "--json"], spec(more).as_bytes());
        assert_eq!(done.code, 0, "{verb}{more}: {}", done.err);
        rows(&done.out)[0][key].as_f64().unwrap_or_else(|| panic!("{verb}: {key}"))
    };
    let narrow = ", cycles = 4, width = 0.5";
    let bounds = ["", narrow].map(|more| number("check", more, "channel_load_bound"));
    // 56 of 64 nodes send. 7 of them share the busiest wide link, and 4 the busiest narrow link, which each flit takes for 2 cycles.
    assert_eq!(bounds, [56.0 / 64.0 / 7.0, 56.0 / 64.0 / 8.0]);
    let accepted = number("run", narrow, "accepted_load");
    assert!(accepted < number("run", "", "accepted_load"), "{accepted}");
    for (more, says) in [
        (
            "router.kind = 'wormhole'",
            "carries a flit every 2 cycles, and router.kind = \"wormhole\" sends a flit in every cycle",
        ),
        ("routing = 'dimension_order'", "goes by coordinates"),
        ("admission = 'spth'", "a mesh with boundaries between tiles is not one"),
    ] {
        let text = format!("{more}\n{}", spec(narrow).replace("router.buffer_flits = 16\n", ""));
        let done = fed(&["check", "-"], text.as_bytes());
        assert!(done.code == 2 && done.err.contains(says), "{more}: {}", done.err);
    }
    let torus = "topology = { kind = 'torus', radix = [8, 8], boundary = { every = [4, 4], cycles = 4 } }\n";
    let done = fed(&["check", "-"], torus.as_bytes());
    assert!(done.code == 2 && done.err.contains("kind = \"mesh\""), "{}", done.err);
}

/// Each kind with a spec that names its topology alone, and the numbers of the table in `docs/networks.md`.
#[test]
fn a_spec_that_names_a_topology_alone_runs() {
    for (kind, more, expected) in [
        (
            "dragonfly",
            "routers_per_group = 4, global_links = 2, nodes_per_router = 2",
            (36, 72, 180, 3, 2.338028, 0.755319),
        ),
        (
            "megafly",
            "leaves = 2, spines = 2, global_links = 2, nodes_per_router = 2",
            (20, 20, 60, 3, 2.736842, 1.055556),
        ),
        ("hyperx", "sides = [4, 4], nodes_per_router = 4", (16, 64, 96, 2, 1.523810, 0.984375)),
        ("fat_tree", "arity = 4, levels = 2", (8, 16, 32, 2, 1.6, 1.25)),
        ("folded_clos", "levels = [[4, 4], [4, 0]]", (8, 16, 32, 2, 1.6, 1.25)),
        ("leaf_spine", "leaves = 8, spines = 2, nodes_per_router = 8", (10, 64, 32, 2, 1.777778, 0.28125)),
        ("slim_fly", "q = 5, nodes_per_router = 4", (50, 200, 350, 2, 1.829146, 0.956731)),
        ("polarfly", "q = 5, nodes_per_router = 3", (31, 93, 180, 2, 1.767181, 1.022222)),
    ] {
        let spec = format!(
            "topology = {{ kind = '{kind}', {more} }}\n[workload]\nmeasure_cycles = 300\nwarmup_cycles = 100\n"
        );
        let checked = fed(&["check", "-", "--json"], spec.as_bytes());
        assert_eq!(checked.code, 0, "{kind}: {}", checked.err);
        let row = &rows(&checked.out)[0];
        let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{kind}: {key} of {row:?}"));
        let (routers, nodes, links, diameter, hops, ecmp) = expected;
        let counts = ["routers", "nodes", "links", "diameter"].map(|key| row[key].as_u64().unwrap());
        assert_eq!(counts, [routers, nodes, links, diameter], "{kind}");
        assert!(
            (number("hops_mean") - hops).abs() < 1e-6 && (number("ecmp_bound") - ecmp).abs() < 1e-6,
            "{kind}: {row:?}"
        );
        let minimal = number("minimal_bound").min(1.0);
        assert!((number("channel_load_bound") - minimal).abs() < 1e-6, "{kind}: {row:?}");
        assert_eq!(row["deadlock_argument"].as_str(), Some("acyclic"), "{kind}");
        let run = fed(&["run", "-", "--json"], spec.as_bytes());
        assert_eq!(run.code, 0, "{kind}: {}", run.err);
        assert!(rows(&run.out)[0]["packets_delivered"].as_u64().unwrap() > 0, "{kind}");
    }
}

#[test]
fn what_goes_by_coordinates_is_refused_where_there_are_none() {
    let dragonfly = "topology = { kind = 'dragonfly', routers_per_group = 4, global_links = 2 }\n";
    for (more, says) in [
        ("router.kind = 'wormhole'\nselection = 'turn'", "selection \"turn\" goes by the coordinates of a grid"),
        ("router.kind = 'input_output_queued'", "take queueing = \"voq_net\", or routing = \"up_down\""),
        ("routing = 'dimension_order'", "goes by coordinates"),
        ("traffic.pattern = 'tornado'", "pattern tornado goes by the coordinates of a grid"),
        ("admission = 'spth'", "admission \"spth\" goes by the coordinates"),
        ("probes.space_time_cycles = 10", "probe space_time_cycles goes by the coordinates"),
        ("router.virtual_channels = 1", "needs 2 virtual channels here"),
        ("traffic.pattern = { kind = 'adversarial', group_nodes = 5 }", "do not fill a network of 36 nodes"),
        ("traffic.pattern = { kind = 'adversarial', group_nodes = 4, offset = 9 }", "is the own group"),
    ] {
        let done = fed(&["check", "-"], format!("{dragonfly}{more}\n").as_bytes());
        assert!(done.code == 2 && done.err.contains(says), "{more}: {}", done.err);
    }
    let few = b"topology = { kind = 'jellyfish', routers = 64, degree = 6 }\nrouter.virtual_channels = 3\n";
    let jellyfish = fed(&["check", "-"], few);
    assert!(jellyfish.code == 2 && jellyfish.err.contains("needs 4 virtual channels here"), "{}", jellyfish.err);
    let grid = fed(&["check", "-"], b"topology = { kind = 'torus', radix = [4] }\nrouting = 'minimal'\n");
    assert!(grid.code == 2 && grid.err.contains("for networks without a grid"), "{}", grid.err);
}

#[test]
fn what_makes_no_network_is_told_at_its_place() {
    let (_folder, path) = folder("");
    let file = text(&Path::new(&path).with_file_name("wrong.net"));
    std::fs::write(&file, "routers 2\n0 1\n0 2\nnode 0 0\n").unwrap();
    for (arguments, says) in [
        (vec![file.as_str()], "(native): line 3, column 3: there is no router 2"),
        (vec!["no-such.net"], "cannot open"),
        (vec!["--kind", "dragonflie"], "did you mean `dragonfly`?"),
        (vec!["--kind", "dragonfly"], "`topology.routers_per_group` is missing"),
        (vec!["--kind", "slim_fly", "--set", "q=9"], "must be an odd prime number"),
        (vec!["--kind", "slim_fly", "--set", "q=5", "--set", "radix=[4]"], "belongs to"),
        (vec!["--kind", "fat_tree", "--set", "arity=1000", "--set", "levels=9"], "are the most"),
        (vec!["--set", "q=5"], "give a spec, or --kind"),
        (vec!["--json"], "there is no network to print"),
        (vec!["--kind", "crossbar", "--format", "table", "-o", "x"], "--format table is none"),
    ] {
        let done = topology(&arguments);
        assert!(done.code == 2 && done.err.contains(says), "{arguments:?}: {}", done.err);
    }
}

/// A small member of every family.
const SMALL: [(&str, &[&str]); 14] = [
    ("dragonfly", &["routers_per_group=4", "global_links=2"]),
    ("megafly", &["leaves=2", "spines=2", "global_links=2"]),
    ("hyperx", &["sides=[4,3]"]),
    ("fat_tree", &["arity=2", "levels=3"]),
    ("folded_clos", &["levels=[[4,2],[4,0]]"]),
    ("leaf_spine", &["leaves=4", "spines=2"]),
    ("slim_fly", &["q=3"]),
    ("polarfly", &["q=3"]),
    ("torus", &["radix=[4,8]", "twist=[[0,4],[0,0]]"]),
    ("mesh", &["radix=[6,6]", "boundary.every=[3,3]", "boundary.width=0.5"]),
    ("jellyfish", &["routers=12", "degree=3"]),
    ("torus", &["radix=[4,4]"]),
    ("express_mesh", &["side=4"]),
    ("tree4", &[]),
];

#[test]
fn every_family_has_a_picture() {
    for (kind, sets) in SMALL {
        let mut asked = vec!["--kind", kind, "--svg", "-"];
        sets.iter().for_each(|set| asked.extend(["--set", *set]));
        let done = topology(&asked);
        assert_eq!(done.code, 0, "{kind}: {}", done.err);
        assert!(done.out.starts_with("<svg ") && done.out.ends_with("</svg>\n"), "{kind}: {}", done.out);
        assert!(done.out.contains(&format!("A network of kind {kind}")), "{kind}: {}", done.out);
        let again = topology(&asked);
        assert_eq!(again.out, done.out, "{kind}: the same network has the same picture");
    }
    let (folder, _) = folder("");
    let (svg, png) = (text(&folder.path().join("one.svg")), text(&folder.path().join("one.png")));
    let done = topology(&["--kind", "crossbar", "--set", "nodes_per_router=4", "--svg", &svg, "--png", &png]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert!(done.out.contains("A network of kind crossbar"), "the measures are printed all the same: {}", done.out);
    assert!(std::fs::read_to_string(svg).unwrap().contains("1 router, 4 nodes"), "a picture");
    assert!(std::fs::read(png).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(topology(&["--svg", "-"]).code, 2, "there is no network");
    let both = topology(&["--kind", "crossbar", "--format", "native", "--svg", "-"]);
    assert!(both.code == 2 && both.err.contains("cannot both be written to standard output"), "{}", both.err);
}

#[test]
fn a_network_too_large_for_a_picture_is_refused_in_words() {
    let asked = ["--kind", "torus", "--set", "radix=[200,200]", "--svg", "-"];
    let done = topology(&asked);
    assert_eq!(done.code, 2);
    assert!(done.err.contains("160000 links would be too small to see"), "{}", done.err);
}

/// What a run leaves of a network without a grid: the maps of links and loads, and its congestion trees.
#[test]
fn a_run_leaves_maps_of_the_network() {
    let (folder, path) = folder(
        "[topology]\nkind = 'dragonfly'\nrouters_per_group = 4\nglobal_links = 2\nnodes_per_router = 2\n[traffic]\nload = 0.4\n\
         pattern = { kind = 'adversarial', group_nodes = 8 }\n[workload]\nwarmup_cycles = 500\nmeasure_cycles = 1000\n\
         drain_cycles = 0\n[probes]\nlink_load = true\nload_map_every_cycles = 250\nanatomy_every_cycles = 50\n\
         channel_occupancy = true\nlatency_split = true\n",
    );
    let out = folder.path().join("out");
    let done = tailback(&["run", &path, "--why", "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let words = done.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in
        ["the global link from router", "of group", "64 pairs of nodes share", "roots of the worst congestion trees"]
    {
        assert!(words.contains(part), "{part}: {}", done.out);
    }
    let pictures = crate::files(&out.join("pictures"), "svg");
    let of = |kind: &str| {
        let path = pictures.iter().find(|path| text(path).ends_with(&format!("-{kind}.svg")));
        std::fs::read_to_string(path.unwrap_or_else(|| panic!("{kind}: {pictures:?}"))).unwrap()
    };
    let links = of("links");
    assert!(links.contains("Highest: router ") && links.contains("Mean: local "), "{links}");
    assert!(of("load-map").contains("&quot;places&quot;"));
    assert!(of("anatomy").contains("packets blocked in trees"));
    assert!(of("channel-use-by-kind").contains("global"));
    assert!(!done.err.contains("warning"), "{}", done.err);
}
