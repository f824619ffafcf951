//! Variants that come out identical, bit for bit, are called so wherever they are shown; others never are.

use crate::{SMALL, files, folder, rows, tailback, text};

/// Under dimension order `alo` never holds a packet back.
fn twins() -> String {
    format!("{}admission = ['off', 'alo']\n", SMALL.replace("0.2]", "0.6]"))
}

/// Four virtual channels make no difference to packets that are never in each other's way, and one where they are.
fn alike_at_first() -> String {
    SMALL.replace("[0.05, 0.1, 0.2]", "[0.001, 0.7]") + "'router.virtual_channels' = [2, 4]\n"
}

const SENTENCE: &str = "off = alo: identical, bit for bit, at every point that they have in common";

#[test]
fn a_run_says_so_in_its_table_legends_and_report() {
    let (folder, path) = folder(&twins());
    let out = folder.path().join("results");
    let done = tailback(&["run", &path, "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(done.out.matches(SENTENCE).count(), 1, "{}", done.out);
    assert!(done.out.contains("off = alo"), "the legend in the terminal: {}", done.out);
    let curves: Vec<_> =
        files(&out.join("pictures"), "svg").into_iter().filter(|p| text(p).contains("comparison")).collect();
    assert_eq!(curves.len(), 1, "{curves:?}");
    for picture in curves {
        let svg = std::fs::read_to_string(&picture).expect("a picture");
        assert!(svg.contains(">off = alo<") && !svg.contains(">alo<"), "{}", picture.display());
    }
    let report = std::fs::read_to_string(out.join("report.html")).expect("a report");
    assert!(report.contains(&format!("{SENTENCE}.")));
    let plotted = tailback(&["plot", &text(&out), "--y", "latency_p99"]);
    assert!(plotted.out.contains("off = alo"), "{}", plotted.out);
    // For machines there is the digest; the sentence stays out of their way.
    let json = tailback(&["run", &path, "--json"]);
    assert_eq!((rows(&json.out).len(), json.err.matches(SENTENCE).count()), (6, 1), "{}", json.err);
}

#[test]
fn a_sweep_says_so_at_its_end_also_of_what_it_kept() {
    let (folder, path) = folder(&twins());
    let out = text(&folder.path().join("results"));
    let part = tailback(&["sweep", &path, "--out", &out, "--share", "0/3"]);
    assert!(!part.out.contains("identical"), "off at 0.05 and alo at 0.1 never met: {}", part.out);
    for _ in 0..2 {
        let done = tailback(&["sweep", &path, "--out", &out]);
        assert_eq!((done.code, done.out.matches(SENTENCE).count()), (0, 1), "{}", done.out);
    }
}

#[test]
fn variants_that_agree_at_some_loads_only_are_not_identical() {
    let (folder, path) = folder(&alike_at_first());
    let digests = |rows: &[serde_json::Map<String, serde_json::Value>], load: f64| -> Vec<String> {
        rows.iter().filter(|row| row["traffic.load"] == load).map(|row| row["digest"].to_string()).collect()
    };
    let rows = rows(&tailback(&["run", &path, "--json"]).out);
    let (low, high) = (digests(&rows, 0.001), digests(&rows, 0.7));
    assert!(low[0] == low[1] && high[0] != high[1], "or this test tests nothing: {rows:?}");
    let out = folder.path().join("results");
    let done = tailback(&["run", &path, "--out", &text(&out)]);
    assert!(!done.out.contains("identical") && !done.err.contains("identical"), "{}", done.out);
    assert!(!std::fs::read_to_string(out.join("report.html")).expect("a report").contains("identical"));
}

#[test]
fn compare_says_so_of_variants_and_not_of_a_load() {
    let (_folder, path) = folder(&twins());
    let one =
        |more: &[&str]| tailback(&[&["compare", &path, "--seeds", "3", "--set", "admission=off"][..], more].concat());
    let same = one(&["--b", "admission=alo"]);
    assert_eq!(same.code, 0, "{}", same.err);
    assert_eq!(same.out.matches("  identical\n").count(), 6, "three loads, two columns: {}", same.out);
    assert!(same.out.contains("B is identical to A: the same was simulated, bit for bit"), "{}", same.out);
    assert!(!same.out.contains("no difference shown"), "{}", same.out);
    for row in rows(&one(&["--b", "admission=alo", "--json"]).out) {
        assert!(row["identical"] == true && row["verdict"] == "identical", "{row:?}");
    }
    let (_folder, path) = crate::folder(&alike_at_first().replace("'router.virtual_channels' = [2, 4]\n", ""));
    let alike = tailback(&["compare", &path, "--seeds", "3", "--b", "router.virtual_channels=4"]);
    assert!(alike.code == 0 && !alike.out.contains("identical"), "{} {}", alike.out, alike.err);
}
