//! Figure 3: most set-aside queues in use over injection rate, traffic 3; claim c6.

use super::curve::{Point, RATE, Runs, Verdict, form, verdict};
use super::key::Scheme::Recn;
use super::key::{most_egress, most_ingress};
use crate::lab::Lab;
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::{Value, short};
use crate::study::{Cell, Part};
use tailback_pictures::chart::{Axis, Chart, Series, Style};

const ITEM: &str = "fig3";

/// The kinds of sides that the figure shows.
const SIDES: [(&str, Value); 2] = [("ingress", most_ingress), ("egress", most_egress)];

/// Set-aside queues that a side has.
const ALL: f64 = 8.0;

/// Measures the numbers of queues; the short form has no network 1.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let numbers: &[u32] = if lab.quick() { &[4, 5] } else { &[1, 4, 5] };
    let nets = Runs::of(lab, numbers)?;
    let charts: Vec<Chart> = nets.iter().map(panel).collect();
    let caption = "Most set-aside queues in use at one side, largest of all seeds, under traffic 3 (figure 3)";
    let figure = picture::panels(ITEM, caption.to_owned(), &charts, nets.len())?;
    let cells = nets.iter().flat_map(|net| cells(lab, net)).collect();
    Ok(Part { cells, figures: vec![figure], verdicts: vec![c6(lab, &nets)], ..Part::default() })
}

fn panel(net: &Runs) -> Chart {
    let curve = net.curve(3, Recn);
    let series = SIDES.map(|(name, value)| {
        let points = curve.0.iter().filter_map(|point| Some((point.rate, point.most(value)?)));
        Series::new(name, points.collect()).style(Style::LineMarks)
    });
    Chart {
        title: format!("Network {}, traffic 3", net.network.number),
        x: Axis::new("Injection rate", RATE),
        y: Axis::new("Most set-aside queues", "queues"),
        series: series.into(),
        ..Chart::default()
    }
}

fn cells(lab: &Lab, net: &Runs) -> Vec<Cell> {
    let curve = net.curve(3, Recn);
    let cell = |(name, value): (&str, Value)| {
        let most = curve.0.iter().filter_map(|point| point.most(value)).reduce(f64::max);
        let all = curve.0.iter().filter(|point| point.most(value) >= Some(ALL));
        let rates: Vec<String> = all.map(|point| short(point.rate)).collect();
        let note = match rates.is_empty() {
            true => "8 at no rate".to_owned(),
            false => format!("8 at {} {RATE}", rates.join(", ")),
        };
        let row = format!("network {}, {name}", net.network.number);
        Cell::new(ITEM, row, format!("most queues{}", form(lab)), "queues", (None, most)).note(note)
    };
    SIDES.map(cell).into()
}

/// Whether fewer than all queues of a side are in use, in all seeds and at both kinds of sides.
fn fewer(point: &Point) -> bool {
    SIDES.iter().all(|(_, value)| point.most(*value).is_some_and(|most| most < ALL))
}

/// Rule of c6, on networks 1, 4 and 5 under traffic 3: no ingress or egress side ever has more than 8 set-aside queues in use
/// (which their number forbids), and on each network at more than half of the rates of the sweep none has more than 7, in all
/// seeds.
fn c6(lab: &Lab, nets: &[Runs]) -> Verdict {
    let part = |net: &Runs| {
        let curve = net.curve(3, Recn);
        let (rates, few) = (curve.0.len(), curve.0.iter().filter(|point| fewer(point)).count());
        let value = |value: Value| curve.0.iter().filter_map(|point| point.most(value)).fold(f64::NAN, f64::max);
        let most = value(most_ingress).max(value(most_egress));
        let told = format!("network {}: at most {most}, fewer than 8 at {few} of {rates} rates", net.network.number);
        (most <= ALL && 2 * few > rates, told)
    };
    verdict(lab, "c6", &nets.iter().map(part).collect::<Vec<_>>())
}
