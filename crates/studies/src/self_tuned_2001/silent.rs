//! What some choices do on which the paper is silent: ties, selection, the token, "significantly below".

use super::curve::{Curve, form, seeds, short, throughput};
use super::key::{Method, Mode};
use super::specs::{SILENT_MAX, SILENT_SELECTION, SILENT_TIE, SILENT_TOKEN};
use crate::lab::{Dataset, Lab, Run};
use crate::reproduce::StudyError;
use crate::study::{Cell, Part};

const ITEM: &str = "silent";

/// One choice.
struct Choice {
    name: &'static str,
    dataset: Dataset,
    /// A run's setting.
    setting: fn(&Run) -> String,
}

const CHOICES: [Choice; 4] = [
    Choice { name: "tie, butterfly", dataset: SILENT_TIE, setting: tie },
    Choice { name: "selection, random, Base", dataset: SILENT_SELECTION, setting: selection },
    Choice { name: "token, random, Base", dataset: SILENT_TOKEN, setting: token },
    Choice { name: "significantly below, random, Tune", dataset: SILENT_MAX, setting: below },
];

fn tie(run: &Run) -> String {
    format!("{}, {}", run.point.resolved.view("routing").text("tie"), Method::of(run))
}

fn selection(run: &Run) -> String {
    run.point.resolved.view("selection").kind().to_owned()
}

fn token(run: &Run) -> String {
    run.point.resolved.view("recovery").text("token").to_owned()
}

fn below(run: &Run) -> String {
    format!("{} of the best", run.point.resolved.view("admission").float("max_fraction"))
}

/// Measures throughput at the peak and at the highest load of each spec, by setting.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = Part::default();
    for choice in &CHOICES {
        let runs = lab.runs(&choice.dataset)?;
        let mut settings: Vec<(Mode, String)> = Vec::new();
        for run in runs.iter() {
            let setting = (Mode::of(run), (choice.setting)(run));
            if !settings.contains(&setting) {
                settings.push(setting);
            }
        }
        for (mode, setting) in settings {
            let here = |run: &&Run| Mode::of(run) == mode && (choice.setting)(run) == setting;
            let curve = Curve::of(runs.iter().filter(here));
            let row = format!("{}, {}", mode.name(), choice.name);
            part.cells.extend(cell(lab, &row, &setting, &curve));
        }
    }
    part.notes
        .push("The study itself has tie sign, selection first, token walk and three quarters of the best.".to_owned());
    Ok(part)
}

fn cell(lab: &Lab, row: &str, setting: &str, curve: &Curve) -> Option<Cell> {
    let (point, peak) = curve.peak()?;
    let end = curve.last()?.summary(throughput);
    let note = format!("{}; most {} at {} packets/node/cycle", seeds(end), short(peak), short(point.rate));
    let column = format!("throughput at the highest load, {setting}{}", form(lab));
    Some(Cell::new(ITEM, row, column, "flits/node/cycle", (None, end.map(|end| end.mean))).note(note))
}
