//! `tailback manual`: manual pages for `man`.

use crate::exit::{Failure, Result, SUCCESS};
use crate::{interrupt, show};
use clap::Command;
use clap_mangen::Man;
use tailback_base::text::shown;

const AFTER: &str = "\
Examples:
  tailback manual curve | man -l -      the manual page of `tailback curve`
  tailback manual > tailback.1          the page of the program
  tailback manual --verbs               the verbs that have a page

`make install PREFIX=DIR` installs all pages into DIR/share/man/man1.";

/// Arguments of `manual`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// The verb whose page is printed. Without one, the page of the program is printed
    verb: Option<String>,
    /// Print the verbs that have a page, one per line
    #[arg(long, conflicts_with = "verb")]
    verbs: bool,
}

/// Prints a page in the language of `man`.
pub fn run(args: &Args, command: Command) -> Result {
    interrupt::watch("the page was not printed whole")?;
    let mut command = command.disable_help_subcommand(true);
    command.build();
    if args.verbs {
        command.get_subcommands().try_for_each(|verb| show::line(verb.get_name()))?;
        return Ok(SUCCESS);
    }
    let page = match &args.verb {
        None => command,
        Some(name) => command
            .find_subcommand(name)
            .cloned()
            .ok_or_else(|| Failure::usage(format!("there is no verb `{}`", shown(name))))?,
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).map_err(|error| Failure::Other(format!("no page: {error}")))?;
    show::print_bytes(&text)?;
    Ok(SUCCESS)
}
