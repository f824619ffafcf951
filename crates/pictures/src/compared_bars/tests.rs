//! Tests of bars with intervals.

use super::*;

fn figure() -> ComparedBars {
    let row =
        |(place, name): (usize, &str)| Row { name: name.into(), place, status: "5 steady".into(), ..Row::default() };
    let bar = |mean: f64, half: f64| Some(Estimate::with(mean, mean - half, mean + half));
    ComparedBars {
        subject: "16 x 16 torus, uniform traffic".into(),
        seeds: 5,
        rows: [(0, "off = alo"), (1, "spth"), (3, "self_tuned")].map(row).to_vec(),
        panels: vec![
            Panel {
                title: "Accepted load".into(),
                unit: "flits/node/cycle".into(),
                column: "accepted_load".into(),
                bars: vec![bar(0.227, 0.004), bar(0.3125, 0.015625), bar(0.299, 0.14)],
                notes: vec![vec!["reference".into()], vec!["+28 % (+21 to +36)".into(), "differs".into()], vec![]],
            },
            Panel {
                title: "Mean latency".into(),
                unit: "cycles".into(),
                column: "latency_mean".into(),
                bars: vec![bar(100.0, 2.0), None, bar(3.0, 0.1)],
                notes: vec![],
            },
        ],
        remark: String::new(),
    }
}

#[test]
fn intervals_widen_no_axis() {
    let mut wide = figure();
    let (span, ticks) = axis(&wide.panels[0]);
    assert_eq!(span.hi, 0.4, "{ticks:?}");
    wide.panels[0].bars[0] = Some(Estimate::with(0.227, -9.0, 9.0));
    assert_eq!(axis(&wide.panels[0]).0, span);
}

#[test]
fn what_is_shown_is_in_the_table() {
    let figure = figure().figure("bars");
    let lines: Vec<&str> = figure.csv.lines().collect();
    assert_eq!(
        lines[0],
        "variant,accepted_load,accepted_load_low,accepted_load_high,latency_mean,latency_mean_low,latency_mean_high,seeds,status"
    );
    assert_eq!(lines[2], "spth,0.3125,0.296875,0.328125,,,,5,5 steady");
    assert!(figure.caption.contains("Means over 5 seeds") && figure.svg.contains("self_tuned"));
}

#[test]
fn odd_values_give_valid_pictures() {
    let mut odd = figure();
    for mean in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-320, 1e301] {
        odd.panels[0].bars[0] = Some(Estimate::with(mean, mean, mean));
        let svg = odd.figure("bars").svg;
        assert!(roxmltree::Document::parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
    assert!(roxmltree::Document::parse(&ComparedBars::default().figure("bars").svg).is_ok());
}
