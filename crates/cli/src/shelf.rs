//! Results on disk, as the page of `tailback view` asks for them: what there is, a table, a figure, a point, a file.

mod blocks;
mod places;

pub use places::places;

use crate::anatomy;
use crate::compared::About;
use crate::curves::unit_of;
use crate::exit::{Failure, Result};
use crate::folder::Picture;
use crate::gathered::{RESULTS, joined, names, read};
use crate::plotted::{Asked, Asking, best_axis, plotted};
use crate::point_pictures;
use crate::points_table::{cell, points_table};
use crate::show::numbers::scalar;
use crate::why;
use places::{Place, RECORDS};
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use tailback_live::{Data, Library};
use tailback_pictures::report::{Block, Cell, Column, Table};
use tailback_results::Record;
use tailback_results::schema::COLUMNS;
use tailback_results::table::parameter_names;
use tailback_summary::filter::{FilterError, chosen};
use tailback_summary::{Filter, points};

/// The most rows of a table that are sent.
const MOST_ROWS: usize = 2_000;

/// The most values of a swept parameter that can be chosen from.
const MOST_VALUES: usize = 200;

/// Folders of results.
pub struct Shelf {
    places: Vec<Place>,
    names: Vec<String>,
    /// What was read, by folder.
    read: Mutex<BTreeMap<usize, Kept>>,
}

/// The length and age of a file.
type Stamp = (u64, Option<SystemTime>);

/// The records of a folder, and what their file was like when they were read.
type Kept = (Stamp, Arc<Vec<Record>>);

/// What a page asks for, by keys and values.
type Query<'a> = &'a [(String, String)];

impl Shelf {
    /// These folders.
    pub fn new(places: Vec<Place>) -> Shelf {
        let named: Vec<_> = places.iter().map(|place| place.named.clone()).collect();
        Shelf { names: names(&named), places, read: Mutex::default() }
    }

    /// Reads the records of all folders.
    ///
    /// # Errors
    /// For a file that holds no records.
    pub fn check(&self) -> Result<()> {
        (0..self.places.len()).try_for_each(|at| self.records(at).map(drop))
    }

