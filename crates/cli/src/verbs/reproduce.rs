//! `tailback reproduce`: a paper's numbers beside measured ones.

mod readings;

use crate::exit::{DIFFERENT, Failure, INTERRUPTED, Result, SUCCESS};
use crate::folder::can_be_folder;
use crate::interrupt;
use crate::output::replace;
use crate::show::progress::Bar;
use crate::show::{self, numbers::count, progress::Progress, wrapped};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tailback_pictures::raster;
use tailback_results::{Inputs, Kind, Output};
use tailback_studies::{
    Form, KeptRuns, Paper, Progress as Done, Reading, Settings, Study, StudyError, papers, study_of,
};

const AFTER: &str = "\
Examples:
  tailback reproduce                        the papers and their items
  tailback reproduce spth-2015 --quick      the short form of everything
  tailback reproduce spth-2015 table2 fig8 --out spth-2015
  tailback reproduce spth-2015 --out spth-2015 --resume   after Ctrl-C, or for more items
  tailback reproduce spth-2015 --json
  tailback reproduce papers/dally-towles-2004 --quick     the study of a folder, such as yours
  tailback reproduce spth-2015 table2 --quick --reading 0.1.0
  tailback reproduce spth-2015 --readings --budget 60 --out readings   search readings

Every number has its unit. Exit code 4 means that the measurement misses a required number.";

/// Arguments of `reproduce`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// The paper's key, or a folder with a study.toml. Without one, the papers are listed
    #[arg(value_name = "PAPER")]
    paper: Option<String>,
    /// Tables, figures and numbers of the paper [default: all]
    #[arg(value_name = "ITEM")]
    items: Vec<String>,
    /// Take this reading: a named choice of what the paper leaves open [default: the one that the study declares]
    #[arg(long, value_name = "NAME")]
    reading: Option<String>,
    /// Search among the readings, and print how each of them meets each number and claim. With --quick, the best
    /// ones are run again in the short form, not whole
    #[arg(long, conflicts_with_all = ["reading", "items", "markdown"])]
    readings: bool,
    /// Stop the search after this time. --resume goes on with it
    #[arg(long, requires = "readings", value_name = "MINUTES", value_parser = minutes)]
    budget: Option<Duration>,
    /// Smaller networks and shorter runs: minutes instead of hours
    #[arg(long)]
    quick: bool,
    /// Print one JSON object per number and per claim
    #[arg(long)]
    json: bool,
    /// Write figures, cells.jsonl and report.html to this folder. Each run is written to DIR/runs as soon as it ends
    #[arg(long, short, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Keep the finished runs in the folder of --out, and run the others
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Replace the runs in the folder of --out, and files there whose content is of another kind
    #[arg(long, requires = "out")]
    force: bool,
    /// Number of runs at the same time. Results do not depend on it [default: all cores]
    #[arg(long, short = 'j', value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Print Markdown with the recorded numbers, as in the study's README
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// Reproduces.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was run")?;
    let Some(key) = &args.paper else {
        show::print(&list())?;
        return Ok(SUCCESS);
    };
    let paper = named(key)?;
    // Items that do not exist are told before a folder is made and before anything runs.
    if let Some(item) = args.items.iter().find(|item| paper.item(item).is_none()) {
        return Err(Failure::usage(format!("`{key}` has no item `{item}`; its items are {}", paper.item_names())));
    }
    let reading = args.reading.as_deref().map(|name| paper.reading(name)).transpose().map_err(failure)?;
    if args.readings {
        return readings::search(args, paper);
    }
    let kept = args.out.as_deref().map(|root| kept(args, root, &FILES)).transpose()?;
    interrupt::keep();
    let study = study(args, paper, reading, kept.as_ref())?;
    if let Some(root) = &args.out {
        write(root, &study, args.force)?;
    }
    show::print(&printed(args, &study))?;
    Ok(match (study.interrupted, study.failed()) {
        (true, _) => INTERRUPTED,
        (_, true) => DIFFERENT,
        _ => SUCCESS,
    })
}

/// The paper of this key, or the study of this folder.
fn named(key: &str) -> Result<&'static Paper> {
    if let Some(paper) = papers().iter().copied().find(|p| p.key == key) {
        return Ok(paper);
    }
    if Path::new(key).join("study.toml").is_file() {
        return study_of(Path::new(key)).map_err(|fault| Failure::usage(fault.to_string()));
    }
    let keys = papers().iter().map(|p| p.key).collect::<Vec<_>>().join(", ");
    Err(Failure::usage(format!("there is no paper `{key}` and no folder `{key}` with a study.toml; there are {keys}")))
}

