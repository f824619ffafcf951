//! Tables 1 to 4: areas and delays, put together by `tailback_cost`; claim c6.

use crate::lab::Lab;
use crate::reproduce::StudyError;
use crate::seeds::short;
use crate::study::{Cell, Part};
use tailback_cost::{Cost, Family, Module, Variant, price};

/// Half of the last printed digit, and what arithmetic in binary adds.
const EXACT: f64 = 0.005_000_1;

/// The price of a router of the paper; none is refused.
fn paper(family: Family, dimensions: u32, queue_phits: Option<u32>) -> Option<Cost> {
    price(Variant { queue_phits, ..Variant::of(family, dimensions) }).ok()
}

/// A cell that has to be what is printed, to the last digit.
fn exact(item: &'static str, row: &str, column: &str, unit: &'static str, values: (Option<f64>, Option<f64>)) -> Cell {
    let same = matches!(values, (Some(printed), Some(found)) if (printed - found).abs() <= EXACT);
    Cell::new(item, row, column, unit, values).require("as printed", same)
}

/// The modules of a table whose names begin so: delay, area of all, count.
fn module<'c>(cost: &'c Cost, name: &str) -> Option<&'c Module> {
    cost.modules.iter().find(|module| module.name.starts_with(name))
}

fn area(module: &Module) -> f64 {
    module.area_mm2.as_ref().map_or(0.0, |area| area.number)
}

/// Delay, area and count of a module beside what is printed at `path` (the count may be missing there).
fn triple(lab: &Lab, item: &'static str, row: &str, path: &str, found: (f64, f64, u32)) -> Vec<Cell> {
    let printed = |i| lab.targets().element(path, i);
    let mut cells = vec![
        exact(item, row, "critical path", "ns", (printed(0), Some(found.0))),
        exact(item, row, "area of one", "mm2", (printed(1), Some(found.1))),
    ];
    if printed(2).is_some() {
        cells.push(exact(item, row, "count", "", (printed(2), Some(f64::from(found.2)))));
    }
    cells
}

/// Table 1.
pub fn table1(lab: &Lab) -> Result<Part, StudyError> {
    const ITEM: &str = "table1";
    let family = Family::BubbleAdaptive;
    let mut part = Part::default();
    let modules = [
        ("sync", "synchroniser", None),
        ("queue_32", "queue", Some(32)),
        ("queue_64", "queue", None),
        ("queue_128", "queue", Some(128)),
        ("routing_decision_unit", "routing decision unit", None),
        ("crossbar_arbiter", "crossbar and arbiter", None),
    ];
    for (key, name, phits) in modules {
        let cost = paper(family, 2, phits);
        if let Some(module) = cost.as_ref().and_then(|cost| module(cost, name)) {
            let found = (module.delay_ns.number, area(module), module.count);
            part.cells.extend(triple(lab, ITEM, &module.name, &format!("table1_bubble_adaptive.{key}"), found));
        }
    }
    if let Some(cost) = paper(family, 2, None) {
        let found = (cost.cycle_ns.number, cost.area_mm2.number, 0);
        part.cells.extend(triple(lab, ITEM, "total, 64 phits", "table1_bubble_adaptive.total_64", found));
    }
    Ok(part)
}

/// Table 2.
pub fn table2(lab: &Lab) -> Result<Part, StudyError> {
    const ITEM: &str = "table2";
    let mut part = Part::default();
    for family in [Family::BubbleDor, Family::VcDor, Family::VcAdaptive] {
        let Some(cost) = paper(family, 2, None) else { continue };
        let mut push = |key: &str, found: (f64, f64, u32)| {
            let path = format!("table2_modules.{}.{key}", family.name());
            part.cells.extend(triple(
                lab,
                ITEM,
                &format!("{}, {}", family.title(), key.replace('_', " ")),
                &path,
                found,
            ));
        };
        let of = |module: &Module| (module.delay_ns.number, area(module), module.count);
        for (key, name) in [("sync", "synchroniser"), ("crossbar_arbiter", "crossbar"), ("arbiter", "arbiter")] {
            module(&cost, name).into_iter().for_each(|module| push(key, of(module)));
        }
        for (key, name) in [("routing", "routing unit"), ("routing", "address decoder"), ("controller", "virtual")] {
            module(&cost, name).into_iter().for_each(|module| push(key, of(module)));
        }
        // The table counts the queues of a link as one.
        if let Some(queue) = module(&cost, "queue") {
            let node = module(&cost, "injection queue").unwrap_or(queue);
            let links = queue.count - u32::from(std::ptr::eq(node, queue));
            let one = area(queue) * f64::from(links) / 4.0;
            push("queue", (queue.delay_ns.number, one, 4));
            push("injection_queue", (node.delay_ns.number, area(node), 1));
        }
        let found = (cost.cycle_ns.number, cost.area_mm2.number, 0);
        part.cells.extend(triple(
            lab,
            ITEM,
            &format!("{}, total", family.title()),
            &format!("table2_total.{}", family.name()),
            found,
        ));
    }
    Ok(part)
}

