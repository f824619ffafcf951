//! Runs the specs of a study, each once however many items use it.

use crate::kept::KeptRuns;
use crate::of_kind;
use crate::of_preset;
use crate::paper::Paper;
use crate::reading::Reading;
use crate::reproduce::{Form, Progress, Settings, StudyError};
use crate::targets::Targets;
use crate::vcinfo::{self, ByWay};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::AtomicU64;
use tailback_probes::SpaceTime;
use tailback_results::{Record, Series, Status};
use tailback_sim::{Control, Finding, LinkUse, Outcome, side_by_side};
use tailback_spec::{Document, Errors, Point};

/// A spec file of `papers/<key>/` and what `--set` makes of it in the short form.
#[derive(Debug)]
pub struct Dataset {
    /// File name without `.toml`.
    pub name: &'static str,
    /// The spec.
    pub text: &'static str,
    /// `--set` arguments of the short form; none where the full one is short enough.
    pub quick: &'static [&'static str],
    /// `--set` arguments of the form that a search of readings runs.
    pub search: &'static [&'static str],
}

impl Dataset {
    /// The points of the spec, which errors call `file`, in a form and under a reading.
    ///
    /// # Errors
    /// A refused spec.
    pub fn points(&self, file: &str, form: Form, reading: &Reading) -> Result<Vec<Point>, Errors> {
        let mut document = Document::parse(file, self.text.as_bytes())?;
        let shorter = match form {
            Form::Full => &[],
            Form::Short => self.quick,
            Form::Search => self.search,
        };
        let sets = shorter.iter().copied().chain(reading.sets(self.name));
        sets.into_iter().try_for_each(|argument| document.set(argument))?;
        for (component, keys) in reading.of_kinds(self.name) {
            let spec: toml::Table = document.to_toml().parse().expect("it was parsed as a spec");
            of_kind::sets(&spec, component, keys).iter().try_for_each(|argument| document.set(argument))?;
        }
        of_preset::expand(&document, &reading.of_presets(self.name))
    }
}

/// What items look at of a run's outcome.
#[derive(Debug)]
pub struct Results {
    /// The row.
    pub record: Record,
    /// Tables over time and others.
    pub series: Vec<Series>,
    /// Space-time charts, where asked for.
    pub space_time: Option<SpaceTime>,
    /// Use of every link, where asked for.
    pub link_map: Option<Vec<LinkUse>>,
    /// Numbers found by analysis.
    pub findings: Vec<Finding>,
}

impl From<Outcome> for Results {
    fn from(outcome: Outcome) -> Self {
        let Outcome { record, series, space_time, link_map, findings, .. } = outcome;
        Results { record, series, space_time, link_map, findings }
    }
}

/// One run of a dataset.
#[derive(Debug)]
pub struct Run {
    /// What was asked for.
    pub point: Point,
    /// What came out.
    pub outcome: Results,
    /// Offered load above which some link would have to carry more than it can \[flits/node/cycle\].
    pub channel_load_bound: Option<f64>,
}

impl Run {
    /// Time of the last delivery of a collective \[cycles\]; `None` where it did not end.
    pub fn duration(&self) -> Option<f64> {
        (self.outcome.record.status == Status::Completed).then_some(self.outcome.record.duration).flatten()
    }
}

/// Where the items of one reproduction run their specs.
pub struct Lab<'a> {
    paper: &'static Paper,
    targets: Targets,
    settings: &'a Settings<'a>,
    reading: Reading,
    item: Cell<&'static str>,
    done: RefCell<BTreeMap<&'static str, Rc<Vec<Run>>>>,
    timed: RefCell<BTreeMap<&'static str, Rc<ByWay>>>,
}

impl<'a> Lab<'a> {
    pub(crate) fn new(paper: &'static Paper, settings: &'a Settings<'a>) -> Self {
        let targets = Targets::new(paper.targets);
        let reading = settings.reading.clone().unwrap_or_else(|| paper.declared());
        let item = Cell::new("");
        Lab { paper, targets, settings, reading, item, done: RefCell::default(), timed: RefCell::default() }
    }

    pub(crate) fn begin(&self, item: &'static str) {
        self.item.set(item);
    }

    /// What the paper prints.
    pub(crate) fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Whether cells and claims are those of the short form.
    pub fn quick(&self) -> bool {
        match self.settings.form {
            Form::Full => false,
            Form::Short => true,
            Form::Search => self.paper.study.form.search.as_ref().is_none_or(|search| !search.judged_as_full),
        }
    }

