//! Runs the readings of a search.

use super::score::Tally;
use super::{ahead, plan};
use crate::data::Fault;
use crate::kept::KeptRuns;
use crate::paper::Paper;
use crate::reading::Reading;
use crate::reproduce::{Form, Progress, Settings, StudyError, reproduce};
use crate::study::Study;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tailback_sim::{prepare, threads_each};

/// How often the watch looks whether the user or the clock stops the search.
const WATCH: Duration = Duration::from_millis(20);

/// A reading that was tried.
#[derive(Debug)]
pub struct Tried {
    /// The reading.
    pub reading: Reading,
    /// What the study's score makes of what is chosen by.
    pub score: f64,
    /// What is chosen by.
    pub choosing: Tally,
    /// What is held back.
    pub held_back: Tally,
    /// What was measured, without pictures.
    pub study: Study,
}

/// A reading under which a spec is refused.
#[derive(Debug)]
pub struct Refused {
    /// The reading.
    pub reading: Reading,
    /// Why.
    pub why: String,
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All planned readings were tried, and the best ones were run whole.
    Done,
    /// Its time was over.
    Budget,
    /// The user stopped it.
    Interrupted,
}

/// What a search found.
#[derive(Debug)]
pub struct Search {
    /// The paper.
    pub paper: &'static Paper,
    /// The readings that were tried, the best first; of equal ones, that with fewer changes.
    pub tried: Vec<Tried>,
    /// Those whose specs are refused.
    pub refused: Vec<Refused>,
    /// How many readings were to be tried.
    pub planned: usize,
    /// The best readings whole, the best of the search first.
    pub whole: Vec<Study>,
    /// Whether "whole" is the short form.
    pub whole_is_short: bool,
    /// Why it ended.
    pub ended: Ended,
}

/// What to search, and how.
pub struct SearchSettings<'a> {
    /// Whether the best readings are rerun in the short form, not in the full one.
    pub whole: Form,
    /// When the search stops by itself.
    pub budget: Option<Duration>,
    /// Threads, 0 for one a core.
    pub threads: usize,
    /// Where runs are kept.
    pub kept: Option<&'a KeptRuns>,
    /// Set it to stop.
    pub cancel: &'a AtomicBool,
    /// Called on the calling thread after every run.
    pub progress: &'a dyn Fn(Progress<'_>),
}

/// Searches among the readings of a study.
///
/// # Errors
/// A study without `[search]`, a candidate that no spec accepts, and those of [`reproduce`].
pub fn search(paper: &'static Paper, settings: &SearchSettings) -> Result<Search, StudyError> {
    let Some(form) = &paper.study.form.search else { return Err(StudyError::NoSearch { paper: paper.key }) };
    let from = Reading::named(paper.study, form.from.get_ref()).expect("it was checked as the study was read");
    check_candidates(paper, &from, settings.cancel)?;
    let stop = AtomicBool::new(false);
    let over = AtomicBool::new(false);
    let end = settings.budget.and_then(|budget| Instant::now().checked_add(budget));
    std::thread::scope(|scope| {
        let (stop, watched, ended) = (&stop, settings.cancel, &over);
        scope.spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                if watched.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end) {
                    stop.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(WATCH);
            }
        });
        let mut searched =
            Searching { paper, settings, from: &from, stop, tried: Vec::new(), refused: Vec::new(), planned: 0 };
        let found = {
            let _ends = Ends(&over);
            searched.run()
        };
        let whole = found?;
        let ended = match (settings.cancel.load(Ordering::Relaxed), stop.load(Ordering::Relaxed)) {
            (true, _) => Ended::Interrupted,
            (_, true) => Ended::Budget,
            _ => Ended::Done,
        };
        let Searching { tried, refused, planned, .. } = searched;
        Ok(Search { paper, tried, refused, planned, whole, whole_is_short: settings.whole != Form::Full, ended })
    })
}

/// Ends the watch, also where a search panics.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Finds a candidate that a spec refuses, before anything runs: each alone, with the first point of every spec. Ends early where `stop`
/// is set.
pub(crate) fn check_candidates(paper: &'static Paper, from: &Reading, stop: &AtomicBool) -> Result<(), StudyError> {
    let study = paper.study;
    let places = study.form.question.iter().enumerate();
    for (question, at) in places.flat_map(|(at, question)| (0..question.candidate.len()).map(move |c| (at, c))) {
        let mut chosen = from.chosen().to_vec();
        chosen[question] = at;
        let reading = Reading::of(study, chosen, from);
        for dataset in study.datasets.values().take_while(|_| !stop.load(Ordering::Relaxed)) {
            let file = format!("{}/{}.toml", paper.folder, dataset.name);
            let points = dataset.points(&file, Form::Search, &reading);
            let first = points.and_then(|points| points.first().map_or(Ok(()), |first| prepare(first).map(drop)));
            first.map_err(|errors| {
                let name = &study.form.question[question].candidate[at].name;
                let told = format!("the spec `{}` does not take this candidate: {errors}", dataset.name);
                StudyError::Form(Fault::at(&study.file, &study.source, &name.span(), &told))
            })?;
        }
    }
    Ok(())
}

struct Searching<'a> {
    paper: &'static Paper,
    settings: &'a SearchSettings<'a>,
    from: &'a Reading,
    stop: &'a AtomicBool,
    tried: Vec<Tried>,
    refused: Vec<Refused>,
    planned: usize,
}

