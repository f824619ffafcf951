//! What BookSim prints, word by word, so that scripts that search it go on working.

use super::numbers::plain;
use std::fmt::Write;
use tailback_sim::{Block, Extent, Rate, Settled};

/// What a run has to say of a class.
struct Of<'a> {
    /// Its number.
    class: usize,
    periods: &'a [Block],
    overall: &'a Block,
}

/// The measured classes of a run; one where all packets are alike.
fn classes(run: &Settled) -> Vec<Of<'_>> {
    if run.classes.is_empty() {
        return vec![Of { class: 0, periods: &run.periods, overall: &run.overall }];
    }
    let measured = run.classes.iter().enumerate().filter_map(|(class, of)| Some((class, of.as_ref()?)));
    measured.map(|(class, of)| Of { class, periods: &of.periods, overall: &of.overall }).collect()
}

/// What the lines of results need beside the runs.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// By class `traffic`, as the file has it, and packets per node and cycle.
    pub classes: Vec<(String, f64)>,
    /// Whether a line `results:` is printed.
    pub csv: bool,
    /// By class the limit of latency \[cycles\].
    pub limits: Vec<f64>,
    /// Whether measured packets are waited for.
    pub drains: bool,
}

/// All runs of a configuration, one after the other, and their means.
pub fn page(runs: &[Settled], asked: &Asked, seconds: f64) -> String {
    let mut out = String::new();
    for run in runs {
        progress(&mut out, run, asked);
        if !run.stable {
            out += "Simulation unstable, ending ...\n";
            return out + &format!("Total run time {}\n", plain(seconds));
        }
        out += "Draining remaining packets ...\n";
        line(&mut out, format_args!("Time taken is {} cycles", run.overall.cycle));
    }
    out += "====== Overall Traffic Statistics ======\n";
    let all: Vec<Vec<Of>> = runs.iter().map(classes).collect();
    // All runs measure the same classes.
    let numbers: Vec<usize> = all.first().map_or(Vec::new(), |first| first.iter().map(|of| of.class).collect());
    let blocks = |at: usize| all.iter().map(|run| run[at].overall).collect::<Vec<&Block>>();
    for (at, &class) in numbers.iter().enumerate() {
        overall(&mut out, class, &blocks(at));
    }
    for (at, &class) in numbers.iter().enumerate().filter(|_| asked.csv) {
        csv(&mut out, class, &blocks(at), asked);
    }
    out + &format!("Total run time {}\n", plain(seconds))
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("text takes all");
}

fn progress(out: &mut String, run: &Settled, asked: &Asked) {
    let classes = classes(run);
    for (number, period) in run.periods.iter().enumerate() {
        for of in &classes {
            block(out, of.class, &of.periods[number]);
        }
        for of in &classes {
            line(out, format_args!("latency change    = {}", plain(of.periods[number].changes[0])));
            line(out, format_args!("throughput change = {}", plain(of.periods[number].changes[1])));
        }
        if run.measured.is_some_and(|(from, _)| from == period.cycle) {
            line(out, format_args!("Warmed up ...Time used is {} cycles", period.cycle));
        }
    }
    let drained = run.stable || run.overall.cycle > run.periods.last().map_or(0, |last| last.cycle);
    if drained && asked.drains {
        *out += "Draining all recorded packets ...\n";
    }
    if !run.stable {
        let class = run.exceeded.unwrap_or(0);
        let limit = plain(asked.limits[class]);
        line(out, format_args!("Average latency for class {class} exceeded {limit} cycles. Aborting simulation."));
    }
}

