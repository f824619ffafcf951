//! One `tailback run`: what is done with each point as it ends, and with all of them at the end.

use crate::anatomy;
use crate::booksim::object::with_figures;
use crate::bounds::above;
use crate::chosen::{ShowArgs, WhereArgs};
use crate::collapse::collapses;
use crate::drawings::{self, Axes, Drawn, Seen};
use crate::exit::{self, Failure, Result};
use crate::failures::Failures;
use crate::folder::{Folder, Picture};
use crate::interrupt;
use crate::latency_split;
use crate::made::Made;
use crate::over_time::Joined;
use crate::overview;
use crate::points::{Points, Source, code_unless_stopped};
use crate::ramps;
use crate::report::{Content, Names};
use crate::runner::{Done, Watcher};
use crate::show::numbers::{count, thousands};
use crate::show::progress::Bar;
use crate::show::{self, progress::Progress, records};
use crate::time_series::Traces;
use crate::twins;
use crate::why;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::time::Instant;
use tailback_pictures::figure::Figure;
use tailback_pictures::terminal::Paint;
use tailback_results::{Record, Series, json_lines};
use tailback_sim::{Facts, Finding, Outcome, Settled, Why};
use tailback_spec::{Point, Resolved};
use tailback_summary::points;
use tailback_summary::table::table;

/// Runs of which windows and latencies are kept for pictures over time.
const MOST_TRACES: usize = 10_000;

/// Points with a section of their own in the report.
const MOST_POINTS: usize = 12;

/// Points whose end the report explains.
const MOST_TOLD: usize = 20;

/// What is printed, point by point, instead of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Print nothing, because there is a page.
    None,
    /// Print nothing at all.
    Nothing,
    /// Records, in the order of the sweep.
    Records,
    /// How points ended and why, in the same order.
    Why,
    /// How points ended and why, in words, as pages.
    Words,
}

/// Why a point ended as it did, in words.
struct Explanation {
    point: String,
    text: String,
    /// The text line by line; only for a single point.
    page: String,
    /// Whether that end has an exit code of its own.
    trouble: bool,
}

/// The state of a run.
pub struct Session<'a> {
    points: &'a Points,
    /// What there is to say of the first point, known before anything runs: whoever interrupts waits for nothing.
    facts: Facts,
    rows: Rows,
    /// How points ended and why, where that is printed.
    why: Vec<Option<String>>,
    folder: Option<Folder>,
    records: Vec<Option<Record>>,
    /// What the rule of periods came to, point by point.
    settled: Vec<Option<Settled>>,
    /// Packets that can wait for each other forever, in words, where a file of BookSim has some.
    circle: Vec<String>,
    failed: Failures,
    /// Which points have rows.
    filter: WhereArgs,
    /// The next point to print as JSON: rows come in the order of the sweep.
    printed: usize,
    explanations: Vec<Explanation>,
    findings: Vec<(usize, Finding)>,
    /// What is to be said of ramps beside their critical loads, by point.
    remarks: Vec<(usize, String)>,
    /// The anatomy of the congestion of the last point that has one.
    anatomy: Option<Value>,
    /// The tables of a single run.
    traces: Option<Traces>,
    /// What pictures over time need of each run of many, by its identity.
    joined: HashMap<String, Joined>,
    /// The parts of latency, where there is a single point.
    split: Vec<Series>,
    progress: Progress,
    /// Nobody reads standard output any more, but the folder is still wanted.
    deaf: bool,
    /// Points finished by an earlier run, and by this one.
    kept: usize,
    ran: usize,
    start: Instant,
}

impl<'a> Session<'a> {
    /// A session about to begin. `folder` holds what an earlier run finished, if that is to be kept.
    pub fn new(points: &'a Points, folder: Option<Folder>, rows: Rows, bar: Bar) -> Result<Session<'a>> {
        let mut records: Vec<Option<Record>> = vec![None; points.count()];
        if let Some(folder) = folder.as_ref().filter(|folder| folder.keeps_some()) {
            for (record, point) in records.iter_mut().zip(points.iter()) {
                *record = folder.kept(&point?.id).cloned();
            }
        }
        let mut why = vec![None; if matches!(rows, Rows::Why | Rows::Words) { points.count() } else { 0 }];
        if let Some(folder) = &folder {
            for (why, record) in why.iter_mut().zip(&records) {
                *why = record.as_ref().and_then(|record| kept_why(rows, folder, (points.count(), record)));
            }
        }
        let (steps, kept) = (points.cycles.unwrap_or(points.count() as u64), records.iter().flatten().count());
        Ok(Session {
            points,
            facts: points.first()?.facts_unless(interrupt::flag()).ok_or(Failure::Interrupted)?,
            rows,
            why,
            folder,
            settled: vec![None; records.len()],
            circle: Vec::new(),
            records,
            failed: Failures::default(),
            filter: WhereArgs::default(),
            printed: 0,
            explanations: Vec::new(),
            findings: Vec::new(),
            remarks: Vec::new(),
            anatomy: None,
            traces: None,
            joined: HashMap::new(),
            split: Vec::new(),
            progress: Progress::new(steps, bar),
            deaf: false,
            kept,
            ran: 0,
            start: Instant::now(),
        })
    }

    /// The same, with rows of the points that `filter` chooses alone.
    pub fn only(mut self, filter: &WhereArgs) -> Session<'a> {
        self.filter = filter.clone();
        self
    }

