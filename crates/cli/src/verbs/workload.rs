//! `tailback workload`: generates a program of messages that wait for messages and writes it as GOAL, or checks such a file.

use crate::exit::{Failure, Result, SUCCESS};
use crate::interrupt;
use crate::output::{Destination, ForceArgs};
use crate::show::table::pairs;
use crate::show::{self, numbers::thousands};
use clap::ValueEnum;
use serde_json::json;
use std::path::{Path, PathBuf};
use tailback_base::text::shown;
use tailback_program::generate::table::{Default as Value, KINDS, Kind as Program, Parameter};
use tailback_program::goal::{Units, read, write_binary, write_text};
use tailback_program::{Bounds, Generate, Generated, bounds};
use tailback_results::{Inputs, Kind};

const AFTER: &str = "\
Examples:
  tailback workload                                   the kinds of programs
  tailback workload all-reduce --parameters           what this kind takes
  tailback workload all-reduce --ranks 8 --flits 1024
  tailback workload all-reduce --algorithm halving-doubling --ranks 8 --flits 1024 -o ar.goal
  tailback workload halo --dimensions 4,4 --flits 64 --iterations 3 -o - | head -3
  tailback workload barrier --ranks 16 --format binary -o barrier.bin
  tailback workload --check ar.goal --json

Without -o the size of the program is printed, and how soon it can be over at best.";

/// Arguments of `workload`.
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER)]
pub struct Args {
    /// Kind of program, such as all-reduce [default: list the kinds]
    #[arg(value_name = "KIND")]
    kind: Option<String>,
    /// Algorithm [default: the first one of the kind]
    #[arg(long, value_name = "NAME")]
    algorithm: Option<String>,
    #[command(flatten)]
    numbers: Numbers,
    /// Write the program to this file as GOAL; `-` is standard output
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Form of the file [default: text]
    #[arg(long, value_name = "FORMAT", requires = "output")]
    format: Option<Form>,
    /// Bytes of a flit: a file says bytes
    #[arg(long, value_name = "N", default_value_t = 1)]
    bytes_per_flit: u32,
    /// Length of a cycle, in nanoseconds: a file says nanoseconds
    #[arg(long, value_name = "NS", default_value_t = 1.0)]
    cycle_ns: f64,
    /// Time of a message beside its length, in cycles: for the bounds that are printed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(..=1 << 32))]
    across: u64,
    /// Check this file of GOAL, text or binary, instead of generating a program
    #[arg(long, value_name = "FILE", conflicts_with_all = ["kind", "algorithm", "output", "parameters"])]
    check: Option<PathBuf>,
    /// Print what the kind takes, or what all kinds take: parameters with units, ranges and defaults
    #[arg(long, conflicts_with = "output")]
    parameters: bool,
    /// The parameters of all kinds as Markdown
    #[arg(long, requires = "parameters", conflicts_with = "kind")]
    markdown: bool,
    /// Print the size of the program as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    force: ForceArgs,
}

/// Parameters of all kinds: `--parameters` says which kind takes which.
#[derive(clap::Args, Debug)]
struct Numbers {
    /// Number of ranks
    #[arg(long, value_name = "N")]
    ranks: Option<u64>,
    /// Length of what is sent, in flits
    #[arg(long, value_name = "N")]
    flits: Option<u64>,
    /// Chunks of each tree of a double binary tree
    #[arg(long, value_name = "N")]
    chunks: Option<u64>,
    /// Groups of a hierarchical all-reduce
    #[arg(long, value_name = "N")]
    groups: Option<u64>,
    /// Rank from which all comes, or to which all goes
    #[arg(long, value_name = "RANK")]
    root: Option<u64>,
    /// Steps or requests that are open at once
    #[arg(long, value_name = "N")]
    window: Option<u64>,
    /// Ranks of each dimension of a halo exchange, such as 4,4
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    dimensions: Option<Vec<u64>>,
    /// Iterations of a halo exchange
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// Length of a computation, in cycles
    #[arg(long, value_name = "N")]
    compute_cycles: Option<u64>,
    /// Length of a request, in flits
    #[arg(long, value_name = "N")]
    request_flits: Option<u64>,
    /// Length of a reply, in flits
    #[arg(long, value_name = "N")]
    reply_flits: Option<u64>,
    /// Ranks that are servers
    #[arg(long, value_name = "N")]
    servers: Option<u64>,
    /// Time between a reply and the next request, in cycles
    #[arg(long, value_name = "N")]
    think_cycles: Option<u64>,
    /// Requests of each client
    #[arg(long, value_name = "N")]
    count: Option<u64>,
    /// Stages of a pipeline
    #[arg(long, value_name = "N")]
    stages: Option<u64>,
    /// Microbatches of a pipeline
    #[arg(long, value_name = "N")]
    microbatches: Option<u64>,
}

