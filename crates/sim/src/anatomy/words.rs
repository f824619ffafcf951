//! The anatomy in a sentence or two.

use super::Dissected;
use tailback_network::Grid;
use tailback_probes::anatomy::{Anatomy, Links, Speed};
use tailback_probes::levels::direction_name;

/// So many roots are named.
const NAMED: usize = 3;

/// What there is to say; empty where nobody looked.
pub(crate) fn words(dissected: Option<&Dissected>, grid: &Grid) -> String {
    let Some(Dissected { anatomy, speeds }) = dissected else { return String::new() };
    let looks = anatomy.found.len();
    let (Some(trees), Some(still), Some(deepest)) =
        (anatomy.mean(|found| found.trees), anatomy.mean(|found| found.still), anatomy.deepest())
    else {
        return "; anatomy: the measured window is shorter than probes.anatomy_every_cycles, so the probe never looked"
            .to_owned();
    };
    if anatomy.lives.trees == 0 {
        return format!("; anatomy, {looks} looks: no congestion tree");
    }
    let roots = roots(anatomy, Links { grid });
    let mut text = format!(
        "; anatomy, {looks} looks: {trees:.1} congestion trees at a time, {still:.1} links standing still, up to {deepest} one \
         behind the other; roots for longest: {roots}"
    );
    if let Some(share) = anatomy.blocked.head_of_line_share() {
        text += &format!("; of the time behind blocked fronts {:.1} % is head-of-line blocking", 100.0 * share);
    }
    let roles = anatomy.flows.total();
    if roles.culprit + roles.victim > 0 {
        let share = 100.0 * roles.victim as f64 / (roles.culprit + roles.victim) as f64;
        text += &format!("; {share:.1} % of the blocked time in trees is that of victims, which do not cross the root");
    }
    text + &movement(speeds)
}

/// `node 5 (98 % of the time), link x+ of router [1, 2] (3 %)`.
fn roots(anatomy: &Anatomy, links: Links<'_>) -> String {
    let named = anatomy.longest_roots().into_iter().take(NAMED).map(|link| {
        let share = 100.0 * anatomy.of_links[link].root as f64 / anatomy.found.len() as f64;
        let (router, port) = links.place(link);
        format!("{} ({share:.0} % of the time)", output(links.grid, router, port))
    });
    named.collect::<Vec<String>>().join(", ")
}

/// An output port, those to nodes after those to neighbours: `link x+ of router [1, 2]` or `node 5`.
pub(crate) fn output(grid: &Grid, router: u32, port: usize) -> String {
    match port.checked_sub(grid.ports()) {
        None => format!("link {} of router {:?}", direction_name(port), grid.coordinates(router)),
        Some(local) => format!("node {}", router * grid.nodes_per_router() + local as u32),
    }
}

fn movement(speeds: &[Option<Speed>]) -> String {
    let told = |(port, speed): (usize, &Option<Speed>)| {
        speed.filter(Speed::moves).map(|s| format!("{:+.3} in {}", s.speed, direction_name(port)))
    };
    let told: Vec<String> = speeds.iter().enumerate().filter_map(told).collect();
    match told.is_empty() {
        true => String::new(),
        false => {
            format!("; busy areas move, in routers/cycle along the traffic (negative: against it): {}", told.join(", "))
        }
    }
}
