//! Figure 3: latency with four injection channels and with one that four queues share, 16x16; claim c1.

use super::curve::{Curve, LOAD, accepted, form, latency};
use super::key::{Rule, rules};
use super::specs::FIG3;
use super::verdict::{Verdict, by_rule};
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::{seeds, short, shown};
use crate::study::{Cell, Figure, Part};
use tailback_pictures::chart::{Axis, Chart};

const ITEM: &str = "fig3";

/// Offered loads that are medium: from 40 to 70 percent of the bisection limit \[phits/node/cycle\].
const MEDIUM: (f64, f64) = (0.199, 0.351);

/// What sharing may cost in latency at medium load, as printed \[percent\].
const LATENCY: f64 = 3.0;

/// What is negligible between two accepted loads \[percent\].
const NEGLIGIBLE: f64 = 2.0;

/// What a rule's runs say.
struct Pair<'r> {
    rule: Rule,
    /// A channel a queue.
    physical: Curve<'r>,
    /// One for all.
    shared: Curve<'r>,
}

fn is_shared(run: &Run) -> bool {
    run.point.resolved.view("interface").text("channels") == "virtual"
}

impl<'r> Pair<'r> {
    fn of(runs: &'r [Run], rule: Rule) -> Self {
        let curve = |shared| Curve::of(runs.iter().filter(|run| Rule::of(run) == rule && is_shared(run) == shared));
        Pair { rule, physical: curve(false), shared: curve(true) }
    }

    /// What sharing adds to the latency at every medium load \[percent\]: load and value.
    fn added(&self) -> Vec<(f64, f64)> {
        let both = self.physical.0.iter().zip(&self.shared.0);
        let medium = both.filter(|(point, _)| (MEDIUM.0..MEDIUM.1).contains(&point.load));
        medium.filter_map(|(a, b)| Some((a.load, change(a.mean(latency), b.mean(latency))?))).collect()
    }

    /// What sharing adds to the peak and to the sustained load \[percent\].
    fn loads(&self) -> [Option<f64>; 2] {
        let peak = |curve: &Curve| curve.peak().map(|(peak, _)| peak);
        let sustained = |curve: &Curve| curve.sustained().map(|summary| summary.mean);
        [change(peak(&self.physical), peak(&self.shared)), change(sustained(&self.physical), sustained(&self.shared))]
    }
}

fn change(from: Option<f64>, to: Option<f64>) -> Option<f64> {
    Some(100.0 * (to? / from? - 1.0))
}

/// Measures it.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let runs = lab.runs(&FIG3)?;
    let rules = rules(&runs);
    let pairs: Vec<Pair> = rules.iter().map(|rule| Pair::of(&runs, *rule)).collect();
    let mut part = Part::default();
    for pair in &pairs {
        part.cells.extend(cells(lab, pair));
    }
    part.figures.push(figure(lab, &pairs)?);
    part.verdicts.push(c1(&rules, &pairs));
    part.notes.push("Latency is from a packet's generation to its delivery; the four queues are `sh`.".to_owned());
    Ok(part)
}

fn cells(lab: &Lab, pair: &Pair) -> Vec<Cell> {
    let row = pair.rule.name();
    let mut cells = Vec::new();
    for (curve, name) in [(&pair.physical, "4_phy_inj"), (&pair.shared, "4_vir_inj")] {
        for point in curve.0.iter().filter(|point| point.load < 0.5) {
            let summary = point.summary(latency);
            let column = format!("latency at {}, {name}{}", point.load, form(lab));
            let value = (None, summary.map(|summary| summary.mean));
            cells.push(Cell::new(ITEM, row, column, "cycles", value).note(seeds(summary)));
        }
        let (peak, sustained) = (curve.peak().map(|(peak, _)| peak), curve.sustained());
        let cell = |what, value| Cell::new(ITEM, row, format!("{what}, {name}{}", form(lab)), LOAD, (None, value));
        cells.push(cell("peak", peak));
        cells.push(cell("sustained", sustained.map(|summary| summary.mean)).note(seeds(sustained)));
    }
    let most = pair.added().into_iter().map(|(_, added)| added).max_by(f64::total_cmp);
    let cell = Cell::new(ITEM, row, format!("most that sharing adds, medium loads{}", form(lab)), "%", (None, most));
    cells.push(cell.note("printed: less than 3 %"));
    cells
}

fn figure(lab: &Lab, pairs: &[Pair]) -> Result<Figure, StudyError> {
    let chart = |pair: &Pair, title: String, y: Axis| {
        let curves = [(&pair.physical, "4_phy_inj"), (&pair.shared, "4_vir_inj")];
        let series = curves.map(|(curve, name)| curve.series(name, Some(accepted), latency)).to_vec();
        Chart { title, x: Axis::new("Accepted load", LOAD), y, series, ..Chart::default() }
    };
    let axis = || Axis::new("Latency", "cycles");
    let mut charts = Vec::new();
    for pair in pairs {
        charts.push(chart(pair, format!("Request rule {}", pair.rule.name()), axis().log()));
        let close = chart(pair, format!("Request rule {}, medium loads", pair.rule.name()), axis().range(0.0, 100.0));
        charts.push(Chart { x: Axis::new("Accepted load", LOAD).range(0.0, 0.4), ..close });
    }
    let caption = format!("Mean latency over accepted load, four queues, 16x16{} (figure 3)", form(lab));
    picture::panels(ITEM, caption, &charts, 2)
}

/// Rule of c1, in means over seeds: at every offered load from 40 to 70 percent of the bisection limit sharing adds less than
/// 3 percent to the mean latency; and it changes the peak and the load accepted at offered load 1.0 by less than 2 percent
/// each, up or down.
fn c1(rules: &[Rule], pairs: &[Pair]) -> Verdict {
    by_rule("c1", rules, |rule| {
        let Some(pair) = pairs.iter().find(|pair| pair.rule == rule) else { return (false, "none".to_owned()) };
        let (added, [peak, sustained]) = (pair.added(), pair.loads());
        let small = |change: Option<f64>| change.is_some_and(|change| change.abs() < NEGLIGIBLE);
        let holds =
            !added.is_empty() && added.iter().all(|(_, added)| *added < LATENCY) && small(peak) && small(sustained);
        let told: Vec<String> = added.iter().map(|(load, added)| format!("{} % at {load}", short(*added))).collect();
        let told = format!("latency {}, peak {} %, sustained {} %", told.join(", "), shown(peak), shown(sustained));
        (holds, told)
    })
}