impl Numbers {
    fn asked(&self, kind: &str, algorithm: Option<&str>) -> Generate {
        Generate {
            kind: underscored(kind),
            algorithm: algorithm.map(underscored),
            ranks: self.ranks,
            flits: self.flits,
            chunks: self.chunks,
            groups: self.groups,
            root: self.root,
            window: self.window,
            dimensions: self.dimensions.clone(),
            iterations: self.iterations,
            compute_cycles: self.compute_cycles,
            request_flits: self.request_flits,
            reply_flits: self.reply_flits,
            servers: self.servers,
            think_cycles: self.think_cycles,
            count: self.count,
            stages: self.stages,
            microbatches: self.microbatches,
        }
    }
}

/// Form of a file.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Form {
    // No doc comments: with them, `-h` and `--help` would differ.
    Text,
    Binary,
}

/// Words of the command line have dashes where those of specs have underscores; both are taken.
fn underscored(word: &str) -> String {
    word.replace('-', "_")
}

fn dashed(word: &str) -> String {
    word.replace('_', "-")
}

/// Generates, writes, checks.
pub fn run(args: &Args) -> Result {
    interrupt::watch("the program was not written whole")?;
    if args.parameters {
        show::print(&parameters(args)?)?;
        return Ok(SUCCESS);
    }
    let units = Units { bytes_per_flit: args.bytes_per_flit, cycle_ns: Some(args.cycle_ns) };
    if args.kind.is_none() && args.numbers.asked("", None) != Generate::default() {
        return Err(Failure::usage("parameters are those of a kind of program, and none is given: name a KIND"));
    }
    if let Some(path) = &args.check {
        let program =
            read(path, &units).map_err(|fault| Failure::usage(format!("`{}`, {fault}", crate::show::path(path))))?;
        return summary(&crate::show::path(path), &program, args);
    }
    let Some(kind) = &args.kind else {
        if args.output.is_some() || args.json {
            return Err(Failure::usage("there is no program to print: give a kind, or a file to --check"));
        }
        show::print(&kinds())?;
        return Ok(SUCCESS);
    };
    let program = Generated::new(&args.numbers.asked(kind, args.algorithm.as_deref()))
        .map_err(|refused| Failure::usage(refused.to_string()))?;
    program.notes().iter().for_each(|note| show::note(note));
    let Some(path) = &args.output else {
        return summary(&dashed(kind), &program, args);
    };
    write(&program, path, &units, args)
}

fn write(program: &Generated, path: &Path, units: &Units, args: &Args) -> Result {
    let operations = operations(program);
    if operations > MOST_OPERATIONS {
        return Err(Failure::usage(format!(
            "the file would have {operations} operations, and {MOST_OPERATIONS} is the most; ask for less"
        )));
    }
    let destination = Destination::new(path, Kind::Program, args.force.replace(), &Inputs::none())?;
    let mut bytes = Vec::new();
    let written = match args.format.unwrap_or(Form::Text) {
        Form::Text => write_text(program, units, &mut bytes),
        Form::Binary => write_binary(program, units, &mut bytes),
    };
    // Memory takes all bytes, so what is wrong is wrong with the units.
    written.map_err(|error| Failure::usage(error.to_string()))?;
    destination.write(&bytes)?;
    if destination.is_stdout() {
        return Ok(SUCCESS);
    }
    summary(&show::path(path), program, args)
}

/// Every kind in a line.
fn kinds() -> String {
    let row = |kind: &Program| (dashed(kind.name), kind.summary.to_owned());
    let rows = pairs(&KINDS.iter().map(row).collect::<Vec<_>>());
    format!("Kinds of programs:\n\n{rows}\n`tailback workload KIND --parameters` shows what a kind takes.\n")
}

fn parameters(args: &Args) -> Result<String> {
    if args.markdown {
        return Ok(KINDS.iter().map(markdown).collect::<Vec<_>>().join("\n"));
    }
    let Some(name) = &args.kind else {
        return Ok(KINDS.iter().map(page).collect::<Vec<_>>().join("\n"));
    };
    match Program::named(&underscored(name)) {
        Some(kind) => Ok(page(kind)),
        None => {
            let names: Vec<String> = KINDS.iter().map(|kind| dashed(kind.name)).collect();
            Err(Failure::usage(format!("there is no kind `{}`; there are {}", shown(name), names.join(", "))))
        }
    }
}

