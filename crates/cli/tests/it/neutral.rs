//! Whatever others write, a terminal obeys none of it: every text that is ever echoed is fed with characters that terminals obey.

use crate::{Done, SMALL, fed, folder, tailback, text};
use std::path::Path;

/// Colours, a title, the other set of control characters, overrides of the direction, separators, what cannot be seen.
const EVIL: &str =
    "\u{1b}[31mX\u{1b}]0;t\u{7}\u{9b}1m\u{85}\u{8}\u{7f}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{feff}Y";

/// The same as a TOML string writes it, for TOML holds no control characters as they are.
const EVIL_TOML: &str =
    "\\u001b[31mX\\u001b]0;t\\u0007\\u009b1m\\u0085\\u0008\\u007f\\u202e\\u2066\\u200f\\u061c\\u2028\\ufeffY";

/// What a TOML file may hold as it is.
const RAW: &str = "\u{9b}1m\u{85}\u{202e}\u{2066}\u{200f}\u{61c}\u{2028}\u{feff}";

fn is_evil(c: char) -> bool {
    let override_or_mark = matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    (c.is_control() && c != '\n') || override_or_mark
}

/// Nothing evil came out, and the text was there to come out.
fn is_neutral(what: &str, done: &Done) {
    for (stream, text) in [("output", &done.out), ("error", &done.err)] {
        assert!(!text.contains(is_evil), "{what}: {stream} has {:?}\n{text:?}", text.chars().find(|&c| is_evil(c)));
    }
}

/// The same, and something of the text was echoed.
fn is_shown_neutral(what: &str, done: &Done) {
    is_neutral(what, done);
    assert!(
        format!("{}{}", done.out, done.err).contains("\\u00"),
        "{what}: nothing was echoed\n{}\n{}",
        done.out,
        done.err
    );
}

#[test]
fn texts_of_specs() {
    let spec = |more: &str| format!("{more}\n{SMALL}").replace("name = \"small\"\n", "");
    let named = format!("name = \"{EVIL_TOML}\"\ndescription = \"{EVIL_TOML}\"");
    for verb in ["run", "check", "explain"] {
        let done = fed(&[verb, "-"], spec(&named).as_bytes());
        assert_eq!(done.code, 0, "{verb}: {}", done.err);
        if verb != "check" {
            is_shown_neutral(verb, &done);
        }
        is_neutral(verb, &done);
    }
    let wrong = [
        ("an unknown key", format!("\"{EVIL_TOML}\" = 1")),
        ("an unknown key as it is", format!("x = 1 # {RAW}\n\"{RAW}\" = 1")),
        ("an excerpt", format!("topology = {{ kind = 'torus', radix = 3, '{RAW}' = 4 }}")),
        ("a line that is no TOML", format!("name = '{RAW}' '{RAW}'")),
        ("a control character that is no TOML", format!("name = '{EVIL}'")),
        ("a kind", format!("routing = \"{EVIL_TOML}\"")),
        ("a word of a choice", format!("router.sharing = \"{EVIL_TOML}\"\nrouter.kind = 'wormhole'")),
        ("a number that is text", format!("router.buffer_flits = \"{EVIL_TOML}\"")),
        ("a preset", format!("preset = \"{EVIL_TOML}\"")),
        ("a path of a sweep", format!("sweep.\"{EVIL_TOML}\" = [1]")),
        ("an axis of a zip", format!("sweep.zip = [[\"{EVIL_TOML}\", \"traffic.load\"]]")),
        ("a permutation's file", format!("traffic.pattern = {{ kind = 'permutation', file = \"{EVIL_TOML}\" }}")),
        ("a table's file", format!("routing = {{ kind = 'table', file = \"{EVIL_TOML}\" }}")),
    ];
    for (what, line) in wrong {
        let spec = match line.starts_with("topology") {
            true => format!("{line}\n"),
            false => format!("{line}\ntopology = {{ kind = 'torus', radix = [4, 4] }}\n"),
        };
        let done = fed(&["check", "-"], spec.as_bytes());
        assert_eq!(done.code, 2, "{what}: {}", done.out);
        is_shown_neutral(what, &done);
    }
    let swept = format!("{}\nname = [\"{EVIL_TOML}\", 'b']\n", SMALL.replace("name = \"small\"", ""));
    is_neutral("a swept name", &fed(&["run", "-"], swept.as_bytes()));
}

