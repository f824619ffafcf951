//! The folder of a study: its curves as JSON beside everything that the folder of a run has.

use crate::bounds::Above;
use crate::exit::Result;
use crate::fabric::Fabric;
use crate::folder::{Folder, Picture};
use crate::loads::Loads;
use crate::output::{Destination, ForceArgs, Pictures};
use crate::report::{Content, Names};
use crate::show;
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
    pictures: Pictures,
    svg: PathBuf,
    start: Instant,
}

impl StudyFolder {
    /// In the folder `root`, beside that of the runs.
    ///
    /// # Errors
    /// Where the folder holds other results, and `--force` is not given.
    pub fn open(root: &Path, force: ForceArgs, inputs: &Inputs) -> Result<(StudyFolder, Folder)> {
        std::fs::create_dir_all(root).map_err(|error| crate::exit::Failure::file("create", root, &error))?;
        let (svg, png) = (root.join("curve.svg"), root.join("curve.png"));
        let json = Destination::new(&root.join("curve.json"), Kind::Curve, force.replace(), inputs)?;
        let pictures = Pictures::new(Some(&svg), Some(&png), force.replace(), inputs)?;
        let existing = if force.is_given() { Existing::Replace } else { Existing::Refuse };
        Ok((StudyFolder { json, pictures, svg, start: Instant::now() }, Folder::open(root, existing, inputs)?))
    }

    /// Writes what was found.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn fill(&self, runs: Folder, made: &Made, json: &str, loads: &Loads, fabric: &Fabric) -> Result<()> {
        self.json.write(format!("{json}\n").as_bytes())?;
        let figure = study::comparison(made).figure("curve", Columns::Two);
        self.pictures.write(&figure.svg)?;
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
        runs.finish()?;
        show::note(&format!("wrote {}, {}", show::path(&report), show::path(&self.svg)));
        Ok(())
    }
}
