//! Whatever a spec says in vain is told: on standard error where something runs, in the list of `check`, and once.

use crate::{SMALL, files, folder, rows, tailback, text};
use std::fs;

/// A selection that nobody asks, under the default router.
const TURN: &str = "selection=turn";
const TOLD: &str = "selection.kind = turn has no effect under router.kind = cut_through, because ";

fn single() -> String {
    SMALL.split("[sweep]").next().expect("it sweeps").to_owned()
}

#[test]
fn run_tells_of_it_on_standard_error_and_check_in_its_list() {
    let (_folder, path) = folder(SMALL);
    let warning = format!("warning: {TOLD}");
    let run = tailback(&["run", &path, "--set", TURN, "--json"]);
    assert_eq!((run.code, rows(&run.out).len()), (0, 3), "{}", run.err);
    assert_eq!(run.err.matches(&warning).count(), 1, "of three points alike it is told once: {}", run.err);
    let check = tailback(&["check", &path, "--set", TURN]);
    let said = check.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(said.matches(&warning).count(), 1, "{said}");
    for row in rows(&tailback(&["check", &path, "--set", TURN, "--json"]).out) {
        let warnings = row["warnings"].as_array().expect("a list");
        assert!(warnings.iter().any(|text| text.as_str().is_some_and(|text| text.starts_with(TOLD))), "{warnings:?}");
    }
    let nothing = tailback(&["run", &path, "--json"]);
    assert!(!nothing.err.contains("has no effect"), "{}", nothing.err);
}

