//! Sweeps: which points there are, in which order, and which sweeps are refused.

use tailback_spec::{MAX_POINTS, Origin, Point};

use crate::sample::{catalogue, document, errors, expand};

fn loads(points: &[Point]) -> Vec<(f64, u32, u64)> {
    points
        .iter()
        .map(|p| (p.resolved.view("traffic").float("load"), p.resolved.view("network").u32("vcs"), p.seed))
        .collect()
}

#[test]
fn no_sweep_is_one_point() {
    let points = expand("traffic.load = 0.5\nrun.seed = 7\n").unwrap();
    assert_eq!(loads(&points), [(0.5, 2, 7)]);
    assert!(points[0].swept.is_empty());
    assert_eq!(points[0].id.len(), 16);
}

#[test]
fn axes_are_crossed_in_file_order_with_replicas_innermost() {
    let text =
        "run.replicas = 2\n[sweep]\n\"traffic.load\" = [0.1, 1]\n\"network.vcs\" = { from = 1, to = 3, step = 2 }\n";
    let points = expand(text).unwrap();
    let wanted =
        [(0.1, 1, 1), (0.1, 1, 2), (0.1, 3, 1), (0.1, 3, 2), (1.0, 1, 1), (1.0, 1, 2), (1.0, 3, 1), (1.0, 3, 2)];
    assert_eq!(loads(&points), wanted);
    let last = &points[7];
    assert_eq!(last.swept[0], ("traffic.load".to_owned(), toml::Value::Float(1.0)));
    assert_eq!(last.swept[1], ("network.vcs".to_owned(), toml::Value::Integer(3)));
    assert_eq!(last.resolved.view("run").integer("seed"), 2);
    assert_eq!(last.resolved.view("run").integer("replicas"), 1);
}

/// A point's own spec, run alone, is the same point.
#[test]
fn a_points_spec_is_that_point() {
    let text = "name = \"a\"\nrun.replicas = 2\n[sweep]\n\"traffic.load\" = [0.1, 0.2]\nadmission = [\"off\", { kind = \"spth\", margin_flits = 8 }]\n";
    let points = expand(text).unwrap();
    let mut ids: Vec<&str> = points.iter().map(|p| p.id.as_str()).collect();
    for point in &points {
        let alone = expand(&point.resolved.to_toml(&catalogue())).unwrap();
        assert_eq!(alone.len(), 1);
        assert_eq!((&alone[0].id, alone[0].seed), (&point.id, point.seed));
        assert_eq!(alone[0].resolved.table(), point.resolved.table());
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 8);
    assert_eq!(points[0].id, expand("traffic.load = 0.1\nname = \"b\"\n").unwrap()[0].id);
}

/// Points that differ in plain values are made from one of them, and are what each would be by itself.
#[test]
fn points_of_plain_axes_are_what_each_is_alone() {
    let base = "preset = \"wide\"\nadmission = \"spth\"\nname = \"a\"\n";
    let sweep = "[sweep]\n\"network.vcs\" = [1, 2, 3]\n\"admission.margin_flits\" = { from = 2, to = 4, step = 2 }\n\
                 \"traffic.load\" = [0.1, 0.2]\n\"run.seed\" = [7, 9]\nzip = [[\"traffic.load\", \"run.seed\"]]\n";
    let catalogue = catalogue();
    let swept = document(&format!("{base}{sweep}")).unwrap();
    let plan = swept.plan(&catalogue).unwrap();
    assert_eq!(plan.len(), 12);
    for point in plan.points().map(Result::unwrap) {
        let mut alone = document(base).unwrap();
        for (path, value) in &point.swept {
            alone.set(&format!("{path}={value}")).unwrap();
            assert!(matches!(point.resolved.sources.origin(path), Origin::File(_)), "{path}");
        }
        let alone = alone.resolve(&catalogue).unwrap();
        assert_eq!(alone.table(), point.resolved.table());
        for path in ["network", "network.buffer_flits", "network.source_queue", "admission", "traffic.pattern.kind"] {
            let kind = |origin: Origin| std::mem::discriminant(&origin);
            let (one, other) = (alone.sources.origin(path), point.resolved.sources.origin(path));
            assert!(kind(one.clone()) == kind(other.clone()) || path == "network", "{path}: {one:?}, {other:?}");
        }
    }
}

