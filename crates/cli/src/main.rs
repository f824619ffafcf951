//! The `tailback` program: the command line of [`tailback_cli`] and nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tailback_cli::main_from(std::env::args_os()))
}
