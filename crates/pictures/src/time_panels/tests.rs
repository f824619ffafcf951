//! Tests of panels over time.

use super::*;

fn figure() -> TimePanels {
    let trace = |scale: f64| -> Trace {
        (0..60).map(|at| (100.0 + 200.0 * f64::from(at), scale * (1.0 + 0.1 * f64::from(at % 7)))).collect()
    };
    let column = |(place, name): (usize, &str)| Column {
        name: name.into(),
        place,
        measured: "accepted 0.266".into(),
        traces: vec![vec![trace(0.2), trace(0.25)], vec![trace(900.0), trace(1200.0)]],
    };
    TimePanels {
        columns: [(0, "off = alo"), (1, "spth"), (3, "self_tuned")].map(column).to_vec(),
        quantities: vec![
            Quantity {
                label: "Accepted load".into(),
                unit: "flits/node/cycle".into(),
                column: "accepted_load".into(),
                level: Some((0.4, "offered 0.40".into())),
            },
            Quantity { label: "Packets in flight".into(), column: "packets_in_flight".into(), ..Quantity::default() },
        ],
        measured: Some((2000.0, 8000.0)),
        chosen: "3 of 36 points (load 0.40)".into(),
    }
}

#[test]
fn a_panel_for_each_variant_and_quantity_and_a_row_for_each_window() {
    let made = figure().figure("time-series");
    assert_eq!(made.csv.lines().count(), 1 + 3 * 2 * 60);
    assert!(made.caption.starts_with("Accepted load and packets in flight over time: 3 of 36 points (load 0.40)."));
    for word in ["off = alo", "self_tuned", "warm-up", "measured", "drain", "offered 0.40", "Time [1000 cycles]"] {
        assert!(made.svg.contains(word), "{word}");
    }
}

#[test]
fn means_are_those_of_the_windows() {
    assert_eq!(mean(&[vec![(0.0, 1.0), (1.0, 3.0)], vec![(0.0, 3.0)]]), [(0.0, 2.0)]);
    assert!(mean(&[]).is_empty());
}

#[test]
fn odd_values_give_valid_pictures() {
    for value in [f64::NAN, f64::INFINITY, -1.0, 1e301, 0.0] {
        let mut odd = figure();
        odd.columns[0].traces[0] = vec![vec![(0.0, value), (value, 1.0)]];
        let svg = odd.figure("time-series").svg;
        assert!(roxmltree::Document::parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"), "{value}");
    }
    assert!(roxmltree::Document::parse(&TimePanels::default().figure("t").svg).is_ok());
}
