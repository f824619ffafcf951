//! Figure 9: restrictive injection at load 1.0, 32x32; claims c6 and c9.

use super::curve::{bisection, form};
use super::key::{Bubble, Policy, READINGS, RESTRICTED, Reading, Rule, rules, settings};
use super::restricted::{cells, figure, sustained};
use super::specs::FIG9;
use super::verdict::{Verdict, by_rule, full_form};
use crate::lab::{Lab, Run};
use crate::reproduce::StudyError;
use crate::seeds::{short, shown};
use crate::study::Part;

const ITEM: &str = "fig9";

/// What is "very close to the bisection limit" of 0.25 \[phits/node/cycle\].
const CLOSE: f64 = 0.235;

/// Least gain where the printed one is "up to 20 to 25 percent" \[percent\].
const GAIN: f64 = 20.0;

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG9)?;
    let mut part = Part::default();
    for (rule, _, bubble, cell) in cells(lab, ITEM, &runs, "") {
        let required = rule == Rule::Smart && READINGS.into_iter().any(|r| bubble == Bubble::all(4, r));
        let reached = cell.measured.is_some_and(|measured| measured > CLOSE);
        part.cells.push(if required { cell.require("above 0.235", reached) } else { cell });
    }
    let caption = format!("What is sustained at load 1.0 under restrictive injection, 32x32{} (figure 9)", form(lab));
    part.figures.push(figure(ITEM, caption, &runs, &READINGS, bisection(lab, 32))?);
    let why = "congestion takes longer to build up";
    part.verdicts = vec![full_form(lab, c6(&runs), why), full_form(lab, c9(&runs), why)];
    part.notes.push(
        "Reading a: the bubble of n is asked of new packets alone, and 2 packets of every entry into an escape channel, as \
         always. Reading b: n of both. Verdicts are those of reading b."
            .to_owned(),
    );
    Ok(part)
}

fn mean(runs: &[Run], rule: Rule, policy: Policy, bubble: Bubble) -> Option<f64> {
    sustained(runs, rule, policy, bubble).map(|summary| summary.mean)
}

/// Rule of c6, in means over seeds and in reading b: with 4-All and with 6-All each of the three organisations sustains at
/// least 0.235 phits/node/cycle (94 percent of the bisection limit), and with 2-All one queue does.
fn c6(runs: &[Run]) -> Verdict {
    by_rule("c6", &rules(runs), |rule| {
        let close = |policy, n| mean(runs, rule, policy, Bubble::all(n, Reading::All)).is_some_and(|v| v >= CLOSE);
        let holds = close(Policy::One, 2) && RESTRICTED.into_iter().all(|policy| close(policy, 4) && close(policy, 6));
        (holds, table(runs, rule))
    })
}

/// What is sustained, by organisation, in words.
fn table(runs: &[Run], rule: Rule) -> String {
    let line = |policy: Policy, reading| {
        let values = settings(reading).map(|bubble| shown(mean(runs, rule, policy, bubble)));
        format!("{} {}", policy.name(), values.join(" / "))
    };
    let told: Vec<String> = READINGS
        .into_iter()
        .rev()
        .map(|reading| {
            let lines = RESTRICTED.map(|policy| line(policy, reading));
            format!("reading {}: {}", reading.letter(), lines.join(", "))
        })
        .collect();
    format!("2-Esc / 2-All / 4-All / 6-All {}", told.join("; "))
}

/// Rule of c9, in means over seeds and in reading b: the largest gain over 2-Esc, of all organisations and bubbles, is at
/// least 20 percent.
fn c9(runs: &[Run]) -> Verdict {
    by_rule("c9", &rules(runs), |rule| {
        let gain = |policy| {
            let base = mean(runs, rule, policy, Bubble::ESC)?;
            let rest = settings(Reading::All).into_iter().skip(1);
            let best = rest.filter_map(|bubble| mean(runs, rule, policy, bubble)).max_by(f64::total_cmp)?;
            Some(100.0 * (best / base - 1.0))
        };
        let gains = RESTRICTED.map(|policy| (policy, gain(policy)));
        let most = gains.iter().filter_map(|(_, gain)| *gain).max_by(f64::total_cmp);
        let told: Vec<String> =
            gains.iter().map(|(policy, gain)| format!("{} {} %", policy.name(), shown(*gain))).collect();
        let holds = most.is_some_and(|most| most >= GAIN);
        (holds, format!("largest gain {}; {}", most.map_or("none".to_owned(), short), told.join(", ")))
    })
}
