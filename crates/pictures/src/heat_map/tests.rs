//! Tests of heat maps.

use super::*;
use crate::colour::{MISSING, Rgb, viridis};

fn map(columns: usize, rows: usize, values: Values) -> HeatMap {
    let (title, label, unit) = ("t".to_owned(), "Load".to_owned(), "flits".to_owned());
    HeatMap { title, label, unit, columns, rows, values, range: None }
}

fn pixel(map: &HeatMap, x: f64, y: f64) -> Rgb {
    let image = resvg::tiny_skia::Pixmap::decode_png(&map.png().expect("valid")).expect("a PNG");
    let scale = f64::from(raster::SCALE);
    let p = image.pixel((x * scale) as u32, (y * scale) as u32).expect("inside");
    [p.red(), p.green(), p.blue()]
}

#[test]
fn router_zero_is_at_the_lower_left() {
    let map = map(2, 2, Values::Routers(vec![1.0, 0.0, 0.0, f64::NAN]));
    let left = 36.0 + text::width("2", SIZE);
    assert_eq!(pixel(&map, left + 20.0, 34.0 + 60.0), viridis(1.0));
    assert_eq!(pixel(&map, left + 20.0, 34.0 + 20.0), viridis(0.0));
    assert_eq!(pixel(&map, left + 60.0, 34.0 + 20.0), MISSING);
}

#[test]
fn misfitting_values_are_refused() {
    let count = map(2, 2, Values::Routers(vec![1.0])).svg();
    assert!(matches!(count, Err(HeatMapError::Count { found: 1, .. })));
    let link = |from, to| map(2, 2, Values::Links(vec![LinkValue { from, to, value: 1.0 }])).svg();
    assert!(matches!(link(0, 4), Err(HeatMapError::Link { routers: 4, .. })));
    assert!(matches!(link(1, 1), Err(HeatMapError::Link { .. })));
    assert!(link(0, 1).is_ok());
    let wide = map(usize::MAX, 2, Values::Links(vec![])).svg();
    assert!(matches!(wide, Err(HeatMapError::TooManyLinks { .. })));
}

#[test]
fn odd_values_and_empty_maps_are_drawn() {
    let bad = [f64::NAN, f64::INFINITY, -1e300, 1e-320];
    for values in [bad.to_vec(), vec![5.0; 4], vec![0.0; 4], vec![f64::NAN; 4]] {
        let svg = map(2, 2, Values::Routers(values)).svg().expect("drawn");
        assert!(roxmltree::Document::parse(&svg).is_ok());
    }
    assert!(map(0, 0, Values::Routers(vec![])).svg().is_ok());
    assert!(map(0, 0, Values::Links(vec![])).svg().is_ok());
}

#[test]
fn large_networks_are_merged_into_a_small_picture() {
    let values = (0..3300 * 2).map(|i| f64::from(i % 100)).collect();
    let svg = map(3300, 2, Values::Routers(values)).svg().expect("drawn");
    assert!(svg.len() < 400_000, "{}", svg.len());
}

#[test]
fn the_values_are_a_table_in_the_picture() {
    let map = |label: &str, values| HeatMap {
        title: String::new(),
        label: label.to_owned(),
        unit: String::new(),
        columns: 2,
        rows: 1,
        values,
        range: None,
    };
    let routers = map("Buffer occupancy", Values::Routers(vec![0.5, f64::NAN]));
    assert_eq!(routers.csv(), "router,column,row,buffer_occupancy\n0,0,0,0.5\n1,1,0,\n");
    let links = map("Use", Values::Links(vec![LinkValue { from: 0, to: 1, value: 0.25 }]));
    assert_eq!(links.csv(), "from_router,to_router,use\n0,1,0.25\n");
    assert!(links.svg().unwrap().contains("from_router"), "the report offers it");
}
