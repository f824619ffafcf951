//! Writes one picture of every kind into a folder, to be looked at: `cargo run --example gallery -- OUT`.

use std::path::Path;
use tailback_pictures::bars::Bars;
use tailback_pictures::chart::{Axis, Chart, Mark, Series, Side, Style, grid};
use tailback_pictures::heat_map::{HeatMap, LinkValue, Values};
use tailback_pictures::report::{Block, Cell, Column, Report, Section, Table};
use tailback_pictures::space_time::{Panel, SpaceTime};
use tailback_pictures::{raster, terminal};

type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome {
    let folder = std::env::args().nth(1).ok_or("usage: gallery OUT")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let write = |name: &str, svg: &str| -> Outcome {
        std::fs::write(folder.join(format!("{name}.svg")), svg)?;
        Ok(std::fs::write(folder.join(format!("{name}.png")), raster::png(svg)?)?)
    };
    let latency = latency("Latency over load, 32 × 32 torus");
    let panels: Vec<Chart> = ["random", "bcmp", "brev", "brot", "shfl", "trns", "neig", "torn"].map(accepted).to_vec();
    let long = space_time(32, 4000);
    write("latency", &latency.svg())?;
    write("time-series", &time_series().svg())?;
    write("log", &log().svg())?;
    write("many", &many().svg())?;
    write("empty", &Chart::default().svg())?;
    write("grid", &grid(&panels, 4))?;
    write("space-time", &space_time(32, 130).svg()?)?;
    write("space-time-long", &long.svg()?)?;
    write("routers", &routers().svg()?)?;
    write("links", &links().svg()?)?;
    write("bars", &bars().svg())?;
    let report = report(&latency, &panels, &space_time(32, 130))?;
    std::fs::write(folder.join("report.html"), report.html())?;
    for chart in [latency, time_series(), log()] {
        println!("{}", terminal::plot(&chart, 80, 24, terminal::Paint::Plain));
    }
    println!("{}", terminal::plot(&time_series(), 100, 30, terminal::Paint::Ansi));
    Ok(())
}

/// A queueing-like curve that diverges at `knee`.
fn curve(knee: f64, floor: f64) -> Vec<(f64, f64)> {
    let loads = (1..=24).map(|i| f64::from(i) * 0.02);
    loads.map(|x| (x, floor + 12.0 * x / (1.0 - x / knee).max(0.0004))).collect()
}

fn latency(title: &str) -> Chart {
    let series =
        [("uniform", 0.43, 41.0), ("bit complement", 0.21, 65.0), ("transpose", 0.26, 55.0), ("tornado", 0.12, 58.0)];
    let series = series.map(|(name, knee, floor)| {
        let points = curve(knee, floor);
        let band = points.iter().map(|(x, y)| (*x, y * 0.93, y * 1.07)).collect();
        Series { band: Some(band), ..Series::new(name, points).style(Style::LineMarks) }
    });
    Chart {
        title: title.to_owned(),
        x: Axis::new("Offered load", "flits/cycle/node"),
        y: Axis::new("Mean packet latency", "cycles").knee(),
        series: series.to_vec(),
        marks: vec![Mark::Vertical { x: 0.5, label: "channel bound".to_owned() }],
        ..Chart::default()
    }
}

fn bars() -> Bars {
    let channel =
        |c: u32| (format!("channel {c}"), (0..4).map(|d| 0.1 * f64::from(3 - c) + 0.02 * f64::from(d)).collect());
    Bars {
        title: "Use of virtual channels".to_owned(),
        label: "Utilisation".to_owned(),
        unit: "flits/link/cycle".to_owned(),
        groups: ["x+", "x-", "y+", "y-"].map(str::to_owned).to_vec(),
        bars: (0..3).map(channel).collect(),
        stacked: false,
    }
}