    /// The points that are still to be run.
    pub fn pending(&self) -> Vec<usize> {
        let pending = |index: &usize| self.records[*index].is_none() && !self.failed.has(*index);
        (0..self.records.len()).filter(pending).collect()
    }

    /// Prints rows as far as they are complete in the order of the sweep; with `all`, those after gaps as well.
    fn print_json(&mut self, all: bool) -> Result<()> {
        while let Some(record) = self.records.get(self.printed) {
            if record.is_none() && !all && !self.failed.has(self.printed) {
                break;
            }
            let chosen = record.as_ref().filter(|record| self.filter.has(record));
            let line = match self.rows {
                Rows::Why | Rows::Words => chosen.and(self.why[self.printed].take()),
                Rows::Nothing => None,
                Rows::None | Rows::Records => chosen.map(|record| self.line(record)).transpose()?,
            };
            self.printed += 1;
            if let (Some(line), false) = (line, self.deaf) {
                match show::print(&line) {
                    Err(Failure::Pipe) if self.folder.is_some() => self.deaf = true,
                    printed => printed?,
                }
            }
        }
        Ok(())
    }

    /// The same, where packets can wait for each other in this circle.
    pub fn with_circle(self, circle: Vec<String>) -> Self {
        Session { circle, ..self }
    }

    /// The line of a record, with BookSim's figures where it has some.
    fn line(&self, record: &Record) -> Result<String> {
        let line = json_lines::to_line(record)?;
        Ok(match &self.settled[self.printed] {
            Some(settled) => with_figures(&line, settled, &self.circle),
            None => line,
        })
    }

    /// Keeps what pictures over time need.
    fn keep_traces(&mut self, done: &Done) {
        let find = |name: &str| Series::named(&done.outcome.series, name).filter(|table| !table.x.is_empty());
        let Some(windows) = find("windows") else { return };
        let histogram = find("latency_histogram");
        if self.records.len() > 1 {
            if self.joined.len() < MOST_TRACES {
                self.joined.insert(done.outcome.record.point_id.clone(), Joined::of(windows, histogram));
            }
            return;
        }
        let smoothing = done.prepared.point().resolved.view("probes").u64("moving_average_windows") as usize;
        let (windows, histogram) = (windows.clone(), histogram.cloned());
        self.traces = Some(Traces { name: "packets".to_owned(), windows, histogram, smoothing });
    }

    /// Ends the session: the rest of the rows, or the table and the plots; the folder's pictures and report.
    pub fn finish(mut self, axes: &Axes, show: &ShowArgs) -> Result {
        let seconds = self.start.elapsed().as_secs_f64();
        self.progress = Progress::new(1, Bar::Hidden);
        if self.rows != Rows::None {
            self.print_json(true)?;
        }
        let records: Vec<Record> = self.records.iter().flatten().cloned().collect();
        let code = match self.failed.count() {
            0 => exit::of_all(records.iter().map(|record| record.status)),
            _ => exit::FAILURE,
        };
        let first = self.points.at(0)?;
        let chosen = chosen(show, &records);
        let drawn = self.drawn(&first, &chosen, axes);
        if self.rows == Rows::None && !self.deaf {
            match self.show(&first, &chosen, &drawn, show.per_seed) {
                Err(Failure::Pipe) if self.folder.is_some() => self.deaf = true,
                shown => shown?,
            }
        }
        if self.rows != Rows::None {
            twins::sentences(&records).iter().for_each(|sentence| show::note(sentence));
        }
        self.note_effort(&records, seconds);
        self.note_troubles();
        self.failed.note(self.points, self.folder.as_ref().map(|_| "failures.jsonl"))?;
        if let Some(folder) = self.folder.take() {
            self.fill(folder, &first.resolved, &records, drawn, Made::here(seconds))?;
        }
        Ok(code_unless_stopped(code))
    }

