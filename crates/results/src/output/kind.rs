//! What a file holds, told by how it begins.

use crate::checkpoint::MAGIC;
use serde_json::Value;

/// A kind of file that this program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A checkpoint.
    Checkpoint,
    /// A capsule.
    Capsule,
    /// Rows about points, one JSON object a line.
    JsonLines,
    /// A latency-load curve.
    Curve,
    /// What happened to a packet, as Chrome trace events.
    TraceEvents,
    /// A picture as SVG.
    Svg,
    /// A picture as PNG.
    Png,
    /// A picture as PDF.
    Pdf,
    /// A table as Parquet.
    Parquet,
    /// A table as text.
    Csv,
    /// A table of points with their seeds summed up, as text.
    Points,
    /// A report as HTML.
    Html,
    /// A spec.
    Spec,
    /// A script of a batch system.
    Script,
    /// A network of routers and links.
    Network,
    /// A table of routes.
    Routes,
    /// A program as GOAL, text or binary.
    Program,
    /// The calls of a host that stepped a network.
    CallLog,
}

impl Kind {
    /// The kind of a file of this name in an output folder.
    pub(crate) fn of_name(name: &str) -> Option<Kind> {
        let (_, ending) = name.rsplit_once('.')?;
        Some(match ending {
            "jsonl" => Kind::JsonLines,
            "json" => Kind::Capsule,
            "svg" => Kind::Svg,
            "png" => Kind::Png,
            "pdf" => Kind::Pdf,
            "parquet" => Kind::Parquet,
            "csv" if name == "records.csv" => Kind::Points,
            "csv" => Kind::Csv,
            "html" => Kind::Html,
            "toml" => Kind::Spec,
            "sbatch" => Kind::Script,
            _ => return None,
        })
    }

    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Checkpoint => "a checkpoint",
            Kind::Capsule => "a capsule",
            Kind::JsonLines => "rows of results, one JSON object per line",
            Kind::Curve => "a curve as JSON",
            Kind::TraceEvents => "trace events as JSON",
            Kind::Svg => "an SVG picture",
            Kind::Png => "a PNG picture",
            Kind::Pdf => "a PDF picture",
            Kind::Parquet => "a Parquet table",
            Kind::Csv => "a CSV table of numbers",
            Kind::Points => "a CSV table of points",
            Kind::Html => "a report of this program",
            Kind::Spec => "a spec",
            Kind::Script => "a script that this program wrote",
            Kind::Network => "a network",
            Kind::Routes => "a table of routes",
            Kind::Program => "a program as GOAL",
            Kind::CallLog => "a call log",
        }
    }

    /// Whether a file that begins with these bytes is of this kind, as far as they tell.
    pub fn begins(self, bytes: &[u8]) -> bool {
        match self {
            Kind::Checkpoint => bytes.starts_with(&MAGIC),
            Kind::Png => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
            Kind::Pdf => bytes.starts_with(b"%PDF-"),
            Kind::Parquet => bytes.starts_with(b"PAR1"),
            Kind::Capsule => has_keys(bytes, &["\"format\"", "\"version\"", "\"spec_toml\""]),
            Kind::Curve => has_keys(bytes, &["\"channel_load_bound\"", "\"never_saturates\""]),
            Kind::TraceEvents => has_keys(bytes, &["\"traceEvents\"", "\"ts\""]),
            Kind::JsonLines => is_row(bytes),
            Kind::Svg => is_svg(&text(bytes)),
            Kind::Html => text(bytes).starts_with(REPORT),
            Kind::Csv => is_table(&text(bytes)) && !is_points(&text(bytes)),
            Kind::Points => is_points(&text(bytes)),
            Kind::Spec => is_toml(&text(bytes)),
            Kind::Script => text(bytes).starts_with("#!/bin/sh\n#SBATCH --job-name=tailback\n"),
            Kind::Routes => text(bytes).starts_with(ROUTES),
            Kind::Program => bytes.starts_with(&4223_u64.to_le_bytes()) || bytes.starts_with(b"num_ranks "),
            Kind::CallLog => bytes.starts_with(CALL_LOG.as_bytes()),
            Kind::Network => NETWORKS.iter().any(|begin| text(bytes).starts_with(begin)),
        }
    }
}

/// How a call log begins, whatever its version.
const CALL_LOG: &str = "tailback calls ";

/// How files of networks begin: native, anynet, Graphviz, JSON.
const NETWORKS: [&str; 4] = ["routers ", "router ", "graph network {", "{\"routers\": ["];

/// How tables of routes begin that this program wrote.
const ROUTES: &str = "# routes: router destination ";

/// How every report of this program begins.
const REPORT: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
                      <meta http-equiv=\"Content-Security-Policy\"";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether text is a JSON object with these keys near its beginning.
fn has_keys(bytes: &[u8], keys: &[&str]) -> bool {
    let text = text(bytes);
    text.trim_start().starts_with('{') && keys.iter().all(|key| text.contains(key))
}

/// Whether the first line is a JSON object about a point or a number of a paper, if the line ends here.
fn is_row(bytes: &[u8]) -> bool {
    let text = text(bytes);
    match text.split_once('\n') {
        Some((line, _)) => serde_json::from_str::<Value>(line)
            .is_ok_and(|row| row.get("point_id").or(row.get("paper")).is_some_and(Value::is_string)),
        None => has_keys(bytes, &["\"point_id\""]) && !Kind::Capsule.begins(bytes),
    }
}

/// Whether the root of an XML document is `svg`; what stands before it begins with `<?` or `<!`.
fn is_svg(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    while rest.starts_with("<?") || rest.starts_with("<!") {
        let end = if rest.starts_with("<!--") { "-->" } else { ">" };
        let Some((_, behind)) = rest.split_once(end) else { return false };
        rest = behind.trim_start();
    }
    rest.strip_prefix("<svg").is_some_and(|tag| tag.starts_with([' ', '\n', '\r', '\t', '>', '/']))
}

/// Whether the first line that is no comment is one of TOML.
fn is_toml(text: &str) -> bool {
    let header = |line: &str| line.split('#').next().is_some_and(|line| line.trim_end().ends_with(']'));
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    let key = |key: &str| key.chars().all(|c| c.is_ascii_alphanumeric() || "_-.\"' ".contains(c));
    first.is_some_and(|line| {
        (line.starts_with('[') && header(line)) || line.split_once('=').is_some_and(|(name, _)| key(name))
    })
}

/// Whether the first line names the intervals over seeds that a table of points has.
fn is_points(text: &str) -> bool {
    text.lines().next().is_some_and(|head| head.contains("accepted_load_seeds_ci95,"))
}

/// Whether the first line names columns, and the second one has a cell for each of them and a number among its cells.
fn is_table(text: &str) -> bool {
    let mut lines = text.lines();
    let Some(head) = lines.next() else { return false };
    let named = head.starts_with(|c: char| c.is_ascii_lowercase() || c == '"') && !head.contains(['{', '=', ';']);
    let names = cells(head).len();
    let row = lines.next().map(cells);
    named && row.is_some_and(|row| row.len() == names && row.iter().any(|cell| cell.parse::<f64>().is_ok()))
}

/// The cells of a line; a comma between quotes separates none.
fn cells(line: &str) -> Vec<&str> {
    let mut quoted = false;
    let separates = |c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    };
    line.split(separates).collect()
}