fn block(out: &mut String, class: usize, block: &Block) {
    line(out, format_args!("Class {class}:"));
    let extent = |out: &mut String, name: &str, extent: &Extent| {
        line(out, format_args!("{name} average = {}", plain(extent.mean)));
        line(out, format_args!("\tminimum = {}", plain(extent.min)));
        line(out, format_args!("\tmaximum = {}", plain(extent.max)));
    };
    let rate = |out: &mut String, name: &str, rate: &Rate| {
        line(out, format_args!("{name} {}", plain(rate.extent.mean)));
        line(out, format_args!("\tminimum = {} (at node {})", plain(rate.extent.min), rate.min_at));
        line(out, format_args!("\tmaximum = {} (at node {})", plain(rate.extent.max), rate.max_at));
    };
    extent(out, "Packet latency", &block.latency);
    extent(out, "Network latency", &block.network_latency);
    extent(out, "Flit latency", &block.flit_latency.unwrap_or(UNKNOWN));
    extent(out, "Fragmentation", &fragmentation(block));
    rate(out, "Injected packet rate average =", &block.packets[0]);
    rate(out, "Accepted packet rate average =", &block.packets[1]);
    rate(out, "Injected flit rate average =", &block.flits[0]);
    rate(out, "Accepted flit rate average=", &block.flits[1]);
    for (name, side) in [("Injected", 0), ("Accepted", 1)] {
        let length = block.flits[side].count as f64 / block.packets[side].count as f64;
        line(out, format_args!("{name} packet length average = {}", plain(length)));
    }
    let [all, measured] = block.in_flight;
    line(out, format_args!("Total in-flight flits = {all} ({measured} measured)"));
}

const UNKNOWN: Extent = Extent { mean: f64::NAN, min: f64::NAN, max: f64::NAN };

/// How far the flits of a packet are apart.
fn fragmentation(block: &Block) -> Extent {
    block.fragmentation.unwrap_or(UNKNOWN)
}

/// A figure: its words, and where it stands.
type Figure = (&'static str, fn(&Block) -> Extent);

/// The figures of the last blocks, in their order.
fn figures() -> [Figure; 8] {
    [
        ("Packet latency", |b| b.latency),
        ("Network latency", |b| b.network_latency),
        ("Flit latency", |b| b.flit_latency.unwrap_or(UNKNOWN)),
        ("Fragmentation", fragmentation),
        ("Injected packet rate", |b| b.packets[0].extent),
        ("Accepted packet rate", |b| b.packets[1].extent),
        ("Injected flit rate", |b| b.flits[0].extent),
        ("Accepted flit rate", |b| b.flits[1].extent),
    ]
}

fn mean(blocks: &[&Block], of: impl Fn(&Block) -> f64) -> f64 {
    blocks.iter().map(|block| of(block)).sum::<f64>() / blocks.len() as f64
}

fn extents(blocks: &[&Block], of: fn(&Block) -> Extent) -> Extent {
    Extent {
        mean: mean(blocks, |block| of(block).mean),
        min: mean(blocks, |block| of(block).min),
        max: mean(blocks, |block| of(block).max),
    }
}

/// Flits of a packet that nodes sent, and received.
fn lengths(blocks: &[&Block]) -> [f64; 2] {
    [0, 1].map(|side| {
        let rates = |of: fn(&Block, usize) -> f64| mean(blocks, |block| of(block, side));
        rates(|b, side| b.flits[side].extent.mean) / rates(|b, side| b.packets[side].extent.mean)
    })
}

fn overall(out: &mut String, class: usize, blocks: &[&Block]) {
    let samples = format!("({} samples)", blocks.len());
    line(out, format_args!("====== Traffic class {class} ======"));
    for (name, of) in figures() {
        let Extent { mean, min, max } = extents(blocks, of);
        line(out, format_args!("{name} average = {} {samples}", plain(mean)));
        line(out, format_args!("\tminimum = {} {samples}", plain(min)));
        line(out, format_args!("\tmaximum = {} {samples}", plain(max)));
    }
    let [sent, received] = lengths(blocks);
    line(out, format_args!("Injected packet size average = {} {samples}", plain(sent)));
    line(out, format_args!("Accepted packet size average = {} {samples}", plain(received)));
    line(out, format_args!("Hops average = {} {samples}", plain(mean(blocks, |block| block.routers))));
}

/// The line of a class. BookSim writes the figures of class 0 into that of every class.
fn csv(out: &mut String, class: usize, blocks: &[&Block], asked: &Asked) {
    let (traffic, rate) = asked.classes.get(class).cloned().unwrap_or_default();
    let mut cells = vec![traffic, "0".to_owned(), plain(rate)];
    for (_, of) in figures() {
        let Extent { mean, min, max } = extents(blocks, of);
        cells.extend([min, mean, max].map(plain));
    }
    cells.extend(lengths(blocks).map(plain));
    cells.push(plain(mean(blocks, |block| block.routers)));
    line(out, format_args!("results:{class},{}", cells.join(",")));
}
