//! The figure as a whole.

use super::*;
use proptest::prelude::*;

/// Load, accepted load and latency at which four mechanisms are alike: mean, low, high.
const ALIKE: [(f64, [f64; 3], [f64; 3]); 6] = [
    (0.05, [0.0501, 0.0494, 0.0508], [17.86, 17.77, 17.94]),
    (0.10, [0.1003, 0.0997, 0.1009], [20.56, 20.47, 20.65]),
    (0.15, [0.1502, 0.1492, 0.1512], [24.62, 24.45, 24.78]),
    (0.20, [0.2006, 0.1992, 0.2019], [31.42, 30.94, 31.91]),
    (0.25, [0.2513, 0.2493, 0.2533], [43.51, 42.46, 44.58]),
    (0.30, [0.3004, 0.2984, 0.3024], [68.31, 65.72, 71.00]),
];

/// Beyond: accepted loads by mechanism at loads 0.35, 0.40 ... 0.60, and half of their intervals.
const BEYOND: [(&str, [f64; 6], f64); 3] = [
    ("off", [0.310, 0.266, 0.247, 0.235, 0.229, 0.227], 0.006),
    ("spth", [0.310, 0.289, 0.294, 0.287, 0.282, 0.291], 0.015),
    ("self_tuned", [0.301, 0.299, 0.283, 0.300, 0.289, 0.299], 0.029),
];

fn estimate([mean, low, high]: [f64; 3]) -> Estimate {
    Estimate::with(mean, low, high)
}

fn variant(at: usize) -> Variant {
    let (name, beyond, half) = BEYOND[at];
    let steady = ALIKE.map(|(load, accepted, latency)| Point {
        load,
        accepted: estimate(accepted),
        latency: Some(estimate(latency)),
        status: "5 steady".to_owned(),
        ..Point::default()
    });
    let unsteady = beyond.iter().enumerate().map(|(step, &mean)| Point {
        load: 0.35 + 0.05 * step as f64,
        accepted: Estimate::with(mean, mean - half, mean + half),
        latency: Some(Estimate::of(633.0 + 600.0 * step as f64 + 86.0 * at as f64)),
        ended: Ended::Unsteady,
        status: "5 saturated".to_owned(),
    });
    let saturation = [[0.322, 0.309, 0.335], [0.324, 0.307, 0.341], [0.323, 0.303, 0.343]][at];
    Variant {
        name: name.to_owned(),
        place: [0, 1, 3][at],
        twins: if at == 0 { vec!["alo".to_owned()] } else { Vec::new() },
        points: steady.into_iter().chain(unsteady).collect(),
        zero_load: Some(16.0),
        knee: Some(Estimate::with(0.203, 0.202, 0.204)),
        saturation: Some(estimate(saturation)),
    }
}

/// Four admission mechanisms on a torus.
fn study() -> Comparison {
    Comparison {
        subject: "16 x 16 torus, uniform traffic".to_owned(),
        kind: "mechanisms".to_owned(),
        seeds: 5,
        variants: (0..3).map(variant).collect(),
        bound: Some(Bound { name: "channel-load bound".to_owned(), load: 0.443 }),
        saturation_is: String::new(),
    }
}

/// A rectangle of what an SVG draws: left, top, right, bottom.
type Drawn = (f64, f64, f64, f64);

fn numbers(text: &str) -> Vec<f64> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == '-')).filter_map(|n| n.parse().ok()).collect()
}

/// Level texts of a picture with their places.
fn texts(svg: &str) -> Vec<(String, Drawn)> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let level = document.descendants().filter(|n| n.has_tag_name("text") && n.attribute("transform").is_none());
    let place = |node: roxmltree::Node<'_, '_>| {
        let number = |name: &str| node.attribute(name).and_then(|value| value.parse::<f64>().ok()).unwrap_or(0.0);
        let words: String = node.descendants().filter(|d| d.is_text()).filter_map(|d| d.text()).collect();
        let (x, y, size) = (number("x"), number("y"), number("font-size"));
        let width = crate::text::width(&words, size) * if node.attribute("font-weight").is_some() { 1.05 } else { 1.0 };
        let left = match node.attribute("text-anchor") {
            Some("middle") => x - width / 2.0,
            Some(_) => x - width,
            None => x,
        };
        (words, (left, y - 0.7 * size, left + width, y))
    };
    level.map(place).collect()
}

