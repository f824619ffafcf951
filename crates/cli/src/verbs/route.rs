//! `tailback route`: computes the routes of a network, and writes them as a table.

use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::network_args::{self, NetworkArgs};
use crate::output::{Destination, ForceArgs};
use crate::show;
use crate::show::table::pairs;
use serde_json::json;
use std::path::{Path, PathBuf};
use tailback_base::text::shown;
use tailback_network::Network;
use tailback_network::routes::{ENGINES, Engine, Routes};
use tailback_results::Kind;

const AFTER: &str = "\
Engines:
  layered    shortest ways; each pair of routers in the first layer in which no circle closes
  up_down    up*/down*: the shortest of the ways that go up, then down; one layer
  minimal    one minimal way of the network's own family; one layer

Examples:
  tailback route --kind jellyfish -s routers=20 -s degree=4 -o routes.txt
  tailback route --kind slim_fly -s q=5 --engine up_down | head -3
  tailback route --kind hyperx -s sides='[4, 4]' --engine minimal -o minimal.txt --json
  tailback route examples/first.toml --engine up_down -o up-down.txt

A spec takes the table with routing = { kind = \"table\", file = \"routes.txt\" }. Each layer needs a virtual channel of its own.
The lines are `router destination [in PORT] port [channels]` and `layer source destination number`.";

/// Arguments of `route`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    #[command(flatten)]
    network: NetworkArgs,
    /// What computes the routes
    #[arg(long, value_name = "ENGINE", default_value = "layered")]
    engine: String,
    /// Write the table to this file; `-` is standard output
    #[arg(long, short = 'o', value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Print what was computed as one JSON object; needs -o
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// Computes, writes.
pub fn run(args: &Args) -> Result {
    interrupt::watch("the routes were not computed")?;
    let Some(engine) = Engine::named(&args.engine) else {
        let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
        let message = format!("there is no engine `{}`; there are {}", shown(&args.engine), names.join(", "));
        return Err(Failure::usage(message));
    };
    let Some((resolved, kind)) = args.network.asked()? else {
        return Err(Failure::usage("there is no network to route: give a spec, a file, or --kind"));
    };
    if args.json && args.output == Path::new("-") {
        return Err(Failure::usage("--json prints a summary where the table would be printed; give -o a file"));
    }
    let destination =
        Destination::new(&args.output, Kind::Routes, args.force.replace(), &args.network.inputs(&resolved))?;
    let built = network_args::build(&resolved)?;
    let routes = engine.routes(&built).map_err(Failure::usage)?;
    destination.write(routes.text(&built.network).as_bytes())?;
    match (destination.is_stdout(), args.json) {
        (true, _) => show::note(&sentence(engine, &routes, &built.network)),
        (false, true) => show::line(&json_of(engine, &kind, &routes, &built.network))?,
        (false, false) => show::print(&page(engine, &kind, &routes, &built.network, &args.output))?,
    }
    Ok(SUCCESS)
}

fn sentence(engine: &Engine, routes: &Routes, network: &Network) -> String {
    format!(
        "{}: {} routers, {} layers, routes of {:.4} links in the mean and {} at most",
        engine.name,
        network.routers(),
        routes.layers(),
        routes.mean(network),
        routes.longest()
    )
}

fn page(engine: &Engine, kind: &str, routes: &Routes, network: &Network, path: &Path) -> String {
    let rows = [
        ("engine", engine.name.to_owned()),
        ("network", format!("{kind}, {} routers", network.routers())),
        ("layers", format!("{}, each with virtual channels of its own", routes.layers())),
        ("mean route", format!("{:.4} links", routes.mean(network))),
        ("longest route", format!("{} links", routes.longest())),
    ];
    let rows: Vec<(String, String)> = rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    format!("{}\nwrote {}\n", pairs(&rows), shown(&path.to_string_lossy()))
}

fn json_of(engine: &Engine, kind: &str, routes: &Routes, network: &Network) -> String {
    json!({
        "engine": engine.name, "kind": kind, "routers": network.routers(), "layers": routes.layers(),
        "hops_mean": routes.mean(network), "hops_max": routes.longest(),
    })
    .to_string()
}