    /// The records of a folder, read again where they have changed.
    fn records(&self, at: usize) -> Result<Arc<Vec<Record>>> {
        let gone = || Failure::usage(format!("there is no {RECORDS} in `{}` any more", self.names[at]));
        let path = self.places[at].inside(Path::new(RECORDS)).ok_or_else(gone)?;
        let stamp = path.metadata().map(|found| (found.len(), found.modified().ok())).map_err(|_| gone())?;
        // What another thread left is whole.
        let mut all = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, records)) = all.get(&at).filter(|(known, _)| *known == stamp) {
            return Ok(Arc::clone(records));
        }
        let records = Arc::new(read(&path)?);
        all.insert(at, (stamp, Arc::clone(&records)));
        Ok(records)
    }

    /// The folders that are asked for; all of them where none is named.
    fn folders(&self, query: Query) -> Vec<usize> {
        let named: BTreeSet<usize> = values(query, "folder").filter_map(|value| value.parse().ok()).collect();
        let known: Vec<usize> = named.into_iter().filter(|&at| at < self.places.len()).collect();
        if known.is_empty() { (0..self.places.len()).collect() } else { known }
    }

    /// The records of the folders that are asked for, as one list.
    fn joined(&self, query: Query) -> Result<Vec<Record>> {
        let folders = self.folders(query);
        let parts = folders.iter().map(|&at| Ok(self.records(at)?.to_vec())).collect::<Result<Vec<_>>>()?;
        Ok(joined(parts, folders.iter().map(|&at| self.names[at].clone()).collect()))
    }

    /// What there is: folders, columns, and what is swept with its values.
    fn index(&self, query: Query) -> Result<Value> {
        let records = self.joined(query)?;
        let folders = self.names.iter().enumerate().map(|(at, name)| {
            let count = self.records(at).map(|records| records.len());
            let shown = crate::show::path(&self.places[at].named);
            json!({ "name": name, "path": shown, "runs": count.as_ref().ok(), "problem": count.err().map(|_| "unreadable") })
        });
        let swept = parameter_names(&records);
        let values = |name: &str| {
            let mut found: Vec<_> = records.iter().filter_map(|record| record.scalar(name)).collect();
            found.sort_by(|a, b| match (a.as_f64(), b.as_f64()) {
                (Some(a), Some(b)) => a.total_cmp(&b),
                _ => a.to_string().cmp(&b.to_string()),
            });
            let mut words: Vec<String> = found.iter().map(ToString::to_string).collect();
            words.dedup();
            let more = words.len().saturating_sub(MOST_VALUES);
            words.truncate(MOST_VALUES);
            json!({ "name": name, "unit": unit_of(name), "values": words, "more": more })
        };
        let filters: Vec<Value> = swept.iter().copied().chain(["status"]).map(values).collect();
        let without = without_numbers(&records, COLUMNS.iter().map(|column| column.name).chain(swept.iter().copied()));
        let numeric = |name: &str| !without.contains(name);
        let core = COLUMNS.iter().filter(|column| numeric(column.name));
        let columns: Vec<Value> =
            core.map(|c| json!({ "name": c.name, "unit": c.unit, "meaning": c.meaning })).collect();
        let all: Vec<&Record> = records.iter().collect();
        Ok(json!({
            "folders": folders.collect::<Vec<_>>(), "filters": filters, "columns": columns, "swept": swept,
            "x": best_axis(&all), "compares": swept.contains(&RESULTS),
            "numbers": swept.iter().filter(|name| numeric(name)).collect::<Vec<_>>(),
        }))
    }

    /// A row for each point that is chosen, as the report has it.
    fn table(&self, query: Query) -> Result<Value> {
        let records = self.joined(query)?;
        let chosen: Vec<Record> = choose(&records, query)?.into_iter().cloned().collect();
        let mut table = points_table(&chosen);
        let order = sorted(&table, values(query, "sort").next());
        let total = table.rows.len();
        table.rows = order.iter().take(MOST_ROWS).map(|&row| std::mem::take(&mut table.rows[row])).collect();
        let folders = self.folders(query);
        let owners = folders.iter().map(|&at| Ok((at, self.records(at)?))).collect::<Result<Vec<_>>>()?;
        let mut owner: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (at, records) in &owners {
            for record in records.iter() {
                owner.entry((&record.point_id, &record.digest)).or_insert(*at);
            }
        }
        let runs = |point: tailback_summary::Point| {
            let run = |run: &&Record| {
                let at = owner.get(&(run.point_id.as_str(), run.digest.as_str()));
                json!({ "folder": at, "id": run.point_id, "seed": run.seed })
            };
            point.runs.iter().map(run).collect::<Vec<Value>>()
        };
        let mut points_of: Vec<_> = points(&chosen).into_iter().map(Some).collect();
        let runs: Vec<Vec<Value>> =
            order.iter().take(MOST_ROWS).filter_map(|&row| points_of.get_mut(row)?.take()).map(runs).collect();
        Ok(json!({ "table": blocks::table(&table), "runs": runs, "total": total, "all": points(&records).len() }))
    }

    /// The figure of the points that are chosen, as `tailback plot` draws it.
    fn figure(&self, query: Query) -> Result<Value> {
        let records = self.joined(query)?;
        let chosen = choose(&records, query)?;
        let one = |key| values(query, key).next().map(str::to_owned);
        let axis = |log: &str| Asking { log: values(query, "log").any(|axes| axes.contains(log)), ..Asking::default() };
        let asked = Asked {
            x: one("x"),
            y: values(query, "y").map(str::to_owned).collect(),
            // Who looks at several folders compares them.
            colour: one("colour").or_else(|| compares(&chosen).then(|| RESULTS.to_owned())),
            panels: one("panels"),
            x_axis: axis("x"),
            y_axis: axis("y"),
            ..Asked::default()
        };
        let drawn = plotted(&chosen, &asked, &About::default())?;
        let drawn = drawn.ok_or_else(|| crate::picture::nothing_to_draw(asked.x.as_deref()))?;
        let figure = drawn.figure;
        Ok(json!({ "svg": figure.svg, "caption": figure.caption, "csv": figure.csv }))
    }

    /// A run: how it ended and why, its pictures, the anatomy of its congestion, all of its columns, its files.
    fn point(&self, query: Query) -> Option<Value> {
        let at = values(query, "folder").next()?.parse::<usize>().ok().filter(|&at| at < self.places.len())?;
        let id = values(query, "id").next()?;
        let records = self.records(at).ok()?;
        let record = records.iter().find(|record| record.point_id == id)?;
        let place = &self.places[at];
        let mut parts = Vec::new();
        let row = row(place, "why.jsonl", id);
        parts.extend(row.as_ref().and_then(why::of_row).map(|why| why::block(&why)));
        parts.extend(pictures(place, id).into_iter().map(|p| Block::Svg { svg: p.svg, caption: p.caption }));
        let anatomy = row.as_ref().and_then(|row| row.get("anatomy"));
        parts.extend(anatomy.into_iter().flat_map(anatomy::blocks));
        parts.push(Block::Table(columns(record)));
        let swept: Vec<String> =
            record.parameters.iter().map(|(name, value)| format!("{name} {}", scalar(value))).collect();
        Some(json!({
            "title": swept.join(", "), "id": id, "seed": record.seed, "status": record.status.name(), "digest": record.digest,
            "folder": self.names[at], "blocks": blocks::blocks(&parts), "files": place.files(id),
        }))
    }

    /// A file of a folder, to be kept.
    fn file(&self, query: Query) -> Option<Data> {
        let at = values(query, "folder").next()?.parse::<usize>().ok()?;
        let (name, bytes) = self.places.get(at)?.file(values(query, "name").next()?)?;
        Some(Data { kind: "application/octet-stream", bytes, name: Some(name) })
    }
}