    /// The form of the runs.
    pub fn form(&self) -> Form {
        self.settings.form
    }

    /// The reading under which specs run and formulas are evaluated.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// All runs of a dataset in the order of its points.
    ///
    /// # Errors
    /// A refused spec, or an interruption.
    pub fn runs(&self, dataset: &Dataset) -> Result<Rc<Vec<Run>>, StudyError> {
        if let Some(runs) = self.done.borrow().get(dataset.name) {
            return Ok(runs.clone());
        }
        let runs = Rc::new(self.run_points(&self.points(dataset)?, dataset.name)?);
        self.done.borrow_mut().insert(dataset.name, runs.clone());
        Ok(runs)
    }

    /// How long changes of VCinfo take in the networks of a dataset, by the way of propagation.
    ///
    /// # Errors
    /// A refused spec.
    pub fn vcinfo_delays(&self, dataset: &Dataset) -> Result<Rc<ByWay>, StudyError> {
        if let Some(delays) = self.timed.borrow().get(dataset.name) {
            return Ok(delays.clone());
        }
        let delays = vcinfo::delays(&self.points(dataset)?);
        let delays = Rc::new(delays.map_err(|errors| StudyError::refused(dataset.name, errors))?);
        self.timed.borrow_mut().insert(dataset.name, delays.clone());
        Ok(delays)
    }

    /// Pretends that a dataset was run, for tests that look at what was asked for.
    #[cfg(test)]
    pub fn pretend(&self, dataset: &Dataset) -> Result<(), StudyError> {
        let runs = self.points(dataset)?.into_iter().map(|point| {
            let record = Record::empty(point.id.clone(), point.seed, "", Status::Completed);
            let outcome =
                Results { record, series: Vec::new(), space_time: None, link_map: None, findings: Vec::new() };
            Run { point, outcome, channel_load_bound: None }
        });
        self.done.borrow_mut().insert(dataset.name, Rc::new(runs.collect()));
        Ok(())
    }

    /// The points of a dataset in this form.
    ///
    /// # Errors
    /// A refused spec.
    pub fn points(&self, dataset: &Dataset) -> Result<Vec<Point>, StudyError> {
        let file = format!("{}/{}.toml", self.paper.folder, dataset.name);
        let points = dataset.points(&file, self.settings.form, &self.reading);
        points.map_err(|errors| StudyError::refused(dataset.name, errors))
    }

    /// Runs on threads. A network is built only when its turn comes: a hundred large ones need not exist at once.
    fn run_points(&self, points: &[Point], spec: &'static str) -> Result<Vec<Run>, StudyError> {
        let Settings { kept, cancel, threads, .. } = *self.settings;
        let mut found: Vec<Option<Run>> = points.iter().map(|_| None).collect();
        let progress = |done: u64| {
            (self.settings.progress)(Progress { item: self.item.get(), done, total: points.len() as u64 });
        };
        progress(0);
        let control = Control { cancel, cycles_done: &AtomicU64::new(0), threads: 1 };
        let mut ended = 0;
        side_by_side(
            points.len(),
            threads,
            cancel,
            |index| kept_or_new(kept, spec, &points[index], &control),
            |run| {
                if let Some((index, run)) = run {
                    found[index] = Some(run?);
                    ended += 1;
                    progress(ended);
                }
                Ok::<(), StudyError>(())
            },
        )?;
        let runs: Option<Vec<Run>> = found.into_iter().collect();
        let whole = |runs: &Vec<Run>| runs.iter().all(|run| run.outcome.record.status != Status::Interrupted);
        runs.filter(whole).ok_or(StudyError::Interrupted)
    }
}

/// The run that an earlier reproduction kept, or else a new one, which is kept.
pub(crate) fn kept_or_new(
    kept: Option<&KeptRuns>,
    spec: &'static str,
    point: &Point,
    control: &Control,
) -> Result<Run, StudyError> {
    if let Some(run) = kept.and_then(|kept| kept.get(point)) {
        return Ok(run);
    }
    let run = one(point, control).map_err(|errors| StudyError::refused(spec, errors))?;
    kept.map_or(Ok(()), |kept| kept.put(&run))?;
    Ok(run)
}

/// Builds a network and runs it.
pub(crate) fn one(point: &Point, control: &Control) -> Result<Run, Errors> {
    let prepared = tailback_sim::prepare(point)?;
    let channel_load_bound = prepared.facts().channel_load_bound;
    let outcome = tailback_sim::run(&prepared, control).into();
    Ok(Run { point: point.clone(), outcome, channel_load_bound })
}
