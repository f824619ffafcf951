//! The folder of a study: its curves as JSON beside everything that the folder of a run has.

use crate::bounds::Above;
use crate::exit::Result;
use crate::fabric::Fabric;
use crate::figure_files::FigureFiles;
use crate::folder::{Folder, Picture};
use crate::loads::Loads;
use crate::output::{Destination, ForceArgs};
use crate::report::{Content, Names};
use crate::show;
use crate::show::numbers::count;
use crate::study::{self, Made};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tailback_pictures::comparison::Columns;
use tailback_results::store::Existing;
use tailback_results::{Inputs, Kind, Record};
use tailback_sim::prepare;
use tailback_summary::points;
use tailback_summary::table::table;

/// The files of a study that a run has not.
pub struct StudyFolder {
    json: Destination,
    figure: FigureFiles,
    root: PathBuf,
    start: Instant,
}

impl StudyFolder {
    /// In the folder `root`, beside that of the runs.
    ///
    /// # Errors
    /// Where the folder holds other results, and `--force` is not given.
    pub fn open(root: &Path, force: ForceArgs, inputs: &Inputs) -> Result<(StudyFolder, Folder)> {
        std::fs::create_dir_all(root).map_err(|error| crate::exit::Failure::file("create", root, &error))?;
        let json = Destination::new(&root.join("curve.json"), Kind::Curve, force.replace(), inputs)?;
        let names = ["svg", "png", "pdf", "csv"].map(|ending| root.join(format!("curve.{ending}")));
        let figure = FigureFiles::new(&names, [None; 3], force.replace(), inputs)?;
        let existing = if force.is_given() { Existing::Replace } else { Existing::Refuse };
        let folder = Folder::open(root, existing, inputs)?;
        Ok((StudyFolder { json, figure, root: root.to_owned(), start: Instant::now() }, folder))
    }

    /// Writes what was found.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn fill(&self, runs: Folder, made: &Made, json: &str, loads: &Loads, fabric: &Fabric) -> Result<()> {
        self.json.write(format!("{json}\n").as_bytes())?;
        let figure = study::comparison(made).figure("curve", Columns::Two);
        self.figure.write(&figure)?;
        runs.file("spec.toml", loads.spec().as_bytes())?;
        let picture = Picture { name: figure.name, caption: figure.caption, svg: figure.svg, csv: figure.csv };
        let records: Vec<Record> = fabric.all().cloned().collect();
        runs.points(&table(&points(&records)).csv())?;
        let first = loads.first()?;
        let pictures = [picture];
        let content = Content {
            title: first.resolved.name().unwrap_or("Curves").to_owned(),
            description: first.resolved.description().unwrap_or_default().to_owned(),
            answer: study::answer(made, &crate::made::Made::here(self.start.elapsed().as_secs_f64())),
            spec: loads.spec().to_owned(),
            above: Vec::<Above>::new(),
            facts: prepare(&first)?.facts(),
            records: &records,
            pictures: &pictures,
            anatomies: Vec::new(),
            points: Vec::new(),
            explanations: Vec::new(),
            findings: Vec::new(),
            split: &[],
            expected: records.len(),
            names: Names::new(&records),
        };
        let report = runs.file("report.html", content.report().html().as_bytes())?;
        runs.finish(&records)?;
        let (summed, runs) = (count(points(&records).len() as u64, "point"), count(records.len() as u64, "run"));
        let root = show::path(&self.root);
        show::note(&format!(
            "wrote {}, {root}/curve.svg, .png, .pdf, .csv, .json, {root}/records.csv ({summed}), {root}/records.parquet ({runs})",
            show::path(&report)
        ));
        Ok(())
    }
}
