//! Tests of maps of networks of any shape.

use super::*;

/// Four routers in a square, joined round it both ways.
fn plan() -> Plan {
    let places = vec![(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)];
    let line = |from: usize, to: usize| Line { from, to, bends: [places[from], places[to]] };
    let lines = (0..4).flat_map(|at| [line(at, (at + 1) % 4), line((at + 1) % 4, at)]).collect();
    let label = |router: usize| Label { at: places[router], toward: (-1.0, 0.0), text: router.to_string() };
    let labels = (0..4).map(label).collect();
    Plan { places, lines, labels, aspect: 1.0, radius: 0.4 }
}

fn map(show: Show) -> NetworkMap {
    let (title, label, unit) = ("t".to_owned(), "Utilisation".to_owned(), "share of cycles".to_owned());
    NetworkMap { title, label, unit, plan: plan(), show, notes: vec!["The busiest is the first.".to_owned()] }
}

#[test]
fn the_busiest_link_is_drawn_last_widest_and_edged() {
    let svg = map(Show::Links(vec![1.0, 0.1, 0.0, 0.2, f64::NAN, 0.1, 0.1, 0.3])).svg().expect("a picture");
    let strokes: Vec<&str> = svg.lines().filter(|line| line.starts_with("<path") && line.contains("C")).collect();
    assert!(strokes[0].contains("#d4d4d4") && strokes[0].matches('C').count() == 2, "those that carry nothing: {svg}");
    let [.., edge, last] = strokes[..] else { panic!("{svg}") };
    let width = |stroke: &str| {
        let rest = stroke.split("stroke-width=\"").nth(1).expect("a width");
        rest[..rest.find('"').expect("its end")].parse::<f64>().expect("a number")
    };
    assert!(edge.contains(crate::svg::INK) && width(edge) > width(last), "{edge} {last}");
    assert!(strokes.iter().all(|stroke| width(stroke) <= width(edge)));
    assert!(svg.contains("[share of cycles]") && svg.contains("The busiest is the first."));
    assert!(svg.contains("from_router,to_router,utilisation"), "the report offers it");
}

#[test]
fn routers_and_kinds_are_drawn() {
    let routers = map(Show::Routers(vec![0.5, 1.0, f64::NAN, 0.0])).svg().expect("a picture");
    assert!(routers.contains("#fde725") && routers.contains("#440154") && routers.contains("#e1e1e1"), "{routers}");
    let kind = |name: &str, lines| Kind { name: name.to_owned(), lines };
    let kinds = map(Show::Kinds(vec![kind("local: 6 links", (0..6).collect()), kind("global: 2 links", vec![6, 7])]));
    let svg = kinds.svg().expect("a picture");
    assert!(svg.contains("local: 6 links") && svg.contains(SERIES[1]));
    assert!(crate::raster::png(&svg).is_ok());
}

#[test]
fn what_does_not_fit_is_refused() {
    let count = |show| matches!(map(show).svg(), Err(NetworkMapError::Count { found: 1, .. }));
    assert!(count(Show::Routers(vec![1.0])) && count(Show::Links(vec![1.0])));
    let kind = Kind { name: String::new(), lines: vec![8] };
    assert!(matches!(map(Show::Kinds(vec![kind])).svg(), Err(NetworkMapError::Line(8))));
    let mut bad = map(Show::Routers(vec![0.0; 4]));
    bad.plan.lines[3].to = 4;
    assert!(matches!(bad.svg(), Err(NetworkMapError::Line(3))));
    let mut many = map(Show::Links(Vec::new()));
    many.plan.lines = vec![plan().lines[0]; MOST_LINKS + 1];
    assert!(matches!(many.svg(), Err(NetworkMapError::TooManyLinks(_))));
}

#[test]
fn nothing_and_one_router_are_no_harm() {
    let none = NetworkMap { plan: Plan { aspect: 1.0, ..Plan::default() }, ..map(Show::Links(Vec::new())) };
    assert!(none.svg().is_ok());
    let one = Plan { places: vec![(0.5, 0.5)], aspect: 1.0, radius: 0.1, ..Plan::default() };
    assert!(NetworkMap { plan: one, ..map(Show::Routers(vec![f64::NAN])) }.svg().is_ok());
}

#[test]
fn trees_have_dots_at_their_roots_and_depths_at_their_links() {
    let tree = Tree { root: Spot::Router(0), branches: vec![(1, 1), (3, 2)] };
    let trees = TreeMap {
        title: "t".to_owned(),
        plan: plan(),
        still: vec![0.0, 0.5, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0],
        roots: vec![(Spot::Router(0), 1.0), (Spot::Link(4), 0.25)],
        moment: "cycle 64".to_owned(),
        trees: vec![tree],
    };
    let svg = trees.svg().expect("a picture");
    assert_eq!(svg.matches("<circle").count(), 3);
    assert!(svg.contains(">2</text>") && svg.contains("cycle 64"));
    assert!(crate::raster::png(&svg).is_ok());
    let bad = |root| TreeMap { roots: vec![(root, 1.0)], ..trees.clone() }.svg();
    assert!(matches!(bad(Spot::Link(8)), Err(NetworkMapError::Line(8))));
    assert!(matches!(bad(Spot::Router(4)), Err(NetworkMapError::Line(4))));
    assert!(matches!(TreeMap { still: Vec::new(), ..trees.clone() }.svg(), Err(NetworkMapError::Count { .. })));
}