    fn drawn(&self, first: &Point, records: &[Record], axes: &Axes) -> Vec<Drawn> {
        let records: Vec<&Record> = records.iter().collect();
        let seen = Seen {
            traces: self.traces.as_ref(),
            joined: &self.joined,
            about: drawings::about(&first.resolved, &self.facts, &records),
            phases: drawings::phases(&first.resolved, &records),
            // What changes over time is the subject of every workload but the steady one.
            transient: first.resolved.view("workload").kind() != "steady",
        };
        drawings::drawn(&records, &seen, axes)
    }

    fn show(&self, first: &Point, records: &[Record], drawn: &[Drawn], per_seed: bool) -> Result<()> {
        let color = show::color();
        if let Some(name) = first.resolved.name() {
            let text = first.resolved.description().map_or(name.to_owned(), |d| format!("{name}: {d}"));
            show::print(&format!("{}\n", show::bold(show::wrapped(&text, 0).trim_end())))?;
        }
        match records {
            [] => {}
            [one] if self.records.len() == 1 => {
                let findings: Vec<Finding> = self.findings.iter().map(|(_, f)| f.clone()).collect();
                show::print(&records::one(one, &findings, color))?;
                if let Some(columns) = latency_split::columns(&self.split) {
                    show::print(&format!("\n{}", show::table::table(&columns, color)))?;
                }
            }
            many => {
                show::print(&rows_of(many, per_seed, color))?;
                ramps::lines(&self.records, &self.findings, &self.remarks)
                    .iter()
                    .try_for_each(|line| show::line(line))?;
                collapses(many).iter().try_for_each(|collapse| show::line(&collapse.words()))?;
                twins::sentences(many).iter().try_for_each(|sentence| show::line(sentence))?;
            }
        }
        for text in drawn.iter().flat_map(|drawn| &drawn.shown) {
            show::print(&format!("\n{text}"))?;
        }
        if let ([_], [one]) = (records, self.explanations.as_slice())
            && !one.trouble
        {
            show::print(&format!("\n{}", one.page))?;
        }
        if let ([_], Some(anatomy)) = (records, &self.anatomy) {
            show::print(&anatomy::text(anatomy, color))?;
        }
        Ok(())
    }

    fn note_effort(&self, records: &[Record], seconds: f64) {
        let explained: HashSet<&str> = self.explanations.iter().map(|one| one.point.as_str()).collect();
        let ran: Vec<&Record> = records.iter().filter(|r| explained.contains(r.point_id.as_str())).collect();
        let noun = self.points.noun();
        let mut text = records::effort(&ran, noun, seconds);
        if self.kept > 0 {
            text += &format!("; {} kept from before", count(self.kept as u64, noun));
        }
        if self.failed.count() > 0 {
            text += &format!("; {} failed", count(self.failed.count() as u64, noun));
        }
        let missing = self.records.len() - records.len() - self.failed.count();
        if missing > 0 {
            text += &format!("; {} not run", count(missing as u64, noun));
        }
        show::note(&text);
    }

    fn note_troubles(&self) {
        for one in self.explanations.iter().filter(|one| one.trouble).take(3) {
            show::note(&format!("point {}: {}", one.point, one.text));
        }
    }

    fn fill(
        self,
        folder: Folder,
        resolved: &Resolved,
        records: &[Record],
        drawn: Vec<Drawn>,
        made: Made,
    ) -> Result<()> {
        let spec = self.points.spec.clone();
        folder.file("spec.toml", spec.as_bytes())?;
        folder.points(&table(&points(records)).csv())?;
        let mut pictures = Vec::new();
        for drawn in drawn {
            let Figure { name, svg, caption, csv } = drawn.figure;
            let picture = Picture { name, caption, svg, csv };
            folder.picture(&picture)?;
            pictures.push(picture);
        }
        let drawn = folder.points_with_pictures();
        let looked_into = |r: &&Record| drawn.contains(&r.point_id) || folder.anatomy_of(&r.point_id).is_some();
        let looked_into = records.iter().filter(looked_into).take(MOST_POINTS);
        let findings: Vec<Finding> = self.findings.iter().map(|(_, finding)| finding.clone()).collect();
        let content = Content {
            title: resolved.name().unwrap_or("Simulation").to_owned(),
            description: resolved.description().unwrap_or_default().to_owned(),
            spec,
            above: above(self.points, records, &self.facts)?,
            facts: self.facts.clone(),
            records,
            pictures: &pictures,
            anatomies: records
                .iter()
                .filter_map(|r| Some((r.point_id.clone(), folder.anatomy_of(&r.point_id)?)))
                .collect(),
            points: looked_into.map(|r| (r.point_id.clone(), folder.pictures_of(&r.point_id))).collect(),
            explanations: told(&folder, records, self.points.count() == 1),
            findings: folder.findings().collect(),
            answer: overview::answer(records, &findings, &made),
            split: &self.split,
            expected: self.points.count(),
            names: Names::new(records),
        };
        let report = folder.file("report.html", content.report().html().as_bytes())?;
        folder.finish(records)?;
        show::note(&format!("wrote {}", show::path(&report)));
        Ok(())
    }
}

