//! Writes the figures of this crate's newest kinds to a folder, to be looked at: `cargo run --example figures -- FOLDER`.
use std::error::Error;
use tailback_pictures::compared_bars::{ComparedBars, Panel, Row};
use tailback_pictures::ended::Ended;
use tailback_pictures::estimate::Estimate;
use tailback_pictures::figure::Figure;
use tailback_pictures::time_panels::{Column, Quantity, TimePanels, Trace};
use tailback_pictures::{pdf, raster};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    std::fs::create_dir_all(&folder)?;
    for Figure { name, svg, caption, .. } in [bars().figure("bars"), panels().figure("time-panels")] {
        let path = format!("{folder}/{name}");
        std::fs::write(format!("{path}.png"), raster::png(&svg)?)?;
        std::fs::write(format!("{path}.pdf"), pdf::pdf(&svg)?)?;
        std::fs::write(format!("{path}.svg"), svg)?;
        println!("{name}: {caption}");
    }
    Ok(())
}

fn bars() -> ComparedBars {
    let row = |(place, name): (usize, &str)| Row { name: name.into(), place, ended: Ended::Unsteady, ..Row::default() };
    let bar = |mean: f64, half: f64| Some(Estimate::with(mean, mean - half, mean + half));
    let two = |first: &str, second: &str| vec![first.to_owned(), second.to_owned()];
    let panel = |title: &str, bars| Panel {
        title: title.into(),
        unit: "flits/node/cycle".into(),
        bars,
        notes: vec![vec!["reference".to_owned()], two("+28 % (+21 to +36)", "differs"), two("no difference", "shown")],
        ..Panel::default()
    };
    ComparedBars {
        subject: "16 x 16 torus, uniform traffic".into(),
        seeds: 5,
        rows: [(0, "off = alo"), (1, "spth"), (3, "self_tuned")].map(row).to_vec(),
        panels: vec![
            panel("Saturation load", vec![bar(0.322, 0.013), bar(0.324, 0.017), bar(0.323, 0.02)]),
            panel("Accepted load", vec![bar(0.227, 0.004), bar(0.291, 0.015), bar(0.299, 0.029)]),
        ],
        remark: String::new(),
    }
}

fn panels() -> TimePanels {
    let trace = |seed: f64, scale: f64| -> Trace {
        let value = |t: f64| scale * (1.0 - (-t / 400.0).exp()) * (1.0 + 0.2 * (t / 900.0 + seed).sin());
        (0..60).map(|at| 100.0 + 200.0 * f64::from(at)).map(|t| (t, value(t))).collect()
    };
    let column = |(place, name): (usize, &str)| Column {
        name: name.into(),
        place,
        measured: "accepted 0.266".into(),
        traces: [0.28, 1900.0].map(|scale| (0..5).map(|seed| trace(f64::from(seed), scale)).collect()).to_vec(),
    };
    let quantity = |label: &str, unit: &str| Quantity { label: label.into(), unit: unit.into(), ..Quantity::default() };
    let accepted =
        Quantity { level: Some((0.4, "offered 0.4".into())), ..quantity("Accepted load", "flits/node/cycle") };
    TimePanels {
        columns: [(0, "off = alo"), (1, "spth"), (3, "self_tuned")].map(column).to_vec(),
        quantities: vec![accepted, quantity("Packets in flight", "")],
        measured: Some((2000.0, 8000.0)),
        chosen: "4 of 48 points (load 0.4)".into(),
    }
}
