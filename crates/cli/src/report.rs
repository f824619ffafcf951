//! The HTML report of a run: pictures, numbers, the network, the spec, how to do it again.

use crate::anatomy;
use crate::bounds::Above;
use crate::collapse::collapses;
use crate::curves::{line_name, varying};
use crate::folder::Picture;
use crate::latency_split;
use crate::points_table::points_table;
use crate::show::numbers::{bytes, maybe, short, thousands};
use crate::twins;
use crate::why;
use serde_json::Value;
use std::collections::HashMap;
use tailback_pictures::report::{Answer, Block, Cell, Column, Report, Section, Table};
use tailback_results::{Record, Series};
use tailback_sim::{Facts, Why};

/// Everything that the report shows.
pub struct Content<'a> {
    /// The spec's name.
    pub title: String,
    /// The spec's description.
    pub description: String,
    /// The spec as it was understood.
    pub spec: String,
    /// What the first point's network is.
    pub facts: Facts,
    /// All records, in the order of the sweep.
    pub records: &'a [Record],
    /// Pictures of the whole sweep.
    pub pictures: &'a [Picture],
    /// Pictures of points, by identity.
    pub points: Vec<(String, Vec<Picture>)>,
    /// The anatomy of the congestion of points, by identity.
    pub anatomies: Vec<(String, &'a Value)>,
    /// How points ended and why, by identity: of those that are explained.
    pub explanations: Vec<(String, Why)>,
    /// Numbers found by analysis: rows with `point_id`, `name`, `value`, `unit`.
    pub findings: Vec<&'a Value>,
    /// What it begins with; the pictures follow.
    pub answer: Answer,
    /// The tables `latency_split*`, where a single point has them.
    pub split: &'a [Series],
    /// Points that ask for more than their network can carry.
    pub above: Vec<Above>,
    /// How many points there should be.
    pub expected: usize,
    /// What points are called.
    pub names: Names<'a>,
}

/// What points are called: what distinguishes them, or their identity.
pub struct Names<'a> {
    by_id: HashMap<&'a str, &'a Record>,
    varying: Vec<String>,
    seeds_differ: bool,
}

impl<'a> Names<'a> {
    /// The names of the points with these records.
    pub fn new(records: &'a [Record]) -> Names<'a> {
        Names {
            by_id: records.iter().map(|record| (record.point_id.as_str(), record)).collect(),
            varying: varying(records),
            seeds_differ: records.windows(2).any(|pair| pair[0].seed != pair[1].seed),
        }
    }

    fn of(&self, id: &str) -> String {
        let record = self.by_id.get(id);
        let name = record.map(|r| line_name(r, &self.varying)).unwrap_or_default();
        match record {
            Some(record) if self.seeds_differ => format!("{name}, seed {}", record.seed),
            _ if name.is_empty() => id.to_owned(),
            _ => name,
        }
    }
}

/// The most points that a sentence names.
const NAMED: usize = 8;

impl Content<'_> {
    /// The report.
    pub fn report(&self) -> Report {
        let missing = self.expected - self.records.len().min(self.expected);
        let missing =
            if missing > 0 { format!("; {missing} of {} points are missing", self.expected) } else { String::new() };
        let mut answer = self.answer.clone();
        answer.blocks.extend(self.pictures.iter().map(figure));
        let mut sections = vec![section("Result", self.result())];
        for (id, pictures) in &self.points {
            let anatomy = self.anatomies.iter().find(|(point, _)| point == id);
            let mut blocks: Vec<Block> = pictures.iter().map(figure).collect();
            blocks.extend(anatomy.into_iter().flat_map(|(_, anatomy)| anatomy::blocks(anatomy)));
            sections.push(section(&format!("Point {}", self.names.of(id)), blocks));
        }
        sections.push(section("Network", vec![Block::Table(facts_table(&self.facts))]));
        sections.push(section("Spec", vec![code(&self.spec, "toml")]));
        sections.push(section("Do it again", self.again()));
        Report {
            title: self.title.clone(),
            subtitle: format!("{}{missing}", self.description.trim().trim_end_matches('.')),
            answer,
            sections,
        }
    }

    fn result(&self) -> Vec<Block> {
        let mut blocks =
            if self.records.len() > 1 { vec![Block::Table(points_table(self.records))] } else { Vec::new() };
        blocks.extend(latency_split::reported(self.split).map(Block::Table));
        if !self.findings.is_empty() {
            blocks.push(Block::Table(self.findings_table()));
        }
        for (id, why) in &self.explanations {
            let several = self.records.len() > 1;
            blocks.extend(several.then(|| Block::Paragraph(format!("{}:", self.names.of(id)))));
            blocks.push(why::block(why));
        }
        blocks
            .extend(collapses(self.records).iter().map(|collapse| Block::Paragraph(format!("{}.", collapse.words()))));
        blocks.extend(twins::sentences(self.records).into_iter().map(|twins| Block::Paragraph(format!("{twins}."))));
        blocks.extend(self.above.iter().map(|above| Block::Paragraph(self.above_bound(above))));
        blocks
    }

