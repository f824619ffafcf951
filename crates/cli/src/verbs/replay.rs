//! `tailback replay`: the calls of a host again, without the host.

use crate::exit::{DIFFERENT, Failure, INTERRUPTED, Result, SUCCESS};
use crate::interrupt;
use crate::show;
use serde_json::json;
use std::path::{Path, PathBuf};
use tailback_embed::{Replayed, replay};

const AFTER: &str = "\
Examples:
  tailback replay calls.log
  tailback replay calls.log --why
  tailback replay calls.log --trace 2
  tailback replay calls.log --json

A host that steps a network keeps a log of its calls with tb_log (C), Network::log (Rust) or
log= (Python). --trace follows the first packet of a message by the host's tag. Exit code 4
means that a call ended otherwise than in the log, or that the digest at its end is another one.";

/// Arguments of `replay`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// The log
    #[arg(value_name = "LOG")]
    log: PathBuf,
    /// Say why the network was the bottleneck
    #[arg(long)]
    why: bool,
    /// Tell where the first packet of a message was, by its tag, and what kept it
    #[arg(long, value_name = "TAG")]
    trace: Option<u64>,
    /// Print the record as one JSON object, with what the comparison found
    #[arg(long)]
    json: bool,
}

/// Repeats the calls and compares.
pub fn run(args: &Args) -> Result {
    interrupt::watch("the calls were not all repeated")?;
    let replayed =
        replay(&args.log, args.trace, interrupt::flag()).map_err(|error| Failure::usage(error.to_string()))?;
    if interrupt::requested() {
        return Ok(INTERRUPTED);
    }
    if let (Some(tag), None) = (args.trace, &replayed.story) {
        return Err(Failure::usage(format!(
            "no message with tag {tag} came to the front of its source queue in this log"
        )));
    }
    show::print(&if args.json { in_json(&args.log, &replayed)? } else { text(args, &replayed) })?;
    Ok(if replayed.is_same() { SUCCESS } else { DIFFERENT })
}

/// What the comparison came to, in a word.
fn word(replayed: &Replayed) -> &'static str {
    match (&replayed.end, replayed.is_same()) {
        (_, false) => "DIFFERENT",
        (None, true) => "the log has no end",
        (Some(_), true) => "same",
    }
}

fn in_json(log: &Path, replayed: &Replayed) -> Result<String> {
    let mut row = replayed.outcome.record.row()?;
    let Replayed { calls, differs, end, story, .. } = replayed;
    let found = json!({
        "log": log.display().to_string(), "calls": calls, "same": replayed.is_same(), "differs": differs, "ended": end.is_some(),
        "story": story,
    });
    row.insert("replay".to_owned(), found);
    Ok(format!("{}\n", serde_json::Value::Object(row)))
}

fn text(args: &Args, replayed: &Replayed) -> String {
    let record = &replayed.outcome.record;
    let mut text = show::records::one(record, &replayed.outcome.findings, show::color());
    if args.why {
        text += &format!("\n{}\n", replayed.outcome.explanation);
    }
    if let Some(story) = &replayed.story {
        text += &format!("\n{story}");
    }
    text += &format!(
        "\n{}: {} calls, {} cycles: {}\n",
        show::path(&args.log),
        replayed.calls,
        record.cycles,
        word(replayed)
    );
    if let Some(differs) = &replayed.differs {
        text += &format!("  {differs}\n");
    } else if !replayed.is_same() {
        text += "  the calls ended alike, and what was simulated differs: the digest at the end is another one\n";
    }
    text
}
