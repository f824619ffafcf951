//! The anatomy's tables, in the terminal and in the report, from its JSON.

use crate::show::numbers::{short, thousands};
use crate::show::table;
use serde_json::Value;
use tailback_pictures::report::{Block, Cell, Column, Table};
use tailback_pictures::terminal::Paint;

/// Rows of a table in the terminal.
const SHOWN: usize = 5;

/// A table: what it shows, its columns with their units, and its rows.
struct Rows {
    caption: &'static str,
    columns: Vec<(&'static str, &'static str)>,
    rows: Vec<Vec<String>>,
}

/// The tables in the terminal.
pub fn text(anatomy: &Value, color: Paint) -> String {
    let tables = tables(anatomy).into_iter().map(|mut rows| {
        rows.rows.truncate(SHOWN);
        let column = |(at, (name, unit)): (usize, &(&str, &str))| {
            let cells = rows.rows.iter().map(|row| row[at].clone()).collect();
            table::Column { left: at == 0, ..table::Column::new(*name, *unit, cells) }
        };
        let columns: Vec<table::Column> = rows.columns.iter().enumerate().map(column).collect();
        format!("\n{}\n{}", rows.caption, table::table(&columns, color))
    });
    tables.collect()
}

/// The tables in the report.
pub fn blocks(anatomy: &Value) -> Vec<Block> {
    let tables = tables(anatomy).into_iter().map(|rows| {
        let columns = rows.columns.iter().map(|(name, unit)| Column::new(*name, *unit)).collect();
        let cells = rows.rows.into_iter().map(|row| row.into_iter().map(Cell::text).collect()).collect();
        Block::Table(Table { caption: rows.caption.to_owned(), columns, rows: cells })
    });
    tables.collect()
}

/// The tables that have rows.
fn tables(anatomy: &Value) -> Vec<Rows> {
    let mut tables = vec![
        roots(&anatomy["roots"]),
        lives(&anatomy["longest_lives"]),
        blocked(anatomy),
        flows("Culprits: flows that cross the root of the tree they stand in", &anatomy["flows"]["culprits"]),
        flows("Victims: flows that stand in a tree of which they do not cross the root", &anatomy["flows"]["victims"]),
        speeds(&anatomy["busy_areas"]),
    ];
    tables.retain(|rows| !rows.rows.is_empty());
    tables
}

fn roots(roots: &Value) -> Rows {
    let row = |root: &Value| {
        vec![
            place(root),
            percent(&root["share"]),
            number(&root["waiting_heads"]),
            count(&root["blocked_packet_cycles"]),
        ]
    };
    Rows {
        caption: "Roots of congestion trees, those of the longest time first",
        columns: vec![("root", ""), ("time", "%"), ("heads waiting", "packets"), ("blocked", "packet-cycles")],
        rows: list(roots).map(row).collect(),
    }
}

fn lives(lives: &Value) -> Rows {
    let row = |life: &Value| {
        let columns = ["born_cycle", "cycles", "depth_max"].map(|name| count(&life[name]));
        let mut row = vec![place(life)];
        row.extend(columns);
        row.extend([
            number(&life["branches_mean"]),
            count(&life["branches_max"]),
            count(&life["blocked_packet_cycles"]),
        ]);
        row
    };
    Rows {
        caption: "Congestion trees, those of the longest life first",
        columns: vec![
            ("root", ""),
            ("born", "cycle"),
            ("life", "cycles"),
            ("depth", "links"),
            ("links, mean", ""),
            ("links, most", ""),
            ("blocked", "packet-cycles"),
        ],
        rows: list(lives).map(row).collect(),
    }
}

fn blocked(anatomy: &Value) -> Rows {
    let blocked = &anatomy["blocked_packet_cycles"];
    let total = blocked["front"].as_f64().unwrap_or(0.0) + blocked["behind"].as_f64().unwrap_or(0.0);
    let parts = [
        ("front", "at the front of a queue"),
        ("same", "behind, for the same link as the front"),
        ("other", "behind, for another link that is busy or demanded"),
        ("head_of_line", "behind, for another link that is free: head-of-line blocking"),
    ];
    let row = |(key, name): (&str, &str)| {
        let packets = blocked[key].as_f64().filter(|_| total > 0.0)?;
        Some(vec![name.to_owned(), thousands(packets), short(100.0 * packets / total)])
    };
    Rows {
        caption: "Blocked time",
        columns: vec![("packets", ""), ("blocked", "packet-cycles"), ("share", "%")],
        rows: parts.into_iter().filter_map(row).collect(),
    }
}

fn flows(caption: &'static str, flows: &Value) -> Rows {
    let row = |flow: &Value| {
        let name = format!("{} to {}", flow["source"], flow["destination"]);
        vec![name, count(&flow["packet_cycles"])]
    };
    Rows { caption, columns: vec![("flow", ""), ("blocked", "packet-cycles")], rows: list(flows).map(row).collect() }
}

fn speeds(speeds: &Value) -> Rows {
    let row = |(direction, speed): (&String, &Value)| {
        let value = speed["routers_per_cycle"].as_f64()?;
        let way = match speed["moves"].as_bool() {
            Some(true) if value < 0.0 => "against the traffic",
            Some(true) => "with the traffic",
            _ => "stands",
        };
        let numbers = [format!("{value:+.3}"), number(&speed["correlation"]), count(&speed["lag_cycles"])];
        let mut row = vec![direction.clone()];
        row.extend(numbers);
        row.push(way.to_owned());
        Some(row)
    };
    Rows {
        caption: "Movement of busy areas",
        columns: vec![
            ("direction", ""),
            ("speed", "routers/cycle"),
            ("correlation", ""),
            ("over", "cycles"),
            ("way", ""),
        ],
        rows: speeds.as_object().into_iter().flatten().filter_map(row).collect(),
    }
}

fn list(values: &Value) -> impl Iterator<Item = &Value> {
    values.as_array().into_iter().flatten()
}

/// `x+ of [1, 2]` or `node 5`.
fn place(of: &Value) -> String {
    match of["port"].as_str() {
        Some(port) if of["router"].is_u64() => format!("router {} {port}", of["router"]),
        Some(port) => format!("{port} of {}", of["router"]),
        None => format!("node {}", of["node"]),
    }
}

fn percent(share: &Value) -> String {
    share.as_f64().map_or("-".to_owned(), |share| short(100.0 * share))
}

fn number(value: &Value) -> String {
    value.as_f64().map_or("-".to_owned(), short)
}

fn count(value: &Value) -> String {
    value.as_f64().map_or("-".to_owned(), thousands)
}
