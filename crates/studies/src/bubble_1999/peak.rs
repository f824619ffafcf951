//! Table 6: most that is accepted over a sweep of the load; claims c2 and c3.

use super::curve::{Four, per_ns};
use super::key::{TABLE5, TABLE6, Traffic, is_bubble};
use super::specs::{FIG7, PERMUTATIONS, RANDOM};
use crate::lab::{Dataset, Lab};
use crate::reproduce::StudyError;
use crate::seeds::{over_seeds, seeds, short, shown};
use crate::study::{Cell, Part};
use tailback_cost::Family;

const ITEM: &str = "table6";

/// What "a little ahead" and "slightly ahead" are at most.
const LITTLE: f64 = 1.05;
const SLIGHTLY: f64 = 1.2;

/// "For loads close to saturation, all routers exhibit latency values which are even up to five times greater", section 4.2.3.
const FIVE_TIMES: f64 = 5.0;

/// Where table 5 has a column of table 6.
fn column_of_table5(traffic: Traffic) -> usize {
    TABLE5.iter().position(|other| *other == traffic).unwrap_or(0)
}

/// How far phits/cycle may be off.
fn tolerance(router: Family) -> f64 {
    if is_bubble(router) { 0.12 } else { 0.15 }
}

/// The spec of a column.
fn dataset(traffic: Traffic) -> &'static Dataset {
    match traffic {
        Traffic::Random | Traffic::Bimodal => &RANDOM,
        Traffic::Transpose => &FIG7,
        Traffic::BitReversal | Traffic::Shuffle => &PERMUTATIONS,
    }
}

/// Peaks of a column, in the order of [`Family::ALL`].
struct Column {
    traffic: Traffic,
    per_cycle: [f64; 4],
    per_ns: [f64; 4],
}

impl Column {
    fn ns(&self, router: Family) -> f64 {
        of(&self.per_ns, router)
    }

    fn cycle(&self, router: Family) -> f64 {
        of(&self.per_cycle, router)
    }
}

fn of(values: &[f64; 4], router: Family) -> f64 {
    Family::ALL.iter().zip(values).find(|(family, _)| **family == router).map_or(f64::NAN, |(_, value)| *value)
}

/// Measures the table.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = Part::default();
    let mut columns = Vec::new();
    for (at, traffic) in TABLE6.into_iter().enumerate() {
        let runs = lab.runs(dataset(traffic))?;
        let four = Four::of(&runs, traffic);
        part.cells.extend(cells(lab, &four, (at, traffic)));
        let value = |values: [Option<f64>; 4]| values.map(|value| value.unwrap_or(f64::NAN));
        let per_ns = Family::ALL.map(|router| four.peak_ns(router));
        let per_cycle = four.0.each_ref().map(|curve| curve.peak().map(|(_, summary)| summary.mean));
        let column = Column { traffic, per_cycle: value(per_cycle), per_ns: value(per_ns) };
        part.cells.push(ranking(lab, &column, at));
        columns.push(column);
    }
    part.verdicts = vec![c2(&columns), c3(&columns)];
    part.notes.push(
        "The most that the whole network delivers, in the mean over seeds, at any of the loads of the spec, from below saturation to \
         far beyond; warm-up 10,000 cycles, measured over 20,000. Five printed phits/ns contradict the phits/cycle beside them: VC DOR \
         bimodal 9.97 (9.43 by its phits/cycle) and bit reversal 4.50 (5.04), VC Adap bimodal 12.50 (12.25) and perfect shuffle 6.42 \
         (6.45), Bubble Adap perfect shuffle 7.49 (7.75). Required are the phits/cycle, and the ranking in phits/ns, by the printed \
         phits/ns or by those that follow from phits/cycle, whichever fits."
            .to_owned(),
    );
    Ok(part)
}

/// What is printed of a router in column `at`: 0 phits/cycle, 1 phits/ns.
fn printed(lab: &Lab, router: Family, at: usize, which: usize) -> Option<f64> {
    lab.targets().element2(&format!("table6.maximum_throughput.{}", router.name()), at, which)
}

