//! Seeds summed up: one row per point in the table and in records.csv, `--per-seed`, `--where`.

use crate::{SMALL, folder, tailback, text};
use std::fs;

/// The small sweep with three seeds a point.
fn small() -> String {
    format!("{SMALL}\n[run]\nreplicas = 3\n")
}

/// The rows of a table in the terminal that begin with a load.
fn table_rows(out: &str) -> Vec<&str> {
    let rows = out.lines().skip_while(|line| !line.starts_with('─')).skip(1);
    rows.take_while(|line| line.trim_start().starts_with("0.")).collect()
}

#[test]
fn a_row_is_a_point_with_the_interval_over_its_seeds() {
    let (_folder, path) = folder(&small());
    let done = tailback(&["run", &path]);
    assert_eq!(done.code, 0, "{}", done.err);
    let rows = table_rows(&done.out);
    assert_eq!(rows.len(), 3, "{}", done.out);
    assert!(rows.iter().all(|row| row.contains(" ± ") && row.ends_with("steady")), "{}", done.out);
    assert!(done.out.contains("means over 3 seeds"), "{}", done.out);
    assert!(done.err.starts_with("9 runs, "), "{}", done.err);
    let all = tailback(&["run", &path, "--per-seed"]);
    assert_eq!(table_rows(&all.out).len(), 9, "{}", all.out);
}

#[test]
fn records_csv_has_a_row_for_each_point_with_the_mean_of_its_seeds() {
    let (temporary, path) = folder(&small());
    let out = temporary.path().join("out");
    let done = tailback(&["run", &path, "--out", &text(&out)]);
    assert_eq!(done.code, 0, "{}", done.err);
    let csv = fs::read_to_string(out.join("records.csv")).expect("the table of points");
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 1 + 3);
    let place = |name: &str| lines[0].iter().position(|other| *other == name).expect("a column");
    let number = |row: &[&str], name: &str| row[place(name)].parse::<f64>().expect("a number");
    let rows = crate::rows(&fs::read_to_string(out.join("records.jsonl")).expect("all seeds"));
    for row in &lines[1..] {
        let load = number(row, "traffic.load");
        let runs = rows.iter().filter(|run| run["traffic.load"] == load);
        let latencies: Vec<f64> = runs.map(|run| run["latency_mean"].as_f64().expect("a latency")).collect();
        assert_eq!((latencies.len(), number(row, "seeds")), (3, 3.0));
        let mean = latencies.iter().sum::<f64>() / 3.0;
        assert!((number(row, "latency_mean") - mean).abs() < 1e-9);
        let half = number(row, "latency_mean_seeds_ci95");
        let (least, largest) = latencies.iter().fold((f64::MAX, 0.0_f64), |(a, b), v| (a.min(*v), b.max(*v)));
        assert!(half > 0.0 && half < 5.0 * (largest - least), "{half} over {latencies:?}");
        assert_eq!(row[place("status")], "3 steady");
    }
    // A second run into the same folder replaces it.
    let again = tailback(&["run", &path, "--out", &text(&out), "--force"]);
    assert_eq!(again.code, 0, "{}", again.err);
}

#[test]
fn where_chooses_whole_points() {
    let (_folder, path) = folder(&small());
    let done = tailback(&["run", &path, "--where", "traffic.load=0.1", "--where", "traffic.load=0.2"]);
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(table_rows(&done.out).len(), 2, "{}", done.out);
    let one = tailback(&["run", &path, "--where", "traffic.load=0.1", "--per-seed"]);
    assert_eq!(table_rows(&one.out).len(), 3, "{}", one.out);
}

#[test]
fn wrong_filters_are_told() {
    let (_folder, path) = folder(&small());
    let told = |filter: &str| {
        let done = tailback(&["run", &path, "--where", filter]);
        assert_eq!((done.code, done.out.as_str()), (2, ""), "{}", done.err);
        done.err
    };
    assert!(told("traffic.laod=0.1").contains("did you mean `traffic.load`?"));
    assert!(told("traffic.pattern=trns").contains("is neither swept here nor a column"));
    assert!(told("traffic.load").contains("no PATH=VALUE"));
    let none = tailback(&["run", &path, "--where", "traffic.load=0.7"]);
    assert_eq!(none.code, 0, "what has run is shown: {}", none.err);
    assert!(none.err.contains("the values are 0.05, 0.1, 0.2; all points are shown"), "{}", none.err);
    assert_eq!(table_rows(&none.out).len(), 3);
}