#[test]
fn words_of_the_command_line() {
    let (folder, path) = folder(SMALL);
    let evil = format!("{}/{}", text(folder.path()), EVIL);
    let set = format!("traffic.load={EVIL}");
    let key = format!("{EVIL}=1");
    let cases: Vec<Vec<&str>> = vec![
        vec![EVIL],
        vec!["run", &evil],
        vec!["run", &path, EVIL],
        vec!["check", &path, "--set", &set],
        vec!["check", &path, "--set", &key],
        vec!["check", &path, "--set", EVIL],
        vec!["run", &path, "--x", EVIL],
        vec!["run", &path, "--y", EVIL],
        vec!["run", &path, "--threads", EVIL],
        vec!["sweep", &path, "--out", "o", "--on", EVIL],
        vec!["sweep", &path, "--out", "o", "--share", EVIL],
        vec!["compare", &path, "--b", "admission=alo", "--column", EVIL],
        vec!["compare", &path, "--b", &set],
        vec!["curve", &path, "--low", EVIL],
        vec!["saturation", &path, "--low", EVIL],
        vec!["trace", &path, "--packet", EVIL],
        vec!["live", &path, "--port", EVIL],
        vec!["live", &path, "--listen", EVIL],
        vec!["view", &evil],
        vec!["plot", &evil],
        vec!["verify", &evil],
        vec!["resume", &evil],
        vec!["list", EVIL],
        vec!["help", EVIL],
        vec!["cost", EVIL],
        vec!["topology", EVIL],
        vec!["topology", "--kind", EVIL],
        vec!["topology", "--kind", EVIL, "--parameters"],
        vec!["topology", "--kind", "torus", "--set", EVIL],
        vec!["topology", &path, "--format", EVIL],
        vec!["route", "--kind", EVIL],
        vec!["route", &path, "--engine", EVIL],
        vec!["bench", EVIL],
        vec!["completions", EVIL],
        vec!["reproduce", EVIL],
        vec!["reproduce", "spth-2015", EVIL],
        vec!["run", &path, "--out", &path, "--checkpoint", EVIL],
    ];
    let long = format!("--{EVIL}");
    for arguments in cases.into_iter().chain([vec!["run", &path, &long]]) {
        let done = tailback(&arguments);
        assert_eq!(done.code, 2, "{arguments:?}: {}", done.err);
        is_neutral(&format!("{arguments:?}"), &done);
    }
}

#[test]
fn names_of_files() {
    let (folder, path) = folder(SMALL);
    let inside = |name: &str| text(&folder.path().join(name));
    let (spec, out, folder_of_nothing) =
        (inside(&format!("{EVIL}.toml")), inside(&format!("out{EVIL}")), inside(&format!("no{EVIL}")));
    std::fs::copy(&path, &spec).unwrap();
    std::fs::create_dir(&folder_of_nothing).unwrap();
    let (wrong, state) = (inside(&format!("wrong{EVIL}.toml")), inside(&format!("state{EVIL}")));
    std::fs::write(&wrong, "x = 1\n").unwrap();
    let cases: Vec<(Vec<&str>, i32)> = vec![
        (vec!["check", &spec], 0),
        (vec!["run", &spec, "--out", &out], 0),
        (vec!["run", &spec, "--out", &out], 2),
        (vec!["run", &spec, "--out", &out, "--resume", "--set", "traffic.load=0.4"], 2),
        (vec!["run", &spec, "--set", "traffic.load=0.1", "--checkpoint-every", "500", "--checkpoint", &state], 0),
        (vec!["check", &wrong], 2),
        (vec!["check", &folder_of_nothing], 2),
        (vec!["plot", &folder_of_nothing], 2),
        (vec!["plot", &spec], 2),
        (vec!["verify", &out], 0),
        (vec!["verify", &folder_of_nothing], 2),
        (vec!["resume", &spec], 2),
        (vec!["run", &spec, "--out", &spec], 2),
        (vec!["curve", &spec, "--out", &spec], 2),
        (vec!["sweep", &spec, "--out", &out, "--on", "sbatch"], 0),
        (vec!["plot", &out, "--svg", &spec], 2),
    ];
    for (arguments, code) in cases {
        let done = tailback(&arguments);
        assert_eq!(done.code, code, "{arguments:?}: {}", done.err);
        is_neutral(&format!("{arguments:?}"), &done);
    }
}

