//! `--json` and `--why`, as every verb that runs points has them.

use crate::session::Rows;

/// What is printed point by point.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct WhyArgs {
    /// Print one JSON record per line on standard output, and nothing else
    #[arg(long)]
    json: bool,
    /// Print how each point ended and why on standard output, and nothing else; with --json one JSON object per line
    #[arg(long)]
    pub why: bool,
}

impl WhyArgs {
    /// What a session prints.
    pub fn rows(self) -> Rows {
        match (self.json, self.why) {
            (true, true) => Rows::Why,
            (true, false) => Rows::Records,
            (false, true) => Rows::Words,
            (false, false) => Rows::None,
        }
    }
}
