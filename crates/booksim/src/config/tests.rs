use super::*;
use crate::keys::OLDER;
use crate::{explain, spec};

fn config(text: &str) -> Config {
    Config::read([("f", text)], Unknown::Refused).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
}

fn faults(text: &str) -> String {
    let faults = Config::read([("f", text)], Unknown::Refused).err().unwrap_or_else(|| panic!("accepted: {text}"));
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

const MESH: &str = "topology = mesh; routing_function = dor; num_vcs = 4; k = 4; n = 2;\n";

fn refusals(text: &str) -> String {
    let faults = spec(&config(&format!("{MESH}{text}"))).err().unwrap_or_else(|| panic!("accepted: {text}"));
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn later_assignments_win() {
    let both = Config::read([("f", "k = 4; n = 2;"), ("argument", "k=8;")], Unknown::Refused).unwrap();
    assert_eq!((both.int("k"), both.int("n"), both.int("num_vcs")), (8, 2, 16));
    assert_eq!(both.words(&["k", "n", "c"]), "`k = 8`, `n = 2`, `c = 1` (default)");
    assert_eq!(both.place("k").unwrap().to_string(), "argument:1:1");
}

#[test]
fn a_list_counts_before_a_number_as_in_booksim() {
    assert_eq!(config("injection_rate = {0.1,0.2}; injection_rate = 0.3;").floats("injection_rate"), [0.1, 0.2]);
}

#[test]
fn types_are_those_of_booksim() {
    assert!(faults("vc_buf_size = 8.0;").contains("`vc_buf_size` takes an integer, not `8.0`"));
    assert!(faults("topology = 5;").contains("takes a string"));
    assert!(faults("k = mesh;").contains("takes an integer"));
    assert!(faults("internal_speedup = x;").contains("takes a number with a point"));
    let word = config("injection_rate = {0.1,nan}; latency_thres = 500.0; seed = time;");
    assert_eq!(word.floats("injection_rate"), [0.1, 0.0]);
    assert!(
        word.notes.len() == 1
            && word.notes[0].ends_with("`injection_rate`: `nan` is no number and counts as 0, as in BookSim"),
        "{:?}",
        word.notes
    );
    let integer = config("injection_rate = 1;");
    assert_eq!((integer.float("injection_rate"), integer.notes.len()), (1.0, 1));
    assert!(integer.notes[0].starts_with("f:1:1: BookSim refuses an integer here"));
}

#[test]
fn keys_that_booksim_does_not_know_are_refused_by_name() {
    assert!(faults("use_map = 0;").contains("f:1:1: `use_map` is a key of GPGPU-Sim"));
    assert!(faults("num_vc = 4;").contains("did you mean `num_vcs`?"));
    assert!(faults("sent_flits_out = x;").contains("built with TRACK_FLOWS"));
    assert!(faults("no_such_key_at_all = 1;").ends_with("is no key of BookSim 2, which stops at it"));
    for older in OLDER {
        let text = format!("{} = 1;", older.name);
        assert!(faults(&text).contains("--legacy"), "{text}");
        let notes = Config::read([("f", text.as_str())], Unknown::OlderAllowed).unwrap().notes;
        assert!(notes[0].contains(older.name) && notes[0].contains("has no effect"), "{notes:?}");
    }
}

#[test]
fn braces_close() {
    assert!(faults("traffic = hotspot({1);").contains("`traffic`: a `)` closes nothing"));
    assert!(faults("traffic = hotspot({1;").contains("a `{` is not closed"));
}

#[test]
fn a_mesh_becomes_a_spec() {
    let spec =
        spec(&config(&format!("{MESH}vc_buf_size = 6; credit_delay = 2; traffic = neighbor({{2,4}}); seed = 5;")))
            .unwrap();
    let at = |path: &str| {
        path.split('.').fold(toml::Value::Table(spec.table.clone()), |value, step| value[step].clone()).to_string()
    };
    assert_eq!(
        (at("topology.radix"), at("router.buffer_flits"), at("router.credit_cycles")),
        ("[4, 4]".into(), "6".into(), "2".into())
    );
    assert_eq!(
        (at("workload.kind"), at("run.seed"), at("traffic.load")),
        ("\"periods\"".into(), "5".into(), "0.1".into())
    );
    assert!(at("traffic.pattern.nodes").starts_with("[15, 14, 13"), "{}", at("traffic.pattern.nodes"));
}

/// The whole spec of a text, as a table.
fn table(text: &str) -> toml::Table {
    spec(&config(text)).unwrap_or_else(|faults| panic!("{text}: {faults:?}")).table
}

#[test]
fn networks_are_those_of_booksim() {
    let of = |text: &str| {
        let table = table(text);
        (table["topology"].to_string(), table["routing"].to_string())
    };
    let four = "c = 4; x = 4; y = 4; xr = 2; yr = 2; k = 4; n = 2;";
    let cmesh = of(&format!("topology = cmesh; routing_function = dor_no_express; {four}"));
    assert!(cmesh.0.contains("node_order = \"tile\"") && cmesh.0.contains("link_cycles = 2"), "{cmesh:?}");
    let flatfly = of(&format!("topology = flatfly; routing_function = ran_min; {four}"));
    assert!(flatfly.0.contains("row = 4") && flatfly.0.contains("lengths = \"layout\""), "{flatfly:?}");
    let dragonfly = of("topology = dragonflynew; routing_function = min; k = 2; n = 1;");
    assert!(dragonfly.0.contains("routers_per_group = 4") && dragonfly.1.contains("booksim"), "{dragonfly:?}");
    let router =
        table(&format!("{MESH}topology = dragonflynew; routing_function = min; k = 2; n = 1;"))["router"].to_string();
    assert!(router.contains("entry_channel = \"drawn\""), "{router}");
    let tree = of("topology = fattree; routing_function = nca; k = 4; n = 3;");
    assert!(tree.0.contains("arity = 4") && tree.1.contains("up = \"random\""), "{tree:?}");
    let crossbar = of("topology = fly; routing_function = dest_tag; k = 16; n = 1;");
    assert!(crossbar.0.contains("crossbar") && crossbar.0.contains("nodes_per_router = 16"), "{crossbar:?}");
    let quad = of("topology = qtree; routing_function = nca; k = 4; n = 3;");
    assert!(quad.0.contains("[[4, 1], [4, 1], [4, 0]]"), "{quad:?}");
    let butterfly = of("topology = fly; routing_function = dest_tag; k = 4; n = 3;");
    assert!(butterfly.0.contains("stages = 3") && butterfly.1.contains("minimal"), "{butterfly:?}");
    let tiles = "c = 4; x = 4; y = 4; xr = 2; yr = 2; k = 4; n = 2;";
    let express = of(&format!("topology = cmesh; routing_function = dor; {tiles}"));
    assert!(express.0.contains("side = 4") && express.0.contains("express_cycles = 4"), "{express:?}");
    let ugal = of(&format!("topology = flatfly; routing_function = ugal_xyyx; {tiles}"));
    assert!(ugal.1.contains("two_phase") && ugal.1.contains("either") && ugal.1.contains("queues"), "{ugal:?}");
    let tree4 = of("topology = tree4; routing_function = nca; k = 4; n = 3;");
    assert!(tree4.0.contains("tree4") && tree4.1.contains("minimal"), "{tree4:?}");
    let file = of("topology = anynet; routing_function = min; network_file = a/b.net;");
    assert!(file.0.contains("path = \"a/b.net\"") && file.1.contains("least_delay"), "{file:?}");
}

#[test]
fn halves_of_an_odd_number_of_channels_share_one() {
    let middle = |text: &str| {
        table(&format!("{MESH}{text}"))["routing"]
            .get("middle_channel")
            .map(|word| word.as_str().expect("a word").to_owned())
    };
    let shared = Some("shared".to_owned());
    for routing in ["xy_yx", "adaptive_xy_yx", "valiant", "romm"] {
        assert_eq!(middle(&format!("routing_function = {routing}; num_vcs = 3;")), shared);
        assert_eq!(middle(&format!("routing_function = {routing}; num_vcs = 4;")), None);
    }
    assert_eq!(middle("topology = torus; routing_function = dim_order; num_vcs = 5;"), shared);
    assert_eq!(middle("routing_function = dor; num_vcs = 5;"), None);
    // The range of one type.
    let types = "use_read_write = 1; num_vcs = 16; routing_function = xy_yx;";
    assert_eq!(middle(types), None);
    assert_eq!(middle(&format!("{types} read_reply_begin_vc = 9;")), shared);
}

#[test]
fn allocators_have_their_iterations_and_arbiters() {
    let router = |text: &str| table(&format!("{MESH}{text}"))["router"].to_string();
    let both = router("vc_allocator = islip(3); sw_allocator = separable_input_first(matrix);");
    for part in ["vc_allocator_iterations = 3", "switch_allocator_arbiter = \"matrix\"", "kind = \"input_queued\""] {
        assert!(both.contains(part), "{part}: {both}");
    }
    let trees = router("vc_allocator = separable_output_first(tree(4,matrix));");
    assert!(
        trees.contains("vc_allocator_groups = 4") && trees.contains("vc_allocator_arbiter = \"matrix\""),
        "{trees}"
    );
    let plain = router("vc_allocator = max_size; sw_allocator = wavefront; priority = none;");
    assert!(!plain.contains("iterations") && !plain.contains("arbiter"), "{plain}");
    // Nobody looks at them.
    let blind = router("priority = age; vc_prioritize_empty = 1; num_vcs = 1;");
    assert!(!blind.contains("priorit") && !blind.contains("empty"), "{blind}");
}

#[test]
fn priorities_are_those_of_flits_and_of_channels() {
    let router = |text: &str| table(&format!("{MESH}{text}"))["router"].to_string();
    let has = |text: &str, part: &str| assert!(router(text).contains(part), "{part}: {}", router(text));
    has("priority = age;", "priority = \"age\"");
    has("priority = queue_length; sw_allocator = select;", "priority = \"queue_length\"");
    has("priority = sequence; vc_priority_donation = 1;", "priority_donation = true");
    has("vc_prioritize_empty = 1; vc_allocator = select;", "prefer_empty_channels = true");
    has("classes = 3; priority = class; class_priority = {2,1};", "class_priorities = [2, 1, 1]");
    for text in ["priority = class; class_priority = 5;", "vc_prioritize_empty = 1; vc_allocator = loa;"] {
        let plain = router(text);
        assert!(!plain.contains("priorit") && !plain.contains("empty"), "{text} {plain}");
    }
}

#[test]
fn speculation_has_its_rules() {
    let router = |text: &str| table(&format!("{MESH}{text}"))["router"].to_string();
    let has = |text: &str, parts: &[&str]| {
        let router = router(text);
        parts.iter().for_each(|part| assert!(router.contains(part), "{part}: {router}"));
    };
    has("", &["speculation = \"off\""]);
    has("speculative = 1;", &["speculation = \"shared\"", "speculation_needs = \"credit\""]);
    has("speculative = 1; spec_check_cred = 0;", &["speculation_needs = \"channel\""]);
    has("speculative = 1; spec_check_elig = 0; spec_check_cred = 0;", &["speculation_needs = \"nothing\""]);
    // A credit is looked for among free channels, and without the first check there are none.
    has("speculative = 1; spec_check_elig = 0;", &["speculation = \"off\""]);
    has(
        "speculative = 1; spec_sw_allocator = islip(2); spec_mask_by_reqs = 1;",
        &[
            "speculation = \"separate\"",
            "speculation_yields = \"requests\"",
            "speculation_allocator = \"islip\"",
            "speculation_allocator_iterations = 2",
        ],
    );
    assert!(!router("spec_sw_allocator = loa;").contains("loa"));
}

/// A pattern by coordinates is one by numbers where there are no coordinates.
#[test]
fn patterns_go_by_all_nodes() {
    let pattern = |text: &str| table(text)["traffic"]["pattern"].to_string();
    let cmesh =
        "topology = cmesh; routing_function = dor_no_express; c = 4; x = 2; y = 2; xr = 2; yr = 2; k = 2; n = 2;";
    assert!(pattern(&format!("{cmesh}traffic = neighbor;")).contains("[5, 6, 7, 4, 9"));
    let crossbar = "topology = fly; routing_function = dest_tag; k = 4; n = 1;";
    assert!(pattern(&format!("{crossbar}traffic = neighbor;")).contains("[1, 2, 3, 0]"));
    let dragonfly = "topology = dragonflynew; routing_function = min; k = 1; n = 1; num_vcs = 2;";
    assert!(pattern(&format!("{dragonfly}traffic = neighbor({{2,1}});")).contains("[1, 0, 1, 0, 1, 0]"));
    assert!(pattern(&format!("{crossbar}traffic = background({{{{1}}}});")).contains("nodes = [0, 2, 3]"));
    assert!(
        pattern("topology = dragonflynew; routing_function = min; k = 2; n = 1; traffic = bad_dragon;").contains("= 8")
    );
    assert!(pattern(&format!("{crossbar}traffic = randperm(7);")).contains("destinations"));
    assert!(pattern(&format!("{crossbar}traffic = transpose;")).contains("[0, 2, 1, 3]"));
    assert!(pattern(&format!("{MESH}traffic = badperm_yarc;")).contains("row_to_column"));
}

#[test]
fn arguments_of_bursts_go_before_keys() {
    let process = |text: &str| {
        let process = table(&format!("{MESH}injection_rate = 0.1; {text}"))["traffic"]["process"].clone();
        ["mean_on_cycles", "mean_off_cycles"].map(|key| process[key].as_float().expect("a number").round())
    };
    let by_keys = process("injection_process = on_off; burst_alpha = 0.1; burst_beta = 0.2;");
    assert_eq!(by_keys, [5.0, 10.0]);
    assert_eq!(process("injection_process = on_off({0.1,0.2});"), by_keys);
    assert_eq!(process("injection_process = on_off(0.1); burst_alpha = 0.7; burst_beta = 0.2;"), by_keys);
    // A burst begins as often as a packet per cycle in it asks for.
    assert_eq!(process("injection_process = on_off({-1.0,0.2,1.0});"), [5.0, 45.0]);
}

#[test]
fn bursts_bound_the_load() {
    let load = |text: &str| {
        let table = table(&format!("{MESH}injection_process = on_off; burst_alpha = 0.1; burst_beta = 0.2; {text}"));
        table["traffic"]["load"].as_float().expect("a number")
    };
    assert_eq!(load("injection_rate = 0.3;"), 0.3);
    // BookSim accepts as much at each of these rates.
    for rate in [0.334, 0.5, 1.0] {
        assert_eq!(load(&format!("injection_rate = {rate};")), 0.333_333_333_333);
    }
    let notes = |text: &str| {
        let text = format!("{MESH}injection_process = on_off; burst_alpha = 0.1; burst_beta = 0.2; {text}");
        spec(&config(&text)).expect("it runs").notes
    };
    assert!(notes("injection_rate = 0.3;").is_empty());
    assert!(notes("injection_rate = 0.5;")[0].ends_with("nodes send 0.3333 flits per cycle"));
    let of_classes = notes("classes = 2; injection_rate = {0.1,0.5};");
    assert!(of_classes.len() == 1 && of_classes[0].starts_with("class 1: "), "{of_classes:?}");
}

/// The nodes to which BookSim's packets went, with any seed.
#[test]
fn hot_spots_that_are_drawn_are_those_of_booksim() {
    for (k, node) in [(2, 3), (4, 11), (8, 11)] {
        let pattern = table(&format!("{MESH}k = {k}; traffic = hotspot;"))["traffic"]["pattern"].to_string();
        assert!(pattern.contains(&format!("nodes = [{node}]")), "{k}: {pattern}");
    }
    let two = table(&format!("{MESH}traffic = hotspot({{{{-1,5}}}});"))["traffic"]["pattern"].to_string();
    assert!(two.contains("nodes = [11, 5]"), "{two}");
}

#[test]
fn what_cannot_be_is_refused_with_the_key_and_the_reason() {
    for (text, expected) in [
        ("vc_alloc_delay = 2;", "f:2:1: `vc_alloc_delay = 2`: BookSim aborts under load"),
        ("sw_alloc_delay = 2;", "`sw_alloc_delay = 2`"),
        ("topology = hyperx;", "`topology = hyperx`: BookSim 2 has no such topology"),
        (
            "routing_function = min;",
            "`routing_function = min`, `topology = mesh`: BookSim 2 has no such routing; for mesh there are dor,",
        ),
        ("sim_power = 1;", "`tailback cost` prices routers"),
        ("router = event;", "only the input-queued router is built"),
        ("link_failures = 1;", "`link_failures = 1`"),
        ("injection_process = on_off({0.1,0.2,0.3});", "exactly two of"),
        ("injection_process = on_off({0.1,0.2,-1,{0,1}});", "leave the fourth argument out"),
        ("injection_rate = 1.5;", "one packet per cycle at most"),
        ("traffic = bitcomp; k = 3;", "needs a power of two of nodes, not 9"),
        ("traffic = transpose; k = 2; n = 3;", "an even power of two of nodes, not 8"),
        ("traffic = taper64;", "this pattern is one of 64 nodes"),
        ("k = 3; n = 2; traffic = neighbor({4,2});", "node 4 would send to node 9, which is not there"),
        ("traffic = hotspot({{99}});", "there is no node 99"),
        ("traffic = background({{0,99}});", "there is no node 99"),
        ("traffic = badperm_yarc; k = 4; n = 3;", "4 rows of 4 nodes here, and there are 64 nodes"),
        ("traffic = background;", "the nodes that get nothing are named"),
        ("traffic = bad_dragon(4);", "more than one group"),
        ("vc_allocator = separable_input_first(tree(2,tree(2,matrix)));", "no trees in them"),
        ("speculative = 1; spec_sw_allocator = separable_input_first(tree(65,matrix));", "64 groups at most"),
        ("speculative = 1; spec_sw_allocator = piggyback;", "BookSim 2 has no such allocator"),
        ("num_vcs = 17;", "more than 16 channels"),
        ("st_final_delay = 0;", "the crossbar takes a cycle or more"),
        ("output_buffer_size = 0;", "`output_buffer_size = 0`: no flit leaves a router"),
        ("internal_speedup = 0.5;", "1 to 64 steps per cycle"),
        ("priority = local_age;", "`priority = local_age`: flits have priorities of their packets"),
        ("priority = hop_count; num_vcs = 1; vc_allocator = select;", "none that changes"),
        ("routing_function = romm_ni;", "this routing is not built yet"),
        ("topology = tree4; routing_function = nca; k = 2; n = 3;", "BookSim's tree4 has k = 4 and n = 3"),
        ("topology = tree4; routing_function = anca; k = 4; n = 3;", "this routing is not built yet"),
        (
            "topology = cmesh; routing_function = dor; c = 4; x = 3; y = 3; xr = 2; yr = 2; k = 3;",
            "an even number from 4 on",
        ),
        ("topology = torus; routing_function = min_adapt; num_vcs = 3;", "needs four channels"),
        ("topology = torus; routing_function = valiant_ni;", "before it is set"),
        ("subnets = 17;", "16 planes at most"),
        ("subnets = 2; hold_switch_for_packet = 1; packet_size = 5;", "in the wrong network"),
        ("subnets = 2; hold_switch_for_packet = 1; packet_size = {{1,5}};", "in the wrong network"),
        (
            "subnets = 2; hold_switch_for_packet = 1; num_vcs = 16; use_read_write = 1; read_reply_size = 5;",
            "in the wrong network",
        ),
        ("sw_allocator = max_size; output_speedup = 2;", "never serves the last outputs"),
        (
            "speculative = 1; spec_sw_allocator = max_size; output_speedup = 3; input_speedup = 2;",
            "never serves the last outputs",
        ),
        ("routing_function = min_adapt; num_vcs = 12; use_read_write = 1;", "out of their range"),
        ("topology = anynet; routing_function = min;", "an anynet needs a file"),
        (
            "topology = anynet; routing_function = min; network_file = x; traffic = bitcomp;",
            "stands in the network file",
        ),
        ("topology = dragonflynew; routing_function = min; n = 1; num_vcs = 1;", "needs two channels"),
        ("topology = cmesh; routing_function = dor_no_express; c = 4; x = 2; y = 4;", "layouts are squares"),
        ("topology = flatfly; routing_function = ran_min; c = 4; x = 4; y = 4;", "xr times yr"),
        ("classes = 17;", "16 classes at most"),
        ("classes = 2; use_read_write = {0,1};", "read_request_end_vc = 5 is no channel; BookSim aborts"),
        ("classes = 2; priority = class; class_priority = {1,0}; wait_for_tail_credit = 1;", "BookSim aborts"),
        ("classes = 2; priority = sequence;", "numbers of its own"),
        ("classes = 2; measure_stats = {0,0,1};", "no packet would be measured"),
        ("classes = 2; traffic = {uniform,sideways};", "`traffic = sideways`: BookSim 2 has no such pattern"),
        ("classes = 2; packet_size = {1,0};", "a packet has 1 to 32767 flits"),
        ("classes = 2; injection_rate = {0.1,1.5};", "one packet per cycle at most"),
        ("use_read_write = 1;", "read_request_end_vc = 5 is no channel; BookSim aborts"),
        (
            "use_read_write = 1; num_vcs = 16; routing_function = xy_yx; read_reply_begin_vc = 13;",
            "needs two classes of channels",
        ),
        ("use_read_write = 1; num_vcs = 16; read_reply_subnet = 1;", "read_reply_subnet = 1 is no network"),
        ("warmup_periods = 10;", "all periods are warm-up"),
        ("k = 0;", "between 1 and"),
        ("packet_size = 0;", "a packet has 1 to 32767 flits"),
        ("topology = torus; routing_function = valiant;", "BookSim reads a class of channels there before it is set"),
        ("topology = torus; routing_function = dim_order; num_vcs = 1;", "two classes of channels"),
        ("k = 100000; n = 9;", "more than 16 million nodes"),
    ] {
        let found = refusals(text);
        assert!(found.contains(expected), "{text}: {found}");
    }
}

#[test]
fn output_queues_have_an_end_where_flits_wait_in_them() {
    let of = |text: &str| table(&format!("{MESH}{text}"))["router"].get("output_queue_flits").cloned();
    assert_eq!(of("output_buffer_size = 4;"), None);
    assert_eq!(of("output_speedup = 2;"), None);
    for text in ["output_speedup = 2;", "internal_speedup = 1.5;", "st_final_delay = 2;"] {
        assert_eq!(of(&format!("output_buffer_size = 4; {text}")), Some(4.into()), "{text}");
    }
    let notes = |text: &str| spec(&config(&format!("{MESH}output_buffer_size = 4; {text}"))).expect("it runs").notes;
    assert!(notes("internal_speedup = 2.0; st_final_delay = 2;").iter().any(|note| note.contains("BookSim aborts")));
    assert!(notes("internal_speedup = 2.0;").is_empty() && notes("st_final_delay = 2;").is_empty());
}

#[test]
fn requests_are_answered_in_channels_and_planes_of_their_own() {
    let spec =
        |text: &str| table(&format!("{MESH}use_read_write = 1; write_fraction = 0.25; read_reply_size = 5; {text}"));
    let default = spec("num_vcs = 16; write_request_size = 3; injection_rate = 0.02;");
    let size = default["traffic"]["size"].to_string();
    for part in ["kind = \"read_write\"", "write_fraction = 0.25", "write_request_flits = 3", "read_reply_flits = 5"] {
        assert!(size.contains(part), "{part}: {size}");
    }
    assert_eq!(default["traffic"]["load"].as_float(), Some(0.03), "requests have 1.5 flits");
    let list = |of: &toml::Value| {
        of.as_array().expect("a list").iter().filter_map(toml::Value::as_integer).collect::<Vec<_>>()
    };
    assert_eq!(list(&default["router"]["type_channels"]), [0, 5, 2, 7, 8, 13, 10, 15]);
    assert!(default["router"].get("type_planes").is_none());
    let halves: String = ["read_request", "write_request", "read_reply", "write_reply"]
        .map(|of| format!("{of}_begin_vc = -1; {of}_end_vc = -1; "))
        .concat();
    let planes =
        spec(&format!("{halves}num_vcs = 4; subnets = 2; read_reply_subnet = 1; injection_rate_uses_flits = 1;"));
    assert_eq!(list(&planes["router"]["type_channels"]), [0, 1, 0, 1, 2, 3, 2, 3]);
    assert_eq!(list(&planes["router"]["type_planes"]), [0, 0, 1, 0]);
    // BookSim divides by half of all four lengths, without what is left over.
    assert_eq!(planes["traffic"]["load"].as_float(), Some(0.025));
}

#[test]
fn classes_may_have_limits_of_their_own() {
    let of = |text: &str| table(&format!("{MESH}classes = 2; {text}"))["traffic"]["classes"].clone();
    let own = of("latency_thres = {500.0,-1.0}; stopping_thres = {0.1,0.2};");
    let limits = |class: usize| own[class]["limits"].to_string();
    assert_eq!(
        (limits(0).as_str(), limits(1).as_str()),
        ("[500.0, 0.05, 0.05, 0.1, 0.05]", "[-1.0, 0.05, 0.05, 0.2, 0.05]")
    );
    assert!(of("latency_thres = {100.0,100.0};")[0].get("limits").is_none());
}

#[test]
fn some_of_several_classes_have_replies() {
    let of = |text: &str| table(&format!("{MESH}classes = 3; num_vcs = 16; write_fraction = {{1,0}}; {text}"));
    let some = of("use_read_write = {1,0,1}; read_reply_size = {2,3,5}; packet_size = {4}; injection_rate = 0.01;");
    let classes = some["traffic"]["classes"].as_array().expect("a list");
    let sizes: Vec<String> = classes.iter().map(|class| class["size"].to_string()).collect();
    assert!(sizes[0].contains("read_reply_flits = 2") && sizes[0].contains("write_fraction = 1.0"), "{sizes:?}");
    assert!(sizes[1].contains("fixed") && sizes[1].contains("flits = 4"), "{sizes:?}");
    assert!(sizes[2].contains("read_reply_flits = 5") && sizes[2].contains("write_fraction = 0.0"), "{sizes:?}");
    assert!(some["router"].get("type_channels").is_some());
    assert!(of("use_read_write = {0,0,0};")["router"].get("type_channels").is_none());
    assert!(of("use_read_write = {0,0,1};")["router"].get("type_channels").is_some());
}

#[test]
fn every_key_is_explained() {
    let config = config(MESH);
    let rows = explain(&config, spec(&config).ok().as_ref());
    assert_eq!(rows.len(), keys::keys().count());
    let row = |key: &str| rows.iter().find(|row| row.key == key).unwrap();
    assert_eq!((row("num_vcs").from.as_str(), row("seed").from.as_str()), ("f:1:42", "default"));
    assert!(row("num_vcs").became.contains("router.virtual_channels = 4"));
    assert_eq!(row("xr").became, "no effect in this network, as in BookSim");
    assert!(row("alloc_iters").became.starts_with("no effect: "));
    assert!(rows.iter().all(|row| !row.became.is_empty()));
}

/// Values that every key may be given, most of them nonsense.
#[test]
fn no_value_of_any_key_makes_it_panic() {
    let values = [
        "-1",
        "0",
        "1",
        "2",
        "7",
        "2147483647",
        "-2147483648",
        "0.5",
        "-0.5",
        "1e300",
        "x",
        "{1,2}",
        "{{1,2},3}",
        "{}x",
        "f(1)",
        "hotspot({{0}})",
    ];
    for key in keys::keys() {
        for value in values {
            let text = format!("{MESH}{} = {value};", key.name);
            if let Ok(config) = Config::read([("f", text.as_str())], Unknown::Refused) {
                let _ = explain(&config, spec(&config).ok().as_ref());
            }
        }
    }
}

#[test]
fn every_class_has_its_element_of_a_list_or_the_last_one() {
    let text = "classes = 3; traffic = {uniform,hotspot({{1,5},{3,1}})}; packet_size = {1,{2,4}}; packet_size_rate = {1,{3,1}};\
        injection_rate = {0.1,0.2,0.02}; injection_process = {bernoulli,on_off}; burst_alpha = 0.5; burst_beta = 0.25; measure_stats = {1,0};";
    let found = table(&format!("{MESH}{text}"));
    let traffic = &found["traffic"];
    // 0.1 x 1 + 0.2 x 2.5 + 0.02 x 2.5 flits.
    assert_eq!(traffic["load"].as_float(), Some(0.65));
    let classes = traffic["classes"].as_array().expect("a list");
    let of = |class: usize, key: &str| classes[class][key].clone();
    assert_eq!([0, 1, 2].map(|class| of(class, "share").as_float()), [Some(0.1), Some(0.5), Some(0.05)]);
    assert_eq!([0, 1, 2].map(|class| of(class, "measured").as_bool()), [Some(true), Some(false), Some(false)]);
    assert_eq!(of(0, "size")["flits"].as_integer(), Some(1));
    assert_eq!(of(1, "size"), of(2, "size"));
    assert_eq!(of(2, "size")["weights"].as_array().map(Vec::len), Some(2));
    assert_eq!((of(0, "pattern")["kind"].as_str(), of(0, "process").as_str()), (Some("uniform"), Some("bernoulli")));
    assert_eq!((of(1, "pattern"), of(1, "process")["kind"].as_str()), (of(2, "pattern"), Some("on_off")));
    let words = |key: &str| {
        let config = config(&format!("{MESH}{text}"));
        let rows = explain(&config, Some(&spec(&config).expect("it runs")));
        rows.into_iter().find(|row| row.key == key).expect("a key").became
    };
    assert!(
        words("injection_rate").starts_with("class 0: load = 0.1; class 1: load = 0.5"),
        "{}",
        words("injection_rate")
    );
    assert_eq!(words("measure_stats"), "not measured: class 1, class 2");
    // Classes that send nothing have a share of nothing.
    let silent = table(&format!("{MESH}classes = 2; injection_rate = 0.0;"));
    assert_eq!(silent["traffic"]["load"].as_float(), Some(0.0));
}
