//! Figure 8: latency and throughput under transpose, three dimensions; claim c5.

use super::base::mean;
use super::curve::{Four, latency_ns};
use super::fig7::cells;
use super::key::Traffic;
use super::specs::{BASE_3D, FIG8};
use crate::lab::{Lab, Run};
use crate::picture;
use crate::reproduce::StudyError;
use crate::seeds::short;
use crate::study::Part;
use tailback_cost::Family;

const ITEM: &str = "fig8";

/// How far the printed "about 10" and "about 40" percent may be off \[percent points\].
const POINTS: f64 = 5.0;

/// Measures the curves.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let (runs, base) = (lab.runs(&FIG8)?, lab.runs(&BASE_3D)?);
    let four = Four::of(&runs, Traffic::Transpose);
    let mut part = Part { cells: cells(ITEM, &four), ..Part::default() };
    let caption = "Latency and throughput of a 512-node 3-D torus under transpose over applied load (figure 8)";
    part.figures.push(picture::panels(ITEM, caption.to_owned(), &four.charts(), 2)?);
    part.verdicts.push(c5(&four, &base));
    Ok(part)
}

/// Rule of c5, means over seeds: under transpose in three dimensions the base latency (ns) of the adaptive bubble router is 5 to
/// 15 percent above that of VC DOR and 35 to 45 percent below that of the adaptive wormhole router, and it accepts most of
/// the four (phits/ns).
fn c5(four: &Four, base: &[Run]) -> (&'static str, Option<bool>, String) {
    let of = |router| mean(base, router, Traffic::Transpose, latency_ns).unwrap_or(f64::NAN);
    let bubble = of(Family::BubbleAdaptive);
    let above = 100.0 * (bubble / of(Family::VcDor) - 1.0);
    let below = 100.0 * (1.0 - bubble / of(Family::VcAdaptive));
    let peaks = Family::ALL.map(|router| four.peak_ns(router).unwrap_or(f64::NAN));
    let own = four.peak_ns(Family::BubbleAdaptive).unwrap_or(f64::NAN);
    let most = peaks.iter().all(|peak| *peak <= own);
    let holds = (above - 10.0).abs() <= POINTS && (below - 40.0).abs() <= POINTS && most;
    let told: Vec<String> =
        Family::ALL.iter().zip(peaks).map(|(router, peak)| format!("{} {}", router.title(), short(peak))).collect();
    let evidence = format!(
        "base latency {} % above VC DOR, {} % below VC Adap; most accepted, phits/ns: {}",
        short(above),
        short(below),
        told.join(", ")
    );
    ("c5", Some(holds), evidence)
}