impl Library for Shelf {
    fn part(&self, name: &str, asked: &[(String, String)]) -> Option<Data> {
        let told = |found: Result<Value>| match found {
            Ok(value) => Data::json(&json!({ "ok": value })),
            Err(failure) => Data::json(&json!({ "error": failure.to_string() })),
        };
        Some(match name {
            "index" => told(self.index(asked)),
            "table" => told(self.table(asked)),
            "figure" => told(self.figure(asked)),
            "point" => told(Ok(self.point(asked)?)),
            "file" => return self.file(asked),
            _ => return None,
        })
    }
}

/// The columns in which no record has a number.
fn without_numbers<'a>(records: &[Record], names: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut without: BTreeSet<&str> = names.collect();
    // PERF: a row is made once, and not for each column: with 10,000 points that took seconds.
    for row in records.iter().filter_map(|record| record.row().ok()) {
        without.retain(|name| !row.get(*name).is_some_and(Value::is_number));
    }
    without
}

/// Whether these records tell folders apart.
fn compares(records: &[&Record]) -> bool {
    let of = |record: &&Record| record.scalar(RESULTS).map(|name| name.to_string());
    records.iter().filter_map(of).collect::<BTreeSet<_>>().len() > 1
}

/// The values of a key that are not empty.
fn values<'a>(query: Query<'a>, key: &'a str) -> impl Iterator<Item = &'a str> {
    query.iter().filter(move |(name, value)| name == key && !value.is_empty()).map(|(_, value)| value.as_str())
}

