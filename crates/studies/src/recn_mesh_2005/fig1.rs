//! Figure 1: 256 nodes on 256, 64 and 16 switches; claims c1 to c4.

use super::curve::{MAXIMUM, Runs, Verdict, by_network, verdict};
use super::key::Scheme::{self, Recn, VoqNet, VoqSw};
use crate::lab::Lab;
use crate::picture;
use crate::reproduce::StudyError;
use crate::study::Part;

const ITEM: &str = "fig1";

/// A scheme that loses this part of its peak at the highest rate degrades \[percent of the limit\].
const DEGRADES: f64 = 5.0;

/// What about 50 percent is.
const HALF: std::ops::RangeInclusive<f64> = 40.0..=60.0;

/// Measures the nine panels.
pub fn run(lab: &Lab) -> Result<Part, StudyError> {
    let mut part = Part::default();
    if lab.quick() {
        part.notes.push("Networks 1 to 3, of 256 nodes, are not part of the short form.".to_owned());
        let none = |id| (id, None, "not judged: networks 1 to 3 are not part of the short form".to_owned());
        part.verdicts.extend(["c1", "c2", "c3", "c4"].map(none));
        return Ok(part);
    }
    let nets = Runs::of(lab, &[1, 2, 3])?;
    part.cells = nets.iter().flat_map(|net| net.cells(lab, ITEM)).collect();
    let panels: Vec<_> = (1..=3).flat_map(|case| nets.iter().map(move |net| net.panel(case))).collect();
    let caption = "Relative throughput of 256 nodes at 256, 64 and 16 switches under three kinds of traffic (figure 1)";
    part.figures.push(picture::panels(ITEM, caption.to_owned(), &panels, 3)?);
    part.verdicts.extend([c1(lab, &nets), c2(lab, &nets), c3(lab, &nets), c4(lab, &nets)]);
    Ok(part)
}

/// Highest relative throughput under a kind of traffic.
pub fn peak(net: &Runs, case: u32, scheme: Scheme) -> f64 {
    net.curve(case, scheme).peak().0
}

fn all(nets: &[Runs], holds: impl Fn(&Runs) -> bool) -> bool {
    nets.iter().all(holds)
}

/// Rule of c1, on networks 1 to 3 under traffic 1, means over seeds. All of: each scheme's highest relative throughput is at
/// least 90 percent (rounded); at the highest rate VOQsw is below VOQnet; there it is at least 5 points below its own peak
/// ("degrades"); RECN is at least 90 percent (rounded) at every rate above the full one.
fn c1(lab: &Lab, nets: &[Runs]) -> Verdict {
    let end = |net: &Runs, scheme| net.curve(1, scheme).end();
    let full = |net: &Runs, scheme| net.curve(1, scheme).at(net.network.full_rate()).unwrap_or(f64::NAN);
    let beyond = |net: &Runs| net.curve(1, Recn).lowest_from(1.01 * net.network.full_rate()).unwrap_or(f64::NAN);
    let peaks = [VoqNet, VoqSw, Recn].map(|scheme| {
        let holds = all(nets, |net| peak(net, 1, scheme) >= MAXIMUM);
        let told = by_network(nets, |net| peak(net, 1, scheme));
        (holds, format!("{} reaches at most {told}", scheme.name()))
    });
    let mut parts = peaks.to_vec();
    parts.push((
        all(nets, |net| end(net, VoqSw) < end(net, VoqNet)),
        format!(
            "VOQsw below VOQnet at the highest rate: {} below {}; at the full rate VOQsw {}, VOQnet {}",
            by_network(nets, |net| end(net, VoqSw)),
            by_network(nets, |net| end(net, VoqNet)),
            by_network(nets, |net| full(net, VoqSw)),
            by_network(nets, |net| full(net, VoqNet))
        ),
    ));
    parts.push((
        all(nets, |net| peak(net, 1, VoqSw) - end(net, VoqSw) >= DEGRADES),
        format!("VOQsw beyond saturation falls by {}", by_network(nets, |net| peak(net, 1, VoqSw) - end(net, VoqSw))),
    ));
    parts.push((
        all(nets, |net| beyond(net) >= MAXIMUM),
        format!("RECN beyond saturation at least {}", by_network(nets, beyond)),
    ));
    verdict(lab, "c1", &parts)
}

/// VOQsw under a kind of traffic: never the maximum, and the higher the smaller the network.
fn voq_sw(nets: &[Runs], case: u32) -> [(bool, String); 2] {
    let of = |net: &Runs| peak(net, case, VoqSw);
    let net_peaks = by_network(nets, |net| peak(net, case, VoqNet));
    [
        (
            all(nets, |net| of(net) < MAXIMUM && of(net) < peak(net, case, VoqNet)),
            format!("VOQsw reaches at most {}, VOQnet {net_peaks}", by_network(nets, of)),
        ),
        (nets.windows(2).all(|pair| of(&pair[0]) < of(&pair[1])), "the smaller the network the higher".to_owned()),
    ]
}

/// Rule of c2, under traffic 2, means over seeds. All of: on networks 1 to 3 VOQsw is below 90 percent (rounded) and below
/// VOQnet's highest at every rate; its highest rises from network 1 to 2 to 3; on network 1 it is 40 to 60 percent.
fn c2(lab: &Lab, nets: &[Runs]) -> Verdict {
    let mut parts = voq_sw(nets, 2).to_vec();
    let first = nets.first().map_or(f64::NAN, |net| peak(net, 2, VoqSw));
    parts.push((HALF.contains(&first), "about 50 percent on network 1".to_owned()));
    verdict(lab, "c2", &parts)
}

/// RECN reaches the maximum under a kind of traffic.
fn recn(nets: &[Runs], case: u32) -> (bool, String) {
    let told = by_network(nets, |net| peak(net, case, Recn));
    let end = by_network(nets, |net| net.curve(case, Recn).end());
    (all(nets, |net| peak(net, case, Recn) >= MAXIMUM), format!("RECN reaches {told}; at the highest rate {end}"))
}

/// Rule of c3, under traffic 2: RECN's highest relative throughput is at least 90 percent (rounded) on each of networks 1 to
/// 3, means over seeds.
fn c3(lab: &Lab, nets: &[Runs]) -> Verdict {
    verdict(lab, "c3", &[recn(nets, 2)])
}

/// Rule of c4, under traffic 3, means over seeds: the parts of c2 but for the 50 percent, and of c3; and on each network
/// VOQsw's highest relative throughput is below its highest under traffic 2.
fn c4(lab: &Lab, nets: &[Runs]) -> Verdict {
    let mut parts = voq_sw(nets, 3).to_vec();
    parts.push(recn(nets, 3));
    parts.push((
        all(nets, |net| peak(net, 3, VoqSw) < peak(net, 2, VoqSw)),
        format!("VOQsw below traffic 2, where it reaches {}", by_network(nets, |net| peak(net, 2, VoqSw))),
    ));
    verdict(lab, "c4", &parts)
}