impl Searching<'_> {
    /// Tries all readings and runs the best ones whole.
    fn run(&mut self) -> Result<Vec<Study>, StudyError> {
        let study = self.paper.study;
        let from = self.from.chosen().to_vec();
        let form = study.form.search.as_ref().expect("there is a search");
        let mut plan = vec![from.clone()];
        plan.extend(study.readings.values().cloned());
        plan.extend(plan::singles(study, &from));
        let all = study.form.question.iter().filter(|question| question.searched);
        let product = all.fold(1_usize, |all, question| all.saturating_mul(question.candidate.len()));
        let single = unlike(&plan, &[]);
        let names = study.readings.len();
        self.planned = single.len() + (product - 1 - plan::singles(study, &from).len()).min(form.combinations);
        self.try_all(&single)?;
        let gain = |question: usize, candidate: usize| self.gain(question, candidate);
        let more = plan::combinations(study, &from, &gain, form.combinations + names);
        let mut more = unlike(&more, &single);
        more.truncate(form.combinations);
        self.planned = single.len() + more.len();
        self.try_all(&more)?;
        let number = |tried: &Tried| tried.reading.changes(self.from).len();
        self.tried.sort_by(|a, b| b.score.total_cmp(&a.score).then(number(a).cmp(&number(b))));
        self.whole(form.best)
    }

    /// Tries these readings until the search is stopped.
    fn try_all(&mut self, readings: &[Vec<usize>]) -> Result<(), StudyError> {
        for some in readings.chunks(threads_each(self.settings.threads, 1)) {
            let some: Vec<Reading> =
                some.iter().map(|chosen| Reading::of(self.paper.study, chosen.clone(), self.from)).collect();
            self.run_ahead(&some)?;
            for reading in some {
                if self.is_over() {
                    return Ok(());
                }
                self.try_one(reading)?;
            }
        }
        Ok(())
    }

    /// Runs what these readings need on all threads, where runs are kept.
    fn run_ahead(&self, readings: &[Reading]) -> Result<(), StudyError> {
        let Some(kept) = self.settings.kept else { return Ok(()) };
        let first = self.tried.len() + self.refused.len() + 1;
        let told = format!("readings {first} to {} of {}", first + readings.len() - 1, self.planned);
        let points = ahead::points(self.paper, readings, kept, self.stop);
        let progress = |done: u64| {
            (self.settings.progress)(Progress { item: &told, done, total: points.len() as u64 });
        };
        ahead::run(&points, kept, self.settings.threads, self.stop, &progress)
    }

    /// Whether the search is to stop, also where the watch has not seen it yet.
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.settings.cancel.load(Ordering::Relaxed)
    }

    fn try_one(&mut self, reading: Reading) -> Result<(), StudyError> {
        let form = self.paper.study.form.search.as_ref().expect("there is a search");
        let items = form.items.iter().map(|item| item.get_ref().clone()).collect();
        let number = self.tried.len() + self.refused.len() + 1;
        let told = format!("reading {number} of {}", self.planned);
        let study = match self.reproduced(items, Form::Search, &reading, &told) {
            Ok(study) => study,
            Err(StudyError::Spec { spec, errors }) => {
                // A failed run stops the others of its spec, not the search.
                self.stop.store(false, Ordering::Relaxed);
                let why = format!("{spec}: {errors}").replace('\n', " ");
                self.refused.push(Refused { reading, why });
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        if study.interrupted {
            return Ok(());
        }
        let (choosing, held_back) = (Tally::choosing(&study), Tally::held_back(&study));
        let score = choosing.score(&form.score.is);
        let score = score.map_err(|fault| StudyError::Form(self.paper.study.fault(&form.score.span, &fault)))?;
        self.tried.push(Tried { reading, score, choosing, held_back, study });
        Ok(())
    }

    /// The best readings, whole, as far as the time goes.
    fn whole(&self, best: usize) -> Result<Vec<Study>, StudyError> {
        let mut found = Vec::new();
        for (at, tried) in self.tried.iter().take(best).enumerate() {
            if self.is_over() {
                break;
            }
            let told = format!("best {} of {best}, whole", at + 1);
            let study = self.reproduced(Vec::new(), self.settings.whole, &tried.reading, &told)?;
            if !study.interrupted {
                found.push(study);
            }
        }
        Ok(found)
    }

    fn reproduced(&self, items: Vec<String>, form: Form, reading: &Reading, told: &str) -> Result<Study, StudyError> {
        let progress = |progress: Progress<'_>| {
            let item = format!("{told}, {}", progress.item);
            (self.settings.progress)(Progress { item: &item, ..progress });
        };
        let SearchSettings { threads, kept, .. } = *self.settings;
        let settings = Settings {
            items,
            form,
            reading: Some(reading.clone()),
            threads,
            kept,
            cancel: self.stop,
            progress: &progress,
        };
        reproduce(self.paper, &settings)
    }

    /// What a candidate gained alone against the reading that the search starts from; none where it was refused.
    fn gain(&self, question: usize, candidate: usize) -> Option<f64> {
        let mut chosen = self.from.chosen().to_vec();
        let start = self.score_of(&chosen)?;
        chosen[question] = candidate;
        let gain = self.score_of(&chosen)? - start;
        Some(if gain.is_nan() { 0.0 } else { gain })
    }

    fn score_of(&self, chosen: &[usize]) -> Option<f64> {
        self.tried.iter().find(|tried| tried.reading.chosen() == chosen).map(|tried| tried.score)
    }
}

/// The readings that are not among the others, each once.
fn unlike(readings: &[Vec<usize>], others: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    for reading in readings {
        if !others.contains(reading) && !found.contains(reading) {
            found.push(reading.clone());
        }
    }
    found
}