/// How a point that an earlier run finished ended and why, as it is printed.
fn kept_why(rows: Rows, folder: &Folder, (runs, record): (usize, &Record)) -> Option<String> {
    let row = folder.why_of(&record.point_id)?;
    match rows {
        Rows::Words => why::of_row(row).map(|why| why::one_of(runs, record, &why)),
        _ => Some(format!("{row}\n")),
    }
}

/// How points ended that are worth a place in the report: a single point, and those of deadlocks and the like.
fn told(folder: &Folder, records: &[Record], single: bool) -> Vec<(String, Why)> {
    let worth = |record: &&Record| single || exit::of_all([record.status]) != exit::SUCCESS;
    let found = records.iter().filter(worth).take(MOST_TOLD);
    found.filter_map(|r| Some((r.point_id.clone(), why::of_row(folder.why_of(&r.point_id)?)?))).collect()
}

/// The records to show. Where there are none to choose, because of how points ended, all are shown, and why is told.
fn chosen(show: &ShowArgs, records: &[Record]) -> Vec<Record> {
    match show.points.choose(records) {
        Ok(chosen) => chosen.into_iter().cloned().collect(),
        Err(error) => {
            show::note(&format!("{error}; all points are shown"));
            records.to_vec()
        }
    }
}

/// A row for each point or, where no point has two runs or they are asked for, for each run.
fn rows_of(records: &[Record], per_seed: bool, color: Paint) -> String {
    let points = points(records);
    match per_seed || points.len() == records.len() {
        true => records::many(&records.iter().collect::<Vec<_>>(), color),
        false => show::points::points(&points, show::width(), color),
    }
}

impl Watcher for Session<'_> {
    fn explains(&self) -> bool {
        matches!(self.rows, Rows::Why | Rows::Words)
    }

    fn done(&mut self, done: Done) -> Result<()> {
        if let Some(folder) = &mut self.folder {
            folder.save(&done)?;
        }
        self.keep_traces(&done);
        self.ran += 1;
        match self.rows {
            Rows::Why => self.why[done.index] = Some(format!("{}\n", why::object(&done.prepared, &done.outcome))),
            Rows::Words => {
                let Outcome { record, why, .. } = &done.outcome;
                self.why[done.index] = Some(why::one_of(self.points.count(), record, why));
            }
            Rows::None | Rows::Nothing | Rows::Records => {}
        }
        let anatomy = done.outcome.anatomy.as_ref();
        self.anatomy =
            anatomy.map(|dissected| anatomy::object(done.prepared.network(), dissected)).or(self.anatomy.take());
        let Done { index, outcome, .. } = done;
        if self.records.len() == 1 {
            self.split =
                outcome.series.iter().filter(|table| table.name.starts_with("latency_split")).cloned().collect();
        }
        self.findings.extend(outcome.findings.into_iter().map(|finding| (index, finding)));
        self.remarks.extend(outcome.ramp_remark.map(|remark| (index, remark)));
        let (point, trouble) =
            (outcome.record.point_id.clone(), exit::of_all([outcome.record.status]) != exit::SUCCESS);
        let page = if self.records.len() == 1 { why::page(&outcome.why) } else { String::new() };
        self.explanations.push(Explanation { point, text: outcome.explanation, page, trouble });
        self.settled[index] = outcome.settled;
        self.records[index] = Some(outcome.record);
        if self.rows != Rows::None { self.print_json(false) } else { Ok(()) }
    }

    fn failed(&mut self, index: usize, reason: String) -> Result<()> {
        if let Some(folder) = &mut self.folder {
            folder.fail(&self.points.at(index)?, &reason)?;
        }
        self.failed.add(index, reason);
        if self.rows != Rows::None { self.print_json(false) } else { Ok(()) }
    }

    fn tick(&mut self, cycles: u64) {
        let (done, all) = (self.kept + self.ran + self.failed.count(), self.records.len());
        let text = format!("{done} of {}", count(all as u64, self.points.noun()));
        match self.points.cycles {
            Some(_) => self.progress.at(cycles, text),
            None => self.progress.at(done as u64, format!("{text}, {} cycles", thousands(cycles as f64))),
        }
    }
}