/// The folder of runs within the output folder.
fn kept(args: &Args, root: &Path, files: &[(&str, Kind)]) -> Result<KeptRuns> {
    can_be_folder(root)?;
    for (name, kind) in files.iter().filter(|(name, _)| root.join(name).exists()) {
        output(root, name, *kind, args.force)?;
    }
    let runs = root.join("runs");
    let held = KeptRuns::count(&runs);
    if held > 0 && !args.resume && !args.force {
        return Err(Failure::usage(format!(
            "`{}` holds {} of an earlier reproduction: --resume goes on with them, --force replaces them, or choose \
             another folder",
            show::path(&runs),
            count(held as u64, "run"),
        )));
    }
    let kept = KeptRuns::open(runs)?;
    Ok(if args.force { kept.emptied()? } else { kept })
}

fn printed(args: &Args, study: &Study) -> String {
    match (args.json, args.markdown) {
        (true, _) => study.json_lines(),
        (_, true) => study.markdown(),
        _ => study.text(),
    }
}

fn study(args: &Args, paper: &'static Paper, reading: Option<Reading>, kept: Option<&KeptRuns>) -> Result<Study> {
    let bar = Progress::new(1, Bar::Shown);
    let settings = Settings {
        items: args.items.clone(),
        form: args.form(),
        reading,
        threads: args.threads(),
        kept,
        cancel: interrupt::flag(),
        progress: &|progress: Done<'_>| bar.of(progress.done, progress.total, progress.item.to_owned()),
    };
    tailback_studies::reproduce(paper, &settings).map_err(failure)
}

/// A wrong study or a wrong name is the user's; all else is not.
fn failure(error: StudyError) -> Failure {
    match error {
        StudyError::UnknownItem { .. }
        | StudyError::UnknownReading { .. }
        | StudyError::NoSearch { .. }
        | StudyError::Form(_) => Failure::usage(error.to_string()),
        other => Failure::Other(other.to_string()),
    }
}

impl Args {
    /// How much of the study is run.
    fn form(&self) -> Form {
        if self.quick { Form::Short } else { Form::Full }
    }

    /// Threads, 0 for one a core.
    fn threads(&self) -> usize {
        self.threads.map_or(0, usize::from)
    }
}

/// A time above zero, in minutes.
fn minutes(text: &str) -> std::result::Result<Duration, String> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| *minutes > 0.0);
    let budget = minutes.and_then(|minutes| Duration::try_from_secs_f64(60.0 * minutes).ok());
    budget.ok_or_else(|| "expected a number of minutes above zero".to_owned())
}

/// The files of every reproduction.
const FILES: [(&str, Kind); 2] = [("cells.jsonl", Kind::JsonLines), ("report.html", Kind::Html)];

fn output(root: &Path, name: &str, kind: Kind, force: bool) -> Result<Output> {
    Ok(Output::new(&root.join(name), kind, replace(force), &Inputs::none())?)
}

/// Writes the figures, every number and claim as JSON lines, and the report.
fn write(root: &Path, study: &Study, force: bool) -> Result<()> {
    for figure in &study.figures {
        let file = |ending: &str, kind| output(root, &format!("{}.{ending}", figure.name), kind, force);
        if let Some(svg) = &figure.svg {
            file("svg", Kind::Svg)?.write(svg.as_bytes())?;
        }
        let drawn = figure.svg.as_deref().filter(|_| figure.png.is_none()).map(raster::png).transpose();
        let drawn = drawn.map_err(|error| Failure::Other(format!("{}: {error}", figure.name)))?;
        if let Some(png) = figure.png.as_ref().or(drawn.as_ref()) {
            file("png", Kind::Png)?.write(png)?;
        }
    }
    write_files(root, FILES, [study.json_lines(), study.report().html()], force)
}

/// Writes files whose last one is the report.
fn write_files(root: &Path, files: [(&str, Kind); 2], contents: [String; 2], force: bool) -> Result<()> {
    for ((name, kind), content) in files.into_iter().zip(&contents) {
        output(root, name, kind, force)?.write(content.as_bytes())?;
    }
    show::note(&format!("wrote {}", show::path(&root.join("report.html"))));
    Ok(())
}

/// The papers and their items.
fn list() -> String {
    let mut out = String::new();
    for paper in papers() {
        out += &format!("{}  {}\n", show::bold(paper.key), paper.title);
        for item in paper.items {
            out += &wrapped(&format!("{}: {}", item.name, item.summary), 4);
        }
    }
    out
}
