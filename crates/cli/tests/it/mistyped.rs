//! Command lines that are none, and names that are nearly right: what is said helps, and destroys nothing.

use crate::{SMALL, fed, folder, tailback, text, verbs};

#[test]
fn no_suggestion_destroys_or_names_two_dashes() {
    let wrong = [
        "--format",
        "--forc",
        "--forse",
        "--fore",
        "--for",
        "--forced",
        "--force-all",
        "--pdf",
        "--fo",
        "--from",
        "--frce",
        "--orce",
        "--replace",
        "--overwrite",
        "--resum",
        "--jsn",
        "--threds",
    ];
    for verb in verbs() {
        for option in wrong {
            let done = tailback(&[&verb, "x", option, "csv"]);
            assert_eq!(done.code, 2, "{verb} {option}: {}", done.err);
            let suggested = done.err.replacen(option, "", usize::MAX);
            assert!(!suggested.contains("--force") && !suggested.contains("-- -"), "{verb} {option}: {}", done.err);
        }
    }
    assert!(tailback(&["run", "x", "--jsn"]).err.contains("'--json'"), "what helps is still said");
    assert!(!tailback(&["--forc", "run", "x"]).err.contains("--force"));
}

#[test]
fn help_has_help() {
    let (help, of_help) = (tailback(&["help"]), tailback(&["help", "--help"]));
    assert_eq!((help.code, of_help.code), (0, 0), "{}", of_help.err);
    assert_eq!(help.out, tailback(&["--help"]).out);
    assert_eq!(tailback(&["help", "help"]).out, of_help.out);
    for verb in verbs() {
        let (page, asked) = (tailback(&["help", &verb]), tailback(&[&verb, "--help"]));
        assert_eq!((page.code, page.out), (0, asked.out), "{verb}");
    }
    let unknown = tailback(&["help", "crve"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `curve`?"), "{}", unknown.err);
}

#[test]
fn list_prints_whatever_has_the_name() {
    for (name, words) in [
        ("traffic.load", ["[traffic]", "load [flits/node/cycle]: number, 0 to 64"]),
        ("admission.spth", ["[admission]", "spth"]),
        ("admission.spth.margin_flits", ["kind spth", "margin_flits [flits]"]),
        ("admission.margin_flits", ["kind spth", "margin_flits [flits]"]),
        ("router.sharing", ["kind wormhole", "shared_whole:"]),
        ("spth", ["[admission]", "margin_flits [flits]"]),
        ("latency_p99", ["latency_p99 [cycles]", "99"]),
        ("bubble_dor_2d", ["bubble_dor_2d", "kind = "]),
    ] {
        let done = tailback(&["list", name]);
        assert_eq!(done.code, 0, "{name}: {}", done.err);
        words.iter().for_each(|word| assert!(done.out.contains(word), "{name}: {}", done.out));
        let json: serde_json::Value = serde_json::from_str(&tailback(&["list", name, "--json"]).out).unwrap();
        assert!(
            json[0]["path"].as_str().is_some_and(|path| path.ends_with(name.rsplit('.').next().unwrap())),
            "{json}"
        );
    }
    for (wrong, right) in [
        ("traffic.laod", "`traffic.load`"),
        ("admission.spht", "`admission.spth`"),
        ("latency_p9", "`latency_p99`"),
        ("traffic.patern", "`traffic.pattern`"),
    ] {
        let done = tailback(&["list", wrong]);
        assert_eq!(done.code, 2, "{wrong}");
        assert!(done.err.contains("did you mean") && done.err.contains(right), "{}", done.err);
    }
}

#[test]
fn a_wrong_column_gets_the_nearest_right_ones() {
    let (folder, path) = folder(SMALL);
    let out = text(&folder.path().join("out"));
    assert_eq!(tailback(&["run", &path, "--out", &out]).code, 0);
    let cases: [&[&str]; 5] = [
        &["plot", &out, "--y", "latency_p9"],
        &["plot", &out, "--x", "latency_p9"],
        &["run", &path, "--y", "latency_p9"],
        &["run", &path, "--x", "latency_p9"],
        &["compare", &path, "--b", "admission=alo", "--column", "latency_p9"],
    ];
    for arguments in cases {
        let done = tailback(arguments);
        assert_eq!(done.code, 2, "{arguments:?}");
        assert!(done.err.contains("did you mean") && done.err.contains("`latency_p99`"), "{arguments:?}: {}", done.err);
    }
    let swept = tailback(&["run", &path, "--x", "trafic.load"]);
    assert!(swept.err.contains("did you mean `traffic.load`"), "{}", swept.err);
}

#[test]
fn a_picture_is_of_the_kind_that_its_name_says_or_none_is_drawn() {
    let (folder, path) = folder(SMALL);
    let (out, inside) = (text(&folder.path().join("out")), |name: &str| text(&folder.path().join(name)));
    assert_eq!(tailback(&["run", &path, "--out", &out]).code, 0);
    for (option, name) in [("--svg", "a.pdf"), ("--svg", "a.png"), ("--png", "a.svg"), ("--png", "a.jpeg")] {
        for verb in [["plot", &out], ["check", &path]] {
            let done = tailback(&[&verb[..], &[option, &inside(name)]].concat());
            assert_eq!(done.code, 2, "{verb:?} {option} {name}");
            let ending = option.trim_start_matches("--");
            assert!(done.err.contains(&format!("must end in .{ending}")), "{}", done.err);
            assert!(!folder.path().join(name).exists());
        }
    }
    let one = inside("one");
    assert_eq!(tailback(&["run", &path, "--set", "traffic.load=0.1", "--out", &one]).code, 0);
    for more in [vec![], vec!["--svg", "b.svg"], vec!["--x", "latency_mean", "--y", "duration"]] {
        let done = tailback(&[vec!["plot", &one], more.clone()].concat());
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{more:?}");
        assert!(done.err.contains("nothing to draw") || done.err.contains("no record has a number"), "{}", done.err);
    }
}

#[test]
fn a_mistyped_verb_gets_the_right_one() {
    let done = fed(&["chek", "-"], SMALL.as_bytes());
    assert_eq!(done.code, 2);
    assert!(done.err.contains("'check'"), "{}", done.err);
}

/// A script may paste anything: what is said stays short.
#[test]
fn arguments_of_any_length_are_quoted_in_short() {
    let long = "{a = ".repeat(20_000);
    for arguments in [
        &["manual", "x", &long, "y"][..],
        &["run", &long],
        &[&long],
        &["plot", &long],
        &["verify", &long],
        &["list", &long],
    ] {
        let done = tailback(arguments);
        assert!(done.code == 2 && done.err.len() < 8192, "{}: {} bytes", arguments[0].len(), done.err.len());
    }
}
