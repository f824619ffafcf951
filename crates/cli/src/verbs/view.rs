//! `tailback view`: results on disk in a browser.

use crate::exit::{INTERRUPTED, Result};
use crate::interrupt;
use crate::shelf::{Shelf, places};
use crate::show;
use crate::verbs::live::DoorArgs;
use std::path::PathBuf;
use std::sync::Arc;
use tailback_live::Library;

const AFTER: &str = "\
Examples:
  tailback view results
  tailback view before after
  tailback view results --no-open --port 8080

The page has a table of all points, figures as `tailback plot` draws them, filters, and for each
point why it ended so, its pictures, its film if one was recorded, and its files. Several folders
are compared: what they have in common is told apart by the folder. The address of the page says
what is shown, so it can be kept as a bookmark.

A folder in which folders of results lie stands for all of these. Results that grow while a sweep
runs are read again. Nothing is written, and no file outside the folders is read.

The first line on standard output is `listening on ADDRESS`. The address has a key, without
which nobody gets an answer. Only this machine is listened to, unless --listen names another
address. Ctrl-C ends the server.";

/// Arguments of `view`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// Folders made by `tailback run --out` or `tailback sweep --out`
    #[arg(value_name = "DIR", required = true)]
    folders: Vec<PathBuf>,
    #[command(flatten)]
    door: DoorArgs,
}

/// Serves until Ctrl-C.
pub fn run(args: &Args) -> Result {
    interrupt::watch("nothing was shown")?;
    let shelf = Shelf::new(places(&args.folders)?);
    shelf.check()?;
    let server = args.door.server()?;
    let url = server.door().url();
    show::line(&format!("listening on {url}"))?;
    args.door.warn(&server, "read these results");
    interrupt::keep();
    args.door.open(&url);
    let library: Arc<dyn Library> = Arc::new(shelf);
    server.show(&library, interrupt::flag());
    Ok(INTERRUPTED)
}
