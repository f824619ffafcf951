//! Colours, marks and dashes of series, and the legend that explains them.

use super::{Chart, Series, Side, Style};
use crate::look::{Fill, Look};
use crate::style::{CURVE, SIZE};
use crate::svg::{Anchor, Canvas, Type, num};
use crate::text;

const ROW: f64 = 1.55 * SIZE;
const SWATCH: f64 = 24.0;
const GAP: f64 = 6.0;
const COLUMN_GAP: f64 = 18.0;
/// Longer legends end in a note.
const MOST: usize = 48;

/// Number of the look of every series of every chart; series of equal name look alike in all charts.
pub(crate) fn slots(charts: &[Chart]) -> Vec<Vec<usize>> {
    let mut known = std::collections::BTreeMap::new();
    let mut next = 0;
    let mut slots = Vec::new();
    for chart in charts {
        let mut of_chart = Vec::new();
        for series in &chart.series {
            let slot = if series.name.is_empty() { next } else { *known.entry(series.name.as_str()).or_insert(next) };
            next = next.max(slot + 1);
            of_chart.push(slot);
        }
        slots.push(of_chart);
    }
    slots
}

/// Which of `marks` marks the slot has.
pub(crate) fn mark_index(slot: usize, marks: usize) -> usize {
    slot % marks
}

/// The look of a series; dashed ones have a dash in any case.
pub(super) fn look(slot: usize, series: &Series) -> Look {
    let look = Look::of(slot);
    if series.dashed { Look { dash: "5 2.2", ..look } } else { look }
}

/// One line of a legend.
pub(super) struct Entry {
    name: String,
    look: Look,
    style: Style,
    band: bool,
}

/// Legend of `charts` together, in the order of first appearance.
pub(super) fn entries(charts: &[Chart], slots: &[Vec<usize>]) -> Vec<Entry> {
    let mut seen = std::collections::BTreeSet::new();
    let mut entries = Vec::new();
    let mut more = 0;
    for (chart, slots) in charts.iter().zip(slots) {
        for (series, slot) in chart.series.iter().zip(slots) {
            if series.name.is_empty() || !seen.insert(*slot) {
                continue;
            }
            if entries.len() == MOST {
                more += 1;
                continue;
            }
            let right = if series.axis == Side::Right && chart.y2.is_some() { " (right axis)" } else { "" };
            let name = format!("{}{}{right}", text::fit(&series.name, SIZE, 260.0), series.note);
            let look = look(*slot, series);
            entries.push(Entry { name, look, style: series.style, band: series.band.is_some() });
        }
    }
    if more > 0 {
        let look = Look { colour: "none", dash: "", shape: 0 };
        entries.push(Entry { name: format!("… and {more} more"), look, style: Style::Line, band: false });
    }
    entries
}

fn entry_width(entry: &Entry) -> f64 {
    SWATCH + GAP + text::width(&entry.name, SIZE)
}

/// Size of the legend set as one column.
pub(super) fn column_size(entries: &[Entry]) -> (f64, f64) {
    (entries.iter().map(entry_width).fold(0.0, f64::max), entries.len() as f64 * ROW)
}

/// Draws the legend as a column with its upper left corner at `corner`.
pub(super) fn draw_column(canvas: &mut Canvas, corner: (f64, f64), entries: &[Entry]) {
    for (row, entry) in entries.iter().enumerate() {
        draw_entry(canvas, (corner.0, corner.1 + (row as f64 + 0.5) * ROW), entry);
    }
}

/// Columns of equal width that fit into `width`, and the height they need.
pub(super) fn rows_size(entries: &[Entry], width: f64) -> (usize, f64) {
    let each = column_size(entries).0 + COLUMN_GAP;
    let columns = (((width + COLUMN_GAP) / each).floor() as usize).clamp(1, entries.len().max(1));
    (columns, entries.len().div_ceil(columns) as f64 * ROW)
}

/// Draws the legend in rows, centred between `left` and `left + width`, from `top` down.
pub(super) fn draw_rows(canvas: &mut Canvas, (left, top): (f64, f64), width: f64, entries: &[Entry]) {
    let (columns, _) = rows_size(entries, width);
    let each = column_size(entries).0 + COLUMN_GAP;
    let left = left + ((width - each * columns as f64 + COLUMN_GAP) / 2.0).max(0.0);
    for (i, entry) in entries.iter().enumerate() {
        let at = (left + (i % columns) as f64 * each, top + ((i / columns) as f64 + 0.5) * ROW);
        draw_entry(canvas, at, entry);
    }
}

fn draw_entry(canvas: &mut Canvas, (x, y): (f64, f64), entry: &Entry) {
    let look = entry.look;
    if entry.band && entry.style != Style::Marks {
        let paint = format!("fill=\"{}\" fill-opacity=\"0.18\"", look.colour);
        canvas.rect((x, y - 5.0), (SWATCH, 10.0), &paint);
    }
    if entry.style != Style::Marks {
        canvas.raw(&format!("<path d=\"M{} {}h{}\" {}/>", num(x), num(y), num(SWATCH), look.stroke(1.2 * CURVE)));
    }
    if matches!(entry.style, Style::Marks | Style::LineMarks) {
        canvas.raw(&look.mark((x + SWATCH / 2.0, y), Fill::Full));
    }
    canvas.text((x + SWATCH + GAP, y + 0.36 * SIZE), Type::new(SIZE, Anchor::Start), &entry.name);
}

#[cfg(test)]
mod tests {
    use super::super::Series;
    use super::*;

    fn chart(names: &[&str]) -> Chart {
        Chart { series: names.iter().map(|n| Series::new(*n, vec![])).collect(), ..Chart::default() }
    }

    #[test]
    fn equal_names_share_a_slot_and_nameless_series_do_not() {
        let charts = [chart(&["a", "", "b"]), chart(&["b", "", "a"])];
        let slots = slots(&charts);
        assert_eq!(slots, [[0, 1, 2], [2, 3, 0]]);
        assert_eq!(entries(&charts, &slots).len(), 2);
    }

    #[test]
    fn long_legends_end_in_a_note() {
        let names: Vec<String> = (0..1000).map(|i| format!("s{i}")).collect();
        let charts = [chart(&names.iter().map(String::as_str).collect::<Vec<_>>())];
        let entries = entries(&charts, &slots(&charts));
        assert_eq!((entries.len(), entries[MOST].name.as_str()), (MOST + 1, "… and 952 more"));
    }

    #[test]
    fn a_note_stands_whole_behind_a_name_that_is_cut() {
        let mut charts = [chart(&[&"long ".repeat(40), "b"])];
        charts[0].series[0].note = " = b, identical".to_owned();
        let entries = entries(&charts, &slots(&charts));
        assert!(entries[0].name.ends_with(" = b, identical") && entries[0].name.len() < 100, "{}", entries[0].name);
        assert_eq!(entries[1].name, "b");
    }
}
