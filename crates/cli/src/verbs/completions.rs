//! `tailback completions`: for shells.

use crate::exit::{Result, SUCCESS};
use crate::interrupt;
use crate::show;
use clap::Command;
use clap_complete::Shell;

const AFTER: &str = "\
Examples:
  tailback completions bash > ~/.local/share/bash-completion/completions/tailback
  tailback completions zsh > ~/.zfunc/_tailback";

/// Arguments of `completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the completions.
pub fn run(args: &Args, mut command: Command) -> Result {
    interrupt::watch("the completions were not printed whole")?;
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "tailback", &mut script);
    show::print(&String::from_utf8_lossy(&script))?;
    Ok(SUCCESS)
}
