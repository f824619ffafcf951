//! `tailback help`: the pages that `--help` prints.

use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::show;
use clap::Command;
use tailback_base::text::shown;
use tailback_pictures::terminal::Paint;
use tailback_spec::nearest;

const AFTER: &str = "\
Examples:
  tailback help                    the verbs, first steps and exit codes
  tailback help run                what `tailback run --help` prints";

/// Arguments of `help`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// The verb [default: all verbs, one line per verb]
    #[arg(value_name = "VERB")]
    verb: Option<String>,
}

/// Prints a page.
pub fn run(args: &Args, mut command: Command) -> Result {
    interrupt::watch("the page was not printed whole")?;
    command.build();
    let page = match &args.verb {
        None => command.render_help(),
        Some(verb) => match command.find_subcommand_mut(verb) {
            Some(found) => found.render_help(),
            None => return Err(unknown(verb, &command)),
        },
    };
    show::print(&if show::color() == Paint::Ansi { page.ansi().to_string() } else { page.to_string() })?;
    Ok(SUCCESS)
}

fn unknown(verb: &str, command: &Command) -> Failure {
    let verbs: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    let meant = match nearest(verb, verbs.iter().copied(), 1).first() {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", verbs.join(", ")),
    };
    Failure::usage(format!("there is no verb `{}`; {meant}", shown(verb)))
}
