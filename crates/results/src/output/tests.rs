//! What is replaced and what is not.

use super::*;
use crate::atomic::write_atomic;
use crate::test_support::filled;
use crate::{Capsule, Series};

const SVG: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>";

fn refusal(path: &Path, kind: Kind, replace: Replace, inputs: &Inputs) -> String {
    let refused =
        Output::new(path, kind, replace, inputs).err().unwrap_or_else(|| panic!("{} is taken", path.display()));
    refused.to_string()
}

#[test]
fn nothing_an_empty_file_and_one_of_the_same_kind_give_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.svg");
    for before in [None, Some(""), Some(SVG)] {
        before.iter().for_each(|before| fs::write(&path, before).unwrap());
        Output::new(&path, Kind::Svg, Replace::SameKind, &Inputs::none()).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}

#[test]
fn another_kind_gives_way_to_force_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("thesis.tex");
    fs::write(&path, "\\documentclass{book}").unwrap();
    for kind in
        [Kind::Svg, Kind::Png, Kind::Pdf, Kind::Checkpoint, Kind::TraceEvents, Kind::Csv, Kind::Html, Kind::Curve]
    {
        let said = refusal(&path, kind, Replace::SameKind, &Inputs::none());
        assert!(
            said.contains("thesis.tex") && said.contains("something other than") && said.contains("--force"),
            "{said}"
        );
    }
    assert_eq!(fs::read(&path).unwrap(), b"\\documentclass{book}");
    Output::new(&path, Kind::Svg, Replace::Anything, &Inputs::none()).unwrap();
}

#[test]
fn what_comes_to_stand_there_meanwhile_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.svg");
    let output = Output::new(&path, Kind::Svg, Replace::SameKind, &Inputs::none()).unwrap();
    fs::write(&path, "mine").unwrap();
    assert!(output.write(b"new").is_err());
    assert_eq!(fs::read(&path).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
fn an_input_never_gives_way_however_it_is_spelt() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("spec.toml"), SVG).unwrap();
    fs::hard_link(at("spec.toml"), at("hard")).unwrap();
    std::os::unix::fs::symlink("spec.toml", at("soft")).unwrap();
    fs::create_dir(at("deep")).unwrap();
    let inputs = Inputs::none().with(&at("spec.toml"), "the spec").with(&at("none"), "nothing");
    for name in ["spec.toml", "hard", "soft", "./spec.toml", "deep/../spec.toml"] {
        for replace in [Replace::SameKind, Replace::Anything] {
            let said = refusal(&at(name), Kind::Svg, replace, &inputs);
            assert!(said.contains("it is the spec, which this command reads") && !said.contains("--force"), "{said}");
        }
    }
    Output::new(&at("none"), Kind::Svg, Replace::SameKind, &inputs).unwrap();
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_never_gives_way() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink("/dev/null", at("link")).unwrap();
    for (path, what) in [
        (at("socket"), "a socket"),
        (at("pipe"), "a pipe"),
        (at("link"), "a device"),
        ("/dev/full".into(), "a device"),
        (folder.path().into(), "a folder"),
    ] {
        for replace in [Replace::SameKind, Replace::Anything] {
            let said = refusal(&path, Kind::Svg, replace, &Inputs::none());
            assert!(said.contains(&format!("it is {what}")) && !said.contains("--force"), "{said}");
        }
        let said = write_atomic(&path, b"x").unwrap_err().to_string();
        assert!(said.contains(&format!("it is {what}")), "{said}");
    }
    drop(socket);
}

#[test]
fn a_missing_folder_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let said = refusal(&folder.path().join("no/a.svg"), Kind::Svg, Replace::SameKind, &Inputs::none());
    assert!(said.contains("there is no folder"), "{said}");
}

/// Every kind knows what this program writes of it, and nothing of the others.
#[test]
fn kinds_are_told_apart() {
    let series = Series { name: "a".to_owned(), ..crate::series::tests::sample() };
    let samples: Vec<(Kind, Vec<u8>)> = vec![
        (Kind::Svg, SVG.as_bytes().to_vec()),
        (Kind::Svg, format!("\u{feff}<?xml version=\"1.0\"?>\n<!-- <svg> -->\n<!DOCTYPE svg>\n{SVG}").into_bytes()),
        (Kind::Png, b"\x89PNG\r\n\x1a\n\0\0".to_vec()),
        (Kind::Pdf, b"%PDF-1.7\n%".to_vec()),
        (Kind::Parquet, b"PAR1\x15".to_vec()),
        (Kind::Checkpoint, [&crate::checkpoint::MAGIC[..], &[2, 0, 0, 0]].concat()),
        (Kind::Capsule, Capsule::new("[run]\nseed = 1\n", filled()).to_json(Path::new("a")).unwrap()),
        (Kind::JsonLines, crate::json_lines::to_line(&filled()).unwrap().into_bytes()),
        (Kind::Csv, series.to_csv().unwrap().into_bytes()),
        (Kind::Points, b"admission,accepted_load,accepted_load_seeds_ci95,seeds,status\noff,0.1,,1,1 steady\n".to_vec()),
        (Kind::Csv, b"variant,offered_load\n\"off, alo\",0.05\n".to_vec()),
        (Kind::Spec, b"# mine\n[router]\nbuffer_flits = 8\n".to_vec()),
        (Kind::Network, b"routers 2\n0 1 ports 0 0 cycles 1\nnode 0 0\n".to_vec()),
        (Kind::Routes, b"# routes: router destination [in PORT] port [channels]\n0 1 0\n1 0 0\n".to_vec()),
        (Kind::Program, b"num_ranks 2\n\nrank 0 {\n}\n\nrank 1 {\n}\n".to_vec()),
        (Kind::Program, [&4223_u64.to_le_bytes()[..], &[2, 0, 0, 0, 0, 0]].concat()),
        (Kind::CallLog, b"tailback calls 1\nversion 0.1.0\n".to_vec()),
        (Kind::Script, b"#!/bin/sh\n#SBATCH --job-name=tailback\n#SBATCH --array=0-3\n".to_vec()),
        (Kind::TraceEvents, br#"{"displayTimeUnit":"ms","traceEvents":[{"ts":1}]}"#.to_vec()),
        (Kind::Curve, br#"{"channel_load_bound":1.0,"complete":true,"never_saturates":false,"points":[]}"#.to_vec()),
        (Kind::Html, b"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"\">".to_vec()),
    ];
    for (kind, bytes) in &samples {
        let found: Vec<Kind> = samples.iter().map(|(kind, _)| *kind).filter(|kind| kind.begins(bytes)).collect();
        assert!(found.iter().all(|found| found == kind) && !found.is_empty(), "{kind:?} is taken for {found:?}");
        for foreign in
            [&b"\\documentclass{book}"[..], b"\x7fELF", b"<html>", b"{}", b"a, b\nc\n", b"a,b\n1,2,3\n", b"\0\0\0\0"]
        {
            assert!(!kind.begins(foreign), "{kind:?} is {:?}", String::from_utf8_lossy(foreign));
        }
    }
}

#[test]
fn a_spec_with_a_comment_behind_its_first_heading_is_one() {
    for text in ["[topology]  # How routers are wired.\nkind = 'torus'\n", "# mine\n\nname = 'x'\n", "[traffic]\n"] {
        assert!(Kind::Spec.begins(text.as_bytes()), "{text}");
    }
    for text in ["\\documentclass{book}", "[1, 2, 3", ""] {
        assert!(!Kind::Spec.begins(text.as_bytes()), "{text}");
    }
}
