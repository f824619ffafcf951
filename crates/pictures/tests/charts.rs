//! Charts of odd data: always valid XML, with finite coordinates, the same bytes every time.

use tailback_pictures::chart::{Axis, Chart, Mark, Series, Side, Style, grid};
use tailback_pictures::raster;

const STYLES: [Style; 4] = [Style::Line, Style::LineMarks, Style::Marks, Style::Step];

fn chart(points: &[(f64, f64)]) -> Chart {
    let band: Vec<_> = points.iter().map(|(x, y)| (*x, y * 0.9, y * 1.1)).collect();
    let series = STYLES.map(|style| Series {
        band: Some(band.clone()),
        ..Series::new(format!("{style:?}"), points.to_vec()).style(style)
    });
    Chart {
        title: "t".to_owned(),
        x: Axis::new("Load", "flits"),
        y: Axis::new("Latency", "cycles"),
        series: series.to_vec(),
        ..Chart::default()
    }
}

/// All texts of an SVG, after checks that hold for every picture.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        for attribute in node.attributes() {
            let value = attribute.value();
            assert!(!value.contains("NaN") && !value.contains("inf"), "{}={value}", attribute.name());
        }
        assert!(
            ["svg", "title", "metadata", "rect", "path", "text", "tspan", "image"].contains(&node.tag_name().name())
        );
    }
    for numbers in document.descendants().filter(|n| n.has_tag_name("metadata")) {
        let charts: serde_json::Value = serde_json::from_str(numbers.text().expect("a text")).expect("valid JSON");
        assert!(charts["charts"].as_array().is_some_and(|charts| !charts.is_empty()));
    }
    let texts = document.descendants().filter(|n| n.has_tag_name("text"));
    texts.map(|n| n.descendants().filter_map(|d| d.text().filter(|_| d.is_text())).collect()).collect()
}

#[test]
fn odd_data_give_valid_pictures_on_every_scale() {
    let odd: [&[(f64, f64)]; 10] = [
        &[],
        &[(0.3, 7.0)],
        &[(f64::NAN, f64::NAN); 4],
        &[(0.0, 1.0), (1.0, f64::INFINITY), (2.0, f64::NEG_INFINITY), (3.0, 2.0)],
        &[(1e300, 1e300), (-1e300, -1e300), (f64::MAX, f64::MIN)],
        &[(0.0, 0.0), (1.0, 0.0)],
        &[(0.0, 0.0), (1.0, 10.0), (2.0, -3.0), (4.0, 1e6)],
        &[(1.0, 1e-320), (2.0, 5e-324)],
        &[(1e15, 1.0), (1e15 + 1.0, 1.000_000_000_1)],
        &[(5.0, -7.0), (5.0, -7.0)],
    ];
    for points in odd {
        for (log_x, log_y, knee) in
            [(false, false, false), (true, true, false), (false, true, true), (false, false, true)]
        {
            let mut chart = chart(points);
            chart.x = if log_x { chart.x.log() } else { chart.x };
            chart.y = if log_y { chart.y.log() } else { chart.y };
            chart.y.knee = knee;
            chart.y2 = Some(Axis::new("Right", "%"));
            chart.series[3].axis = Side::Right;
            let texts = texts(&chart.svg());
            assert!(texts.iter().any(|t| t.starts_with("Load [")) && texts.iter().any(|t| t == "Latency"));
            if knee == log_y {
                raster::png(&chart.svg()).expect("can be rastered");
            }
        }
    }
}

#[test]
fn zeros_on_a_log_axis_break_the_line() {
    let points = vec![(0.0, 1.0), (1.0, 10.0), (2.0, 0.0), (3.0, 10.0), (4.0, 100.0)];
    let log = Chart { y: Axis::new("", "").log(), series: vec![Series::new("", points)], ..Chart::default() };
    let svg = log.svg();
    let document = roxmltree::Document::parse(&svg).expect("XML");
    let line = document.descendants().find(|n| n.has_attribute("stroke-linejoin")).expect("the series");
    assert_eq!(line.attribute("d").map(|d| d.matches('M').count()), Some(2));
}

#[test]
fn hostile_text_stays_text() {
    let bad = "</text><script>alert(1)</script>&\"'\u{0}\u{1b}]]>".to_owned();
    let mut chart = chart(&[(0.0, 1.0), (1.0, 2.0)]);
    chart.title.clone_from(&bad);
    chart.x = Axis::new(bad.as_str(), bad.as_str());
    chart.series[0].name.clone_from(&bad);
    chart.marks =
        vec![Mark::Vertical { x: 0.5, label: bad.clone() }, Mark::Horizontal { y: 1.5, label: bad.repeat(1000) }];
    let texts = texts(&chart.svg());
    assert!(texts.iter().any(|t| t.contains("<script>")), "shown as text");
}

#[test]
fn a_hundred_thousand_points_make_a_small_picture() {
    let points: Vec<_> = (0..100_000).map(|i| (f64::from(i), f64::from(i * 7919 % 1000))).collect();
    let svg = chart(&points).svg();
    assert!(svg.len() < 1_500_000, "{} bytes", svg.len());
    let shuffled: Vec<_> = (0..100_000).map(|i| (f64::from(i * 7919 % 1000), f64::from(i % 777))).collect();
    texts(&chart(&shuffled).svg());
}

#[test]
fn a_diverging_curve_leaves_a_knee_axis_through_the_top() {
    let points = vec![(0.1, 40.0), (0.2, 60.0), (0.3, 1e5)];
    let axis = |knee| Axis { knee, ..Axis::new("Latency", "cycles") };
    let with = |knee| Chart { y: axis(knee), series: vec![Series::new("a", points.clone())], ..Chart::default() };
    assert!(texts(&with(true).svg()).contains(&"100".to_owned()));
    assert!(with(true).svg().contains("h8l-4 -6Z"), "arrow");
    assert!(!with(false).svg().contains("h8l-4 -6Z"));
}

#[test]
fn panels_share_one_legend_and_common_axis_titles() {
    let charts: Vec<Chart> = (0..5).map(|i| chart(&[(0.0, 1.0), (1.0, f64::from(i))])).collect();
    let texts = texts(&grid(&charts, 3));
    let count = |text: &str| texts.iter().filter(|t| *t == text).count();
    assert_eq!((count("LineMarks"), count("Latency"), count("Load [flits]")), (1, 2, 3));
    for (charts, columns) in [(&charts[..0], 0), (&charts[..1], 9), (&charts[..], 0)] {
        roxmltree::Document::parse(&grid(charts, columns)).expect("XML");
    }
}

#[test]
fn panels_whose_powers_of_ten_differ_keep_their_titles() {
    let charts = [chart(&[(0.0, 1.0), (1.0, 2.0)]), chart(&[(0.0, 1e6), (1.0, 2e6)])];
    let texts = texts(&grid(&charts, 2));
    assert!(texts.contains(&"[cycles]".to_owned()) && texts.contains(&"[106 cycles]".to_owned()), "{texts:?}");
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    let make = || chart(&[(0.0, 1.0), (1.0, 3.0), (2.0, f64::NAN), (3.0, 2.0)]).svg();
    assert_eq!(make(), make());
    assert_eq!(raster::png(&make()).ok(), raster::png(&make()).ok());
}