/// A file of results in which every text is evil, as JSON writes it and as it is.
fn evil_results(folder: &Path) -> Vec<(String, String)> {
    let small = folder.join("small");
    let kept = tailback(&["run", &text(&folder.join("spec.toml")), "--out", &text(&small)]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    let records = std::fs::read_to_string(small.join("records.jsonl")).unwrap();
    let capsule = std::fs::read_to_string(&crate::files(&small.join("capsules"), "json")[0]).unwrap();
    let json = EVIL_TOML;
    let mut found = Vec::new();
    for (how, evil) in [("escaped", json), ("raw", RAW)] {
        let variants = [
            ("a swept column", records.replace("\"traffic.load\"", &format!("\"{evil}\""))),
            (
                "a swept value",
                records.replace("\"point_id\":\"", &format!("\"{evil}\":\"{evil}\",\"point_id\":\"{evil}")),
            ),
            ("a status", records.replace("\"steady\"", &format!("\"{evil}\""))),
            ("a number that is text", records.replacen("\"cycles\":", &format!("\"cycles\":\"{evil}\",\"x\":"), 1)),
        ];
        for (what, content) in variants {
            found.push((format!("{what}, {how}"), content));
        }
        let capsules = [
            ("a capsule's version", capsule.replace("\"version\": \"", &format!("\"version\": \"{evil}"))),
            ("a capsule's unknown key", capsule.replacen('{', &format!("{{ \"{evil}\": 1, "), 1)),
            ("a capsule's spec", capsule.replace("\"spec_toml\": \"", &format!("\"spec_toml\": \"'{evil}' = 1\\n"))),
            ("a capsule's digest", capsule.replace("\"digest\": \"", &format!("\"digest\": \"{evil}"))),
            ("a capsule's identity", capsule.replace("\"point_id\": \"", &format!("\"point_id\": \"{evil}"))),
            ("a capsule's column", capsule.replace("\"traffic.load\"", &format!("\"{evil}\""))),
        ];
        for (what, content) in capsules {
            found.push((format!("{what}, {how}"), content));
        }
    }
    found
}

#[test]
fn texts_of_results() {
    let (folder, _) = folder(SMALL);
    for (what, content) in evil_results(folder.path()) {
        let file = folder.path().join("evil.json");
        std::fs::write(&file, &content).unwrap();
        let file = text(&file);
        let verbs: &[&[&str]] = match what.starts_with("a capsule") {
            true => &[&["verify"], &["verify", "--json"]],
            false => &[&["plot"], &["plot", "--y", "latency_mean"], &["plot", "--x", "no"]],
        };
        for verb in verbs {
            let arguments = [&verb[..1], &[file.as_str()], &verb[1..]].concat();
            is_neutral(&format!("{what}: {arguments:?}"), &tailback(&arguments));
        }
    }
}

#[test]
fn a_checkpoint_speaks_neutrally() {
    let (folder, path) = folder(&SMALL.replace("\"small\"", &format!("\"{EVIL_TOML}\"")));
    let state = text(&folder.path().join("state"));
    let kept = tailback(&[
        "run",
        &path,
        "--set",
        "traffic.load=0.1",
        "--checkpoint-every",
        "600",
        "--checkpoint",
        &format!("{state}-{{cycle}}"),
    ]);
    assert_eq!(kept.code, 0, "{}", kept.err);
    is_neutral("keeping", &kept);
    let mut states = std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| text(&entry.path()));
    let state = states.find(|path| path.contains("state-")).expect("a checkpoint");
    is_shown_neutral("going on", &tailback(&["resume", &state]));
    let mut forged = tailback_results::Checkpoint::read(Path::new(&state)).unwrap();
    forged.head.spec_toml += &format!("\n[\"{EVIL_TOML}\"]\n");
    forged.write(Path::new(&state)).unwrap();
    is_shown_neutral("a key of its spec", &tailback(&["resume", &state]));
    forged.head.spec_toml = format!("'{RAW}'");
    forged.write(Path::new(&state)).unwrap();
    is_shown_neutral("its spec", &tailback(&["resume", &state]));
    forged.head.swept_toml = format!("swept = '{RAW}'");
    forged.write(Path::new(&state)).unwrap();
    is_neutral("its sweep", &tailback(&["resume", &state]));
    forged.head.version = EVIL.to_owned();
    forged.write(Path::new(&state)).unwrap();
    is_shown_neutral("its version", &tailback(&["resume", &state]));
}