fn accepted(pattern: &str) -> Chart {
    let saturation = 0.08 + 0.012 * pattern.len() as f64 + f64::from(pattern.as_bytes()[0] % 7) * 0.02;
    let after = |drop: f64| {
        let load = (0..=25).map(|i| f64::from(i) * 0.012);
        load.map(|x| (x, if x < saturation { x } else { saturation * (1.0 - drop * (x - saturation) * 3.0).max(0.3) }))
            .collect()
    };
    Chart {
        title: pattern.to_owned(),
        x: Axis::new("Offered load", "flits/cycle/node"),
        y: Axis::new("Accepted load", "flits/cycle/node"),
        series: vec![
            Series::new("no-th", after(1.6)),
            Series::new("th(0)", after(0.5)),
            Series::new("th(8)", after(0.1)),
        ],
        ..Chart::default()
    }
}

/// A repeatable stand-in for noise in -1..1.
fn noise(i: u32) -> f64 {
    f64::from(i.wrapping_mul(2_654_435_761) ^ i.wrapping_mul(40_503)) / f64::from(u32::MAX) * 2.0 - 1.0
}

fn time_series() -> Chart {
    let flight =
        (0..100_000u32).map(|i| (f64::from(i) * 10.0, 400.0 + f64::from(i) * 0.02 + 90.0 * noise(i))).collect();
    let load =
        (0..200u32).map(|i| (f64::from(i) * 5000.0, if i < 130 { 0.1 } else { 0.06 } + 0.005 * noise(i))).collect();
    Chart {
        title: "Packets in flight during a ramp".to_owned(),
        x: Axis::new("Time", "cycles"),
        y: Axis::new("Packets in flight", "packets"),
        y2: Some(Axis::new("Accepted load", "flits/cycle/node")),
        series: vec![
            Series::new("in flight", flight),
            Series { axis: Side::Right, style: Style::Step, ..Series::new("accepted", load) },
        ],
        marks: vec![
            Mark::Horizontal { y: 2600.0, label: "all buffers full".to_owned() },
            Mark::Vertical { x: 650_000.0, label: "critical load".to_owned() },
        ],
    }
}

fn log() -> Chart {
    let points = (0..=12).map(|i| (f64::from(1 << i), 3e-8 * f64::from(1 << i).powi(2))).collect();
    let band = Some((0..=12).map(|i| f64::from(1 << i)).map(|x| (x, 1e-7 * x, 3e-7 * x)).collect());
    Chart {
        title: String::new(),
        x: Axis::new("Routers", "").log(),
        y: Axis::new("Run time", "s").log(),
        series: vec![
            Series::new("quadratic", points).style(Style::LineMarks),
            Series {
                band,
                dashed: true,
                ..Series::new("linear", (0..=12).map(|i| f64::from(1 << i)).map(|x| (x, 2e-7 * x)).collect())
            },
        ],
        ..Chart::default()
    }
}

fn many() -> Chart {
    let curve = |k: i32| (0..=20).map(|i| (f64::from(i), f64::from(i * (k + 3)).sqrt() + f64::from(k))).collect();
    let style = |k| if k % 2 == 0 { Style::LineMarks } else { Style::Line };
    let series = (0..12).map(|k| Series::new(format!("a rather long name, number {k}"), curve(k)).style(style(k)));
    Chart {
        title: "A dozen series".to_owned(),
        x: Axis::new("Hops", ""),
        y: Axis::new("Share", "%"),
        series: series.collect(),
        ..Chart::default()
    }
}

fn space_time(width: usize, cycles: usize) -> SpaceTime {
    let cell = |t: usize, i: usize| {
        let (panel, r) = (i / width, i % width);
        let busy = |vc: usize| {
            let start = 20 + (r * 3 + vc * 11) % (10 + panel * 9);
            t > start && (r + t / 3 + vc * 5 + panel * 7) % (9 + vc) < 2 + panel * t / 60 % 4
        };
        (0..3).filter(|vc| busy(*vc)).map(|vc| 1 << vc).sum()
    };
    SpaceTime {
        title: "Full input buffers, bit complement, 32 × 32 torus".to_owned(),
        virtual_channels: 3,
        first_cycle: 120_400,
        panels: ["N", "E", "S", "W"].map(|n| Panel { name: n.to_owned(), width }).to_vec(),
        rows: (0..cycles).map(|t| (0..4 * width).map(|i| cell(t, i)).collect()).collect(),
    }
}

