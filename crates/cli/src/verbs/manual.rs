//! `tailback manual`: manual pages for `man`.

use crate::exit::{Failure, Result, SUCCESS};
use clap::Command;
use std::path::PathBuf;

const AFTER: &str = "\
Examples:
  tailback manual man1                   writes man1/tailback.1, man1/tailback-run.1 and so on
  tailback manual man1 && man -l man1/tailback-curve.1

`make install PREFIX=DIR` does this for DIR/share/man/man1.";

/// Arguments of `manual`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// The folder to write the pages to; it is made where it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes one page for the program and one for every verb.
pub fn run(args: &Args, command: Command) -> Result {
    std::fs::create_dir_all(&args.folder).map_err(|e| Failure::file("create", &args.folder, &e))?;
    clap_mangen::generate_to(command.disable_help_subcommand(true), &args.folder)
        .map_err(|e| Failure::file("write pages to", &args.folder, &e))?;
    Ok(SUCCESS)
}