/// It has an effect, and not the one that somebody wants.
#[test]
fn a_choice_that_may_stop_a_part_of_the_network_is_noted() {
    let (_folder, path) = folder(&single());
    let set = |allocator: &str| {
        let router =
            format!("router={{kind='input_queued',speculation='shared',speculation_needs='nothing',{allocator}}}");
        ["--set".to_owned(), router, "--set".to_owned(), "workload.measure_cycles=200".to_owned()]
    };
    let done = |verb: &str, allocator: &str| {
        let set = set(allocator);
        let set = set.iter().map(String::as_str);
        let done = tailback(&[verb, &path].into_iter().chain(set).collect::<Vec<_>>());
        (done.out + &done.err).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for allocator in ["max_size", "loa"] {
        let noted = format!(
            "under router.speculation = shared and router.switch_allocator = {allocator}, router.speculation_needs = nothing \
             may stop a part of the network"
        );
        for verb in ["check", "run"] {
            let said = done(verb, &format!("switch_allocator='{allocator}'"));
            assert_eq!(said.matches(&noted).count(), 1, "{verb}: {said}");
        }
    }
    assert!(!done("check", "switch_allocator='select'").contains("may stop"));
}

#[test]
fn a_spec_with_all_defaults_filled_in_is_not_told_of_them() {
    let (folder, path) = folder(SMALL);
    let full = folder.path().join("full.toml");
    fs::write(&full, tailback(&["explain", &path]).out).expect("it can be written");
    let check = tailback(&["check", &text(&full)]);
    assert!(check.code == 0 && !check.out.contains("has no effect"), "{}{}", check.out, check.err);
}

#[test]
fn a_sweep_in_vain_is_told_with_its_points() {
    let spec = SMALL.replace("[sweep]", "[sweep]\n\"router.kind\" = [\"cut_through\", \"wormhole\"]");
    let (_folder, path) = folder(&spec);
    let some = tailback(&["run", &path, "--set", TURN, "--json"]);
    assert!(some.err.contains("(3 of 6 points)"), "{}", some.err);
    let (_folder, path) = self::folder(&format!("{SMALL}\"selection\" = [\"turn\", \"random\"]\n"));
    let swept = tailback(&["check", &path]);
    let said = swept.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(said.matches("; to sweep it repeats the same runs").count(), 1, "{said}");
}

#[test]
fn every_verb_that_takes_a_spec_tells_of_it() {
    let (folder, path) = folder(&single());
    let out = text(&folder.path().join("swept"));
    let shorter = ["--set", "workload.measure_cycles=2000", "--set", TURN];
    let verbs: [&[&str]; 5] = [
        &["sweep", &path, "--out", &out],
        &["compare", &path, "--a", "traffic.load=0.1", "--b", "traffic.load=0.2", "--seeds", "2"],
        &["trace", &path, "--packet", "3"],
        &["saturation", &path, "--tolerance", "0.2", "--seeds", "1"],
        &["curve", &path, "--tolerance", "0.2"],
    ];
    for verb in verbs {
        let done = tailback(&[verb, &shorter].concat());
        assert_eq!(done.err.matches(TOLD).count(), 1, "{verb:?} {}: {}", done.code, done.err);
    }
}

#[test]
fn a_fork_is_told_of_what_it_sets_alone() {
    let (folder, path) = folder(&format!("{}[selection]\nkind = \"turn\"\n", single()));
    let state = text(&folder.path().join("state-{cycle}"));
    let keeping = ["--checkpoint-every", "500", "--checkpoint", &state, "--json"];
    let run = tailback(&[&["run", path.as_str()], &keeping[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let first = state.replace("{cycle}", "512");
    let fork = tailback(&["resume", &first, "--json", "--set", "admission=alo"]);
    assert!(fork.code == 0 && fork.err.contains("admission.kind = alo has no effect"), "{} {}", fork.code, fork.err);
    assert!(!fork.err.contains("selection"), "{}", fork.err);
}

#[test]
fn a_moving_average_smooths_the_pictures() {
    let (folder, path) = folder(&single());
    let picture = |name: &str, windows: &str| {
        let out = folder.path().join(name);
        let set = format!("probes.moving_average_windows={windows}");
        let done = tailback(&["run", &path, "--out", &text(&out), "--set", &set, "--set", "probes.window_cycles=50"]);
        assert_eq!(done.code, 0, "{}", done.err);
        let pictures = files(&out.join("pictures"), "svg");
        pictures.iter().map(|path| fs::read_to_string(path).expect("it is there")).collect::<Vec<_>>()
    };
    assert_ne!(picture("rough", "1"), picture("smooth", "5"));
}

/// Three messages that are received the other way round: with two places the last one cannot pass the others.
const CROSSED: &str = "num_ranks 2\nrank 0 {\na: send 64b to 1 tag 1\nb: send 64b to 1 tag 2\nc: send 64b to 1 tag 3\n\
     b requires a\nc requires b\n}\n\
     rank 1 {\nx: recv 64b from 0 tag 3\ny: recv 64b from 0 tag 2\nz: recv 64b from 0 tag 1\n\
     y requires x\nz requires y\n}\n";

#[test]
fn a_program_that_may_lock_is_told_of_before_it_runs() {
    let spec = "topology = { kind = 'mesh', radix = [2] }\n\
         router = { kind = 'cut_through', buffer_flits = 8, ejection_packets = 1 }\n\
         workload = { kind = 'program', file = 'crossed.goal', bytes_per_flit = 8 }\n";
    let (folder, path) = folder(spec);
    fs::write(folder.path().join("crossed.goal"), CROSSED).expect("it can be written");
    let warning = "warning: it is not proved that the program cannot lock at ejection buffers of 1: ";
    let enough = "and with router.ejection_packets = 3 none does";
    let told = |args: &[&str]| {
        let done = tailback(args);
        let said = done.err.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!((said.matches(warning).count(), said.matches(enough).count()), (1, 1), "{args:?}: {}", done.err);
        said
    };
    let all = told(&["run", &path, "--json"]);
    assert!(!all.contains("points"), "it is so of all points: {all}");
    told(&["compare", &path, "--a", "router.buffer_flits=8", "--b", "router.buffer_flits=16", "--seeds", "2"]);
    told(&["curve", &path, "--vary", "router.buffer_flits=8..16"]);
    for (places, of) in [("[1,3,4]", "1 of 3 points"), ("[1,2,4]", "the first of 2 such points; ")] {
        let (out, places) =
            (text(&folder.path().join(places)), format!("sweep={{'router.ejection_packets'={places}}}"));
        let some = told(&["sweep", &path, "--out", &out, "--set", &places]);
        assert!(some.contains(&format!("none does ({of}")), "{some}");
    }
    let nothing = tailback(&["run", &path, "--json", "--set", "router.ejection_packets=3"]);
    assert!(nothing.code == 0 && !nothing.err.contains("not proved"), "{}", nothing.err);
}