/// Marks of a picture: closed paths no larger than a mark.
fn marks(svg: &str) -> Vec<Drawn> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let paths = document.descendants().filter_map(|n| n.attribute("d").filter(|d| d.ends_with('Z')));
    let place = |data: &str| {
        let all = numbers(data);
        let ends = |from: usize| {
            let values = all.iter().skip(from).step_by(2);
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)))
        };
        let ((left, right), (top, bottom)) = (ends(0), ends(1));
        (left, top, right, bottom)
    };
    paths.map(place).filter(|m| m.2 - m.0 < 9.0 && m.3 - m.1 < 9.0).collect()
}

fn overlap(a: &Drawn, b: &Drawn) -> bool {
    let slack = 0.3;
    a.0 + slack < b.2 && b.0 + slack < a.2 && a.1 + slack < b.3 && b.1 + slack < a.3
}

fn assert_apart(svg: &str) {
    let (texts, marks) = (texts(svg), marks(svg));
    for (at, (words, place)) in texts.iter().enumerate() {
        let other = texts[..at].iter().find(|(_, other)| overlap(place, other));
        assert!(other.is_none(), "`{words}` lies on {other:?}");
        assert!(!marks.iter().any(|mark| overlap(place, mark)), "`{words}` lies on a mark");
    }
}

#[test]
fn the_study_has_its_words_and_no_two_of_them_touch() {
    for columns in [Columns::One, Columns::Two] {
        let svg = study().figure("study", columns).svg;
        let words: Vec<String> = texts(&svg).into_iter().map(|(words, _)| words).collect();
        for due in
            ["off = alo", "self_tuned", "channel-load bound 0.443", "all mechanisms alike", "2 × zero load", "knee"]
        {
            assert!(words.iter().any(|said| said == due), "{due}: {words:?}");
        }
        for due in ["no steady state:", "18 points at", "633 to 3,805 cycles,", "saturation"] {
            assert!(words.iter().any(|said| said == due), "{due}: {words:?}");
        }
        assert!(svg.contains(">accepted = offered<"));
        assert_apart(&svg);
    }
}

#[test]
fn the_figure_has_the_width_of_its_columns() {
    let size = |columns| {
        let svg = study().figure("study", columns).svg;
        let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
        let number = |name| document.root_element().attribute(name).and_then(|v| v.parse::<f64>().ok());
        (number("width").unwrap_or(0.0) / 96.0, number("height").unwrap_or(0.0) / 96.0)
    };
    let near = |(width, height): (f64, f64), (w, h): (f64, f64)| (width - w).abs() < 0.02 && (height - h).abs() < 0.02;
    assert!(near(size(Columns::One), (3.5, 4.35)), "{:?}", size(Columns::One));
    assert!(near(size(Columns::Two), (7.16, 2.75)), "{:?}", size(Columns::Two));
}

#[test]
fn captions_say_five_facts_in_their_order() {
    insta::assert_snapshot!(study().figure("study", Columns::Two).caption);
    let mut run = study();
    run.saturation_is = "between the last load that is steady and the first that is not".to_owned();
    run.bound = Some(Bound { name: "channel-load bound".to_owned(), load: 1.0 });
    run.variants[0].points[7].ended = Ended::Broken;
    insta::assert_snapshot!(run.figure("run", Columns::One).caption);
}

#[test]
fn a_small_figure_is_as_it_was() {
    let mut small = study();
    small.variants.truncate(2);
    small.variants.iter_mut().for_each(|variant| variant.points.truncate(7));
    let figure = small.figure("small", Columns::Two);
    insta::assert_snapshot!(figure.svg);
    insta::assert_snapshot!(figure.csv);
}

