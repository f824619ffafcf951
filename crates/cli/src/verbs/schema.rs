//! `tailback schema`: the JSON Schema of specs.

use crate::exit::{Result, SUCCESS};
use crate::interrupt;
use crate::show;

const AFTER: &str = "\
Examples:
  tailback schema > tailback.schema.json
  tailback schema | jq '.properties | keys'

Editors with TOML support (through Taplo) complete and check specs with the schema. Put
`#:schema ./tailback.schema.json` into the first line of a spec.";

/// Arguments of `schema`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {}

/// Prints the schema.
pub fn run(_: &Args) -> Result {
    interrupt::watch("the schema was not printed whole")?;
    let schema = tailback_spec::json_schema(tailback_sim::catalogue());
    show::line(&format!("{schema:#}"))?;
    Ok(SUCCESS)
}
