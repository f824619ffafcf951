//! Which readings are tried, and in which order.

use crate::data::DataStudy;

/// Candidates of every question that a search goes through: their number, or the one choice of a question that is not searched.
fn searched(study: &DataStudy, from: &[usize]) -> Vec<Vec<usize>> {
    let questions = study.form.question.iter().zip(from);
    questions
        .map(|(question, own)| if question.searched { (0..question.candidate.len()).collect() } else { vec![*own] })
        .collect()
}

/// The readings with one change against `from`, in the order of the study.
pub fn singles(study: &DataStudy, from: &[usize]) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for (question, candidates) in searched(study, from).into_iter().enumerate() {
        for candidate in candidates.into_iter().filter(|candidate| *candidate != from[question]) {
            let mut reading = from.to_vec();
            reading[question] = candidate;
            found.push(reading);
        }
    }
    found
}

/// The readings with two changes or more against `from`, those first whose changes gained most alone. `gain` says what a
/// candidate gained alone; it is none where the candidate was refused, and such combinations are left out.
pub fn combinations(
    study: &DataStudy,
    from: &[usize],
    gain: &dyn Fn(usize, usize) -> Option<f64>,
    most: usize,
) -> Vec<Vec<usize>> {
    let mut all: Vec<(f64, usize, Vec<usize>)> = vec![(0.0, 0, Vec::new())];
    for (question, candidates) in searched(study, from).into_iter().enumerate() {
        let mut longer = Vec::new();
        for (gained, changes, chosen) in &all {
            for candidate in &candidates {
                let changed = *candidate != from[question];
                let Some(more) = (if changed { gain(question, *candidate) } else { Some(0.0) }) else { continue };
                let chosen = chosen.iter().copied().chain([*candidate]).collect();
                longer.push((gained + more, changes + usize::from(changed), chosen));
            }
        }
        all = longer;
    }
    all.retain(|(_, changes, _)| *changes >= 2);
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then_with(|| a.2.cmp(&b.2)));
    all.into_iter().take(most).map(|(_, _, chosen)| chosen).collect()
}
