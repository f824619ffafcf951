//! `tailback reproduce PAPER --readings`: a search where the paper is silent.

use super::{Args, failure, kept, write_files};
use crate::exit::{INTERRUPTED, Result, SUCCESS};
use crate::interrupt;
use crate::show;
use crate::show::progress::{Bar, Progress};
use tailback_results::Kind;
use tailback_studies::{Ended, Paper, Progress as Done, SearchSettings};

/// The files of every search.
const FILES: [(&str, Kind); 2] = [("readings.jsonl", Kind::JsonLines), ("report.html", Kind::Html)];

/// Searches, and says what was found.
pub fn search(args: &Args, paper: &'static Paper) -> Result {
    let kept = args.out.as_deref().map(|root| kept(args, root, &FILES)).transpose()?;
    interrupt::keep();
    let bar = Progress::new(1, Bar::Shown);
    let settings = SearchSettings {
        whole: args.form(),
        budget: args.budget,
        threads: args.threads(),
        kept: kept.as_ref(),
        cancel: interrupt::flag(),
        progress: &|progress: Done<'_>| bar.of(progress.done, progress.total, progress.item.to_owned()),
    };
    let found = tailback_studies::search(paper, &settings).map_err(failure)?;
    drop(bar);
    if let Some(root) = &args.out {
        write_files(root, FILES, [found.json_lines(), found.report().html()], args.force)?;
    }
    show::print(&if args.json { found.json_lines() } else { found.text() })?;
    Ok(if found.ended == Ended::Interrupted { INTERRUPTED } else { SUCCESS })
}