    /// Where no steady state can be expected, and why.
    fn above_bound(&self, above: &Above) -> String {
        let mut names: Vec<String> = above.points.iter().take(NAMED).map(|id| self.names.of(id)).collect();
        if above.points.len() > NAMED {
            names.push(format!("{} more points", above.points.len() - NAMED));
        }
        let whose = if self.expected > 1 { format!(" ({})", names.join("; ")) } else { String::new() };
        format!(
            "The offered load{whose} is above the channel-load bound of {} flits/node/cycle, set by {}: the network \
             saturates there.",
            short(above.bound),
            above.what
        )
    }

    fn findings_table(&self) -> Table {
        let row = |row: &&Value| {
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let value = short(row["value"].as_f64().unwrap_or(f64::NAN));
            vec![
                Cell::text(self.names.of(&text("point_id"))),
                Cell::text(text("name")),
                Cell::text(value),
                Cell::text(text("unit")),
            ]
        };
        let columns = ["point", "what", "value", "unit"].map(|name| Column::new(name, "")).to_vec();
        Table { caption: "Found by analysis.".to_owned(), columns, rows: self.findings.iter().map(row).collect() }
    }

    fn again(&self) -> Vec<Block> {
        let text = "The folder of this report holds the spec, a row for each run (records.jsonl, records.parquet), a row for each point with its seeds summed up (records.csv), its \
                    time series (series/), every picture as SVG and PNG (pictures/), and a capsule for each point. The \
                    same spec and seed give the same bits on any machine and with any number of threads; a capsule proves \
                    it: verify runs the point again and compares digests.";
        let commands = "tailback run spec.toml --out again\ntailback verify capsules\ntailback plot .\n";
        let pdf = "This page gives its figures as SVG, PNG and CSV. The first command here draws the comparison as PDF. Any \
                   picture of the folder becomes a PDF with a converter, such as rsvg-convert.";
        let drawn = "tailback plot . --out figure.pdf\nrsvg-convert -f pdf -o picture.pdf pictures/NAME.svg\n";
        vec![
            Block::Paragraph(text.to_owned()),
            code(commands, "sh"),
            Block::Paragraph(pdf.to_owned()),
            code(drawn, "sh"),
        ]
    }
}

/// What the network is and what bounds it, as rows of name and value.
pub fn facts_rows(facts: &Facts) -> Vec<(String, String)> {
    let load = |value: Option<f64>| value.map_or("unknown".to_owned(), |v| format!("{} flits/node/cycle", short(v)));
    let mut rows = vec![
        ("routers".to_owned(), thousands(facts.routers as f64)),
        ("nodes".to_owned(), thousands(facts.nodes as f64)),
        ("links".to_owned(), thousands(facts.links as f64)),
        ("memory, at most".to_owned(), bytes(facts.memory_bytes)),
        ("mean hops".to_owned(), maybe(facts.hops_mean)),
        ("zero-load latency".to_owned(), format!("{} cycles", maybe(facts.zero_load_latency))),
    ];
    let shape = &facts.shape;
    if let Some(diameter) = shape.diameter {
        rows.push(("diameter".to_owned(), format!("{diameter}, longest minimal way between nodes")));
    }
    let bounds =
        [("minimal bound", shape.minimal_bound, "minimal ways"), ("ECMP bound", shape.ecmp_bound, "all shortest ways")];
    for (name, bound, ways) in bounds.into_iter().filter(|bound| bound.1.is_some()) {
        rows.push((name.to_owned(), format!("{}, uniform traffic over {ways}", load(bound))));
    }
    if facts.bisection_load.is_some() {
        rows.push(("bisection bound".to_owned(), format!("{}, uniform traffic", load(facts.bisection_load))));
    }
    rows.push(("channel-load bound".to_owned(), load(facts.channel_load_bound)));
    if let Some(link) = &facts.busiest_link {
        rows.push(("  set by".to_owned(), link.clone()));
    }
    if facts.offered_load.is_some() {
        rows.push(("offered load".to_owned(), load(facts.offered_load)));
    }
    rows.push(("deadlock".to_owned(), facts.deadlock_freedom.clone()));
    let can = facts.deadlock_freedom.starts_with("it can");
    for (number, found) in facts.deadlock_details.iter().enumerate() {
        let name = match number {
            0 if can => "  for example",
            0 => "  proved",
            _ => "  while",
        };
        rows.push((name.to_owned(), found.clone()));
    }
    rows.extend(facts.details.iter().map(|(name, text)| ((*name).to_owned(), text.clone())));
    rows
}

fn facts_table(facts: &Facts) -> Table {
    let rows = facts_rows(facts).into_iter().map(|(name, value)| vec![Cell::text(name.trim()), Cell::text(value)]);
    let columns = vec![Column::new("fact", ""), Column::new("value", "")];
    Table {
        caption: "The network of the first point; no run is steady above the bounds.".to_owned(),
        columns,
        rows: rows.collect(),
    }
}

fn section(heading: &str, blocks: Vec<Block>) -> Section {
    Section { heading: heading.to_owned(), blocks }
}

fn figure(picture: &Picture) -> Block {
    Block::Svg { svg: picture.svg.clone(), caption: picture.caption.clone() }
}

fn code(text: &str, language: &str) -> Block {
    Block::Code { text: text.to_owned(), language: language.to_owned() }
}
