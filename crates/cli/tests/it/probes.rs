//! Probes from the command line: what `run --out` writes of them and what the user sees.

use crate::{SMALL, fed, files, folder, rows, tailback, text};
use std::fs;

const PROBES: &str = "
[clock]
cycle_ns = 2.0
[probes]
link_load = true
node_load = true
channel_occupancy = true
window_cycles = 100
";

#[test]
fn tables_pictures_and_report_show_what_was_probed() {
    let spec = SMALL.replace("[sweep]", PROBES).replace("\"traffic.load\" = [0.05, 0.1, 0.2]", "");
    let (folder, path) = folder(&spec);
    let out = folder.path().join("out");
    let done = tailback(&["run", &path, "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    for words in [" ns", "flits/ns", "fairness of sources", "longest wait to enter"] {
        assert!(done.out.contains(words), "{words}: {}", done.out);
    }
    let tables = files(&out.join("series"), "csv");
    let head = |name: &str| {
        let table = tables.iter().find(|path| text(path).ends_with(&format!("-{name}.csv")));
        let lines = fs::read_to_string(table.unwrap_or_else(|| panic!("no {name}"))).unwrap();
        (lines.lines().next().unwrap().to_owned(), lines.lines().count() - 1)
    };
    assert_eq!(head("nodes"), ("node,sent [flits/cycle],received [flits/cycle],longest_wait [cycles]".to_owned(), 16));
    let channels = "row,port,channel,occupancy [flits],utilisation [flits/link/cycle]";
    assert_eq!(head("channels"), (channels.to_owned(), 8));
    let (columns, windows) = head("channel_occupancy");
    assert!(columns.contains("x+_vc0 [flits]") && columns.contains("y-_vc1 [flits]") && windows >= 11, "{columns}");
    let pictures = files(&out.join("pictures"), "svg");
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    for (picture, words) in [
        ("channel-occupancy", "Flits in a buffer over time"),
        ("channel-use", "Use of the virtual channels"),
        ("sources", "Throughput by source"),
        ("destinations", "Throughput by destination"),
        ("waits", "Starvation"),
    ] {
        assert!(pictures.iter().any(|path| text(path).ends_with(&format!("-{picture}.svg"))), "{picture}");
        assert!(report.contains(words), "{words}");
    }
    assert!(report.contains("fairness of sources") && report.contains("flits/ns"));
    let verified = tailback(&["verify", &text(&out.join("capsules"))]);
    assert_eq!(verified.code, 0, "{}", verified.err);
}

#[test]
fn columns_in_ns_can_be_plotted() {
    let spec = SMALL.replace("[sweep]", "[clock]\ncycle_ns = 2.0\n[sweep]");
    let run = fed(&["run", "-", "--json"], spec.as_bytes());
    let rows = rows(&run.out);
    let number = |name: &str| rows[1][name].as_f64().unwrap_or_else(|| panic!("no {name}"));
    assert_eq!(number("latency_mean_ns"), 2.0 * number("latency_mean"));
    assert_eq!(number("message_latency_mean"), number("latency_mean"));
    assert!(number("jain_index") > 0.8 && number("longest_wait") >= 0.0);
    let (folder, _) = folder("");
    let path = folder.path().join("records.jsonl");
    fs::write(&path, &run.out).unwrap();
    let svg = text(&folder.path().join("ns.svg"));
    let axes = ["--x", "accepted_flits_per_ns", "--y", "latency_mean_ns", "--svg", &svg];
    let plotted = tailback(&[&["plot", &text(&path)][..], &axes].concat());
    assert_eq!(plotted.code, 0, "{}", plotted.err);
    assert!(fs::read_to_string(svg).unwrap().contains("[flits/ns]"));
}

#[test]
fn a_clock_cannot_run_backwards() {
    let done = fed(&["check", "-", "--set", "clock.cycle_ns=-1"], SMALL.as_bytes());
    assert_eq!(done.code, 2);
    assert!(done.err.contains("clock.cycle_ns"), "{}", done.err);
}

#[test]
fn where_the_time_goes_is_a_table_a_picture_and_two_files() {
    let spec =
        SMALL.replace("[sweep]", "[probes]\nlatency_split = true").replace("\"traffic.load\" = [0.05, 0.1, 0.2]", "");
    let (folder, path) = folder(&spec);
    let out = folder.path().join("out");
    let done = tailback(&["run", &path, "--set", "traffic.load=0.1", "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let from = done.out.find("where the time goes").unwrap_or_else(|| panic!("no table: {}", done.out));
    let table: Vec<&str> = done.out[from..].lines().take_while(|line| !line.is_empty()).collect();
    insta::assert_snapshot!(table.join("\n"));
    let names =
        |folder: &str, ending: &str| files(&out.join(folder), ending).iter().map(|path| text(path)).collect::<Vec<_>>();
    let has = |names: &[String], end: &str| names.iter().any(|name| name.ends_with(end));
    let series = names("series", "csv");
    assert!(has(&series, "-latency_split.csv") && has(&series, "-latency_split_by_hops.csv"), "{series:?}");
    assert!(has(&names("pictures", "svg"), "-latency-split.svg"));
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("Where the time goes: parts of the latency") && report.contains("switch wait"));
    // Off, there is none of it.
    let off = tailback(&["run", &path, "--set", "traffic.load=0.1", "--set", "probes.latency_split=false"]);
    assert!(off.code == 0 && !off.out.contains("where the time goes"), "{}", off.out);
}

/// A switch without virtual channels has space-time charts, too.
#[test]
fn every_kind_of_router_has_a_space_time_chart() {
    for router in ["cut_through", "wormhole", "adaptive_cut_through", "input_output_queued"] {
        let spec = format!(
            "topology = {{ kind = 'mesh', radix = [4, 4] }}\nrouter.kind = '{router}'\n\
             traffic = {{ load = 0.2, size = {{ kind = 'fixed', flits = 8 }} }}\nprobes.space_time_cycles = 64\n\
             workload = {{ warmup_cycles = 50, measure_cycles = 100, drain_cycles = 0 }}\n"
        );
        let (folder, path) = folder(&spec);
        let out = folder.path().join("out");
        let done = tailback(&["run", &path, "--out", &text(&out)]);
        assert_eq!(done.code, 0, "{router}: {}", done.err);
        let charts = fs::read_dir(out.join("pictures")).expect("pictures").flatten();
        let names: Vec<_> = charts.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        assert!(names.iter().any(|name| name.contains("space-time") && name.ends_with(".svg")), "{router}: {names:?}");
    }
}
