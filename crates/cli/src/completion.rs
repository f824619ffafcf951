//! `tailback curve` of a program: how long it takes, over the size of its messages or any other number of the spec.

mod axis;
mod json;
mod page;
mod picture;
mod work;

use axis::axis;

use crate::exit::{self, Failure, Result};
use crate::folder::{Folder, Picture};
use crate::interrupt;
use crate::made::Made;
use crate::output::inputs;
use crate::overview;
use crate::points::{Points, Source, code_unless_stopped, points_of};
use crate::report::{Content, Names};
use crate::show;
use crate::spec_file::SpecArgs;
use std::path::Path;
use std::time::Instant;
use tailback_results::Record;
use tailback_results::store::Existing;
use tailback_sim::{catalogue, prepare};
use tailback_spec::Document;
use tailback_summary::table::table;
use tailback_summary::variants::Variant;
use tailback_summary::{points, variants::variants_over};

/// What is asked of the curve of a program.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The spec.
    pub spec: &'a SpecArgs,
    /// `--vary`.
    pub vary: Option<&'a str>,
    /// Seeds of every point; `None`: as many as the spec has, or as it takes.
    pub seeds: Option<u64>,
    /// Runs at the same time; 0: all cores.
    pub threads: usize,
    /// Whether one JSON object is printed.
    pub json: bool,
    /// The folder of the results, and whether it may be one of another curve.
    pub out: Option<(&'a Path, Existing)>,
}

/// The curves that were measured.
pub struct Curves<'a> {
    /// The column along which they go.
    pub x: &'a str,
    /// What differs between the curves, and their points.
    pub variants: Vec<Variant<'a>>,
    /// Runs that are there, and that there should be.
    pub runs: (usize, usize),
}

impl<'a> Curves<'a> {
    /// The curves without those whose runs equal the ones of an earlier curve.
    fn drawn(&self) -> impl Iterator<Item = &Variant<'a>> {
        self.variants.iter().filter(|variant| variant.same_as.is_none())
    }
}

/// Whether all points of a spec are programs, so far as the spec says.
pub fn is_program(document: &Document) -> bool {
    document.resolve(catalogue()).is_ok_and(|resolved| resolved.view("workload").kind() == "program")
}

/// Measures the curves.
///
/// # Errors
/// A bad spec, no number to vary, a folder of something else, files that cannot be written.
pub fn run(asked: &Asked, mut document: Document) -> Result {
    let start = Instant::now();
    let axis = axis(&document, asked.vary)?;
    axis.set_in(&mut document)?;
    let own = document.plan(catalogue())?.replicas();
    let seeds = asked.seeds.unwrap_or(if own > 1 { own } else { work::SEEDS });
    document.set(&format!("run.replicas={seeds}"))?;
    let points = points_of(asked.spec, &document)?;
    points.told.warn();
    let inputs = inputs(asked.spec, points.files.clone());
    asked.out.map_or(Ok(()), |(root, existing)| replaceable(root, existing))?;
    let folder = asked.out.map(|(root, existing)| Folder::open(root, existing, &inputs)).transpose()?;
    interrupt::keep();
    let of_each = if asked.seeds.is_some() || own > 1 { work::Seeds::All } else { work::Seeds::WhereTheyDiffer };
    let mut work = work::Work::new(&points, axis.path(), folder)?;
    work.all(asked.threads, seeds as usize, of_each)?;
    let (records, wanted, mut folder) = work.end();
    let curves = Curves {
        x: axis.path(),
        variants: variants_over(points_with_numbers(&records, axis.path()), axis.path()),
        runs: (records.len(), wanted),
    };
    let json = json::json(&curves);
    let printed = if asked.json { show::line(&json) } else { show::print(&page::text(&curves, &points.at(0)?)) };
    if let (Some(folder), Some((root, _))) = (folder.take(), asked.out) {
        // What an earlier run of this command wrote there, as was looked at above.
        OWN.iter().for_each(|(name, _)| drop(std::fs::remove_file(root.join(name))));
        fill(folder, &curves, &json, &points, &records, start.elapsed().as_secs_f64())?;
    }
    printed?;
    Ok(code_unless_stopped(exit::of_all(records.iter().map(|record| record.status))))
}

/// Files that a curve replaces in its folder, and how those of an earlier one begin.
const OWN: [(&str, &str); 2] = [("curve.json", "{\"workload\":\"program\""), ("curve.csv", "variant,")];

/// Refuses a folder whose files of these names are none of an earlier curve.
fn replaceable(root: &Path, existing: Existing) -> Result<()> {
    let foreign = |(name, begin): &&(&str, &str)| {
        std::fs::read(root.join(name)).is_ok_and(|bytes| !bytes.starts_with(begin.as_bytes()))
    };
    match OWN.iter().find(foreign).filter(|_| existing != Existing::Replace) {
        None => Ok(()),
        Some((name, _)) => Err(Failure::usage(format!(
            "nothing is written to {}: it holds something other than the curve of a program; choose another folder, or \
             replace it with --force",
            show::path(&root.join(name))
        ))),
    }
}

fn points_with_numbers<'a>(records: &'a [Record], x: &str) -> Vec<tailback_summary::Point<'a>> {
    points(records).into_iter().filter(|point| point.number(x).is_some()).collect()
}

/// Writes what was found.
fn fill(folder: Folder, curves: &Curves, json: &str, points: &Points, records: &[Record], seconds: f64) -> Result<()> {
    let figure = picture::figure(curves);
    folder.file("curve.json", format!("{json}\n").as_bytes())?;
    folder.file("curve.csv", figure.csv.as_bytes())?;
    folder.file("curve.svg", figure.svg.as_bytes())?;
    folder.file("curve.png", &crate::picture::png(&figure.svg)?)?;
    folder.file("spec.toml", points.spec.as_bytes())?;
    folder.points(&table(&tailback_summary::points(records)).csv())?;
    let first = points.at(0)?;
    let pictures = [Picture { name: figure.name, caption: figure.caption, svg: figure.svg, csv: figure.csv }];
    let made = Made::here(seconds);
    let content = Content {
        title: first.resolved.name().unwrap_or("Completion time").to_owned(),
        description: first.resolved.description().unwrap_or_default().to_owned(),
        answer: overview::answer(records, &[], &made),
        spec: points.spec.clone(),
        above: Vec::new(),
        facts: prepare(&first)?.facts(),
        records,
        pictures: &pictures,
        anatomies: Vec::new(),
        points: Vec::new(),
        explanations: Vec::new(),
        findings: Vec::new(),
        split: &[],
        expected: curves.runs.1,
        names: Names::new(records),
    };
    let report = folder.file("report.html", content.report().html().as_bytes())?;
    folder.finish(records)?;
    let root = report.parent().map(show::path).unwrap_or_default();
    show::note(&format!("wrote {}, {root}/curve.svg, .png, .csv, .json, {root}/records.csv", show::path(&report)));
    Ok(())
}