#[test]
fn zipped_axes_advance_together() {
    let text = "[sweep]\n\"traffic.load\" = [0.1, 0.2]\n\"run.seed\" = [5, 6]\n\"network.vcs\" = [1, 2]\nzip = [[\"network.vcs\", \"traffic.load\"]]\n";
    assert_eq!(loads(&expand(text).unwrap()), [(0.1, 1, 5), (0.1, 1, 6), (0.2, 2, 5), (0.2, 2, 6)]);
}

#[test]
fn components_are_swept_whole_or_by_kind() {
    let by_kind = "traffic.load = 0.1\nsweep.\"admission.kind\" = [\"off\", \"spth\"]\n";
    let whole = "traffic.load = 0.1\nsweep.admission = [\"off\", { kind = \"spth\" }]\n";
    let kinds = |text: &str| expand(text).unwrap().iter().map(|p| p.id.clone()).collect::<Vec<_>>();
    assert_eq!(kinds(by_kind), kinds(whole));
    let swept = &expand(by_kind).unwrap()[1].swept;
    assert_eq!(swept, &[("admission.kind".to_owned(), toml::Value::String("spth".to_owned()))]);
}

#[test]
fn set_pins_an_axis() {
    let text = "[sweep]\n\"traffic.load\" = [0.1, 0.2]\n\"network.vcs\" = [1, 2]\nzip = [[\"traffic.load\", \"network.vcs\"]]\n";
    let mut pinned = document(text).unwrap();
    pinned.set("traffic.load=0.9").unwrap();
    assert_eq!(loads(&pinned.expand(&catalogue()).unwrap()), [(0.9, 1, 1), (0.9, 2, 1)]);
    let mut swept = document(text).unwrap();
    swept.set("sweep={\"traffic.load\" = [0.5]}").unwrap();
    assert_eq!(loads(&swept.expand(&catalogue()).unwrap()), [(0.5, 2, 1)]);
    let mut both = swept;
    both.set("traffic.load=0.9").unwrap();
    let message = both.expand(&catalogue()).unwrap_err().render();
    assert!(message.contains("both set and swept"), "{message}");
    let mut hidden = document("traffic.load = 0.1\nsweep.admission = [\"off\", \"spth\"]\n").unwrap();
    hidden.set("admission.margin_flits=3").unwrap();
    assert!(hidden.expand(&catalogue()).is_err());
}

#[test]
fn huge_sweeps_are_refused_before_they_are_made() {
    let range = |n: u64| format!("{{ from = 1, to = {n}, step = 1 }}");
    let text = format!("traffic.load = 0.1\nsweep.\"run.seed\" = {}\nrun.replicas = 3\n", range(400_000));
    let message = errors(&text);
    assert!(message.contains("1,200,000 runs (400,000 × 3 replicas); at most 1,000,000"), "{message}");
    let mut text = "traffic.load = 0.1\n[sweep]\n".to_owned();
    for path in ["run.seed", "network.source_queue", "network.vcs", "network.buffer_flits"] {
        text.push_str(&format!("\"{path}\" = {}\n", range(9_007_199_254_740_992)));
    }
    assert!(errors(&text).contains("(9,007,199,254,740,992 × "));
    let text = format!("traffic.load = 0.1\nsweep.\"run.seed\" = {}\n", range(MAX_POINTS));
    let catalogue = catalogue();
    let plan = document(&text).unwrap();
    let plan = plan.plan(&catalogue).unwrap();
    assert_eq!(plan.len(), MAX_POINTS);
    assert_eq!(plan.point(999_999).unwrap().seed, 1_000_000);
}

