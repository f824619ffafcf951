//! The runs of several readings in one pool, so that no core waits for the last run of a spec.

use crate::data::DataStudy;
use crate::kept::KeptRuns;
use crate::lab::kept_or_new;
use crate::paper::Paper;
use crate::reading::Reading;
use crate::reproduce::{Form, StudyError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tailback_sim::{Control, side_by_side};
use tailback_spec::Point;

/// The points that a search needs under these readings and that are not kept yet, each once, with the names of their specs. A spec that
/// a reading makes impossible is left out: the reading itself says so when it is tried. Ends early where `stop` is set.
pub fn points(
    paper: &'static Paper,
    readings: &[Reading],
    kept: &KeptRuns,
    stop: &AtomicBool,
) -> Vec<(&'static str, Point)> {
    let mut found = BTreeMap::new();
    for dataset in specs(paper.study).into_iter().map(|name| paper.study.dataset(name)) {
        let file = format!("{}/{}.toml", paper.folder, dataset.name);
        let asked = readings.iter().take_while(|_| !stop.load(Ordering::Relaxed));
        for point in asked.filter_map(|reading| dataset.points(&file, Form::Search, reading).ok()).flatten() {
            found.entry(point.id.clone()).or_insert((dataset.name, point));
        }
    }
    found.into_values().filter(|(_, point)| !kept.has(point)).collect()
}

/// The specs of the items of the search.
fn specs(study: &'static DataStudy) -> BTreeSet<&'static str> {
    let items = study.form.search.iter().flat_map(|search| &search.items).map(|item| study.item(item.get_ref()));
    items.flat_map(crate::data::specs_of).collect()
}

/// Runs these points and keeps them.
///
/// # Errors
/// A run that cannot be kept. A spec that is refused is no error here.
pub fn run(
    points: &[(&'static str, Point)],
    kept: &KeptRuns,
    threads: usize,
    stop: &AtomicBool,
    progress: &dyn Fn(u64),
) -> Result<(), StudyError> {
    let control = Control { cancel: stop, cycles_done: &AtomicU64::new(0), threads: 1 };
    let mut ended = 0;
    side_by_side(
        points.len(),
        threads,
        stop,
        |index| kept_or_new(Some(kept), points[index].0, &points[index].1, &control).map(drop),
        |done| match done {
            Some((_, Err(error @ StudyError::Keep(_)))) => Err(error),
            Some(_) => {
                ended += 1;
                progress(ended);
                Ok(())
            }
            None => Ok(()),
        },
    )
}

/// How many points these readings need that are not kept.
#[cfg(test)]
pub(crate) fn unkept(paper: &'static Paper, readings: &[Reading], kept: &KeptRuns) -> usize {
    points(paper, readings, kept, &AtomicBool::new(false)).len()
}
