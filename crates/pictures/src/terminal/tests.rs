//! Tests of terminal plots.

use super::*;
use crate::chart::{Axis, Side};

fn latency() -> Chart {
    let curve =
        |knee: f64| (1..20).map(|i| f64::from(i) * 0.02).map(|x| (x, 40.0 / (1.0 - x / knee).max(1e-3))).collect();
    Chart {
        title: "Latency".to_owned(),
        x: Axis::new("Offered load", "flits/cycle/node"),
        y: Axis::new("Latency", "cycles").knee(),
        series: vec![Series::new("uniform", curve(0.4)), Series::new("tornado", curve(0.25))],
        ..Chart::default()
    }
}

fn fits(text: &str, width: usize, height: usize) {
    assert!(text.lines().count() <= height, "{} lines\n{text}", text.lines().count());
    assert!(text.lines().all(|l| l.chars().count() <= width), "{text}");
}

#[test]
fn plain_plots_fit_the_terminal_and_name_everything() {
    let text = plot(&latency(), 80, 24, Paint::Plain);
    fits(&text, 80, 24);
    for part in
        ["Latency [cycles]", "Offered load [flits/cycle/node]", "o uniform", "x tornado", "0.1", "100", "┤", "└"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains('\u{1b}'));
    assert!(text.matches('o').count() > 8 && text.matches('x').count() > 4);
}

#[test]
fn coloured_plots_show_the_same_characters() {
    let coloured = plot(&latency(), 80, 24, Paint::Ansi);
    assert!(coloured.contains("\u{1b}[38;5;33m"));
    let mut plain = String::new();
    let mut escaped = false;
    for c in coloured.chars() {
        match c {
            '\u{1b}' => escaped = true,
            'm' if escaped => escaped = false,
            c if !escaped => plain.push(c),
            _ => {}
        }
    }
    let trimmed: Vec<_> = plain.lines().map(str::trim_end).collect();
    assert_eq!(trimmed.join("\n") + "\n", plot(&latency(), 80, 24, Paint::Plain));
}

#[test]
fn any_size_and_any_data_are_drawn_within_bounds() {
    let mut hostile = latency();
    hostile.title = "\u{1b}[2J\n".repeat(100);
    hostile.y2 = Some(Axis::new("x".repeat(300), "y".repeat(300)).log());
    hostile.series.push(Series {
        axis: Side::Right,
        ..Series::new("\u{7}".repeat(500), vec![(0.0, 0.0), (f64::NAN, 1.0), (0.1, 1e300), (0.2, 5.0)])
    });
    hostile.series.extend((0..200).map(|i| Series::new(format!("series {i}"), vec![])));
    for (width, height) in [(0, 0), (30, 8), (80, 24), (200, 60)] {
        let text = plot(&hostile, width, height, Paint::Plain);
        fits(&text, width.max(30), height.max(8));
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'));
    }
    for points in [vec![], vec![(1.0, 1.0)], vec![(f64::NAN, f64::NAN); 3], vec![(-1e300, 1e300), (1e300, -1e300)]] {
        let one = Chart { series: vec![Series::new("a", points)], ..Chart::default() };
        fits(&plot(&one, 80, 24, Paint::Plain), 80, 24);
    }
}
