//! Section 5.4.5: VCinfo over a link for each register, and over one link for three; claim c10.

use super::key::{Method, PATTERNS};
use super::ramp::shown;
use super::specs::{PROPAGATION, VCINFO_HOP};
use super::vcinfo::{self, Delays, LONGEST};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};

const ITEM: &str = "propagation";

/// The worst case that the paper derives \[cycles a hop\].
const WORST: usize = 3;

/// Measures durations with both kinds of link, and the delay of a hop.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&PROPAGATION)?;
    let mut part = Part::default();
    for pattern in PATTERNS {
        for margin in [0, 8] {
            part.cells.extend(cells(&runs, pattern, Method::Th(margin)));
        }
    }
    let delays = vcinfo::delays(lab, &VCINFO_HOP)?;
    for (way, delays) in &delays {
        let paper = (way == "shared_link").then_some(WORST as f64);
        let worst = delays.worst().map(|cycles| cycles as f64);
        let row = format!("delay of a hop, {way}");
        let cell = Cell::new(ITEM, row, "longest seen", "cycles", (paper, worst));
        part.cells.push(cell.note(histogram(delays)));
    }
    part.verdicts.push(c10(&delays));
    Ok(part)
}

fn cells(runs: &[Run], pattern: &str, method: Method) -> Vec<Cell> {
    let duration = |way: &str| {
        let mut of_way = runs.iter().filter(|run| run.point.resolved.view("admission").text("propagation") == way);
        of_way.find(|run| run.pattern() == pattern && Method::of(run) == method)?.duration()
    };
    let (Some(ideal), Some(shared)) = (duration("ideal"), duration("shared_link")) else { return Vec::new() };
    let cell =
        |column: &str, value| Cell::new(ITEM, format!("{pattern} {method}"), column, "cycles", (None, Some(value)));
    vec![
        cell("duration, ideal links", ideal),
        cell("duration, shared link", shared).note(format!("{} of ideal", shown(Some(shared / ideal), 3))),
    ]
}

fn histogram(delays: &Delays) -> String {
    let counts: Vec<String> = (1..=LONGEST).map(|cycles| format!("{cycles}: {}", delays.of_hop(cycles))).collect();
    format!("changes by cycles: {}, longer: {}", counts.join(", "), delays.of_hop(LONGEST + 1))
}

/// Rule of c10: of at least 1000 changes timed, none takes more than three cycles for a hop over the shared link and some
/// take exactly three; over a link for each register all take one.
fn c10(delays: &[(String, Delays)]) -> (&'static str, Option<bool>, String) {
    let of = |way: &str| delays.iter().find(|(name, _)| name == way).map(|(_, delays)| *delays).unwrap_or_default();
    let (ideal, shared) = (of("ideal"), of("shared_link"));
    let holds = ideal.worst() == Some(1) && shared.worst() == Some(WORST) && ideal.all().min(shared.all()) >= 1000;
    let evidence = format!(
        "ideal links: {}; shared link: {}; collective rand on 32x32, th(8), ten seeds",
        histogram(&ideal),
        histogram(&shared)
    );
    ("c10", Some(holds), evidence)
}
