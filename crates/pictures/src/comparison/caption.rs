//! What the figure says below it: what over what; means over how many seeds; what bands are; what hollow marks mean; what
//! is equal or left out.

use super::beside::{far_bound, field, left_out};
use super::sheet::{MOST, Sheet, Shows};
use super::words::{count, list};
use super::{Columns, Comparison, Ended, Variant};
use crate::estimate::Estimate;

/// The caption.
pub(super) fn caption(sheet: &Sheet<'_>, columns: Columns, bound: Option<f64>) -> String {
    let comparison = sheet.comparison;
    let top = sheet.latency.axis.end();
    let over = format!("(a) Accepted load and (b) mean latency over offered load{}.", subject(comparison));
    let facts = [
        Some(over),
        seeds(comparison),
        marks(comparison),
        alike(sheet),
        twins(comparison),
        few(comparison),
        drawn(comparison),
        left_out(field(comparison, top).as_ref(), top),
        strips(sheet, columns),
        far_bound(comparison, bound),
    ];
    facts.into_iter().flatten().collect::<Vec<String>>().join(" ")
}

fn subject(comparison: &Comparison) -> String {
    if comparison.subject.is_empty() { String::new() } else { format!(", {}", comparison.subject) }
}

fn estimates(comparison: &Comparison) -> impl Iterator<Item = &Estimate> {
    let points = comparison.variants.iter().flat_map(|v| &v.points);
    points.flat_map(|p| std::iter::once(&p.accepted).chain(&p.latency))
}

fn seeds(comparison: &Comparison) -> Option<String> {
    let bands = "bands are 95 % intervals in the logarithm";
    match comparison.seeds {
        0 => None,
        1 => Some("One seed, so there are no intervals.".to_owned()),
        2 => Some("Means over 2 seeds, which are too few for an interval; dots are seeds.".to_owned()),
        many if estimates(comparison).any(|e| e.band().is_some()) => Some(format!("Means over {many} seeds; {bands}.")),
        many => Some(format!("Means over {many} seeds.")),
    }
}

fn marks(comparison: &Comparison) -> Option<String> {
    let any = |ended: Ended| comparison.variants.iter().flat_map(|v| &v.points).any(|p| p.ended == ended);
    let words = [
        (Ended::Unsteady, "Hollow: no steady state."),
        (Ended::Broken, "Crossed: deadlocked or starved."),
        (Ended::Interrupted, "Half filled: interrupted."),
    ];
    let said: Vec<&str> = words.into_iter().filter(|(ended, _)| any(*ended)).map(|(_, words)| words).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn alike(sheet: &Sheet<'_>) -> Option<String> {
    let last = sheet.variants.first()?.0.points.get(sheet.alike.checked_sub(1)?)?.load;
    let kind = sheet.comparison.kind();
    let whole = if sheet.variants.len() == 2 { "both" } else { "all" };
    Some(format!("Grey: {whole} {kind}, alike within the intervals, up to load {last}."))
}

fn twins(comparison: &Comparison) -> Option<String> {
    let said = |v: &Variant| {
        let verb = if v.twins.len() == 1 { "equals" } else { "equal" };
        (!v.twins.is_empty()).then(|| format!("{} {verb} {} bit for bit.", list(&v.twins), v.name))
    };
    let said: Vec<String> = comparison.variants.iter().filter_map(said).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

fn few(comparison: &Comparison) -> Option<String> {
    let wide = estimates(comparison).filter(|e| e.interval.is_some() && e.band().is_none()).count();
    let verb = if wide == 1 { "has" } else { "have" };
    (wide > 0).then(|| format!("{} {verb} too few seeds for a band; dots are seeds.", count(wide, "value")))
}

fn drawn(comparison: &Comparison) -> Option<String> {
    let all = comparison.variants.len();
    (all > MOST).then(|| format!("The first {MOST} of {all} {} are drawn.", comparison.kind()))
}

fn strips(sheet: &Sheet<'_>, columns: Columns) -> Option<String> {
    let interval = if sheet
        .variants
        .iter()
        .any(|(v, _)| v.saturation.as_ref().or(v.knee.as_ref()).is_some_and(|e| e.interval.is_some()))
    {
        " with 95 % intervals"
    } else {
        ""
    };
    let of = |shows: Shows| match shows {
        Shows::Saturation => "Saturation load",
        Shows::Knee => "Knee (twice the latency at zero load)",
        Shows::Both => "Saturation load and knee (twice the latency at zero load)",
    };
    match (sheet.strips.as_slice(), columns) {
        ([], _) => None,
        ([one], _) => Some(format!("{} {}{interval}.", one.letter, of(one.shows))),
        (many, _) => {
            let said: Vec<String> = many.iter().map(|s| format!("{} {}", s.letter, of(s.shows))).collect();
            let said = said.join(" and ").replace("(d) Knee", "(d) knee");
            Some(format!("{said}{interval}."))
        }
    }
}