/// The rows of a table in the order of a column, `NAME+` or `NAME-`, as the page sorts them: numbers, then words.
fn sorted(table: &Table, by: Option<&str>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..table.rows.len()).collect();
    let Some((name, way)) = by.and_then(|by| by.split_at_checked(by.len().checked_sub(1)?)) else { return order };
    let Some(column) = table.columns.iter().position(|column| column.name == name) else { return order };
    let key = |row: usize| match table.rows[row].get(column) {
        Some(Cell::Number { value, .. } | Cell::Shown { value, .. }) if value.is_finite() => (Some(*value), ""),
        Some(Cell::Text(text)) => (None, text.as_str()),
        _ => (None, ""),
    };
    let turned = |order: Ordering| if way == "-" { order.reverse() } else { order };
    order.sort_by(|&a, &b| match (key(a), key(b)) {
        ((Some(a), _), (Some(b), _)) => turned(a.total_cmp(&b)),
        ((None, a), (None, b)) => turned(a.cmp(b)),
        ((Some(_), _), _) => Ordering::Less,
        _ => Ordering::Greater,
    });
    order
}

/// The records of the points that are asked for.
fn choose<'a>(records: &'a [Record], query: Query) -> Result<Vec<&'a Record>> {
    let refused = |error: FilterError| Failure::usage(error.to_string());
    let filters =
        values(query, "where").map(|text| text.parse::<Filter>().map_err(refused)).collect::<Result<Vec<_>>>()?;
    chosen(&filters, records).map_err(refused)
}

/// The row of a point in a file of rows.
fn row(place: &Place, file: &str, id: &str) -> Option<Value> {
    let text = place.text(file)?;
    let rows = text.lines().filter(|line| line.contains(id)).filter_map(|line| serde_json::from_str(line).ok());
    rows.into_iter().find(|row: &Value| row["point_id"] == id)
}

/// The pictures of a point that its folder has.
fn pictures(place: &Place, id: &str) -> Vec<Picture> {
    let read = |(kind, caption): (&str, &str)| {
        let (name, bytes) = place.file(&format!("pictures/{id}-{kind}.svg"))?;
        Some(Picture { name, caption: caption.to_owned(), svg: String::from_utf8(bytes).ok()?, csv: String::new() })
    };
    point_pictures::kinds().filter_map(read).collect()
}

/// Every column of a run that has a value.
fn columns(record: &Record) -> Table {
    let row = |column: &tailback_results::schema::Column| {
        let value = record.scalar(column.name).filter(|value| !value.to_string().is_empty())?;
        let words = [column.unit, column.meaning].map(Cell::text);
        Some([Cell::text(column.name), cell(Some(value), column.name)].into_iter().chain(words).collect())
    };
    let columns = ["column", "value", "unit", "meaning"].map(|name| Column::new(name, "")).to_vec();
    Table { caption: "All columns of this run.".to_owned(), columns, rows: COLUMNS.iter().filter_map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_by_numbers_and_words_and_what_is_missing_comes_last() {
        let columns = ["load", "word"].map(|name| Column::new(name, "")).to_vec();
        let row = |load: Cell, word: &str| vec![load, Cell::text(word)];
        let rows = vec![
            row(Cell::number(0.5, 1), "b"),
            row(Cell::text("-"), "a"),
            row(Cell::number(0.1, 1), "c"),
            row(Cell::number(f64::NAN, 1), "b"),
        ];
        let table = Table { caption: String::new(), columns, rows };
        let by = |by| sorted(&table, by);
        assert_eq!(by(Some("load+"))[..2], [2, 0]);
        assert_eq!(by(Some("load-"))[..2], [0, 2]);
        assert_eq!((by(Some("word+")), by(Some("word-"))), (vec![1, 0, 3, 2], vec![2, 0, 3, 1]));
        for none in [None, Some(""), Some("other+"), Some("\u{e4}")] {
            assert_eq!(by(none), [0, 1, 2, 3], "{none:?}");
        }
    }
}