#[test]
fn replicas_do_not_run_out_of_seeds() {
    let max = i64::MAX;
    assert!(errors(&format!("traffic.load = 0.1\nrun = {{ seed = {max}, replicas = 2 }}\n")).contains("beyond"));
    let text = format!("traffic.load = 0.1\nrun.replicas = 2\nsweep.\"run.seed\" = [1, {max}]\n");
    assert!(errors(&text).contains("beyond"));
}

#[test]
fn bad_sweeps_are_refused() {
    for (sweep, wanted) in [
        ("sweep = 3", "`sweep` must be a table"),
        ("[sweep]\n\"traffic.load\" = []", "has no values"),
        ("[sweep]\n\"traffic.load\" = 0.5", "must be a list of values or a range"),
        ("[sweep]\n\"run.replicas\" = [1, 2]", "cannot be swept"),
        ("[sweep]\ntraffic.load = [0.1]", "write the whole path in quotes: \"traffic.load\""),
        ("[sweep]\nadmission = [\"off\"]\n\"admission.kind\" = [\"off\"]", "while `admission` is swept as a whole"),
        ("[sweep]\n\"topology.radix\" = [8, 8]", "a list of one value is written [8]"),
        ("[sweep]\nzip = [[\"traffic.load\", \"network.vcs\"]]", "which is not swept"),
        ("[sweep]\nzip = [[\"traffic.load\"]]", "at least two paths"),
        ("[sweep]\nzip = 3", "`zip` must be a list of lists"),
        (
            "[sweep]\n\"traffic.load\" = [0.1]\n\"network.vcs\" = [1, 2]\nzip = [[\"traffic.load\", \"network.vcs\"]]",
            "have 1, 2",
        ),
        (
            "[sweep]\n\"traffic.load\" = { from = 0.5, to = 1.5, step = 0.5 }",
            "between 0 and 1 flits/node/cycle, not 1.5",
        ),
        ("[sweep]\n\"admission.margin_flits\" = [1]", "belongs to admission kind `spth`"),
        ("[sweep]\n\"traffic.load\" = [nan]", "finite"),
        ("[traffic]\nload = \"x\"\n[sweep]\n\"traffic.load\" = [0.1]", "found the string \"x\""),
    ] {
        let text =
            if sweep.contains("traffic]") { sweep.to_owned() } else { format!("{sweep}\n[traffic]\nload = 0.1\n") };
        let message = errors(&text);
        assert!(message.contains(wanted), "{sweep}\n{message}");
    }
}

#[test]
fn the_identity_goes_by_what_files_hold_not_by_where_they_are() {
    let at = |path: &str, digest: Option<&str>| {
        let text = format!("traffic.load = 0.1\ntopology = {{ kind = \"file\", path = \"{path}\" }}\n");
        let mut point = expand(&text).unwrap().remove(0);
        let files = point.resolved.files(&catalogue());
        assert_eq!(files, ["topology.path"], "an empty path names no file");
        point.identify(&digest.map(|digest| (files[0].clone(), digest.to_owned())).into_iter().collect::<Vec<_>>());
        assert_eq!(point.resolved.get("topology.path").and_then(|v| v.as_str()), Some(path));
        point.id
    };
    assert_eq!(at("a", Some("00")), at("b/c", Some("00")));
    assert_ne!(at("a", Some("00")), at("a", Some("01")));
    assert_ne!(at("a", None), at("b", None));
    let mut resolved = expand("traffic.load = 0.1\nworkload = { kind = \"phases\", phases = [{ cycles = 5 }] }\n")
        .unwrap()[0]
        .resolved
        .clone();
    assert_eq!(resolved.value_mut("workload.phases[0].cycles").and_then(|v| v.as_integer()), Some(5));
    assert_eq!(resolved.value_mut("workload.phases[1].cycles"), None);
}