/// What a kind takes.
fn page(kind: &Program) -> String {
    let algorithm =
        |algorithm: &tailback_program::generate::Algorithm| (dashed(algorithm.name), algorithm.summary.to_owned());
    let parameter = |parameter: &Parameter| {
        let facts = facts(parameter);
        (format!("--{}", dashed(parameter.name)), format!("{} [{}]", parameter.doc, facts.join("; ")))
    };
    let mut out = format!("{}: {}\n", dashed(kind.name), kind.summary);
    if !kind.algorithms.is_empty() {
        let rows: Vec<_> = kind.algorithms.iter().map(algorithm).collect();
        out += &format!("\nAlgorithms, the first is the default:\n{}", pairs(&rows));
    }
    let rows: Vec<_> = kind.parameters.iter().map(parameter).collect();
    out + &format!("\nParameters:\n{}", pairs(&rows))
}

/// Unit, range, default and algorithms of a parameter.
fn facts(parameter: &Parameter) -> Vec<String> {
    let mut facts = Vec::new();
    if !parameter.unit.is_empty() {
        facts.push(parameter.unit.to_owned());
    }
    facts.push(format!("{} to {}", parameter.least, parameter.most));
    facts.push(match parameter.default {
        Value::Required => "required".to_owned(),
        Value::Number(value) => format!("default {value}"),
        Value::Derived(words) => format!("default: {words}"),
    });
    if !parameter.algorithms.is_empty() {
        let names: Vec<String> = parameter.algorithms.iter().map(|name| dashed(name)).collect();
        facts.push(format!("for {}", names.join(", ")));
    }
    facts
}

/// A kind as a section of Markdown.
fn markdown(kind: &Program) -> String {
    let mut out = format!("### `{}`\n\n{}\n\n", kind.name, kind.summary);
    for algorithm in kind.algorithms {
        out += &format!("- `{}`: {}\n", algorithm.name, algorithm.summary);
    }
    if !kind.algorithms.is_empty() {
        out.push('\n');
    }
    out += "| parameter | meaning | unit, range, default |\n|---|---|---|\n";
    for parameter in kind.parameters {
        out += &format!("| `{}` | {} | {} |\n", parameter.name, parameter.doc, facts(parameter).join("; "));
    }
    out
}

/// Operations of a program that is written or looked at as a whole, at most.
const MOST_OPERATIONS: u64 = 1 << 25;

fn operations(program: &dyn tailback_program::Program) -> u64 {
    (0..program.ranks()).map(|rank| u64::from(program.operations(rank))).sum()
}

/// How large a program is, and how soon it can be over.
fn summary(name: &str, program: &dyn tailback_program::Program, args: &Args) -> Result {
    let ranks = program.ranks();
    let operations = operations(program);
    if operations > MOST_OPERATIONS {
        return Err(Failure::usage(format!(
            "the program has {operations} operations, and bounds are looked for among {MOST_OPERATIONS} at most"
        )));
    }
    let (messages, flits) = (0..ranks).map(|rank| program.sends(rank)).fold((0, 0), |(m, f), (n, g)| (m + n, f + g));
    let (longest, shortest) = program.lengths();
    let bounds = bounds(program, args.across);
    if args.json {
        let Bounds { ports, latency, compute, chain } = bounds;
        let bounds = json!({"ports": ports, "latency": latency, "compute": compute, "chain": chain});
        let object = json!({
            "program": name, "ranks": ranks, "operations": operations, "messages": messages, "flits": flits,
            "longest_flits": longest, "shortest_flits": shortest, "across_cycles": args.across, "bounds": bounds,
        });
        show::line(&object.to_string())?;
        return Ok(SUCCESS);
    }
    let (binding, cycles) = bounds.binding();
    let number = |value: u64| thousands(value as f64);
    let rows = [
        ("ranks", number(ranks.into())),
        ("operations", number(operations)),
        ("messages", format!("{}, of {shortest} to {longest} flits", number(messages))),
        ("flits", number(flits)),
        ("bound, ports", format!("{} cycles", number(bounds.ports))),
        ("bound, latency", format!("{} cycles", number(bounds.latency))),
        ("bound, compute", format!("{} cycles", number(bounds.compute))),
        ("bound, chain", format!("{} cycles", number(bounds.chain))),
    ];
    let rows: Vec<(String, String)> = rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let across = args.across;
    let last = format!(
        "If a message of M flits takes {across} + M cycles, the program takes {} cycles at least ({binding}).\n",
        number(cycles)
    );
    show::print(&format!("{}\n\n{}\n{last}", shown(name), pairs(&rows)))?;
    Ok(SUCCESS)
}