/// JSON keeps the characters: a program that reads it gets the text that was written.
#[test]
fn programs_get_the_same_text() {
    let spec = SMALL.replace("[0.05, 0.1, 0.2]", "[0.05]") + &format!("admission = [\"off\"]\nname = [\"{RAW}\"]\n");
    let spec = spec.replace("name = \"small\"", "name = \"x\"");
    let done = fed(&["run", "-", "--json"], spec.as_bytes());
    is_neutral("JSON", &done);
    if done.code == 0 {
        assert_eq!(crate::rows(&done.out)[0]["name"], RAW);
    }
    let explained = fed(&["explain", "-"], SMALL.replace("\"small\"", &format!("\"{RAW}\"")).as_bytes());
    is_shown_neutral("explain", &explained);
    let table: toml::Table = explained.out.parse().expect("it is a spec again");
    assert_eq!(table["name"].as_str(), Some(RAW));
}

/// No more of a foreign file is quoted than a word of it.
#[test]
fn errors_quote_no_files() {
    let secret = |line: usize| format!("user{line}:$6$saltsaltsalt${}:19000:0:99999:7:::", "s3cret".repeat(12));
    let content: String = (0..40).map(|line| secret(line) + "\n").collect();
    let (folder, path) = folder(&SMALL.replace("[0.05, 0.1, 0.2]", "[0.05]"));
    let file = text(&folder.path().join("secret"));
    let quoted_of = |what: &str, done: &Done| {
        let all = format!("{}{}", done.out, done.err);
        assert!(!all.contains("s3cret"), "{what}: {all}");
        assert!(all.matches("$6$").count() <= 1, "{what}: {all}");
        assert_ne!(done.code, 0, "{what}");
    };
    let json = |text: &str| serde_json::to_string(text).unwrap();
    let whole = secret(0);
    let contents = [
        content.clone(),
        json(&whole),
        format!("{{{}: {}}}", json(&whole), json(&whole)),
        format!("{{\"format\": {}}}", json(&whole)),
        format!("{{\"format\": 1, {}: 2}}", json(&whole)),
    ];
    for content in contents {
        std::fs::write(&file, &content).unwrap();
        for kind in ["permutation", "table"] {
            let section = if kind == "table" { "routing" } else { "traffic.pattern" };
            let set = format!("{section}={{ kind = '{kind}', file = '{file}' }}");
            quoted_of(kind, &tailback(&["check", &path, "--set", &set]));
        }
        for arguments in [["plot", &file], ["verify", &file], ["resume", &file]] {
            quoted_of(arguments[0], &tailback(&arguments));
        }
    }
}

/// In a terminal the program's own settings of colours pass, and no others.
#[test]
#[cfg(target_os = "linux")]
fn colours_of_others_do_not_pass_as_ours() {
    let spec = SMALL.replace("\"small\"", &format!("\"{EVIL_TOML}\"")).replace("[0.05, 0.1, 0.2]", "[0.05]");
    let (folder, path) = folder(&spec);
    let wrong = text(&folder.path().join("wrong.toml"));
    std::fs::write(&wrong, format!("\"{EVIL_TOML}\" = 1 # {RAW}\n")).unwrap();
    for (verb, path) in [("run", &path), ("check", &wrong)] {
        let line = format!("'{}' {verb} '{path}' --threads 1", env!("CARGO_BIN_EXE_tailback"));
        let line = if verb == "check" { line.replace(" --threads 1", "") } else { line };
        // `script` gives it a terminal.
        let mut terminal = std::process::Command::new("script");
        terminal.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").env_remove("NO_COLOR");
        let done = crate::done(terminal.stdin(std::process::Stdio::null()).output().unwrap());
        assert!(done.out.contains("\u{1b}[1"), "{verb} shows colours: {:?}", done.out);
        assert!(done.out.contains("\\u001b[31mX"), "{verb} shows the text: {:?}", done.out);
        let shown = done.out.replace('\r', "");
        let rest: String = shown
            .split("\u{1b}[")
            .map(|piece| match piece.find(|c: char| !c.is_ascii_digit() && c != ';') {
                Some(end) if piece[end..].starts_with('m') => &piece[end + 1..],
                // The bar of progress clears its line.
                Some(end) if piece[end..].starts_with('K') || piece[end..].starts_with('G') => &piece[end + 1..],
                _ => piece,
            })
            .collect();
        assert!(!rest.contains(is_evil) && !shown.contains("\u{1b}[31mX"), "{verb}: {rest:?}");
    }
}
