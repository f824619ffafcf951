//! Running the items of a paper.

use crate::data::Fault;
use crate::kept::KeptRuns;
use crate::lab::Lab;
use crate::paper::{Item, Paper};
use crate::reading::Reading;
use crate::study::{Claim, Part, Study};
use crate::targets::Targets;
use std::sync::atomic::AtomicBool;

/// How far a reproduction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The item under way.
    pub item: &'a str,
    /// Runs of its present spec that are done.
    pub done: u64,
    /// Runs of its present spec.
    pub total: u64,
}

/// How much of a study is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of it.
    Full,
    /// Smaller networks and shorter ramps.
    Short,
    /// What a search of readings runs of each: what the study says, and no pictures.
    Search,
}

/// What to reproduce, and how.
pub struct Settings<'a> {
    /// Names of items; empty for all.
    pub items: Vec<String>,
    /// How much is run.
    pub form: Form,
    /// The reading of this paper under which it runs; the declared one if `None`.
    pub reading: Option<Reading>,
    /// Threads, 0 for one a core. They change no number.
    pub threads: usize,
    /// Where runs are kept as they finish and looked for before they are made; nowhere if `None`.
    pub kept: Option<&'a KeptRuns>,
    /// Set it to stop; finished items are kept. It is set where a run fails, too.
    pub cancel: &'a AtomicBool,
    /// Called on the calling thread after every run.
    pub progress: &'a dyn Fn(Progress<'_>),
}

/// Why there is no study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// An item that the paper does not have.
    #[error("`{paper}` has no item `{item}`; its items are {items}")]
    UnknownItem {
        /// What was asked for.
        item: String,
        /// Key of the paper.
        paper: &'static str,
        /// What there is.
        items: String,
    },
    /// A reading that the study does not have.
    #[error("`{paper}` has no reading `{reading}`; it has {readings}")]
    UnknownReading {
        /// What was asked for.
        reading: String,
        /// Key of the paper.
        paper: &'static str,
        /// What there is.
        readings: String,
    },
    /// A search of a study that has none.
    #[error("`{paper}` has no `[search]`, which says among which readings to search and by which score")]
    NoSearch {
        /// Key of the paper.
        paper: &'static str,
    },
    /// A spec of the study was refused.
    #[error("the study's spec `{spec}` was refused:\n{errors}")]
    Spec {
        /// Name of the spec.
        spec: &'static str,
        /// Why.
        errors: Box<tailback_spec::Errors>,
    },
    /// A `study.toml` is wrong.
    #[error(transparent)]
    Form(Fault),
    /// A picture could not be drawn.
    #[error("picture `{name}`: {cause}")]
    Picture {
        /// Its name.
        name: String,
        /// Why.
        cause: String,
    },
    /// A run could not be kept.
    #[error(transparent)]
    Keep(#[from] tailback_results::Error),
    /// The user stopped it; [`reproduce`] answers with what was finished instead.
    #[error("interrupted")]
    Interrupted,
}

impl StudyError {
    pub(crate) fn refused(spec: &'static str, errors: tailback_spec::Errors) -> Self {
        StudyError::Spec { spec, errors: Box::new(errors) }
    }
}

/// Reproduces a paper or some of its items.
///
/// # Errors
/// An unknown item; a spec of the study that is refused, or a picture that cannot be drawn, which are faults of the
/// study.
pub fn reproduce(paper: &'static Paper, settings: &Settings) -> Result<Study, StudyError> {
    let chosen = chosen(paper, &settings.items)?;
    let lab = Lab::new(paper, settings);
    let mut study = Study {
        paper,
        quick: lab.quick(),
        reading: lab.reading().clone(),
        items: Vec::new(),
        cells: Vec::new(),
        claims: Vec::new(),
        figures: Vec::new(),
        notes: Vec::new(),
        interrupted: false,
    };
    for item in chosen {
        lab.begin(item.name);
        match item.measure(&lab) {
            Ok(part) => add(&mut study, item, part, lab.targets()),
            Err(StudyError::Interrupted) => {
                study.interrupted = true;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    study.claims.sort_by_key(|claim| claim.id[1..].parse::<u32>().unwrap_or(u32::MAX));
    Ok(study)
}

/// The items asked for, each once, in the order of the paper.
fn chosen(paper: &'static Paper, names: &[String]) -> Result<Vec<&'static Item>, StudyError> {
    if let Some(item) = names.iter().find(|name| paper.item(name).is_none()) {
        return Err(StudyError::UnknownItem { item: item.clone(), paper: paper.key, items: paper.item_names() });
    }
    Ok(paper.items.iter().filter(|item| names.is_empty() || names.iter().any(|name| name == item.name)).collect())
}

fn add(study: &mut Study, item: &'static Item, part: Part, targets: &Targets) {
    study.items.push(item.name);
    study.cells.extend(part.cells);
    study.figures.extend(part.figures);
    study.notes.extend(part.notes.into_iter().map(|note| (item.name, note)));
    for verdict in part.verdicts {
        let printed = || targets.claim(verdict.id).unwrap_or_default().to_owned();
        study.claims.push(Claim {
            id: verdict.id.to_owned(),
            text: verdict.text.unwrap_or_else(printed),
            holds: verdict.holds,
            evidence: verdict.evidence,
            beside: verdict.beside,
            held_back: verdict.held_back,
        });
    }
}