/// Cells of a router that tables 3 and 4 have in common.
fn router(lab: &Lab, item: &'static str, cost: &Cost) -> Vec<Cell> {
    let family = cost.variant.family;
    let path = |key: &str| format!("{item}.{}.{key}", family.name());
    let cell = |column: &str, unit, printed, found| exact(item, family.title(), column, unit, (printed, Some(found)));
    let targets = lab.targets();
    let cycles = |i| targets.element(&path("cycles"), i).or_else(|| targets.number(&path("cycles")));
    let mut cells = vec![
        cell("cycles, straight on", "cycles", cycles(0), f64::from(cost.cycles.0)),
        cell("cycles at a turn", "cycles", cycles(1), f64::from(cost.cycles.1)),
        cell("crossbar inputs", "", targets.element(&path("crossbar"), 0), f64::from(cost.crossbar.0)),
        cell("crossbar outputs", "", targets.element(&path("crossbar"), 1), f64::from(cost.crossbar.1)),
        cell("cycle", "ns", targets.number(&path("cycle_ns")), cost.cycle_ns.number),
    ];
    if let Some(printed) = targets.number(&path("hop_ns")) {
        cells.push(cell("hop", "ns", Some(printed), cost.hop_ns.number));
    }
    if let Some(printed) = targets.number(&path("area_mm2")) {
        cells.push(cell("area", "mm2", Some(printed), cost.area_mm2.number));
    }
    let queues = cost.queues.iter().enumerate();
    cells.extend(queues.filter_map(|(i, phits)| {
        let printed = targets.element(&path("queues"), i)?;
        Some(cell(&format!("queue {i}"), "phits", Some(printed), f64::from(*phits)))
    }));
    cells
}

/// Table 3, with claim c6.
pub fn table3(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = Part::default();
    for cost in Family::ALL.into_iter().filter_map(|family| paper(family, 2, None)) {
        part.cells.extend(router(lab, "table3", &cost));
    }
    part.verdicts.push(c6());
    Ok(part)
}

/// Rule of c6: the quotient of the two areas, rounded to whole percent, is 56 or 57.
fn c6() -> (&'static str, Option<bool>, String) {
    let area = |family| paper(family, 2, None).map(|cost| cost.area_mm2.number);
    let share = area(Family::BubbleAdaptive).zip(area(Family::VcAdaptive)).map(|(bubble, wormhole)| bubble / wormhole);
    let holds = share.is_some_and(|share| [56.0, 57.0].contains(&(100.0 * share).round()));
    ("c6", Some(holds), format!("{} % of the area", share.map_or("?".to_owned(), |share| short(100.0 * share))))
}

/// Table 4.
pub fn table4(lab: &Lab) -> Result<Part, StudyError> {
    const ITEM: &str = "table4";
    let mut part = Part::default();
    for cost in Family::ALL.into_iter().filter_map(|family| paper(family, 3, None)) {
        part.cells.extend(router(lab, ITEM, &cost));
        // Of the adaptive wormhole router the table gives the arbiter's path, which is the longer one.
        if let Some(path) = module(&cost, "arbiter").or_else(|| module(&cost, "crossbar")) {
            let family = cost.variant.family;
            let printed = lab.targets().number(&format!("{ITEM}.{}.critical_path_ns", family.name()));
            let values = (printed, Some(path.delay_ns.number));
            part.cells.push(exact(ITEM, family.title(), "crossbar critical path", "ns", values));
        }
    }
    part.notes
        .push("The paper has no areas of routers for three dimensions; `tailback cost` extrapolates them.".to_owned());
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::super::PAPER;
    use crate::lab::Lab;
    use crate::reproduce::Settings;
    use crate::study::Part;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn tables_1_to_4_are_exact() {
        let cancel = AtomicBool::new(false);
        let settings =
            Settings { items: Vec::new(), quick: false, threads: 1, kept: None, cancel: &cancel, progress: &|_| {} };
        let lab = Lab::new(&PAPER, &settings);
        let parts = [super::table1, super::table2, super::table3, super::table4].map(|table| table(&lab).unwrap());
        let counts = parts.each_ref().map(|part: &Part| part.cells.len());
        assert_eq!(counts, [18, 60, 36, 24]);
        for cell in parts.iter().flat_map(|part| &part.cells) {
            assert_eq!(cell.ok, Some(true), "{cell:?}");
        }
        assert_eq!(parts[2].verdicts[0].1, Some(true), "{:?}", parts[2].verdicts);
    }
}