fn cells(lab: &Lab, four: &Four, (at, traffic): (usize, Traffic)) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (router, curve) in four.named() {
        let peak = curve.peak();
        let most = tolerance(router);
        let measured = peak.as_ref().map(|(_, summary)| summary.mean);
        let values = (printed(lab, router, at, 0), measured);
        let within = matches!(values, (Some(printed), Some(found)) if (found / printed - 1.0).abs() <= most);
        let load = peak.as_ref().map(|(point, _)| point.load);
        let note = format!(
            "{}; at an offered load of {} flits/node/cycle; {} at the highest load",
            seeds(peak.as_ref().map(|(_, summary)| *summary)),
            shown(load),
            shown(curve.end())
        );
        let cell = Cell::new(ITEM, router.title(), traffic.name(), "phits/cycle", values).note(note);
        // The short form has too few loads to find a peak.
        cells.push(if lab.quick() { cell } else { cell.require(format!("within {} %", 100.0 * most), within) });
        // Beyond saturation nodes whose packets have a way of their own deliver ever more; this is where it begins.
        let base =
            lab.targets().element(&format!("table5.base_latency_ns.{}", router.name()), column_of_table5(traffic));
        let knee = base.and_then(|ns| curve.accepted_at(FIVE_TIMES * ns));
        let row = format!("{}, at five times the printed base latency", router.title());
        cells.push(Cell::new(ITEM, row, traffic.name(), "phits/cycle", (printed(lab, router, at, 0), knee)));
        let summary = peak.and_then(|(point, _)| over_seeds(point.runs.iter().copied(), per_ns));
        let values = (printed(lab, router, at, 1), summary.map(|summary| summary.mean));
        cells.push(Cell::new(ITEM, router.title(), traffic.name(), "phits/ns", values).note(seeds(summary)));
    }
    cells
}

/// Of the six pairs of routers those in the printed order by phits/ns.
fn ranking(lab: &Lab, column: &Column, at: usize) -> Cell {
    let by_ns = Family::ALL.map(|router| printed(lab, router, at, 1).unwrap_or(f64::NAN));
    let cycle = |router| lab.targets().number(&format!("table3.{}.cycle_ns", Family::name(router))).unwrap_or(f64::NAN);
    let by_cycle = Family::ALL.map(|router| printed(lab, router, at, 0).unwrap_or(f64::NAN) / cycle(router));
    let in_order = |printed: &[f64; 4]| {
        let pairs = (0..4).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.filter(|&(i, j)| (printed[i] > printed[j]) == (column.per_ns[i] > column.per_ns[j])).count()
    };
    let most = in_order(&by_ns).max(in_order(&by_cycle));
    let mut order: Vec<(Family, f64)> = Family::ALL.into_iter().zip(column.per_ns).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let order: Vec<String> =
        order.iter().map(|(router, value)| format!("{} {}", router.title(), short(*value))).collect();
    let values = (Some(6.0), Some(most as f64));
    let cell = Cell::new(ITEM, "ranking in phits/ns", column.traffic.name(), "pairs in order", values);
    let cell = cell.note(order.join(" > "));
    if lab.quick() { cell } else { cell.require("all six", most == 6) }
}

/// Rule of c2, phits/ns, means over seeds: the adaptive bubble router accepts most of the four under bimodal traffic, transpose,
/// perfect shuffle and bit reversal; under random traffic the deterministic bubble router accepts more than it, at most 5
/// percent more.
fn c2(columns: &[Column]) -> (&'static str, Option<bool>, String) {
    let adaptive = |column: &Column| column.ns(Family::BubbleAdaptive);
    let best = |column: &Column| column.per_ns.iter().all(|value| *value <= adaptive(column));
    let mut holds = true;
    let mut told = Vec::new();
    for column in columns {
        let dor = column.ns(Family::BubbleDor);
        holds &= match column.traffic {
            Traffic::Random => dor > adaptive(column) && dor <= LITTLE * adaptive(column),
            _ => best(column),
        };
        let values: Vec<String> =
            Family::ALL.iter().zip(&column.per_ns).map(|(r, v)| format!("{} {}", r.title(), short(*v))).collect();
        told.push(format!("{}: {}", column.traffic.name(), values.join(", ")));
    }
    ("c2", Some(holds), format!("most accepted, phits/ns: {}", told.join("; ")))
}

/// Rule of c3, phits/cycle, means over seeds: under at least two of the three permutations the adaptive wormhole router accepts
/// more than each of the others, and at most 20 percent more than the adaptive bubble router.
fn c3(columns: &[Column]) -> (&'static str, Option<bool>, String) {
    let permutations = columns.iter().filter(|c| !matches!(c.traffic, Traffic::Random | Traffic::Bimodal));
    let mut ahead = 0;
    let mut told = Vec::new();
    for column in permutations {
        let wormhole = column.cycle(Family::VcAdaptive);
        let bubble = column.cycle(Family::BubbleAdaptive);
        let first = column.per_cycle.iter().all(|value| *value <= wormhole);
        ahead += u32::from(first && wormhole <= SLIGHTLY * bubble);
        told.push(format!("{} {} against {}", column.traffic.name(), short(wormhole), short(bubble)));
    }
    let evidence = format!("VC Adap against Bubble Adap, phits/cycle: {}", told.join("; "));
    ("c3", Some(ahead >= 2), evidence)
}