#[test]
fn how_points_ended_is_seen() {
    let mut ended = study();
    ended.variants.iter_mut().flat_map(|v| &mut v.points).for_each(|point| point.latency = None);
    let count = |comparison: &Comparison| comparison.figure("x", Columns::Two).svg.matches("#ffffff").count();
    let hollow = count(&ended);
    ended.variants[0].points[8].ended = Ended::Steady;
    assert_eq!(count(&ended), hollow - 1, "a steady point is filled");
    ended.variants[0].points[8].ended = Ended::Broken;
    assert_eq!(count(&ended), hollow, "a broken one is crossed, and hollow below");
}

#[test]
fn odd_comparisons_give_valid_pictures() {
    let mut odd = vec![Comparison::default(), Comparison { variants: vec![Variant::default(); 3], ..study() }];
    let mut many = study();
    many.variants = (0..40).map(|at| Variant { name: format!("variant {at}"), place: at, ..variant(at % 3) }).collect();
    odd.push(many);
    let mut broken = study();
    for (at, value) in [f64::NAN, f64::INFINITY, -1.0, 1e301, 0.0].into_iter().enumerate() {
        broken.variants[0].points[at].accepted = Estimate::with(value, value, value);
        broken.variants[1].points[at].latency = Some(Estimate::of(value));
        broken.variants[2].points[at].load = value;
    }
    odd.push(broken);
    for comparison in odd {
        for columns in [Columns::One, Columns::Two] {
            let figure = comparison.figure("odd", columns);
            let valid = roxmltree::Document::parse(&figure.svg).is_ok();
            assert!(valid && !figure.svg.contains("NaN") && !figure.svg.contains("inf"), "{}", figure.svg);
            assert!(figure.csv.starts_with("variant,offered_load"));
        }
    }
}

#[test]
fn two_seeds_are_dots_and_one_says_so() {
    let mut two = study();
    two.seeds = 2;
    for point in two.variants.iter_mut().flat_map(|v| &mut v.points) {
        point.accepted = Estimate {
            seeds: vec![point.accepted.mean * 0.9, point.accepted.mean * 1.1],
            ..Estimate::of(point.accepted.mean)
        };
    }
    let figure = two.figure("two", Columns::Two);
    assert!(figure.svg.contains("<circle") && figure.caption.contains("too few for an interval"), "{}", figure.caption);
    let one = Comparison { seeds: 1, ..study() };
    assert!(one.figure("one", Columns::Two).caption.contains("One seed, so there are no intervals."));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Whatever is measured, no words lie on other words or on a mark.
    #[test]
    fn words_lie_on_nothing(
        heights in prop::collection::vec(prop::collection::vec(0.02..0.6f64, 12), 2..6),
        latencies in prop::collection::vec(10.0..400.0f64, 12),
        ended in prop::collection::vec(0..4usize, 12),
        knees in prop::collection::vec(0.01..0.6f64, 6),
        bound in 0.05..1.2f64,
    ) {
        let mut random = study();
        random.bound = Some(Bound { name: "channel-load bound".to_owned(), load: bound });
        random.variants = heights.iter().enumerate().map(|(at, heights)| {
            let mut variant = Variant { name: format!("variant_{at}"), place: at, ..variant(0) };
            variant.twins.clear();
            for (point, height) in variant.points.iter_mut().zip(heights) {
                point.accepted = Estimate::of(*height);
            }
            for ((point, latency), ended) in variant.points.iter_mut().zip(&latencies).zip(&ended) {
                point.latency = Some(Estimate::of(latency + 3.0 * at as f64));
                point.ended = [Ended::Steady, Ended::Unsteady, Ended::Broken, Ended::Interrupted][*ended];
            }
            variant.knee = Some(Estimate::with(knees[at], 0.9 * knees[at], 1.1 * knees[at]));
            variant.saturation = Some(Estimate::of(knees[5 - at]));
            variant
        }).collect();
        for columns in [Columns::One, Columns::Two] {
            assert_apart(&random.figure("random", columns).svg);
        }
    }
}
