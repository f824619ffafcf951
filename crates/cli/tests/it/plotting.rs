//! `plot`: several folders, axes, colours, panels, filters, and files of every kind.

use crate::{SMALL, folder, tailback, text};
use std::path::PathBuf;

/// Two mechanisms under three seeds.
fn study() -> String {
    format!("{}admission = ['off', 'spth']\n[run]\nreplicas = 3\n", SMALL.replace("0.2]", "0.9]"))
}

/// The folder of a run of a study, below a folder of its own.
fn run(spec: &str) -> (tempfile::TempDir, String) {
    let (folder, path) = folder(spec);
    let out = text(&folder.path().join("out"));
    let done = tailback(&["run", &path, "--out", &out]);
    assert_eq!(done.code, 0, "{}", done.err);
    (folder, out)
}

#[test]
fn an_ending_says_what_is_written() {
    let (folder, out) = run(&study());
    let at = |name: &str| folder.path().join(name);
    let names = ["a.svg", "a.png", "a.pdf", "a.csv"].map(|name| text(&at(name)));
    let mut arguments = vec!["plot", &out];
    names.iter().for_each(|name| arguments.extend(["--out", name]));
    let done = tailback(&arguments);
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    let read = |name: &str| std::fs::read(at(name)).unwrap();
    let svg = String::from_utf8(read("a.svg")).unwrap();
    assert!(svg.contains("Accepted load") && svg.contains(">spth<") && svg.contains("no steady"), "{svg}");
    assert_eq!(&read("a.png")[1..4], b"PNG");
    let pdf = read("a.pdf");
    assert!(pdf.starts_with(b"%PDF-") && pdf.windows(8).any(|w| w == b"NotoSans"), "the font is embedded");
    let csv = String::from_utf8(read("a.csv")).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * 3, "a row for each point: {csv}");
    assert!(csv.contains("3 steady") && csv.contains("saturated"), "{csv}");
    // They replace their like, and nothing else.
    assert_eq!(tailback(&arguments).code, 0);
    std::fs::write(at("a.pdf"), "a letter").unwrap();
    assert_eq!(tailback(&arguments).code, 2);
    let wrong = tailback(&["plot", &out, "--out", &text(&at("a.jpg"))]);
    assert!(wrong.code == 2 && wrong.err.contains(".pdf"), "{}", wrong.err);
}

#[test]
fn axes_colours_and_panels_are_as_asked() {
    let (folder, out) = run(&study());
    let file = text(&folder.path().join("a.svg"));
    let options = [
        "--y",
        "latency_p99",
        "--panels",
        "admission",
        "--log",
        "y",
        "--xlim",
        "0:0.5",
        "--xlabel",
        "Load [flits]",
        "--title",
        "Two mechanisms",
        "--size",
        "5x3",
        "--svg",
        &file,
    ];
    let done = tailback(&[&["plot", &out][..], &options].concat());
    assert_eq!(done.code, 0, "{}", done.err);
    let svg = std::fs::read_to_string(&file).unwrap();
    for word in [">off<", ">spth<", ">Load [flits]<", ">Two mechanisms<", "width=\"480\"", "height=\"288\""] {
        assert!(svg.contains(word), "{word}: {svg}");
    }
    let narrow = tailback(&["plot", &out, "--columns", "one", "--svg", "-"]);
    assert!(narrow.out.contains("width=\"336\""), "{}", narrow.out);
}

#[test]
fn filters_choose_points() {
    let (_folder, out) = run(&study());
    let chosen = tailback(&["plot", &out, "--where", "admission=spth", "--csv", "-"]);
    assert_eq!(chosen.code, 0, "{}", chosen.err);
    assert!(!chosen.out.contains("\noff,"), "{}", chosen.out);
    assert_eq!(chosen.out.lines().count(), 1 + 3, "{}", chosen.out);
    let one = tailback(&["plot", &out, "--where", "traffic.load=0.1", "--csv", "-"]);
    assert!(one.code == 0 && one.out.starts_with("variant,accepted_load,"), "bars: {} {}", one.out, one.err);
    let wrong = tailback(&["plot", &out, "--where", "admision=spth"]);
    assert!(wrong.code == 2 && wrong.err.contains("admission"), "{}", wrong.err);
    let colour = tailback(&["plot", &out, "--colour", "routing"]);
    assert!(colour.code == 2 && colour.err.contains("swept are"), "{}", colour.err);
}

#[test]
fn folders_are_compared() {
    let (first, out) = run(SMALL);
    let (_second, other) = run(&SMALL.replace("flits = 4", "flits = 8"));
    let renamed = text(&first.path().join("long"));
    std::fs::rename(&other, &renamed).unwrap();
    let both = tailback(&["plot", &out, &renamed, "--csv", "-"]);
    assert_eq!(both.code, 0, "{}", both.err);
    assert!(both.out.contains("\nout,") && both.out.contains("\nlong,"), "{}", both.out);
    // The same folder twice has nothing to compare.
    let twice = tailback(&["plot", &out, &out, "--csv", "-"]);
    assert_eq!(twice.out, tailback(&["plot", &out, "--csv", "-"]).out);
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let (folder, out) = run(SMALL);
    let nothing: PathBuf = folder.path().join("none");
    assert_eq!(tailback(&["plot", &text(&nothing)]).code, 2);
    for wrong in [["--xlim", "1:0"], ["--size", "5"], ["--log", "z"], ["--columns", "three"]] {
        let done = tailback(&[&["plot", &out][..], &wrong].concat());
        assert!(done.code == 2 && done.err.contains(wrong[0]), "{wrong:?}: {}", done.err);
    }
}