#[test]
fn what_is_written_and_what_was_set_make_the_same_points_again() {
    let text = "# mine\ntraffic.load = 0.1\n[sweep]\n\"traffic.load\" = [0.1, 0.2]\n\"network.vcs\" = [1, 2]\n\
                \"run.seed\" = [5, 6]\nzip = [[\"traffic.load\", \"network.vcs\"]]\n";
    let catalogue = catalogue();
    let mut changed = document(text).unwrap();
    assert_eq!(changed.to_toml(), text, "comments and all");
    let plan = changed.plan(&catalogue).unwrap();
    assert_eq!(plan.groups(), [vec!["traffic.load", "network.vcs"], vec!["run.seed"]]);
    changed.set("traffic.load=0.7").unwrap();
    changed.set("name=\"a b\"").unwrap();
    let again = document(&changed.to_toml()).unwrap();
    let wanted = [(0.7, 1, 5), (0.7, 1, 6), (0.7, 2, 5), (0.7, 2, 6)];
    for document in [changed, again] {
        assert_eq!(loads(&document.expand(&catalogue).unwrap()), wanted);
    }
}

#[test]
fn positions_count_lines_and_characters_from_one() {
    let document = document("name = \"é\"\ntraffic = { load = 0.1, laod = \"é\", x = 1 }\n").unwrap();
    let found = document.resolve(&catalogue()).unwrap_err();
    let positions: Vec<_> = found.errors().iter().map(|e| found.position(e).map(|p| (p.line, p.column))).collect();
    assert_eq!(positions, [Some((2, 25)), Some((2, 37))]);
}

/// Kinds are disjoint, and together they are all runs; within one nothing differs but what may.
#[test]
fn kinds_are_the_runs_that_differ_in_little() {
    let text = "run.replicas = 3\n[sweep]\n\"traffic.load\" = [0.1, 0.2]\nadmission = [\"off\", { kind = \"spth\", margin_flits = 8 }]\n\"run.seed\" = [1, 9]\n\"network.vcs\" = [1, 2, 3]\n";
    let (document, catalogue) = (document(text).unwrap(), catalogue());
    let plan = document.plan(&catalogue).unwrap();
    let alike = |alike: &[&str]| {
        let kinds: Vec<_> = plan.kinds(alike).collect();
        let mut seen: Vec<u64> = kinds.iter().flat_map(|kin| kin.iter().collect::<Vec<_>>()).collect();
        seen.sort_unstable();
        assert_eq!(seen, (0..plan.len()).collect::<Vec<_>>());
        for kin in &kinds {
            assert_eq!((kin.iter().min(), kin.iter().count() as u64), (Some(kin.first), kin.len()));
            let stripped = |index: u64| {
                let mut table = plan.point(index).unwrap().resolved.into_table();
                for path in alike.iter().chain(&["run.seed"]) {
                    let (section, name) = path.split_once('.').unwrap();
                    table[section].as_table_mut().unwrap().remove(name);
                }
                table
            };
            assert!(kin.iter().all(|index| stripped(index) == stripped(kin.first)));
            let replica = |index: u64| index % plan.replicas();
            assert!(kin.of_one_seed().all(|index| replica(index) == 0 && kin.iter().any(|other| other == index)));
            assert_eq!(kin.of_one_seed().count() as u64, kin.len() / plan.replicas());
        }
        kinds.len()
    };
    assert_eq!([alike(&[]), alike(&["run.seed"]), alike(&["run.seed", "traffic.load"])], [24, 12, 6]);
}

/// An axis that advances together with another one makes a difference of its own.
#[test]
fn zipped_loads_are_kinds_of_their_own() {
    let text = "[sweep]\n\"traffic.load\" = [0.1, 0.2]\n\"network.vcs\" = [1, 2]\nzip = [[\"network.vcs\", \"traffic.load\"]]\n";
    let (document, catalogue) = (document(text).unwrap(), catalogue());
    let plan = document.plan(&catalogue).unwrap();
    assert_eq!(plan.kinds(&["traffic.load"]).map(|kin| (kin.first, kin.len())).collect::<Vec<_>>(), [(0, 1), (1, 1)]);
}
