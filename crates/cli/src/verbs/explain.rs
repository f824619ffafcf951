//! `tailback explain`: the spec as it is understood.

use crate::exit::{Result, SUCCESS};
use crate::interrupt;
use crate::show;
use crate::spec_file::SpecArgs;
use tailback_sim::catalogue;

const AFTER: &str = "\
Examples:
  tailback explain examples/first.toml
  tailback explain my.toml --set workload=collective > collective.toml

The output is a spec with the same meaning. Comments show the units, and which values are defaults.";

/// Arguments of `explain`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    spec: SpecArgs,
}

/// Prints the resolved spec.
pub fn run(args: &Args) -> Result {
    interrupt::watch("the spec was not printed whole")?;
    let document = args.spec.document()?;
    document.plan(catalogue())?;
    show::print(&document.resolve(catalogue())?.to_toml(catalogue()))?;
    Ok(SUCCESS)
}
