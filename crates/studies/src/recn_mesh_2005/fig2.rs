//! Figure 2: one node a switch, 256, 64 and 16 switches; claim c5.

use super::curve::{Runs, Verdict, by_network, verdict};
use super::fig1::peak;
use super::key::Scheme::{Recn, VoqNet, VoqSw};
use crate::lab::Lab;
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::Part;

const ITEM: &str = "fig2";

/// "Always lower than 70 percent".
const ALWAYS_BELOW: f64 = 70.0;

/// RECN keeps the maximum when it reaches this part of what VOQnet reaches.
const KEEPS: f64 = 0.95;

/// Measures the nine panels; the short form has no network 1.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let numbers: &[u32] = if lab.quick() { &[4, 5] } else { &[1, 4, 5] };
    let nets = Runs::of(lab, numbers)?;
    let panels: Vec<_> = (1..=3).flat_map(|case| nets.iter().map(move |net| net.panel(case))).collect();
    let caption = "Relative throughput of networks with one node a switch under three kinds of traffic (figure 2)";
    let figure = picture::panels(ITEM, caption.to_owned(), &panels, nets.len())?;
    // Those of network 1 are figure 1's.
    let cells = nets.iter().filter(|net| net.network.number != 1).flat_map(|net| net.cells(lab, ITEM)).collect();
    let note = "In network 5 a node's link carries 1 byte/ns, which is the full rate: under traffic 2 and 3 no scheme can reach \
                more than 94 and 81 percent.";
    Ok(Part { cells, figures: vec![figure], verdicts: vec![c5(lab, &nets)], notes: vec![note.to_owned()] })
}

/// Rule of c5, on networks 1, 4 and 5 under traffic 2, means over seeds. Both of: VOQsw's highest relative throughput is below
/// 70 percent on each; RECN's is at least 95 percent of VOQnet's on each (not 90 percent of the limit, which arithmetic puts
/// nearly out of reach on network 5).
fn c5(lab: &Lab, nets: &[Runs]) -> Verdict {
    let of = |scheme| move |net: &Runs| peak(net, 2, scheme);
    let parts = [
        (
            nets.iter().all(|net| peak(net, 2, VoqSw) < ALWAYS_BELOW),
            format!("VOQsw reaches at most {}", by_network(nets, of(VoqSw))),
        ),
        (
            nets.iter().all(|net| peak(net, 2, Recn) >= KEEPS * peak(net, 2, VoqNet)),
            format!("RECN reaches {}; VOQnet {}", by_network(nets, of(Recn)), by_network(nets, of(VoqNet))),
        ),
    ];
    verdict(lab, "c5", &parts)
}
