//! The specs of `examples/`: all of them check, the quick ones run.

use crate::{files, rows, tailback, text};
use std::path::{Path, PathBuf};

fn examples() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), "toml")
}

#[test]
fn all_are_fine() {
    let examples = examples();
    assert!(examples.len() >= 6);
    for path in examples {
        let done = tailback(&["check", &text(&path)]);
        assert_eq!(done.code, 0, "{}", done.err);
        assert!(done.out.contains("is fine") && done.out.contains("channel-load bound"), "{}", done.out);
        let explained = tailback(&["explain", &text(&path)]);
        let again = crate::fed(&["explain", "-"], explained.out.as_bytes());
        assert_eq!((again.code, again.out.is_empty()), (0, false), "explained, it is a spec again: {}", again.err);
    }
}

#[test]
fn the_quick_ones_run() {
    for (name, points) in [
        ("first", 10),
        ("mesh", 14),
        ("bubble", 10),
        ("collective", 3),
        ("phases", 1),
        ("hot_spot", 8),
        ("space_time", 1),
    ] {
        let path = examples().into_iter().find(|p| p.file_stem().is_some_and(|s| s == name)).expect(name);
        let done = tailback(&["run", &text(&path), "--json"]);
        assert_eq!(done.code, 0, "{name}: {}", done.err);
        assert_eq!(rows(&done.out).len(), points, "{name}");
    }
}

#[test]
fn the_first_one_shows_where_the_network_saturates() {
    let path = examples().into_iter().find(|p| p.ends_with("first.toml")).unwrap();
    let rows = rows(&tailback(&["run", &text(&path), "--json"]).out);
    let status = |load: f64| {
        let row = rows.iter().find(|row| (row["traffic.load"].as_f64().unwrap() - load).abs() < 1e-9).unwrap();
        row["status"].as_str().unwrap().to_owned()
    };
    assert_eq!((status(0.1).as_str(), status(0.5).as_str()), ("steady", "saturated"));
}
