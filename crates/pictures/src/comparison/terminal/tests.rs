//! Comparisons in the terminal.

use super::*;
use crate::comparison::{Bound, Ended};

/// The study of the design: three variants that part beyond a load of 0.3.
fn study() -> Comparison {
    let loads: Vec<f64> = (1..=12).map(|at| 0.05 * f64::from(at)).collect();
    let latencies = [17.9, 20.6, 24.6, 31.4, 43.5, 68.3];
    let variant = |name: &str, twins: &[&str], beyond: [f64; 6]| Variant {
        name: name.to_owned(),
        twins: twins.iter().map(|twin| (*twin).to_owned()).collect(),
        points: loads
            .iter()
            .enumerate()
            .map(|(at, &load)| Point {
                load,
                accepted: Estimate::of(if at < 6 { load } else { beyond[at - 6] }),
                latency: Some(Estimate::of(latencies.get(at).copied().unwrap_or(3000.0 * load))),
                ended: if at < 6 { Ended::Steady } else { Ended::Unsteady },
                status: String::new(),
            })
            .collect(),
        ..Variant::default()
    };
    Comparison {
        variants: vec![
            variant("off", &["alo"], [0.31, 0.265, 0.25, 0.235, 0.23, 0.227]),
            variant("spth", &[], [0.31, 0.29, 0.294, 0.287, 0.282, 0.291]),
            variant("self_tuned", &[], [0.301, 0.3, 0.283, 0.3, 0.289, 0.299]),
        ],
        bound: Some(Bound { name: "channel-load bound".to_owned(), load: 0.443 }),
        seeds: 5,
        ..Comparison::default()
    }
}

#[test]
fn one_above_the_other_in_a_narrow_terminal() {
    let drawn = study().terminal(80, Paint::Plain);
    assert!(drawn.charts.lines().all(|line| line.chars().count() <= 80), "{}", drawn.charts);
    let titles = drawn.charts.lines().filter(|line| line.ends_with(']')).collect::<Vec<_>>();
    assert_eq!(titles, ["Accepted load [flits/node/cycle]", "Mean latency [cycles]"]);
    assert_eq!(drawn.charts.matches('●').count(), 12, "six loads that all share, twice: {}", drawn.charts);
    for label in ["o off = alo", "s spth", "t self_tuned"] {
        assert_eq!(drawn.charts.matches(label).count(), 1, "latency leaves the frame: {}", drawn.charts);
    }
    assert!(
        drawn.note.contains("Beyond load 0.3 no point is steady: latencies of 1,050 to 1,800 cycles are left out"),
        "{}",
        drawn.note
    );
}

#[test]
fn side_by_side_in_a_wide_one() {
    let drawn = study().terminal(120, Paint::Plain);
    assert!(drawn.charts.lines().all(|line| line.chars().count() <= 120), "{}", drawn.charts);
    let first = drawn.charts.lines().next().expect("a line of titles");
    assert!(first.starts_with("Accepted load") && first.ends_with("Mean latency [cycles]"), "{first}");
    assert_eq!(drawn.charts.matches("Offered load").count(), 2);
    let last = drawn.charts.lines().last().expect("a line of names");
    assert_eq!(last.matches("Offered load").count(), 2, "both panels end in the same line: {}", drawn.charts);
}

#[test]
fn colours_change_no_column() {
    let (plain, coloured) = (study().terminal(120, Paint::Plain), study().terminal(120, Paint::Ansi));
    let stripped: Vec<usize> = coloured.charts.lines().map(shown_width).collect();
    assert_eq!(stripped, plain.charts.lines().map(|line| line.chars().count()).collect::<Vec<_>>());
    assert!(coloured.charts.contains("\u{1b}[38;5;"));
}

#[test]
fn every_variant_has_a_letter_of_its_own() {
    let named = |name: &str| Variant { name: name.to_owned(), ..Variant::default() };
    let names = ["off", "spth", "self_tuned", "spth 2", "8 channels", "ss", ""].map(named);
    assert_eq!(letters(&names), ['o', 's', 't', '2', '8', 'a', 'b']);
}

#[test]
fn nothing_is_no_panic() {
    assert_eq!(Comparison::default().terminal(80, Paint::Plain).note, "");
    let one = Comparison { variants: vec![study().variants.remove(1)], ..Comparison::default() };
    let drawn = one.terminal(80, Paint::Plain);
    assert!(drawn.charts.contains('●') && !drawn.note.contains("one variant"), "{}{}", drawn.charts, drawn.note);
}
