//! Bars of variants that differ in no number, each compared with the first.

use super::{Asked, MOST_LINES, Plotted, columns};
use crate::compared::{About, ended, estimate};
use crate::curves::{axis_of, unit_of};
use tailback_pictures::compared_bars::{ComparedBars, Panel, Row};
use tailback_results::Record;
use tailback_summary::paired::{against_first, by_seed};
use tailback_summary::points::{Point, points};
use tailback_summary::variants::{Variant, variants};

/// Bars of variants that differ in no number.
pub(super) fn bars(records: &[&Record], asked: &Asked, about: &About) -> Option<Plotted> {
    let all = variants(points(records.iter().copied()));
    if all.len() < 2 {
        return None;
    }
    let drawn: Vec<(usize, &Variant)> =
        all.iter().enumerate().filter(|(_, v)| v.same_as.is_none()).take(MOST_LINES).collect();
    let firsts: Vec<&Point> = drawn.iter().filter_map(|(_, variant)| variant.points.first()).collect();
    let panels: Vec<Panel> = columns(records, asked).iter().map(|column| panel(column, &firsts)).collect();
    if !panels.iter().any(|panel| panel.bars.iter().any(Option::is_some)) {
        return None;
    }
    let row = |&(place, variant): &(usize, &Variant)| {
        let point = variant.points.first();
        Row {
            name: variant.label.clone(),
            place,
            ended: point.map(ended).unwrap_or_default(),
            status: point.map(|point| point.statuses().to_string()).unwrap_or_default(),
        }
    };
    let compared = panels.iter().any(|panel| panel.notes.len() > 1);
    let remark = if compared {
        format!("Differences from {} under common seeds, tested at 5 % with Holm's correction.", drawn[0].1.label)
    } else {
        String::new()
    };
    let seeds = firsts.iter().map(|point| point.seeds()).min().unwrap_or(0);
    let made =
        ComparedBars { subject: about.subject.clone(), seeds, rows: drawn.iter().map(row).collect(), panels, remark };
    Some(Plotted { figure: made.figure("bars"), charts: Vec::new(), comparison: None })
}

fn panel(column: &str, points: &[&Point]) -> Panel {
    let axis = axis_of(column);
    let samples: Vec<_> = points.iter().map(|point| by_seed(point, column)).collect();
    let compared = against_first(&samples);
    let known = compared.iter().flatten().any(|difference| difference.interval.is_some());
    let note = |(at, difference): (usize, &Option<tailback_summary::Difference>)| match difference {
        _ if at == 0 => vec!["reference".to_owned()],
        None => Vec::new(),
        Some(difference) if difference.differs() => {
            let words = difference.words().trim_end_matches(" *").to_owned();
            vec![format!("{words} ({})", difference.interval_words()), "differs".to_owned()]
        }
        Some(_) => vec!["no difference".to_owned(), "shown".to_owned()],
    };
    Panel {
        title: axis.label,
        unit: unit_of(column).to_owned(),
        column: column.to_owned(),
        bars: points.iter().map(|point| estimate(point, column)).collect(),
        notes: if known { compared.iter().enumerate().map(note).collect() } else { Vec::new() },
    }
}