fn routers() -> HeatMap {
    let distance = |i: i32| (f64::from(i % 32 - 20).powi(2) + f64::from(i / 32 - 12).powi(2)).sqrt();
    let values =
        (0..32 * 32).map(|i| if i == 33 { f64::NAN } else { 16.0 / (1.0 + distance(i) / 4.0) + noise(i as u32) });
    HeatMap {
        title: "Occupancy around a hot spot".to_owned(),
        label: "Buffer occupancy".to_owned(),
        unit: "flits".to_owned(),
        columns: 32,
        rows: 32,
        values: Values::Routers(values.collect()),
        range: None,
    }
}

fn links() -> HeatMap {
    let (columns, rows) = (8, 6);
    let id = |x: usize, y: usize| y % rows * columns + x % columns;
    let around =
        |x, y| [(x + 1, y), (x + columns - 1, y), (x, y + 1), (x, y + rows - 1)].map(|(tx, ty)| (id(x, y), id(tx, ty)));
    let places = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
    let values = places.flat_map(|(x, y)| around(x, y)).enumerate();
    let values = values.map(|(i, (from, to))| LinkValue { from, to, value: (0.5 + noise(i as u32) / 2.0).powi(2) });
    HeatMap {
        title: "Link utilisation".to_owned(),
        label: "Utilisation".to_owned(),
        unit: "flits/cycle".to_owned(),
        columns,
        rows,
        values: Values::Links(values.collect()),
        range: Some((0.0, 1.0)),
    }
}

fn report(latency: &Chart, panels: &[Chart], space_time: &SpaceTime) -> Outcome<Report> {
    let text = "The network is a 32 × 32 torus with three virtual channels and buffers of 16 flits. Packets of 8 flits \
                are injected by a Bernoulli process; every point is the mean of five seeds, the band its 95 percent \
                confidence interval.\n\nBeyond the knee latency has no steady value: the source queues grow.";
    let row = |(name, paper, measured): (&str, f64, f64)| {
        let deviation = (measured / paper - 1.0) * 100.0;
        vec![Cell::text(name), Cell::number(paper, 0), Cell::number(measured, 1), Cell::number(deviation, 1)]
    };
    let rows = [
        ("random", 214.0, 209.2),
        ("bit complement", 1142.0, 1190.4),
        ("tornado", 578.0, f64::NAN),
        ("transpose", 934.0, 911.0),
    ];
    let table = Table {
        caption: "Duration of the collective operation.".to_owned(),
        columns: vec![
            Column::new("Pattern", ""),
            Column::new("Paper", "cycles"),
            Column::new("Measured", "cycles"),
            Column::new("Deviation", "%"),
        ],
        rows: rows.map(row).to_vec(),
    };
    let code = "[topology.torus]\nradix = [32, 32]\n\n[traffic]\npattern = \"bit-complement\"\nload_flits_per_cycle_per_node = 0.12\n";
    let svg = |svg: String, caption: &str| Block::Svg { svg, caption: caption.to_owned() };
    let section = |heading: &str, blocks| Section { heading: heading.to_owned(), blocks };
    Ok(Report {
        title: "Heavy congestion in a 32 × 32 torus".to_owned(),
        subtitle: "Dimension-order routing, virtual cut-through, seeds 1 to 5".to_owned(),
        sections: vec![
            section(
                "Set-up",
                vec![
                    Block::Paragraph(text.to_owned()),
                    Block::Code { text: code.to_owned(), language: "toml".to_owned() },
                ],
            ),
            section(
                "Latency",
                vec![svg(
                    latency.svg(),
                    "Mean latency over offered load; the bands are 95 percent confidence intervals.",
                )],
            ),
            section("Accepted load", vec![svg(grid(panels, 4), "Accepted over offered load for eight patterns.")]),
            section(
                "Collective operation",
                vec![
                    Block::Table(table),
                    Block::Png { bytes: space_time.png()?, caption: "Full input buffers over time.".to_owned() },
                ],
            ),
        ],
        ..Report::default()
    })
}
